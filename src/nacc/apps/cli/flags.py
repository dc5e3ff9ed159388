"""What the commands ask for in the same words: the budget, the model, the file's format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from nacc.errors import InvalidInput
from nacc.length import PRESETS, UNITS, Budget
from nacc.length.measures import Pixels
from nacc.length.measures.pixels import DEFAULT_FONT, DEFAULT_SIZE
from nacc.length.units import measure_of

USUAL = "50"


@dataclass(frozen=True)
class Once:
    """Marks a flag that `with_options` refuses if it is given twice."""

    flag: str


def _known_units(incomplete: str) -> Iterator[tuple[str, str]]:
    return ((u.name, u.what) for u in UNITS if u.name.startswith(incomplete))


def _known_presets(incomplete: str) -> Iterator[tuple[str, str]]:
    return ((p.name, p.what) for p in PRESETS if p.name.startswith(incomplete))


def _known_formats(incomplete: str) -> list[str]:
    from nacc.data.sources import FORMATS

    return [name for name in FORMATS if name.startswith(incomplete)]


def _max(more: str = "") -> Any:
    told = f'How long at most: 50, "75 bytes", 600px, sms, push…{more}'
    return typer.Option("--max", "-m", metavar="BUDGET", show_default=False, help=told)


def _for(more: str = "") -> Any:
    told = f"A budget by its name: sms, push, search-title… (see nacc units).{more}"
    return typer.Option(
        "--for",
        metavar="PRESET",
        show_default=False,
        autocompletion=_known_presets,
        help=told,
    )


OneBudget = Annotated[str | None, _max(), Once("--max")]
SeveralBudgets = Annotated[list[str] | None, _max(" Repeatable. Default: 50.")]
Preset = Annotated[str | None, _for(), Once("--for")]
Presets = Annotated[list[str] | None, _for(" Repeatable.")]
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
Model = Annotated[
    Path | None,
    typer.Option(
        metavar="MODEL",
        show_default=False,
        help="A packaged model by name, or a model folder. Default: default.",
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
Into = Annotated[str, typer.Option(metavar="NAME", help="CSV, TSV, JSON: the column to write.")]
Details = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="NAMES",
        show_default=False,
        help="Columns of what is known of each summary: "
        "length, method, confidence, note, proven, truncated.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        show_default=False,
        help="The encoding of what is read and written: cp1252… Default: UTF-8.",
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
    maximum: Sequence[str],
    preset: Sequence[str],
    unit: str | None,
    font: str | None,
    size: float | None,
) -> list[Budget]:
    """What --max and --for ask for, in this order; the rest says what a bare number counts."""
    if not maximum and (unit is not None or font is not None or size is not None):
        raise InvalidInput("--unit, --font and --size go with --max, not with --for")
    if font is None and size is None:
        counted = [Budget.of(written, unit) for written in maximum]
    else:
        if unit is not None and measure_of(unit).name != Pixels.name:
            raise InvalidInput(f"--font and --size go with pixels, not with --unit {unit}")
        pixels = Pixels(font or DEFAULT_FONT, DEFAULT_SIZE if size is None else size)
        counted = [_drawn(written, pixels) for written in maximum]
    return [*counted, *map(_named, preset)]


def _drawn(written: str, pixels: Pixels) -> Budget:
    try:
        amount = float(written.strip().removesuffix(Pixels.unit))
    except ValueError as error:
        raise InvalidInput(
            f"--font and --size need a bare number of pixels, not {written!r}"
        ) from error
    return Budget.of(amount, pixels)


def _named(name: str) -> Budget:
    try:
        if not name[:1].isdigit():  # as a budget written out would begin
            return Budget.of(name)
    except InvalidInput:
        pass
    known = ", ".join(preset.name for preset in PRESETS)
    raise InvalidInput(f"unknown preset {name!r}; known: {known}")
