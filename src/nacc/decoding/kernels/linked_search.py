"""The n best different answers, and what a single answer is worth.

Best-first search over beginnings of answers. A beginning knows the best way to reach every slot,
so ways to say the same words never compete, and the table tells how well each next word can go on:
the search walks straight to the answers. Only words that may come once mislead it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from nacc.compiled import kernel
from nacc.decoding.kernels.arrays import Values, Weights
from nacc.decoding.kernels.linked import Graph
from nacc.decoding.kernels.linked_table import Rules, pair_worth

END = -1


class Beginnings(NamedTuple):
    """Beginnings of answers, the first being nothing said.

    parent, word: the beginning that it adds a word to, and the word's number.
    context, room: where it leaves the constraints, and the weight that is left.
    reach: (n, S + 1) by row, the most that saying so up to that slot gains.
    """

    parent: Weights
    word: Weights
    context: Weights
    room: Weights
    reach: Values


@kernel
def n_best(
    graph: Graph, rules: Rules, after: Values, slack: int, n: int, most: int
) -> tuple[Weights, Weights, bool]:
    """(n, S) the candidates of each answer, best first, and how many; whether all were found that
    there are, up to n, within `most` beginnings.

    slack: how far an answer may fall short of the table's weight.
    """
    S, M = len(graph.first) - 1, len(graph.said)
    begun = Beginnings(
        np.full(most, -1), np.full(most, -1), np.zeros(most, np.int64), np.zeros(most, np.int64),
        np.empty((most, S + 1)),
    )  # fmt: skip
    begun.room[0] = after.shape[2] - 1
    begun.reach[0, 0], begun.reach[0, 1:] = 0.0, -np.inf
    paths, lengths = np.empty((n, S), np.int64), np.zeros(n, np.int64)
    hope, ends = np.full(M + 1, -np.inf), np.full(n, -np.inf)  # hope[END]: of ending here
    queue = [(np.inf, 0, 0, END)]
    queue.clear()
    found, size, pushed, at = 0, 1, 0, 0
    while found < n:
        _look_ahead(graph, rules, after, slack, begun, at, hope)
        if hope[END] > ends.min():
            ends[ends.argmin()] = hope[END]
        worst = ends.min()  # of the n best so far: what cannot be better need not be kept
        for word in range(-1, M):
            again = word != END and rules.once[word] and _was_said(begun, at, word)
            if hope[word] > -np.inf and hope[word] >= worst and not again:
                heappush(queue, (-hope[word], pushed, at, word))
                pushed += 1
        while True:
            if not queue:
                return paths, lengths[:found], True
            _, _, node, word = heappop(queue)
            if word != END:
                break
            lengths[found] = _trace(graph, begun, node, paths[found])
            found += 1
            if found == n:
                return paths, lengths, True
        if size == most:
            return paths, lengths[:found], False
        _add(graph, rules, begun, node, word, size)
        at = size
        size += 1
    return paths, lengths, True


@kernel
def _look_ahead(
    graph: Graph,
    rules: Rules,
    after: Values,
    slack: int,
    begun: Beginnings,
    at: int,
    hope: Values,
) -> None:
    """For every next word, and END, the value of the best answer that goes on so."""
    hope[:] = -np.inf
    last, c, room = begun.word[at], begun.context[at], begun.room[at]
    ends = last >= 0 and room <= slack and rules.accept[c] and rules.may_end[last]
    for row in range(len(graph.stop)):
        reached = begun.reach[at, row]
        if reached == -np.inf:
            continue
        if ends:
            hope[END] = max(hope[END], reached + graph.stop[row])
        for e in range(graph.row[row], graph.row[row + 1]):
            for j in range(graph.first[graph.to[e]], graph.first[graph.to[e] + 1]):
                word, weight = graph.number[j], graph.weight[j]
                to = rules.move[c, rules.kind[word]]
                if to >= 0 and word != last and weight <= room:
                    gain = graph.link[e] + graph.value[j] + pair_worth(graph, last, word)
                    hope[word] = max(hope[word], reached + gain + after[j, to, room - weight])


@kernel
def _was_said(begun: Beginnings, at: int, word: int) -> bool:
    while at > 0:
        if begun.word[at] == word:
            return True
        at = begun.parent[at]
    return False


@kernel
def _add(graph: Graph, rules: Rules, begun: Beginnings, at: int, word: int, new: int) -> None:
    """A beginning with one word more."""
    last, reach = begun.word[at], begun.reach[new]
    reach[:] = -np.inf
    begun.parent[new], begun.word[new] = at, word
    begun.context[new] = rules.move[begun.context[at], rules.kind[word]]
    pair = pair_worth(graph, last, word)
    for row in range(len(graph.stop)):
        reached = begun.reach[at, row]
        for e in range(graph.row[row], graph.row[row + 1] if reached > -np.inf else 0):
            to = graph.to[e] + 1
            reach[to] = max(reach[to], reached + graph.link[e] + pair)
    for s in range(len(graph.first) - 1):
        j = _candidate(graph, s, word) if reach[s + 1] > -np.inf else -1
        reach[s + 1] = reach[s + 1] + graph.value[j] if j >= 0 else -np.inf
        if j >= 0:
            begun.room[new] = begun.room[at] - graph.weight[j]


@kernel
def _candidate(graph: Graph, slot: int, word: int) -> int:
    for j in range(graph.first[slot], graph.first[slot + 1]):
        if graph.number[j] == word:
            return j
    return -1


@kernel
def _trace(graph: Graph, begun: Beginnings, node: int, path: Weights) -> int:
    """Write down the candidates of a beginning's best path to the end; how many there are."""
    length, at = 0, node
    while at > 0:
        length += 1
        at = begun.parent[at]
    row = (begun.reach[node] + graph.stop).argmax()
    for t in range(length - 1, -1, -1):
        path[t] = _candidate(graph, row - 1, begun.word[node])
        node, best, before = begun.parent[node], -np.inf, 0
        for earlier in range(row):
            for e in range(graph.row[earlier], graph.row[earlier + 1]):
                total = begun.reach[node, earlier] + graph.link[e]
                if graph.to[e] == row - 1 and total > best:
                    best, before = total, earlier
        row = before
    return length


