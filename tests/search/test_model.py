"""The search model: its vectors, its headlines, its file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nacc.errors import BadModel, InvalidInput
from nacc.search import SearchModel, SearchSettings, search
from nacc.search.vectors import Vectors
from nacc.search.words import candidates, is_telegraphic, model_key, said

SIX_WORDS = SearchSettings(words=6)


def likeness(vectors: Vectors, one: str, other: str) -> float:
    a, b = (vectors.weighted[vectors.index[model_key(word)]] for word in (one, other))
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def test_words_of_the_same_sentences_are_alike():
    sea = "ship harbour sailor wave captain anchor".split()
    farm = "cow barn farmer wheat tractor milk".split()
    rng = np.random.default_rng(0)
    sentences = [list(rng.permutation(words)[:4]) for _ in range(1500) for words in (sea, farm)]
    vectors = Vectors.train(sentences, dimension=8, epochs=3)
    for words, others in ((sea, farm), (farm, sea)):
        within = [likeness(vectors, words[0], word) for word in words[1:]]
        across = [likeness(vectors, words[0], word) for word in others]
        assert min(within) > max(across)


def test_a_vector_is_as_long_as_its_word_is_rare():
    sentences = [["the", "mayor"]] * 30 + [["the", "farmer"]] * 10
    vectors = Vectors.train(sentences, dimension=4, min_count=1)
    lengths = np.linalg.norm(vectors.weighted, axis=1)
    expected = {"the": 0.0, "mayor": np.log(40 / 30), "farmer": np.log(4)}
    for word, length in expected.items():
        assert lengths[vectors.index[word]] == pytest.approx(length, abs=1e-3)
    assert vectors.unknown_length == pytest.approx(np.log(4))


def test_vectors_are_the_same_every_time_and_another_with_another_seed(pairs):
    sentences = [said(source.split()) for source, _ in pairs[:100]]
    first, again, other = (
        Vectors.train(sentences, dimension=6, min_count=1, seed=seed) for seed in (1, 1, 2)
    )
    assert (first.weighted == again.weighted).all()
    assert not np.allclose(first.weighted, other.weighted)


def test_strangers_are_told_apart(model):
    rows = model.vectors.ids(["mayor", "zebra", "yeti", "zebra"])
    assert rows[0] >= 0 > rows[1]
    assert rows[1] == rows[3] != rows[2]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Resigned", "resigns", True),
        ("said", "says", True),
        ("1998", "####", True),
        ("12", "123", False),
        ("mayor", "mayors", True),
        ("York", "Leeds", False),
    ],
)
def test_what_counts_as_the_same_word(one, other, same):
    assert (model_key(one) == model_key(other)) is same


def test_endings_are_candidates_only_after_a_word():
    words = "'s york 's bakers do n't , n't".split()
    assert candidates(words) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("headline", "telegraphic"),
    [
        ("farmers refuse city budget in york", True),
        ("the farmers refuse city budget", False),
        ("mayor to open bridge on Tuesday", False),
        ("farmers refuse", False),
        ("mayor opens bridge, minister says", False),
    ],
)
def test_which_headlines_teach(headline, telegraphic):
    assert is_telegraphic(headline.replace(",", "").split()) is telegraphic


def test_the_file_gives_the_same_model_back(model, sentences, tmp_path):
    path = tmp_path / "model.npz"
    model.save(path)
    loaded = SearchModel.load(path)
    assert loaded.trigrams.words == model.trigrams.words
    for name, part in model.trigrams.arrays._asdict().items():
        assert (getattr(loaded.trigrams.arrays, name) == part).all(), name
    assert list(search(loaded, sentences, SIX_WORDS)) == list(search(model, sentences, SIX_WORDS))
    assert [p.name for p in tmp_path.iterdir()] == ["model.npz"]


def test_weights_are_kept_and_count(model, sentences, tmp_path):
    other = SearchModel(model.trigrams, model.vectors, weight_lm=2.0, weight_sim=0.0, likeness=1.0)
    other.save(tmp_path / "model.npz")
    loaded = SearchModel.load(tmp_path / "model.npz")
    assert (loaded.weight_lm, loaded.weight_sim, loaded.likeness) == (2.0, 0.0, 1.0)
    for extract in search(loaded, sentences[:10], SIX_WORDS):
        assert extract.score == pytest.approx(2 * extract.lm)


@pytest.mark.parametrize("weights", [(0.0, 12.0), (1.0, -1.0), (float("nan"), 1.0)])
def test_impossible_weights_are_refused(model, weights):
    with pytest.raises(InvalidInput, match="weight_lm"):
        SearchModel(model.trigrams, model.vectors, *weights)


def test_the_less_alike_other_words_are_the_less_similar_is_any_extract(model, sentences):
    similar = [
        np.mean([e.sim for e in search(replace(model, likeness=x), sentences[:30], SIX_WORDS)])
        for x in (0.0, 0.5, 1.0)
    ]
    assert similar == sorted(similar) and similar[0] < similar[2] - 0.01
    with pytest.raises(InvalidInput, match="likeness = 2"):
        replace(model, likeness=2.0)


def test_another_file_is_no_search_model(tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(BadModel, match="nacc search-model"):
        SearchModel.load(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(BadModel, match="is not a search model"):
        SearchModel.load(path)
    np.savez(path, format=np.array("something else"))
    with pytest.raises(BadModel, match="something else"):
        SearchModel.load(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("window_next", lambda part: part + 10_000),
        ("pair_rows", lambda part: part[::-1]),
        ("window", lambda part: part[:-1]),
        ("pair", lambda part: part * np.float16("nan")),
        ("pair_next", lambda part: part.astype(np.int64)),
        ("vectors", lambda part: part[1:]),
        ("weights", lambda part: part[:2]),
    ],
)
def test_a_damaged_model_is_refused(model, tmp_path, name, change):
    path = tmp_path / "model.npz"
    model.save(path)
    with np.load(path) as file:
        parts = dict(file)
    np.savez(path, **{**parts, name: change(parts[name])})
    with pytest.raises(BadModel, match="is damaged"):
        SearchModel.load(path)


def test_a_file_made_under_the_former_name_is_read(model, tmp_path):
    path = tmp_path / "model.npz"
    model.save(path)
    with np.load(path) as file:
        parts = dict(file)
    np.savez(path, **{**parts, "format": np.array("nacc teacher 1")})
    assert SearchModel.load(path).trigrams.words == model.trigrams.words


def test_headlines_are_less_surprising_than_their_words_in_disorder(model, pairs):
    headlines = [headline.split() for _, headline in pairs[300:400]]
    forward, backward, unknown = model.trigrams.perplexity(headlines)
    disorder = model.trigrams.perplexity([sorted(headline) for headline in headlines])
    assert forward < disorder[0] / 3 and backward < disorder[1] / 3
    assert 0 <= unknown < 1
