"""Rows through the Summarizer: each comes back with its results, in order and as soon as it can."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from nacc.data.rows import Row, unusable
from nacc.errors import InvalidInput, NaccError
from nacc.length.budget import Budget
from nacc.options import Settled

if TYPE_CHECKING:
    from nacc.bulk.on_gpu import OnGpu
    from nacc.summarizer import Result, Summarizer

R = TypeVar("R")


@dataclass(frozen=True)
class Summaries:
    """What is asked of many texts. The model is loaded when the first one comes that needs it.

    workers: threads that summarize; None: one a core, while rows are still being read. With one,
    all rows are read first.
    """

    load: Callable[[], Summarizer | OnGpu]
    budgets: Sequence[Budget]
    options: Settled
    workers: int | None = None

    def of(self, rows: Iterable[Row]) -> Iterator[tuple[Row, list[Result]]]:
        """Rows and what there is for each budget; none for a row that is to have none."""
        for (row, problem), found in self.each(map(_text, rows)):
            if problem:
                yield row, [InvalidInput(problem) for _ in self.budgets]
            else:
                yield row, found[0] if found else []

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

        if self.workers is None:
            results = self._summarizer.each(all_texts(), self.budgets, self.options)
        else:
            results = self._summarizer.each(
                list(all_texts()), self.budgets, self.options, workers=self.workers
            )
        for first in results:
            row, texts = read.popleft()
            found = [first, *(next(results) for _ in range(texts - 1))]
            yield row, found if texts else []

    @cached_property
    def _summarizer(self) -> Summarizer | OnGpu:
        return self.load()


def _text(row: Row) -> tuple[tuple[Row, str], list[str]]:
    """A row and what is wrong with it, and the text to summarize."""
    texts = [entry.text for entry in row.entries]
    problem = row.problem or (unusable(texts[0]) if texts else "")
    return (row, problem), [] if problem else texts
