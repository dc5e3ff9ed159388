"""How words are written in a finished summary: case, spacing, quotes."""

from __future__ import annotations

import pytest

from nacc.text.questions import wonders
from nacc.text.surface import finish, piece, requoted, written
from nacc.text.words import key, split

USUAL = {
    "march": "March",
    "reuters": "Reuters",
    "says": "says",
    "new": "new",
    "u.s.": "U.S.",
    "sales": "sales",
}


def said(text: str, source: str, case: str = "sentence") -> str:
    """The words of `text`, as a summary of `source` would write them."""
    sentence = split(source)
    keys = [key(word) for word in text.split()]
    return finish(written(keys, sentence, USUAL, case), sentence, case)[0]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("sentence", "Banks say Anna McKay of the BBC quits"),
        ("title", "Banks Say Anna McKay of the BBC Quits"),
        ("lower", "banks say anna mckay of the bbc quits"),
        ("source", "banks say Anna McKay of the BBC quits"),
    ],
)
def test_case(case, expected):
    source = "On Friday banks said that Anna McKay, of the BBC, would quit."
    assert said("banks say anna mckay of the bbc quits", source, case) == expected


def test_a_word_that_opens_the_source_is_written_the_usual_way():
    assert said("war in the new region", "New war breaks out in the region.") == (
        "War in the new region"
    )


def test_a_name_that_opens_the_source_keeps_its_capital():
    assert said("plans of volvo grow", "Volvo plans to grow.") == "Plans of Volvo grow"


def test_case_source_keeps_the_opening_capital():
    assert said("plans for new roads", "New roads: plans", "source") == "plans for New roads"


def test_new_words_are_written_the_usual_way():
    assert said("banks fail reuters says", "A bank fell.") == "Banks fail Reuters says"


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        ("The u.s. pays for what it used.", "america says us pays", "America says US pays"),
        ("Its plans grow, the firm says.", "firm buys it", "Firm buys IT"),
    ],
)
def test_letters_that_stand_for_a_name_are_not_the_beginning_of_another_word(
    source, words, expected
):
    sentence, keys = split(source), words.split()
    usual = {"us": "US", "it": "IT", "america": "America"}
    assert finish(written(keys, sentence, usual, "sentence"), sentence, "sentence")[0] == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Pivotal Software Inc said it would grow.", "plans of Pivotal grow"),
        ("Pivotal Volvo said it would grow.", "plans of pivotal grow"),
        ("Pivotal President Lind said it would grow.", "plans of pivotal grow"),
        ("Pivotal Software Was Good For All Men.", "plans of pivotal grow"),
        ("Pivotal software is what they need.", "plans of pivotal grow"),
    ],
)
def test_a_word_that_opens_a_name_of_common_words_keeps_its_capital(source, expected):
    usual = {"pivotal": "pivotal", "software": "software", "president": "president"}
    words = ["plans", "of", "pivotal", "grow"]
    assert " ".join(written(words, split(source), usual, "sentence")) == expected


def test_a_form_of_a_word_of_the_source_has_no_capital_of_its_own():
    assert said("teachers march in lima", "Teachers marched in Lima.") == "Teachers march in Lima"
    assert said("teachers march in lima", "Teachers met in Lima.") == "Teachers March in Lima"


def test_a_short_form_has_the_capital_of_the_name_it_stands_for():
    bank = "Gold rose ahead of the U.S. Federal Reserve's decision."
    assert said("gold rises before fed decision", bank) == "Gold rises before Fed decision"
    cattle = "The farmer gave federal reserve grain to cattle."
    assert said("cattle fed grain", cattle) == "Cattle fed grain"


def test_a_name_of_first_letters_is_in_capitals():
    source = "The Bureau of Inland Taxes said on Friday that it would close."
    assert said("bit to close", source) == "BIT to close"
    assert said("bit to close", source, "title") == "BIT to Close"
    assert said("bit to close", source, "lower") == "bit to close"
    assert said("clerks bit dog", "The bureau of inland taxes has a dog.") == "Clerks bit dog"
    assert said("aid grows", "Anna Inez Doyle, who bit a dog, gives more aid.") == "Aid grows"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("SALES is a school in Lima, and the new one closes.", "SALES closes"),
        ("SALES of cars fell in LIMA.", "SALES closes"),
        ("SALES: shop in Lima closes.", "Sales closes"),
        ("MARCH (Reuters) - A shop closes in Lima.", "Sales closes"),
        ("SALES FALL as a shop closes in Lima.", "Sales closes"),
    ],
)
def test_a_word_in_capitals_keeps_them_where_it_opens_the_source(source, expected):
    assert said("sales closes", source) == expected


