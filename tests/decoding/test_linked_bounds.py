"""What linked slots may cost at worst, and what is refused; phrases, order and small things."""

from __future__ import annotations

import time

import numpy as np
import pytest

from nacc.decoding import alternatives, decode, decode_batch, decode_budgets, linked_parts
from nacc.decoding import linked as decoder
from nacc.decoding.expected import Expected
from nacc.decoding.linked_parts import parts_of
from nacc.decoding.problem import DecodingProblem
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.lattice import Lattice

NONE = -np.inf


def linked(words, values, links, rest=None) -> Lattice:
    slots = len(words)
    left = np.full(slots, NONE) if rest is None else rest
    return Lattice(words, values, np.full(slots, NONE), left, links=links)


def chain(slots: int, skip: float = -3.0) -> np.ndarray:
    """Links to the next slot, to the one after, and to the end."""
    links = np.full((slots + 1, slots + 1), NONE)
    for row in range(slots + 1):
        links[row, row : row + 2] = [-0.1, skip][: slots + 1 - row]
    links[1:, -1] = np.maximum(links[1:, -1], -2.0)
    return links


def repeats(words: int = 16, slots: int = 160, seed: int = 3) -> Lattice:
    """Slots that all want the same few words, over and over."""
    rng = np.random.default_rng(seed)
    ids = np.array([rng.permutation(words) for _ in range(slots)])
    values = np.log(rng.dirichlet(np.full(words, 0.3), slots) + 1e-12)
    links = np.full((slots + 1, slots + 1), NONE)
    for row in range(slots + 1):
        ahead = np.arange(row, min(slots, row + 12))
        chances = rng.dirichlet(np.ones(len(ahead) + 1))
        links[row, ahead] = np.log(chances[:-1] * 0.98 + 1e-9)
        links[row, slots] = np.log(chances[-1] * 0.02 + 1e-9)
    return linked(ids, values, links, np.full(slots, -9.0))


WEIGHTS = np.random.default_rng(1).integers(3, 12, 16)
REPEATS = {"method": "linked", "expected": Expected(2.0, 3.0), "once": range(16)}


@pytest.mark.parametrize(("budget", "floor"), [(140, 112), (2000, 80), (2000, 0)])
def test_words_that_would_all_come_again_and_again_take_bounded_work(monkeypatch, budget, floor):
    """80 words of 16 in two slots each: the rule holds, the work is bounded, and so is told."""
    lattice, tables, searches = repeats(), [], []
    table, ranked = decoder.table, decoder._ranked
    monkeypatch.setattr(decoder, "table", lambda *args: tables.append(args[0]) or table(*args))
    monkeypatch.setattr(decoder, "_ranked", lambda *args: searches.append(1) or ranked(*args))
    first = alternatives(lattice, WEIGHTS, budget, 10, at_least=floor, **REPEATS)
    cells = [len(t.graph.number) * len(t.rules.accept) * (t.high + 1) for t in tables]
    assert sum(cells) < 2e7 and len(searches) <= 3
    start = time.perf_counter()
    found = alternatives(lattice, WEIGHTS, budget, 10, at_least=floor, **REPEATS)
    one = decode(lattice, WEIGHTS, budget, at_least=floor, **REPEATS)
    assert time.perf_counter() - start < 3.0  # 0.1 on a quiet machine
    assert found == first
    for answer in (*found, one):
        assert len(set(answer.tokens)) == len(answer.tokens)
        assert answer.weight <= budget
    assert len({answer.tokens for answer in found}) == len(found)
    assert one.score == pytest.approx(found[0].score)


@pytest.mark.parametrize("source", [None, [*range(16)] * 5])
@pytest.mark.parametrize("budget", [140, 10**6])
def test_phrases_of_words_that_come_again_and_again_take_bounded_work(monkeypatch, budget, source):
    """Phrases, words that may come once and an order to keep make hundreds of contexts."""
    lattice, steps = repeats(), []
    table = decoder.table
    monkeypatch.setattr(decoder, "table", lambda *args: steps.append(args[0].steps) or table(*args))
    phrases = [[5, 3, 9], [12, 7]]
    given = {**REPEATS, "phrases": phrases, "in_order": source, "no_dangling": range(4)}
    answers = alternatives(lattice, WEIGHTS, budget, 5, at_least=80, **given)
    assert max(steps) <= 4 * linked_parts.MOST_STEPS and sum(steps) < 40 * linked_parts.MOST_STEPS
    for answer in answers:
        said = " ".join(map(str, answer.tokens))
        assert "5 3 9" in said and "12 7" in said and answer.weight <= budget
        assert len(set(answer.tokens)) == len(answer.tokens) and answer.tokens[-1] not in range(4)


