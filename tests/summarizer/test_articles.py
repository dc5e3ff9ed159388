"""Of several sentences, the one that the text is about is told."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from nacc import Options, Summarizer
from nacc.fitting.article import MOST_READ, Links, Window, expected_words, together, told, windows
from nacc.text.words import split

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "articles.tsv"
with FILE.open(encoding="utf-8") as _stream:
    ARTICLES = list(csv.DictReader(_stream, delimiter="\t", quoting=csv.QUOTE_NONE))
ALWAYS = Options(rewrite="always")


def sentence_told(model: Summarizer, text: str, **options) -> int:
    """The number (from 0) of the sentence that most words of the summary come from."""
    sentences = split(text).sentences()
    ends = np.cumsum([len(each) for each in sentences])
    said = model.summarize(text, 50, rewrite="always", **options)
    places = [word.source for word in said.words if word.source is not None]
    return Counter(int(np.searchsorted(ends, at, "right")) for at in places).most_common(1)[0][0]


def test_the_articles_are_sound():
    assert len(ARTICLES) >= 30
    for each in ARTICLES:
        sentences = split(each["text"]).sentences()
        assert 3 <= len(sentences) <= 6
        assert 1 <= int(each["right"]) <= len(sentences)


@pytest.mark.parametrize("first", [True, False])
def test_the_packaged_model_tells_what_a_text_is_about(model, first):
    chosen = [each for each in ARTICLES if (each["right"] == "1") == first]
    found = [sentence_told(model, each["text"]) == int(each["right"]) - 1 for each in chosen]
    assert np.mean(found) >= (0.9 if first else 0.4)


def test_one_sentence_is_read_as_it_always_was(linked):
    text = "The mayor of the town opened a new bridge over the river on Monday."
    best, first = (
        linked.read([text], 40, Options(sentences=each))[0] for each in ("best", "first")
    )
    assert best.prompt == first.prompt


def test_words_know_their_places_in_the_whole_text(linked):
    text = "Hello. " * 3 + "The mayor of the town opened a new bridge over the river on Monday."
    said = linked.summarize(text, 40, options=ALWAYS)
    words = split(text).words
    placed = [word for word in said.words if word.source is not None]
    assert placed and all(words[each.source].lower() == each.text.lower() for each in placed)


def test_sentences_are_read_beside_the_first_and_no_more_than_so_many():
    text = " ".join(f"This is sentence number {i} of them." for i in range(60))
    sentences = split(text).sentences()

    def fitting(keys):
        return min(len(keys), 40)

    found = windows(sentences, fitting)
    assert len(found) == MOST_READ
    numbers = [number for each in found for number in each.numbers[1:]]
    assert numbers == list(range(1, len(numbers) + 1))
    for each in found:
        assert each.numbers[0] == 0 and len(each.keys) <= 40
        parts = [each.keys[a:b] for a, b in zip(each.bounds, each.bounds[1:], strict=False)]
        assert parts == [sentences[number].keys for number in each.numbers]
    assert windows(sentences, lambda keys: 0) == []  # nothing fits beside the first


def links(*passing: float) -> Links:
    """A slot a word, each passed with that probability, by paths of one word."""
    n = len(passing)
    found = np.full((n + 1, n + 1), -np.inf)
    found[0, :n] = np.log(np.maximum(passing, 1e-12))
    found[1:, n] = 0.0
    return found


def test_expected_words_are_counted_by_sentence():
    found = expected_words(links(0.1, 0.2, 0.3, 0.4), (0, 1, 3, 4))
    assert found == pytest.approx([0.1, 0.5, 0.4])


LONG, MIDDLE, SHORT = "word " * 24 + ".", "word " * 12 + ".", "So it is ."
NAMED = "word " * 6 + "Acme and Ibex or Nori ."
DATED, TOLD = "word " * 10 + "on Friday .", "word " * 8 + "according to state radio ."


@pytest.mark.parametrize(
    ("texts", "shares", "expected"),
    [
        ((LONG, LONG, LONG), (0.5, 0.3, 0.2), (0, 1)),  # the first is what it is about
        ((LONG, LONG, LONG), (0.2, 0.1, 0.7), (0, 1)),  # a close call
        ((MIDDLE, LONG, LONG), (0.05, 0.1, 0.85), (2, 3)),
        ((LONG, LONG, LONG), (0.05, 0.1, 0.85), (0, 1)),  # it is long enough to be the news
        ((LONG, LONG, LONG), (0.005, 0.1, 0.895), (2, 3)),  # but hardly said at all
        ((DATED, LONG, LONG), (0.05, 0.1, 0.85), (0, 1)),  # it says when
        ((NAMED, LONG, LONG), (0.05, 0.1, 0.85), (0, 1)),  # it names what it is about
        ((TOLD, LONG, LONG), (0.05, 0.1, 0.85), (0, 1)),  # and whose word it is
        ((SHORT, LONG, LONG), (0.3, 0.4, 0.3), (1, 2)),  # a short one is seldom the news
        ((LONG, LONG, SHORT), (0.2, 0.1, 0.7), (0, 1)),
        ((SHORT, "Then this too .", LONG), (0.4, 0.6, 0.0), (0, 2)),  # the first two as one
    ],
)
def test_another_than_the_first_is_told_where_much_is_for_it(texts, shares, expected):
    sentences = [split(text, "tokenized") for text in texts]
    ends = [0, *np.cumsum([len(each) for each in sentences]).tolist()]
    keys = tuple(key for each in sentences for key in each.keys)
    spread = [s / len(each) for s, each in zip(shares, sentences, strict=True) for _ in each.keys]
    window = Window((0, 1, 2), keys, tuple(ends))
    assert told(sentences, [(window, links(*spread))]) == expected


def test_sentences_put_together_are_the_text_they_come_from():
    whole = split("One is here.  Two is there. Three\tis gone. ")
    sentences = whole.sentences()
    assert together(sentences) == whole
    assert str(together(sentences[1:])) == "  Two is there. Three\tis gone. "


def test_a_model_without_links_tells_the_first(ctc):
    text = "Hello. " + "The mayor of the town opened a new bridge over the river on Monday."
    best, first = (ctc.read([text], 40, Options(sentences=each))[0] for each in ("best", "first"))
    assert best.prompt == first.prompt


def test_what_a_text_is_about_is_found_once(linked, monkeypatch):
    text = "Good day to you. The mayor opened a new bridge over the river on Monday, at last."
    passes = []
    lattices = linked.engine.lattices
    monkeypatch.setattr(
        linked.engine, "lattices", lambda keys, told: passes.extend(keys) or lattices(keys, told)
    )
    said = [linked.summarize(text, budget, options=ALWAYS) for budget in (40, 41, 40)]
    assert said[0] == said[2]
    assert len(passes) == 4 and max(map(len, passes)) == len(split(text))  # one is of the whole
