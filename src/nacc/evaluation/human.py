"""Asking people (the paper's table 3): blind pairs of two systems' outputs, votes, a sign test.

The unit matters: three people voting on 150 samples give 450 votes that are not independent, or
150 samples each decided by the majority. Both are reported.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nacc.errors import InvalidInput
from nacc.evaluation.paper import TABLE_3, TABLE_3_ANNOTATORS, TABLE_3_SAMPLES
from nacc.evaluation.sheets import Form, Key

CRITERIA = ("overall", "fluency")
_CHOICES = {"a": "A", "b": "B", "tie": "tie", "=": "tie"}
FORM = Form(("source", "A", "B"), dict.fromkeys(CRITERIA, _CHOICES))


@dataclass(frozen=True)
class Tally:
    """How often the first system was preferred, and whether that could be chance."""

    criterion: str
    unit: str
    wins: int
    ties: int
    losses: int
    paper_p_value: float | None = None  # what the paper prints, where it is the paper's tally

    @property
    def p_value(self) -> float:
        return sign_test(self.wins, self.losses)


def sign_test(wins: int, losses: int) -> float:
    """Two-sided exact binomial test against a fair coin, ties left out."""
    if wins < 0 or losses < 0:
        raise InvalidInput(f"{wins} wins and {losses} losses: neither can be negative")
    n, fewer = wins + losses, min(wins, losses)
    tail = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, tail / (1 << n) * 2)


def blind_rows(
    sources: Sequence[str], ours: Sequence[str], theirs: Sequence[str], count: int, seed: int = 0
) -> list[tuple[Sequence[str], Any]]:
    """The rows of a voting sheet: `count` random samples, sides swapped at random; behind a row,
    the letter that the first system stands under."""
    rng = random.Random(seed)
    rows: list[tuple[Sequence[str], Any]] = []
    for place in sorted(rng.sample(range(len(sources)), min(count, len(sources)))):
        letter = rng.choice("AB")
        pair = (ours[place], theirs[place])
        rows.append(((sources[place], *(pair if letter == "A" else reversed(pair))), letter))
    return rows


def tally(
    sheets: Sequence[Sequence[Mapping[str, str]]], key: Key, criterion: str
) -> tuple[Tally, Tally]:
    """Wins, ties and losses of the first system: by vote, and by majority of each sample."""
    votes: defaultdict[int, list[int]] = defaultdict(list)
    for sheet in sheets:
        for row, (answers, letter) in enumerate(zip(sheet, key.behind, strict=True)):
            choice = answers[criterion]
            votes[row].append(0 if choice == "tie" else 1 if choice == letter else -1)
    every = Counter(vote for cast in votes.values() for vote in cast)
    majority = Counter((sum(cast) > 0) - (sum(cast) < 0) for cast in votes.values())
    return (
        Tally(criterion, "vote", every[1], every[0], every[-1]),
        Tally(criterion, "sample, by majority", majority[1], majority[0], majority[-1]),
    )


def printed_tallies() -> list[Tally]:
    """The paper's own, recomputed from the percentages of its table 3 for each plain unit."""
    votes = TABLE_3_SAMPLES * TABLE_3_ANNOTATORS
    found = []
    for row in TABLE_3:
        for unit, n in (("vote", votes), ("sample", TABLE_3_SAMPLES)):
            wins, losses = round(n * row.wins / 100), round(n * row.losses / 100)
            ties = n - wins - losses
            found.append(Tally(row.criterion, f"{unit} ({n})", wins, ties, losses, row.p_value))
    return found


def tally_cells(tallies: Sequence[Tally]) -> list[list[str]]:
    """Header and rows of table 3."""
    header = ["", "Unit", "Wins", "Ties", "Losses", "p", "p in the paper"]
    body = [
        [
            found.criterion, found.unit, str(found.wins), str(found.ties), str(found.losses),
            f"{found.p_value:.2g}", f"{found.paper_p_value:g}" if found.paper_p_value else "–",
        ]
        for found in tallies
    ]  # fmt: skip
    return [header, *body]


def tally_records(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Flat records for CSV and JSON."""
    fields = ("criterion", "unit", "wins", "ties", "losses", "p_value", "paper_p_value")
    found = [{name: getattr(each, name) for name in fields} for each in tallies]
    return [{name: each[name] for name in each if each[name] is not None} for each in found]