@pytest.mark.parametrize("each", [2, 8])
def test_where_the_search_gives_up_only_what_it_found_before_is_called_proven(monkeypatch, each):
    lattice = repeats(slots=60)
    best = alternatives(lattice, WEIGHTS, 60, 5, at_least=40, **REPEATS)
    assert len(best) == 5 and all(answer.exact for answer in best)
    monkeypatch.setattr(decoder, "MOST_BEGINNINGS", 0)
    monkeypatch.setattr(decoder, "BEGINNINGS_EACH", each)
    monkeypatch.setattr(decoder.Linked, "cells_to_mark", 1)
    answers = alternatives(lattice, WEIGHTS, 60, 5, at_least=40, **REPEATS)
    several = decode_budgets(lattice, WEIGHTS, [50, 60], at_least=40, **REPEATS)
    proven = [answer for answer in answers if answer.exact]
    assert proven == best[: len(proven)] and bool(proven) is (each == 8)
    assert not several[1].exact and len(answers) > len(proven)
    for answer in (*answers, *several):
        assert len(set(answer.tokens)) == len(answer.tokens)
        assert 40 <= answer.weight <= 60 and answer.score <= best[0].score + 1e-9
        assert answer.exact or not answer.optimal


def test_leading_answers_are_the_first_of_all_and_end_where_the_search_does(monkeypatch):
    lattice = repeats(slots=60)
    best = alternatives(lattice, WEIGHTS, 60, 7, at_least=40, **REPEATS)

    def leading():
        problem = DecodingProblem.of(lattice, WEIGHTS, REPEATS)
        return list(decoder.leading(problem, 40, 60, (2, 7)))

    found = leading()
    assert [tuple(one.tokens) for one in found] == [one.tokens for one in best]
    assert [tuple(one.starts) for one in found] == [one.starts for one in best]
    for name in ("score", "expected"):
        told = [getattr(one, name) for one in best]
        assert [getattr(one, name) for one in found] == pytest.approx(told)
    monkeypatch.setattr(decoder, "MOST_BEGINNINGS", 0)
    monkeypatch.setattr(decoder, "BEGINNINGS_EACH", 8)
    fewer = leading()
    assert len(fewer) < len(found) and fewer == found[: len(fewer)]


def test_a_phrase_comes_in_a_row_with_any_method_that_keeps_rules():
    table = np.log([[0.2, 0.5, 0.1, 0.2], [0.4, 0.1, 0.2, 0.3], [0.2, 0.2, 0.3, 0.3]])
    assert decode(table, [0, 2, 2, 2], 6).tokens == (1, 2)
    assert decode(table, [0, 2, 2, 2], 6, phrases=[[1, 3]]).tokens == (1, 3)
    assert decode(table, [0, 2, 2, 2], 6, phrases=[[3, 2]], required=[1]).tokens == (1, 3, 2)
    assert decode(table, [0, 2, 2, 2], 6, phrases=[[3]]).tokens == (1, 3)
    with pytest.raises(BudgetTooSmall, match=r"\[1, 3\] do not fit a budget of 3; 4 would do"):
        decode(table, [0, 2, 2, 2], 3, phrases=[[1, 3]])


def test_the_words_of_a_phrase_are_no_phrase_until_they_stand_together():
    lattice = linked([[0], [1], [2]], [[-0.1], [-0.1], [-0.1]], chain(3))
    assert decode(lattice, [1, 1, 1], 3, method="linked").tokens == (0, 1, 2)
    answer = decode(lattice, [1, 1, 1], 3, method="linked", phrases=[[0, 2]])
    assert answer.tokens == (0, 2) and answer.exact


