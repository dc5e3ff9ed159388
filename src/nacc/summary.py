"""What the Summarizer returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SummaryWord:
    """A word of the summary; `source` is its place among the source's words, None if it is new."""

    text: str
    source: int | None


@dataclass(frozen=True)
class Summary:
    """A summary that fits.

    length, unit, budget: how long the text is, in which unit, of how much; never over.
    score:  the decoder's objective: Σ log-probability, plus coherence where the method has it.
    method: the decoder that said it.
    words:  the words and where in the source they came from.
    truncated_input: the source was longer than the model reads; its end was not seen.
    alternatives: the next best ones, best first, where they were asked for.
    """

    text: str
    length: int | float
    unit: str
    budget: int | float
    score: float
    method: str
    words: tuple[SummaryWord, ...]
    truncated_input: bool
    alternatives: tuple[Summary, ...] = ()

    def __str__(self) -> str:
        return self.text
