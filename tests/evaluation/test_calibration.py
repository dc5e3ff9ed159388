"""Calibration: weights that come back, and tables that add up."""

from __future__ import annotations

import numpy as np
import pytest

from nacc.errors import InvalidInput
from nacc.evaluation.calibration import Calibrated, fitted, reliability, table, thresholds
from nacc.evaluation.confidence import GRADES, Sample
from nacc.fitting.confidence import Calibration, Signs


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


def samples(group: str, constant: float, count: int, seed: int) -> list[Sample]:
    """Headlines of which one in so many is good, and more of those with good signs."""
    draw = np.random.default_rng(seed)
    found = []
    for i in range(count):
        signs = Signs(draw.random(), int(draw.integers(3, 12)), -3 * draw.random())
        chance = 1 / (1 + np.exp(-constant - np.dot([4.0, 0.5, 1.0], signs.features)))
        good = bool(draw.random() < chance)
        figure = ("A" if good else "F") if group == GRADES else float(good)
        found.append(Sample(group, f"{group} {i}", signs, good, figure))
    return found


def test_what_signs_count_is_learnt_from_all_and_the_constant_from_grades() -> None:
    graded, scored = samples(GRADES, -1.0, 400, 1), samples("a set", -4.0, 8_000, 2)
    both = table([*scored, *graded], scored=True)
    assert both[1:] == pytest.approx([4.0, 0.5, 1.0], abs=0.4)
    assert both[0] == pytest.approx(-1.0, abs=0.6)
    assert table(scored, scored=True)[0] == pytest.approx(-4.0, abs=0.6)  # no grades: ROUGE's own


def test_what_it_is_worth_is_told_of_headlines_it_was_not_learnt_from() -> None:
    found = Calibrated.of([*samples("a set", -4.0, 900, 3), *samples(GRADES, -1.0, 900, 4)])
    assert list(found.groups) == [GRADES, "a set"]
    graded = [each for each in found.bins() if each["group"] == GRADES]
    assert all(abs(each["said"] - each["good"]) < 0.12 for each in graded)
    assert "rouge" not in graded[0] and found.bins()[-1]["rouge"] == found.bins()[-1]["good"]
    caught = [each["caught"] for each in found.caught()]
    assert caught == sorted(caught) and caught[-1] > caught[0]
    assert found.caught()[0]["false_caught"] == caught[0]  # all that is bad was graded F
    assert Calibration.of({"confidence": found.weights}) is not None
    # Labels by chance: nothing can be learnt, and held out, it shows.
    chance = [Sample(GRADES, str(i), s.signs, i % 2 == 0, "A") for i, s in enumerate(found.samples)]
    assert max(abs(each["good"] - 0.5) for each in Calibrated.of(chance).bins()) < 0.1


def test_without_a_scorer_there_is_a_table_all_the_same() -> None:
    plain = [
        Sample(s.group, s.source, Signs(s.signs.expected, s.signs.words), s.good, s.figure)
        for s in samples(GRADES, -1.0, 300, 5)
    ]
    found = Calibrated.of(plain)
    assert found.weights["scored"] == [*found.weights["unscored"], 0.0]
