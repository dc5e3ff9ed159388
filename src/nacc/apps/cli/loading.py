"""The model, for a command."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer


def load(model: Path | None, method: str) -> Summarizer:
    """The model, and what its answers by a method will need; on a terminal, say so if the decoders
    have to be compiled first."""
    if sys.stderr is not None and sys.stderr.isatty():
        from nacc.compiled import cache_folder, is_first_run

        if cache_folder() is not None and is_first_run():
            told = "compiling the decoders, once on this machine (about 15 s) …"
            print(f"nacc: {told}", file=sys.stderr)
    with ThreadPoolExecutor(1) as pool:
        loaded = pool.submit(_loaded, model)  # which leaves the interpreter to others, most of it
        from nacc.decoding.warming import make_ready

        make_ready(method)
        return loaded.result()


def _loaded(model: Path | None) -> Summarizer:
    from nacc.summarizer import Summarizer

    return Summarizer.load(model).ready()
