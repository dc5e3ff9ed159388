"""From a lattice to a finished string, on small lattices of which the best answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.decoding.front_door import Question
from nacc.decoding.registry import methods
from nacc.errors import BudgetTooSmall, InvalidInput, Untrusted
from nacc.fitting.fit import Fitting, fit, paths
from nacc.fitting.reading import Reading
from nacc.length.budget import Budget
from nacc.ngrams.bigrams import Bigrams
from nacc.options import Options, Settled
from nacc.text.words import split

from .readings import read


def said(reading: Reading, amount: int = 50, **options) -> str:
    return fit(reading, Budget(amount), Settled(method="exact", case="source", **options))[0].text


STEEL = "ministers spend 150 billion euros on steel"


@pytest.mark.parametrize("scale", ["billion", "bln"])
def test_a_scale_is_not_said_without_its_number(scale):
    reading = read(
        STEEL, {"ministers": 0.9}, {"spend": 0.9}, {"150": 0.05}, {scale: 0.9}, {"euros": 0.9}
    )
    assert said(reading, tidy=False) == f"ministers spend {scale} euros"
    assert said(reading) == "ministers spend euros"
    assert said(reading, required=(scale,)) == f"ministers spend {scale} euros"


def test_a_number_is_not_said_without_its_scale():
    reading = read(
        STEEL, {"ministers": 0.9}, {"spend": 0.9}, {"150": 0.9}, {"billion": 0.05}, {"euros": 0.9}
    )
    assert said(reading, tidy=False) == "ministers spend 150 euros"
    assert said(reading) == "ministers spend euros"


@pytest.mark.parametrize("method", ["exact", "coherent"])
def test_half_a_number_keeps_no_better_answer_from_being_said(method):
    """The whole number is likelier than none of it: its half is not struck out for good."""
    likely = {"ministers": 0.9}, {"spend": 0.9}, {"150": 0.9}, {"billion": 0.3}, {"euros": 0.9}
    reading = replace(read(STEEL, *likely), bigrams=Bigrams.train([["spend"]]))
    options = Settled(method=method, case="source", coherence=0.0, adjacency=0.0)
    (best,) = paths(reading, Budget(50), options)
    assert best.summary.text == "ministers spend 150 billion euros"
    none = Settled(method=method, case="source", coherence=0.0, adjacency=0.0, forbidden=("150",))
    (without,) = paths(reading, Budget(50), none)
    assert without.summary.text == "ministers spend euros"
    assert without.summary.score < best.summary.score


def test_numbers_are_said_whole():
    slots = ({"ministers": 0.9}, {"spend": 0.9}, {"150": 0.9}, {"billion": 0.9}, {"euros": 0.9})
    assert said(read(STEEL, *slots)) == "ministers spend 150 billion euros"


def test_a_scale_that_scales_no_number_is_a_word_like_any_other():
    reading = read(
        "fans of a million teams sing", {"fans": 0.9}, {}, {}, {"million": 0.9}, {"teams": 0.9}
    )
    assert said(reading) == "fans million teams"


def test_a_phrase_of_the_source_is_kept_together_if_that_is_worth_much():
    slots = ({"prime": 0.6}, {"premier": 0.5, "minister": 0.4}, {"meets": 0.9}, {"farmers": 0.9})
    reading = replace(
        read("prime minister meets farmers in oslo", *slots), bigrams=Bigrams.train([["meets"]])
    )

    def said(**options) -> str:
        return fit(reading, Budget(50), Settled(case="source", **options))[0].text

    assert said() == said(adjacency=0.0) == "prime premier meets farmers"
    assert (
        said(adjacency=1.0) == said(adjacency=1.0, coherence=0.0) == "prime minister meets farmers"
    )
    assert fit(reading, Budget(50), Settled(case="source", adjacency=1.0, alternatives=3))[
        0
    ].text.startswith("prime minister")


def test_the_neighbours_in_the_source_are_those_that_can_be_said():
    reading = read("no one said no no to rain", {"no": 0.5, "to": 0.2}, {"said": 0.3, "rain": 0.2})
    names = [
        tuple(reading.word_lattice.keys[i] for i in pair) for pair in reading.adjacent.tolist()
    ]
    assert sorted(names) == [("no", "to"), ("said", "no"), ("to", "rain")]
    assert read("rain", {"rain": 0.5}).adjacent.shape == (0, 2)


@pytest.mark.parametrize("tidy", [True, False])
def test_an_empty_answer_is_none(tidy):
    reading = read("rain fell on roofs", {"rain": 0.2}, {"fell": 0.1}, {"on": 0.3}, {"roofs": 0.1})
    assert said(reading, at_least=0, tidy=tidy) == ("rain" if tidy else "on")
    with pytest.raises(BudgetTooSmall) as found:
        said(reading, amount=1, at_least=0, tidy=tidy)
    assert found.value.smallest == (4 if tidy else 2)
    assert said(reading, amount=found.value.smallest, at_least=0, tidy=tidy)


def test_a_letter_that_the_source_does_not_name_is_no_answer():
    reading = read("farmers plant vitamin d", {"t": 0.9, "go": 0.05}, {"farmers": 0.3}, {"d": 0.1})
    assert said(reading, 1) == "d"
    without = read("farmers plant trees", {"t": 0.9, "go": 0.05}, {"trees": 0.3})
    with pytest.raises(BudgetTooSmall) as found:
        said(without, 1)
    assert found.value.smallest == 5
    assert said(without, 1, tidy=False) == "t"
    assert said(without, 10, at_least=0) == "t trees"  # within an answer it may stand


@pytest.mark.parametrize("method", ["exact", "coherent"])
def test_new_words_alone_are_no_answer(method):
    reading = read("farmers plant trees", {"big": 0.9}, {"win": 0.8}, {"plants": 0.05, "oak": 0.5})
    reading = replace(reading, bigrams=Bigrams.train([["win"]]))
    options = {"case": "source", "method": method, "at_least": 0}
    assert fit(reading, Budget(6), Settled(**options))[0].text == "plants"
    assert fit(reading, Budget(7), Settled(tidy=False, **options))[0].text == "big win"
    with pytest.raises(BudgetTooSmall):
        fit(reading, Budget(5), Settled(**options))


def test_another_name_is_no_new_word():
    reading = read("prime minister speaks", {"premier": 0.9}, {"talks": 0.5})
    assert said(reading, 14, at_least=0) == "premier"


def test_an_empty_answer_may_be_the_papers_best_path():
    reading = read("rain fell on roofs", {"rain": 0.2}, {"fell": 0.1}, {"on": 0.3}, {"roofs": 0.1})
    for method in ("greedy", "bucketed"):
        (summary,) = fit(reading, Budget(50), Settled(method=method, at_least=0))
        assert (summary.text, summary.length) == ("", 0)


@pytest.mark.parametrize("method", methods())
@pytest.mark.parametrize(
    ("budget", "at_least"), [("20", 21), ("20 bytes", 400.5), ("90.5 px", 91), ("1 sms", 2)]
)
def test_a_floor_above_the_budget_is_refused_naming_both(method, budget, at_least):
    reading = read("rain fell on roofs", {"rain": 0.9}, {"fell": 0.9})
    options = Settled(method=method, at_least=at_least)
    with pytest.raises(InvalidInput, match=rf"at_least = {at_least} is .* {Budget.of(budget)}"):
        fit(reading, Budget.of(budget), options)


def test_a_floor_as_high_as_the_budget_is_no_mistake():
    reading = read("rain fell on roofs", {"rain": 0.9}, {"fell": 0.1})
    assert said(reading, amount=9, at_least=9) == "rain fell"
    assert said(reading, amount=8, at_least=8) == "rain"


def test_wide_rooms_are_counted_in_coarser_units(monkeypatch):
    """A table as wide as a line of pixels takes many times longer, on some texts seconds."""
    rooms, of = [], Question.of

    def watched(lattice, weights, room, *others):
        rooms.append(room)
        return of(lattice, weights, room, *others)

    monkeypatch.setattr(Question, "of", watched)
    long = "ministers spend 150 billion euros on steel and coal and rails " * 30
    reading = read(long, *[{word: 0.9} for word in split(long).keys])
    for amount in ("600 px", "920 px Arial 14", "3000 px Roboto 40"):
        text = fit(reading, Budget.of(amount), Settled(method="exact", tidy=False))[0].text
        assert Budget.of(amount).fits(text)
        assert Budget.of(amount).length(text) > 0.85 * Budget.of(amount).amount
    assert max(rooms) <= 850
    rooms.clear()
    assert said(reading, amount=1900, tidy=False) == long.strip()
    assert rooms == [1901]  # characters are few to a word: none can be spared


def test_nothing_is_proven_of_rounded_widths():
    text = "rain fell on roofs of towns and cities that lie along rivers"
    reading = read(text, *[{word: 0.9} for word in text.split()])
    (narrow,) = paths(reading, Budget.of("400 px"), Settled(method="exact"))
    (wide,) = paths(reading, Budget.of("450 px"), Settled(method="exact"))
    assert narrow.answer.exact
    assert not wide.answer.exact


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from("wimple hush AVATAR i fjord".split()), min_size=6, max_size=18))
def test_what_fits_a_wide_budget_to_the_last_pixel_is_found(words):
    word, measure = "".join(words), Budget.of("9 px").measure
    weight, space = measure.weights([f" {word}", " "]).tolist()
    exactly = Budget((weight - space) / measure.capacity(1), measure)
    reading = read(" ".join(words), {word: 0.9})
    options = Settled(method="exact", case="source", tidy=False)  # it is none of the text's
    assert fit(reading, exactly, options)[0].text == word


def test_what_can_only_be_told_turned_round_is_not_trusted():
    reading = read("He never resigned", {"resigned": 0.9})
    found = reading.word_lattice
    links = np.full((4, 4), -np.inf)
    links[0, 0] = links[1, 3] = 0.0
    lattice = replace(found.lattice, links=links, blank=np.full(3, -np.inf))
    reading = replace(reading, word_lattice=replace(found, lattice=lattice))
    with pytest.raises(Untrusted):
        fit(reading, Budget(20), Settled(method="linked"))


@pytest.mark.parametrize(("word", "ways"), [("mayor", 1), ("ma\u0142or", 2)])
def test_a_message_is_tried_in_the_second_alphabet_only_where_the_first_lacks_a_word(
    monkeypatch, word, ways
):
    plans = []
    within = Fitting._decode_within
    monkeypatch.setattr(
        Fitting, "_decode_within", lambda self, plan: plans.append(plan) or within(self, plan)
    )
    reading = read(f"the {word} opened a bridge", {word: 0.9}, {"opened": 0.9}, {"bridge": 0.9})
    (found,) = fit(reading, Budget.of("sms"), Settled(method="exact", case="source"))
    assert found.length == 1 and word in found.text and len(plans) == ways


def test_the_rules_of_meaning_are_asked_in_the_order_of_rank(linked, monkeypatch):
    texts = ["rain stops police in rome", "police stop rain and fire in rome after rain"]
    asked = []
    turned = Fitting.turned

    def counted(self, answer):
        asked.append(answer)
        return turned(self, answer)

    monkeypatch.setattr(Fitting, "turned", counted)
    options = Options(rerank=20, rewrite="always")
    lazily = [linked.summarize(text, 16, options=options) for text in texts]
    seldom = len(asked)
    monkeypatch.setattr(Fitting, "_first_sound", lambda *_: [])
    asked.clear()
    assert [linked.summarize(text, 16, options=options) for text in texts] == lazily
    assert seldom < len(asked) / 2
