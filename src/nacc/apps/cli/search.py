"""`nacc search`: extracts of unlabelled sentences, to learn from."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress


def search(
    *,
    model: Annotated[Path, typer.Option(help="What `nacc search-model` made.")],
    source: Annotated[
        Path,
        typer.Option("--in", help="Sentences: .txt, or the first column of a .tsv or .tsv.zst."),
    ],
    out: Annotated[Path, typer.Option(help="Source, extract and score, tab-separated.")],
    words: Annotated[int | None, typer.Option(help="How many words to keep.")] = None,
    max_length: Annotated[
        int | None, typer.Option("--max", help="Or how many characters at most.")
    ] = None,
    method: Annotated[
        Literal["ascent", "climb"], typer.Option(help="climb: hill climbing as published.")
    ] = "ascent",
    seed: Annotated[int, typer.Option(help="What hill climbing draws by.")] = 0,
    every: Annotated[int, typer.Option(help="Take every so many-th line only.")] = 1,
    at_least: Annotated[int, typer.Option(help="Pass over sentences of fewer words.")] = 0,
    limit: Annotated[int | None, typer.Option(help="Stop after so many sentences.")] = None,
    student: Annotated[
        Path | None,
        typer.Option(
            help="Self-training: a model that learnt from extracts; its answers are kept."
        ),
    ] = None,
    answers: Annotated[
        int, typer.Option(help="With --student: of so many of its answers, the best by score.")
    ] = 8,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over instead of going on where a run stopped.")
    ] = False,
) -> None:
    """Find the words of each sentence that make its best headline; go on where a run stopped."""
    from nacc.search import SearchModel, SearchSettings
    from nacc.search import search as run
    from nacc.search.labels import Labels, MadeWith, fingerprint, fingerprint_of, read_sentences
    from nacc.search.students import best_answers
    from nacc.summarizer import Summarizer

    settings = SearchSettings(words=words, max_length=max_length, method=method, seed=seed)
    loaded = SearchModel.load(model)
    sentences = read_sentences(source, every, at_least, limit)
    told = None if student is None else f"{answers} answers of {fingerprint_of(student)}"
    made_with = MadeWith(fingerprint(model), settings, every, at_least, told)
    with Labels(out, made_with, sentences, fresh=fresh) as labels, _bar() as bar:
        before, started = labels.done, time.perf_counter()
        short = empty = 0
        task = bar.add_task("", total=len(sentences), completed=before, rate="")
        if student is None:
            found = run(loaded, sentences[before:], settings, first_number=before)
        else:
            pupil = Summarizer.load(student)
            found = best_answers(loaded, pupil, sentences[before:], settings, answers)
        for extract in found:
            labels.add(extract)
            short += extract.short and bool(extract.positions)
            empty += not extract.positions
            if labels.done % 64 == 0:
                rate = (labels.done - before) / (time.perf_counter() - started)
                bar.update(task, completed=labels.done, rate=f"{rate:,.0f} sentences/s")
    taken = time.perf_counter() - started
    new = len(sentences) - before
    notes = [f"{before:,} were there"] if before else []
    notes += [f"{short:,} kept whole"] if short else []
    notes += [f"{empty:,} without a word to keep"] if empty else []
    Console().print(
        f"{out}: {new:,} sentences in {taken:.0f} s"
        + (f", {new / taken:,.0f} a second" if new else "")
        + (f" ({', '.join(notes)})" if notes else ""),
        highlight=False,
        soft_wrap=True,
    )


def _bar() -> Progress:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    return Progress(
        BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeElapsedColumn(),
        TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
