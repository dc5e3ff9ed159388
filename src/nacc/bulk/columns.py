"""The columns that summaries bring to a table: their texts, what is known of them, the errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nacc.data.rows import UTF_8, Value
from nacc.errors import InvalidInput, NaccError
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.summarizer import Result

DIGITS = 4


@dataclass(frozen=True)
class Detail:
    """What is known of a summary beside its text."""

    kind: type
    of: Callable[[Summary], Value]


DETAILS = {
    "length": Detail(float, lambda summary: summary.length),
    "method": Detail(str, lambda summary: summary.method),
    "confidence": Detail(float, lambda summary: _rounded(summary.confidence)),
    "note": Detail(str, lambda summary: summary.note or None),
    "proven": Detail(bool, lambda summary: summary.proven),
    "truncated": Detail(bool, lambda summary: summary.truncated_input),
}


@dataclass(frozen=True)
class NewColumns:
    """The columns of a table that a row's results fill.

    into:    what the column of the summaries is called.
    budgets: as they were written; where there are several, each has columns of its own.
    details: which of DETAILS each summary has columns for.
    errors:  the column that says why there is no summary; "" for none.
    """

    into: str
    budgets: tuple[str, ...]
    alternatives: int = 1
    details: tuple[str, ...] = ()
    errors: str = ""

    def __post_init__(self) -> None:
        unknown = [each for each in self.details if each not in DETAILS]
        if unknown:
            raise InvalidInput(f"unknown detail {unknown[0]!r}; known: {', '.join(DETAILS)}")

    def checked(self) -> NewColumns:
        """These columns, if each has a name of its own."""
        times = Counter(name for name, _ in self._columns)
        if doubled := [name for name in times if times[name] > 1]:
            raise InvalidInput(f"two columns would have one name: {', '.join(doubled)}")
        return self

    @cached_property
    def kinds(self) -> dict[str, type]:
        """The columns' names, and what stands in them: "summary"; for several budgets
        "summary_30", "summary_75_bytes"; for several summaries "summary_1", "summary_2"."""
        return dict(self._columns)

    @cached_property
    def names(self) -> list[str]:
        return list(self.kinds)

    def values(self, results: Sequence[Result]) -> dict[str, Value]:
        """What a row's results put into each column; a row without any leaves them empty."""
        found: list[Value] = []
        for result in results:
            summaries = ranked(result)
            for summary in summaries:
                found += [summary.text, *(DETAILS[name].of(summary) for name in self.details)]
            found += [None] * (self.alternatives - len(summaries)) * (1 + len(self.details))
        if not results:
            found = [None] * (len(self.names) - bool(self.errors))
        if self.errors:
            told = dict.fromkeys(_told(each) for each in results if isinstance(each, NaccError))
            found.append("; ".join(told) or None)
        return dict(zip(self.names, found, strict=True))

    @cached_property
    def _columns(self) -> list[tuple[str, type]]:
        kinds = [(self.into, str), *((name, DETAILS[name].kind) for name in self.details)]
        found = [(name + ending, kind) for ending in self._endings for name, kind in kinds]
        return [*found, (self.errors, str)] if self.errors else found

    @cached_property
    def _endings(self) -> list[str]:
        endings = [""]
        if len(self.budgets) > 1:
            endings = ["_" + re.sub(r"\W+", "_", each).strip("_") for each in self.budgets]
        if self.alternatives > 1:
            endings = [f"{each}_{i}" for each in endings for i in range(1, self.alternatives + 1)]
        return endings


def ranked(result: Result) -> tuple[Summary, ...]:
    """A summary and its alternatives, best first; none of an error."""
    return (result, *result.alternatives) if isinstance(result, Summary) else ()


def details(written: str | None) -> tuple[str, ...]:
    """The details that are asked for as "confidence,note"."""
    return tuple(dict.fromkeys(each.strip() for each in (written or "").split(",") if each.strip()))


def _told(error: NaccError) -> str:
    """What it says; halves of characters, which cannot be written, as Python writes them."""
    return str(error).encode(UTF_8, "backslashreplace").decode(UTF_8)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)
