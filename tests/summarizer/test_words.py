"""Which words the packaged model says of real texts, and which it never does."""

from __future__ import annotations

import pytest

from nacc import InvalidOption
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.numbers import is_number
from nacc.text.words import key, split

from .texts import METHODS, NEWS, TIDY, TOKENIZED


def test_required_words_appear(model):
    for words in (["Lucia"], ["nightfall"], ["guard", "212"], ["coast", "rescuers", "Sardinia"]):
        for method in TIDY:
            said = model.summarize(NEWS[0], 50, required=words, method=method).text.lower()
            assert all(word.lower() in split(said).words for word in words)


def test_forbidden_words_do_not(model):
    plain = model.summarize(NEWS[0]).text.lower()
    for method in METHODS:
        assert "ferry" in plain
        said = model.summarize(NEWS[0], forbidden="Ferry", method=method).text.lower()
        assert "ferry" not in split(said).words


def test_a_word_that_has_a_stop_in_the_text_is_that_word(model):
    text = "Dr. Vane said on Friday that she would leave as head of the institute next spring."
    assert "Dr. Vane" in model.summarize(text, 40, required="Dr").text
    for found in ("Dr. Dr. Vane left.", text):
        assert "Dr" not in model.summarize(found, 50, forbidden="Dr").text


def test_faithful_keeps_to_the_words_of_the_source(model):
    plain = faithful = 0
    for text in NEWS:
        known = set(split(text).keys) | FUNCTION_WORDS
        new = [w for w in model.summarize(text, 60).words if key(w.text) not in known]
        plain += len(new)
        said = model.summarize(text, 60, faithful=True)
        faithful += sum(key(word.text) not in known for word in said.words)
    assert plain > 0
    assert faithful == 0


def test_every_number_said_is_in_the_source(model):
    said = 0
    for text in NEWS + TOKENIZED:
        known = split(text).keys
        for summary in model.summarize(text, [30, 50, 75]):
            numbers = [key(word.text) for word in summary.words if is_number(word.text)]
            said += len(numbers)
            assert all(number in known for number in numbers)
    assert said > 0


def test_a_number_keeps_its_scale(model):
    for text, number, scales in ((NEWS[1], "$2.3", "billion bln bn"), (NEWS[4], "850", "mln m mn")):
        for budget in range(20, 60, 3):
            words = model.summarize(text, budget).text.split()
            if number in words:
                follows = words[words.index(number) + 1]
                assert follows in (*scales.split(), "million", "billion")


def test_unknown_words_and_brackets_are_never_said(model):
    for text in TOKENIZED:
        for method in METHODS:
            words = model.summarize(text, 75, method=method).text.lower().split()
            assert not {"unk", "<unk>", ".", "``", "-lrb-"} & set(words)


def test_no_summary_ends_on_a_function_word(model):
    for text in NEWS + TOKENIZED:
        for summary in model.summarize(text, [15, 25, 35, 50, 75, 100]):
            assert key(summary.text.split()[-1]) not in FUNCTION_WORDS


def test_no_content_word_comes_twice(model):
    for text in NEWS + TOKENIZED:
        for summary in model.summarize(text, [25, 50, 100]):
            words = [key(word.text) for word in summary.words]
            content = [word for word in words if word not in FUNCTION_WORDS and word.isalnum()]
            assert len(set(content)) == len(content)


def test_source_positions_point_at_the_same_word(model):
    copied = 0
    for text in NEWS + TOKENIZED:
        source = split(text)
        for summary in model.summarize(text, [30, 60]):
            for word in summary.words:
                if word.source is None:
                    assert key(word.text) not in source.keys
                else:
                    copied += 1
                    assert key(word.text) == source.keys[word.source]
    assert copied > 20


def test_the_text_is_made_of_the_words(model):
    for text in NEWS:
        summary = model.summarize(text, 60, case="source")
        letters = "".join(word.text for word in summary.words)
        assert "".join(c for c in summary.text if c not in " “”\"'‘’") == "".join(
            c for c in letters if c not in " “”\"'‘’"
        )


@pytest.mark.parametrize("method", TIDY)
def test_phrases_are_required_and_forbidden_as_a_whole(model, method):
    said = model.summarize(NEWS[0], 60, required=["Santa Lucia", "coast gu*"], method=method)
    assert "santa lucia" in said.text.lower() and "coast guard" in said.text.lower()
    plain = model.summarize(NEWS[1], 50, method=method).text
    assert "Van Houten" in plain
    said = model.summarize(NEWS[1], 50, forbidden="van houten", method=method).text
    assert "Van Houten" not in said
    said = model.summarize(NEWS[1], 50, forbidden="brew*", method=method).text
    assert "brew" not in said.lower()


def test_phrases_of_linked_slots_too(linked):
    for required in (["Santa Lucia"], ["coast guard", "ferry"], ["Sard*"]):
        said = linked.summarize(NEWS[0], 60, required=required, tidy=False).text.lower()
        assert all(each.lower().rstrip("*") in said for each in required)
    whole = linked.summarize(NEWS[0], 60, tidy=False).text.split()
    phrase = " ".join(whole[1:3])
    assert phrase not in linked.summarize(NEWS[0], 60, forbidden=phrase, tidy=False).text


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"forbidden": [""]}, "forbidden = .* holds an empty word"),
        ({"required": "*"}, "required = .* holds an empty word"),
        ({"required": ["Santa Claus"]}, "required word 'Santa Claus' is neither"),
        ({"required": "zz*"}, "required word 'zz[*]' is neither"),
        ({"required": "Santa Lucia", "forbidden": "Lucia"}, "'Santa Lucia' is also forbidden"),
    ],
)
def test_what_cannot_be_asked_for_is_an_error_that_names_it(model, asked, named):
    with pytest.raises(InvalidOption, match=named):
        model.summarize(NEWS[0], 60, **asked)
