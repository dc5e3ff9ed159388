"""Which words a source licenses: names, numbers and words that weigh."""

from __future__ import annotations

import time

import pytest

from nacc.text.licence import unlicensed
from nacc.text.words import split

BRITAIN = "Britain said on Friday it would leave the European Union."
WHO = "The World Health Organization met officials of the Food and Drug Administration in Geneva."
RATES = (
    "The Federal Reserve raised interest rates by 0.25 percent to 4.50 percent, said Lael Brainard."
)
FATAL = "Three people died and 12 were injured when a bus overturned near Porto."
TENNIS = "Ortiz was beaten 6-3 6-2 by Novotna in the second round."
WIRE = "the united states and russian officials met for # days , three of them in new york ."
PM = "Prime Minister Anna Lind said she would resign, the chief executive of Volvo told a court."
MONEY = "Vermilion paid C$1.40 billion, or $1.11bn, for 2,000 wells."


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (BRITAIN, "UK U.K. British Britain Britons EU leaves leaving left plan deal new says"),
        (WHO, "WHO FDA meets Geneva"),
        ("The mill rejects reports that it dumps waste.", "denies denied"),
        ("The minister insisted that the ruling was right.", "defends defended"),
        ("Its shares fell for the third day in a row.", "again"),
        ("The carrier announced the suspension of all flights.", "suspends suspended"),
        ("The judge ordered his release on bail.", "frees freed free"),
        (RATES, "Fed fed raises hikes pct % Brainard rate"),
        (FATAL, "dead deaths killed kills fatal three 3"),
        (FATAL, "dies die crash hurt Porto twelve 12"),
        (TENNIS, "beats wins loses defeats defeat victory"),
        (TENNIS, "Ortiz Novotna 6-3 6-2 two second 2nd"),
        (WIRE, "US U.S. America American Russia Russians talks NY NYC York New # three days"),
        (PM, "PM Lind CEO quits resigns resigned resignation Volvo"),
        (MONEY, "C$1.4 bln bn billion $1.11 2000 wells buys Vermilion"),
        ("A court jailed him for nine years.", "jailed prison 9 nine sentenced"),
        ("Police detained two men.", "arrest arrests arrested held custody"),
        ("Chinese and South Korean firms", "China S.Korea Korea"),
        ("The Iran-backed group fired at U.S.-led troops.", "Iran Iranian US US-led Iran-backed"),
        ("Johnson & Johnson and Procter & Gamble rose.", "J&J P&G Johnson"),
        ("An initial public offering is planned.", "IPO"),
        ("Electric vehicles and artificial intelligence", "EV EVs AI"),
        ("The court found him guilty of manslaughter.", "guilty convicted kill killing"),
        ("Citigroup and ExxonMobil fell.", "Citi Exxon"),
        ("First-quarter profit rose 12%.", "pct percent Q1 1st"),
        ("It was sold for $5.5m.", "mln million"),
        ("More than 1,200 homes burned.", "hundreds thousands"),
        ("I left.", "I I'm"),
        ("Republicans and Democrats voted in January.", "GOP Dems Jan Republican"),
        ("A bomb went off in Kabul.", "blast explosion explodes"),
        ("He was sacked by the board.", "fired ousted sacks"),
        ("Anna won the title.", "wins win winner beats victory"),
        ("A man was shot.", "one"),
        ("Both were hurt.", "two"),
        ("Twenty were hurt.", "20"),
        ("The WHO said so.", "WHO"),
        ("GlaxoSmithKline told the Department of Justice.", "GSK DOJ"),
        ("Amazon.com and Warner Bros. met.", "Amazon Bros"),
        ("Standard & Poor’s cut Petroleo Brasileiro.", "S&P Petrobras ’s 's"),
        ("Will Smith sang in May.", "Will May Smith may will"),
        ("Officials of the UAE met.", "UAE Emirates"),
    ],
)  # fmt: skip
def test_what_is_licensed(source, words):
    said = words.split()
    assert [said[i] for i in sorted(unlicensed(said, split(source)))] == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (BRITAIN, "France Trump London Brussels Scotland Monday 27 NATO WHO US"),
        (WHO, "UN FBI Paris Covid Tedros EU"),
        (RATES, "ECB Powell 5 0.5 China Yellen"),
        (FATAL, "four 4 13 Spain Lisbon arrested guilty murder wins resigns"),
        (TENNIS, "Williams 6-4 Wimbledon US dies arrested"),
        (WIRE, "UK China Trump 5 four EU ##"),
        (PM, "UK PMQs Ford CFO fired dies arrested guilty jailed"),
        (MONEY, "$1.2 mln million 3,000 Spartan Canada"),
        ("He told us that it rained.", "US UK"),
        ("The mill concedes that it dumps waste.", "denies denied"),
        ("The minister spoke out against the ruling.", "defends defended"),
        ("Its shares fell 35 percent on Friday.", "again ease sells approves"),
        ("The minister said Pakistan was not involved in any arms race.", "denies denied"),
        ("The budgeting app is for couples who keep accounts.", "free"),
        ("The carrier cut its forecast.", "suspends suspended"),
        ("Who did it?", "WHO US"),
        ("Prices rose slightly.", "pct % percent mln billion Fed fed thousands millions dozens"),
        ("The team played well.", "wins beats loses defeat victory"),
        ("A man was seen near the bank.", "arrested killed dead charged jailed guilty sues two"),
        ("She left the house.", "White Senate"),
        ("Nigerian troops", "Niger Mali"),
        ("Indiana wins", "India Indian"),
        ("An attack on Iran", "AI AIDS IOI"),
        ("a man in iowa", "AI"),
        ("The company is doing well.", "bankrupt bankruptcy fraud fired sued"),
        ("Romania voted.", "Roman Rome"),
        ("He resigned.", "dies wins guilty fired"),
        ("I saw 5 dogs.", "6 55 15 MI5 G5 fifty"),
    ],
)
def test_what_is_not(source, words):
    said = words.split()
    assert [said[i] for i in sorted(unlicensed(said, split(source)))] == said


def test_nothing_is_licensed_by_nothing_but_common_words_are_free():
    assert unlicensed(["UK", "says", "of", "3", "dies"], split("")) == {0, 3, 4}


def test_it_is_quick():
    words = ["Trump", "says", "UK", "3", "dies", "new", "deal", "S.Korea", "ex-NFL", "plan"] * 40
    sentence = split(" ".join([BRITAIN, WHO, FATAL]))
    unlicensed(words, sentence)
    start = time.process_time()
    for _ in range(20):
        unlicensed(words, sentence)
    assert (time.process_time() - start) / 20 < 0.005