def test_the_order_of_the_source_is_kept_and_its_words_are_not_used_up_twice():
    lattice = linked([[0], [1], [0]], [[-0.1], [-0.1], [-0.1]], chain(3))
    options = {"method": "linked", "at_least": 2}
    assert decode(lattice, [1, 1], 3, **options).tokens == (0, 1, 0)
    assert decode(lattice, [1, 1], 3, in_order=[0, 1, 0], **options).tokens == (0, 1, 0)
    assert decode(lattice, [1, 1], 3, in_order=[0, 1], **options).tokens == (0, 1)
    assert decode(lattice, [1, 1], 3, in_order=[1, 0], **options).tokens == (1, 0)
    assert decode(lattice, [1, 1], 3, in_order=[], **options).tokens == ()
    wide = decode(lattice, [1] * 200, 3, in_order=[*range(1, 200), 0], **options)
    assert wide.tokens == (1, 0)  # more words than a small automaton has classes for


def test_an_expected_word_wins_over_the_likeliest_path():
    """Word 0 is on the likeliest path, but word 1 is likely in both slots."""
    lattice = linked(
        [[0, 1], [1, 2]], np.log([[0.6, 0.4], [0.5, 0.5]]),
        np.log([[0.6, 0.4, 1e-9], [1.0, 0.4, 0.6], [1.0, 1.0, 1.0]]),
    )  # fmt: skip
    options = {"method": "linked", "expected": Expected(2.0, 0.0)}
    assert decode(lattice, [1, 1, 1], 1, method="linked").tokens == (0,)
    first = alternatives(lattice, [1, 1, 1], 1, 3, **options)
    assert [answer.tokens for answer in first] == [(1,), (0,), (2,)]
    counted = 0.6 * 0.4 + (0.4 + 0.6 * 0.4) * 0.5
    assert first[0].expected == pytest.approx(counted)
    assert first[0].score == pytest.approx(np.log(0.4 * 0.5) + 2.0 * counted)
    assert first[0].all_paths == pytest.approx(np.log(0.4 * 0.5 + 0.6 * 0.4 * 0.6))


def test_no_word_stands_beside_itself_whatever_else_its_slot_would_say():
    """The second slot's likeliest word is the first's, so there the next likeliest is said."""
    lattice = linked([[0, -1], [0, 1]], [[-0.1, NONE], [-0.1, -2.0]], chain(2, NONE))
    for expected in (None, Expected(1.0, 1.0)):
        options = {"method": "linked", "expected": expected, "at_least": 2}
        assert decode(lattice, [1, 1], 2, **options).tokens == (0, 1)
        assert decode_budgets(lattice, [1, 1], [2], **options)[0].tokens == (0, 1)


