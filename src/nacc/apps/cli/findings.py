"""A text that is too long, as `nacc check` tells of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from nacc.apps.cli.proposals import Proposal
from nacc.data.rows import Entry
from nacc.length.budget import Budget, number

LONGEST_SHOWN = 120


@dataclass(frozen=True)
class Measured:
    """A text of a file, its budget and its length; `unread` says why it has none."""

    entry: Entry
    budget: Budget
    length: int | float
    unread: str = ""

    @property
    def is_too_long(self) -> bool:
        return self.length > self.budget.amount


@dataclass(frozen=True)
class Finding:
    """A text that is too long, with what to say instead or why there is nothing."""

    file: str
    measured: Measured
    proposal: Proposal

    @property
    def replacement(self) -> str | None:
        """What can be put in its place without asking anyone."""
        return None if self.proposal.problem else self.proposal.text

    def refused(self, problem: str) -> Finding:
        """With a reason not to put it in, if there is one and none was before."""
        if not problem or self.proposal.problem:
            return self
        return replace(self, proposal=replace(self.proposal, problem=problem))

    def __str__(self) -> str:
        entry, proposal = self.measured.entry, self.proposal
        name = entry.path or entry.column
        where = f"{self.file}:{entry.line}" + (f" ({_shortened(name)})" if name else "")
        told = f"{where}: {number(self.measured.length)}: {_shortened(entry.text)}\n"
        if proposal.text is None or proposal.length is None:
            return f"{told}    no proposal: {proposal.problem}\n"
        sure = "" if proposal.confidence is None else f", confidence {proposal.confidence:.2f}"
        told += f"    → {_flat(proposal.text)} ({number(proposal.length)}{sure})\n"
        told += f"    {_shortened(proposal.note)}\n" if proposal.note else ""
        return told + (f"    not to be put in: {proposal.problem}\n" if proposal.problem else "")

    def as_json(self, fixed: bool) -> str:
        entry, budget, proposal = self.measured.entry, self.measured.budget, self.proposal
        found = {
            "file": self.file,
            "line": entry.line,
            "column": entry.column or None,
            "path": entry.path or None,
            "text": entry.text,
            "length": self.measured.length,
            "budget": budget.amount,
            "unit": str(budget.measure),
            "proposal": proposal.text,
            "proposal_length": proposal.length,
            "confidence": proposal.confidence,
            "problem": proposal.problem or None,
            "note": proposal.note or None,
            "fixed": fixed,
        }
        return json.dumps(found, ensure_ascii=False) + "\n"


def _flat(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    text = _flat(text)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
