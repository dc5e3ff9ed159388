"""Random small decoding problems for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from nacc.decoding import Bigrams, Coherence
from nacc.decoding.expected import Expected
from nacc.lattice import NO_WORD, Lattice

# Few distinct values make ties common; -inf makes symbols impossible.
VALUES = st.one_of(
    st.sampled_from([0.0, -0.5, -1.0, -2.0, -4.0, -np.inf]),
    st.floats(-9.0, 0.0, allow_nan=False),
)
WEIGHTS = st.sampled_from([0, 1, 1, 2, 2, 3, 4, 5, 1000])


@st.composite
def lattices(draw: st.DrawFn, slots: int = 5, vocabulary: int = 4, most: int = 3) -> Lattice:
    """Up to `slots` slots of up to `most` candidates out of a few words, so that words repeat."""
    S = draw(st.integers(0, slots))
    K = draw(st.integers(0, min(most, vocabulary)))
    words = np.full((S, K), NO_WORD, np.int32)
    values = np.full((S, K), -np.inf)
    for s in range(S):
        chosen = draw(st.permutations(range(vocabulary)))[:K]
        for k, word in enumerate(chosen):
            if draw(st.integers(0, 7)):  # now and then a gap
                words[s, k] = word
                values[s, k] = draw(VALUES)
    blank = np.array([draw(VALUES) for _ in range(S)], dtype=np.float64)
    return Lattice(words, values, blank, np.full(S, -np.inf))


def weight_vectors(vocabulary: int = 4) -> st.SearchStrategy[list[int]]:
    return st.lists(WEIGHTS, min_size=vocabulary, max_size=vocabulary)


@st.composite
def ranges(draw: st.DrawFn, most: int = 14) -> tuple[int, int]:
    """A floor and a budget."""
    high = draw(st.integers(0, most))
    return draw(st.one_of(st.just(0), st.integers(0, high))), high


@st.composite
def coherences(draw: st.DrawFn, vocabulary: int = 4, beam: int | None = None) -> Coherence:
    """A bigram model with strong opinions on a few words, lattice words it may not know, and
    words that stand next to each other in the source."""
    words = "abcd"
    headlines = draw(
        st.lists(st.lists(st.sampled_from(words), min_size=1, max_size=4), min_size=1, max_size=8)
    )
    bigrams = Bigrams.train(headlines, min_count=draw(st.integers(1, 2)))
    known = len(bigrams.words)
    ids = draw(
        st.lists(
            st.sampled_from([-1, *range(1, known + 1)]), min_size=vocabulary, max_size=vocabulary
        )
    )
    weight = draw(st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]))
    every = [(a, b) for a in range(vocabulary) for b in range(vocabulary) if a != b]
    adjacent = draw(st.lists(st.sampled_from(every), max_size=5))
    adjacency = draw(st.sampled_from([0.0, 0.15, 0.6, 2.0, 40.0]))
    return Coherence(
        bigrams, np.array(ids, np.int32), weight, beam,
        adjacent=np.array(adjacent, np.int32).reshape(-1, 2), adjacency=adjacency,
    )  # fmt: skip


@st.composite
def linked_lattices(draw: st.DrawFn, slots: int = 5, vocabulary: int = 4) -> Lattice:
    """A lattice with links instead of ε. Some links and words are rarer than the decoder looks."""
    lattice = draw(lattices(slots, vocabulary))
    size = lattice.slots + 1
    values = st.sampled_from([-0.1, -0.3, -0.5, -1.0, -1.5, -2.0, -6.8, -7.0, -np.inf])
    links = np.array([[draw(values) for _ in range(size)] for _ in range(size)])
    return Lattice(
        lattice.words, lattice.values, np.full(lattice.slots, -np.inf), lattice.rest, links=links
    )


EXPECTED = st.one_of(
    st.none(),
    st.builds(Expected, st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.0, 1.0, 3.0])),
)
