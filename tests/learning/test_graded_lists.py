"""A network learns from graded lists beside its pairs: what to say, and what to put first."""

import shutil
from functools import partial

import pytest
import torch

from nacc.errors import InvalidInput
from nacc.learning.batches import Batches
from nacc.learning.checkpoint import load_model, save_model
from nacc.learning.corpus import Corpus
from nacc.learning.graded_lists import LIST_FILE, GradedLists, pack_lists
from nacc.learning.grading import Graded, order_loss
from nacc.learning.linked import Linked
from nacc.learning.loop import train
from nacc.learning.metrics import read
from nacc.learning.prepare import is_prepared, prepare
from nacc.learning.recipe import Recipe
from nacc.learning.shape import Shape
from nacc.runtime.conditions import Conditions
from nacc.text.pieces import Pieces

WORDS = "<blank> closes opens to bridge port city after storm reopens road tunnel".split()
WORDS += [f"spare{i}" for i in range(32)]
SOURCES = [
    f"The {where} {what} was opened on Monday after a storm hit the {where}"
    for where in ("northern", "southern", "eastern", "western", "old", "new", "royal", "small")
    for what in ("bridge", "port", "road", "tunnel", "station", "harbour", "market", "school")
]


@pytest.fixture(scope="module")
def folder(untaught):
    return untaught(WORDS)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    made = tmp_path_factory.mktemp("data")
    with (made / "pairs.tsv").open("w") as pairs, (made / "graded.tsv").open("w") as graded:
        for source in SOURCES:
            _, where, what, *_ = source.split()
            pairs.write(f"{source}\t{where} {what} opens after storm\tEcho\n")
            for answer, grade in (
                (f"storm closes {what} after", "C"),
                (f"{where} {what} opens after storm", "A"),
                (f"{where} {what} closes after storm", "F"),
            ):
                graded.write(f"{source}\t50\t{answer}\t{grade}\n")
        graded.write(f"{SOURCES[0]} again\t30\tbridge opens\tA\n")  # no order in one grade
    return made


def recipe(folder, **changes):
    values = {
        "name": "graded",
        "start": str(folder),
        "data": {"files": ["pairs.tsv"], "voices": 1},
        "model": {"dropout": 0.0},
        "lists": {"files": ["graded.tsv"], "size": 16},
        "training": {
            "updates": 80, "batch_words": 256, "learning_rate": 3e-3, "warmup": 5, "compile": False,
            "precision": "fp32", "validate_every": 40, "glance": [0.3, 0.1],
        },
    }  # fmt: skip
    return Recipe.from_dict({**values, **changes})


def lists_of(folder, corpus, size=4):
    pieces, conditions = Pieces.load(folder / "tokenizer.json"), Conditions.load(folder)
    cut = partial(
        Batches, pieces=conditions.before(pieces), vocabulary=WORDS, positions=64,
        device=torch.device("cpu"), conditions=conditions,
    )  # fmt: skip
    return GradedLists(corpus, cut, (conditions, pieces, "Echo"), size, seed=1)


def test_lists_without_an_order_are_left_out_and_packed_ones_say_what_was_asked(data):
    corpus = pack_lists([data / "graded.tsv"])
    assert len(corpus) == 3 * len(SOURCES)
    assert {name.split("/")[1] for name in corpus.names} == {"A", "C", "F"}
    (length,) = {int(name.split("/")[0]) for name in corpus.names}
    assert 40 <= length <= 50


def test_a_file_without_an_order_is_refused(tmp_path):
    (tmp_path / "one.tsv").write_text("A source\t30\tan answer\tA\n")
    with pytest.raises(InvalidInput, match="no list to learn from"):
        pack_lists([tmp_path / "one.tsv"])


def test_every_list_comes_once_an_epoch_whole_and_none_that_is_held_out(folder, data):
    lists = lists_of(folder, pack_lists([data / "graded.tsv"]))
    seen, batches = [], 0
    while len(seen) < len(lists._taught):
        batch = lists.build(batches)
        batches += 1
        sizes = torch.bincount(batch.graded.of)
        assert sizes.tolist() == [3] * len(sizes)
        assert batch.graded.worth.view(-1, 3).tolist() == [[0.0, 1.0, -1.0]] * len(sizes)
        seen += [tuple(row.tolist()) for row in batch.source[batch.graded.first]]
    assert len(set(seen)) == len(seen) == len(lists._taught) < len(SOURCES)
    assert torch.equal(lists.build(1).source, lists.build(1).source)


