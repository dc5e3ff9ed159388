"""The arrays that go in and out of the kernels: short names, and tuples to hand over whole.

Here rather than beside their makers, because a compiled kernel knows a tuple by its fields' order.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int32]
Values: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
Classes: TypeAlias = NDArray[np.int8] | NDArray[np.int16]
Contexts: TypeAlias = NDArray[np.int16]
Flags: TypeAlias = NDArray[np.bool_]
States: TypeAlias = NDArray[Any]  # records of coherent.STATE
Shorts: TypeAlias = NDArray[np.uint16]
Bytes: TypeAlias = NDArray[np.uint8]


class Candidates(NamedTuple):
    """What a decoder chooses from: the usable candidates of every slot, packed to the left, and ε.

    numbers:   (S, K) the distinct words as numbers 0..M-1, in order of appearance.
    values, weights, classes: (S, K); the first counts[s] columns of slot s are used, the others
               hold anything. classes: what a word means to the constraints (0: nothing).
    members:   (M,) the word ids that the numbers stand for.
    blank:     (S,) ε's values.
    merge:     a word in several slots in a row is one word.
    heaviest:  no path is heavier than this, nor than the budget.
    top:       Σ over slots of the best value: no path scores higher.
    elsewhere: no path with a word that is not among the candidates scores higher than this.
    """

    numbers: Words
    values: Values
    weights: Weights
    classes: Classes
    counts: Weights
    members: Words
    blank: Values
    merge: bool
    heaviest: int
    top: float
    elsewhere: float


class Automaton(NamedTuple):
    """classes (V,): what each word means, below 0 if forbidden; move[context, class] is the next
    context, below 0 if there is none; accept[context]: an answer may end there."""

    classes: Classes
    move: NDArray[np.int16]
    accept: Flags


class Pairs(NamedTuple):
    """λ times the bigram value of every pair of words of a lattice, plus γ if it is adjacent.

    Words are numbers of Candidates; number M is the boundary.

    steps:    (M + 1, M + 1) how many units a pair (word, next word) lies above its row's base, in
              the low eight bits; the ninth (ADJACENT) is set if the words are so in the source.
    worth:    (512,) what so many units are worth, and γ more where the pair is adjacent.
    base, known: (M + 1,) a pair's value is base[word] · known[next word] + worth[steps[word, next
              word]]; known is 1 if the model knows the word, and 0 if not.
    spread:   (M + 1,) how far a word's column rises above its rows' back-off, at most: whatever
              comes before, putting another word in its place costs no more than this.
    row_top:  (M + 1,) the highest value of the word's row, at least 0.
    row_best: (M + 1,) the highest value of the word's row over the whole vocabulary, at least 0.
    """

    steps: Shorts
    worth: Values
    base: Values
    known: Values
    spread: Values
    row_top: Values
    row_best: Values


class Path(NamedTuple):
    """What a decoder found.

    symbols: (S,) the word of every slot, NO_WORD for ε.
    starts:  (S,) the first slots of the tokens; emitted: how many there are.
    """

    symbols: Words
    starts: Words
    emitted: int
    score: float
    weight: int


class Paths(NamedTuple):
    """The same for each of n pairs of limits.

    reached: (n,) whether there is a path at all (below the lower limit, if need be).
    """

    symbols: Words
    starts: Words
    emitted: Weights
    scores: Values
    weights: Weights
    reached: Flags
