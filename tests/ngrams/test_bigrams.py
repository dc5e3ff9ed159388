"""The bigram model: its numbers, its file, and what it does with files that are not its own."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from nacc.decoding import Bigrams
from nacc.errors import BadModel, InvalidInput

HEADLINES = [
    line.split()
    for line in [
        "prime minister visits flooded town",
        "prime minister to visit north",
        "minister visits north",
        "flooded town waits for minister",
        "north waits for prime time",
        "town council to visit minister",
        "",
        "rain",
    ]
]


@pytest.fixture
def bigrams() -> Bigrams:
    return Bigrams.train(HEADLINES, min_count=1)


def reference(previous: str, word: str) -> float:
    """log p(word | previous) − log p(word), counted by hand."""
    chains = [["<>", *headline, "<>"] for headline in HEADLINES if headline]
    pairs = Counter(pair for chain in chains for pair in pairwise(chain))
    once, twice = (sum(c == n for c in pairs.values()) for n in (1, 2))
    discount = once / (once + 2 * twice)
    row = {pair: c for pair, c in pairs.items() if pair[0] == previous}
    total = sum(row.values())
    unigram = sum(c for pair, c in pairs.items() if pair[1] == word) / sum(pairs.values())
    conditional = max(row.get((previous, word), 0) - discount, 0) / total
    conditional += discount * len(row) / total * unigram
    return math.log(conditional / unigram)


def test_values_are_those_of_absolute_discounting(bigrams):
    words = ["<>", *bigrams.words]
    for previous, name in enumerate(words):
        for word, other in enumerate(words):
            if previous or word:
                expected = reference(name, other)
                assert bigrams.value(previous, word) == pytest.approx(expected, abs=bigrams.step)


def test_a_row_is_a_probability_distribution(bigrams):
    counts = Counter(word for headline in HEADLINES for word in [*headline, "<>"] if headline)
    total = sum(counts.values())
    for previous in range(1, len(bigrams.words) + 1):
        mass = sum(
            counts[name] / total * math.exp(bigrams.value(previous, word))
            for word, name in enumerate(["<>", *bigrams.words])
        )
        assert mass == pytest.approx(1.0, abs=2 * bigrams.step)


def test_unknown_words_and_the_empty_headline_are_neutral(bigrams):
    assert bigrams.ids(["minister", "zebra"])[1] == -1
    assert bigrams.value(-1, 1) == bigrams.value(1, -1) == bigrams.value(0, 0) == 0.0


def test_rare_pairs_and_words_are_left_to_the_back_off():
    small = Bigrams.train(HEADLINES, vocabulary_size=3, min_count=2)
    assert len(small.words) == 3 and "minister" in small.words
    stored = {(p, w) for p in range(4) for w in small.nexts[small.rows[p] : small.rows[p + 1]]}
    assert len(stored) == len(small.nexts) < 9
    assert all(small.value(p, w) >= small.backoff[p] for p in range(4) for w in range(4) if p or w)
    assert all(small.value(0, w) <= small.row_best[0] <= small.best for w in range(1, 4))


def test_what_was_saved_is_loaded(bigrams, tmp_path):
    bigrams.save(tmp_path / "model.npz")
    loaded = Bigrams.load(tmp_path / "model.npz")
    assert loaded.words == bigrams.words and loaded.step == bigrams.step
    for name in ("rows", "nexts", "steps", "backoff"):
        assert np.array_equal(getattr(loaded, name), getattr(bigrams, name))


def test_long_rows_unpacked_say_the_same(bigrams, monkeypatch):
    monkeypatch.setattr("nacc.ngrams.bigrams._LONG", 1)
    which, steps = bigrams.long_rows
    assert (which >= 0).any()
    for previous in np.flatnonzero(which >= 0):
        for word in range(1, len(bigrams.words) + 1):
            value = bigrams.backoff[previous] + steps[which[previous], word] * bigrams.step
            assert value == pytest.approx(bigrams.value(previous, word))


def test_other_files_are_refused(bigrams, tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(BadModel, match="no bigram model at"):
        Bigrams.load(path)
    path.write_text("not a model")
    with pytest.raises(BadModel, match="is not a bigram model"):
        Bigrams.load(path)
    path.write_bytes(b"")
    with pytest.raises(BadModel, match="is not a bigram model"):
        Bigrams.load(path)
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(BadModel, match="is not a bigram model"):
        Bigrams.load(path)
    bigrams.save(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadModel, match="is not a bigram model"):
        Bigrams.load(path)


def test_a_file_damaged_anywhere_is_refused_by_name_or_read(bigrams, tmp_path):
    path = tmp_path / "model.npz"
    bigrams.save(path)
    whole = path.read_bytes()
    for at in range(len(whole) - 900, len(whole)):  # the archive's index
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        try:
            Bigrams.load(path)
        except BadModel as error:
            assert str(path) in str(error)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("format", np.array("another 1"), "holds another 1"),
        ("rows", np.zeros(3, np.uint32), "do not fit a vocabulary"),
        ("steps", np.zeros(2, np.uint8), "values"),
        ("nexts", np.zeros(3, np.int64), "stored as"),
        ("backoff", np.ones(5, np.float32), "do not fit|out of range"),
        ("step", np.array(np.nan), "out of range"),
        ("nexts", "reversed", "out of order"),
        ("nexts", "too high", "out of order"),
        ("rows", "reversed", "do not cover"),
        ("words", np.array([255, 254], np.uint8), "is not a bigram model"),
    ],
)
def test_damaged_models_are_refused(bigrams, tmp_path, part, value, message):
    path = tmp_path / "model.npz"
    bigrams.save(path)
    with np.load(path) as file:
        parts = dict(file)
    if isinstance(value, str):
        value = parts[part][::-1] if value == "reversed" else np.full_like(parts[part], 60_000)
    parts[part] = value
    np.savez(path, **parts)
    with pytest.raises(BadModel, match=message):
        Bigrams.load(path)


def test_training_refuses_impossible_sizes():
    with pytest.raises(InvalidInput, match="vocabulary_size = 70000"):
        Bigrams.train(HEADLINES, vocabulary_size=70_000)
    with pytest.raises(InvalidInput, match="min_count = 0"):
        Bigrams.train(HEADLINES, min_count=0)
    with pytest.raises(InvalidInput, match="line break"):
        Bigrams.train([["a\nb"]])


def test_no_headlines_make_a_model_that_knows_nothing(tmp_path):
    empty = Bigrams.train([])
    empty.save(tmp_path / "empty.npz")
    assert Bigrams.load(tmp_path / "empty.npz").ids(["a"]).tolist() == [-1]
