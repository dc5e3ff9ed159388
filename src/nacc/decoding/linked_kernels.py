"""Compiled recursions over linked slots: expectations, the best that is still ahead, the n best.

Arrays, for U slots and N candidates, a slot's side by side: `first` (U + 1) where a slot's
candidates begin; `word`, `value` (N) their word ids and log-probabilities. Links are rows of a
sparse table: `start` (U + 2), `to`, `log_link`; row 0 is BEGIN, row 1 + u slot u; `stop` (U + 1)
the log-probability of the end after each row.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_NEVER = -1e300


@njit(cache=True, nogil=True)
def passing(links: Floats) -> Floats:
    """How probable it is that a path goes through each slot; links: (U + 1, U + 1), END last."""
    slots = links.shape[0] - 1
    found = links[0, :slots].copy()
    for u in range(slots):
        for v in range(u + 1, slots):
            found[v] += found[u] * links[u + 1, v]
    return found


@njit(cache=True, nogil=True)
def expected(
    first: Ints,
    word: Ints,
    value: Floats,
    start: Ints,
    to: Ints,
    log_link: Floats,
    through: Floats,
    words: int,
) -> tuple[Floats, Floats]:
    """How often each word, and each pair of neighbours, is to be expected; at most once."""
    once = np.zeros(words)
    twice = np.zeros((words, words))
    for u in range(len(first) - 1):
        for i in range(first[u], first[u + 1]):
            share = through[u] * np.exp(value[i])
            once[word[i]] += share
            for e in range(start[u + 1], start[u + 2]):
                part = share * np.exp(log_link[e])
                v = to[e]
                for j in range(first[v], first[v + 1]):
                    twice[word[i], word[j]] += part * np.exp(value[j])
    return np.minimum(once, 1.0), np.minimum(twice, 1.0)


@njit(cache=True, nogil=True)
def ahead(
    first: Ints,
    word: Ints,
    gain: Floats,
    start: Ints,
    to: Ints,
    log_link: Floats,
    stop: Floats,
    pair: Floats,
    weight: Ints,
    may_end: NDArray[np.bool_],
    low: int,
    high: int,
) -> Floats:
    """(N, high + 1): the most that can still be gained after a candidate, so much being used.

    `gain` is what saying a candidate brings, `pair` what a pair of neighbours does.
    """
    table = np.full((len(word), high + 1), _NEVER)
    for u in range(len(first) - 2, -1, -1):
        for i in range(first[u], first[u + 1]):
            mine = table[i]
            if may_end[word[i]]:
                mine[low:] = stop[u + 1]
            for e in range(start[u + 1], start[u + 2]):
                v = to[e]
                for j in range(first[v], first[v + 1]):
                    if word[j] == word[i]:
                        continue
                    step = log_link[e] + gain[j] + pair[word[i], word[j]]
                    size = weight[word[j]]
                    later = table[j]
                    for x in range(high + 1 - size):
                        got = step + later[x + size]
                        mine[x] = max(mine[x], got)
    return table


@njit(cache=True, nogil=True)
def follow(
    first: Ints,
    slot: Ints,
    word: Ints,
    gain: Floats,
    start: Ints,
    to: Ints,
    log_link: Floats,
    stop: Floats,
    pair: Floats,
    weight: Ints,
    may_end: NDArray[np.bool_],
    low: int,
    high: int,
    table: Floats,
) -> tuple[Ints, float]:
    """The candidates of the best answer by `ahead`'s table, repeated words and all; its value."""
    path = np.empty(len(first), np.int64)
    length = 0
    value = _NEVER
    used = 0
    at = -1
    while True:
        row = 0 if at < 0 else slot[at] + 1
        best = _NEVER / 2
        chosen = -1
        if at >= 0 and used >= low and may_end[word[at]]:
            best = stop[row]
        for e in range(start[row], start[row + 1]):
            for j in range(first[to[e]], first[to[e] + 1]):
                x = used + weight[word[j]]
                if x > high or (at >= 0 and word[j] == word[at]):
                    continue
                got = log_link[e] + gain[j] + table[j, x]
                if at >= 0:
                    got += pair[word[at], word[j]]
                if got > best:
                    best, chosen = got, j
        if at < 0:
            value = best
        if chosen < 0:
            return path[:length], value
        path[length] = at = chosen
        length += 1
        used += weight[word[at]]


@njit(cache=True, nogil=True)
def _push(heap: Ints, size: int, key: Floats, node: int) -> int:
    at = size
    heap[at] = node
    while at > 0:
        above = (at - 1) >> 1
        if key[heap[above]] >= key[heap[at]]:
            break
        heap[above], heap[at] = heap[at], heap[above]
        at = above
    return size + 1


@njit(cache=True, nogil=True)
def _pop(heap: Ints, size: int, key: Floats) -> int:
    top = heap[0]
    size -= 1
    heap[0] = heap[size]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and key[heap[child + 1]] > key[heap[child]]:
            child += 1
        if key[heap[at]] >= key[heap[child]]:
            break
        heap[child], heap[at] = heap[at], heap[child]
        at = child
    return top


@njit(cache=True, nogil=True)
def _seen(marks: NDArray[np.uint64], mark: np.uint64) -> bool:
    """Was this here before? It is now."""
    size = np.uint64(len(marks) - 1)
    at = mark & size
    while marks[at] != 0:
        if marks[at] == mark:
            return True
        at = (at + np.uint64(1)) & size
    marks[at] = mark
    return False


