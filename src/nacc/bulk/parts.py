"""A part: a stretch of a file that can be done by itself.

Where files are cut depends on nothing but them, so a second run has the same parts as the first."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol

from nacc.bulk.unchanged import Unchanged
from nacc.errors import InvalidInput

if TYPE_CHECKING:
    from nacc.bulk.job import Job

PARTS = 2000
"""How many parts a job has, about, unless they would be too small or too large."""
SMALLEST, LARGEST = 1 << 12, 1 << 22
"""Bytes of a part for a core. Small: half a second's work, for at the end others wait for the last
one. Large: what a worker keeps in memory."""
GPU_TIMES = 32
"""How much more a part for a GPU has, which is done with it in no time."""

Told = Callable[[float], None]
"""Told after each row what share of a part is done."""


@dataclass(frozen=True)
class Part:
    """Bytes, or rows of Parquet, from `begin` to `end` of the job's file `file`.

    weight: its share of the file's bytes, for the progress bar.
    """

    file: int
    number: int
    begin: int
    end: int
    weight: int

    @property
    def name(self) -> str:
        return f"{self.file:05}-{self.number:06}"


@dataclass(frozen=True)
class Counts:
    """How many rows there are, and how many of them have no summary."""

    rows: int
    errors: int

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.rows + other.rows, self.errors + other.errors)

    def __str__(self) -> str:
        return f"{self.rows}-{self.errors}"

    @classmethod
    def read(cls, written: str) -> Counts:
        rows, errors = written.split("-")
        return cls(int(rows), int(errors))


@dataclass(frozen=True)
class Step:
    """How far a part is, as a share of it and in rows; it is done once there are counts."""

    part: Part
    share: float
    rows: int
    counts: Counts | None = None

    @classmethod
    def done(cls, part: Part, counts: Counts) -> Step:
        return cls(part, 1.0, counts.rows, counts)


class FileKind(Protocol):
    """How a kind of file is cut, read and written."""

    def cuts(self, size: int) -> Iterator[tuple[int, int]]:
        """Where it is cut into stretches of about `size` bytes; errors that all rows would have
        are raised here."""

    def work(
        self, begin: int, end: int, out: IO[bytes], told: Told, unchanged: Unchanged
    ) -> Counts:
        """Summarize a stretch of it and write that to a file."""

    def join(self, parts: Sequence[Path], out: IO[bytes]) -> None:
        """Write the parts to one file."""


def part_size(job: Job) -> int:
    """How many bytes a part of the job has, about."""
    whole = sum(file.path.stat().st_size for file in job.files)
    size = min(max(whole // PARTS, SMALLEST), LARGEST)
    return size * GPU_TIMES if job.device == "gpu" else size


def parts(job: Job) -> list[Part]:
    """All parts of a job."""
    sizes = [file.path.stat().st_size for file in job.files]
    size = part_size(job)
    found = []
    for number, (file, whole) in enumerate(zip(job.files, sizes, strict=True)):
        cuts = list(job.kind(file).cuts(size))
        length = max(cuts[-1][1], 1) if cuts else 1
        for i, (begin, end) in enumerate(cuts):
            found.append(Part(number, i, begin, end, round(whole * (end - begin) / length)))
    return found


def do(job: Job, part: Part, folder: Path, told: Told = lambda share: None) -> Counts:
    """Do a part and leave it in the folder, under its name and its counts."""
    draft = folder / f"{part.name}.{secrets.token_hex(4)}.tmp"
    unchanged = Unchanged()
    try:
        with naming(draft):
            with draft.open("wb") as out:
                kind = job.kind(job.files[part.file])
                counts = kind.work(part.begin, part.end, out, told, unchanged)
                out.flush()
                os.fsync(out.fileno())
            unchanged.keep(folder / part.name)  # first: where the part is, this is
            draft.replace(folder / f"{part.name}.{counts}")
    finally:
        draft.unlink(missing_ok=True)
    return counts


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An error in here that is the system's names the file."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{error.filename or path}: {error.strerror or error}") from error