def test_a_rare_word_is_considered_where_nothing_else_will_do():
    lattice = linked([[0, 1]], [[-0.1, -9.0]], np.array([[0.0, NONE], [0.0, 0.0]]))
    assert decode(lattice, [1, 2], 9, method="linked").tokens == (0,)
    assert decode(lattice, [1, 2], 9, method="linked", required=[1]).tokens == (1,)
    assert decode(lattice, [1, 2], 9, method="linked", at_least=2).tokens == (1,)
    assert [a.tokens for a in alternatives(lattice, [1, 2], 9, 5, method="linked")] == [(0,)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "exact", "expected": Expected()}, 'expected goes with method="linked"'),
        ({"method": "exact", "in_order": [1]}, "in_order goes with method=\"linked\", got 'exact'"),
        ({"in_order": [9]}, "in_order word 9 has no weight"),
        ({"phrases": [[1, 9]]}, "a phrase word 9 has no weight"),
        ({"phrases": [[]]}, "a phrase of 0 words; 1 to 12"),
        ({"phrases": [[0, 1] * 7]}, "a phrase of 14 words; 1 to 12"),
        ({"phrases": [[0, 1], [1, 2]], "required": [0, 1]}, "4 required words"),
        ({"phrases": [[0, 1]], "forbidden": [1]}, "word 1 is both required and forbidden"),
        ({"phrases": [3]}, "a phrase must hold word ids"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    lattice = linked([[0], [1], [2]], [[-0.1], [-0.1], [-0.1]], chain(3))
    with pytest.raises(InvalidInput, match=message):
        decode(lattice, [1, 1, 1], 3, **{"method": "linked", **change})


def test_bad_links_and_worths_are_refused_by_name():
    links = chain(2)
    links[1, 1] = np.nan
    with pytest.raises(InvalidInput, match=r"Lattice.links\[1, 1\] is nan"):
        decode(linked([[0], [1]], [[-0.1], [-0.1]], links), [1, 1], 3, method="linked")
    with pytest.raises(InvalidInput, match=r"Expected.pairs = -1"):
        Expected(1.0, -1.0)


def test_weights_too_large_for_a_table_are_rounded_up_and_nothing_is_called_proven():
    lattice = linked([[0], [1], [2]], [[-0.1]] * 3, chain(3))
    given = {"method": "linked", "at_least": 10**12}
    one = decode(lattice, [10**12, 1, 10**12 - 1], 3 * 10**12, **given)
    assert one.weight == 2 * 10**12 and one.floor_met and one.tokens == (0, 1, 2)
    assert not one.exact and not one.optimal


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("phrases", [[], [(1,), (2, 3)]])
def test_an_order_that_the_table_cannot_know_is_kept_by_the_search(monkeypatch, seed, phrases):
    """With room in the table for one context only, the answers are those of all contexts."""
    lattice, weights = repeats(words=8, slots=14, seed=seed), WEIGHTS[:8]
    source = [*np.random.default_rng(seed).permutation(8).tolist(), 1, 2, 3, 0, 1]
    given = {"method": "linked", "expected": Expected(1.0, 2.0), "in_order": source,
             "phrases": phrases, "once": [0, 4], "no_dangling": [5]}  # fmt: skip
    whole = alternatives(lattice, weights, 40, 6, at_least=20, **given)
    best = decode(lattice, weights, 40, at_least=20, **given)
    problem = DecodingProblem.of(lattice, weights, given)
    automaton = problem.constraints.automaton(8, (), endings=False)
    contexts = 1 if not phrases else 10
    monkeypatch.setattr(
        linked_parts,
        "MOST_STEPS",
        parts_of(problem, automaton, 40, 0.0).steps * contexts // len(automaton.accept),
    )
    assert not parts_of(problem, automaton, 40, 0.0).is_whole
    assert parts_of(problem, automaton, 40, 0.0).unit == 1
    loosely = alternatives(lattice, weights, 40, 6, at_least=20, **given)
    assert [one.tokens for one in loosely] == [one.tokens for one in whole]
    assert [one.score for one in loosely] == pytest.approx([one.score for one in whole])
    assert decode(lattice, weights, 40, at_least=20, **given).score == pytest.approx(best.score)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("share", [2, 5, 40])
@pytest.mark.parametrize("in_order", [None, [*range(16)] * 3])
def test_past_its_work_an_answer_fits_keeps_the_rules_and_is_not_called_proven(
    monkeypatch, seed, share, in_order
):
    lattice = repeats(slots=30, seed=seed)
    given = {**REPEATS, "in_order": in_order, "no_dangling": range(4), "required": [7]}
    best = decode(lattice, WEIGHTS, 70, at_least=40, **given)
    problem = DecodingProblem.of(lattice, WEIGHTS, given)
    automaton = problem.constraints.automaton(16, (), endings=False)
    monkeypatch.setattr(linked_parts, "MOST_STEPS", 2**40)
    steps = parts_of(problem, automaton, 70, 0.0).steps
    monkeypatch.setattr(linked_parts, "MOST_STEPS", steps // (share * len(automaton.accept)) + 1)
    monkeypatch.setattr(decoder, "LIGHT", 0)
    monkeypatch.setattr(decoder, "MOST_BEGINNINGS", 600)
    found = alternatives(lattice, WEIGHTS, 70, 4, at_least=40, **given)
    for one in (*found, decode(lattice, WEIGHTS, 70, at_least=40, **given)):
        said = one.tokens
        assert 7 in said and len(set(said)) == len(said) and said[-1] >= 4
        assert one.weight == WEIGHTS[list(said)].sum() <= 70
        assert one.floor_met is bool(one.weight >= 40)
        assert not one.exact and not one.optimal
        assert not (one.floor_met and best.exact) or one.score <= best.score + 1e-9
        if in_order:
            rest = iter(in_order)
            assert all(word in rest for word in said)


def test_a_batch_takes_phrases_and_sources_for_all_or_one_each():
    lattice = linked([[0], [1], [2]], [[-0.1], [-0.1], [-0.1]], chain(3))
    shared = decode_batch([lattice] * 2, [1, 1, 1], 3, method="linked", phrases=[(0, 2)])
    assert [answer.tokens for answer in shared] == [(0, 2)] * 2
    each = decode_batch(
        [lattice] * 2, [1, 1, 1], 3, method="linked", phrases=[[], [(0, 2)]],
        in_order=[[1, 2], [0, 2]],
    )  # fmt: skip
    assert [answer.tokens for answer in each] == [(1, 2), (0, 2)]
