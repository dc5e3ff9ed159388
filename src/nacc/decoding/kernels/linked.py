"""From candidates and links to a graph, less what hardly ever happens; and what it expects."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Candidates, Flags, Values, Weights, Words
from nacc.decoding.kernels.passing import passed

SELDOM = 0.01  # words and pairs that are expected less often than this are worth nothing as pairs


class Graph(NamedTuple):
    """The candidates of all slots side by side, and the links between slots, row by row.

    first:  (S + 1,) where the candidates of each slot begin.
    number, value, weight, slot: (N,) of each candidate the word as a number of Candidates, its
            log-probability with η · said, its weight and its slot.
    row:    (S + 2,) where the links of each row begin: row 0 is the begin, row i + 1 slot i.
    to, link: (E,) the slot that a link goes to, and its log-probability.
    stop:   (S + 1,) the log-probability of ending after each row.
    said:   (M,) min(1, c(w)) of each word.
    common: (M,) the word's place in `pair`, -1 if it is in no pair that counts.
    pair:   (F, F) min(1, c(a, b)), 0 where that is too little to count.
    second: (F, F) by common word, the places of those that make a pair after it, then -1.
    holds:  (S, F) the candidate of a slot that is this common word, or -1.
    words, pairs: η and η₂.
    heaviest:  no path is heavier than this.
    elsewhere: no path with a candidate or link that is left out here, or a word that the lattice
            left out, scores higher than this.
    """

    first: Weights
    number: Words
    value: Values
    weight: Weights
    slot: Weights
    row: Weights
    to: Weights
    link: Values
    stop: Values
    said: Values
    common: Weights
    pair: Values
    second: Weights
    holds: Weights
    words: float
    pairs: float
    heaviest: int
    elsewhere: float


class Chances(NamedTuple):
    """Probabilities: of links (S + 1, S + 1), of candidates (S, K), and that a path passes each
    slot (S,)."""

    links: Values
    words: Values
    passing: Values


@kernel
def wrong_link(links: Values) -> tuple[int, int]:
    """Where a link that is read is no log-probability; (-1, -1) if none is so."""
    for i in range(len(links)):
        for j in range(i, len(links)):
            if not links[i, j] < np.inf:
                return i, j
    return -1, -1


@kernel
def linked_graph(
    found: Candidates, links: Values, rest: Values, words: float, pairs: float, rare: float
) -> Graph:
    """The graph of the slots, candidates and links whose probability is at least `rare`.

    words, pairs: η and η₂. What is expected is counted over all of the lattice.
    """
    numbers, values, weights, counts = found.numbers, found.values, found.weights, found.counts
    S, said = len(counts), np.zeros(len(found.members))
    chances = _chances(found, links)
    passing, likely = chances.passing, chances.words
    for s in range(S):
        for k in range(counts[s]):
            said[numbers[s, k]] += passing[s] * likely[s, k]
    common, pair = _pairs(found, chances, said)
    said = np.minimum(said, 1.0)
    kept, first = np.zeros(likely.shape, np.bool_), np.zeros(S + 1, np.int64)
    for s in range(S):
        first[s + 1] = first[s]
        for k in range(counts[s] if passing[s] >= rare else 0):
            kept[s, k] = likely[s, k] >= rare
            first[s + 1] += kept[s, k]
    open_slots = first[1:] > first[:-1]
    number, slot = np.empty(first[-1], np.int32), np.empty(first[-1], np.int64)
    value, weight = np.empty(first[-1]), np.empty(first[-1], np.int64)
    at, holds = 0, np.full((S, len(pair)), -1)
    for s in range(S):
        for k in range(counts[s]):
            word = numbers[s, k]
            if kept[s, k]:
                number[at], slot[at], weight[at] = word, s, weights[s, k]
                value[at] = values[s, k] + words * said[word]
                if common[word] >= 0:
                    holds[s, common[word]] = at
                at += 1
    row, to, link, linked = _rows(links, chances.links, open_slots, rare)
    stop = np.full(S + 1, -np.inf)
    for s in range(S):
        if open_slots[s]:
            stop[s + 1] = links[s + 1, S]
    heaviest = _heaviest(first, weight, row, to)
    gains = _gains(found, kept, rest, said, words)
    most = pairs * pair.max() if pair.size else 0.0
    elsewhere = _elsewhere(links, linked, gains[0], gains[1], most, pairs)
    return Graph(
        first, number, value, weight, slot, row, to, link, stop, said, common, pair, _seconds(pair),
        holds, words, pairs, heaviest, elsewhere,
    )  # fmt: skip


@kernel
def steps(graph: Graph) -> int:
    """What a table takes, for every context and weight: candidates, links, and those links that
    may end a pair that counts."""
    seconds, total = np.zeros(len(graph.pair), np.bool_), len(graph.number) + len(graph.to)
    for a in range(len(graph.pair)):
        for b in range(len(graph.pair)):
            seconds[b] |= graph.pair[a, b] > 0
    held = np.zeros(len(graph.holds), np.int64)
    for s in range(len(graph.holds) if graph.pairs > 0 else 0):
        for b in range(len(seconds)):
            held[s] += seconds[b] and graph.holds[s, b] >= 0
    for e in range(len(graph.to)):
        total += held[graph.to[e]]
    return total


@kernel
def coarser(graph: Graph, unit: int) -> Graph:
    """The graph with so many weights in one, words rounded up."""
    weight = -(-graph.weight // unit)
    heaviest = _heaviest(graph.first, weight, graph.row, graph.to)
    return Graph(
        graph.first, graph.number, graph.value, weight, graph.slot, graph.row, graph.to, graph.link,
        graph.stop, graph.said, graph.common, graph.pair, graph.second, graph.holds, graph.words,
        graph.pairs, heaviest, graph.elsewhere,
    )  # fmt: skip


@kernel
def _chances(found: Candidates, links: Values) -> Chances:
    values, counts = found.values, found.counts
    S = len(counts)
    likely, words = np.zeros((S + 1, S + 1)), np.zeros(values.shape)
    for i in range(S + 1):
        for j in range(i, S + 1):
            likely[i, j] = np.exp(links[i, j])
    for s in range(S):
        for k in range(counts[s]):
            words[s, k] = np.exp(values[s, k])
    return Chances(likely, words, passed(likely))


@kernel
def _pairs(found: Candidates, chances: Chances, said: Values) -> tuple[Weights, Values]:
    """Graph.common and Graph.pair, given how often each word is expected."""
    numbers, counts, S = found.numbers, found.counts, len(found.counts)
    links, words, passing = chances.links, chances.words, chances.passing
    common, size = np.full(len(said), -1), 0
    for word in range(len(said)):
        if said[word] >= SELDOM:
            common[word] = size
            size += 1
    pair, after = np.zeros((size, size)), np.empty(size)
    for s in range(S):
        after[:] = 0.0  # how often each word is expected in the slot that comes next
        for later in range(s + 1, S):
            chance = links[s + 1, later]
            for k in range(counts[later] if chance > 0 else 0):
                b = common[numbers[later, k]]
                if b >= 0:
                    after[b] += chance * words[later, k]
        for k in range(counts[s]):
            a = common[numbers[s, k]]
            if a >= 0:
                share = passing[s] * words[s, k]
                for b in range(size):
                    pair[a, b] += share * after[b]
    for a in range(size):
        for b in range(size):
            pair[a, b] = min(pair[a, b], 1.0) if pair[a, b] >= SELDOM and a != b else 0.0
    return common, pair


@kernel
def _seconds(pair: Values) -> Weights:
    """Graph.second."""
    second = np.full(pair.shape, -1)
    for a in range(len(pair)):
        n = 0
        for b in range(len(pair)):
            if pair[a, b] > 0:
                second[a, n] = b
                n += 1
    return second


@kernel
def _rows(
    links: Values, likely: Values, open_slots: Flags, rare: float
) -> tuple[Weights, Weights, Values, Flags]:
    """Graph.row, to and link, and which of all links these are."""
    S = len(open_slots)
    linked = np.zeros((S + 1, S + 1), np.bool_)
    row = np.zeros(S + 2, np.int64)
    for i in range(S + 1):
        for j in range(i, S if i == 0 or open_slots[i - 1] else 0):
            linked[i, j] = open_slots[j] and likely[i, j] >= rare and links[i, j] > -np.inf
        row[i + 1] = row[i] + linked[i].sum()
    to, link = np.empty(row[-1], np.int64), np.empty(row[-1])
    at = 0
    for i in range(S + 1):
        for j in range(i, S):
            if linked[i, j]:
                to[at], link[at] = j, links[i, j]
                at += 1
    return row, to, link, linked


@kernel
def _heaviest(first: Weights, weight: Weights, row: Weights, to: Weights) -> int:
    """The most that a path weighs."""
    S = len(first) - 1
    ahead = np.zeros(S, np.int64)
    for i in range(S, -1, -1):
        most = 0
        for e in range(row[i], row[i + 1]):
            most = max(most, ahead[to[e]])
        if i == 0:
            return most
        for j in range(first[i - 1], first[i]):
            ahead[i - 1] = max(ahead[i - 1], most + weight[j])
    return 0


@kernel
def _gains(
    found: Candidates, kept: Flags, rest: Values, said: Values, words: float
) -> tuple[Values, Values]:
    """The most that a kept word adds in each slot, and that one left out does."""
    numbers, values, counts = found.numbers, found.values, found.counts
    S = len(counts)
    inside, outside = np.full(S, -np.inf), rest + words
    for s in range(S):
        for k in range(counts[s]):
            if kept[s, k]:
                inside[s] = max(inside[s], values[s, k] + words * said[numbers[s, k]])
            else:
                outside[s] = max(outside[s], values[s, k] + words)
    return inside, outside


@kernel
def _elsewhere(
    links: Values, linked: Flags, inside: Values, outside: Values, pair: float, any_pair: float
) -> float:
    """The bound on paths with something that was left out: pairs are all worth the most."""
    S = len(inside)
    whole, broken = np.full(S, -np.inf), np.full(S, -np.inf)
    best = -np.inf
    for s in range(S):
        known = unknown = -np.inf  # arriving with nothing left out so far, and otherwise
        if linked[0, s]:
            known = links[0, s]
        else:
            unknown = links[0, s]
        leap = known
        for before in range(s):
            step = links[before + 1, s]
            leap = max(leap, whole[before] + step + any_pair)
            unknown = max(unknown, broken[before] + step + any_pair)
            if linked[before + 1, s]:
                known = max(known, whole[before] + step + pair)
            else:
                unknown = max(unknown, whole[before] + step + any_pair)
        whole[s] = known + inside[s]
        broken[s] = max(unknown + max(inside[s], outside[s]), leap + outside[s])
        best = max(best, broken[s] + links[s + 1, S])
    return best
