"""`nacc explain`: what each slot proposed, the path that was taken, why words were left out."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nacc.apps.cli import options
from nacc.apps.cli.columns import aligned
from nacc.apps.cli.ruler import number, on_a_terminal, ruled
from nacc.data.output import writing
from nacc.errors import InvalidInput

if TYPE_CHECKING:
    from nacc.fitting.explain import Explanation, Slot


def explain(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", show_default=False, help="The text to explain.")
    ],
    *,
    maximum: options.OneBudget = None,
    preset: options.Preset = None,
    unit: options.Unit = None,
    font: options.Font = None,
    size: options.Size = None,
    fill: options.Fill = None,
    require: options.Require = None,
    forbid: options.Forbid = None,
    faithful: options.Faithful = False,
    case: options.Case = "sentence",
    method: options.Method = None,
    every_sentence: options.EverySentence = False,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many candidates of each slot to show.")
    ] = 4,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", show_default=False, help="Draw it as a picture."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    model: options.Model = None,
) -> None:
    """Show how a summary came about.

    For every slot (there is one for each word of the text) its likeliest words and ε, the empty
    word; which was taken; how long the summary is by then. For every word that was left out, why:
    it lost to ε or to another word, there was no room, a rule keeps it out, or the model did not
    think of it.

    \b
    Examples:
      nacc explain "A long sentence about a small thing ..." --max 50
      nacc explain "A long sentence ..." --max 30 --svg lattice.svg

    \b
    Exit codes:
      0    done
      2    wrong usage or input, unwritable picture
      3    nothing fits the budget
    """
    if maximum is not None and preset is not None:
        raise InvalidInput("give --max or --for, not both")
    if method == "truncate":
        raise InvalidInput("truncate has no path to explain: it cuts what greedy says")
    maxima = [] if preset is not None else [options.USUAL if maximum is None else maximum]
    presets = [] if preset is None else [preset]
    (budget,) = options.budgets(maxima, presets, unit, font, size)
    given = options.wishes(
        [budget], method=method, least=fill, require=require, forbid=forbid,
        faithful=faithful, case=case,
    )  # fmt: skip
    from nacc.fitting.explain import explain as explained
    from nacc.options import Wishes

    summarizer = options.load(model)
    (reading,) = summarizer.read([text], sentences="all" if every_sentence else "first")
    wishes = Wishes(**{**summarizer.defaults, **given})
    found = explained(reading, budget, wishes, top)
    if svg is not None:
        from nacc.fitting.picture import drawn

        with writing(svg) as write:
            write(drawn(found))
    with writing(None) as write:
        write(json.dumps(asdict(found), ensure_ascii=False) + "\n" if as_json else _told(found))


def _told(found: Explanation) -> str:
    summary = found.summary
    parts = [ruled(summary) if on_a_terminal() else f"{summary.text}\n"]
    proof = "; no other words could score higher" if found.proven else ""
    parts.append(
        f"{number(summary.length)} of {number(summary.budget)} {summary.unit}, "
        f"{summary.method}, score {summary.score:.2f}{proof}\n\n"
    )
    rows = [("slot", "text", "says", "length", "candidates")]
    rows += [_row(i, slot) for i, slot in enumerate(found.slots, 1)]
    parts.append(aligned(rows) + "\n")
    if found.dropped:
        reasons = [(str(each.slot), each.word, each.why) for each in found.dropped]
        parts.append("\nNot said:\n" + aligned(reasons) + "\n")
    return "".join(parts)


def _row(i: int, slot: Slot) -> tuple[str, str, str, str, str]:
    from nacc.fitting.explain import EPSILON, percent

    shown = " · ".join(
        f"{each.word} {percent(each.probability)}{' ✗' if each.refused else ''}"
        for each in slot.candidates
    )
    says = slot.says or ("" if slot.chosen == EPSILON else f"({slot.chosen})")
    return str(i), slot.source, says, number(slot.length) if slot.says else "", shown
