"""`nacc bigrams`: the headline model behind coherent decoding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def bigrams(
    files: Annotated[
        list[Path], typer.Argument(help="Pairs, .tsv or .tsv.zst; their headlines are counted.")
    ],
    *,
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("bigrams.npz"),
    vocabulary: Annotated[int, typer.Option(help="How many words are known.")] = 40_000,
    min_count: Annotated[int, typer.Option(help="Pairs seen less often are left out.")] = 3,
) -> None:
    """Count which words follow which in headlines."""
    from nacc.data.pairs import headline_words, read_pairs
    from nacc.errors import InvalidInput
    from nacc.ngrams.bigrams import Bigrams

    counted = 0
    with Console(stderr=True).status("counting") as status:

        def headlines() -> Iterator[list[str]]:
            nonlocal counted
            for path in files:
                for _, headline in read_pairs(path):
                    words = headline_words(headline)
                    if words:
                        counted += 1
                        yield words
                    if counted % 20_000 == 0:
                        status.update(f"counting {path.name}: {counted:,} headlines")

        model = Bigrams.train(headlines(), vocabulary_size=vocabulary, min_count=min_count)
    if not counted:
        raise InvalidInput(f"no headline in {', '.join(map(str, files))}")
    out.parent.mkdir(parents=True, exist_ok=True)
    model.save(out)
    Console().print(
        f"{out}: {counted:,} headlines, {len(model.words):,} words, {len(model.nexts):,} pairs, "
        f"{out.stat().st_size / 1e6:.1f} MB",
        highlight=False,
    )
