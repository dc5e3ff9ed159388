"""Conditions: a network is given whose headline each pair has, a trained one whose to write."""

import dataclasses
import shutil

import numpy as np
import pytest
import torch

from nacc.apps.cli import main
from nacc.errors import BadModel, InvalidInput
from nacc.learning import loop, minilm, smoke
from nacc.learning.batches import Batches, Batching
from nacc.learning.checkpoint import load_model
from nacc.learning.conditioning import (
    UNCONDITIONED,
    condition,
    table,
    unconditioned,
    voices_of,
)
from nacc.learning.corpus import Corpus
from nacc.learning.prepare import prepare
from nacc.learning.recipe import Recipe
from nacc.runtime.conditions import Conditions
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    """One layer of MiniLM, which has pieces to spare."""
    base = smoke.recipe(2)
    data = dataclasses.replace(base.data, voices=2)
    training = dataclasses.replace(base.training, batch_words=300)
    validation = dataclasses.replace(base.validation, sentences=4)
    return dataclasses.replace(
        base, start="minilm", model={"layers": 1}, data=data, training=training,
        validation=validation,
    )  # fmt: skip


@pytest.fixture(scope="module")
def data(recipe, tmp_path_factory):
    """The made-up news, by three papers: one of them seldom, and some pairs by nobody."""
    news, folder = tmp_path_factory.mktemp("news"), tmp_path_factory.mktemp("prepared")
    smoke.write_data(news)
    papers = ["\tEcho", "\tEcho", "\tEcho", "\tGlobe", "\tGlobe", "\tStar", ""]
    lines = (news / "train.tsv").read_text().splitlines()[:700]
    voiced = [line + papers[i % 7] for i, line in enumerate(lines)]
    (news / "train.tsv").write_text("\n".join(voiced) + "\n")
    prepare(recipe, news, folder)
    return folder


@pytest.fixture(scope="module")
def trained(recipe, data, tmp_path_factory):
    return loop.train(recipe, data, tmp_path_factory.mktemp("run"))


def test_the_voices_heard_most_are_told_apart(data):
    corpus = Corpus.load(data / "corpus.npz")
    assert set(corpus.names) == {"train", "train/Echo", "train/Globe", "train/Star"}
    assert set(corpus.files) == {"train"}
    assert voices_of(corpus, 2) == ("Echo", "Globe")
    assert len(voices_of(corpus, 9)) == 4  # those of nobody are the file's


def test_each_pair_is_conditioned_on_its_voice_and_length(data):
    corpus = Corpus.load(data / "corpus.npz")
    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    conditions = Conditions(voices_of(corpus, 2))
    found = table(conditions, pieces, corpus)
    for i in range(0, len(corpus), 50):
        voice = corpus.voices[corpus.group[i]]
        length = len(" ".join(corpus.lexicon[word] for word in corpus.target.row(i)))
        given = conditions.pieces(voice if voice in ("Echo", "Globe") else None, length)
        assert found[i].tolist() == [pieces.id(piece) for piece in given]
    assert len({tuple(row) for row in found.tolist()}) >= 5


def test_batches_carry_conditions_and_sometimes_none(data):
    corpus = Corpus.load(data / "corpus.npz")
    conditions = Conditions(voices_of(corpus, 2))
    pieces = conditions.before(Pieces.load(minilm.folder() / "tokenizer.json"))
    words = ["<blank>", "to"]
    batches = Batches(
        corpus, pieces, words, Batching(10**6, seed=1), positions=64, device=CPU,
        conditions=conditions,
    )  # fmt: skip
    rows = np.arange(len(corpus))
    torch.manual_seed(0)
    got = batches.build(rows).pieces
    given = torch.from_numpy(table(conditions, pieces, corpus))
    assert (got[:, 0] == pieces.id("[CLS]")).all()
    same = got[:, 1:3] == given
    none = torch.tensor(unconditioned(conditions, pieces))
    assert (same | (got[:, 1:3] == none)).all()
    seldom = given[:, 0] == none[0]  # a voice not told apart is any voice
    assert 0.5 * UNCONDITIONED < 1 - same[~seldom].float().mean() < 2 * UNCONDITIONED
    keys = [[corpus.lexicon[w] for w in corpus.source.row(i)] for i in (0, 1)]
    plain = InputEncoder(pieces, words, 64, 80).batch(keys)
    slots = batches.build(np.array([0, 1])).slots.numpy()
    assert (slots[:, : plain.slots.shape[1]] == plain.slots).all()