@kernel
def worth(graph: Graph, path: Weights) -> tuple[float, float, float]:
    """Of a path its score, the log of the sum over all paths that say the same, and the mean of
    what is expected over its words and pairs."""
    row, last, score, words, pairs = 0, -1, 0.0, 0.0, 0.0
    for j in path:
        word = graph.number[j]
        score += _link(graph, row, graph.slot[j]) + graph.value[j]
        words += graph.said[word]
        if last >= 0 and graph.common[last] >= 0 and graph.common[word] >= 0:
            pairs += graph.pair[graph.common[last], graph.common[word]]
        row, last = graph.slot[j] + 1, word
    score += graph.stop[row]
    alone = score - graph.words * words  # which a sum of tiny shares may fall short of
    mean = (words + pairs) / max(2 * len(path) - 1, 1)
    return score + graph.pairs * pairs, max(alone, _all_paths(graph, path)), mean


@kernel
def _link(graph: Graph, row: int, slot: int) -> float:
    for e in range(graph.row[row], graph.row[row + 1]):
        if graph.to[e] == slot:
            return graph.link[e]
    return -np.inf


@kernel
def _all_paths(graph: Graph, path: Weights) -> float:
    """As a product of shares, each word's scaled to 1."""
    S = len(graph.first) - 1
    reached, total = np.zeros(S + 1), 0.0
    reached[0] = 1.0
    for t in range(len(path) + 1):
        now = np.zeros(S + 1)
        if t == len(path):
            now[0] = (reached * np.exp(graph.stop)).sum()
        else:
            word = graph.number[path[t]]
            for row in range(S + 1):
                for e in range(graph.row[row], graph.row[row + 1] if reached[row] > 0 else 0):
                    now[graph.to[e] + 1] += reached[row] * np.exp(graph.link[e])
            for s in range(S):
                j = _candidate(graph, s, word) if now[s + 1] > 0 else -1
                said = graph.value[j] - graph.words * graph.said[word] if j >= 0 else -np.inf
                now[s + 1] *= np.exp(said)
        share = now.sum()
        if share == 0:
            return -np.inf
        reached = now / share
        total += np.log(share)
    return total
