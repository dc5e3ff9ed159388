"""Rivals that say all words at once: BANG's decoder, and that of Yang et al. by parts of speech."""

import dataclasses

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from nacc.errors import BadModel, InvalidInput, MissingExtra
from nacc.learning import loop
from nacc.learning.checkpoint import load_model
from nacc.learning.corpus import Corpus
from nacc.learning.metrics import read
from nacc.learning.parallel import END, Parallel, Tagged, chosen
from nacc.learning.prepare import prepare
from nacc.learning.shape import Shape
from nacc.learning.tagging import Tags, tagged
from nacc.learning.writing import NEVER, Manner, Source

SMALL = {
    "width": 16, "layers": 1, "heads": 2, "inner": 32, "positions": 32, "decoder_layers": 1,
    "pieces": 12, "words": 7,
}  # fmt: skip
BANG, POS = {"rival": "bang"}, {"rival": "pos", "tags": 5}


def made(**more) -> Parallel:
    torch.manual_seed(2)
    kind = Tagged if more["rival"] == "pos" else Parallel
    network = kind(Shape.from_dict({**SMALL, **more})).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.5)
    return network


def source(weights=None) -> Source:
    symbols = torch.tensor([[1, 2, 3, 7 + 3, 7 + 4]])
    own, theirs = torch.arange(7)[:, None], torch.arange(5)[None, :, None]
    pieces, slots = torch.arange(5)[None], torch.arange(5)[None]
    return Source(pieces, slots, torch.tensor([5]), symbols, own, theirs, weights)


def pair(labels):
    """What `forward` takes of a pair whose headline is of the vocabulary."""
    given = source()
    labels = torch.tensor([labels])
    matches = given.symbols[:, :, None] == labels[:, None, :]
    return given.pieces, given.slots, given.lengths, labels, matches, labels[:, :, None]


@torch.no_grad()
def test_a_word_does_not_depend_on_the_words_before_it():
    network = made(**BANG)
    one, other = (network(*pair(labels))[0] for labels in ([1, 2, 3], [4, 5, 3]))
    assert torch.allclose(one[2:], other[2:], atol=1e-5)
    assert not torch.allclose(one[:2], other[:2], atol=1e-2)


@torch.no_grad()
def test_a_place_sums_to_one_and_is_what_is_written():
    network = made(**BANG)
    values = torch.stack([network(*pair([1, label]))[0, 1] for label in range(1, 7)])
    end = network(*pair([1]))[0, 1]
    assert float(values.exp().sum() + end.exp()) <= 1 + 1e-4
    ((found,),) = network.write(source(), Manner(words=range(1, 4)))
    assert 1 <= len(found.symbols) <= 4


def test_the_best_words_up_to_the_end_and_neighbours_once():
    values = torch.full((1, 6, 12), -9.0)
    for place, symbol in enumerate([3, 3, 10, 3, END, 5]):
        values[0, place, symbol] = -1.0
    ((found,),) = chosen(values, source())
    assert found.symbols == (3, 10, 3)
    assert found.score == pytest.approx(-5.0)
    weights = torch.ones(1, 12, dtype=torch.long)
    weights[0, 10] = NEVER
    ((found,),) = chosen(values, source(weights))
    assert 10 not in found.symbols


@torch.no_grad()
def test_what_is_said_goes_with_its_part_of_speech():
    network = made(**POS)
    network.seen.zero_()
    network.seen[0] = True
    for tag, word in ((1, 2), (2, 4), (3, 6), (4, 5)):
        network.seen[tag, word] = True
    given = source()
    ((found,),) = network.write(given, Manner(words=range(3, 9)))
    encoded = network.encode(given.pieces, given.slots, given.lengths)
    tags = network._tags(encoded, encoded.new_zeros(1, 1, 1, 5), range(3, 9))[0].tolist()
    allowed = {1: 2, 2: 4, 3: 6, 4: 5}
    written = [allowed[tag] for tag in tags if tag]
    assert len(written) >= 3
    for symbol in found.symbols:  # a word of the source that is not in the vocabulary may be any
        assert symbol in written or symbol >= 7


@torch.no_grad()
def test_tags_are_learnt_one_after_another_and_words_by_all_of_them():
    network = made(**POS)
    tags, *others = (torch.tensor([t]) for t in ([1, 2, 3], [1, 2, 4], [2, 2, 3]))
    last, first = (network(*pair([1, 2, 3]), other) for other in others)
    found = network(*pair([1, 2, 3]), tags)
    assert found.shape == (2, 1, 4) and found[0, 0, 3] == 0
    assert torch.allclose(found[1, 0, :2], last[1, 0, :2], atol=1e-5)
    assert not torch.allclose(found[1, 0, 1:], first[1, 0, 1:], atol=1e-3)
    sums = [
        network(*pair([1, 2, 3]), torch.tensor([[1, 2, t]]))[1, 0, 2].exp() for t in range(1, 5)
    ]
    assert 0 < float(sum(sums)) < 1  # the end has the rest


def by_letters(corpus: Corpus) -> Tags:
    """A tagger for tests: by a word's first letter."""
    of = [1 + (ord(corpus.lexicon[i][0]) % 4) for i in corpus.target.flat]
    return Tags(("w", "x", "y", "z"), np.array(of, np.uint8))


