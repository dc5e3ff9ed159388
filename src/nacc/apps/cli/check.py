"""`nacc check`: which texts of a file are too long, what to say instead, and --fix to say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from nacc.apps.cli import flags
from nacc.apps.cli.checker import Checker, Wanted
from nacc.apps.cli.loading import load
from nacc.apps.cli.options import settled, with_options
from nacc.apps.cli.progress import Progress
from nacc.apps.cli.proposals import Proposals
from nacc.apps.cli.ruler import on_a_terminal
from nacc.data.budget_rules import CONFIG, Rule, read_rules
from nacc.data.output import writing
from nacc.data.rows import encoding_named
from nacc.data.sources import (
    REPLACEABLE,
    STANDARD_INPUT,
    any_format,
    replaceable_format_name,
)
from nacc.errors import InvalidInput
from nacc.length.budget import Budget
from nacc.options import Options


def _known_formats(incomplete: str) -> list[str]:
    return [name for name in REPLACEABLE if name.startswith(incomplete)]


@with_options(alternatives=1)
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="Files to check. None: all that nacc.toml speaks of.",
        ),
    ] = None,
    *,
    maximum: flags.OneBudget = None,
    preset: flags.Preset = None,
    unit: flags.Unit = None,
    font: flags.Font = None,
    size: flags.Size = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="Only texts of this column or under this key; home.*.title is a pattern. "
            "Repeatable.",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=False,
            help="Budgets of files, columns and keys. Default, without --max and --for: nacc.toml.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            show_default=False,
            autocompletion=_known_formats,
            help=f"{', '.join(REPLACEABLE[:-1])} or {REPLACEABLE[-1]}. "
            "Default: by the file's ending.",
        ),
    ] = None,
    no_header: flags.NoHeader = False,
    encoding: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            show_default=False,
            help="The files' encoding: cp1252… Default: UTF-8, or UTF-16 where a mark says so.",
        ),
    ] = None,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix", help="Put the proposals in; the old file becomes FILE.bak, FILE.bak.1…"
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and write nothing.")
    ] = False,
    options: Options,
    as_json: Annotated[
        bool, typer.Option("--json", help="A JSON object for each text that is too long.")
    ] = False,
    model: flags.Model = None,
) -> None:
    """List the texts that are longer than a budget, each with a proposal that fits.

    Reads lines of text, columns of CSV and TSV, and the strings of JSON, JSON Lines, YAML, TOML,
    PO, XLIFF, Android's strings.xml and Apple's .strings. A text that has no proposal with all its
    placeholders and markup is reported and left alone; sentences that a proposal leaves out are
    told. With --fix, everything but the texts that were too long stays byte for byte as it was; a
    file is replaced as a whole or not at all, and not at all if a part of it cannot be read.

    \b
    Examples:
      nacc check titles.txt --max 60
      nacc check products.csv --column title --column name --max 60
      nacc check locales/*.json --max "40 columns" --diff
      nacc check res/values/strings.xml --column "*_title" --max 30 --fix
      nacc check --config nacc.toml

    \b
    Exit codes:
      0    every text fits (with --fix: now)
      1    a text is too long (with --fix: and nothing that fits could be put in)
      2    wrong usage, or something could not be read or written
      130  interrupted; files are whole, old or new
    """
    if fix and diff:
        raise InvalidInput("choose --fix or --diff, not both")
    if diff and as_json:
        raise InvalidInput("choose --diff or --json, not both")
    if maximum is None and preset is None:
        if column or unit or font or size:
            raise InvalidInput("--column, --unit, --font and --size go with --max or --for")
        jobs = _configured(config, files)
    else:
        if (maximum is not None) + (preset is not None) + (config is not None) > 1:
            raise InvalidInput("say how long at most with --max or --for, or with --config")
        (budget,) = flags.budgets(
            [] if maximum is None else [maximum],
            [] if preset is None else [preset],
            unit,
            font,
            size,
        )
        jobs = _given(files or [], column or [], budget)
    if STANDARD_INPUT in (job.path for job in jobs) and fix:
        raise InvalidInput("--fix needs files: standard input cannot be rewritten")
    budgets = list(dict.fromkeys(rule.budget for job in jobs for rule in job.rules))
    asked = settled(options, model, budgets)
    total = sum(job.path.stat().st_size for job in jobs if job.path.is_file())
    with writing(None) as write, Progress(total, shown=not on_a_terminal()) as progress:
        proposals = Proposals(lambda: load(model, asked.method), asked)
        wanted = Wanted(fix, diff, as_json, encoding and encoding_named(encoding))
        checker = Checker(proposals, write, wanted)
        for job in jobs:
            name = replaceable_format_name(job.path, form)
            cut = any_format(name, job.columns, not no_header)
            checker.file(job.path, cut, job.rules, progress)
    checker.conclude(str(budgets[0]) if len(budgets) == 1 else "their budgets")
    if checker.unread:
        raise typer.Exit(2)
    if checker.too_long > checker.fixed:
        raise typer.Exit(1)


@dataclass(frozen=True)
class FileJob:
    """A file, the rules for its texts, and the columns that these speak of, if it is a table."""

    path: Path
    rules: Sequence[Rule]
    columns: Sequence[str]


def _given(files: Sequence[Path], columns: Sequence[str], budget: Budget) -> list[FileJob]:
    """The files of the command line, all with the same budget."""
    if not files:
        raise InvalidInput("say which files to check")
    rules = [Rule(column, budget) for column in columns or ["*"]]
    return [FileJob(path, rules, columns) for path in files]


def _configured(config: Path | None, files: Sequence[Path] | None) -> list[FileJob]:
    """Those of the files that the config file has rules for; all there are, if none are given."""
    if config is None and not CONFIG.exists():
        raise InvalidInput(f"say how long at most, with --max or --for, or in {CONFIG}")
    config = config or CONFIG
    told = read_rules(config)
    found = [path for each in told for path in each.files()] if files is None else files
    jobs = []
    for path in dict.fromkeys(found):
        rules = [rule for each in told if each.apply_to(path) for rule in each.rules]
        if rules:
            jobs.append(FileJob(path, rules, [rule.pattern for rule in rules]))
    if files is None and not jobs:
        raise InvalidInput(f"{config} speaks of no file that is there")
    return jobs