def test_a_trained_model_is_conditioned_for_good(trained, tmp_path):
    free = load_model(trained).pieces
    conditions = Conditions.load(trained)
    assert free.prefix == (free.id("[CLS]"), *unconditioned(conditions, free))
    condition(trained, tmp_path / "echo", "Echo", 50)
    given = load_model(tmp_path / "echo").pieces
    assert given.prefix == (given.id("[CLS]"), *map(given.id, conditions.pieces("Echo", 50)))
    assert given.suffix == free.suffix == (given.id("[SEP]"),)
    assert given.prefix[1:] != free.prefix[1:]
    assert given.of(["ferry", "12"]) == free.of(["ferry", "12"])


def test_the_command_conditions_a_model(trained, tmp_path, capsys):
    out = tmp_path / "echo"
    with pytest.raises(SystemExit) as ended:
        main(["condition", str(trained), "--voice", "Echo", "--length", "50", "--out", str(out)])
    assert not ended.value.code
    assert capsys.readouterr().out == f"{out}: {trained} as Echo, 50 characters\n"
    given = load_model(out).pieces
    names = Conditions.load(trained).pieces("Echo", 50)
    assert given.prefix == (given.id("[CLS]"), *map(given.id, names))


def test_the_command_names_voices_to_choose_by(trained, tmp_path, capsys):
    out = tmp_path / "named"
    with pytest.raises(SystemExit) as ended:
        main([
            "condition", str(trained), "--style", "wire=Echo", "--style", "web=", "--out", str(out)
        ])  # fmt: skip
    assert not ended.value.code
    assert Conditions.load(out).styles == {"wire": "Echo", "web": None}
    assert load_model(out).pieces.prefix == load_model(trained).pieces.prefix
    for wrong in ("wire=Star", "wire", "=Echo"):
        with pytest.raises(SystemExit) as ended:
            main(["condition", str(trained), "--style", wrong, "--out", str(out)])
        assert ended.value.code == 2
        assert wrong.strip("=").split("=")[-1] in capsys.readouterr().err


def test_a_style_may_lie_between_voices(trained, tmp_path):
    condition(trained, tmp_path, None, None, {"wire": "Echo", "clear": "Echo+Globe"})
    known = Conditions.load(tmp_path)
    assert known.styles == {"wire": "Echo", "clear": "Echo+Globe"}
    assert known.voices == (*Conditions.load(trained).voices, "Echo+Globe")
    made = load_model(tmp_path)
    ids = [made.pieces.id(known.pieces(voice)[0]) for voice in ("Echo", "Globe", "Echo+Globe")]
    echo, globe, between = made.network.piece_embedding.weight[ids]
    torch.testing.assert_close(between, (echo + globe) / 2)
    former = load_model(trained).network.piece_embedding.weight
    torch.testing.assert_close(former[ids[:2]], torch.stack([echo, globe]))
    with pytest.raises(InvalidInput, match=r"no voice 'Nobody'.*known: Echo, Globe"):
        condition(trained, tmp_path, None, None, {"clear": "Echo+Nobody"})


def test_a_model_trained_before_the_file_had_its_name_can_be_conditioned(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "old")
    (tmp_path / "old" / "conditions.json").rename(tmp_path / "old" / "cues.json")
    assert Conditions.load(tmp_path / "old") == Conditions.load(trained)
    condition(tmp_path / "old", tmp_path / "echo", "Echo", None)
    assert load_model(tmp_path / "echo").pieces.prefix != load_model(trained).pieces.prefix


def test_what_it_cannot_be_conditioned_on_is_said_so(trained, tmp_path):
    with pytest.raises(InvalidInput, match=r"no voice 'Star'.*known: Echo, Globe"):
        condition(trained, tmp_path / "out", "Star", None)
    with pytest.raises(InvalidInput, match="length = 0"):
        condition(trained, tmp_path / "out", None, 0)
    with pytest.raises(BadModel, match="not trained with voices"):
        condition(tmp_path, tmp_path / "out", None, None)


def test_a_checkpoint_of_other_voices_is_refused(recipe, data, trained):
    other = dataclasses.replace(recipe, data=dataclasses.replace(recipe.data, voices=1))
    with pytest.raises(BadModel, match="another run: voices was 2, now 1"):
        loop.train(other, data, trained.parent)


def test_a_run_that_goes_on_keeps_the_voices(recipe, trained, data, tmp_path):
    other = dataclasses.replace(recipe.data, voices=1)
    later = dataclasses.replace(recipe, start=str(trained), model={}, data=other)
    best = loop.train(later, data, tmp_path)
    assert Conditions.load(best) == Conditions.load(trained)
    free = dataclasses.replace(later, data=dataclasses.replace(other, voices=0))
    condition(trained, tmp_path / "globe", "Globe", None)
    free = dataclasses.replace(free, start=str(tmp_path / "globe"))
    best = loop.train(free, data, tmp_path / "on")
    assert load_model(best).pieces.prefix == load_model(tmp_path / "globe").pieces.prefix