@pytest.fixture(scope="module")
def with_tags(prepared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tags")
    for file in prepared.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    for name in ("corpus.npz", "validation.npz"):
        by_letters(Corpus.load(folder / name)).save(folder / name)
    return folder


def test_bang_learns_the_language_of_the_smoke_recipe(prepared, variant, tmp_path):
    recipe = variant(updates=100, model={**BANG, "decoder_layers": 1}, validation={"sentences": 20})
    best = loop.train(recipe, prepared, tmp_path)
    assert min(read(tmp_path / "metrics.jsonl")[-1]["rouge"]) > 90
    assert type(load_model(best).network) is Parallel


def test_pos_learns_it_and_a_stopped_run_goes_on(with_tags, variant, tmp_path):
    shape = {"rival": "pos", "decoder_layers": 1, "tags": 8}
    recipe = variant(updates=100, model=shape, validation={"sentences": 20}, average=0.9)
    best = loop.train(recipe, with_tags, tmp_path / "whole")
    last = read(tmp_path / "whole" / "metrics.jsonl")[-1]
    assert min(last["rouge"]) > 90 and last["parts"]["tags"] < 0.5
    assert "dev tags" in last["held_out"]
    network = load_model(best).network
    assert isinstance(network, Tagged) and not network.seen.all() and network.seen.any()

    class Stopped(Exception):
        pass

    def stop(report):
        if report.update == 100:
            raise Stopped

    with pytest.raises(Stopped):
        loop.train(recipe, with_tags, tmp_path / "stopped", show=stop)
    loop.train(recipe, with_tags, tmp_path / "stopped")
    whole, stopped = (
        load_file(tmp_path / run / "best" / "model.safetensors") for run in ("whole", "stopped")
    )
    assert all(torch.equal(whole[name], stopped[name]) for name in whole)


def test_tags_of_other_headlines_and_none_are_refused(with_tags, prepared, variant, tmp_path):
    recipe = variant(updates=1, model={"rival": "pos", "decoder_layers": 1, "tags": 8})
    with pytest.raises(InvalidInput, match="without parts of speech"):
        loop.train(recipe, prepared, tmp_path)
    few = dataclasses.replace(recipe, model={**recipe.model, "tags": 4})
    with pytest.raises(InvalidInput, match="tags must be above"):
        loop.train(few, with_tags, tmp_path)
    corpus = Corpus.load(with_tags / "corpus.npz")
    tags = by_letters(corpus)
    for file in with_tags.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    Tags(tags.names, tags.of[:-1]).save(tmp_path / "corpus.npz")
    with pytest.raises(InvalidInput, match="of other headlines"):
        loop.train(recipe, tmp_path, tmp_path / "run")


def test_a_tag_says_which_words_it_came_with():
    corpus = type("C", (), {})()
    corpus.lexicon = ["cat", "sat", "dog"]
    corpus.target = type("T", (), {"flat": np.array([0, 1, 2])})()
    seen = Tags(("N", "V"), np.array([1, 2, 1], np.uint8)).seen(
        corpus, ["<blank>", "cat", "sat"], 4
    )
    assert seen[1].tolist() == [True, True, False]  # dog, which cannot be said, counts as ε
    assert seen[2].tolist() == [False, False, True]
    assert seen[0].all() and seen[3].all()


def test_without_the_tagger_it_says_what_to_install(prepared, monkeypatch):
    monkeypatch.setattr("nacc.errors.find_spec", lambda module: None)
    with pytest.raises(MissingExtra, match=r"\.\[pos\]"):
        tagged(Corpus.load(prepared / "corpus.npz"))


def test_tags_go_with_the_pairs_they_were_of(news, with_tags, variant, tmp_path):
    """A folder prepared anew has no tags of before; and a network that needs none reads none."""
    for file in with_tags.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    Tags(("w",), np.ones(3, np.uint8)).save(tmp_path / "corpus.npz")
    loop.train(variant(updates=1, validation={"sentences": 1}), tmp_path, tmp_path / "run")
    prepare(variant(), news, tmp_path)
    assert not list(tmp_path.glob("*.tags.npz"))


def test_the_tagger_knows_english(news, variant, tmp_path):
    pytest.importorskip("HanTa", reason='needs pip install "nacc[pos]"')
    recipe = variant(updates=1, model={"rival": "pos", "decoder_layers": 1, "tags": 64})
    lines = (news / "train.tsv").read_text().splitlines()[:60]
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "train.tsv").write_text("\n".join(lines) + "\n")
    (folder / "dev.tsv").write_text("\n".join(lines[:5]) + "\n")
    prepare(recipe, folder, tmp_path / "data")
    corpus, tags = (kind.load(tmp_path / "data" / "corpus.npz") for kind in (Corpus, Tags))
    assert tags is not None and len(tags.of) == len(corpus.target.flat)
    pairs = zip(corpus.target.flat, tags.of, strict=True)
    words = {corpus.lexicon[i]: tags.names[t - 1] for i, t in pairs}
    assert words["old"] == "AJ0" and words["to"] == "TO0"
    again = tagged(corpus, tags.names[:1])
    assert set(again.of.tolist()) == {1}


@pytest.mark.parametrize("wrong", [{"decoder_layers": 0}, {"slots": 2}, {"tags": 3}])
def test_a_shape_that_cannot_be_is_refused(wrong):
    with pytest.raises(BadModel):
        Shape.from_dict({**SMALL, **BANG, **wrong})
