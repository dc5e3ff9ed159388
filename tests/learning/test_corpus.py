"""Packing pairs, choosing the vocabulary, preparing a folder."""

import dataclasses
import json
from collections import Counter

import numpy as np
import pytest

from nacc.errors import BadModel, InvalidInput
from nacc.learning import smoke
from nacc.learning.checkpoint import read_vocabulary
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.packing import pack
from nacc.learning.prepare import is_prepared, prepare
from nacc.learning.recipe import SMALLEST_VOCABULARY
from nacc.learning.truecase import forms_in, usual_forms
from nacc.learning.vocabulary import sayable, vocabulary
from nacc.text.words import split


def in_words(corpus: Corpus) -> list[tuple[list[str], list[str]]]:
    return [
        ([corpus.lexicon[w] for w in corpus.source.row(i)],
         [corpus.lexicon[w] for w in corpus.target.row(i)])
        for i in range(len(corpus))
    ]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(news) -> Corpus:
    return pack([news / "train.tsv", news / "dev.tsv"]).corpus


def test_packing_keeps_every_word_and_its_file(news):
    packed = pack([news / "dev.tsv", news / "train.tsv"])
    corpus, reasons = packed.corpus, packed.reasons
    assert reasons["kept"] == len(corpus) == (corpus.group == 0).sum() + (corpus.group == 1).sum()
    assert corpus.names == ["dev", "train"]
    source, headline = smoke.pairs(1, seed=2)[0]
    words, said = in_words(corpus)[0]
    assert " ".join(said) == headline.lower()
    assert "".join(words) == source.lower().replace(" ", "")


def test_a_saved_corpus_comes_back_as_it_was(corpus, tmp_path):
    corpus.save(tmp_path / "corpus.npz")
    again = Corpus.load(tmp_path / "corpus.npz")
    assert in_words(again) == in_words(corpus)
    assert (again.group == corpus.group).all() and again.names == corpus.names
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.npz"]


def test_cleaning_in_two_processes_gives_the_same(news):
    files = [news / "train.tsv", news / "dev.tsv"]
    one, two = pack(files), pack(files, processes=2)
    assert in_words(two.corpus) == in_words(one.corpus)
    assert two.reasons == one.reasons
    assert list(two.forms.items()) == list(one.forms.items())


def test_a_source_is_taken_once(news):
    once, twice = pack([news / "dev.tsv"]), pack([news / "dev.tsv", news / "dev.tsv"])
    assert len(once.corpus) == len(twice.corpus)
    assert twice.reasons["source seen before"] >= len(once.corpus)


def test_a_source_with_several_headlines_comes_once_with_each(tmp_path):
    path = tmp_path / "edited.tsv"
    source = "The old bridge over the river will be closed for repairs next month"
    said = [
        "Old bridge to be closed",
        "Old bridge to be closed for repairs",
        "Old bridge to be closed",
    ]
    path.write_text("".join(f"{source}\t{headline}\n" for headline in said))
    assert len(pack([path]).corpus) == 1
    assert len(pack([path], several=["edited"]).corpus) == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut short", b"not a zip file at all"])
def test_a_damaged_corpus_is_refused(tmp_path, content):
    (tmp_path / "corpus.npz").write_bytes(content)
    with pytest.raises(BadModel, match="not a packed corpus"):
        Corpus.load(tmp_path / "corpus.npz")


def test_a_corpus_that_contradicts_itself_is_refused(corpus, tmp_path):
    bad = dataclasses.replace(corpus, lexicon=corpus.lexicon[:3])
    bad.save(tmp_path / "corpus.npz")
    with pytest.raises(BadModel, match="not in the lexicon"):
        Corpus.load(tmp_path / "corpus.npz")


def test_a_copying_model_needs_only_words_its_sources_lack(corpus):
    added = vocabulary(corpus, 1000, 1, copying=True)
    assert added[:3] in (["<blank>", "to", "for"], ["<blank>", "for", "to"])
    assert len(added) == SMALLEST_VOCABULARY  # filled up: a lattice offers 20 words a slot
    said = vocabulary(corpus, 1000, 1, copying=False)
    assert {"million", "old", "to", "arden"} <= set(said)
    assert not any(any(c.isdigit() for c in word) for word in said)
    assert len(set(said)) == len(said)


def test_the_vocabulary_keeps_to_its_size_and_least_count(corpus):
    assert len(vocabulary(corpus, 33, 1, copying=False)) == 33
    in_every_headline = vocabulary(corpus, 1000, len(corpus), copying=False)
    assert set(in_every_headline[1:5]) == {"to", "old", "for", "million"}
    assert len(in_every_headline) == SMALLEST_VOCABULARY


