"""What a caller may ask of a summary, beyond its budget."""

from __future__ import annotations

from dataclasses import dataclass

from nacc.text.surface import Case

METHODS = ("greedy", "truncate", "bucketed", "exact", "coherent")
TIDY = ("exact", "coherent")


@dataclass(frozen=True)
class Wishes:
    """What the caller asks for, beyond the budget. `at_least` is in the budget's unit.

    coherence: what the bigram model's opinion of neighbouring words counts, method coherent.
    adjacency: what it is worth to say next to each other words that are so in the source.
    """

    method: str = "coherent"
    at_least: float | None = None
    fill: float = 0.88
    coherence: float = 0.2
    adjacency: float = 0.0
    bucket: int = 4
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    faithful: bool = False
    tidy: bool | None = None
    case: Case = "sentence"

    @property
    def is_tidy(self) -> bool:
        """No dangling end and no content word twice: unless told, for the exact methods."""
        return self.method in TIDY if self.tidy is None else self.tidy
