"""What people's preferences between two systems say: counts, a sign test, agreement, power.

A vote is 1 for the first system, −1 for the second, 0 for neither. Votes of several people on one
pair are not independent, so every figure is given by vote and by the majority on each pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from nacc.errors import InvalidInput
from nacc.evaluation.human import Tally

LEVEL = 0.05
POWER = 0.8
_MOST = 5_000  # a preference that takes more votes to see is none


@dataclass(frozen=True)
class Preference:
    """Who is preferred by one criterion, in one unit.

    agreement: Krippendorff's α of the votes, nominal; None if no pair has two of them.
    power:     how likely a study of this size finds a preference as strong as the one found.
    needed:    judgements (ties included, at the share found) for a power of 80%; None: there is
               no preference to find.
    """

    tally: Tally
    agreement: float | None
    power: float
    needed: int | None

    @property
    def share(self) -> float:
        """Of the first system's wins among the votes that prefer one."""
        decided = self.tally.wins + self.tally.losses
        return self.tally.wins / decided if decided else 0.5


def preferences(criterion: str, votes: Sequence[Sequence[int]]) -> tuple[Preference, Preference]:
    """By vote, and by majority: `votes` has a list for every pair."""
    cast = [pair for pair in votes if pair]
    every = Counter(vote for pair in cast for vote in pair)
    majority = Counter((sum(pair) > 0) - (sum(pair) < 0) for pair in cast)
    agreement = krippendorff_alpha(cast)
    return (
        _preference(Tally(criterion, "vote", every[1], every[0], every[-1]), agreement),
        _preference(
            Tally(criterion, "pair, by majority", majority[1], majority[0], majority[-1]), None
        ),
    )


def _preference(tally: Tally, agreement: float | None) -> Preference:
    decided, all_ = tally.wins + tally.losses, tally.wins + tally.losses + tally.ties
    share = tally.wins / decided if decided else 0.5
    needed = judgements_needed(share)
    with_ties = math.ceil(needed * all_ / decided) if needed and decided else None
    return Preference(tally, agreement, power(decided, share), with_ties)


def krippendorff_alpha(units: Sequence[Sequence[Hashable]]) -> float | None:
    """How far those agree who judged the same units, beyond chance: 1 always, 0 as by chance,
    below 0 they contradict each other. Units with fewer than two values say nothing; None if
    there is no other."""
    several = [unit for unit in units if len(unit) > 1]
    total = sum(map(len, several))
    if not total:
        return None
    apart = sum(
        (len(unit) ** 2 - sum(n * n for n in Counter(unit).values())) / (len(unit) - 1)
        for unit in several
    )
    overall = Counter(value for unit in several for value in unit)
    expected = (total**2 - sum(n * n for n in overall.values())) / (total - 1)
    return 1.0 if not expected else 1.0 - apart / expected


def power(decided: int, share: float, level: float = LEVEL) -> float:
    """The probability that a two-sided binomial test of so many votes is significant, if the
    first system wins each with probability `share`."""
    if not 0 <= share <= 1:
        raise InvalidInput(f"a share of wins must be in 0..1, not {share}")
    tail, most = 0.0, -1  # the largest number of losses that is significant
    while most + 1 < decided / 2:
        tail += _binomial(decided, most + 1, 0.5)
        if 2 * tail >= level:
            break
        most += 1
    ends = [*range(most + 1), *range(decided - most, decided + 1)]
    return min(1.0, math.fsum(_binomial(decided, wins, share) for wins in ends))


def judgements_needed(share: float, level: float = LEVEL, wanted: float = POWER) -> int | None:
    """The fewest votes that prefer one system for a test of the wanted power; None if that takes
    more than anybody will cast."""
    if abs(share - 0.5) < 1e-9:
        return None
    # The normal approximation is near enough to look around it for the exact number.
    spread = 1.96 * 0.5 + 0.8416 * math.sqrt(share * (1 - share))
    about = (spread / abs(share - 0.5)) ** 2
    if about > _MOST:
        return None
    first = max(1, int(0.96 * about) - 10)
    return next(n for n in range(first, 2 * first + 100) if power(n, share, level) >= wanted)


def _binomial(n: int, k: int, share: float) -> float:
    if share in (0.0, 1.0):
        return float(k == n * share)
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(log + k * math.log(share) + (n - k) * math.log(1 - share))


def preference_cells(found: Sequence[Preference]) -> list[list[str]]:
    """Header and rows of the table of a study."""
    header = ["", "Unit", "Wins", "Ties", "Losses", "Share", "p", "α", "Power", "Needed"]
    body = [
        [
            each.tally.criterion, each.tally.unit, str(each.tally.wins), str(each.tally.ties),
            str(each.tally.losses), f"{100 * each.share:.0f}%", f"{each.tally.p_value:.2g}",
            "–" if each.agreement is None else f"{each.agreement:.2f}", f"{each.power:.2f}",
            "–" if each.needed is None else f"{each.needed:,}",
        ]
        for each in found
    ]  # fmt: skip
    return [header, *body]