def test_too_few_different_words_are_said_so():
    ids = np.array([0, 1, 2], dtype=np.int32)
    pair = Ragged(ids, np.array([3], dtype=np.int32))
    tiny = Corpus(["a", "b", "c"], pair, pair, np.zeros(1, dtype=np.uint8), ["tiny"])
    with pytest.raises(InvalidInput, match="only 3 different words"):
        vocabulary(tiny, 1000, 1, copying=False)


def test_pairs_with_words_that_cannot_be_said_are_dropped(corpus):
    words = ["<blank>", "to", "for"]
    copied, lost = sayable(corpus, words, copying=True)
    assert lost == 0 and len(copied) == len(corpus)
    kept, lost = sayable(corpus, [*words, "old", "million", "arden"], copying=False)
    assert lost == len(corpus) and len(kept) == 0


def test_prepare_writes_all_a_training_machine_needs(news, tmp_path):
    recipe = smoke.recipe()
    reasons = prepare(recipe, news, tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "corpus.npz", "words.txt", "validation.tsv", "validation.npz", "prepared.json",
    }  # fmt: skip
    about = json.loads((tmp_path / "out" / "prepared.json").read_text("utf-8"))
    assert about["pairs"]["kept"] == reasons["kept"] > 2500
    assert "Arden" in (tmp_path / "out" / "words.txt").read_text("utf-8").split("\n")
    assert is_prepared(tmp_path / "out", recipe, news)
    other = dataclasses.replace(recipe, data=dataclasses.replace(recipe.data, min_count=9))
    assert not is_prepared(tmp_path / "out", other, news)
    assert not is_prepared(tmp_path)


def test_each_validation_file_gives_an_equal_share(news, tmp_path):
    recipe = smoke.recipe()
    data = dataclasses.replace(recipe.data, validation=("dev.tsv", "train.tsv"))
    count = dataclasses.replace(recipe.validation, sentences=21)
    prepare(dataclasses.replace(recipe, data=data, validation=count), news, tmp_path)
    lines = (tmp_path / "validation.tsv").read_text("utf-8").splitlines()
    dev = (news / "dev.tsv").read_text("utf-8").splitlines()
    train = (news / "train.tsv").read_text("utf-8").splitlines()
    assert lines == dev[:10] + train[:11]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"files": ()}, "names no data"),
        ({"files": ("nowhere.tsv",)}, "no file nowhere.tsv"),
        ({"files": ("twice.tsv",)}, "several files twice.tsv"),
        ({"files": ("empty.tsv",)}, "no usable pair"),
        ({"validation": ("nowhere.tsv",)}, "no file nowhere.tsv"),
    ],
)
def test_data_that_cannot_be_prepared_is_named(news, tmp_path, change, named):
    (tmp_path / "empty.tsv").touch()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twice.tsv").touch()
    for name in ("train.tsv", "dev.tsv"):
        (tmp_path / name).write_bytes((news / name).read_bytes())
    recipe = smoke.recipe()
    bad = dataclasses.replace(recipe, data=dataclasses.replace(recipe.data, **change))
    with pytest.raises(InvalidInput, match=named):
        prepare(bad, tmp_path, tmp_path / "out")
    assert not is_prepared(tmp_path / "out")


def test_a_start_that_is_no_model_folder_is_refused(news, tmp_path):
    recipe = dataclasses.replace(smoke.recipe(), start=str(tmp_path / "none"), model={})
    with pytest.raises(BadModel, match="no model folder at"):
        prepare(recipe, news, tmp_path / "out")


def usual(sources: list[str], keys: set[str]) -> dict[str, str]:
    forms = Counter(form for source in sources for form in forms_in(split(source, "written")))
    return usual_forms(forms, keys)


def test_a_word_often_in_lower_case_is_not_taken_for_a_name() -> None:
    """Railway stands in many names, yet is a common noun; Oslo is never one."""
    sources = [
        "The state Railway opened a line to Oslo.",
        "The old Railway bought a line in Oslo.",
        "The small railway sold a line near Oslo.",
    ]
    assert usual(sources, {"railway", "oslo"}) == {"railway": "railway", "oslo": "Oslo"}


def test_what_stands_after_numbers_does_not_say_how_a_word_is_written() -> None:
    sources = ["They met at 7 pm and left at 9 pm on Friday.", "There the PM spoke."]
    assert usual(sources, {"pm"}) == {"pm": "PM"}


def test_a_model_that_cannot_copy_says_numbers_by_their_shape(news, tmp_path):
    recipe = dataclasses.replace(smoke.recipe(), model={**smoke.recipe().model, "copy": False})
    reasons = prepare(recipe, news, tmp_path)
    words = read_vocabulary(tmp_path / "words.txt")
    assert {"$###", "$##"} <= set(words) and not any(c.isdigit() for c in "".join(words))
    assert reasons["kept"] == len(Corpus.load(tmp_path / "corpus.npz")) > 0.9 * 3000
