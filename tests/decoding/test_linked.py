"""Linked decoding: the best of everything there is, within the bounds and the rules."""

import dataclasses
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from nacc.decoding.linked import LinkedLattice, Problem, Taste, solve

KEYS = ("storm", "hits", "coast", "of", "the", "spain", ",", "towns")
WEIGHTS = [len(key) + 1 for key in KEYS]


def random_lattice(seed: int, slots: int = 5, k: int = 3) -> LinkedLattice:
    draw = np.random.default_rng(seed)
    words = np.stack([draw.choice(len(KEYS), k, replace=False) for _ in range(slots)])
    values = np.log(draw.dirichlet(np.ones(k + 1), slots)[:, :k]).clip(-6)
    links = np.zeros((slots + 1, slots + 1))
    for u in range(slots + 1):
        links[u, u:] = draw.dirichlet(np.ones(slots + 1 - u)) * 0.98 + 0.02 / (slots + 1 - u)
    return LinkedLattice(
        words.astype(np.int32), values.astype(np.float32), links.astype(np.float32), KEYS
    )


def every_answer(lattice: LinkedLattice, problem: Problem, low: int, high: int, taste: Taste):
    """{words: (best value, sum of the probabilities of its paths)} by looking at every path."""
    once, twice = problem.expected
    slots, k = lattice.words.shape
    links = np.log(lattice.links.astype(float).clip(1e-30))
    found: dict[tuple[int, ...], tuple[float, float]] = {}
    for length in range(1, slots + 1):
        for path, picks in product(
            combinations(range(slots), length), product(range(k), repeat=length)
        ):
            said = tuple(int(lattice.words[u, i]) for u, i in zip(path, picks, strict=True))
            content = [w for w in said if not problem.function[w]]
            if (
                any(a == b for a, b in pairwise(said))
                or len(set(content)) < len(content)
                or problem.function[said[-1]]
                or not low <= sum(WEIGHTS[w] for w in said) <= high
            ):
                continue
            rows = [0, *(u + 1 for u in path)]
            value = sum(links[a, u] for a, u in zip(rows, path, strict=False))
            value += links[rows[-1], -1]
            value += sum(lattice.values[u, i] for u, i in zip(path, picks, strict=True))
            bonus = taste.words * sum(once[w] for w in said)
            bonus += taste.pairs * sum(twice[a, b] for a, b in pairwise(said))
            best, total = found.get(said, (-np.inf, 0.0))
            found[said] = max(best, value + bonus), total + np.exp(value)
    return found


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("taste", [Taste(0.0, 0.0), Taste(2.0, 3.0)])
def test_the_answers_are_the_best_of_all_in_order(seed, taste):
    lattice = random_lattice(seed)
    problem = Problem(lattice)
    everything = every_answer(lattice, problem, 12, 24, taste)
    answers = solve(problem, WEIGHTS, 12, 24, taste, count=5)
    expected = sorted((best for best, _ in everything.values()), reverse=True)[:5]
    expected = [value for value in expected if value > expected[0] - taste.slack]
    assert answers.complete
    np.testing.assert_allclose(answers.values, expected, rtol=1e-5, atol=1e-5)
    for words, paths in zip(answers.words, answers.paths, strict=True):
        assert np.exp(paths) == pytest.approx(everything[tuple(words)][1], rel=1e-4)


def test_what_is_expected_is_counted_over_all_paths():
    lattice = random_lattice(3)
    problem = Problem(lattice)
    slots, k = lattice.words.shape
    links = lattice.links.astype(float)
    once = np.zeros(len(KEYS))
    for length in range(1, slots + 1):
        for path in combinations(range(slots), length):
            rows = [0, *(u + 1 for u in path)]
            share = np.prod([links[a, u] for a, u in zip(rows, path, strict=False)])
            share *= links[rows[-1], -1]
            for u in path:
                for i in range(k):
                    once[lattice.words[u, i]] += share * np.exp(lattice.values[u, i])
    np.testing.assert_allclose(problem.expected[0], np.minimum(once, 1), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("seed", range(10))
def test_where_the_search_may_not_go_on_answers_still_keep_the_rules(seed):
    lattice = random_lattice(seed, slots=9)
    problem = Problem(lattice)
    taste = Taste(9.0, 9.0, most=1)  # worth repeating words for
    answers = solve(problem, WEIGHTS, 20, 34, dataclasses.replace(taste, most=40))
    assert solve(problem, WEIGHTS, 20, 34, taste).complete is False
    for words in answers.words:
        content = [w for w in words if not problem.function[w]]
        assert len(set(content)) == len(content)
        assert 20 <= sum(WEIGHTS[w] for w in words) <= 34


def test_a_budget_that_no_answer_fits_has_none():
    problem = Problem(random_lattice(1))
    assert solve(problem, WEIGHTS, 1, 3, Taste()).words == []
