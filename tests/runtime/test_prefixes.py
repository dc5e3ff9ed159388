"""The prefix tree: every beginning once, and sums along each answer."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nacc.runtime.prefixes import END, PrefixTree

ANSWERS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=8)


def test_what_answers_begin_with_is_there_once():
    tree = PrefixTree.of([["dog", "bites", "man"], ["dog", "bites"], ["cat"]])
    assert tree.words == ("dog", "bites", "man", "cat")
    assert tree.depth.tolist() == [0, 1, 2, 3, 1]
    assert tree.parents.tolist() == [0, 1, 2, 0, 3, 2, 4]
    assert tree.says == ("dog", "bites", "man", "cat", END, END, END)
    assert tree.ancestors[3].tolist() == [True, True, True, True, False]
    assert tree.ancestors[4].tolist() == [True, False, False, False, True]


@given(ANSWERS)
def test_totals_are_the_sums_along_each_answer(answers):
    tree = PrefixTree.of(answers)
    nodes: list[tuple[str, ...]] = [()]
    for word, parent in zip(tree.words, tree.parents.tolist(), strict=False):
        nodes.append((*nodes[parent], word))
    assert len(set(nodes)) == len(nodes)
    beginnings = {tuple(answer[:n]) for answer in answers for n in range(len(answer) + 1)}
    assert set(nodes) == beginnings
    values = np.random.default_rng(len(nodes)).normal(size=len(tree.says))
    worth = {
        (nodes[parent], said): value
        for parent, said, value in zip(tree.parents.tolist(), tree.says, values, strict=True)
    }
    expected = [sum(worth[tuple(a[:i]), word] for i, word in enumerate([*a, END])) for a in answers]
    np.testing.assert_allclose(tree.totals(values), expected)
