"""Rows that stay as they were, since they have no place for what is wrong with them: a line that is
no JSON, a row of too many cells. What is told of them lies beside the part that they are in, and at
last in the record of the job."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nacc.bulk.inputs import File
    from nacc.bulk.parts import Part

MOST = 100
"""Of how many rows it is told where they are and what is wrong with them."""
ENDING = ".unchanged"
_AT_ONCE = 1 << 20


@dataclass
class Unchanged:
    """How many rows there are, and of the first of them the file, the line and what is wrong; in a
    part, lines are counted from where it begins."""

    rows: int = 0
    first: list[tuple[str, int, str]] = field(default_factory=list)

    def add(self, file: Path, line: int, why: str) -> None:
        self.rows += 1
        if len(self.first) < MOST:
            self.first.append((str(file), line, why))

    def keep(self, part: Path) -> None:
        """Leave this beside a part, if there are any."""
        if not self.rows:
            return
        draft = part.with_name(f"{part.name}.{secrets.token_hex(4)}.tmp")
        with draft.open("w", encoding="utf-8") as out:
            out.write(json.dumps([self.rows, self.first]))
            out.flush()
            os.fsync(out.fileno())
        draft.replace(part.with_name(part.name + ENDING))

    @classmethod
    def gathered(cls, folder: Path, files: Sequence[File], parts: Sequence[Part]) -> Unchanged:
        """What all parts left in the folder; lines are counted from the files' beginnings."""
        whole = cls()
        left = {path.name.removesuffix(ENDING) for path in folder.glob(f"*{ENDING}")}
        for number, its in groupby((p for p in parts if p.name in left), lambda part: part.file):
            file, before = files[number].path, 0
            with file.open("rb") as stream:
                for part in its:
                    found = json.loads((folder / (part.name + ENDING)).read_text("utf-8"))
                    if len(whole.first) < MOST:
                        before += _lines(stream, part.begin - stream.tell())
                    for _, line, why in found[1]:
                        whole.add(file, before + line, why)
                    whole.rows += found[0] - len(found[1])
        return whole

    @classmethod
    def read(cls, told: dict[str, Any]) -> Unchanged:
        """What `told` makes of it."""
        first = [(each["file"], each["line"], each["error"]) for each in told["first"]]
        return cls(told["rows"], first)

    def told(self) -> dict[str, Any]:
        """As it is in the record."""
        names = ("file", "line", "error")
        first = [dict(zip(names, each, strict=True)) for each in self.first]
        return {"rows": self.rows, "first": first}


def _lines(stream: IO[bytes], length: int) -> int:
    """How many lines end in the next bytes of a file."""
    found = 0
    while length > 0 and (block := stream.read(min(length, _AT_ONCE))):
        found += block.count(b"\n")
        length -= len(block)
    return found
