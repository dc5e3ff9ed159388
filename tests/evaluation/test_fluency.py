"""How like a headline a text reads: the language model and the grammar check."""

import math
import sys

import numpy as np
import pytest

from nacc.errors import InvalidInput, MissingExtra
from nacc.evaluation.fluency import HeadlineModel, ungrammatical
from nacc.ngrams.trigrams import BOUNDARY, FIRST_WORD


def test_the_language_model_is_a_distribution_and_prefers_order(data):
    model = HeadlineModel([h for (h,) in data.references] * 2)
    everything = np.arange(len(model.trigrams.words) + FIRST_WORD)  # the end, unknown, all words
    mayor, opens, never, seen = model.trigrams.ids(["mayor", "opens", "never", "seen"])
    for context in ((BOUNDARY, BOUNDARY), (mayor, opens), (never, seen), (BOUNDARY, mayor)):
        forward, _ = model.trigrams.terms(*context, everything)
        assert np.exp(forward).sum() == pytest.approx(1)
    straight = model.perplexity(["mayor opens new bridge"])
    assert straight < model.perplexity(["bridge new opens mayor"]) < math.inf
    with pytest.raises(InvalidInput, match="more than 1 times"):
        HeadlineModel(["once"])


def test_the_grammar_check_tells_clean_from_broken_text():
    assert ungrammatical(["The mayor opened a bridge.", "Farmers sell sheep."]) == 0
    assert ungrammatical(["The the mayor opened an bridge."]) == 1


def test_checking_grammar_without_harper_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "harper", None)
    with pytest.raises(MissingExtra, match=r"\.\[eval\]"):
        ungrammatical(["text"])
