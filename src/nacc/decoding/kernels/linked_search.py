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
from nacc.decoding.kernels.arrays import Contexts, Values, Weights
from nacc.decoding.kernels.linked import Graph
from nacc.decoding.kernels.linked_table import Rules, pair_worth


class Beginnings(NamedTuple):
    """Beginnings of answers, the first being nothing said.

    parent, word: the beginning that it adds a word to, and the word's number.
    context, room: where it leaves the constraints, and the weight that is left.
    reach: (n, S + 1) by row, the most that saying so up to that slot gains.
    onward: (n, S) by slot, the most that going on to it gains, before anything is said there.
    hope:  (n, M + 1) by next word, and at last for the end, the value of the best answer that goes
           on so; -inf once that was looked into.
    """

    parent: Weights
    word: Weights
    context: Weights
    room: Weights
    reach: Values
    onward: Values
    hope: Values


@kernel
def n_best(
    graph: Graph, rules: Rules, after: Values, stands: Contexts, slack: int, n: int, most: int
) -> tuple[Weights, Weights, bool, Weights, int]:
    """(n, S) the candidates of each answer, best first, and how many; whether all were found that
    there are, up to n, within `most` beginnings; if none was before, the candidates of the heaviest
    beginning that can end; and how many it looked at. A beginning takes O(links + candidates).

    stands: which of the table's contexts each context is to it. slack: how far an answer may fall
    short of the table's weight.
    """
    S, end = len(graph.first) - 1, len(graph.said)
    begun = Beginnings(
        np.full(most, -1), np.full(most, -1), np.zeros(most, np.int64), np.zeros(most, np.int64),
        np.empty((most, S + 1)), np.empty((most, S)), np.empty((most, end + 1)),
    )  # fmt: skip
    begun.room[0] = after.shape[2] - 1
    begun.reach[0, 0], begun.reach[0, 1:] = 0.0, -np.inf
    paths, lengths = np.empty((n, S), np.int64), np.zeros(n, np.int64)
    queue = [(np.inf, 0)]
    queue.clear()
    found, size, at = 0, 1, 0
    while True:
        _look_ahead(graph, rules, after, stands, slack, begun, at)
        _enqueue(queue, begun, at)
        word = end
        while word == end:
            if found == n or not queue:
                return paths, lengths[:found], True, paths[0, :0], size
            _, at = heappop(queue)
            word = begun.hope[at].argmax()
            begun.hope[at, word] = -np.inf
            _enqueue(queue, begun, at)
            if word == end:
                lengths[found] = _trace(graph, begun, at, paths[found])
                found += 1
        if size == most:
            resort = _resort(graph, rules, begun, size) if found == 0 else paths[0, :0]
            return paths, lengths[:found], False, resort, size
        _add(graph, rules, begun, at, word, size)
        at = size
        size += 1


@kernel
def _enqueue(queue: list[tuple[float, int]], begun: Beginnings, at: int) -> None:
    best = begun.hope[at].max()
    if best > -np.inf:
        heappush(queue, (-best, at))


@kernel
def _look_ahead(
    graph: Graph,
    rules: Rules,
    after: Values,
    stands: Contexts,
    slack: int,
    begun: Beginnings,
    at: int,
) -> None:
    """Fill in Beginnings.onward and .hope."""
    hope, reach, onward = begun.hope[at], begun.reach[at], begun.onward[at]
    hope[:], onward[:] = -np.inf, -np.inf
    last, c, room = begun.word[at], begun.context[at], begun.room[at]
    ends = last >= 0 and room <= slack and rules.accept[c] and rules.may_end[last]
    first, number, value, weight = graph.first, graph.number, graph.value, graph.weight
    row, to, link, stop = graph.row, graph.to, graph.link, graph.stop
    move, kind = rules.move, rules.kind
    for i in range(len(reach)):
        if reach[i] == -np.inf:
            continue
        if ends:
            hope[-1] = max(hope[-1], reach[i] + stop[i])
        for e in range(row[i], row[i + 1]):
            onward[to[e]] = max(onward[to[e]], reach[i] + link[e])
    for s in range(len(onward)):
        for j in range(first[s], first[s + 1] if onward[s] > -np.inf else 0):
            word = number[j]
            context = move[c, kind[word]]
            if context >= 0 and word != last and weight[j] <= room:
                total = onward[s] + value[j] + after[j, stands[context], room - weight[j]]
                hope[word] = max(hope[word], total)
    common, pair = graph.common, graph.pair
    if last >= 0 and common[last] >= 0:
        for word in range(len(common)):
            if hope[word] > -np.inf and common[word] >= 0:
                hope[word] += graph.pairs * pair[common[last], common[word]]
    while at > 0:  # what was said and may come only once
        if rules.once[begun.word[at]]:
            hope[begun.word[at]] = -np.inf
        at = begun.parent[at]


