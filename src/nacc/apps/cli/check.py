"""`nacc check`: which texts of a file are too long, what to say instead, and --fix to say it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nacc.apps.cli import flags
from nacc.apps.cli.bulk import BulkJob, load, unusable
from nacc.apps.cli.options import settled, with_options
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.ruler import on_a_terminal
from nacc.data.output import Replacement, Write, replacing, writing
from nacc.data.rows import Entry, Format, Lines, Row, encoded, undecodable
from nacc.data.sources import STANDARD_INPUT, any_format, format_name, opened
from nacc.errors import InvalidInput, NaccError
from nacc.length.budget import Budget, number
from nacc.options import Options
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.summarizer import Result

LONGEST_SHOWN = 120


@with_options(alternatives=1)
def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", show_default=False, help="Files to check.")
    ],
    *,
    maximum: flags.OneBudget = None,
    preset: flags.Preset = None,
    unit: flags.Unit = None,
    font: flags.Font = None,
    size: flags.Size = None,
    column: flags.Column = None,
    form: flags.FormatName = None,
    no_header: flags.NoHeader = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put the proposals in; the old file becomes FILE.bak.")
    ] = False,
    options: Options,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each text that is too long.")
    ] = False,
    model: flags.Model = None,
) -> None:
    """List the texts that are longer than a budget, each with a proposal that fits.

    Reads lines of text, a column of CSV or TSV, and the strings of JSON and JSON Lines (with
    --column, those under that key). With --fix, everything but the texts that were too long stays
    byte for byte as it was, and a file is replaced as a whole or not at all.

    \b
    Examples:
      nacc check titles.txt --max 60
      nacc check products.csv --column title --for search-title --json
      nacc check locales/*.json --max "40 columns" --fix

    \b
    Exit codes:
      0    every text fits (with --fix: now)
      1    a text is too long (with --fix: and nothing that fits could be found)
      2    wrong usage, or something could not be read or written
      130  interrupted; files are whole, old or new
    """
    if (maximum is None) == (preset is None):
        raise InvalidInput("say how long at most, with --max or --for")
    if STANDARD_INPUT in files and fix:
        raise InvalidInput("--fix needs files: standard input cannot be rewritten")
    (budget,) = flags.budgets(
        [] if maximum is None else [maximum], [] if preset is None else [preset], unit, font, size
    )
    job = BulkJob(lambda: load(model), [budget], settled(options, model, [budget]))
    total = sum(path.stat().st_size for path in files if path.is_file())
    with writing(None) as write, Progress(total, shown=not on_a_terminal()) as progress:
        checker = Checker(job, write, as_json, fix)
        for path in files:
            checker.file(path, any_format(format_name(path, form), column, not no_header), progress)
    checker.conclude()
    if checker.unread:
        raise typer.Exit(2)
    if checker.too_long > checker.fixed:
        raise typer.Exit(1)


@dataclass(frozen=True)
class Finding:
    """A text that is too long, with what to say instead or why there is nothing."""

    file: str
    entry: Entry
    length: int | float
    proposal: Summary | None
    problem: str

    def __str__(self) -> str:
        column = f" ({self.entry.column})" if self.entry.column else ""
        where = f"{self.file}:{self.entry.line}{column}"
        text = " ".join(self.entry.text.split())
        if len(text) > LONGEST_SHOWN:
            text = text[: LONGEST_SHOWN - 1] + "…"
        if self.proposal is None:
            return f"{where}: {number(self.length)}: {text}\n    no proposal: {self.problem}\n"
        fits = f"{self.proposal.text} ({number(self.proposal.length)})"
        return f"{where}: {number(self.length)}: {text}\n    → {fits}\n"

    def as_json(self, budget: Budget, fixed: bool) -> str:
        found = {
            "file": self.file,
            "line": self.entry.line,
            "column": self.entry.column or None,
            "text": self.entry.text,
            "length": self.length,
            "budget": budget.amount,
            "unit": str(budget.measure),
            "proposal": self.proposal.text if self.proposal else None,
            "proposal_length": self.proposal.length if self.proposal else None,
            "problem": self.problem or None,
            "fixed": fixed and self.proposal is not None,
        }
        return json.dumps(found, ensure_ascii=False) + "\n"


@dataclass(frozen=True)
class Measured:
    """A text and its length; `unread` says why it has none."""

    entry: Entry
    length: int | float
    unread: str = ""


class Checker:
    """Goes through files and keeps count."""

    def __init__(self, job: BulkJob, write: Write, as_json: bool, fix: bool) -> None:
        self.texts = self.too_long = self.fixed = self.unread = 0
        self._job = job
        (self._budget,) = job.budgets
        self._write = write
        self._json = as_json
        self._fix = fix
        self._bytes = 0

    def file(self, path: Path, cut: Format, progress: Progress) -> None:
        """Check one file and, if asked to, put the proposals in."""
        with opened(path) as lines:
            if not self._fix:
                self._each(lines, cut, None, progress)
                return
            with replacing(path) as new:
                if self._each(lines, cut, new, progress):
                    with replacing(path.with_name(path.name + ".bak")) as backup:
                        backup.copy(path)
                        backup.keep()
                    new.keep()

    def conclude(self) -> None:
        """Say how it went, to people."""
        if self._json:
            return
        told = f"{self.texts:,} texts, {self.too_long:,} longer than {self._budget}"
        if self._fix:
            told += f", {self.fixed:,} fixed"
        print(f"nacc: {told}", file=sys.stderr)

    def _each(self, lines: Lines, cut: Format, new: Replacement | None, progress: Progress) -> bool:
        """Check row by row, writing each to the new file; whether any is different there."""
        before, begun = self.fixed, False
        for (row, measured), results in self._job.each(map(self._measured, cut.rows(lines))):
            proposals = self._proposals(row, measured, iter(results), lines.name)
            if new is not None:
                if not begun:
                    new.write(lines.mark)
                begun = True
                new.write(row.replaced(proposals))
                self.fixed += sum(text is not None for text in proposals)
            self._bytes += len(encoded(row.raw))
            progress.update(self._bytes, self.texts)
        return self.fixed > before

    def _measured(self, row: Row) -> tuple[tuple[Row, list[Measured]], list[str]]:
        """A row with its texts' lengths, and those of its texts that need a proposal."""
        measured = [self._length(entry) for entry in row.entries]
        texts = [each.entry.text for each in measured if self._is_too_long(each)]
        return (row, measured), [text for text in texts if not unusable(text)]

    def _length(self, entry: Entry) -> Measured:
        problem = undecodable(entry.text)
        try:
            return Measured(entry, 0 if problem else self._budget.length(entry.text), problem)
        except NaccError as error:
            return Measured(entry, 0, str(error))

    def _is_too_long(self, text: Measured) -> bool:
        return text.length > self._budget.amount

    def _proposals(
        self, row: Row, measured: list[Measured], results: Iterator[list[Result]], file: str
    ) -> list[str | None]:
        """What to say instead of each of the row's texts, None if it stays; tells of all that is
        wrong with them."""
        if row.problem:
            self._complain(file, row.line, row.problem)
        proposals: list[str | None] = []
        for each in measured:
            self.texts += 1
            proposals.append(None)
            if each.unread:
                self._complain(file, each.entry.line, each.unread)
            if not self._is_too_long(each):
                continue
            self.too_long += 1
            problem = unusable(each.entry.text)
            result = InvalidInput(problem) if problem else next(results)[0]
            if isinstance(result, Summary):
                finding = Finding(file, each.entry, each.length, result, "")
                proposals[-1] = result.text
            else:
                finding = Finding(file, each.entry, each.length, None, str(result))
            self._write(finding.as_json(self._budget, self._fix) if self._json else str(finding))
        return proposals

    def _complain(self, file: str, line: int, problem: str) -> None:
        self.unread += 1
        print(f"nacc: {file}:{line}: {problem}", file=sys.stderr)