def test_a_source_that_is_read_once_gives_what_its_pairs_give(folder, data):
    network = load_model(folder).network.eval()
    batch = lists_of(folder, pack_lists([data / "graded.tsv"])).build(0)
    pieces, slots, lengths, labels, matches, spoken, _, graded = network.inputs(batch)
    assert len(pieces) < len(labels)
    with torch.no_grad():
        paths, scorer = network.values(pieces, slots, lengths, labels, matches, spoken, graded)
        # The same pieces for each answer: which were told by chance differs from row to row.
        each = (part[graded.of] for part in (pieces, slots, lengths))
        alone = Graded(torch.arange(len(labels)), graded.worth, torch.arange(len(labels)))
        one, other = network.values(*each, labels, matches, spoken, alone)
    torch.testing.assert_close(paths, one)
    torch.testing.assert_close(scorer, other)


def test_the_order_is_learnt_within_lists_alone():
    graded = Graded(
        torch.tensor([0, 0, 1, 1]), torch.tensor([1.0, 0.0, 0.0, -1.0]), torch.tensor([0, 2])
    )
    every = torch.ones(4, dtype=torch.bool)
    right = order_loss(torch.tensor([8.0, 0.0, -90.0, -99.0]), every, graded)
    assert right < order_loss(torch.tensor([0.0, 8.0, -90.0, -99.0]), every, graded)
    assert right == order_loss(torch.tensor([98.0, 90.0, 9.0, 0.0]), every, graded)
    assert graded.best.tolist() == [1.0, 0.0, 0.0, 0.0]
    more = Graded(graded.of, torch.tensor([1.0, 0.8, 0.9, 0.35]), graded.first)
    assert more.best[0] > more.best[1] > 0.0
    assert more.best.tolist()[2:] == [1.0, 0.0]
    assert more.best[:2].sum() == pytest.approx(1.0)


def test_paths_and_scorer_learn_which_to_put_first(folder, data, tmp_path):
    packed = tmp_path / "packed"
    how = recipe(folder)
    prepare(how, data, packed)
    assert is_prepared(packed, how, data)
    assert not is_prepared(packed, recipe(folder, lists=None), data)
    assert len(Corpus.load(packed / LIST_FILE)) == 3 * len(SOURCES)
    best = train(how, packed, tmp_path / "run")
    reports = [r for r in read(tmp_path / "run" / "metrics.jsonl") if r["held_out"]]
    assert reports[-1]["held_out"]["A first by scorer"] == 1.0
    assert reports[-1]["held_out"]["A first by paths"] == 1.0
    assert reports[-1]["held_out"]["F first by both"] == 0.0
    assert {"best", "order by paths", "order by scorer", "paths"} <= reports[-1]["parts"].keys()
    old, new = (load_model(f).network.state_dict() for f in (folder, best))
    assert not torch.equal(old["layers.0.qkv.weight"], new["layers.0.qkv.weight"])


def test_a_run_that_is_gone_on_with_sees_the_same_lists(folder, data, tmp_path):
    packed = tmp_path / "packed"
    prepare(recipe(folder), data, packed)
    training = vars(recipe(folder).training) | {"updates": 12, "checkpoint_every": 4}
    how = recipe(folder, training=training)

    def killed(report):
        if report.update == 8:
            raise KeyboardInterrupt

    whole = train(how, packed, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(how, packed, tmp_path / "halves", show=killed)
    halves = train(how, packed, tmp_path / "halves")
    one, other = (load_model(best).network.state_dict() for best in (whole, halves))
    assert all(torch.equal(value, other[name]) for name, value in one.items())


def test_slots_without_a_scorer_cannot_learn_from_lists(folder, data, tmp_path):
    bare = tmp_path / "bare"
    shutil.copytree(folder, bare)
    shape = {**load_model(folder).network.shape.to_dict(), "decoder_layers": 0}
    save_model(Linked(Shape.from_dict(shape)), bare)
    prepare(recipe(bare), data, tmp_path / "packed")
    with pytest.raises(InvalidInput, match="scorer"):
        train(recipe(bare), tmp_path / "packed", tmp_path / "run")


def test_a_style_that_there_is_not_is_named(folder, data, tmp_path):
    asked = recipe(folder, lists={"files": ["graded.tsv"], "style": "loud"})
    prepare(asked, data, tmp_path / "packed")
    with pytest.raises(InvalidInput, match="no style 'loud'"):
        train(asked, tmp_path / "packed", tmp_path / "run")
