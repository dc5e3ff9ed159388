"""Reading decides: headlines of any systems graded blind, and what the grades say.

A: an editor would run it as it is. B: a small flaw. C: broken. F: says what the source does not.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from nacc.errors import InvalidInput
from nacc.evaluation.human import Tally, tally_records
from nacc.evaluation.runs import Run
from nacc.evaluation.sheets import Form, Key
from nacc.evaluation.tables import piped

GRADES = "ABCF"
"""From best to worst."""
FORM = Form(("source", "headline"), {"grade": {grade.lower(): grade for grade in GRADES}})
NOTHING = "(nothing)"
"""Shown where a system says nothing."""
_LEGEND = (
    "A runs as it is, B has a small flaw, C is broken, F is false. p: exact two-sided sign test "
    "over sources, ties left out."
)


def blind_rows(
    sources: Sequence[str], outputs: Mapping[Run, Sequence[str]], seed: int = 0
) -> list[tuple[Sequence[str], Any]]:
    """The rows of a sheet, shuffled: every headline of every source once, whoever says it; behind
    a row, the source's place and the runs that say so."""
    for (system, budget), said in outputs.items():
        if len(said) != len(sources):
            raise InvalidInput(
                f"{system} at {budget} has {len(said)} headlines for {len(sources)} sources"
            )
    merged: defaultdict[tuple[int, str], list[Run]] = defaultdict(list)
    for run, said in outputs.items():
        for place, headline in enumerate(said):
            merged[place, " ".join(headline.split()) or NOTHING].append(run)
    rows: list[tuple[Sequence[str], Any]] = [
        ((sources[place], headline), {"source": place, "of": [list(run) for run in runs]})
        for (place, headline), runs in merged.items()
    ]
    random.Random(seed).shuffle(rows)
    return rows


@dataclass(frozen=True)
class GradeCount:
    """How many headlines of a system at a budget have each grade."""

    system: str
    budget: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def share(self, grade: str) -> float:
        return self.counts.get(grade, 0) / self.total


@dataclass(frozen=True)
class Agreement:
    """How far two graders agree: the share of rows with the same grade, and Cohen's kappa, which
    is 0 for what chance would give and 1 for always."""

    rows: int
    same: float
    kappa: float


class Graded:
    """Filled-in sheets of one key: a list of grades a grader."""

    def __init__(self, key: Key, graders: Sequence[Sequence[str]]) -> None:
        try:
            behind = [
                (each["source"], [(str(name), str(at)) for name, at in each["of"]])
                for each in key.behind
            ]
        except (TypeError, KeyError, ValueError) as error:
            raise InvalidInput("this is the key of another kind of sheet") from error
        self.graders = graders
        self.runs: dict[Run, dict[int, int]] = {}  # for each run, the row of each source
        for row, (source, runs) in enumerate(behind):
            for run in runs:
                self.runs.setdefault(run, {})[source] = row

    def counts(self) -> list[GradeCount]:
        """For each system and budget, over all graders."""
        found = []
        for system, budget in sorted(self.runs, key=_by_budget):
            rows = self.runs[system, budget].values()
            said = Counter(grades[row] for grades in self.graders for row in rows)
            found.append(GradeCount(system, budget, {grade: said[grade] for grade in GRADES}))
        return found

    def sign_tests(self) -> list[Tally]:
        """Each system against each other at each budget, source by source: who has the better
        grade (with several graders, on average)."""
        found = []
        ranks = [
            fmean(GRADES.index(grades[row]) for grades in self.graders)
            for row in range(len(self.graders[0]))
        ]
        for one, other in combinations(sorted(self.runs, key=_by_budget), 2):
            if one[1] != other[1]:
                continue
            ours, theirs = self.runs[one], self.runs[other]
            gains = Counter(
                (ranks[ours[place]] < ranks[theirs[place]])
                - (ranks[ours[place]] > ranks[theirs[place]])
                for place in ours.keys() & theirs.keys()
            )
            name = f"{one[0]} against {other[0]}"
            found.append(Tally(name, one[1], gains[1], gains[0], gains[-1]))
        return found

    def agreements(self) -> list[Agreement]:
        """Of each two graders."""
        return [agreement(one, other) for one, other in combinations(self.graders, 2)]

    def record(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "graders": len(self.graders),
            "grades": [asdict(each) for each in self.counts()],
            "sign_tests": tally_records(self.sign_tests()),
            "agreement": [asdict(each) for each in self.agreements()],
        }

    def markdown(self) -> str:
        """Counts, sign tests and agreement as tables."""
        lines = [*piped(count_cells(self.counts())), ""]
        tests = self.sign_tests()
        if tests:
            lines += [*piped(sign_test_cells(tests)), ""]
        for each in self.agreements():
            lines += [
                f"Two graders, {each.rows} headlines: {100 * each.same:.0f}% the same, "
                f"kappa {each.kappa:.2f}.",
                "",
            ]
        return "\n".join([*lines, _LEGEND, ""])


def agreement(one: Sequence[str], other: Sequence[str]) -> Agreement:
    """How far two lists of grades of the same rows agree."""
    rows = len(one)
    same = sum(a == b for a, b in zip(one, other, strict=True)) / rows
    ours, theirs = Counter(one), Counter(other)
    chance = sum(ours[grade] * theirs[grade] for grade in GRADES) / rows**2
    return Agreement(rows, same, 1.0 if chance == 1 else (same - chance) / (1 - chance))


def count_cells(counts: Sequence[GradeCount]) -> list[list[str]]:
    """Header and rows: counts, and the shares of what runs and of what is false."""
    header = ["System", "Budget", *GRADES, "A, share", "F, share"]
    body = [
        [
            each.system, each.budget, *(str(each.counts[grade]) for grade in GRADES),
            f"{100 * each.share('A'):.0f}%", f"{100 * each.share('F'):.0f}%",
        ]
        for each in counts
    ]  # fmt: skip
    return [header, *body]


def sign_test_cells(tests: Sequence[Tally]) -> list[list[str]]:
    """Header and rows of the sign tests."""
    header = ["", "Budget", "Better", "Same", "Worse", "p"]
    body = [
        [each.criterion, each.unit, str(each.wins), str(each.ties), str(each.losses),
         f"{each.p_value:.2g}"]
        for each in tests
    ]  # fmt: skip
    return [header, *body]


def _by_budget(run: Run) -> tuple[float, str, str]:
    system, budget = run
    amount = budget.split()[0]
    return float(amount) if amount.replace(".", "", 1).isdecimal() else 0.0, budget, system
