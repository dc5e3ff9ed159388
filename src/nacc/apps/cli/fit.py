"""`nacc fit`: the main job, from arguments, files or standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from nacc.apps.cli import options
from nacc.apps.cli.answers import Answer, Asked, chunks
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.reports import (
    Extended,
    JsonLines,
    PlainText,
    Report,
    TabSeparated,
    column_names,
)
from nacc.apps.cli.ruler import on_a_terminal
from nacc.data.output import Write, writing
from nacc.data.rows import Entry, Format, Lines, Row, Table, TextLines
from nacc.data.sources import STANDARD_INPUT, STANDARD_INPUT_NAME, format_name, opened, table
from nacc.errors import BudgetTooSmall, InvalidInput


def fit(
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT",
            show_default=False,
            help="Texts to summarize. None: the lines of standard input.",
        ),
    ] = None,
    *,
    maximum: options.SeveralBudgets = None,
    preset: options.Presets = None,
    unit: options.Unit = None,
    font: options.Font = None,
    size: options.Size = None,
    fill: options.Fill = None,
    alternatives: Annotated[
        int,
        typer.Option(
            "--alternatives", "-n", metavar="N", min=1, help="How many different summaries."
        ),
    ] = 1,
    require: options.Require = None,
    forbid: options.Forbid = None,
    faithful: options.Faithful = False,
    case: options.Case = "sentence",
    method: options.Method = None,
    every_sentence: options.EverySentence = False,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--in",
            "-i",
            metavar="FILE",
            show_default=False,
            help="Read texts from a file, «-» for standard input. Repeatable.",
        ),
    ] = None,
    form: options.FormatName = None,
    column: options.Column = None,
    no_header: options.NoHeader = False,
    into: Annotated[
        str, typer.Option(metavar="NAME", help="CSV, TSV, JSON: the column to write.")
    ] = "summary",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            show_default=False,
            help="Write to a file, which appears when all is done.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each summary, with all details.")
    ] = False,
    as_tsv: Annotated[
        bool, typer.Option("--tsv", help="Line, length, budget, unit and text, tab-separated.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")] = False,
    model: options.Model = None,
) -> None:
    """Say it in the space there is: a summary of each text that fits the budget.

    Plain text gives a summary a line. CSV, TSV and JSON Lines come out as they went in, with the
    summaries in new columns. A row that cannot be summarized (empty, not UTF-8, nothing fits) is
    reported with its line number and leaves its place empty.

    \b
    Examples:
      nacc "A long sentence about a small thing ..." --max 50
      nacc fit "A long sentence ..." --max 30 --max "75 bytes" --for sms
      nacc fit --in leads.txt --for push --json
      nacc fit --in news.csv --column lead --max 40 --out short.csv
      nacc fit --max 600 --font Roboto --size 18 < titles.txt
      tail -f wire.jsonl | nacc fit --format jsonl --column body --max 60

    \b
    Exit codes:
      0    done
      1    done, except for rows that were reported
      2    wrong usage, unreadable input or unwritable output
      3    nothing fits the budget (a TEXT given here, or --strict)
      130  interrupted; --out is left as it was
    """
    if text and files:
        raise InvalidInput("give texts as arguments or with --in, not both")
    if as_json and as_tsv:
        raise InvalidInput("choose --json or --tsv, not both")
    maximum = maximum or ([] if preset else [options.USUAL])
    budgets = options.budgets(maximum, preset or [], unit, font, size)
    asked = Asked(
        lambda: options.load(model),
        budgets,
        options.wishes(
            budgets, method=method, least=fill, require=require, forbid=forbid,
            faithful=faithful, case=case, alternatives=alternatives,
        ),
        alternatives,
        every_sentence,
    )  # fmt: skip
    paths = files or ([] if text else [_standard_input()])
    names = column_names(into, [*maximum, *(preset or [])], alternatives)
    columns = _table(paths, form, column, not no_header, names)
    report: Report
    if as_json:
        report = JsonLines()
    elif as_tsv:
        report = TabSeparated()
    elif columns is not None:
        report = Extended(columns, names, alternatives)
    else:
        report = PlainText(out is None and on_a_terminal())
    with writing(out) as write:
        job = Job(asked, report, write, strict or bool(text))
        if text:
            job.arguments(text)
        else:
            with Progress(_size(paths), shown=out is not None or not on_a_terminal()) as progress:
                for path in paths:
                    with opened(path) as lines:
                        job.document(lines, columns or TextLines(), progress)
    if job.bad:
        raise typer.Exit(1)


class Job:
    """Answers rows as they come, and keeps count of those that have none."""

    def __init__(self, asked: Asked, report: Report, write: Write, strict: bool) -> None:
        self.bad = 0
        self._asked = asked
        self._report = report
        self._write = write
        self._strict = strict
        self._done = 0
        self._bytes = 0

    def arguments(self, texts: Sequence[str]) -> None:
        rows = [Row(text, i, (Entry(text, 0, len(text), i),)) for i, text in enumerate(texts, 1)]
        self._write(self._report.begin("", ""))
        self._answer(rows, "text" if len(rows) > 1 else "")

    def document(self, lines: Lines, cut: Format, progress: Progress) -> None:
        begun = False
        for rows in chunks(lines, cut):
            if not begun:
                begun = True
                file = "" if lines.name == STANDARD_INPUT_NAME else lines.name
                self._write(self._report.begin(file, lines.mark))
            self._answer(rows, lines.name)
            progress.update(self._bytes + lines.bytes_read, self._done)
        self._bytes += lines.bytes_read

    def _answer(self, rows: Sequence[Row], place: str) -> None:
        texts = [entry.text for row in rows for entry in row.entries]
        answers = iter(self._asked.answers(texts))
        for row in rows:
            found = next(answers) if row.entries else self._none(row)
            self._complain(row, found, place)
            self._write(self._report.row(row, found))
        self._done += len(texts)

    def _none(self, row: Row) -> list[Answer]:
        """The answers for a row without a text: none, unless there should have been one."""
        if not row.problem:
            return []
        return [Answer(budget, error=InvalidInput(row.problem)) for budget in self._asked.budgets]

    def _complain(self, row: Row, answers: Sequence[Answer], place: str) -> None:
        errors = {str(answer.error): answer.error for answer in answers if answer.error}
        for message, error in errors.items():
            where = f"{place} {row.line}: " if place == "text" else f"{place}:{row.line}: "
            told = (where if place else "") + message
            if self._strict:
                raise (
                    BudgetTooSmall(told, error.smallest)
                    if isinstance(error, BudgetTooSmall)
                    else InvalidInput(told)
                )
            print(f"nacc: {told}", file=sys.stderr)
        self.bad += bool(errors)


def _standard_input() -> Path:
    if sys.stdin is not None and sys.stdin.isatty():
        raise InvalidInput('nothing to summarize: try nacc fit "a long sentence …" --max 50')
    return STANDARD_INPUT


def _table(
    paths: Sequence[Path], form: str | None, column: str | None, named: bool, names: list[str]
) -> Table | None:
    """How the files are cut into rows, if they are tables."""
    formats = {format_name(path, form) for path in paths}
    if len(formats) > 1:
        raise InvalidInput(
            f"files of different formats ({', '.join(sorted(formats))}): say --format"
        )
    return table(formats.pop() if formats else "text", column, named, names)


def _size(paths: Sequence[Path]) -> int | None:
    """How many bytes there are to read, if that is known."""
    if not all(path.is_file() for path in paths):
        return None
    return sum(path.stat().st_size for path in paths)
