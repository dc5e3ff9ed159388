"""`nacc search-model`: the headline models and word vectors that search judges extracts by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from nacc.ngrams.trigrams import Trigrams


def search_model(
    files: Annotated[
        list[Path],
        typer.Argument(help="Pairs, .tsv or .tsv.zst; their headlines train the language models."),
    ],
    *,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("search-model.npz"),
    vectors_from: Annotated[
        list[Path] | None,
        typer.Option(help="Pairs whose sources train the word vectors; FILES unless told."),
    ] = None,
    vocabulary: Annotated[int, typer.Option(help="How many words are known.")] = 100_000,
    dimension: Annotated[int, typer.Option(help="Of the word vectors.")] = 200,
    epochs: Annotated[int, typer.Option(help="Passes over the sources.")] = 2,
    weight_lm: Annotated[float, typer.Option(help="The exponent of LM.")] = 1.0,
    weight_sim: Annotated[float, typer.Option(help="The exponent of SIM.")] = 12.0,
    likeness: Annotated[
        float, typer.Option(help="How alike different words are, of what their vectors say.")
    ] = 0.25,
    seed: Annotated[int, typer.Option(help="What the vectors are drawn by.")] = 0,
) -> None:
    """Train what search judges by: two headline language models and word vectors.

    Only telegraphic headlines are used: of 4 to 12 words, without articles, pronouns, auxiliaries,
    conjunctions, attribution and days of the week. One in a thousand is held out and its
    perplexity printed.
    """
    from nacc.search.training import SearchTraining, train_search_model

    how = SearchTraining(vocabulary, dimension, epochs, weight_lm, weight_sim, likeness, seed)
    with Console(stderr=True).status("reading headlines") as status:
        made, held_out = train_search_model(files, vectors_from or files, how, status.update)
    trigrams, vectors = made.trigrams, made.vectors
    out.parent.mkdir(parents=True, exist_ok=True)
    made.save(out)
    Console().print(
        f"{out}: {len(trigrams.words):,} words, {len(trigrams.arrays.pair_next):,} pairs, "
        f"{len(trigrams.arrays.window_next):,} triples; {len(vectors.words):,} vectors; "
        f"{out.stat().st_size / 1e6:.0f} MB\n{_quality(trigrams, held_out)}",
        highlight=False,
        soft_wrap=True,
    )


def _quality(trigrams: Trigrams, held_out: list[list[str]]) -> str:
    if not held_out:
        return "too few headlines to hold any out for a perplexity"
    forward, backward, unknown = trigrams.perplexity(held_out)
    return (
        f"{len(held_out):,} held-out headlines: perplexity {forward:.1f} forward, "
        f"{backward:.1f} backward, {100 * unknown:.1f}% unknown words"
    )
