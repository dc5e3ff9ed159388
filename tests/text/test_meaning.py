"""What a summary may say and what turns its source round. Each source has answers that are true to
it (+) and answers that are not (-)."""

from __future__ import annotations

import time

import pytest

from nacc.text.meaning import governed, spans, violates
from nacc.text.words import split

NEGATION = """
Finance Minister Paula Reyes did not resign on Tuesday after a long meeting with the president.
+ Reyes did not resign
+ Finance minister refuses to quit
+ Reyes does not resign after meeting
- Reyes resigns
- Finance minister resigned on Tuesday
Police said there was no threat to the public after a bag was found at the station.
+ Police say no threat to public
+ Bag found at station
- Police say threat to public
- Threat to public after bag found
The mayor never accepted the money, a court heard.
+ Mayor never accepted money
- Mayor accepted money
The firm won't cut jobs in Ohio this year, its chief said.
+ Firm won't cut jobs in Ohio
- Firm cuts jobs in Ohio
The two sides ended talks without reaching a deal on Friday.
+ Talks end without deal
+ Sides fail to reach deal
- Sides reach deal
The champion refused to apologise for his remarks.
+ Champion refuses to apologise
+ Champion won't apologise
- Champion apologises for remarks
The company failed to meet its own target, it said on Monday.
+ Company fails to meet target
+ Company misses target
- Company meets target
The senator declined to endorse the bill.
+ Senator declines to endorse bill
- Senator endorses bill
The prime minister ruled out raising taxes before the election.
+ Prime minister rules out raising taxes
- Prime minister raises taxes
A jury cleared the banker of fraud on Thursday.
+ Jury clears banker of fraud
+ Banker acquitted of fraud
- Banker fraud jury
The singer was acquitted of murder by a jury in Leeds.
+ Singer acquitted of murder
- Singer murder
The suspect pleaded not guilty to all charges.
+ Suspect pleads not guilty
- Suspect pleads guilty
Nobody was hurt when the roof came down in a storm.
+ Nobody hurt as roof comes down
+ Roof comes down in storm
- Hurt when roof came down in storm
No arrests have been made in the case, police said.
+ No arrests made in case
- Arrests made in case
Neither party won a majority in Sunday's vote.
+ Neither party won majority
- Party won majority
Biden, not Trump, leads in poll
+ Biden leads in poll
+ Biden, not Trump, leads in poll
- Biden, Trump, leads in poll
The union is not expected to strike this week.
+ Union not expected to strike
- Union strikes this week
Voters rejected a plan to ban fireworks in the city.
+ Voters reject plan to ban fireworks
- Voters ban fireworks
The judge can't release the men, a lawyer said.
+ Judge can't release men
- Judge releases men
The striker has no plans to leave the club.
+ Striker has no plans to leave
- Striker plans to leave
No longer a member, she still attends meetings of the club.
+ She still attends meetings
- She is a member
not only did the team win the cup , it also set a record .
+ team wins cup
Officials stopped the ship from leaving the port.
+ Officials stop ship from leaving port
- Ship leaving port
The union called off a strike at the mine.
+ Union calls off strike
+ Mine strike averted
- Union strike at mine
Police foiled an attack on a market in Lyon.
+ Police foil attack on market
- Police attack on market
The ship is unlikely to sink, experts said.
+ Ship unlikely to sink
- Ship sinks
The team almost won the cup.
+ Team almost won cup
- Team won cup
She sold the house instead of repairing it.
+ She sold house
- She repairs house
The bank's failure to warn clients cost it dear.
+ Bank's failure to warn clients
- Bank warns clients
prices did n't fall in march , the ministry said .
+ prices did n't fall in march
- prices fall in march
"""
DENIAL = """
The minister denied taking bribes from a builder.
+ Minister denies taking bribes
+ Minister denies bribes
- Minister took bribes
- Minister taking bribes from builder
The club denied that its coach had resigned.
+ Club denies coach resigned
- Club coach resigned
- Coach resigns
Iran denied involvement in the attack on the tanker.
+ Iran denies involvement in attack
- Iran involvement in attack on tanker
the government denied reports that troops had been killed .
+ government denies troops killed
- troops killed
"""
CONDITION = """
If lawmakers fail to agree by Friday, federal workers will be sent home.
+ Workers sent home if lawmakers fail to agree
+ Federal workers could be sent home
- Federal workers sent home
- Lawmakers fail to agree
The striker will leave the club if it is relegated.
+ Striker will leave if club relegated
+ Striker could leave club
- Striker leaves club
Unless rain comes soon, farmers will lose the harvest.
+ Farmers will lose harvest unless rain comes
- Farmers lose harvest
The bank said it would raise rates again if prices kept rising.
+ Bank would raise rates if prices rise
+ Bank may raise rates again
- Bank raises rates
the union will strike on monday unless the firm raises wages .
+ union to strike unless firm raises wages
- union strikes
- firm raises wages
"""
HEDGE = """
The airline may cut routes to Asia next year.
+ Airline may cut routes to Asia
+ Airline could cut Asia routes
- Airline cuts routes to Asia
The storm could reach the coast on Sunday.
+ Storm could reach coast Sunday
- Storm reaches coast
The actor reportedly died at his home in Malibu.
+ Actor reportedly died at home
+ Actor died, reports say
- Actor dies at home
An alleged killer was arrested in Rome.
+ Alleged killer arrested
+ Suspect arrested in Rome
- Killer arrested in Rome
His threat to sue the club was no surprise.
+ Threat to sue club
- He sues club
The trader allegedly stole millions from clients.
+ Trader allegedly stole millions
+ Trader accused over clients' millions
- Trader stole millions from clients
A man accused of killing his neighbour appeared in court.
+ Man accused of killing neighbour in court
+ Man in court
- Man killing neighbour
The chain plans to close forty shops in spring.
+ Chain plans to close forty shops
+ Chain to close forty shops
- Chain closes forty shops
The group threatened to sue the paper over the story.
+ Group threatens to sue paper
- Group sues paper
The carmaker is considering selling its truck unit.
+ Carmaker considering selling truck unit
+ Carmaker may sell truck unit
- Carmaker sells truck unit
The pilots want to strike in July.
+ Pilots want to strike
- Pilots strike in July
The court will decide whether the mayor broke the law.
+ Court to decide whether mayor broke law
- Mayor broke law
Police suspected of beating a student are on trial.
+ Police suspected of beating student on trial
- Police beat student
"""
QUESTION = """
Should the government ban petrol cars by 2030?
+ Should government ban petrol cars?
+ Should the government ban petrol cars
+ Debate on whether government should ban cars
- Government ban petrol cars by 2030
- Government bans petrol cars
Is the star leaving the show?
+ Is star leaving show?
- Star leaving show
Will Anna Lind resign after the vote?
+ Will Lind resign?
- Lind will resign after vote
Did the firm hide the risk from investors?
+ Did firm hide risk?
- Firm hid risk
Why did the coach quit?
+ Coach quit
"""
ROLES = """
Ortiz was beaten 6-3 6-2 by Novotna in the second round.
+ Novotna beats Ortiz 6-3 6-2
+ Ortiz beaten by Novotna
+ Ortiz beaten in second round
- Ortiz beats Novotna
- Ortiz beat Novotna 6-3 6-2
- Ortiz beats
A farmer was killed by a bear in the woods on Monday.
+ Bear kills farmer
+ Farmer killed by bear
+ Farmer killed in woods
- Farmer kills bear
- Farmer killed bear
The mayor was sued by a former aide.
+ Former aide sues mayor
+ Mayor sued by aide
- Mayor sues former aide
Novotna beat Ortiz in the final.
+ Novotna beats Ortiz
- Ortiz beats Novotna
a bank was robbed by two clowns , police said .
+ two clowns rob bank
- bank robs two clowns
Man bites dog
+ Man bites dog
- Dog bites man
"""
NUMBERS = """
The EU will spend 150 billion euros on roads.
+ EU to spend 150 billion euros
+ EU to spend 150 bln euros on roads
+ EU to spend billions
- EU to spend 150 euros
- EU to spend 150 billion roads
European revenue rose 14.2 percent to $2.3 billion.
+ Revenue rose 14.2 pct
+ European revenue rose to $2.3 billion
+ Revenue up 14.2 percent to $2.3 bln
- Revenue rose 14.2 billion
- Revenue rose to $2.3
- Revenue 14.2
It was minus 5 degrees in Oslo on Sunday.
+ Minus 5 degrees in Oslo
- 5 degrees in Oslo
- Minus 5 in Oslo
Ortiz won 6-4 7-6 on Friday.
+ Ortiz won 6-4 7-6
+ Ortiz wins
- Ortiz won 6-4
- Ortiz won 7-6
The match starts at 7 p.m. in Leeds.
+ Match starts at 7 p.m.
- Match starts at 7 in Leeds
sales rose ## percent to ##.# million dollars .
+ sales rise ## percent
- sales rise to ##.# dollars
Rates rose 25 basis points to 4.5 percent.
+ Rates rise 25 basis points
- Rates rise 25 percent
Taxes rose 4.5 per cent.
+ Taxes rose 4.5 per cent
+ Taxes rose 4.5 pct
- Taxes rose 4.5
"""
NAMES = """
Voters in New York and Hong Kong backed Anna Lind.
+ Voters in New York back Lind
+ Hong Kong voters back Anna Lind
- Voters in York back Lind
- Voters in Hong back Lind
- New voters back Lind
North Korea fired a missile towards Los Angeles.
+ North Korea fires missile
+ N. Korea fires missile
- Korea fires missile
- Missile towards Los
the united states and south korea met .
+ united states , south korea meet
+ us , south korea meet
- states , south korea meet
President Ann Roe of the San Marino Bank spoke.
+ Roe spoke
+ San Marino Bank president spoke
- San Bank president spoke
"""
REPEATS = """
Two men were arrested in Leeds after a fight.
+ Two men arrested after fight
- Arrest two men arrested
- Two men arrested after after fight
- Men men arrested
Neither party won.
+ Neither party won
- Neither neither party won
The film won at the film festival.
- Film wins at film festival
+ Film wins at festival
The bank bought a bigger bank.
- Bank buys bank
"""


