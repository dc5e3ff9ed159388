"""`nacc fit`: the main job, from arguments, a file or standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from nacc.errors import InvalidInput
from nacc.summary import Summary

CHUNK = 256


def fit(
    text: Annotated[
        list[str] | None, typer.Argument(help="Texts to summarize; none: lines of standard input.")
    ] = None,
    *,
    max_length: Annotated[
        list[str] | None,
        typer.Option(
            "--max", "-m", help='Budget: 50, "75 bytes", 600px, sms, push… May be repeated.'
        ),
    ] = None,
    unit: Annotated[str, typer.Option(help="Unit of a bare number given to --max.")] = "characters",
    preset: Annotated[
        list[str] | None, typer.Option("--for", help="A named budget: sms, push, search-title…")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--in", "-i", help="Read texts from a file, one a line.")
    ] = None,
    method: Annotated[
        str | None, typer.Option(help="coherent, exact, bucketed, greedy or truncate.")
    ] = None,
    at_least: Annotated[
        float | None, typer.Option("--fill", help="Shortest summary accepted, in the same unit.")
    ] = None,
    alternatives: Annotated[
        int, typer.Option("--alternatives", "-n", min=1, help="How many different summaries.")
    ] = 1,
    require: Annotated[list[str] | None, typer.Option(help="A word that must appear.")] = None,
    forbid: Annotated[list[str] | None, typer.Option(help="A word that must not.")] = None,
    faithful: Annotated[
        bool, typer.Option("--faithful", help="Only words of the source, and function words.")
    ] = False,
    case: Annotated[str, typer.Option(help="sentence, title, lower or source.")] = "sentence",
    every_sentence: Annotated[
        bool, typer.Option("--all", help="Summarize all sentences as one, not the first alone.")
    ] = False,
    model: Annotated[
        Path | None, typer.Option(help="A model folder; else the packaged one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a summary.")] = False,
) -> None:
    """Say it in the space there is: a summary of each text that fits the budget.

    nacc fit "A long sentence …" --max 50

    nacc fit --in leads.txt --for push --json
    """
    texts = _texts(text, file)
    budgets: list[str] = [
        amount if not amount.strip().replace(".", "", 1).isdigit() else f"{amount} {unit}"
        for amount in max_length or ([] if preset else ["50"])
    ] + (preset or [])
    _say_if_first_run()
    from nacc.summarizer import Summarizer

    summarizer = Summarizer.load(model)
    wishes: dict[str, Any] = {
        "method": method,
        "at_least": at_least,
        "required": tuple(require or ()),
        "forbidden": tuple(forbid or ()),
        "faithful": faithful,
        "case": case,
        "sentences": "all" if every_sentence else "first",
    }
    for chunk in _chunks(texts):
        readings = summarizer.read(chunk, sentences=wishes["sentences"])
        for reading in readings:
            for budget in budgets:
                if alternatives > 1:
                    found = summarizer.alternatives(reading, alternatives, budget, **wishes)
                else:
                    found = [summarizer.summarize(reading, budget, **wishes)]
                for summary in found:
                    _print(summary, as_json)


def _texts(arguments: list[str] | None, file: Path | None) -> Iterator[str]:
    if arguments and file:
        raise InvalidInput("give texts as arguments or with --in, not both")
    if arguments:
        yield from arguments
        return
    if file is None and sys.stdin.isatty():
        raise InvalidInput('nothing to summarize: try nacc fit "a long sentence …" --max 50')
    try:
        with file.open(encoding="utf-8") if file else sys.stdin as lines:
            for line in lines:
                if line.strip():
                    yield line.rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {file or 'standard input'}: {error}") from error


def _chunks(texts: Iterable[str]) -> Iterator[list[str]]:
    stream = iter(texts)
    while chunk := list(islice(stream, CHUNK)):
        yield chunk


def _print(summary: Summary, as_json: bool) -> None:
    print(json.dumps(asdict(summary), ensure_ascii=False) if as_json else summary.text)


def _say_if_first_run() -> None:
    """Numba compiles once on a new machine and keeps the result; say why that call takes long."""
    from nacc import decoding

    compiled = any(Path(decoding.__file__).parent.glob("__pycache__/*.nbi"))
    if not compiled and sys.stderr.isatty():
        print("nacc: compiling the decoders, once on this machine (about 15 s) …", file=sys.stderr)
