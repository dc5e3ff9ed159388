"""How well a path through linked slots can go on: the table, and the path that it tells.

`after[i, c, x]` is the most that can still be gained after candidate i, the constraints being at
context c, with x weight to come. The next word may be any but the same, so what all candidates of
a slot share is, for every weight, the best way to go on, its first word, and the best way with
another first word. Expected pairs only ever add, and are few: they are tried one by one besides.
O(links · weights + candidates · weights + pairs' links · weights) a context.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Flags, Values, Weights
from nacc.decoding.kernels.linked import Graph


class Rules(NamedTuple):
    """What may be said, by the words' numbers: their class (M,) for the automaton's `move` and
    `accept`, whether they may come last (M,), and only once (M,)."""

    kind: NDArray[np.int16]
    move: NDArray[np.int16]
    accept: Flags
    may_end: Flags
    once: Flags


class Ways(NamedTuple):
    """The best ways on by the weight to come: the value of the best, its first word, and the value
    of the best with another first word."""

    best: Values
    which: Weights
    other: Values


@kernel
def linked_table(graph: Graph, rules: Rules, high: int, slack: int) -> tuple[Values, Values]:
    """`after`, and the value of the best path of every weight up to `high`.

    Weights to come may fall short of x by up to `slack`.
    """
    first, number, row, kind = graph.first, graph.number, graph.row, rules.kind
    S, C, X = len(first) - 1, len(rules.accept), high + 1
    after = np.full((len(number), C, X), -np.inf)
    best, other = np.full((S, C, X), -np.inf), np.full((S, C, X), -np.inf)
    which = np.full((S, C, X), -1, np.int64)
    comes, ways = _comes(rules), Ways(np.empty(X), np.empty(X, np.int64), np.empty(X))
    over = np.empty((len(graph.pair), X))
    to_slot, link, stop, value, weight = graph.to, graph.link, graph.stop, graph.value, graph.weight
    move, accept, may_end = rules.move, rules.accept, rules.may_end
    for s in range(S - 1, -1, -1):
        for c in range(C):
            needed = False
            for i in range(first[s], first[s + 1]):
                needed |= comes[kind[number[i]], c]
            if not needed:
                continue
            ways.best[:], ways.which[:], ways.other[:] = -np.inf, -1, -np.inf
            for e in range(row[s + 1], row[s + 2]):
                to = to_slot[e]
                _merge(ways, link[e], best[to, c], which[to, c], other[to, c])
            for i in range(first[s], first[s + 1]):
                word = number[i]
                if comes[kind[word], c]:
                    end = stop[s + 1] if accept[c] and may_end[word] else -np.inf
                    _go_on(ways, word, end, slack, after[i, c])
            _add_pairs(graph, rules, comes, after, s, c, over)
        for c in range(C):
            here = Ways(best[s, c], which[s, c], other[s, c])
            for i in range(first[s], first[s + 1]):
                context = move[c, kind[number[i]]]
                if context >= 0:
                    _say(here, after[i, context], value[i], number[i], weight[i])
    totals = np.full(X, -np.inf)
    for e in range(row[0], row[1]):
        _better(totals, best[to_slot[e], 0], link[e])
    return after, totals


@kernel
def _comes(rules: Rules) -> NDArray[np.bool_]:
    """Whether a word of each class can lead to each context."""
    found = np.zeros((rules.move.shape[1], len(rules.accept)), np.bool_)
    for c in range(len(rules.accept)):
        for kind in range(rules.move.shape[1]):
            if rules.move[c, kind] >= 0:
                found[kind, rules.move[c, kind]] = True
    return found


@kernel
def _merge(ways: Ways, link: float, best: Values, which: Weights, other: Values) -> None:
    """Take in the ways on over one more link. Without branches, so that it runs in parallel.

    Whatever another way's second best begins with: it matters only where its best begins as ours
    does, or is better than ours.
    """
    for x in range(len(best)):
        new, old, second, third = best[x] + link, ways.best[x], other[x] + link, ways.other[x]
        same, wins = which[x] == ways.which[x], new > old
        loser = old if wins else new
        loser = second if same or (wins and second > loser) else loser
        ways.other[x] = loser if loser > third else third
        ways.best[x] = new if wins else old
        ways.which[x] = which[x] if wins else ways.which[x]


@kernel
def _go_on(ways: Ways, word: int, stop: float, slack: int, mine: Values) -> None:
    """After a word: any other, or the end."""
    for x in range(len(mine)):
        mine[x] = ways.other[x] if ways.which[x] == word else ways.best[x]
    for x in range(min(slack + 1, len(mine))):
        mine[x] = max(mine[x], stop)


@kernel
def _add_pairs(
    graph: Graph, rules: Rules, comes: Flags, after: Values, slot: int, c: int, over: Values
) -> None:
    """Let the words that are expected right after each candidate compete, at every weight.

    over: (F, X) room for the ways on over each common word.
    """
    first, number, common, pair = graph.first, graph.number, graph.common, graph.pair
    row, to, link, value, weight = graph.row, graph.to, graph.link, graph.value, graph.weight
    kind, move, second, holds = rules.kind, rules.move, graph.second, graph.holds
    said = np.full(len(pair), -1)  # a candidate with the word, once its ways are known
    for i in range(first[slot], first[slot + 1] if graph.pairs > 0 else 0):
        a, mine = common[number[i]], after[i, c]
        for n in range(len(pair) if a >= 0 and comes[kind[number[i]], c] else 0):
            b = second[a, n]
            if b < 0:
                break
            for e in range(row[slot + 1], row[slot + 2] if said[b] < 0 else 0):
                j = holds[to[e], b]
                context = move[c, kind[number[j]]] if j >= 0 else -1
                if context >= 0:
                    if said[b] < 0:
                        over[b] = -np.inf
                        said[b] = j
                    _better(over[b], after[j, context], link[e] + value[j])
            if said[b] >= 0:
                _better(mine[weight[said[b]] :], over[b], graph.pairs * pair[a, b])


@kernel
def _better(mine: Values, later: Values, gain: float) -> None:
    for x in range(len(mine)):
        new = later[x] + gain
        mine[x] = new if new > mine[x] else mine[x]


@kernel
def _say(here: Ways, later: Values, value: float, word: int, weight: int) -> None:
    """Let a word of a slot compete, at every weight."""
    best, which, other = here.best[weight:], here.which[weight:], here.other[weight:]
    for x in range(len(best)):
        new, old, second = later[x] + value, best[x], other[x]
        wins = new > old
        loser = old if wins else new
        other[x] = loser if loser > second else second
        best[x] = new if wins else old
        which[x] = word if wins else which[x]


@kernel
def pair_worth(graph: Graph, word: int, following: int) -> float:
    """What two neighbours add, by their numbers; below 0 for the first, nothing came before."""
    if word < 0:
        return 0.0
    a, b = graph.common[word], graph.common[following]
    return graph.pairs * graph.pair[a, b] if a >= 0 and b >= 0 else 0.0


@kernel
def follow(graph: Graph, rules: Rules, after: Values, weight: int, slack: int) -> Weights:
    """The candidates of the best path of a weight, or up to `slack` less; of equals the first."""
    path, length = np.empty(len(graph.first), np.int64), 0
    row, last, c, x = 0, -1, 0, weight
    while True:
        best, chosen, context = -np.inf, -1, 0
        if last >= 0 and x <= slack and rules.accept[c] and rules.may_end[last]:
            best = graph.stop[row]
        for e in range(graph.row[row], graph.row[row + 1]):
            for j in range(graph.first[graph.to[e]], graph.first[graph.to[e] + 1]):
                word = graph.number[j]
                to = rules.move[c, rules.kind[word]]
                if to < 0 or word == last or graph.weight[j] > x:
                    continue
                gain = graph.link[e] + graph.value[j] + pair_worth(graph, last, word)
                total = gain + after[j, to, x - graph.weight[j]]
                if total > best:
                    best, chosen, context = total, j, to
        if chosen < 0:
            return path[:length]
        path[length] = chosen
        length += 1
        row, last, c = graph.slot[chosen] + 1, graph.number[chosen], context
        x -= graph.weight[chosen]
