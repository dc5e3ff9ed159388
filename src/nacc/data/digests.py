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


def joined(kept: Path, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The rows of a file that begins with digests, each with its source in the digest's place, in
    the file's order, and the headline that is paired with the source; those whose source is not
    given are left out."""
    rows = list(lines_of(kept))
    for number, row in enumerate(rows, 1):
        if len(row.partition("\t")[0]) != _DIGITS:
            raise InvalidInput(f"{kept}, line {number} does not begin with a digest")
    wanted = {row[:_DIGITS] for row in rows}
    found = {each: pair for pair in pairs if (each := digest(pair[0])) in wanted}
    for row in rows:
        if pair := found.get(row[:_DIGITS]):
            source, headline = pair
            yield " ".join(source.split()) + row[_DIGITS:], headline
