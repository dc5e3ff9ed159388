"""`nacc fit`: the main job, from arguments, files or standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nacc.apps.cli import flags
from nacc.apps.cli.loading import load
from nacc.apps.cli.options import settled, told, with_options
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.remarks import remark
from nacc.apps.cli.reports import Extended, JsonLines, PlainText, Report, TabSeparated
from nacc.apps.cli.ruler import on_a_terminal
from nacc.bulk.columns import NewColumns, details
from nacc.bulk.summaries import Summaries
from nacc.data.output import STANDARD_OUTPUT, Write, writing
from nacc.data.rows import (
    Entry,
    Format,
    Lines,
    Row,
    Table,
    TextLines,
    encoded,
    encoding_named,
)
from nacc.data.sources import STANDARD_INPUT, STANDARD_INPUT_NAME, format_name, opened, table
from nacc.errors import InvalidInput, InvalidOption, NaccError
from nacc.options import Options

if TYPE_CHECKING:
    from nacc.summarizer import Result


@with_options()
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
    maximum: flags.SeveralBudgets = None,
    preset: flags.Presets = None,
    unit: flags.Unit = None,
    font: flags.Font = None,
    size: flags.Size = None,
    options: Options,
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
    form: flags.FormatName = None,
    column: flags.Column = None,
    no_header: flags.NoHeader = False,
    encoding: flags.Encoding = None,
    into: flags.Into = "summary",
    details_: flags.Details = None,
    errors: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="CSV, TSV, JSON: a column of what went wrong. Default: none.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            show_default=False,
            help="Write to a file, which appears when all is done; «-»: standard output.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each summary, with all details.")
    ] = False,
    as_tsv: Annotated[
        bool, typer.Option("--tsv", help="Line, length, budget, unit and text, tab-separated.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad row.")] = False,
    model: flags.Model = None,
) -> None:
    """Say it in the space there is: a summary of each text that fits the budget.

    Plain text gives a summary a line. CSV, TSV and JSON Lines come out as they went in, with the
    summaries in new columns. A row that cannot be summarized (empty, not UTF-8, nothing fits) is
    reported with its line number and leaves its place empty. What is not asked for is as the
    model's folder says.

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
      3    nothing fits the budget, or nothing that does can be trusted (a TEXT
           given here, or --strict)
      130  interrupted; --out is left as it was
    """
    if text and files:
        raise InvalidInput("give texts as arguments or with --in, not both")
    if as_json and as_tsv:
        raise InvalidInput("choose --json or --tsv, not both")
    out = None if out == STANDARD_OUTPUT else out
    encoding = encoding_named(encoding)
    maximum = maximum or ([] if preset else [flags.USUAL])
    budgets = flags.budgets(maximum, preset or [], unit, font, size)
    asked = settled(options, model, budgets)
    paths = files or ([] if text else [_standard_input()])
    written = (*maximum, *(preset or []))
    new = NewColumns(into, written, asked.alternatives, details(details_), errors)
    columns = _table(paths, form, column, not no_header, new.names)
    if (details_ or errors) and (columns is None or as_json or as_tsv):
        raise InvalidInput("--with and --errors add columns to CSV, TSV and JSON Lines only")
    report: Report
    if as_json:
        report = JsonLines()
    elif as_tsv:
        report = TabSeparated(budgets)
    elif columns is not None:
        report = Extended(columns, new.checked())
    else:
        report = PlainText(out is None and on_a_terminal())
    with writing(out, encoding) as write:
        summaries = Summaries(lambda: load(model, asked.method), budgets, asked)
        fitter = Fitter(summaries, report, write, strict or bool(text))
        if text:
            fitter.arguments(text)
        else:
            with Progress(_size(paths), shown=out is not None or not on_a_terminal()) as progress:
                for path in paths:
                    with opened(path, encoding) as lines:
                        fitter.document(lines, columns or TextLines(), progress)
    if fitter.bad:
        raise typer.Exit(1)


class Fitter:
    """Writes the results of rows as they come, and keeps count of rows that have none."""

    def __init__(self, summaries: Summaries, report: Report, write: Write, strict: bool) -> None:
        self.bad = 0
        self._summaries = summaries
        self._report = report
        self._write = write
        self._strict = strict
        self._texts = 0
        self._bytes = 0

    def arguments(self, texts: Sequence[str]) -> None:
        rows = [Row(text, i, (Entry(text, 0, len(text), i),)) for i, text in enumerate(texts, 1)]
        self._write(self._report.begin("", ""))
        for row in self._summaries.of(rows):
            self._tell(*row, "text" if len(rows) > 1 else "")

    def document(self, lines: Lines, cut: Format, progress: Progress) -> None:
        begun = False
        for row, results in self._summaries.of(cut.rows(lines)):
            if not begun:
                begun = True
                file = "" if lines.name == STANDARD_INPUT_NAME else lines.name
                self._write(self._report.begin(file, lines.mark))
            self._tell(row, results, lines.name)
            self._texts += len(row.entries)
            self._bytes += len(encoded(row.raw, lines.encoding))
            progress.update(self._bytes, self._texts)

    def _tell(self, row: Row, results: Sequence[Result], place: str) -> None:
        """Write a row's results, and say what is wrong with it."""
        errors = {told(each): each for each in results if isinstance(each, NaccError)}
        for message, error in errors.items():
            where = f"{place} {row.line}: " if place == "text" else f"{place}:{row.line}: "
            line = (where if place else "") + message
            if self._strict:
                if isinstance(error, InvalidOption):  # whose flag the line names already
                    raise InvalidInput(line)
                error.args = (line,)
                raise error
            remark(line)
        self.bad += bool(errors)
        self._write(self._report.row(row, results))


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
