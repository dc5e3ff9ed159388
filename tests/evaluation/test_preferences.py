"""Agreement, power and tables of preferences, against figures from elsewhere."""

from __future__ import annotations

import math

import pytest

from nacc.errors import InvalidInput
from nacc.evaluation.human import sign_test
from nacc.evaluation.preferences import (
    judgements_needed,
    krippendorff_alpha,
    power,
    preference_cells,
    preferences,
)

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): example C, nominal, 0.743.
RELIABILITY = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11"]


def test_alpha_is_that_of_the_book():
    assert krippendorff_alpha([*RELIABILITY, "3"]) == pytest.approx(0.743, abs=5e-4)


def test_alpha_at_its_ends():
    assert krippendorff_alpha([[1, 1], [-1, -1]]) == 1.0
    assert krippendorff_alpha([[1, 1], [1, 1]]) == 1.0, "nobody ever differs"
    assert krippendorff_alpha([[1, -1], [-1, 1]]) < 0
    assert krippendorff_alpha([[1], [0], []]) is None, "no pair has two votes"


@pytest.mark.parametrize(("share", "needed"), [(0.8, 20), (0.9, 12), (1.0, 6), (0.7, 49)])
def test_judgements_needed(share, needed):
    assert judgements_needed(share) == needed
    assert judgements_needed(1 - share) == needed
    assert power(needed, share) >= 0.8


def test_no_number_of_votes_shows_a_preference_that_is_not_there():
    assert judgements_needed(0.5) is None
    assert judgements_needed(0.505) is None


@pytest.mark.parametrize("votes", [5, 6, 20, 37])
def test_power_is_the_sum_over_all_outcomes(votes):
    for share in (0.5, 0.65, 0.9, 1.0):
        summed = math.fsum(
            math.comb(votes, wins) * share**wins * (1 - share) ** (votes - wins)
            for wins in range(votes + 1)
            if sign_test(wins, votes - wins) < 0.05
        )
        assert power(votes, share) == pytest.approx(summed, abs=1e-9)


def test_power_of_an_impossible_share():
    with pytest.raises(InvalidInput, match="share"):
        power(10, 1.5)


def test_votes_and_majorities_are_counted():
    by_vote, by_pair = preferences("overall", [[1, 1, -1], [1, 0, 0], [-1, 1], [], [1]])
    assert (by_vote.tally.wins, by_vote.tally.ties, by_vote.tally.losses) == (5, 2, 2)
    assert (by_pair.tally.wins, by_pair.tally.ties, by_pair.tally.losses) == (3, 1, 0)
    assert by_vote.share == pytest.approx(5 / 7)
    assert by_vote.agreement is not None
    assert by_pair.agreement is None
    assert by_vote.needed == math.ceil(judgements_needed(5 / 7) * 9 / 7)
    header, *rows = preference_cells([by_vote, by_pair])
    assert len(header) == len(rows[0]) == len(rows[1])


def test_a_study_of_ties_has_nothing_to_say():
    by_vote, _ = preferences("overall", [[0, 0], [0]])
    assert by_vote.tally.p_value == 1.0
    assert by_vote.needed is None
    assert by_vote.power == 0.0