def cases():
    blocks = (
        NEGATION, DENIAL, CONDITION, HEDGE, QUESTION, ROLES, NUMBERS, NAMES, REPEATS,
    )  # fmt: skip
    source = ""
    for line in "\n".join(blocks).splitlines():
        if line[:2] in ("+ ", "- "):
            yield pytest.param(source, line[2:], line[0] == "+", id=line)
        elif line:
            source = line


CASES = list(cases())


def test_there_are_enough_cases():
    assert len(CASES) >= 150


@pytest.mark.parametrize(("source", "answer", "true"), CASES)
def test_what_is_true_to_its_source(source, answer, true):
    sentence = split(source)
    found = violates(sentence, split(answer, sentence.style).words)
    assert (found is None) is true, found


def test_the_reason_names_what_is_missing():
    assert violates(split("He did not resign."), ["He", "resigned"]) == (
        "'resigned' without 'not' (negated)"
    )
    assert violates(split("It cost 150 billion euros."), ["150", "euros"]) == (
        "half of '150 billion euros'"
    )


def test_governed_words_know_their_governor():
    sentence = split("She refused to resign.")
    ((place, governor, mood),) = governed(sentence)
    assert (sentence.words[place], sentence.words[governor], mood.value) == (
        "resign", "refused", "negated",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The EU spent 150 billion euros.", ["150 billion euros"]),
        ("It was minus 5 degrees", ["minus 5 degrees"]),
        ("He won 6-4 7-6 today", ["6-4 7-6"]),
        ("At 7 p.m. Anna Lind left", ["7 p.m.", "Anna Lind"]),
        ("President Anna Lind of Acme Corp", ["Anna Lind"]),
        ("a two million dollar deal", ["two million dollar"]),
        ("up 4.5 per cent", ["4.5 per cent"]),
        ("hong kong rose ## percent", ["## percent", "hong kong"]),
        ("nothing here", []),
    ],
)
def test_spans(text, expected):
    sentence = split(text, "tokenized" if text.islower() and "#" in text else "written")
    found = [" ".join(sentence.words[start:end]) for start, end in spans(sentence)]
    assert found == expected


@pytest.mark.parametrize(
    "text", ["", "?", "not", "if", "by", "no", "5", "was by", "to", "denied of"]
)
def test_odd_texts_do_no_harm(text):
    assert violates(split(text), []) is None
    assert violates(split(text), ["word"]) is None


def test_it_is_quick():
    source = " ".join(line for line in NEGATION.splitlines() if line[:1] not in "+-")[:700]
    sentence = split(source)
    violates(sentence, ["one"])
    start = time.process_time()
    for i in range(50):
        violates(sentence, [f"word{i}", "resigns", "threat", "mayor", "not", "accepted"])
    assert (time.process_time() - start) / 50 < 0.002
