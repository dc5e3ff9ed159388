"""`nacc train`: the training loop, with a live display or plain lines."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from nacc.errors import InvalidInput

if TYPE_CHECKING:
    from nacc.learning.metrics import TrainingReport
    from nacc.learning.recipe import Recipe


def train(
    recipe: Annotated[
        Path | None, typer.Argument(help="A recipe: recipes/headlines.toml.", show_default=False)
    ] = None,
    *,
    data: Annotated[
        Path | None,
        typer.Option(help="A folder that `nacc prepare` wrote, or one with the pairs themselves."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder. Default: runs/NAME of the recipe.")
    ] = None,
    updates: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many updates, not the recipe's.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(help="Stop after so many minutes, not the recipe's.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Go on from the run's checkpoint.")
    ] = True,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="A tiny model on made-up news: is all in order?")
    ] = False,
) -> None:
    """Train a model as a recipe says; go on where a killed run stopped."""
    from nacc.learning.recipe import Recipe

    if smoke:
        if recipe is not None or data is not None:
            raise InvalidInput(
                "--smoke brings its own recipe and data; leave out RECIPE and --data"
            )
        _smoke(out, updates, resume)
        return
    if recipe is None or data is None:
        raise InvalidInput("nacc train needs a RECIPE and --data DIR, or --smoke")
    wanted = _limited(Recipe.load(recipe), updates, minutes)
    best = _train(wanted, data, out or Path("runs") / wanted.name, resume, os.cpu_count() or 1)
    if best:
        typer.echo(f"{best}: the best model; beside it metrics.jsonl, loss.svg and loss.png")


def _limited(recipe: Recipe, updates: int | None, minutes: float | None) -> Recipe:
    """The recipe with the user's own end; the schedule runs towards it."""
    if minutes is not None and minutes <= 0:
        raise InvalidInput(f"--minutes must be above 0, got {minutes:g}")
    training = recipe.training
    if updates is not None:
        training = replace(training, updates=updates, minutes=0.0)
    if minutes is not None:
        training = replace(training, minutes=minutes)
    return replace(recipe, training=training)


def _train(recipe: Recipe, data: Path, run: Path, resume: bool, cleaners: int = 1) -> Path | None:
    """Train on prepared data, or prepare them first, in that many processes.

    Gives the best model's folder, to the first process only: one speaks for all.
    """
    from nacc.learning import loop, metrics
    from nacc.learning.prepare import is_prepared, prepare
    from nacc.learning.processes import Processes

    here = Processes.join()
    console = Console(stderr=True, quiet=not here.first)
    if not is_prepared(data):
        if not data.is_dir():
            raise InvalidInput(f"--data {data} is no folder")
        prepared = run / "data"
        if here.first and not is_prepared(prepared, recipe, data):
            with console.status(f"preparing {recipe.name} from {data}"):
                prepare(recipe, data, prepared, cleaners)
        here.wait()
        data = prepared
    with _display(console, recipe) as show:
        best = loop.train(recipe, data, run, resume=resume, show=show)
    if not here.first:
        return None
    metrics.draw(run)
    return best


@contextmanager
def _display(console: Console, recipe: Recipe) -> Iterator[Callable[[TrainingReport], None]]:
    """A live bar on a terminal; elsewhere a line a report."""
    from rich.progress import BarColumn, Progress, TextColumn

    rouge = ""

    def words(report: TrainingReport) -> str:
        nonlocal rouge
        if report.rouge:
            rouge = ", ROUGE " + "/".join(f"{value:.1f}" for value in report.rouge)
        return (
            f"update {report.update}, loss {report.loss:.3f}, "
            f"{report.words_per_second:,.0f} words/s, {_clock(report.seconds_left)} left{rouge}"
        )

    if not console.is_terminal:
        yield lambda report: console.print(words(report), highlight=False, soft_wrap=True)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[about]}"))
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(recipe.name, total=1.0, about="starting")
        yield lambda report: bar.update(task, completed=report.done, about=words(report))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _smoke(out: Path | None, updates: int | None, resume: bool) -> None:
    """Made-up news, a tiny network, and at the end one sentence and its summary."""
    import torch

    from nacc.learning import smoke
    from nacc.learning.processes import Processes

    torch.set_num_threads(1)  # for so small a network, more threads only wait for each other
    here = Processes.join()
    if out is None and here.world > 1:
        raise InvalidInput("several processes need a folder in common: --smoke --out DIR")
    with tempfile.TemporaryDirectory() as temporary:
        run = out or Path(temporary) / "smoke"
        if here.first:
            smoke.write_data(run / "news")
        here.wait()
        recipe = smoke.recipe(updates) if updates else smoke.recipe()
        best = _train(recipe, run / "news", run, resume)
        if best:
            source, summary = smoke.example(best, recipe)
            typer.echo(f"source:  {source}\nsummary: {summary}")
