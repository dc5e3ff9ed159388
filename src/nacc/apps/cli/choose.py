"""`nacc choose`: which headlines of a file of pairs are in their sources' own words."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

Words = Annotated[str, typer.Option(help="The model whose vocabulary says how words are written.")]
New = Annotated[int, typer.Option(min=0, help="Words of a headline that its source may lack.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that look at headlines.")]


def choose(
    files: Annotated[list[Path], typer.Argument(help="Files of pairs, .tsv or .tsv.zst.")],
    *,
    out: Annotated[Path, typer.Option(help="The file of sources, some with a headline.")],
    take: Annotated[int, typer.Option(min=1, help="Every so many-th pair of each file.")] = 1,
    new: New = 1,
    words: Words = "default",
    processes: Processes = 1,
) -> None:
    """Keep the headlines that are in their sources' own words, and all sources."""
    from nacc.data.pairs import read_pairs
    from nacc.learning.own_words import choose_all
    from nacc.runtime.folder import lines, model_folder
    from nacc.text.words import key

    usual = {key(form): form for form in lines(model_folder(words) / "words.txt")}
    rows = (
        (" ".join(source.split()), [headline])
        for file in files
        for source, headline in islice(read_pairs(file), 0, None, take)
    )
    sources = kept = 0
    with out.open("w", encoding="utf-8") as file:
        for source, headline in choose_all(rows, usual, new, processes):
            file.write(f"{source}\t{headline}\n")
            sources += 1
            kept += bool(headline)
    typer.echo(f"{out}: {sources:,} sources, {kept:,} with a headline")
