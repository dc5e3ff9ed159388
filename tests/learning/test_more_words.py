"""Preparing for a model that is gone on from: part of a file, whose pairs they are, more words."""

import dataclasses

import numpy as np
import pytest

from nacc.learning import smoke
from nacc.learning.blend import blend
from nacc.learning.checkpoint import read_vocabulary
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.prepare import prepare
from nacc.learning.vocabulary import added
from nacc.runtime.conditions import Conditions


def test_the_words_that_headlines_add_most_join_a_vocabulary():
    lexicon = ["boat", "sinks", "ferry", "capsizes", "12", "founders"]
    source = Ragged.of([[0, 1], [0, 1], [0, 1]])
    target = Ragged.of([[2, 1, 4], [2, 3], [5, 0]])
    corpus = Corpus(lexicon, source, target, np.zeros(3, np.uint16), ["web"])
    assert added(corpus, ["<blank>", "capsizes"], 9, 1) == ["ferry", "founders"]
    assert added(corpus, ["<blank>", "capsizes"], 9, 2) == ["ferry"]
    assert added(corpus, ["<blank>"], 1, 1) == ["ferry"]
    assert added(corpus, ["<blank>"], 0, 1) == []


@pytest.fixture
def pages(tmp_path):
    smoke.write_data(tmp_path / "news")
    return tmp_path / "news"


def made(folder, out, **data):
    recipe = smoke.recipe()
    recipe = dataclasses.replace(recipe, data=dataclasses.replace(recipe.data, **data))
    prepare(recipe, folder, out)
    return Corpus.load(out / "corpus.npz")


def test_of_a_file_every_third_row_is_taken(pages, tmp_path):
    corpus = made(pages, tmp_path / "out", take={"train": 3})
    lines = (pages / "train.tsv").read_text().splitlines()
    assert len(corpus) <= len(lines) // 3
    third = [corpus.lexicon[word] for word in corpus.target.row(1)]
    assert "".join(third) == lines[3].split("\t")[1].lower().replace(" ", "")


def test_rows_that_do_not_say_are_in_the_voice_of_their_file(pages, tmp_path):
    lines = (pages / "train.tsv").read_text().splitlines()
    (pages / "train.tsv").write_text("\n".join([lines[0] + "\tStar", *lines[1:]]) + "\n")
    voice = {"train": "Echo", "dev": "Globe"}
    corpus = made(pages, tmp_path / "out", voices=5, voice=voice)
    assert corpus.names == ["train/Star", "train/Echo"]
    held_out = Corpus.load(tmp_path / "out" / "validation.npz")
    assert held_out.names == ["dev/Globe"] and len(held_out) > 50
    assert made(pages, tmp_path / "plain", voice=voice).names == ["train"]


def test_validation_pairs_that_cannot_be_learnt_from_are_not_packed(pages, tmp_path):
    (pages / "dev.tsv").write_text("Too short.\tToo short\n")
    made(pages, tmp_path / "out")
    assert not (tmp_path / "out" / "validation.npz").exists()
    assert (tmp_path / "out" / "validation.tsv").read_text().count("\n") == 1


def test_added_words_come_after_those_of_the_model(trained, pages, tmp_path):
    recipe = smoke.recipe()
    data = dataclasses.replace(recipe.data, added_words=2, min_count=1)
    recipe = dataclasses.replace(recipe, start=str(trained / "best"), model={}, data=data)
    text = "The {} group said that it was the one which Daemon and others of it had to {} on."
    rows = [f"{text.format(w, w)}\tParser and daemon {w} for all\n" for w in ("ab", "cd", "ef")]
    (pages / "train.tsv").write_text("".join(rows))
    prepare(recipe, pages, tmp_path / "out")
    known = read_vocabulary(trained / "best" / "words.txt")
    found = read_vocabulary(tmp_path / "out" / "words.txt")
    assert found[: len(known)] == known
    assert set(found[len(known) :]) <= {"parser", "all"} and len(found) > len(known)


def test_a_blend_keeps_the_conditions(trained, tmp_path):
    Conditions(("Echo",)).save(trained / "best")
    try:
        blend(trained / "best", trained / "best", tmp_path, 0.5)
    finally:
        (trained / "best" / "conditions.json").unlink()
    assert Conditions.load(tmp_path).voices == ("Echo",)
