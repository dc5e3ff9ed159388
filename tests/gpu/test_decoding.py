"""The device's decoder gives the CPU decoder's answers on the same lattices."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from nacc.decoding import decode as on_cpu
from nacc.decoding.constraints import Constraints
from nacc.decoding.expected import Expected
from nacc.gpu.decoding import MOST_CANDIDATES, ROWS, decode, shape
from nacc.gpu.kernels.select import select
from nacc.gpu.lattices import Lattices
from nacc.lattice import NO_WORD, Lattice

HIGH = 18


def drawn(rng, slots, columns, vocabulary):
    """A lattice whose values leave no two answers equal."""
    words = np.stack([rng.permutation(vocabulary)[:columns] for _ in range(slots)]).astype(np.int32)
    values = rng.normal(-1.5, 1.5, words.shape)
    values -= np.logaddexp.reduce(values, axis=1, keepdims=True) + 0.1
    words[rng.random(words.shape) < 0.1] = NO_WORD
    values[words == NO_WORD] = -np.inf
    links = rng.normal(0, 2, (slots + 1, slots + 1))
    links[np.tri(slots + 1, k=-1, dtype=bool)] = -np.inf
    links -= np.logaddexp.reduce(links, axis=1, keepdims=True)
    nothing = np.full(slots, -np.inf)
    return Lattice(words, values, nothing, nothing, links=links)


def some(rng, vocabulary, share):
    return frozenset(np.flatnonzero(rng.random(vocabulary) < share).tolist())


def problems(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = int(rng.integers(4, 8))
        lattice = drawn(rng, int(rng.integers(1, 7)), int(rng.integers(1, 5)), size)
        rules = Constraints(
            no_dangling=some(rng, size, 0.2),
            once=some(rng, size, 0.7),
            forbidden=tuple(some(rng, size, 0.1)),
        )
        yield lattice, rng.integers(1, 8, size).tolist(), rules, int(rng.integers(0, 10))


def cpu_answer(lattice, weights, rules, low, worth, high=HIGH):
    return on_cpu(
        lattice, weights, high, at_least=low, method="linked", expected=worth,
        no_dangling=rules.no_dangling, once=rules.once, forbidden=rules.forbidden,
    )  # fmt: skip


def said(given, found, row):
    path = found.path[row, : int(found.length[row])].long()
    return tuple(given.words[row].flatten()[path].tolist())


@pytest.mark.parametrize(
    ("seed", "worth"), [(0, Expected(1.5, 3.0)), (1, Expected(2.0, 0.0)), (2, None)]
)
def test_answers_are_the_cpu_decoders(seed, worth):
    asked = list(problems(seed, 8))
    given = Lattices.of(*zip(*asked, strict=True), HIGH, dtype=torch.float64)
    found = decode(given, worth)
    settled = 0
    for row, problem in enumerate(asked):
        theirs = cpu_answer(*problem, worth)
        if not found.settled[row]:  # nothing is as heavy as asked for
            assert not theirs.floor_met
            continue
        settled += 1
        assert said(given, found, row) == theirs.tokens
        assert float(found.score[row]) == pytest.approx(theirs.score, abs=1e-9)
        assert float(found.expected[row]) == pytest.approx(theirs.expected, abs=1e-9)
    assert settled >= 4


def repeating(words, links):
    """Slots in a row, each of which says its one word; a path goes on or leaps, by `links`."""
    slots = len(words)
    table = np.full((slots + 1, slots + 1), -np.inf)
    for (i, j), value in links.items():
        table[i, j] = np.log(value)
    nothing = np.full(slots, -np.inf)
    column = np.array(words, np.int32)[:, None]
    return Lattice(column, np.zeros((slots, 1)), nothing, nothing, links=table)


def test_a_word_that_came_twice_is_marked_and_decoded_again():
    # a b a b would be likeliest; each may come once, so two rounds are needed.
    lattice = repeating(
        [0, 1, 0, 1, 2],
        {(0, 0): 1.0, (1, 1): 0.9, (1, 4): 0.1, (2, 2): 0.7, (2, 4): 0.3, (3, 3): 1.0,
         (4, 5): 1.0, (5, 5): 1.0},
    )  # fmt: skip
    free, strict = Constraints(), Constraints(once=frozenset({0, 1}))
    given = Lattices.of([lattice] * 2, [[2, 2, 2]] * 2, [free, strict], [4, 4], 8)
    found = decode(given)
    assert found.settled.all()
    assert said(given, found, 0) == (0, 1, 0, 1)
    assert (
        said(given, found, 1)
        == (0, 1, 2)
        == cpu_answer(lattice, [2, 2, 2], strict, 4, None, 8).tokens
    )


def test_what_is_rare_is_looked_at_where_nothing_else_is_heavy_enough():
    lattice = repeating([0, 1], {(0, 0): 0.9999, (0, 1): 1e-4, (1, 2): 1.0, (2, 2): 1.0})
    given = Lattices.of([lattice], [[1, 7]], [Constraints()], [5], 8)
    found = decode(given)
    assert bool(found.settled[0]) and said(given, found, 0) == (1,)


def test_an_answer_longer_than_there_is_room_for_is_left_to_the_cpu(monkeypatch):
    monkeypatch.setattr("nacc.gpu.decoding.LONGEST", 4)
    slots = 5
    lattice = repeating(
        list(range(slots)), {(i, i): 1.0 for i in range(slots)} | {(slots, slots): 1.0}
    )
    given = Lattices.of([lattice], [[1] * slots], [Constraints()], [slots], slots)
    assert not decode(given).settled[0]
    monkeypatch.setattr("nacc.gpu.decoding.LONGEST", 8)
    assert decode(given).settled[0]


@pytest.mark.parametrize(("name", "value"), [("ROWS", 1), ("PROGRAMS", 2)])
def test_answers_are_the_same_however_few_are_taken_at_a_time(monkeypatch, name, value):
    asked = list(problems(3, 4))
    given = Lattices.of(*zip(*asked, strict=True), HIGH, dtype=torch.float64)
    worth = Expected(1.5, 3.0)
    found = decode(given, worth)
    monkeypatch.setattr(f"nacc.gpu.decoding.{name}", value)
    other = decode(given, worth)
    assert found.settled.any()
    assert torch.equal(found.settled, other.settled)
    for row in range(len(asked)):
        assert said(given, found, row) == said(given, other, row)
    assert torch.allclose(found.score, other.score, atol=1e-12)


def test_what_finds_no_room_for_its_pairs_is_left_to_the_cpu(monkeypatch):
    asked = list(problems(0, 4))
    given = Lattices.of(*zip(*asked, strict=True), HIGH, dtype=torch.float64)
    found = decode(given, Expected(1.5, 3.0))
    monkeypatch.setattr("nacc.gpu.decoding.SEQUELS", 1)
    cramped = decode(given, Expected(1.5, 3.0))
    assert found.settled.sum() > cramped.settled.sum()
    for row in cramped.settled.nonzero().flatten().tolist():
        assert said(given, found, row) == said(given, cramped, row)


@pytest.mark.parametrize("cells", [16, 64, 512, 4096])
@pytest.mark.parametrize("most", [ROWS, 4 * ROWS])
def test_rows_and_warps_are_powers_of_two_within_bounds(most, cells):
    rows, warps = shape(cells, most)
    assert 1 <= rows <= most and 1 <= warps <= 8
    assert not rows & (rows - 1) and not warps & (warps - 1)


def test_more_candidates_than_a_warp_has_lanes_are_refused():
    rng = np.random.default_rng(0)
    lattice = drawn(rng, 1, MOST_CANDIDATES + 1, MOST_CANDIDATES + 1)
    given = Lattices.of([lattice], [[1] * (MOST_CANDIDATES + 1)], [Constraints()], [0], 8)
    with pytest.raises(ValueError, match="candidates a slot"):
        decode(given)


@pytest.mark.parametrize("size", [25, 1000, 2500])
def test_the_best_of_a_row_and_its_sum(size):
    rows = torch.randn((2, size), generator=torch.Generator().manual_seed(size))
    values, places, total = select(rows, 21)
    best, at = rows.topk(21, dim=1)
    assert torch.equal(values, best)
    assert torch.equal(places.long(), at)
    assert torch.allclose(total, rows.logsumexp(1))
