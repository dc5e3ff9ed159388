"""What a text has in common with others, as ROUGE-1.5.5 counts it: R-1, R-2 and R-L.

What the Perl script does, and this does with it: bytes, not characters; anything but a-z and 0-9
separates words; stems as in `stem`; a byte limit cuts the *references* too; several references
are pooled (`-f A`: matches and words summed over them) or the one with the best recall counts
(`-f B`); an empty text scores 0. A text is one sentence, so ROUGE-L is the plain longest common
subsequence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nacc.text.stem import stem as stem_of

Several = Literal["average", "best"]
_WORDS = re.compile(rb"[a-z0-9]+")


def overlap(
    hypothesis: str,
    references: Sequence[str],
    byte_limit: int | None = None,
    *,
    stem: bool = True,
    several: Several = "average",
) -> NDArray[np.float64]:
    """(3 × 3): [R-1, R-2, R-L] × [precision, recall, F1], 0 to 1."""
    peer = words(hypothesis, byte_limit, stem=stem)
    models = [words(reference, byte_limit, stem=stem) for reference in references]
    return _pair(peer, models, several)


def words(text: str, byte_limit: int | None = None, *, stem: bool = True) -> list[str]:
    """The words ROUGE-1.5.5 counts in a text."""
    raw = text.encode("utf-8", "surrogatepass")[:byte_limit].lower()
    found = [word.decode("ascii") for word in _WORDS.findall(raw)]
    return [stem_of(word) for word in found] if stem else found


def _pair(peer: list[str], models: list[list[str]], several: Several) -> NDArray[np.float64]:
    values = np.zeros((3, 3))
    for metric in range(3):
        counts = [_matches(metric, peer, model) for model in models]
        if several == "best":
            counts = [max(counts, key=lambda c: c[0] / c[2] if c[2] else 0.0)]
        hits, in_peer, in_model = (sum(column) for column in zip(*counts, strict=True))
        if hits:
            values[metric] = hits / in_peer, hits / in_model, 2 * hits / (in_peer + in_model)
    return values


def _matches(metric: int, peer: list[str], model: list[str]) -> tuple[int, int, int]:
    """Matches, and how many there could have been in peer and model (0: R-1, 1: R-2, 2: R-L)."""
    if metric == 2:
        return _common_subsequence(peer, model), len(peer), len(model)
    ours, theirs = _ngrams(peer, metric + 1), _ngrams(model, metric + 1)
    hits = sum(min(count, theirs[gram]) for gram, count in ours.items() if gram in theirs)
    return hits, max(len(peer) - metric, 0), max(len(model) - metric, 0)


def _ngrams(text: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(text[i:] for i in range(n)), strict=False))


def _common_subsequence(a: list[str], b: list[str]) -> int:
    """Length of the longest common subsequence, a row of the table at a time as bits of one int."""
    places: dict[str, int] = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    everything = (1 << len(a)) - 1
    row = everything
    for word in b:
        matched = row & places.get(word, 0)
        row = (row + matched) | (row - matched)
    return (~row & everything).bit_count()
