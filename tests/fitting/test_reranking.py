"""Which answers the scorer compares: the first forty, and the others where it is in doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nacc.fitting.confidence import Calibration
from nacc.fitting.reranking import FIRST

TEXT = (
    "Ferry services between the two islands were suspended for a third day on Sunday after a storm "
    "damaged the quay, and the operator told passengers to claim refunds by post."
)
SURE, UNSURE = (Calibration((at, 0, 0, 0), (at, 0, 0)) for at in (60.0, -60.0))


class Counting:
    """A scorer that counts what it is asked about."""

    def __init__(self, scorer):
        self.scorer, self.asked = scorer, []

    def scores(self, source, keys, answers):
        self.asked.append(len(answers))
        return self.scorer.scores(source, keys, answers)


@pytest.mark.parametrize(
    ("calibration", "rerank", "asked"),
    [
        (SURE, 90, [FIRST]),
        (UNSURE, 90, [FIRST, 90 - FIRST]),
        (None, 90, [FIRST, 90 - FIRST]),  # nobody can tell
        (UNSURE, 30, [30]),
    ],
)
def test_the_others_are_compared_where_the_best_is_in_doubt(model, calibration, rerank, asked):
    (reading,) = model.read([TEXT], 50)
    scorer = Counting(reading.scorer)
    model.summarize(replace(reading, scorer=scorer, calibration=calibration), 50, rerank=rerank)
    assert scorer.asked == asked


def test_as_many_as_are_asked_for_are_compared(model):
    (reading,) = model.read([TEXT], 50)
    scorer = Counting(reading.scorer)
    model.alternatives(replace(reading, scorer=scorer, calibration=SURE), 60, 50)
    assert scorer.asked[-1] == 60


def test_a_better_one_among_the_others_is_told(model):
    (reading,) = model.read([TEXT], 30)
    told = model.summarize(replace(reading, calibration=UNSURE), 30, rerank=100)
    assert told.score >= model.summarize(reading, 30, rerank=FIRST).score
