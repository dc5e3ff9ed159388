"""Splitting text into words and finding the first sentence."""

from __future__ import annotations

import time

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.errors import InvalidInput
from nacc.text.words import Sentence, is_tokenized, key, split

UNSEEN = {*map(chr, range(32)), "\x7f", *"\u200b\u200e\u200f\u202a\u202e\u2060\u2066\ufeff"}
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
WRITTEN = st.lists(
    st.sampled_from(
        """The the “we” 'not' don't O'Neill's workers' James’ (AP) -- — … ... . , ; : ! ? " U.S.
        Mr. Mrs Dr. Inc. Oct. 5 No. 10 J. R. C$1.40 $2.3bn €5 12% -3 +7 9:30 2018-19 9-year-old
        https://a.example/b?c=1, www.b.example. j.d@c.example @d #e 👨‍👩‍👧 🎉 東京 é e\u0301 ﬁ İ ß
        state-of-the-art AT&T and/or 's ’s '' `` ‘ ’ « » \u200b \x00 \x1b[1m \u200d \u2060
        unk UNK # ## ##.#""".split()
    ),
    max_size=25,
).flatmap(
    lambda words: st.lists(
        st.sampled_from([" ", "", "  ", "\n", "\t", "\u00a0", "\u3000"]),
        min_size=len(words) + 1,
        max_size=len(words) + 1,
    ).map(lambda gaps: "".join(g + w for g, w in zip(gaps, [*words, ""], strict=True)))
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(ANY_TEXT, WRITTEN), st.sampled_from([None, "written", "tokenized"]))
def test_joining_the_words_gives_the_text_back(text, style):
    sentence = split(text, style)
    assert str(sentence) == text
    assert len(sentence.before) == len(sentence.words) + 1
    assert all(word and not any(c.isspace() for c in word) for word in sentence.words)
    assert not any(UNSEEN & set(word) for word in sentence.words)
    assert not any(regex.fullmatch(r"[\p{Cc}\p{Cf}]+", word) for word in sentence.words)


@settings(max_examples=200, deadline=None)
@given(st.one_of(ANY_TEXT, WRITTEN))
def test_the_first_sentence_is_how_the_text_begins(text):
    first = split(text).first_sentence()
    assert text.startswith(str(first))
    assert first.first_sentence().words == first.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('He said, "We won\'t go."', 'He|said|,|"|We|won\'t|go|.|"'),
        ("“Stay,” she said.", "“|Stay|,|”|she|said|."),
        ("a state-of-the-art well‑known plan", "a|state-of-the-art|well‑known|plan"),
        ("$2.3bn, C$1.40 or €5 billion.", "$2.3bn|,|C$1.40|or|€5|billion|."),
        ("Up 12% (or 4.5%) to -3", "Up|12%|(|or|4.5%|)|to|-3"),
        ("9-year-old at 9:30 in 2018-19, 3-2", "9-year-old|at|9:30|in|2018-19|,|3-2"),
        ("See https://a.example/b?c=1, or www.b.example.", "See|https://a.example/b?c=1|,|or|"
         "www.b.example|."),
        ("Write to jane.doe+news@mail.example.", "Write|to|jane.doe+news@mail.example|."),
        ("@user likes #tags", "@user|likes|#tags"),
        ("Don't, won’t, O'Neill's", "Don't|,|won’t|,|O'Neill|'s"),
        ("The workers' union and James’ house", "The|workers'|union|and|James’|house"),
        ("the 'workers' union'", "the|'|workers|'|union|'"),
        ("Mr. Smith of the U.S. met Dr. Jones", "Mr.|Smith|of|the|U.S.|met|Dr.|Jones"),
        ("Acme Inc. on Oct. 5 was No. 10.", "Acme|Inc.|on|Oct.|5|was|No.|10|."),
        ("J. R. R. Tolkien", "J.|R.|R.|Tolkien"),
        ("AT&T and/or TCP/IP", "AT&T|and/or|TCP/IP"),
        ("Great 👨‍👩‍👧‍👦 news 🎉🎉", "Great|👨‍👩‍👧‍👦|news|🎉|🎉"),
        ("東京で大きな地震がありました。", "東京で大きな地震がありました|。"),
        ("cafe\u0301 über", "cafe\u0301|über"),
    ],
)  # fmt: skip
def test_written_words(text, words):
    assert "|".join(split(text, "written").words) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\x00 \x00 b", "a|b"),
        ("\x1b[31mred\x1b[0m alert \x1b", "red|alert"),
        ("zero\u200bwidth \u200b \ufeffspaces\u200e", "zero|width|spaces"),
        ("می\u200cخواهم soft\u00adly", "می\u200cخواهم|soft\u00adly"),
        ("\u200d \u00ad x", "x"),
        ("👨\u200d👩\u200d👧 👍\ufe0f \ufe0f", "👨\u200d👩\u200d👧|👍\ufe0f"),
        ("\x00\u200b", ""),
    ],
)
@pytest.mark.parametrize("style", ["written", "tokenized"])
def test_what_cannot_be_seen_is_no_word(text, words, style):
    assert "|".join(split(text, style).words) == words


