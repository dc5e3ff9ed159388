"""Texts through the Summarizer, many at a time, where one text's failure is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from nacc.data.rows import Format, Lines, Row, undecodable
from nacc.errors import InvalidInput, NaccError
from nacc.length.budget import Budget
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.fitting.reading import Reading
    from nacc.summarizer import Summarizer

FIRST_CHUNK, CHUNK = 8, 256
LONGEST = 100_000
"""Characters of a text that are looked at: far more than a model reads."""


@dataclass(frozen=True)
class Answer:
    """The summaries of one text within one budget, or why there are none."""

    budget: Budget
    summaries: tuple[Summary, ...] = ()
    error: NaccError | None = None


@dataclass(frozen=True)
class Asked:
    """What is to be done with each text. The model is loaded when the first text comes."""

    load: Callable[[], Summarizer]
    budgets: Sequence[Budget]
    wishes: dict[str, Any]
    alternatives: int = 1
    every_sentence: bool = False

    def answers(self, texts: Sequence[str]) -> list[list[Answer]]:
        """For each text, an answer for each budget."""
        return [[self._answer(reading, b) for b in self.budgets] for reading in self._read(texts)]

    @cached_property
    def _summarizer(self) -> Summarizer:
        return self.load()

    def _read(self, texts: Sequence[str]) -> list[Reading | NaccError]:
        wrong = [undecodable(text) or ("" if text.strip() else "empty text") for text in texts]
        good = [text[:LONGEST] for text, problem in zip(texts, wrong, strict=True) if not problem]
        read = iter(self._read_good(good))
        return [InvalidInput(problem) if problem else next(read) for problem in wrong]

    def _read_good(self, texts: list[str]) -> Sequence[Reading | NaccError]:
        if not texts:
            return []
        sentences = "all" if self.every_sentence else "first"
        try:
            return self._summarizer.read(texts, sentences=sentences)
        except InvalidInput as error:
            if len(texts) == 1:
                return [error]
            return list(chain.from_iterable(self._read_good([text]) for text in texts))

    def _answer(self, reading: Reading | NaccError, budget: Budget) -> Answer:
        if isinstance(reading, NaccError):
            return Answer(budget, error=reading)
        try:
            if self.alternatives > 1:
                found = self._summarizer.alternatives(
                    reading, self.alternatives, budget, **self.wishes
                )
            else:
                found = [self._summarizer.summarize(reading, budget, **self.wishes)]
        except NaccError as error:
            return Answer(budget, error=error)
        return Answer(budget, tuple(found))


def chunks(lines: Lines, cut: Format) -> Iterator[list[Row]]:
    """Rows in lots worth a run of the model: few at first, so that an answer comes soon, and no
    more than there are where whoever writes them pauses."""
    chunk: list[Row] = []
    size = FIRST_CHUNK
    for row in cut.rows(lines):
        chunk.append(row)
        if len(chunk) == size or lines.waiting():
            yield chunk
            chunk = []
            size = min(CHUNK, 2 * size)
    if chunk:
        yield chunk
