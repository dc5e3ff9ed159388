"""Names that stand for one another: countries and their people, short and long forms.

What is on one line is the same to a headline; `_` joins words that come one after the other.
Capitals are not on their country's line: «Moscow says» is not «Russia says».
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_NAMES = """
us u.s. usa u.s.a. america american americans united_states
uk u.k. britain british briton britons brit brits great_britain united_kingdom
eu e.u. european_union
un u.n. united_nations
europe european europeans
china chinese prc
russia russian russians
japan japanese
india indian indians
pakistan pakistani pakistanis pak
israel israeli israelis
palestine palestinian palestinians
ukraine ukrainian ukrainians
france french frenchman
germany german germans
italy italian italians italia
spain spanish spaniard spaniards
portugal portuguese
greece greek greeks
turkey turkish turks turk turkiye
iran iranian iranians
iraq iraqi iraqis
syria syrian syrians
lebanon lebanese
jordan jordanian jordanians
egypt egyptian egyptians
libya libyan libyans
tunisia tunisian tunisians
algeria algerian algerians
morocco moroccan moroccans
sudan sudanese
ethiopia ethiopian ethiopians
somalia somali somalis
kenya kenyan kenyans
uganda ugandan ugandans
rwanda rwandan rwandans
congo congolese drc
nigeria nigerian nigerians
ghana ghanaian ghanaians
senegal senegalese
africa african africans
zimbabwe zimbabwean zimbabweans
angola angolan angolans
yemen yemeni yemenis
oman omani omanis
qatar qatari qataris
kuwait kuwaiti kuwaitis
bahrain bahraini bahrainis
saudi saudis saudi_arabia
uae u.a.e. emirati emirates united_arab_emirates
afghanistan afghan afghans
bangladesh bangladeshi bangladeshis
nepal nepalese nepali
lanka lankan lankans
myanmar burma burmese
thailand thai thais
vietnam vietnamese
cambodia cambodian cambodians
laos laotian
malaysia malaysian malaysians
indonesia indonesian indonesians
philippines philippine filipino filipinos
singapore singaporean singaporeans
taiwan taiwanese
korea korean koreans
mongolia mongolian
kazakhstan kazakh
uzbekistan uzbek
georgia georgian georgians
armenia armenian armenians
azerbaijan azerbaijani azeri
belarus belarusian belarusians
poland polish poles pole
czech czechs czechia czech_republic
slovakia slovak slovaks
slovenia slovenian slovene
croatia croatian croat croats croatians
serbia serbian serb serbs
bosnia bosnian bosnians
kosovo kosovar
albania albanian albanians
macedonia macedonian
bulgaria bulgarian bulgarians
romania romanian romanians
hungary hungarian hungarians
austria austrian austrians
switzerland swiss
belgium belgian belgians
netherlands dutch holland
denmark danish dane danes
norway norwegian norwegians
sweden swedish swede swedes
finland finnish finn finns
iceland icelandic
ireland irish
scotland scottish scots scot
wales welsh
england english
estonia estonian
latvia latvian
lithuania lithuanian
canada canadian canadians
mexico mexican mexicans
cuba cuban cubans
haiti haitian haitians
guatemala guatemalan
honduras honduran
nicaragua nicaraguan
panama panamanian
colombia colombian colombians
venezuela venezuelan venezuelans
ecuador ecuadorean ecuadorian
peru peruvian peruvians
bolivia bolivian bolivians
chile chilean chileans
argentina argentine argentinian argentines
uruguay uruguayan
paraguay paraguayan
brazil brazilian brazilians
australia australian australians aussie aussies aus
zealand nz new_zealand
asia asian asians
mideast middle_east
hk hong_kong
ny n.y. new_york
nyc new_york_city new_york
la l.a. los_angeles
dc d.c. washington
s.korea skorea south_korea south_korean
n.korea nkorea north_korea north_korean
safrica s.africa south_africa south_african
gop republican republicans
dem dems democrat democrats democratic
tory tories conservative conservatives
muslim muslims islamic islam
jew jews jewish
arab arabs
catholic catholics
kurd kurds kurdish
turks turkish turkey
taliban taleban
fed federal_reserve
doj justice_department
dod defense_department pentagon
doe energy_department
dhs homeland_security
scotus supreme_court
nypd new_york_police
lapd los_angeles_police
sec securities_and_exchange
vw volkswagen
citi citigroup
petrobras petroleo_brasileiro
s&p standard_and_poor standard_&_poor
exxon exxonmobil
conoco conocophillips
pfizer-biontech pfizer
covid covid-19 coronavirus
ceo ceos chief_executive chief_executives
cfo chief_financial finance_chief finance_director
coo chief_operating
pm premier prime_minister
fm foreign_minister
vp vice_president
ag attorney_general
gov governor gov. governors
govt gov't government
dept dept. department ministry
sen sen. senator senators
rep rep. representative congressman congresswoman
gen gen. general
dr dr. doctor
mp mps lawmaker lawmakers
tv television tvs
ai artificial_intelligence
ev evs electric_vehicle electric_vehicles electric_car electric_cars
hiv aids
intl int'l international
corp corp. corporation
co co. company
univ university
ltd limited
jan jan. january
feb feb. february
mar mar. march
apr apr. april
jun jun. june
jul jul. july
aug aug. august
sept sep sept. september
oct oct. october
nov nov. november
dec dec. december
xmas christmas
stocks stock shares share equities equity
s. south southern
n. north northern
e. east eastern
w. west western
st st. saint street
"""


def _groups() -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    for line in _NAMES.strip().splitlines():
        members = line.split()
        phrases = [tuple(member.split("_")) for member in members]
        for member in members:
            if "_" not in member:
                yield member, phrases


ALIASES: dict[str, list[tuple[str, ...]]] = {}
"""For a name (in lower case), the words and phrases that mean it."""
for _name, _phrases in _groups():
    ALIASES.setdefault(_name, []).extend(_phrases)


def stands_for(name: str, words: Sequence[str]) -> bool:
    """Whether it is another name for something that some words, in lower case, say."""
    return any(set(phrase).issubset(words) for phrase in ALIASES.get(name, ()))
