"""Bad input gets a typed error that names the value."""

from __future__ import annotations

import numpy as np
import pytest

from nacc.decoding import decode, decode_batch, decode_budgets
from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.lattice import NO_WORD, Lattice

TABLE = np.log(np.full((3, 4), 0.25))
WEIGHTS = [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"log_probs": [0.0, 1.0]}, r"shape \(2,\)"),
        ({"log_probs": [[0.0, 1.0], [2.0]]}, "log_probs must be an array of numbers"),
        ({"log_probs": "words"}, "log_probs must be an array of numbers"),
        ({"weights": [[1], [2, 3]]}, "weights must be an array of numbers"),
        ({"log_probs": np.where(np.eye(3, 4) == 1, np.nan, TABLE)}, r"log_probs\[0, 0\] is nan"),
        ({"log_probs": np.where(np.eye(3, 4) == 1, np.inf, TABLE)}, r"log_probs\[0, 0\] is inf"),
        ({"weights": [0, 1, 2]}, "3 weights for a vocabulary of 4"),
        ({"weights": [0, 1, -2, 3]}, r"weights\[2\] = -2"),
        ({"weights": [0, 1.5, 2, 3]}, "vector of integers"),
        ({"weights": [[0, 1, 2, 3]]}, "vector of integers"),
        ({"budget": -1}, "budget = -1"),
        ({"budget": 2.5}, "budget = 2.5"),
        ({"at_least": -2}, "at_least = -2"),
        ({"at_least": 9}, "at_least = 9 is above the budget of 5"),
        ({"blank": 4}, "blank = 4 is outside the vocabulary of 4"),
        ({"blank": -1}, "blank = -1"),
        ({"top_k": 0}, "top_k = 0"),
        ({"bucket": 0, "method": "bucketed"}, "bucket = 0"),
        ({"method": "best"}, "unknown method 'best'"),
        ({"required": [7]}, "required word 7 has no weight"),
        ({"required": [0]}, "required word 0 is the blank"),
        ({"required": [1], "forbidden": [1]}, "word 1 is both required and forbidden"),
        ({"required": ["one"]}, "required must hold word ids"),
        ({"forbidden": [-1]}, "forbidden word -1"),
        ({"once": [1], "method": "greedy"}, '"greedy" cannot keep them'),
        ({"required": [1], "method": "bucketed"}, '"bucketed" cannot keep them'),
    ],
)
def test_bad_arguments_are_refused_by_name(change, message):
    arguments = {"log_probs": TABLE, "weights": WEIGHTS, "budget": 5, **change}
    with pytest.raises(InvalidInput, match=message):
        decode(**arguments)


def test_more_than_three_required_words_are_refused():
    with pytest.raises(InvalidInput, match="4 required words; at most 3"):
        decode(np.zeros((5, 6)), [1] * 6, 9, required=[1, 2, 3, 4])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": [[0, 1]]}, "same shape"),
        ({"words": [[0, 1], [2]]}, "Lattice.words must be an array of numbers"),
        ({"words": [[0.5, 1.0], [0.0, 1.0]]}, "words must hold int32"),
        ({"words": [[0, 1], [2, 2**32]]}, "holds 4294967296, which is no 32-bit word id"),
        ({"blank": [0.0]}, "Lattice.blank must have one value for each of 2 slots"),
        ({"rest": [[0.0]]}, "Lattice.rest must have one value"),
        ({"words": [[0, 1], [2, 4]]}, r"words\[1, 1\] = 4 has no weight: there are 4"),
        ({"words": [[0, 1], [2, -3]]}, r"words\[1, 1\] = -3 has no weight"),
        ({"words": [[0, 1], [2, 2]]}, "word 2 is twice among the candidates of slot 1"),
        ({"values": [[0.0, np.nan], [0.0, 0.0]]}, r"values\[0, 1\] is nan"),
        ({"values": [[0.0, 0.0], [np.inf, 0.0]]}, r"values\[1, 0\] is inf"),
        ({"blank": [0.0, np.nan]}, r"blank\[1\] is nan"),
        ({"rest": [np.nan, 0.0]}, r"rest\[0\] is nan"),
    ],
)
def test_bad_lattices_are_refused_by_name(change, message):
    arrays = {
        "words": [[0, 1], [2, NO_WORD]],
        "values": [[-1.0, -2.0], [-1.0, -np.inf]],
        "blank": [-1.0, -1.0],
        "rest": [-9.0, -9.0],
        **change,
    }
    with pytest.raises(InvalidInput, match=message):
        decode(Lattice(**arrays), WEIGHTS, 5)


def test_a_table_beyond_reason_is_refused_before_it_is_allocated():
    with pytest.raises(InvalidInput, match="coarser units"):
        decode(TABLE, [0, 10**12, 1, 1], 10**12)


def test_more_candidates_than_can_be_numbered_are_refused():
    with pytest.raises(InvalidInput, match="40000 candidates a slot; at most 32767"):
        decode(np.zeros((1, 40_000)), np.ones(40_000, int), 3, top_k=40_000)


def test_required_words_that_cannot_be_had_are_named():
    lattice = Lattice([[1, 2], [1, 3]], np.full((2, 2), -1.0), [-1.0, -1.0], [-9.0, -9.0])
    with pytest.raises(InvalidInput, match=r"\[0\] are candidates in no slot"):
        decode(lattice, WEIGHTS, 5, required=[0, 1])
    with pytest.raises(InvalidInput, match=r"no path .* \[2, 1, 3\]"):
        decode(lattice, WEIGHTS, 9, required=[2, 1, 3])
    with pytest.raises(
        BudgetTooSmall, match=r"\[3, 2\] do not fit a budget of 4; 5 would"
    ) as raised:
        decode(lattice, WEIGHTS, 4, required=[3, 2])
    assert raised.value.smallest == 5
    assert decode(lattice, WEIGHTS, 5, required=[3, 2]).tokens == (2, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [WEIGHTS]}, "weights: 1 values for 2 lattices"),
        ({"budget": [1, 2, 3]}, "budget: 3 values for 2 lattices"),
        ({"required": [[1]]}, "required: 1 values for 2 lattices"),
        ({"threads": 0}, "threads = 0"),
        ({"budget": [4, -4]}, "budget = -4"),
    ],
)
def test_a_batch_says_which_argument_does_not_fit_it(change, message):
    arguments = {"lattices": [TABLE, TABLE], "weights": WEIGHTS, "budget": 5, **change}
    with pytest.raises(InvalidInput, match=message):
        decode_batch(**arguments)


def test_as_many_floors_as_budgets():
    with pytest.raises(InvalidInput, match="3 floors at_least for 2 budgets"):
        decode_budgets(TABLE, WEIGHTS, [3, 4], at_least=[0, 1, 2])


@pytest.mark.parametrize("call", [decode, decode_batch])
def test_an_unknown_keyword_is_named(call):
    tables = TABLE if call is decode else [TABLE, TABLE]
    with pytest.raises(TypeError, match="unexpected keyword argument 'beam'"):
        call(tables, WEIGHTS, 5, beam=3)
