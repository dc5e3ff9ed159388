"""The model, for a command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer


def load(model: Path | None) -> Summarizer:
    """The model; on a terminal, say so if the decoders have to be compiled first."""
    from nacc.summarizer import Summarizer

    if sys.stderr is not None and sys.stderr.isatty():
        from nacc.compiled import cache_folder, is_first_run

        if cache_folder() is not None and is_first_run():
            told = "compiling the decoders, once on this machine (about 15 s) …"
            print(f"nacc: {told}", file=sys.stderr)
    return Summarizer.load(model)
