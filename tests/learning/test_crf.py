"""The chain of Su et al.: its sum, its best way and its best way within a room are those of all."""

from itertools import pairwise, product

import numpy as np
import pytest
import torch

from nacc.errors import BadModel
from nacc.learning import crf, loop
from nacc.learning.crf import END, Chain, Crf, best_words, log_sum, within
from nacc.learning.metrics import read
from nacc.learning.shape import Shape
from nacc.learning.writing import Manner, Source

SLOTS, KEPT = 4, 5


@pytest.fixture
def chain() -> Chain:
    torch.manual_seed(3)
    words = torch.stack(
        [torch.stack([torch.randperm(9)[:KEPT] for _ in range(SLOTS)]) for _ in range(3)]
    )
    words[:, :, 0] = END
    words[:, :, 1:] = words[:, :, 1:].masked_fill(words[:, :, 1:] == END, 9)
    values = torch.randn(3, SLOTS, KEPT)
    links = torch.randn(3, SLOTS - 1, KEPT, KEPT)
    return Chain(words, values, links, torch.tensor([4, 2, 3]))


def every_way(chain: Chain, row: int):
    """All ways through one sentence's chain: the candidates, and what they are worth."""
    length = int(chain.lengths[row])
    for path in product(range(KEPT), repeat=length):
        worth = sum(float(chain.values[row, i, c]) for i, c in enumerate(path))
        pairs = pairwise(path)
        worth += sum(float(chain.links[row, i, a, b]) for i, (a, b) in enumerate(pairs))
        yield path, worth


def said(chain: Chain, row: int, path) -> tuple[int, ...]:
    return tuple(int(chain.words[row, i, c]) for i, c in enumerate(path))


def test_the_sum_is_over_all_ways(chain):
    for row, found in enumerate(log_sum(chain).tolist()):
        worths = [worth for _, worth in every_way(chain, row)]
        assert found == pytest.approx(float(np.logaddexp.reduce(worths)), abs=1e-4)


def test_the_best_way_is_the_best_of_all(chain):
    words, scores = best_words(chain)
    for row in range(3):
        path, worth = max(every_way(chain, row), key=lambda way: way[1])
        length = int(chain.lengths[row])
        assert float(scores[row]) == pytest.approx(worth, abs=1e-4)
        assert tuple(words[row, :length].tolist()) == said(chain, row, path)
        assert set(words[row, length:].tolist()) <= {END}


@pytest.mark.parametrize("room", [1, 4, 9, 30])
@pytest.mark.parametrize("least", [0, 8])
def test_within_a_room_it_is_the_best_of_all_that_fit(chain, room, least):
    torch.manual_seed(room)
    weights = torch.randint(2, 7, chain.words.shape).masked_fill(chain.words == END, 0)
    for row, found in enumerate(within(chain, weights, room, least)):
        good = []
        for path, worth in every_way(chain, row):
            words = said(chain, row, path)
            end = words.index(END) if END in words else len(words)
            weight = sum(int(weights[row, i, c]) for i, c in enumerate(path))
            if end and set(words[end:]) <= {END} and weight <= room:
                good.append((worth, words[:end], weight))
        if not good:
            assert found.symbols == ()
            continue
        heavy = [one for one in good if one[2] >= least]
        if not heavy:
            most = max(weight for _, _, weight in good)
            heavy = [one for one in good if one[2] == most]
        worth, words, weight = max(heavy)
        assert (found.symbols, found.weight) == (words, weight)
        assert found.score == pytest.approx(worth, abs=1e-4)


SHAPE = {"width": 16, "layers": 1, "heads": 2, "inner": 32, "positions": 16, "rival": "crf"}


@pytest.fixture
def network() -> Crf:
    torch.manual_seed(1)
    made = Crf(Shape.from_dict({**SHAPE, "pieces": 12, "words": 7})).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.4)
    return made


