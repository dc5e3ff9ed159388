"""Confidence: what a folder says of it, and how it moves."""

from __future__ import annotations

import pytest

from nacc.errors import BadModel
from nacc.fitting.confidence import Calibration, Signs

CONFIG = {"confidence": {"scored": [0.0, 4.0, 0.5, 1.0], "unscored": [-2.0, 4.0, 0.5]}}


def test_a_folder_that_says_nothing_has_no_confidence() -> None:
    assert Calibration.of({}) is None


@pytest.mark.parametrize(
    "said",
    [
        3,
        {},
        {"scored": [1, 2, 3, 4]},
        {"scored": [1, 2, 3], "unscored": [1, 2, 3]},
        {"scored": [1, 2, 3, float("nan")], "unscored": [1, 2, 3]},
        {"scored": "abcd", "unscored": "abc"},
    ],
)
def test_a_folder_that_says_nonsense_is_refused(said: object) -> None:
    with pytest.raises(BadModel, match="confidence"):
        Calibration.of({"confidence": said})


def test_it_grows_with_what_is_expected_with_words_and_with_the_scorers_liking() -> None:
    sure = Calibration.of(CONFIG)
    assert sure is not None
    rising = [(0.2, 6, -3.0), (0.8, 6, -3.0), (0.8, 9, -3.0), (0.8, 9, -1.0)]
    found = [sure(Signs(*each)) for each in rising]
    assert found == sorted(found) and 0 < found[0] < found[1] < found[2] < found[3] < 1
    assert sure(Signs(0.5, 1)) == pytest.approx(0.5)  # the scorer was not asked
    assert 0 < sure(Signs(0.5, 6, -1e9)) < sure(Signs(0.5, 6, 1e9)) <= 1
    assert 0 < sure(Signs(0.0, 0)) < 1
