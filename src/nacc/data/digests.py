"""What was written about sources that may not be passed on: kept by their digests.

A row has a source's digest where a file of pairs has the source itself; who has the source can put
the two together again, and nobody else can.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from nacc.data.lines import lines_of
from nacc.errors import InvalidInput

_DIGITS = 16


def digest(source: str) -> str:
    """The same for a source however it is spaced."""
    return hashlib.sha256(" ".join(source.split()).encode()).hexdigest()[:_DIGITS]


def joined(kept: Path, sources: Iterable[str]) -> Iterator[str]:
    """The rows of a file that begins with digests, each with its source in the digest's place, in
    the file's order; those whose source is not given are left out."""
    rows = list(lines_of(kept))
    for number, row in enumerate(rows, 1):
        if len(row.partition("\t")[0]) != _DIGITS:
            raise InvalidInput(f"{kept}, line {number} does not begin with a digest")
    wanted = {row[:_DIGITS] for row in rows}
    found = {each: source for source in sources if (each := digest(source)) in wanted}
    for row in rows:
        if source := found.get(row[:_DIGITS]):
            yield " ".join(source.split()) + row[_DIGITS:]
