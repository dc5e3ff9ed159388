"""Linked slots, all the way: told by the budget, re-ranked, and as sure as the folder says."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nacc import Budget, BudgetTooSmall, InvalidOption, Options, Summarizer
from nacc.fitting.explain import explain
from nacc.fitting.fit import paths
from nacc.fitting.reading import dangles
from nacc.fitting.rules import with_novelty
from nacc.text.meaning import violates
from nacc.text.stem import base
from nacc.text.words import key, split

from .test_extract import SENTENCES
from .texts import NEWS

ALWAYS = Options(rewrite="always", tidy=False)
"""What the decoder says, whether it is true or not."""
BUDGETS = ["20", "50", "75 bytes", "6 words", "30 columns", "300 px", "sms"]


@pytest.fixture
def passes(linked, monkeypatch) -> list[int]:
    """How many sentences each call of the network was given."""
    made: list[int] = []
    run = linked.engine._run

    def counted(sentences, before):
        made.append(len(sentences))
        return run(sentences, before)

    monkeypatch.setattr(linked.engine, "_run", counted)
    return made


@settings(max_examples=150, deadline=None)
@given(SENTENCES, st.sampled_from(BUDGETS), st.sampled_from([0, 6]))
def test_never_over_budget(linked, text, amount, rerank):
    assume(split(text).words)
    budget = Budget.of(amount)
    try:
        said = linked.summarize(text, budget, rewrite="always", rerank=rerank)
    except BudgetTooSmall as error:
        assert error.smallest is None or error.smallest > budget.amount
    else:
        assert said.text and budget.fits(said.text) and said.length <= said.budget


def test_budgets_of_one_length_share_a_pass(linked, passes):
    linked.summarize(NEWS[0], [41, 45, "50", "50 bytes"])
    assert len(passes) == 1
    linked.summarize(NEWS[0], [50, 75, 74, 30])
    assert len(passes) == 1 + 3


def test_several_budgets_say_what_each_says_alone(linked):
    budgets = [20, 50, "75 bytes", "8 words", "sms"]
    for text in NEWS:
        alone = [linked.summarize(text, budget) for budget in budgets]
        assert linked.summarize(text, budgets) == alone


def test_many_texts_say_what_each_says_alone(linked):
    alone = [linked.summarize(text, [30, 60], rerank=5) for text in NEWS]
    assert linked.summarize(NEWS * 2, [30, 60], rerank=5) == alone * 2


def test_a_reading_told_another_length_is_read_anew(linked, passes):
    (reading,) = linked.read([NEWS[1]], 50)
    passes.clear()
    assert linked.summarize(reading, 45) == linked.summarize(NEWS[1], 45)
    assert len(passes) == 1  # the text's own
    assert linked.summarize(reading, 20) == linked.summarize(NEWS[1], 20)
    assert len(passes) == 3
    assert linked.summarize(reading, 45, style="web") == linked.summarize(NEWS[1], 45, style="web")


def test_a_style_changes_what_is_said(linked):
    said = {linked.summarize(NEWS[0], 60, style=style).text for style in ("wire", "web", "any")}
    assert len(said) > 1
    assert linked.summarize(NEWS[0], 60, style="any") == linked.summarize(NEWS[0], 60)


def test_without_re_ranking_the_decoders_order_holds(linked):
    for text in NEWS:
        found = linked.alternatives(text, 5, 50, options=ALWAYS)
        scores = [summary.score for summary in found]
        assert scores == sorted(scores, reverse=True)
        for rerank in (0, 1):
            asked = replace(ALWAYS, rerank=rerank)
            assert linked.summarize(text, 50, options=asked).text == found[0].text


def test_re_ranked_answers_are_those_the_scorer_likes_best(linked):
    """The value of every answer, worked out by hand from what the decoder and the scorer say."""
    changed = 0
    for text in NEWS:
        (reading,) = linked.read([text], 50)
        asked = linked.settled(replace(ALWAYS, alternatives=12))
        found = paths(reading, Budget(50), asked)
        if len(found) < 12:  # two of them read the same
            continue
        values = {}
        for each in found:
            words = [reading.word_lattice.keys[i] for i in each.answer.tokens]
            (log_p,) = reading.scorer.scores(
                reading.word_lattice.source, reading.sentence.keys, [words]
            )
            lattice, at, best = reading.word_lattice.lattice, 0, 0.0
            for token, slot in zip(each.answer.tokens, each.answer.starts, strict=True):
                (k,) = (lattice.words[slot] == token).nonzero()[0]
                best += lattice.links[at, slot] + lattice.values[slot, k]
                at = slot + 1
            best += lattice.links[at, lattice.slots]
            bonus = each.answer.score - best
            values[each.summary.text] = each.answer.all_paths + bonus + 0.7 * log_p
        told = linked.summarize(
            reading, 50, options=replace(ALWAYS, rerank=12, rerank_weight=0.7, alternatives=12)
        )
        order = [told, *told.alternatives]
        assert [one.text for one in order] == sorted(values, key=lambda text: -values[text])
        assert [one.score for one in order] == pytest.approx(sorted(values.values())[::-1], 1e-4)
        changed += told.text != found[0].summary.text
    assert changed


def test_re_ranking_is_of_no_account_without_a_scorer(linked):
    engine = copy(linked.engine)
    engine.scorer = None
    alone = Summarizer(engine)
    assert alone.summarize(NEWS[0], 50, rerank=9) == linked.summarize(NEWS[0], 50, rerank=0)


def test_only_whole_numbers_are_said_and_the_next_best_answer_is_taken_for_it(linked):
    text = "Ministers spend 150 billion euros on steel, and 3.5 million euros on two bridges."
    for summary in linked.alternatives(text, 10, 45, rewrite="always"):
        words = [key(word.text) for word in summary.words]
        for number, scale in (("150", "billion"), ("3.5", "million")):
            if number in words:
                assert words[words.index(number) + 1] == scale
            if scale in words:
                assert words[words.index(scale) - 1] == number


def test_expected_words_are_said_more(linked):
    def expected(text: str, **options) -> float:
        (reading,) = linked.read([text], 50)
        found = explain(reading, Budget(50), linked.settled(replace(ALWAYS, **options)), top=1)
        return sum(min(1.0, often) for _, often in found.expected)

    gained = []
    for text in NEWS:
        without = expected(text, expected_words=0.0, expected_pairs=0.0)
        gained.append(expected(text, expected_words=5.0, expected_pairs=0.0) - without)
    assert min(gained) > -1e-9 and max(gained) > 0.1


NEGATED = "The finance minister did not resign on Tuesday and the government will not raise taxes."


def test_what_would_turn_the_source_round_is_not_said(linked):
    free = {linked.summarize(NEGATED, n, options=ALWAYS).text for n in range(25, 75, 5)}
    assert any(violates(split(NEGATED), text.split()) for text in free)
    for amount in range(25, 75, 5):
        for summary in linked.alternatives(NEGATED, 3, amount, rewrite="always"):
            assert not violates(split(NEGATED), summary.text.split())


def test_what_governs_a_word_is_said_with_it_where_it_can_be(linked):
    text = "The port denied that it had paid bribes to win the contract for the new ferries."
    said = [linked.summarize(text, n, rewrite="always") for n in range(30, 66, 5)]
    paying = [one.text.lower() for one in said if "paid" in one.text.lower()]
    assert paying and all("denied" in text for text in paying)


def calibrated(linked: Summarizer) -> Summarizer:
    engine = copy(linked.engine)
    curves = {"scored": [0.0, 4.0, 0.1, 0.5], "unscored": [-2.0, 4.0, 0.1]}
    engine.config = {**engine.config, "confidence": curves}
    return Summarizer(engine)


def test_it_is_as_sure_as_the_folder_says(linked):
    assert linked.summarize(NEWS[0], 50).confidence is None
    with pytest.raises(InvalidOption, match="does not say how sure"):
        linked.summarize(NEWS[0], 50, min_confidence=0.5)
    sure = calibrated(linked)
    asked = (replace(ALWAYS, rerank=n) for n in (0, 8))
    plain, ranked = (sure.summarize(NEWS[0], 50, options=each).confidence for each in asked)
    assert 0 < plain < 1 and 0 < ranked < 1 and plain != ranked
    assert all(0 < one.confidence < 1 for one in sure.alternatives(NEWS[0], 3, 50, options=ALWAYS))


def test_less_sure_than_asked_it_says_the_lead_and_why(linked):
    sure = calibrated(linked)
    said = sure.summarize(NEWS[0], 50, min_confidence=0.99)
    assert said.method == "lead" and NEWS[0].startswith(said.text)
    assert "sure, of 99% asked for" in said.note
    with pytest.raises(ValueError, match="sure, of 99%"):
        sure.summarize(NEWS[0], 50, min_confidence=0.99, fallback="error")
    trusted = replace(ALWAYS, min_confidence=0.01)
    assert sure.summarize(NEWS[0], 50, options=trusted).method == "linked"


def test_new_words_cost_what_is_asked(linked):
    budget = Budget.of(50)
    reading = linked.read([NEWS[0]], budget)[0]
    keys, plain = reading.word_lattice.keys, reading.word_lattice.lattice
    costly = with_novelty(reading, linked.settled(replace(ALWAYS, novelty=3.0)))
    forms = {base(word) for word in split(NEWS[0]).keys}
    new = {i for i, w in enumerate(keys) if not dangles(w) and base(w) not in forms}
    assert new and new != set(range(len(keys)))
    fewer = plain.values - costly.word_lattice.lattice.values
    there = plain.values > -np.inf
    assert fewer[there] == pytest.approx(np.where(np.isin(plain.words, list(new)), 3.0, 0.0)[there])
    assert with_novelty(reading, linked.settled(ALWAYS)) is reading