@kernel
def _add(graph: Graph, rules: Rules, begun: Beginnings, at: int, word: int, new: int) -> None:
    """A beginning with one word more."""
    reach, onward = begun.reach[new], begun.onward[at]
    reach[0] = -np.inf
    begun.parent[new], begun.word[new] = at, word
    begun.context[new] = rules.move[begun.context[at], rules.kind[word]]
    pair = pair_worth(graph, begun.word[at], word)
    for s in range(len(onward)):
        j = _candidate(graph, s, word) if onward[s] > -np.inf else -1
        reach[s + 1] = onward[s] + pair + graph.value[j] if j >= 0 else -np.inf
        if j >= 0:
            begun.room[new] = begun.room[at] - graph.weight[j]


@kernel
def _resort(graph: Graph, rules: Rules, begun: Beginnings, size: int) -> Weights:
    """The candidates of the heaviest beginning that can end; of equals the first."""
    least, best = begun.room[0] + 1, -1
    for at in range(1, size):
        ends = rules.accept[begun.context[at]] and rules.may_end[begun.word[at]]
        if ends and begun.room[at] < least and (begun.reach[at] + graph.stop).max() > -np.inf:
            least, best = begun.room[at], at
    path = np.empty(len(graph.first), np.int64)
    return path[: _trace(graph, begun, best, path)] if best >= 0 else path[:0]


@kernel
def _candidate(graph: Graph, slot: int, word: int) -> int:
    number = graph.number
    for j in range(graph.first[slot], graph.first[slot + 1]):
        if number[j] == word:
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
        reach = begun.reach[node]
        for earlier in range(row):
            if reach[earlier] > -np.inf:
                total = reach[earlier] + _link(graph, earlier, row - 1)
                if total > best:
                    best, before = total, earlier
        row = before
    return length


@kernel
def worths(graph: Graph, paths: Weights, lengths: Weights) -> Values:
    """What `worth` says of each of (n, S) paths, of which so many candidates count: (n, 3)."""
    found, links, holds = np.empty((len(lengths), 3)), np.exp(graph.link), _holds(graph)
    for i in range(len(lengths)):
        found[i] = worth(graph, paths[i, : lengths[i]], links, holds)
    return found


@kernel
def _holds(graph: Graph) -> Weights:
    """(M, S) the candidate of a slot that says this word, or -1."""
    holds = np.full((len(graph.said), len(graph.first) - 1), -1)
    for j in range(len(graph.number) - 1, -1, -1):  # of equals the first
        holds[graph.number[j], graph.slot[j]] = j
    return holds


@kernel
def worth(graph: Graph, path: Weights, links: Values, holds: Weights) -> tuple[float, float, float]:
    """Of a path its score, the log of the sum over all paths that say the same, and the mean of
    what is expected over its words and pairs; links: their probabilities."""
    score, alone, mean = _alone(graph, path)  # a sum of tiny shares may fall short of it
    return score, max(alone, _all_paths(graph, path, links, holds)), mean


@kernel
def figures(graph: Graph, paths: Weights, lengths: Weights) -> Values:
    """The same of each of (n, S) paths, but for the sum over others: (n, 2)."""
    found = np.empty((len(lengths), 2))
    for i in range(len(lengths)):
        found[i, 0], _, found[i, 1] = _alone(graph, paths[i, : lengths[i]])
    return found


@kernel
def _alone(graph: Graph, path: Weights) -> tuple[float, float, float]:
    """Of a path its score, the log of its own probability, and the mean of what is expected."""
    row, last, score, words, pairs = 0, -1, 0.0, 0.0, 0.0
    for j in path:
        word = graph.number[j]
        score += _link(graph, row, graph.slot[j]) + graph.value[j]
        words += graph.said[word]
        if last >= 0 and graph.common[last] >= 0 and graph.common[word] >= 0:
            pairs += graph.pair[graph.common[last], graph.common[word]]
        row, last = graph.slot[j] + 1, word
    score += graph.stop[row]
    mean = (words + pairs) / max(2 * len(path) - 1, 1)
    return score + graph.pairs * pairs, score - graph.words * words, mean


@kernel
def _link(graph: Graph, row: int, slot: int) -> float:
    to = graph.to
    for e in range(graph.row[row], graph.row[row + 1]):
        if to[e] == slot:
            return graph.link[e]
    return -np.inf


@kernel
def _all_paths(graph: Graph, path: Weights, link: Values, holds: Weights) -> float:
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
            here = holds[word]
            for row in range(S + 1):
                for e in range(graph.row[row], graph.row[row + 1] if reached[row] > 0 else 0):
                    if here[graph.to[e]] >= 0:
                        now[graph.to[e] + 1] += reached[row] * link[e]
            for s in range(S):
                if now[s + 1] > 0:
                    now[s + 1] *= np.exp(graph.value[here[s]] - graph.words * graph.said[word])
        share = now.sum()
        if share == 0:
            return -np.inf
        reached = now / share
        total += np.log(share)
    return total