def test_tokenized_words_are_what_the_spaces_separate():
    text = "the u.s. 's ##.# percent -lrb- `` UNK '' -rrb- ."
    assert split(text).words == tuple(text.split())


def test_a_long_run_of_marks_is_split_in_linear_time():
    """An e-mail's first half may hold + and -: looking for its @ anew at each would be slow."""
    for run in ("+", "a+", ".-", "'", "1,", '"a." ', "“a. ", "(a.) A. ", "\u200b"):
        start = time.process_time()
        split(run * 50_000, "written").sentences()
        assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Mr. Smith left. He was late.", "Mr. Smith left."),
        ("The U.S. Army moved. It won.", "The U.S. Army moved."),
        ("Acme Inc. Chairman Bo Li quit. He is 61.", "Acme Inc. Chairman Bo Li quit."),
        ("On Oct. 5 it rained. Then it stopped.", "On Oct. 5 it rained."),
        ("J. Smith came. He saw.", "J. Smith came."),
        ("He paid $2.50. Then he left.", "He paid $2.50."),
        ("It rose 3.5 percent to 2.1. The rest fell.", "It rose 3.5 percent to 2.1."),
        ("“We won.” They cheered.", "“We won.”"),
        ('"Is it?" he asked. Nobody knew.', '"Is it?" he asked.'),
        ("It rose… The rest fell.", "It rose…"),
        ("It rose... The rest fell.", "It rose..."),
        ("Who? Me! Yes.", "Who?"),
        ("It ended (at last.) Then rain came.", "It ended (at last.)"),
        ("One.Two", "One.Two"),
        ("no end at all", "no end at all"),
        ("he left . she stayed .", "he left ."),
        ("", ""),
    ],
)
def test_first_sentence(text, first):
    assert str(split(text).first_sentence()) == first


@pytest.mark.parametrize(
    ("text", "tokenized"),
    [
        ("the cat sat .", True),
        ("japan 's economy grew #.# percent", True),
        ("UNK , the man said", True),
        ("he did n't", True),
        ("-lrb- reuters -rrb-", True),
        ("prices rose # percent", True),
        ("The cat sat .", False),
        ("no punctuation at all", False),
        ("it stopped, then started.", False),
        ("japan's economy", False),
        ("#hashtag here", False),
        ("", False),
    ],
)
def test_is_tokenized(text, tokenized):
    assert is_tokenized(text) is tokenized


def test_words_differing_in_case_or_apostrophe_are_the_same():
    assert key("Don’t") == key("don't") == "don't"
    assert split("The the THE").keys == ("the", "the", "the")


def test_head_keeps_the_first_words_and_their_spacing():
    sentence = split("One,  two three.")
    assert str(sentence.head(3)) == "One,  two"
    assert sentence.head(99) is sentence
    assert str(sentence.head(0)) == ""


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["list"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInput, match=type(text).__name__):
        split(text)


def test_lone_surrogates_are_refused():
    with pytest.raises(InvalidInput, match="surrogate"):
        split("half \ud83d")


def test_a_sentence_is_its_words_and_gaps():
    assert str(Sentence(("a", "b"), (" ", "\n", "."))) == " a\nb."
