"""`nacc evaluate`: how good and how fast systems are, on the user's own data."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from nacc.data.datasets import DEV_SETS, TEST_SETS, locate
from nacc.errors import InvalidInput
from nacc.evaluation.systems import AS_IT_IS, DEFAULT_SYSTEMS, system_names
from nacc.length.budget import Budget


def evaluate(
    *,
    data: Annotated[
        list[str],
        typer.Option(
            help="A .tsv file, an article file beside its title file, or a DUC folder; or, of the "
            f"data folder, {', '.join(DEV_SETS)}, short/KIND, short (all kinds), dev (all of "
            f"these), and with --report {', '.join(TEST_SETS)}. Repeatable."
        ),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{', '.join(system_names())} (options: exact:at_least=40), rival:model=DIR, "
            "dat-lenc:words=8, file:PATH or NAME=PATH; cut:NAME=PATH cuts it to the budget. "
            "NAME:=SYSTEM names it. Repeatable. "
            f"Default: {', '.join(DEFAULT_SYSTEMS)}; of a linked model, lead and {AS_IT_IS}.",
            show_default=False,
        ),
    ] = None,
    ablation: Annotated[
        Path | None,
        typer.Option(help="Systems: this CTC model, then the linked one, a part more each time."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="An option of --model, NAME=VALUE, or DATA:NAME=VALUE on that data only, "
            "e.g. short:style=plain. Repeatable.",
        ),
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Allow test sets: for the report, once, at the end.")
    ] = False,
    budget: Annotated[
        str | None,
        typer.Option(help='E.g. "50" or "75 bytes". Default: 50; DUC: 75 bytes.'),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option(help="References, one a line, when --data holds sources only. Repeatable."),
    ] = None,
    metric: Annotated[
        str | None, typer.Option(help="f1 or recall. Default: f1; several references: recall.")
    ] = None,
    byte_limit: Annotated[
        int | None,
        typer.Option(help="ROUGE-1.5.5's -b. Default: none; several references: 75; 0: none."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="The row to compare with. Default: the first.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Model folder. Default: the packaged model.")
    ] = None,
    first: Annotated[int | None, typer.Option(help="Use only the first N pairs.")] = None,
    time_on: Annotated[int, typer.Option(help="Time each system on N sentences; 0: do not.")] = 100,
    repeats: Annotated[int, typer.Option(help="How often to repeat the timing.")] = 5,
    headlines: Annotated[
        list[Path] | None,
        typer.Option(help="Headlines (.tsv, .tsv.zst or text) for the fluency model. Repeatable."),
    ] = None,
    grammar: Annotated[
        bool, typer.Option("--grammar", help="Check grammar too (a few ms an output).")
    ] = False,
    show: Annotated[int, typer.Option(help="Show N random examples side by side.")] = 0,
    figure: Annotated[
        bool, typer.Option("--figure", help="Draw quality against speed into --out.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write evaluation.json, .csv and .md (and more) here.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of resampling and of the examples.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure systems on a data set: the paper's table, and what it does not report.

    On several data sets: ROUGE of each, the mean over kinds of short text, and time.
    """
    from nacc.evaluation import figures, survey
    from nacc.evaluation.evaluation import EvaluationSettings

    if figure:
        figures.need_matplotlib()
        if out is None:
            raise InvalidInput("--figure needs --out DIR to draw into")
    if ablation is not None and system:
        raise InvalidInput("--ablation brings its systems; leave --system out")
    paths = [path for name in data for path in locate(name, report=report)]
    if len(paths) > 1 and (show or figure):
        raise InvalidInput("--show and --figure are for one data set")
    settings = EvaluationSettings(
        data=paths[0],
        references=references or (),
        first=first,
        systems=survey.ablation(ablation) if ablation else system or (),
        model=model,
        against=against,
        budget=Budget.of(budget) if budget else None,
        metric=metric,
        byte_limit=byte_limit,
        time_on=time_on,
        repeats=repeats,
        headlines=headlines or (),
        grammar=grammar,
        seed=seed,
    )
    with Console(stderr=True).status("starting") as status:
        surveyed = survey.Survey.of(settings, paths, option or (), status.update)
    one = surveyed.evaluations[0] if len(surveyed.evaluations) == 1 else None
    found = one or surveyed
    console = Console()
    if json:
        typer.echo(json_format.dumps(found.record(), indent=1))
    else:
        console.print(found.terminal())
        console.print(str(surveyed.evaluations[0].machine), style="dim", highlight=False)
    if out is not None:
        found.write(out)
    if one is not None and show:
        examples = one.examples(show, out)
        if not json:
            console.print(examples)
    if one is not None and figure and out is not None:
        one.draw(out)