@torch.no_grad()
def test_the_loss_is_that_of_all_headlines(network, monkeypatch):
    """Three slots over seven words and three places: the chain's loss by brute force."""
    monkeypatch.setattr(crf, "KEPT", 100)
    pieces = torch.tensor([[3, 4, 5]])
    slots, lengths = torch.tensor([[0, 1, 2]]), torch.tensor([3])
    symbols = torch.tensor([[2, 8, 9]])  # a word of the vocabulary, and two that are not in it
    labels, matches = torch.tensor([[3, -1]]), torch.zeros(1, 3, 2, dtype=torch.bool)
    matches[0, 1, 1] = True
    found = network(pieces, slots, lengths, labels, matches, symbols)
    table = network.table(network.encode(pieces, slots, lengths), lengths, symbols, 3)[0].log()
    before = network.before.weight[[*range(7), 7, 7, 7]]
    links = before @ network.after.weight[[*range(7), 7, 7, 7]].T

    def worth(way):
        each = sum(float(table[i, w]) for i, w in enumerate(way))
        return each + sum(float(links[a, b]) for a, b in pairwise(way))

    possible = [0, 1, 2, 3, 4, 5, 6, 8, 9]  # 7, a place that is no word's first, is never said
    total = np.logaddexp.reduce([worth(way) for way in product(possible, repeat=3)])
    wanted = (3, 8, END)
    assert float(found[0, 0]) == pytest.approx((total - worth(wanted)) / 3, abs=1e-3)
    alone = -sum(float(table[i, w]) for i, w in enumerate(wanted)) / 3
    assert float(found[1, 0]) == pytest.approx(alone, abs=1e-4)
    near = [(i, w) for i in range(3) for w in wanted if w != wanted[i]]
    kept_out = -sum(float(torch.log1p(-table[i, w].exp())) for i, w in near) / 3
    assert float(found[2, 0]) == pytest.approx(kept_out, abs=1e-4)
    assert found[3].tolist() == [1.0]


@torch.no_grad()
def test_a_pair_without_a_slot_for_every_word_is_left_out(network):
    pieces, slots, lengths = torch.tensor([[3, 4]]), torch.tensor([[0, 1]]), torch.tensor([2])
    labels, matches = torch.tensor([[1, 2, 3]]), torch.zeros(1, 2, 3, dtype=torch.bool)
    found = network(pieces, slots, lengths, labels, matches, torch.tensor([[4, 5]]))
    assert found[3].tolist() == [0.0]
    lost = network.loss(found, None)
    assert int(lost.unaligned) == 1 and float(lost.total) == 0


@torch.no_grad()
def test_it_writes_within_the_ratio_of_its_source(network):
    pieces = torch.arange(10)[None]
    symbols = torch.tensor([[1, 2, 3, 4, 5, 6, 7 + 6, 7 + 7, 7 + 8, 7 + 9]])
    own, theirs = torch.arange(7)[:, None], torch.arange(10)[None, :, None]
    source = Source(pieces, torch.arange(10)[None], torch.tensor([10]), symbols, own, theirs)
    for ratio, most in ((0.1, 1), (0.35, 4), (1.0, 10)):
        ((found,),) = network.write(source, Manner(ratio=ratio))
        assert len(found.symbols) <= most


def test_it_learns_the_language_of_the_smoke_recipe(prepared, variant, tmp_path):
    recipe = variant(updates=100, model={"rival": "crf"}, validation={"sentences": 20})
    loop.train(recipe, prepared, tmp_path)
    last = read(tmp_path / "metrics.jsonl")[-1]
    assert min(last["rouge"]) > 90 and last["unaligned"] == 0
    assert set(last["parts"]) == {"chain", "slots", "neighbours", "skipped"}
    assert last["held_out"]["dev chain"] < 0.5


@pytest.mark.parametrize(
    "wrong", [{"slots": 2}, {"copy": False}, {"decoder_layers": 1}, {"tags": 4}]
)
def test_a_shape_that_cannot_be_is_refused(wrong):
    with pytest.raises(BadModel):
        Shape.from_dict({**SHAPE, "pieces": 12, "words": 7, **wrong})
