"""Which kernel answers a problem, and what its answer is worth.

`no_dangling` and `once` are met by relaxation: decode without them; if the answer ends on a word
it may not end on, let the automaton watch endings; if a word came twice, let it remember that
word; and decode again. Each round is exact for a looser problem, so the first answer that keeps
the rules is the best one. Words beyond what the automaton can remember are kept from slots
instead, which is still sure but no longer proven best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from nacc.decoding import bucketed, coherent, coherent_paths, exact, greedy
from nacc.decoding.arrays import Values, Weights, Words
from nacc.decoding.bounds import best_cut_off, best_elsewhere
from nacc.decoding.candidates import Candidates, usable
from nacc.decoding.coherence import Coherence
from nacc.decoding.constraints import MOST_MARKED, Automaton, Constraints
from nacc.decoding.decoded import Decoded
from nacc.decoding.pairs import pair_table
from nacc.decoding.problem import Problem
from nacc.errors import BudgetTooSmall, InvalidInput, NaccError
from nacc.lattice import NO_WORD, Lattice

MOST_CELLS = 2**28  # of a table: slots × candidates × contexts × weights
UNLIMITED = 2**62


def solve(problem: Problem, lows: Sequence[int], highs: Sequence[int]) -> list[Decoded]:
    """The best answer with weight in [lows[i], highs[i]], for every i."""
    if problem.method in ("greedy", "bucketed"):
        return [_simple(problem, low, high) for low, high in zip(lows, highs, strict=True)]
    if not highs:
        return []
    constraints, vocabulary = problem.constraints, len(problem.weights)
    single: tuple[int, ...] = ()
    endings = barred = False
    while True:
        automaton = constraints.automaton(vocabulary, single, endings=endings)
        answers = _best(problem, automaton, lows, highs)
        if answers is None:
            raise _impossible(problem, constraints.automaton(vocabulary, single), max(highs))
        ends_well = not any(_dangles(constraints, answer) for answer in answers)
        repeat = next((pair for answer in answers for pair in _twice(constraints, answer)), None)
        if ends_well and repeat is None:
            return (
                [replace(answer, exact=False, optimal=False) for answer in answers]
                if barred
                else answers
            )
        endings = endings or not ends_well
        if repeat is None:
            continue
        word, slot = repeat
        if len(constraints.marked((*single, word))) <= MOST_MARKED:
            single = (*single, word)
        else:
            problem, barred = replace(problem, lattice=_bar(problem.lattice, word, slot)), True


def _dangles(constraints: Constraints, answer: Decoded) -> bool:
    return bool(answer.tokens) and answer.tokens[-1] in constraints.no_dangling


def _twice(constraints: Constraints, answer: Decoded) -> Iterator[tuple[int, int]]:
    """The words that may come once and came again, with the slot where they did."""
    if constraints.once:
        seen = set()
        for word, slot in zip(answer.tokens, answer.starts, strict=True):
            if word in seen and word in constraints.once:
                yield word, slot
            seen.add(word)


def _bar(lattice: Lattice, word: int, slot: int) -> Lattice:
    """The lattice without a word, from a slot on."""
    values = lattice.values.copy()
    values[slot:][lattice.words[slot:] == word] = -np.inf
    return replace(lattice, values=values)


def _best(
    problem: Problem, automaton: Automaton, lows: Sequence[int], highs: Sequence[int]
) -> list[Decoded] | None:
    """The best answers under an automaton, or None if required words cannot be had."""
    found = candidates(problem, automaton, max(highs))
    limits = (np.array(lows, np.int64), np.array(highs, np.int64))
    if problem.coherence is None:
        return _exact(problem, found, automaton, *limits)
    return _coherent(problem, found, automaton, *limits, problem.coherence)


def candidates(problem: Problem, automaton: Automaton, budget: int) -> Candidates:
    """The usable candidates, unless a table over them would be beyond reason."""
    lattice = problem.lattice
    found = usable(lattice, problem.weights, automaton.classes, min(budget, UNLIMITED))
    cells = lattice.words.size * len(automaton.accept) * (found.heaviest + 1)
    if cells > MOST_CELLS:
        raise InvalidInput(
            f"{lattice.slots} slots and weights up to {found.heaviest} need a table of {cells} "
            f"cells; at most {MOST_CELLS} are allowed: weigh words in coarser units"
        )
    return found


def with_words(found: Candidates, columns: Words) -> Words:
    """Candidates' columns (…, S) as word ids, -1 as NO_WORD."""
    slots = len(found.words)
    words = np.append(found.words, np.full((slots, 1), NO_WORD, np.int32), axis=1)
    return words[np.arange(slots), columns]


def _exact(
    problem: Problem, found: Candidates, automaton: Automaton, lows: Weights, highs: Weights
) -> list[Decoded] | None:
    symbols, starts, emitted, scores, weights, reached = exact.solve(
        found.words, found.values, found.weights, found.classes, found.counts,
        problem.lattice.blank, automaton.move, automaton.accept, lows, highs, found.heaviest,
        problem.merge,
    )  # fmt: skip
    if problem.constraints.required and not reached.all():
        return None
    return [
        as_decoded(problem, symbols[i], starts[i, : emitted[i]], score, weight, low, True,
                   _not_beaten(found.elsewhere, score, weight < low))
        for i, (score, weight, low) in enumerate(_each(scores, weights, lows))
    ]  # fmt: skip