def test_what_is_said_of_a_text_in_capitals_is_in_capitals():
    source = "THE BOARD VOTED ON 5 MARCH TO CLOSE THE PORT’S MILL, DON’T ASK"
    keys = "board votes to close port 's mill , don't ask"
    assert said(keys, source) == "BOARD VOTES TO CLOSE PORT’S MILL, DON’T ASK"
    assert said(keys, source, "title") == "BOARD VOTES TO CLOSE PORT’S MILL, DON’T ASK"
    assert said("nato says", "NATO 5") == "NATO says"
    assert said("sales rise", "A MILL sells BREAD") == "Sales rise"


def test_of_a_ligature_only_the_first_letter_has_a_capital():
    source = "ﬁre destroys the ﬂour mill"
    assert said("ﬁre destroys ﬂour mill", source) == "Fire destroys ﬂour mill"
    assert said("ﬁre destroys ﬂour mill", source, "title") == "Fire Destroys Flour Mill"


def test_a_word_with_a_capital_inside_is_left_alone():
    assert said("iPhone sales fall", "Sales of the iPhone fell.") == "iPhone sales fall"
    assert said("iPhone sales fall", "Sales of the iPhone fell.", "title") == "iPhone Sales Fall"


@pytest.mark.parametrize("address", ["https://news.example/a", "www.news.example", "@desk"])
def test_an_address_is_left_alone(address):
    source = f"The site {address} closes."
    assert said(f"{address} closes", source) == f"{address} closes"
    assert said(f"{address} closes", source, "title") == f"{address} Closes"


def test_tokenized_text_stays_as_it_is():
    assert said("japan 's economy grows", "the economy of japan 's north grew .") == (
        "japan 's economy grows"
    )


def test_closing_marks_take_no_space_before_them():
    assert said("japan 's banks , ministers agree", "Japan's banks, and ministers, agreed.") == (
        "Japan's banks, ministers agree"
    )


def test_marks_at_the_head_are_dropped_and_accounted_for():
    sentence = split("Yes, he's here.")
    text, kept = finish([",", "'s", "here", "now"], sentence, "sentence")
    assert (text, list(kept)) == ("Here now", [2, 3])
    assert finish([",", "—"], sentence, "sentence")[0] == ""


def test_pieces_carry_their_leading_space():
    source = split("It's here.")
    assert [piece(w, source) for w in ("It", "'s", "here", ".")] == [" It", "'s", " here", "."]
    tokenized = split("it 's here .")
    assert piece("'s", tokenized) == " 's"


@pytest.mark.parametrize(
    ("source", "text", "places", "expected"),
    [
        ("He “almost won” it.", "He almost won", [0, 2, 3], ["He “almost won”"]),
        ('A "safe" plan', "Plan safe", [4, 2], ['Plan "safe"']),
        ("He “almost won” it.", "He won", [0, 3], []),  # half a quotation
        ("He “almost won” it.", "Won almost", [3, 2], []),  # another order
        ("He “almost won” it.", "Almost surely won", [2, None, 3], []),  # not in one stretch
        ("He said “stop and left.", "Stop and left", [3, 4, 5], []),  # never closed
        ('The "art" party', "Art party", [2, 4], []),  # not inside another word
        ("No quotes at all", "No quotes", [0, 1], []),
    ],
)
def test_a_quotation_gets_its_marks_back_only_whole(source, text, places, expected):
    assert requoted(text, places, split(source)) == expected


@pytest.mark.parametrize(
    ("source", "words", "expected"),
    [
        (
            "Should shops sell fruit unwrapped?",
            "should shops sell fruit",
            "Should shops sell fruit?",
        ),
        ("Can the goats help? We asked.", "can goats help", "Can goats help?"),
        ("Can the goats help? We asked.", "goats can help", "Goats can help"),
        ("The shops can sell fruit.", "can shops sell", "Can shops sell"),
        ("Can the goats help?", "can goats help ?", "Can goats help?"),
        ("Will it rain?", "will", "Will"),
        ("Can the goats help? We asked.", "can goats help ? asked", "Can goats help? asked"),
    ],
)
def test_a_question_keeps_its_mark(source, words, expected):
    assert finish(words.split(), split(source), "sentence")[0] == expected


@pytest.mark.parametrize(
    ("source", "said", "whether"),
    [
        ("As racing turns 100, what does the future hold?", "What does future hold", True),
        ("As racing turns 100, what does the future hold?", "What does future hold ?", False),
        ("What does it hold, she asked. Nobody knew?", "What does it hold", False),
        ("What holds it together? Glue.", "What holds it together", False),
        ("How could it fall? Nobody knows.", "How could it fall today", True),
        ("How could it fall? Nobody knows.", "How could", False),
    ],
)
def test_a_question_is_seen_in_an_answer(source, said, whether):
    assert wonders(split(source), said.split()) is whether
