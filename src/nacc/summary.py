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
    score:  what it was chosen by: Σ log-probability, plus what the method adds (coherence,
            expected words, the scorer's opinion); 0 where no model was asked.
    method: the decoder that said it; "as-is" for a text that fits, "trimmed" for one that does
            without what can be spared, "extract" and "lead" where the model was not trusted.
    words:  the words and where in the source they came from.
    truncated_input: the source was longer than the model reads; its end was not seen.
    alternatives: the next best ones, best first, where they were asked for.
    note:   why it is not what the model would have said; "" where it is.
    confidence: how sure the model is, 0 to 1; None where it cannot tell, or was not asked.
    proven: the decoder has proved that no other words score higher.
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
    note: str = ""
    confidence: float | None = None
    proven: bool = False

    def __str__(self) -> str:
        return self.text