def _coherent(
    problem: Problem,
    found: Candidates,
    automaton: Automaton,
    lows: Weights,
    highs: Weights,
    coherence: Coherence,
) -> list[Decoded] | None:
    lattice = problem.lattice
    pairs = pair_table(found, coherence)
    beam = coherence.beam or 0
    values = (pairs.steps, pairs.worth, pairs.base, pairs.known)
    states, begin, size, cut = coherent.fill(
        pairs.local, found.values, found.weights, found.classes, found.counts, lattice.blank,
        *values, pairs.spread, pairs.row_top, automaton.move, automaton.accept, found.heaviest,
        beam, problem.merge,
    )  # fmt: skip
    columns, starts, emitted, scores, weights, reached = coherent_paths.follow(
        states, begin[0, 0], size[0, 0], pairs.local, found.values, lattice.blank, *values, lows,
        highs, problem.merge,
    )  # fmt: skip
    missed = best_cut_off(found, pairs, lattice, cut)
    short = ((weights < lows) | ~reached).tolist()
    if missed > -np.inf and any(short):  # what was cut off might have been heavy enough
        unlimited = replace(coherence, beam=None)
        return _coherent(problem, found, automaton, lows, highs, unlimited)
    if problem.constraints.required and not reached.all():
        return None
    symbols = with_words(found, columns)
    elsewhere = max(missed, best_elsewhere(found, lattice, pairs, coherence))
    return [
        as_decoded(problem, symbols[i], starts[i, : emitted[i]], score, weight, low,
                   _not_beaten(missed, score, short[i]), _not_beaten(elsewhere, score, short[i]))
        for i, (score, weight, low) in enumerate(_each(scores, weights, lows))
    ]  # fmt: skip


def _each(scores: Values, weights: Weights, lows: Weights) -> Iterator[tuple[float, int, int]]:
    return zip(scores.tolist(), weights.tolist(), lows.tolist(), strict=True)


def _not_beaten(bound: float, score: float, short: bool) -> bool:
    """Whether an answer is at least as good as anything with a score up to `bound` could be.

    Where the floor was missed, a score is no argument: anything at all might have met it.
    """
    return bound == -np.inf if short else bound <= score


def _simple(problem: Problem, low: int, high: int) -> Decoded:
    """Greedy and bucketed: proven best only if no path at all could score higher."""
    lattice = problem.lattice
    limit = UNLIMITED if problem.method == "greedy" else min(high, UNLIMITED)
    classes = np.zeros(len(problem.weights), np.int8)
    found = usable(lattice, problem.weights, classes, limit)
    table = (found.words, found.values, found.weights, found.counts, lattice.blank)
    if problem.method == "greedy":
        symbols, starts, emitted, score, weight = greedy.solve(*table, high, problem.merge)
    else:
        symbols, starts, emitted, score, weight = bucketed.solve(
            *table, low, high, found.heaviest, problem.bucket, problem.merge
        )
    proven = weight >= low and found.ceiling <= score
    return as_decoded(problem, symbols, starts[:emitted], score, weight, low, proven, proven)


def as_decoded(
    problem: Problem,
    symbols: Words,
    starts: Words,
    score: float,
    weight: int,
    low: int,
    exact: bool,
    optimal: bool,
) -> Decoded:
    """What a kernel found, as the caller gets it."""
    slots, first = symbols.tolist(), starts.tolist()
    tokens = tuple([slots[slot] for slot in first])
    if problem.epsilon >= 0:
        slots = [problem.epsilon if word < 0 else word for word in slots]
    return Decoded(
        tokens=tokens,
        slots=tuple(slots),
        score=float(score),
        weight=int(weight),
        optimal=bool(optimal),
        exact=bool(exact),
        floor_met=bool(weight >= low),
        starts=tuple(first),
    )


def _impossible(problem: Problem, automaton: Automaton, budget: int) -> NaccError:
    """Why the required words cannot be had, and which budget would do."""
    required = problem.constraints.required
    lattice = problem.lattice
    usable_words = lattice.words[lattice.values > -np.inf]
    missing = [word for word in required if word not in usable_words]
    if missing:
        return InvalidInput(f"required words {missing} are candidates in no slot")
    limit = MOST_CELLS // (lattice.words.size * len(automaton.accept)) - 1
    found = usable(lattice, problem.weights, automaton.classes, limit)
    highs = np.arange(budget + 1, found.heaviest + 1)
    *_, reached = exact.solve(
        found.words, found.values, found.weights, found.classes, found.counts, lattice.blank,
        automaton.move, automaton.accept, np.zeros_like(highs), highs, found.heaviest,
        problem.merge,
    )  # fmt: skip
    if not reached.any():
        return InvalidInput(f"no path through the lattice has all required words {list(required)}")
    smallest = int(highs[reached.argmax()])
    if problem.constraints.once:
        try:
            solve(problem, [0], [smallest])
        except BudgetTooSmall as error:  # more room for another way, without the repeats
            smallest = int(error.smallest)
        except InvalidInput as error:
            return error
    return BudgetTooSmall(
        f"required words {list(required)} do not fit a budget of {budget}; {smallest} would do",
        smallest,
    )
