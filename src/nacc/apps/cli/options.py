"""What the commands ask for in the same words: the budget, the words, the model."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nacc.decoding.constraints import MOST_REQUIRED
from nacc.errors import InvalidInput
from nacc.length import PRESETS, UNITS, Budget
from nacc.options import METHODS, TIDY
from nacc.text.surface import CASES

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer

USUAL = "50"


def _known_units(incomplete: str) -> Iterator[tuple[str, str]]:
    return ((u.name, u.what) for u in UNITS if u.name.startswith(incomplete))


def _known_presets(incomplete: str) -> Iterator[tuple[str, str]]:
    return ((p.name, p.what) for p in PRESETS if p.name.startswith(incomplete))


def _known_methods(incomplete: str) -> list[str]:
    return [name for name in METHODS if name.startswith(incomplete)]


def _known_cases(incomplete: str) -> list[str]:
    return [name for name in CASES if name.startswith(incomplete)]


def _known_formats(incomplete: str) -> list[str]:
    from nacc.data.sources import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


SeveralBudgets = Annotated[
    list[str] | None,
    typer.Option(
        "--max",
        "-m",
        metavar="BUDGET",
        show_default=False,
        help='How long at most: 50, "75 bytes", 600px, sms, push… Repeatable. Default: 50.',
    ),
]
OneBudget = Annotated[
    str | None,
    typer.Option(
        "--max",
        "-m",
        metavar="BUDGET",
        show_default=False,
        help='How long at most: 50, "75 bytes", 600px, sms, push…',
    ),
]
Presets = Annotated[
    list[str] | None,
    typer.Option(
        "--for",
        metavar="PRESET",
        show_default=False,
        autocompletion=_known_presets,
        help="A budget by its name: sms, push, search-title… (see nacc units). Repeatable.",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="PRESET",
        show_default=False,
        autocompletion=_known_presets,
        help="A budget by its name: sms, push, search-title… (see nacc units).",
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        show_default=False,
        autocompletion=_known_units,
        help="What a bare number given to --max counts. Default: characters.",
    ),
]
Font = Annotated[
    str | None,
    typer.Option(
        metavar="FONT",
        show_default=False,
        help="Count pixels in this font: Arial, Roboto, Inter or a font file.",
    ),
]
Size = Annotated[
    float | None,
    typer.Option(metavar="PX", show_default=False, help="Size of the font in pixels. Default: 20."),
]
Method = Annotated[
    str | None,
    typer.Option(
        metavar="METHOD",
        show_default=False,
        autocompletion=_known_methods,
        help=f"{', '.join(METHODS[:-1])} or {METHODS[-1]}. Default: coherent.",
    ),
]
Fill = Annotated[
    str | None,
    typer.Option(
        metavar="LEAST",
        show_default=False,
        help="How much of the budget to use, if the text allows: 90%, or 45 in its unit.",
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", show_default=False, help="A word that must appear. Repeatable."),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option(metavar="WORD", show_default=False, help="A word that must not. Repeatable."),
]
Faithful = Annotated[
    bool, typer.Option("--faithful", help="Only words of the text, and function words.")
]
Case = Annotated[
    str,
    typer.Option(
        metavar="CASE",
        autocompletion=_known_cases,
        help=f"Capitals: {', '.join(CASES[:-1])} or {CASES[-1]}.",
    ),
]
EverySentence = Annotated[
    bool, typer.Option("--all", help="Summarize all sentences as one, not the first alone.")
]
Model = Annotated[
    Path | None,
    typer.Option(
        metavar="MODEL",
        show_default=False,
        help="A packaged model by name (extractive), or a model folder. Default: default.",
    ),
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default=False,
        help="CSV, TSV, JSON: the column or key that holds the texts.",
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header", help="CSV, TSV: the first row is data, columns are called 1, 2, 3…"
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        show_default=False,
        autocompletion=_known_formats,
        help="text, csv, tsv, jsonl or json. Default: by the file's ending, else text.",
    ),
]


def budgets(
    maximum: list[str],
    preset: list[str],
    unit: str | None,
    font: str | None,
    size: float | None,
) -> list[Budget]:
    """What --max and --for ask for, in this order; the rest says what a bare number counts."""
    if not maximum and (unit or font or size):
        raise InvalidInput("--unit, --font and --size go with --max, not with --for")
    return [*(_counted(each, unit, font, size) for each in maximum), *map(_named, preset)]


def _named(name: str) -> Budget:
    try:
        if not name[:1].isdigit():  # as a budget written out would begin
            return Budget.of(name)
    except InvalidInput:
        pass
    known = ", ".join(preset.name for preset in PRESETS)
    raise InvalidInput(f"unknown preset {name!r}; known: {known}")


def _counted(written: str, unit: str | None, font: str | None, size: float | None) -> Budget:
    drawn = font is not None or size is not None
    if drawn and unit is not None and Budget.of(f"1 {unit}").measure.name != "pixels":
        raise InvalidInput(f"--font and --size go with pixels, not with --unit {unit}")
    if drawn:
        unit = " ".join(["px", *([font] if font else []), *([f"{size:g}"] if size else [])])
    bare = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(px)?\s*", written)
    if bare and unit and (drawn or not bare[2]):
        return Budget.of(f"{bare[1]} {unit}")
    if drawn:
        raise InvalidInput(f"--font and --size need a bare number of pixels, not {written!r}")
    return Budget.of(written)


def load(model: Path | None) -> Summarizer:
    """The model; on a terminal, say so if the decoders have to be compiled first."""
    _say_if_first_run()
    from nacc.summarizer import Summarizer

    return Summarizer.load(model)


def _say_if_first_run() -> None:
    """Numba compiles once on a new machine and keeps the result; say why that call takes long."""
    if not sys.stderr.isatty():
        return
    from numba.core import config

    from nacc import decoding

    folder = Path(config.CACHE_DIR or Path(decoding.__file__).parent / "__pycache__")
    if not any(folder.rglob("*.nbi")):
        print("nacc: compiling the decoders, once on this machine (about 15 s) …", file=sys.stderr)


def wishes(
    budgets: list[Budget],
    *,
    method: str | None = None,
    least: str | None = None,
    require: list[str] | None = None,
    forbid: list[str] | None = None,
    faithful: bool = False,
    case: str = "sentence",
    alternatives: int = 1,
) -> dict[str, Any]:
    """What to ask of the Summarizer; refused here if no text could ever have it."""
    if method not in (None, *METHODS):
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(METHODS)}")
    if case not in CASES:
        raise InvalidInput(f"unknown case {case!r}; known: {', '.join(CASES)}")
    for option, asked in (("--alternatives", alternatives > 1), ("--require", bool(require))):
        if asked and method not in (None, *TIDY):
            raise InvalidInput(f"{option} needs --method {' or '.join(TIDY)}, not {method}")
    if len(require or ()) > MOST_REQUIRED:
        raise InvalidInput(
            f"--require can be given {MOST_REQUIRED} times, not {len(require or ())}"
        )
    given: dict[str, Any] = {
        "required": tuple(require or ()),
        "forbidden": tuple(forbid or ()),
        "faithful": faithful,
        "case": case,
        **_fill(least, budgets),
    }
    return given if method is None else {**given, "method": method}


def _fill(least: str | None, budgets: list[Budget]) -> dict[str, float]:
    """What --fill asks for: a share of the budget, or an amount."""
    if least is None:
        return {}
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(%?)", least.strip())
    if not match:
        raise InvalidInput(f"cannot read --fill {least!r}; write e.g. 90% or 45")
    amount = float(match[1])
    if match[2]:
        if amount > 100:
            raise InvalidInput(f"--fill {least} is more than the whole budget")
        return {"fill": amount / 100}
    smallest = min(budgets, key=lambda each: each.amount)
    if amount > smallest.amount:
        raise InvalidInput(f"--fill {least} is more than the budget of {smallest}")
    return {"at_least": amount}
