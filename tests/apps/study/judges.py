"""Simulated judges of known preferences, whoever asks them."""

from __future__ import annotations

import random

from nacc.evaluation.study import Pair, Study
from nacc.evaluation.study_pairs import with_checks

OURS, THEIRS = "Council clears", "Council in"


def new_study(path, count: int) -> Study:
    """Towns whose council clears a plan; the second system's headlines break off."""
    pairs = [
        Pair(
            f"The council of town {i} has approved a plan for {i} houses .",
            f"{OURS} plan for {i} houses",
            f"{THEIRS} town has plan of {i}",
            ("whole", "broken"),
        )
        for i in range(11, 11 + count)
    ]
    return Study.make(path, with_checks(pairs, 5), check_every=5)


class SimulatedJudge:
    """Prefers the first system's with some probability by each criterion; sees through checks."""

    def __init__(self, seed: int, **liking: float) -> None:
        self._rng = random.Random(seed)
        self._liking = liking

    def says(self, source: str, a: str, b: str, criterion: str) -> str:
        texts = {"A": a, "B": b}
        number = source.split()[4]
        own = [side for side, text in texts.items() if number in text.split()]
        straight = [side for side in own if texts[side].startswith((OURS, THEIRS))]
        if len(straight) == 1:
            return straight[0]
        [ours] = [side for side in straight if texts[side].startswith(OURS)]
        theirs = "B" if ours == "A" else "A"
        return ours if self._rng.random() < self._liking[criterion] else theirs
