"""The file of labelled sentences: source, extract and score, a line each, in input order.

It only ever grows at its end, so a run that was stopped goes on where it stopped: a last line cut
short is taken off, every other one must be of the sentence that the input has in its place. Beside
it lies a small file of settings, so that two runs with different ones never share a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

from nacc.data.lines import lines_of
from nacc.data.pairs import read_pairs
from nacc.errors import InvalidInput
from nacc.search.run import Extract
from nacc.search.settings import SearchSettings

_FLUSHED = 256


@dataclass(frozen=True)
class MadeWith:
    """What an output file was made with.

    model: the search model's fingerprint. every, at_least: which lines were taken.
    student: whose answers these are, where the search itself did not look.
    """

    model: str
    search: SearchSettings
    every: int = 1
    at_least: int = 0
    student: str | None = None

    def record(self) -> dict[str, object]:
        """As the file beside the output has it."""
        lines = {"every": self.every, "at_least": self.at_least}
        whose = {"student": self.student} if self.student else {}
        return {"model": self.model, **asdict(self.search), **lines, **whose}


def fingerprint(path: Path) -> str:
    """Tells one search model from another: the start of its file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def fingerprint_of(folder: Path) -> str:
    """Tells one summarizer from another: its graph's."""
    return fingerprint(folder / "model.onnx")


def read_sentences(
    path: Path, every: int = 1, at_least: int = 0, limit: int | None = None
) -> list[str]:
    """Every so many-th line of a .txt file, or first column of a .tsv or .tsv.zst file, if it has
    at least so many words between spaces; white space as single spaces."""
    if every < 1 or (limit is not None and limit < 1):
        raise InvalidInput(f"every = {every} and limit = {limit} must be at least 1")
    pairs = ".tsv" in path.suffixes
    lines = (source for source, _ in read_pairs(path)) if pairs else lines_of(path)
    parts = (line.split() for line in islice(lines, 0, None, every))
    chosen = (" ".join(words) for words in parts if len(words) >= at_least)
    return list(islice(chosen, limit))


class Labels:
    """An output file, opened for going on: `done` sentences are in it already."""

    def __init__(
        self, path: Path, made_with: MadeWith, sentences: Sequence[str], *, fresh: bool = False
    ) -> None:
        self._path = path
        self._sentences = sentences
        self._beside = path.with_name(path.name + ".settings.json")
        self.done = 0
        if path.exists() and not fresh:
            self._check_settings(made_with)
            self.done = self._take_up()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)  # never old lines beside new settings
            self._beside.write_text(json.dumps(made_with.record(), indent=1) + "\n", "utf-8")
        self._file: TextIOWrapper = path.open("a", encoding="utf-8", newline="\n")

    def __enter__(self) -> Labels:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, extract: Extract) -> None:
        """The extract of the next sentence."""
        score = f"{extract.score:.4f}" if extract.positions else ""
        self._file.write(f"{self._sentences[self.done]}\t{extract.text}\t{score}\n")
        self.done += 1
        if self.done % _FLUSHED == 0:
            self._file.flush()

    def _check_settings(self, made_with: MadeWith) -> None:
        try:
            found = json.loads(self._beside.read_text("utf-8"))
        except (OSError, ValueError):
            raise InvalidInput(
                f"{self._path} is there, but not {self._beside.name}: nacc search did not make it; "
                "name another file, or overwrite this one with --fresh"
            ) from None
        wanted = made_with.record()
        if found != wanted:
            other = [
                f"{name} {found.get(name) if isinstance(found, dict) else '?'}, now {value}"
                for name, value in wanted.items()
                if not isinstance(found, dict) or found.get(name) != value
            ]
            raise InvalidInput(
                f"{self._path} was made with other settings ({'; '.join(other)}); "
                "name another file, or overwrite this one with --fresh"
            )

    def _take_up(self) -> int:
        """How many sentences are done, after taking off a line cut short."""
        done = whole = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                columns = line[:-1].split(b"\t")
                if len(columns) != 3 or done >= len(self._sentences):
                    raise self._foreign(done)
                if columns[0] != self._sentences[done].encode():
                    raise self._foreign(done)
                done += 1
                whole += len(line)
        with self._path.open("r+b") as file:
            file.truncate(whole)
        return done

    def _foreign(self, done: int) -> InvalidInput:
        return InvalidInput(
            f"{self._path}:{done + 1} is not of the input's sentence {done + 1}: another input, or "
            "a damaged file; name another file, or overwrite this one with --fresh"
        )
