"""`nacc check`: which texts of a file are too long, what to say instead, and --fix to say it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from nacc.apps.cli import options
from nacc.apps.cli.answers import Asked, chunks
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.ruler import number, on_a_terminal
from nacc.data.output import Replacement, Write, replacing, writing
from nacc.data.rows import Entry, Format, Lines, Row, undecodable
from nacc.data.sources import STANDARD_INPUT, any_format, format_name, opened
from nacc.errors import InvalidInput, NaccError
from nacc.length.budget import Budget
from nacc.summary import Summary

LONGEST_SHOWN = 120


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", show_default=False, help="Files to check.")
    ],
    *,
    maximum: options.OneBudget = None,
    preset: options.Preset = None,
    unit: options.Unit = None,
    font: options.Font = None,
    size: options.Size = None,
    column: options.Column = None,
    form: options.FormatName = None,
    no_header: options.NoHeader = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put the proposals in; the old file becomes FILE.bak.")
    ] = False,
    fill: options.Fill = None,
    forbid: options.Forbid = None,
    faithful: options.Faithful = False,
    case: options.Case = "sentence",
    method: options.Method = None,
    every_sentence: options.EverySentence = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each text that is too long.")
    ] = False,
    model: options.Model = None,
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
    (budget,) = options.budgets(
        [] if maximum is None else [maximum], [] if preset is None else [preset], unit, font, size
    )
    wishes = options.wishes(
        [budget], method=method, least=fill, forbid=forbid, faithful=faithful, case=case
    )
    asked = Asked(lambda: options.load(model), [budget], wishes, every_sentence=every_sentence)
    total = sum(path.stat().st_size for path in files if path.is_file())
    with writing(None) as write, Progress(total, shown=not on_a_terminal()) as progress:
        checker = Checker(budget, asked, write, as_json, fix)
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


class Checker:
    """Goes through files and keeps count."""

    def __init__(
        self, budget: Budget, asked: Asked, write: Write, as_json: bool, fix: bool
    ) -> None:
        self.texts = self.too_long = self.fixed = self.unread = 0
        self._budget = budget
        self._asked = asked
        self._write = write
        self._json = as_json
        self._fix = fix
        self._bytes = 0

    def file(self, path: Path, cut: Format, progress: Progress) -> None:
        """Check one file and, if asked to, put the proposals in."""
        with opened(path) as lines:
            if not self._fix:
                self._each(lines, cut, None, progress)
            else:
                with replacing(path) as new:
                    if self._each(lines, cut, new, progress):
                        with replacing(path.with_name(path.name + ".bak")) as backup:
                            backup.copy(path)
                            backup.keep()
                        new.keep()
        self._bytes += lines.bytes_read

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
        changed = begun = False
        for rows in chunks(lines, cut):
            findings = self._findings(rows, lines.name)
            if new is not None:
                if not begun:
                    new.write(lines.mark)
                for row in rows:
                    texts = [_proposed(findings.get(entry)) for entry in row.entries]
                    new.write(row.replaced(texts))
                    fixed = sum(text is not None for text in texts)
                    self.fixed += fixed
                    changed |= bool(fixed)
            begun = True
            for finding in findings.values():
                line = finding.as_json(self._budget, self._fix) if self._json else str(finding)
                self._write(line)
            progress.update(self._bytes + lines.bytes_read, self.texts)
        return changed

    def _findings(self, rows: Sequence[Row], file: str) -> dict[Entry, Finding]:
        """What is too long, by entry."""
        lengths: list[tuple[Entry, int | float]] = []
        for row in rows:
            if row.problem:
                self._complain(file, row.line, row.problem)
            for entry in row.entries:
                length = self._length(entry, file)
                if length > self._budget.amount:
                    lengths.append((entry, length))
        self.too_long += len(lengths)
        found = {}
        answers = self._asked.answers([entry.text for entry, _ in lengths])
        for (entry, length), (answer,) in zip(lengths, answers, strict=True):
            proposal = answer.summaries[0] if answer.summaries else None
            problem = str(answer.error) if answer.error else ""
            found[entry] = Finding(file, entry, length, proposal, problem)
        return found

    def _length(self, entry: Entry, file: str) -> int | float:
        self.texts += 1
        problem = undecodable(entry.text)
        try:
            if not problem:
                return self._budget.length(entry.text)
        except NaccError as error:
            problem = str(error)
        self._complain(file, entry.line, problem)
        return 0

    def _complain(self, file: str, line: int, problem: str) -> None:
        self.unread += 1
        print(f"nacc: {file}:{line}: {problem}", file=sys.stderr)


def _proposed(finding: Finding | None) -> str | None:
    return finding.proposal.text if finding and finding.proposal else None
