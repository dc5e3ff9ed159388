"""How `nacc fit` writes its results: as text, as rows with further columns, as JSON or TSV."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Protocol

from nacc.apps.cli.ruler import ruled
from nacc.bulk.columns import NewColumns, ranked
from nacc.data.rows import Row, Table
from nacc.errors import BudgetTooSmall, NaccError
from nacc.length.budget import Budget, number
from nacc.summary import Summary

if TYPE_CHECKING:
    from nacc.summarizer import Result


class Report(Protocol):
    """Writes one row's results, one for each budget."""

    def begin(self, file: str, mark: str) -> str:
        """What comes before a document's rows, given its name and its byte-order mark."""

    def row(self, row: Row, results: Sequence[Result]) -> str:
        """One row's results; none for a row without texts."""


class PlainText:
    """A summary a line, an empty line for one that could not be made; on a terminal, a ruler."""

    def __init__(self, on_a_terminal: bool) -> None:
        self._ruled = on_a_terminal

    def begin(self, file: str, mark: str) -> str:
        return ""

    def row(self, row: Row, results: Sequence[Result]) -> str:
        lines = []
        for result in results:
            if self._ruled:
                lines += [ruled(summary) for summary in ranked(result)]
            else:
                lines += [f"{_line(summary)}\n" for summary in ranked(result)] or ["\n"]
        return "".join(lines)


class Extended:
    """The rows of a table with the summaries in columns of their own, in the table's format."""

    def __init__(self, table: Table, new: NewColumns) -> None:
        self._table = table
        self._new = new
        self._documents = 0

    def begin(self, file: str, mark: str) -> str:
        self._documents += 1
        return mark if self._documents == 1 else ""

    def row(self, row: Row, results: Sequence[Result]) -> str:
        if row.header and self._documents > 1:
            return ""
        return self._table.extended(row, self._new.values(results))


class JsonLines:
    """One object a summary: where its text stands, and all that is known of the summary."""

    def __init__(self) -> None:
        self._file = ""

    def begin(self, file: str, mark: str) -> str:
        self._file = file
        return ""

    def row(self, row: Row, results: Sequence[Result]) -> str:
        place = {"file": self._file, "line": row.line} if self._file else {"line": row.line}
        found: list[dict[str, object]] = []
        for result in results:
            for summary in ranked(result):
                found.append({**place, **asdict(summary)})
                del found[-1]["alternatives"]  # which have objects of their own
            if isinstance(result, NaccError):
                found.append({**place, "error": str(result)})
                if isinstance(result, BudgetTooSmall):
                    found[-1]["smallest"] = result.smallest
        return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found)


class TabSeparated:
    """One line a summary: line, length, budget, unit, text; the first line says so."""

    def __init__(self, budgets: Sequence[Budget]) -> None:
        self._budgets = budgets
        self._begun = False

    def begin(self, file: str, mark: str) -> str:
        if self._begun:
            return ""
        self._begun = True
        return "line\tlength\tbudget\tunit\ttext\n"

    def row(self, row: Row, results: Sequence[Result]) -> str:
        lines = []
        for budget, result in zip(self._budgets, results, strict=False):
            room = f"{number(budget.amount)}\t{budget.measure}"
            for said in ranked(result):
                lines.append(f"{row.line}\t{number(said.length)}\t{room}\t{_line(said)}\n")
            if isinstance(result, NaccError):
                lines.append(f"{row.line}\t\t{room}\t\n")
        return "".join(lines)


def _line(summary: Summary) -> str:
    """The summary on one line: a text that fits is left as it is, line breaks and all."""
    return " ".join(re.split(r"\s*[\n\r\v\f\t\x85\u2028\u2029]\s*", summary.text))
