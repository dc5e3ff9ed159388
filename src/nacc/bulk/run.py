"""A job from beginning to end, or from where a killed run left it.

The output's folder has a folder `.nacc` as long as there is work: what the job is, and every part
that is done, under a name that says how many rows it has. A file whose parts are all there is
written whole and takes its name; then its parts go. At last `_nacc.json` says what was done, and
`.nacc` goes too. Each of these steps can be done again without harm, so it does not matter where a
run was killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from nacc.bulk.job import Job, state
from nacc.bulk.parts import Counts, Part, Step, naming, part_size, parts
from nacc.bulk.unchanged import Unchanged
from nacc.data.output import ending_on_signals, lock, writing
from nacc.errors import InvalidInput, NaccError

WORK, RECORD = ".nacc", "_nacc.json"
"""Names that readers of a folder of data leave out."""
DONE = re.compile(r"(\d+(?:-\d+)?)\.(\d+-\d+)")
"""A part that is done, or a file; and its counts."""


class Engine(Protocol):
    """Does all parts, in any order, into the folder."""

    def __call__(self, job: Job, parts: list[Part], folder: Path, /) -> Iterator[Step]: ...


class Watch(Protocol):
    """Is told how it goes."""

    def begin(self, total: int, done: int, rows: int) -> None:
        """Of so many bytes so many are done already, and so many rows."""

    def step(self, step: Step) -> None:
        """A part got further."""


class Run:
    """One call for a job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._folder = job.folder / WORK
        self._record = job.folder / RECORD
        self._before: list[dict[str, Any]] = []

    def go(self, engine: Engine, watch: Watch) -> Counts:
        """Do what is left to do; the counts are of the whole job."""
        asked = {**self._job.described(), "part": part_size(self._job)}
        asked = json.loads(json.dumps(asked))  # as it will be read again
        self._before = asked["files"]
        if (done := _read(self._record)) is not None:
            _refuse_another(done["job"], asked, self._job.folder)
        if done is None or len(self._there()) < len(self._job.files):
            plan = parts(self._job)  # first, so that what cannot be done leaves nothing behind
            with ending_on_signals(), self._held(asked):
                counts = self._files(plan, engine, watch)
                if done is None:
                    unchanged = Unchanged.gathered(self._folder, self._job.files, plan).told()
                    done = {"job": asked, **asdict(counts), "unchanged": unchanged}
                    _write(self._record, done)
        shutil.rmtree(self._folder, ignore_errors=True)
        return Counts(done["rows"], done["errors"])

    def unchanged(self) -> Unchanged:
        """What is recorded of rows that have no place for what is wrong with them."""
        return Unchanged.read((_read(self._record) or {})["unchanged"])

    @contextmanager
    def _held(self, asked: dict[str, Any]) -> Iterator[None]:
        """The work folder, for this job and this run only."""
        with naming(self._folder):
            if not self._folder.exists() and not self._record.exists():
                for there in self._there().values():
                    raise InvalidInput(f"{there} is there already; choose another folder")
            self._folder.mkdir(parents=True, exist_ok=True)
            with (self._folder / "lock").open("wb") as held:
                if not lock(held):
                    raise InvalidInput(f"another run is at work in {self._job.folder}")
                begun = _read(self._folder / "job.json")
                if begun is None:
                    _write(self._folder / "job.json", asked)
                else:
                    _refuse_another(begun, asked, self._job.folder)
                try:
                    yield
                except NaccError:
                    if not self._done():  # so that it may be begun otherwise
                        shutil.rmtree(self._folder)
                    raise

    def _files(self, plan: Sequence[Part], engine: Engine, watch: Watch) -> Counts:
        """Every file, once its parts are done."""
        done = self._done()
        left = [each for each in plan if not {each.name, _name(each.file)} & done.keys()]
        weight, missing = sum(each.weight for each in plan), sum(each.weight for each in left)
        watch.begin(weight, weight - missing, sum(counts.rows for counts in done.values()))
        of_file: dict[int, list[Part]] = {number: [] for number in range(len(self._job.files))}
        for each in plan:
            of_file[each.file].append(each)
        waiting = Counter(each.file for each in left)
        for number, its in of_file.items():
            if not waiting[number]:
                self._join(number, its, done)
        for step in engine(self._job, left, self._folder) if left else ():
            watch.step(step)
            if step.counts is not None:
                number = step.part.file
                self._refuse_changed(number)
                done[step.part.name] = step.counts
                waiting[number] -= 1
                if not waiting[number]:
                    self._join(number, of_file[number], done)
        return sum((done[_name(number)] for number in of_file), Counts(0, 0))

    def _join(self, number: int, its: Sequence[Part], done: dict[str, Counts]) -> None:
        """Make a file of its parts, unless that was done, and let go of them."""
        paths = [self._folder / f"{p.name}.{done[p.name]}" for p in its if p.name in done]
        if _name(number) not in done:
            file, draft = self._job.files[number], self._folder / f"{_name(number)}.tmp"
            counts = sum((done[each.name] for each in its), Counts(0, 0))
            with naming(draft):
                with draft.open("wb") as out:
                    _refuse_lost(paths)
                    self._job.kind(file).join(paths, out)
                    out.flush()
                    os.fsync(out.fileno())
                target = self._job.folder / file.out
                target.parent.mkdir(parents=True, exist_ok=True)
                draft.replace(target)
                (self._folder / f"{_name(number)}.{counts}").touch()
            done[_name(number)] = counts
        for path in paths:
            path.unlink()

    def _refuse_changed(self, number: int) -> None:
        """Raise InvalidInput if a file is not what it was when this run began: what is read of it
        would not belong together."""
        file = self._job.files[number]
        with naming(file.path):
            now = state(file)
        if now != self._before[number]:
            raise InvalidInput(f"{file.path} changed while it was read; begin in another folder")

    def _done(self) -> dict[str, Counts]:
        """What lies in the work folder: parts and, once they are joined, whole files, if these are
        still where they belong; and all that are, where a job was done before."""
        marks = (DONE.fullmatch(each.name) for each in self._folder.iterdir())
        found = {each[1]: Counts.read(each[2]) for each in marks if each}
        there, before = self._there(), self._record.exists()
        for number in range(len(self._job.files)):
            if number not in there:
                found.pop(_name(number), None)
            elif before:
                found.setdefault(_name(number), Counts(0, 0))
        return found

    def _there(self) -> dict[int, Path]:
        """The files that are written already, or that somebody else put there."""
        paths = (self._job.folder / file.out for file in self._job.files)
        return {number: path for number, path in enumerate(paths) if path.exists()}


def _name(number: int) -> str:
    return f"{number:05}"


def _refuse_lost(paths: Sequence[Path]) -> None:
    """Raise InvalidInput if a part is not there that somebody has done."""
    lost = next((path for path in paths if not path.exists()), None)
    if lost:
        raise InvalidInput(f"{lost} was done and is not there: all machines must see that folder")


def _refuse_another(before: dict[str, Any], asked: dict[str, Any], folder: Path) -> None:
    """Raise InvalidInput if the folder is that of another job."""
    different = [name for name in asked if before.get(name) != asked[name]]
    if different:
        raise InvalidInput(
            f"{folder} was begun for something else (what is different: {', '.join(different)}); "
            "choose another folder, or remove it"
        )


def _read(path: Path) -> dict[str, Any] | None:
    """What was written, None if nothing was."""
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InvalidInput(f"{path} cannot be read: {error}; choose another folder") from error
    return found


def _write(path: Path, what: dict[str, Any]) -> None:
    with writing(path) as write:
        write(json.dumps(what, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
