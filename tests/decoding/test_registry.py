"""A method is a decoder in the registry, whoever wrote it; finding one out loads no compiler."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from nacc.decoding import Decoded, alternatives, decode, decode_batch, decode_budgets
from nacc.decoding.problem import DecodingProblem
from nacc.decoding.registry import Decoder, decoder, methods, register, unregister
from nacc.errors import InvalidInput
from nacc.lattice import Lattice

TABLE = np.log([[0.1, 0.5, 0.3, 0.1], [0.2, 0.1, 0.2, 0.5], [0.1, 0.2, 0.6, 0.1]])
WEIGHTS = [0, 4, 3, 2]
BUILT_IN = ("greedy", "truncate", "bucketed", "exact", "coherent", "linked")
RANKING = ["exact", "coherent", "linked"]


class First(Decoder):
    """The likeliest word of every slot, as long as there is room for it."""

    name = "first"
    what = "the first candidate of every slot that fits"

    def solve(
        self, problem: DecodingProblem, lows: Sequence[int], highs: Sequence[int]
    ) -> list[Decoded]:
        return [self._one(problem, low, high) for low, high in zip(lows, highs, strict=True)]

    def _one(self, problem: DecodingProblem, low: int, high: int) -> Decoded:
        lattice, said, score, weight = problem.lattice, [], 0.0, 0
        for word, value, blank in zip(
            lattice.words[:, 0].tolist(), lattice.values[:, 0], lattice.blank, strict=True
        ):
            fits = weight + problem.weights[word] <= high
            said.append(word if fits else problem.epsilon)
            weight += int(problem.weights[word]) if fits else 0
            score += value if fits else blank
        starts = tuple(i for i, word in enumerate(said) if word != problem.epsilon)
        tokens = tuple(said[i] for i in starts)
        return Decoded(tokens, tuple(said), score, weight, False, False, weight >= low, starts)


@pytest.fixture
def first() -> Iterator[Decoder]:
    new = First()
    register(new)
    yield new
    unregister("first")


def test_a_registered_decoder_is_a_method_like_any_other(first):
    assert methods() == (*BUILT_IN, "first") and decoder("first") is first
    answer = decode(TABLE, WEIGHTS, 7, method="first")
    assert (answer.tokens, answer.slots, answer.weight) == ((1, 3), (1, 3, 0), 6)
    assert decode_budgets(TABLE, WEIGHTS, [3, 9], method="first") == [
        decode(TABLE, WEIGHTS, budget, method="first") for budget in (3, 9)
    ]
    assert decode_batch([TABLE] * 3, WEIGHTS, 7, method="first", threads=2) == [answer] * 3
    takers = '"exact" or "coherent" or "linked"'
    with pytest.raises(InvalidInput, match=f"need method={takers}, got 'first'"):
        alternatives(TABLE, WEIGHTS, 7, 2, method="first")
    with pytest.raises(InvalidInput, match='"first" cannot keep them'):
        decode(TABLE, WEIGHTS, 7, method="first", required=[2])


def test_what_was_registered_can_be_taken_back(first):
    unregister("first")
    with pytest.raises(InvalidInput, match=r"unknown method 'first': use one of greedy, .*exact"):
        decode(TABLE, WEIGHTS, 7, method="first")
    with pytest.raises(InvalidInput, match="'first' is no method that was registered"):
        unregister("first")
    register(first)


def test_no_name_is_taken_twice_and_the_packages_own_stay(first):
    with pytest.raises(InvalidInput, match="there is a method 'first' already"):
        register(First())
    with pytest.raises(InvalidInput, match="'exact' is no method that was registered"):
        unregister("exact")


def test_each_decoder_says_what_it_is_and_does():
    found = {name: decoder(name) for name in BUILT_IN}
    assert {name: each.name for name, each in found.items()} == {name: name for name in BUILT_IN}
    assert all(each.what and "\n" not in each.what for each in found.values())
    assert [name for name in BUILT_IN if found[name].keeps_rules] == RANKING
    assert [name for name in BUILT_IN if found[name].ranks] == RANKING
    assert [name for name in BUILT_IN if not found[name].whole_words] == ["truncate"]
    assert [name for name in BUILT_IN if "bigrams" in found[name].needs] == ["coherent"]
    assert [name for name in BUILT_IN if "links" in found[name].needs] == ["linked"]


def test_truncate_is_greedy_with_all_the_room_there_is():
    whole = decode(TABLE, WEIGHTS, 99, method="greedy")
    cut = decode(TABLE, WEIGHTS, 5, method="truncate")
    assert (cut.tokens, cut.slots, cut.score) == (whole.tokens, whole.slots, whole.score)
    assert cut.weight == 9 and not cut.optimal and not cut.exact
    assert decode(TABLE, WEIGHTS, 9, method="truncate") == whole


def linked(blank: float) -> Lattice:
    lattice = Lattice.from_log_probs(TABLE)
    links = np.full((4, 4), -1.0)
    values = np.full(3, blank)
    return Lattice(lattice.words, lattice.values, values, lattice.rest, links=links)


@pytest.mark.parametrize("method", ["greedy", "exact"])
def test_links_are_no_hindrance_where_there_is_epsilon_too(method):
    assert decode(linked(-1.0), WEIGHTS, 7, method=method).tokens
    with pytest.raises(InvalidInput, match=f"'{method}' needs ε, and this lattice has links"):
        decode(linked(-np.inf), WEIGHTS, 7, method=method)


def test_a_decoder_that_needs_links_gets_them(first):
    first.needs = frozenset({"links"})
    with pytest.raises(InvalidInput, match="'first' needs a lattice with links"):
        decode(TABLE, WEIGHTS, 7, method="first")
    assert decode(linked(-np.inf), WEIGHTS, 7, method="first").tokens == (1, 3)


def test_what_a_method_is_can_be_found_out_without_a_compiler():
    asked = (
        "import sys; from nacc.decoding.registry import decoder, methods\n"
        "facts = [(decoder(name).what, decoder(name).needs) for name in methods()]\n"
        "import nacc.decoding.front_door, nacc.lattice\n"
        "print(len(facts), 'numba' in sys.modules, 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["6", "False", "False"]
