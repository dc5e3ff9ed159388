"""`nacc explain`: what each slot proposed, the path that was taken, why words were left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nacc.apps.cli import flags
from nacc.apps.cli.columns import aligned
from nacc.apps.cli.loading import load
from nacc.apps.cli.options import settled, with_options
from nacc.apps.cli.ruler import on_a_terminal, ruled
from nacc.data.output import writing
from nacc.decoding.registry import decoder
from nacc.errors import InvalidInput, NaccError
from nacc.length.budget import number
from nacc.options import Options
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.fitting.explain import Explanation, Link, Slot


UNSCORED = {
    "as-is": "the text fits as it is",
    "trimmed": "it fits without what can be spared",
    "lead": "",
}
"""What is said without a model, and why, where no note tells it."""
SELDOM = 0.02
"""Linked slots that fewer paths go through are not shown, unless the summary's does."""


@with_options()
def explain(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", show_default=False, help="The text to explain.")
    ],
    *,
    maximum: flags.OneBudget = None,
    preset: flags.Preset = None,
    unit: flags.Unit = None,
    font: flags.Font = None,
    size: flags.Size = None,
    options: Options,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many candidates of each slot to show.")
    ] = 4,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Draw it as a picture."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    model: flags.Model = None,
) -> None:
    """Show how a summary came about.

    First what nacc fit says, and why: as-is and trimmed texts need no model, an extract or a lead
    is said where the model is not to be trusted. Where that is not the model's, what follows is of
    what the model would have said.

    For every slot (each word of the text has one or more) its likeliest words and ε, the empty
    word, or, where slots are linked, the likeliest ways on; which was taken; how long the summary
    is by then. For every word that was left out, why: it lost to ε or to another word, the path
    goes past it, there was no room, a rule keeps it out, or the model did not think of it.

    \b
    Examples:
      nacc explain "A long sentence about a small thing ..." --max 50
      nacc explain "A long sentence ..." --max 30 --svg lattice.svg

    \b
    Exit codes:
      0    done
      2    wrong usage or input, unwritable picture
      3    nothing fits the budget, or nothing can be trusted (--fallback error)
    """
    if maximum is not None and preset is not None:
        raise InvalidInput("give --max or --for, not both")
    maxima = [] if preset is not None else [flags.USUAL if maximum is None else maximum]
    presets = [] if preset is None else [preset]
    (budget,) = flags.budgets(maxima, presets, unit, font, size)
    asked = settled(options, model, [budget])
    if not decoder(asked.method).whole_words:
        raise InvalidInput(f"{asked.method} has no path to explain: it cuts what another said")
    from nacc.fitting.explain import explain_said

    summarizer = load(model, asked.method)
    ((said,),) = summarizer.each([text], [budget], asked)
    if isinstance(said, NaccError):
        raise said
    (read,) = summarizer.read([text], budget, asked, errors="return")
    found = explain_said(said, None if isinstance(read, NaccError) else read, budget, asked, top)
    if svg is not None:
        from nacc.fitting.picture import drawn

        with writing(svg) as write:
            write(drawn(found))
    with writing(None) as write:
        write(json.dumps(asdict(found), ensure_ascii=False) + "\n" if as_json else _told(found))


def _told(found: Explanation) -> str:
    parts = [_headed(found.summary)]
    for each in found.summary.alternatives:
        parts.append(f"or: {each.text} ({number(each.length)}, score {each.score:.2f})\n")
    if found.would_say is not None:
        parts.append(f"\nThe model would have said:\n{_headed(found.would_say)}")
    if not found.slots:
        return "".join([*parts, "\nThe model has nothing to say of this text.\n"])
    parts.append("\n")
    rows: list[tuple[str, ...]]
    if found.linked:
        rows = [("slot", "text", "passed", "says", "length", "candidates", "goes on")]
        rows.append(("", "", "", "", "", "", _ways(found.begins)))
        shown = [slot for slot in found.slots if slot.says or (slot.passed or 0) >= SELDOM]
        rows += [_linked_row(slot) for slot in shown]
    else:
        rows = [("slot", "text", "says", "length", "candidates")]
        rows += [_row(slot) for slot in found.slots]
    parts.append(aligned(rows) + "\n")
    if found.expected:
        words = " · ".join(f"{word} {often:.2f}" for word, often in found.expected)
        parts.append(f"\nExpected in an answer: {words}\n")
    if found.dropped:
        reasons = [(str(each.slot), each.word, each.why) for each in found.dropped]
        parts.append("\nNot said:\n" + aligned(reasons) + "\n")
    return "".join(parts)


def _headed(summary: Summary) -> str:
    """A summary, its length, and how and why it came about."""
    shown = ruled(replace(summary, note="")) if on_a_terminal() else f"{summary.text}\n"
    length = f"{number(summary.length)} of {number(summary.budget)} {summary.unit}"
    proof = "; no other words could score higher" if summary.proven else ""
    score = "" if summary.method in UNSCORED else f", score {summary.score:.2f}{proof}"
    note = UNSCORED.get(summary.method) or summary.note
    return f"{shown}{length}, {summary.method}{score}{f': {note}' if note else ''}\n"


def _row(slot: Slot) -> tuple[str, ...]:
    from nacc.fitting.explain import EPSILON

    says = slot.says or ("" if slot.chosen == EPSILON else f"({slot.chosen})")
    length = number(slot.length) if slot.says else ""
    return str(slot.number), slot.source, says, length, _candidates(slot)


def _linked_row(slot: Slot) -> tuple[str, ...]:
    from nacc.fitting.explain import percent

    length = number(slot.length) if slot.says else ""
    passed = percent(slot.passed or 0.0)
    known = (str(slot.number), slot.source, passed, slot.says or "", length)
    return *known, _candidates(slot), _ways(slot.links)


def _candidates(slot: Slot) -> str:
    from nacc.fitting.explain import percent

    return " · ".join(
        f"{each.word} {percent(each.probability)}{' ✗' if each.refused else ''}"
        for each in slot.candidates
    )


def _ways(links: Sequence[Link]) -> str:
    """The ways on from a slot; the one that was taken is marked."""
    from nacc.fitting.explain import percent

    return " · ".join(
        f"{'→' if link.chosen else ''}{link.to or 'end'} {percent(link.probability)}"
        for link in links
    )
