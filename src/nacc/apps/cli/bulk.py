"""Rows through the Summarizer: each comes back with its results, in order and as soon as it can."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from nacc.data.rows import undecodable
from nacc.errors import NaccError
from nacc.length.budget import Budget
from nacc.options import Settled

if TYPE_CHECKING:
    from nacc.summarizer import Result, Summarizer

R = TypeVar("R")


@dataclass(frozen=True)
class BulkJob:
    """What is to be done with many texts. The model is loaded when the first one comes that needs
    it."""

    load: Callable[[], Summarizer]
    budgets: Sequence[Budget]
    options: Settled

    def each(
        self, rows: Iterable[tuple[R, Sequence[str]]]
    ) -> Iterator[tuple[R, list[list[Result]]]]:
        """For each row and its texts: the row, and a list of results for each text, one for each
        budget. Rows are read by a thread of its own, some ahead of those that come back."""
        coming = iter(rows)
        for row, texts in coming:
            found = [self._without_model(text) for text in texts]
            if not all(found):
                yield from self._summarized(chain([(row, texts)], coming))
                return
            yield row, found

    def _without_model(self, text: str) -> list[Result]:
        """What there is for each budget, if that needs no model; else nothing."""
        from nacc.fitting.chain import without_model

        if not text.strip():
            return []
        try:
            found = [without_model(text, budget, self.options) for budget in self.budgets]
        except NaccError:
            return []
        return [each for each in found if each is not None] if all(found) else []

    def _summarized(
        self, rows: Iterable[tuple[R, Sequence[str]]]
    ) -> Iterator[tuple[R, list[list[Result]]]]:
        read: deque[tuple[R, int]] = deque()

        def all_texts() -> Iterator[str]:
            for row, texts in rows:
                read.append((row, len(texts)))
                yield from texts or [""]  # so that the row's turn comes, and no later

        results = self._summarizer.each(all_texts(), self.budgets, self.options)
        for first in results:
            row, texts = read.popleft()
            found = [first, *(next(results) for _ in range(texts - 1))]
            yield row, found if texts else []

    @cached_property
    def _summarizer(self) -> Summarizer:
        return self.load()


def load(model: Path | None) -> Summarizer:
    """The model; on a terminal, say so if the decoders have to be compiled first."""
    from nacc.summarizer import Summarizer

    if sys.stderr is not None and sys.stderr.isatty():
        from nacc.compiled import cache_folder, is_first_run

        if cache_folder() is not None and is_first_run():
            told = "compiling the decoders, once on this machine (about 15 s) …"
            print(f"nacc: {told}", file=sys.stderr)
    return Summarizer.load(model)


def unusable(text: str) -> str:
    """Why a text cannot be summarized, whatever the model; empty if it can."""
    return undecodable(text) or ("" if text.strip() else "empty text")
