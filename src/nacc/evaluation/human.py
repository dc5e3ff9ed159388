"""Asking people (the paper's table 3): blind pairs of two systems' outputs, votes, a sign test.

The unit matters: three people voting on 150 samples give 450 votes that are not independent, or
150 samples each decided by the majority. Both are reported.
"""

from __future__ import annotations

import csv
import math
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nacc.data.datasets import read_lines
from nacc.errors import InvalidInput

CRITERIA = ("overall", "fluency")
_CHOICES = {"a": "A", "b": "B", "tie": "tie", "=": "tie"}


@dataclass(frozen=True)
class Tally:
    """How often the first system was preferred, and whether that could be chance."""

    unit: str
    wins: int
    ties: int
    losses: int

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


def blind(
    sources: Sequence[str], ours: Sequence[str], theirs: Sequence[str], count: int, seed: int = 0
) -> tuple[list[dict[str, str]], dict[str, str]]:
    """A voting sheet of `count` random samples, sides swapped at random, and the key to it:
    under which letter the first system stands."""
    rng = random.Random(seed)
    places = sorted(rng.sample(range(len(sources)), min(count, len(sources))))
    sheet, key = [], {}
    for place in places:
        letter = rng.choice("AB")
        first, second = ours[place], theirs[place]
        if letter == "B":
            first, second = second, first
        key[str(place)] = letter
        row = {"id": str(place), "source": sources[place], "A": first, "B": second}
        sheet.append(row | dict.fromkeys(CRITERIA, ""))
    return sheet, key


def read_votes(path: Path) -> list[dict[str, str]]:
    """A filled-in voting sheet."""
    rows = list(csv.DictReader(read_lines(path)))
    missing = {"id", *CRITERIA} - set(rows[0] if rows else ())
    if missing:
        raise InvalidInput(f"{path} has no column {', '.join(sorted(missing))}")
    return rows


def tally(
    sheets: Sequence[Sequence[Mapping[str, str]]], key: Mapping[str, str], criterion: str
) -> tuple[Tally, Tally]:
    """Wins, ties and losses of the first system: by vote, and by majority of each sample."""
    votes: defaultdict[str, list[int]] = defaultdict(list)
    for sheet in sheets:
        for row in sheet:
            choice = _CHOICES.get(row[criterion].strip().lower())
            if choice is None or row["id"] not in key:
                raise InvalidInput(
                    f"sample {row['id']!r}, {criterion}: {row[criterion]!r} must be A, B or tie, "
                    "and the sample must be in the key"
                )
            votes[row["id"]].append(0 if choice == "tie" else 1 if choice == key[row["id"]] else -1)
    every = Counter(vote for cast in votes.values() for vote in cast)
    majority = Counter((sum(cast) > 0) - (sum(cast) < 0) for cast in votes.values())
    return (
        Tally("vote", every[1], every[0], every[-1]),
        Tally("sample, by majority", majority[1], majority[0], majority[-1]),
    )
