"""What a study says: who is preferred by each criterion, how far judges agree, who was awake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from statistics import fmean, median
from typing import Any

from nacc.evaluation.human import tally_records
from nacc.evaluation.preferences import (
    Preference,
    judgements_needed,
    preference_cells,
    preferences,
)
from nacc.evaluation.study import CRITERIA, Answer
from nacc.evaluation.tables import piped

PASSED = 0.7
"""Who gives fewer than this share of the checks' known answers is left out."""
_LEGEND = (
    "Wins: of the first system. p: exact two-sided binomial test, ties left out. α: "
    "Krippendorff's, nominal (1: always agreed, 0: as by chance). Power: of a study of this size "
    "to find a preference this strong; needed: judgements for a power of 80% at p < 0.05, with "
    "ties."
)


@dataclass(frozen=True)
class Judge:
    """How one judge went about it; `checks` is the share of known answers given, None without."""

    name: str
    answers: int
    checks: float | None
    seconds: float

    @property
    def left_out(self) -> bool:
        return self.checks is not None and self.checks < PASSED


class StudyResults:
    """The answers of a study, those of sleeping judges left out."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        mine: defaultdict[str, list[Answer]] = defaultdict(list)
        for answer in answers:
            mine[answer.judge].append(answer)
        self.judges = [_judge(name, said) for name, said in mine.items()]
        out = {judge.name for judge in self.judges if judge.left_out}
        self._votes = [each for each in answers if not each.pair.checks and each.judge not in out]

    def comparisons(self) -> dict[tuple[str, str, str], list[Preference]]:
        """For each two systems and budget, the preferences by each criterion."""
        found: dict[tuple[str, str, str], list[Preference]] = {}
        for key in dict.fromkeys((*each.pair.systems, each.pair.budget) for each in self._votes):
            cast = [e for e in self._votes if (*e.pair.systems, e.pair.budget) == key]
            found[key] = []
            for criterion in CRITERIA:
                votes: defaultdict[int, list[int]] = defaultdict(list)
                for each in cast:
                    if each.criterion == criterion:
                        votes[each.number].append(each.vote)
                if votes:
                    found[key] += preferences(criterion, list(votes.values()))
        return found

    def record(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "judges": [asdict(judge) | {"left_out": judge.left_out} for judge in self.judges],
            "comparisons": [
                {"first": first, "second": second, "budget": budget, **_record(each)}
                for (first, second, budget), found in self.comparisons().items()
                for each in found
            ],
        }

    def markdown(self) -> str:
        """A table for each two systems, and one of the judges."""
        lines: list[str] = []
        for (first, second, budget), found in self.comparisons().items():
            at = f", {budget}" if budget else ""
            lines += [f"## {first} against {second}{at}", "", *piped(preference_cells(found)), ""]
        lines += [_LEGEND, "", *piped(judge_cells(self.judges)), ""]
        return "\n".join(lines)


def _record(found: Preference) -> dict[str, Any]:
    [counts] = tally_records([found.tally])
    return counts | {"agreement": found.agreement, "power": found.power, "needed": found.needed}


def _judge(name: str, said: Sequence[Answer]) -> Judge:
    known = [each.vote == 1 for each in said if each.criterion in each.pair.checks]
    last: dict[int, float] = {}
    for each in said:
        last[each.number] = max(each.seconds, last.get(each.number, 0.0))
    return Judge(name, len(said), fmean(known) if known else None, median(last.values()))


def judge_cells(judges: Sequence[Judge]) -> list[list[str]]:
    """Header and rows: who answered how much, how attentively, how fast."""
    header = ["Judge", "Answers", "Checks passed", "Seconds a pair", "Counted"]
    body = [
        [
            each.name, str(each.answers),
            "–" if each.checks is None else f"{100 * each.checks:.0f}%",
            f"{each.seconds:.0f}", "no" if each.left_out else "yes",
        ]
        for each in judges
    ]  # fmt: skip
    return [header, *body]


def answer_records(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """One flat record an answer, for CSV."""
    return [
        {
            "judge": each.judge,
            "pair": each.number,
            "source": each.pair.source,
            "first": each.pair.one,
            "second": each.pair.other,
            "first_system": each.pair.systems[0],
            "second_system": each.pair.systems[1],
            "budget": each.pair.budget,
            "check": " ".join(each.pair.checks),
            "criterion": each.criterion,
            "preferred": {1: "first", 0: "tie", -1: "second"}[each.vote],
            "first_was": each.first_was,
            "seconds": round(each.seconds, 2),
            "at": datetime.fromtimestamp(each.at, UTC).isoformat(timespec="seconds"),
        }
        for each in answers
    ]


def planning_cells(
    shares: Sequence[float] = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9), ties: float = 0.4
) -> list[list[str]]:
    """How many judgements a study needs, by how strong the preference is."""
    header = ["Share of wins", "Judgements that prefer one", f"All, {100 * ties:.0f}% of them ties"]
    body = []
    for share in shares:
        needed = judgements_needed(share) or 0
        body.append([f"{100 * share:.0f}%", f"{needed:,}", f"{round(needed / (1 - ties)):,}"])
    return [header, *body]