@njit(cache=True, nogil=True)
def _mix(mark: np.uint64, symbol: int) -> np.uint64:
    mixed = (mark ^ np.uint64(symbol + 0x9E37)) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed ^ (mixed >> np.uint64(29))) | np.uint64(1)


@njit(cache=True, nogil=True)
def n_best(
    first: Ints,
    slot: Ints,
    word: Ints,
    gain: Floats,
    start: Ints,
    to: Ints,
    log_link: Floats,
    stop: Floats,
    pair: Floats,
    weight: Ints,
    may_end: NDArray[np.bool_],
    may_repeat: NDArray[np.bool_],
    low: int,
    high: int,
    table: Floats,
    count: int,
    most: int,
    slack: float,
) -> tuple[Ints, Floats, bool]:
    """The `count` best different answers, best first: (answers, 40) word ids, −1 after the end.

    A best-first search whose bound, `table`, is exact but for repeated content words: so the first
    answer is the best there is. Also their values, and whether the search ended by itself.
    """
    room = 200_000
    parent = np.empty(room, np.int64)
    which = np.empty(room, np.int64)  # a candidate, or −1: the end
    used = np.empty(room, np.int64)
    got = np.empty(room)
    bound = np.empty(room)
    mark = np.empty(room, np.uint64)
    heap = np.empty(room, np.int64)
    marks = np.zeros(1 << 17, np.uint64)
    nodes = 0
    size = 0
    best = _NEVER
    answers = np.full((count, 40), -1, np.int64)
    values = np.full(count, _NEVER)
    found = 0
    pops = 0
    node = -1
    while True:
        row = 0 if node < 0 else slot[which[node]] + 1
        before = 0.0 if node < 0 else got[node]
        have = 0 if node < 0 else used[node]
        said = np.uint64(0x51ED) if node < 0 else mark[node]
        if node >= 0 and have >= low and may_end[word[which[node]]] and nodes < room:
            parent[nodes], which[nodes], used[nodes] = node, -1, have
            got[nodes] = bound[nodes] = before + stop[row]
            mark[nodes] = said
            size = _push(heap, size, bound, nodes)
            nodes += 1
        for e in range(start[row], start[row + 1]):
            v = to[e]
            for j in range(first[v], first[v + 1]):
                w = word[j]
                x = have + weight[w]
                if x > high:
                    continue
                step = log_link[e] + gain[j]
                if node >= 0:
                    step += pair[word[which[node]], w]
                hope = before + step + table[j, x]
                if hope < best - slack or hope <= _NEVER / 2 or nodes >= room:
                    continue
                again = node >= 0 and word[which[node]] == w
                back = node
                while back >= 0 and not again and not may_repeat[w]:
                    again = word[which[back]] == w
                    back = parent[back]
                if again:
                    continue
                parent[nodes], which[nodes], used[nodes] = node, j, x
                got[nodes], bound[nodes] = before + step, hope
                mark[nodes] = _mix(said, w)
                size = _push(heap, size, bound, nodes)
                nodes += 1
        while True:  # until a state that was not here before, with the same words behind it
            if size == 0 or pops >= most:
                return answers[:found], values[:found], pops < most and nodes < room
            node = _pop(heap, size, bound)
            size -= 1
            pops += 1
            here = -1 if which[node] < 0 else slot[which[node]]
            if _seen(marks, _mix(mark[node], 7919 * (here + 2))):
                continue
            if here >= 0:
                break
            if found == 0:
                best = bound[node]
            length = 0
            back = parent[node]
            while back >= 0:
                length += 1
                back = parent[back]
            back = parent[node]
            while back >= 0:
                length -= 1
                if length < 40:
                    answers[found, length] = word[which[back]]
                back = parent[back]
            values[found] = bound[node]
            found += 1
            if found == count:
                return answers, values, True


@njit(cache=True, nogil=True)
def all_paths(
    answer: Ints,
    first: Ints,
    word: Ints,
    value: Floats,
    start: Ints,
    to: Ints,
    log_link: Floats,
    stop: Floats,
) -> float:
    """The log-probability of an answer: the sum over all its paths."""
    slots = len(first) - 1
    at = np.full(slots + 1, _NEVER)
    at[0] = 0.0
    after = np.empty(slots + 1)
    for t in range(len(answer)):
        if answer[t] < 0:
            break
        after[:] = _NEVER
        for u in range(slots + 1):
            if at[u] <= _NEVER / 2:
                continue
            for e in range(start[u], start[u + 1]):
                v = to[e] + 1
                add = at[u] + log_link[e]
                if after[v] <= _NEVER / 2:
                    after[v] = add
                else:
                    high, low = max(after[v], add), min(after[v], add)
                    after[v] = high + np.log1p(np.exp(low - high))
        for v in range(1, slots + 1):
            said = _NEVER
            for i in range(first[v - 1], first[v]):
                if word[i] == answer[t]:
                    said = value[i]
            after[v] = after[v] + said if said > _NEVER / 2 and after[v] > _NEVER / 2 else _NEVER
        at, after = after, at
    peak = _NEVER
    for u in range(1, slots + 1):
        peak = max(peak, at[u] + stop[u])
    if peak <= _NEVER / 2:
        return _NEVER
    total = 0.0
    for u in range(1, slots + 1):
        total += np.exp(at[u] + stop[u] - peak)
    return peak + np.log(total)
