"""Confidence: what a folder says of it, and how it moves."""

from __future__ import annotations

import pytest

from nacc.errors import BadModel
from nacc.fitting.confidence import Calibration

CONFIG = {"confidence": {"scored": [0.0, 4.0, 1.0], "unscored": [-2.0, 4.0]}}


def test_a_folder_that_says_nothing_has_no_confidence() -> None:
    assert Calibration.of({}) is None


@pytest.mark.parametrize(
    "said",
    [
        3,
        {},
        {"scored": [1, 2, 3]},
        {"scored": [1, 2], "unscored": [1, 2]},
        {"scored": "abc", "unscored": "ab"},
    ],
)
def test_a_folder_that_says_nonsense_is_refused(said: object) -> None:
    with pytest.raises(BadModel, match="confidence"):
        Calibration.of({"confidence": said})


def test_it_grows_with_what_is_expected_and_with_the_scorers_liking() -> None:
    sure = Calibration.of(CONFIG)
    assert sure is not None
    assert 0 < sure(0.2, -3.0) < sure(0.8, -3.0) < sure(0.8, -1.0) < 1
    assert sure(0.5, None) == pytest.approx(0.5)
    assert 0 < sure(0.5, -1e9) < sure(0.5, 1e9) <= 1
