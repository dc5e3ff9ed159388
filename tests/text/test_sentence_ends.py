"""Where sentences end. In each text, | stands where a sentence ends and another begins."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.text.words import split

ABBREVIATIONS = """
Mr. Smith left.|He was late.
Mrs. Hill and Ms. Lake met Dr. Brook.|They talked.
Prof. Ito spoke.|Nobody listened.
Lt. Gen. Paul Drew retired.|He is 61.
Gov. Ann Roe vetoed it.|Sen. Lee objected.
The U.S. Army moved.|It won.
He moved to the U.S.|The army followed.
They live in the U.S. and Canada.|He does not.
The meeting ended at 7 p.m.|He left.
The meeting ended at 7 p.m. Monday.|Nobody stayed.
Doors open at 9 a.m. and close at noon.|Come early.
Acme Inc. Chairman Bo Li quit.|He is 61.
She works for Acme Corp.|The firm makes anvils.
Acme Co. and Bolt Ltd. merged.|Shares rose.
On Oct. 5 it rained.|Then it stopped.
It is No. 10 on the list.|Others follow.
He beat her in Ford vs. Miller.|It was close.
The case of Roe v. Wade is old.|It was overturned.
See e.g. The Times for more.|It has a page.
Use tools, i.e. The hammer.|Then rest.
He came from Tampa, Fla., on Friday.|She stayed.
She has a Ph.D. from Yale.|He has none.
St. Louis won.|The crowd roared.
He lives on Main St.|The house is old.
See Fig. 3 and Eq. 4.|They agree.
Nails, screws etc. are cheap.|Glue is not.
Jack Jones Jr. won.|His father cheered.
It weighs approx. 5 kg.|That is a lot.
Yahoo! Inc. fell.|Others rose.
The E.U. Commission met.|Nothing came of it.
"""
INITIALS = """
J. Smith came.|He saw.
J. R. R. Tolkien wrote it.|It sold.
George W. Bush spoke.|They clapped.
Plan B failed.|Plan C did not.
They tried plan B.|It failed too.
Vitamin C. helps nobody.|Sleep does.
Samuel L. Jackson stars.|He is good.
"""
NUMBERS = """
He paid $2.50.|Then he left.
It rose 3.5 percent to 2.1.|The rest fell.
He is 61.|She is 58.
Version 3.11.7 is out.|Get it.
In 2019.|In 2020.
They won 3-2.|Fans cheered.
It cost 1,000.50 euros.|Nobody paid.
The score was 10.|Nobody knew why.
"""
LISTS = """
1. Preheat the oven.|2. Mix the flour.
1. Preheat the oven to 180 C.|2. Mix the flour.
To bake it: 1. Preheat the oven.|2. Mix the flour.
10. Rest.|11. Wake up.
- 1. Preheat the oven now.|Then rest.
Bis zum 1. Januar gilt das.|Dann nicht mehr.
Am 3. Mai war Schluss.|Alle gingen.
Der 2. Weltkrieg endete 1945.|Danach war Frieden.
Im 19. Jahrhundert war das so.|Heute nicht.
Die Wahl am 24. September war knapp.|Er verlor.
Den 1. januar er alle fri.|Det er godt.
A. Introduction to the book.|It is short.
"""
QUOTATIONS = """
“We won.”|They cheered.
“We won. They lost,” he said.|Nobody knew.
"We won. They lost," he said.|Nobody knew.
"We won. They lost."|They went home.
“We won. They lost.”|They went home.
„Wir haben gewonnen. Sie nicht“, sagte er.|Alle gingen.
« On a gagné. Eux non », dit-il.|Tous partirent.
He said “Go. Now.” and left.|She stayed.
"Is it?" he asked.|Nobody knew.
“Stop!” Smith said.|He left.
“Why?” Ann Smith asked.|He left.
'Stop. Now,' he said.|She did.
(It was late. It was dark.)|He went home.
It ended (at last.)|Then rain came.
He said “stop.|Then he left.
The 12" single sold.|It was a hit.
"""
OTHERS = """
It rose…|The rest fell.
It rose...|The rest fell.
He said ... nothing.|She left.
Well… maybe not.|She left.
Who?|Me!|Yes.
What?!|No.
One.Two
See https://a.example/b.html?c=1.|It is good.
See www.b.example.|It is good.
Write to j.doe@mail.example.|She answers.
Use .NET and Node.js.|They work.
no end at all
he left .|she stayed .
the u.s. army moved .|it won .
今日は晴れです。|明日は雨です。
Go!|Go!|Go!
"""
CASES = [
    line
    for block in (ABBREVIATIONS, INITIALS, NUMBERS, LISTS, QUOTATIONS, OTHERS)
    for line in block.strip().splitlines()
]


def test_there_are_enough_cases():
    assert len(CASES) >= 80


@pytest.mark.parametrize("case", CASES)
def test_sentences_end_where_they_should(case):
    between = "" if "。" in case else " "
    found = split(case.replace("|", between)).sentences()
    assert "|".join(str(sentence).strip() for sentence in found) == case


@pytest.mark.parametrize("case", CASES)
def test_the_first_sentence_is_the_first_of_all(case):
    sentence = split(case.replace("|", " "))
    assert sentence.first_sentence().words == sentence.sentences()[0].words


def test_items_on_lines_of_their_own():
    found = split("Steps\n1. Preheat the oven.\n2. Mix.").sentences()
    assert [str(sentence).strip() for sentence in found] == [
        "Steps\n1. Preheat the oven.",
        "2. Mix.",
    ]


def test_a_quotation_that_closes_far_away_holds_nothing_together():
    text = "“We won. " + "They lost again today. " * 60 + "So it was.”"
    assert str(split(text).first_sentence()) == "“We won."


PARTS = "One two. \" “ ” ( ) ‘ ’ U.S. The 1 . 2. Mr. ? ! … \n « » 'it' said\u200b Januar am".split(
    " "
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=20).map(" ".join))
def test_sentences_put_together_are_the_text(text):
    found = split(text).sentences()
    assert "".join(map(str, found)) == text
    assert found[0].first_sentence().words == found[0].words
