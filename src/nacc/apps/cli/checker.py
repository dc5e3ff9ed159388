"""Goes through files: measures their texts, tells of those that are too long, puts proposals in.

A file that cannot be read in every part is told of, and left as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from nacc.apps.cli.findings import Finding, Measured
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.proposals import Proposals
from nacc.apps.cli.remarks import remark
from nacc.data.budget_rules import Rule, budget_of
from nacc.data.diff import Diff
from nacc.data.output import Replacement, Write, back_up, replacing
from nacc.data.rows import UTF_8, Entry, Format, Lines, Row, counted, encoded, undecodable
from nacc.data.sources import opened
from nacc.errors import InvalidInput, NaccError

ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Wanted:
    """What is to be done with what is found: proposals put in, or shown as a diff, or told of."""

    fix: bool = False
    diff: bool = False
    as_json: bool = False
    encoding: str | None = None


class Checker:
    """Goes through files and keeps count: of texts that have a budget, and of those too long,
    fixed, or not to be read."""

    def __init__(self, proposals: Proposals, write: Write, wanted: Wanted) -> None:
        self.texts = self.too_long = self.fixed = self.unread = 0
        self._proposals = proposals
        self._write = write
        self._wanted = wanted
        self._bytes = 0

    def file(self, path: Path, cut: Format, rules: Sequence[Rule], progress: Progress) -> None:
        """Check one file and do with it what is wanted."""
        with opened(path, self._wanted.encoding) as lines:
            rows = self._rows(lines, cut, rules, progress)
            if self._wanted.fix:
                with replacing(path) as new:
                    self._fix(path, lines, rows, new)
            elif self._wanted.diff:
                self._show(lines, rows)
            else:
                for _, findings in rows:
                    self._tell(findings, fixed=False)

    def conclude(self, budget: str) -> None:
        """Say how it went, to people."""
        if self._wanted.as_json:
            return
        told = f"{counted(self.texts, 'text')}, {self.too_long:,} longer than {budget}"
        if self._wanted.fix:
            told += f", {self.fixed:,} fixed"
        remark(told)

    def _fix(
        self,
        path: Path,
        lines: Lines,
        rows: Iterator[tuple[Row, list[Finding | None]]],
        new: Replacement,
    ) -> None:
        """Write each row to the new file, and let that take the old one's place if all went well
        and anything is different there."""
        before, state = self.unread, _state(path)
        told: list[Finding | None] = []
        for number, (row, findings) in enumerate(rows):
            if number == 0:
                new.encoding = lines.encoding
                new.write(lines.mark)
            new.write(row.replaced(_texts(findings)))
            told += filter(None, findings)
        fixed = sum(text is not None for text in _texts(told))
        if self.unread > before:
            self._left_alone(lines.name)
        elif fixed:
            if _state(path) != state:
                raise InvalidInput(f"{path} was changed by somebody else meanwhile; it stays so")
            back_up(path)
            new.keep()
            self.fixed += fixed
        self._tell(told, fixed=self.unread == before)

    def _show(self, lines: Lines, rows: Iterator[tuple[Row, list[Finding | None]]]) -> None:
        """Write a diff, and tell of the texts that have no place in it."""
        before, diff = self.unread, Diff(lines.name)
        for row, findings in rows:
            diff.add(row, _texts(findings))
            for finding in findings:
                if finding is not None and finding.replacement is None:
                    print(finding, end="", file=sys.stderr)
        if self.unread > before:
            self._left_alone(lines.name)
        else:
            self._write(str(diff))

    def _rows(
        self, lines: Lines, cut: Format, rules: Sequence[Rule], progress: Progress
    ) -> Iterator[tuple[Row, list[Finding | None]]]:
        """Each row, and what there is to say of each of its texts; None if nothing is."""
        rows = iter(cut.rows(lines))
        while block := list(islice(rows, ROWS_AT_ONCE)):
            measured = [[_measured(entry, rules) for entry in row.entries] for row in block]
            long = [m for each in measured for m in each if m is not None and m.is_too_long]
            asked = [(each.entry.text, each.budget) for each in long]
            found = map(Finding, [lines.name] * len(long), long, self._proposals.of(asked))
            for row, each in zip(block, measured, strict=True):
                self._count(row, each, lines.name)
                findings = [next(found) if m is not None and m.is_too_long else None for m in each]
                yield row, _sure(row, findings, lines.encoding)
                self._bytes += len(encoded(row.raw, lines.encoding))
                progress.update(self._bytes, self.texts)

    def _count(self, row: Row, measured: Sequence[Measured | None], file: str) -> None:
        if row.problem:
            self._complain(file, row.line, row.problem)
        for each in filter(None, measured):
            self.texts += 1
            self.too_long += each.is_too_long
            if each.unread:
                self._complain(file, each.entry.line, each.unread)

    def _tell(self, findings: Sequence[Finding | None], fixed: bool) -> None:
        for each in filter(None, findings):
            done = fixed and self._wanted.fix and each.replacement is not None
            self._write(each.as_json(done) if self._wanted.as_json else str(each))

    def _complain(self, file: str, line: int, problem: str) -> None:
        self.unread += 1
        remark(f"{file}:{line}: {problem}")

    def _left_alone(self, file: str) -> None:
        remark(f"{file} is left as it is: not all of it could be read")


def _state(path: Path) -> tuple[int, int]:
    """What is different after somebody has written to the file."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _measured(entry: Entry, rules: Sequence[Rule]) -> Measured | None:
    """A text and its length; None if no rule speaks of it."""
    budget = budget_of(entry, rules)
    if budget is None:
        return None
    problem = undecodable(entry.text)
    try:
        return Measured(entry, budget, 0 if problem else budget.length(entry.text), problem)
    except NaccError as error:
        return Measured(entry, budget, 0, str(error))


def _sure(row: Row, findings: list[Finding | None], encoding: str) -> list[Finding | None]:
    """The findings, those that cannot be put in with the reason why."""
    able = [each and each.refused(_obstacle(each, encoding)) for each in findings]
    texts = _texts(able)
    kept = row.mended(texts)
    lost = "it cannot be written there without a change elsewhere"
    return [
        each.refused(lost) if each and text != now else each
        for each, text, now in zip(able, texts, kept, strict=True)
    ]


def _obstacle(finding: Finding, encoding: str) -> str:
    """What keeps a proposal from its place; empty if nothing does."""
    if finding.replacement is not None and encoding != UTF_8:
        try:
            encoded(finding.replacement, encoding)
        except UnicodeEncodeError as error:
            return f"{error.object[error.start]!r} cannot be written in {encoding}"
    return finding.measured.entry.locked


def _texts(findings: Sequence[Finding | None]) -> list[str | None]:
    return [None if each is None else each.replacement for each in findings]
