"""DAT-LenC: the most probable words of a number, over all paths that say them."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from nacc.errors import InvalidInput
from nacc.evaluation.dat_lenc import DatLenC, most_probable
from nacc.evaluation.systems import parse_system
from nacc.lattice import NO_WORD, Lattice
from nacc.length.budget import Budget
from nacc.summarizer import Summarizer

SLOTS, KEPT, WORDS = 6, 3, 5


def lattice(seed: int) -> Lattice:
    draw = np.random.default_rng(seed)
    words = np.stack([draw.permutation(WORDS)[:KEPT] for _ in range(SLOTS)]).astype(np.int32)
    values = np.log(draw.dirichlet(np.ones(KEPT + 1), SLOTS)[:, :KEPT])
    words[2, 1], values[2, 1] = NO_WORD, -np.inf
    links = np.log(draw.dirichlet(np.ones(SLOTS + 1), SLOTS + 1))
    none = np.full(SLOTS, -np.inf)
    return Lattice(words, values, none, none, links=links)


def every_answer(given: Lattice, count: int) -> dict[tuple[int, ...], float]:
    """The probability of all words of a number, path by path."""
    assert given.links is not None
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for path in combinations(range(SLOTS), count):
        rows = [0, *(slot + 1 for slot in path)]
        link = sum(given.links[i, j] for i, j in zip(rows, [*path, SLOTS], strict=True))
        for chosen in product(range(KEPT), repeat=count):
            said = tuple(int(given.words[s, k]) for s, k in zip(path, chosen, strict=True))
            value = sum(given.values[s, k] for s, k in zip(path, chosen, strict=True))
            if NO_WORD not in said and all(a != b for a, b in pairwise(said)):
                found[said] += float(np.exp(link + value))
    return found


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_a_wide_beam_finds_the_most_probable_of_all(seed, count):
    given = lattice(seed)
    every = every_answer(given, count)
    found = most_probable(given, count, beam=WORDS**count)
    assert found.share == pytest.approx(max(every.values()), rel=1e-9)
    assert every[found.words] == pytest.approx(found.share, rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_a_narrow_beam_says_what_its_answer_is_worth(seed):
    given = lattice(seed)
    every = every_answer(given, 3)
    found = most_probable(given, 3, beam=2)
    assert every[found.words] == pytest.approx(found.share, rel=1e-9)
    assert found.share >= 0.3 * max(every.values())


def test_more_words_than_slots_are_not_to_be_had():
    assert most_probable(lattice(0), SLOTS + 1, 10) == ((), 0.0)


@pytest.fixture(scope="module")
def linked() -> Summarizer:
    return Summarizer.load(None)


TEXT = "the mayor of the small town opened a new bridge over the river on monday , officials said ."


@pytest.mark.parametrize("search", ["path", "seq"])
def test_it_says_as_many_words_as_it_is_asked_for(linked, search):
    for words in (4, 8):
        system = DatLenC("x", linked, words=words, search=search, beam=5)
        (output,) = system.run([TEXT], Budget(50))
        assert len(output.full.split()) == words
        assert output.full.startswith(output.text) and len(output.text) <= 50


def test_it_is_named_on_the_command_line(linked, ctc):
    system = parse_system("dat-lenc:words=6,search=path", lambda model: linked)
    assert isinstance(system, DatLenC)
    assert (system.words, system.search, system.name) == (6, "path", "dat-lenc:words=6,search=path")
    for wrong in ("dat-lenc:word=6", "dat-lenc:search=best", "dat-lenc:words=0"):
        with pytest.raises(InvalidInput):
            parse_system(wrong, lambda model: linked)
    with pytest.raises(InvalidInput, match="linked slots"):
        parse_system("dat-lenc:words=6", lambda model: ctc)
