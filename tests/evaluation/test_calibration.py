"""Calibration: weights that come back, and tables that add up."""

from __future__ import annotations

import numpy as np
import pytest

from nacc.errors import InvalidInput
from nacc.evaluation.calibration import fitted, reliability, thresholds


def test_the_weights_behind_the_grades_are_found_again() -> None:
    draw = np.random.default_rng(1)
    features = draw.normal([0.6, -2.0], [0.2, 0.8], (20_000, 2))
    chance = 1 / (1 + np.exp(-(1.0 + 3.0 * features[:, 0] + 1.5 * features[:, 1])))
    good = draw.random(len(chance)) < chance
    assert fitted(features, good) == pytest.approx([1.0, 3.0, 1.5], abs=0.2)


def test_grades_that_are_all_alike_say_nothing() -> None:
    with pytest.raises(InvalidInput, match="good and bad"):
        fitted([[0.1], [0.2]], [True, True])


def test_perfectly_separated_grades_give_finite_weights() -> None:
    assert np.isfinite(fitted([[0.1], [0.2], [0.8], [0.9]], [False, False, True, True])).all()


def test_bins_are_ordered_and_hold_everything() -> None:
    bins = reliability([0.9, 0.1, 0.5, 0.7], [True, False, False, True], bins=2)
    assert [one.count for one in bins] == [2, 2]
    assert bins[0].said == pytest.approx(0.3)
    assert (bins[0].good, bins[1].good) == (0.0, 1.0)


def test_a_threshold_says_what_it_keeps_and_what_it_catches() -> None:
    found = thresholds([0.9, 0.2, 0.6, 0.4], [True, False, False, True], least=(0.5, 0.95))
    assert (found[0].kept, found[0].good, found[0].caught) == (0.5, 0.5, 0.5)
    assert found[1].kept == 0
    assert found[1].caught == 1
    assert np.isnan(found[1].good)
