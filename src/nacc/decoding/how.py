"""What can be asked of the decoders, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from nacc.decoding.coherence import Coherence
from nacc.decoding.expected import Expected


class _Alike(TypedDict, total=False):
    """What is asked for alike of all lattices of a batch.

    method: one of `registry.methods()`; "exact" unless told.
    bucket: how many weights make a bucket, method "bucketed"; 4 unless told.
    top_k, blank: of an array, how many words are tried in each slot, and which is ε; 20 and 0
        unless told. Of a Lattice, the candidates are taken as they are.
    merge_repeats: a word in several slots in a row is one word; if False, as many.
    """

    method: str
    bucket: int
    top_k: int
    blank: int
    merge_repeats: bool


class How(_Alike, total=False):
    """What can be asked of `decode`, all of it by name.

    required, forbidden: words that must appear (up to 3), and must not.
    no_dangling: words that may not end the answer. once: words that may come only once.
    Constraints go with methods that keep rules, and the answer is still the best that meets them.
    phrases: words that must come one right after another, each phrase a sequence of word ids; with
        `required`, at most 3.
    coherence: what method "coherent" adds to the score for neighbouring words.
    in_order: the source as word ids in order; the answer takes words out of it and keeps the order.
    expected: what method "linked" adds to the score for words and pairs that are to be expected.
    The last two go with methods that follow links.
    """

    required: Iterable[int]
    forbidden: Iterable[int]
    no_dangling: Iterable[int]
    once: Iterable[int]
    phrases: Iterable[Iterable[int]]
    in_order: Iterable[int] | None
    coherence: Coherence | None
    expected: Expected | None


class HowEach(_Alike, total=False):
    """The same for a batch: one for all, or a sequence with one for each lattice."""

    required: Iterable[int] | Sequence[Iterable[int]]
    forbidden: Iterable[int] | Sequence[Iterable[int]]
    no_dangling: Iterable[int] | Sequence[Iterable[int]]
    once: Iterable[int] | Sequence[Iterable[int]]
    phrases: Iterable[Iterable[int]] | Sequence[Iterable[Iterable[int]]]
    in_order: Iterable[int] | Sequence[Iterable[int]] | None
    coherence: Coherence | Sequence[Coherence] | None
    expected: Expected | None
