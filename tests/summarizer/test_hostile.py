"""Texts, budgets and options that ask for as much work as they can get: it is bounded.

benchmarks/hostile.py measures the whole corpus; here is a part of it, with three times the time.
"""

from __future__ import annotations

import gc
import threading
import time
from contextlib import suppress

import pytest
from benchmarks.hostile_texts import BUDGETS, NEWS, OPTIONS, TEXTS, Case, cases

from nacc.deadline import Deadline, within
from nacc.decoding import linked
from nacc.errors import BudgetTooSmall, InvalidInput, NaccError, Stopped, Untrusted
from nacc.fitting.fit import Fitting

SECONDS = {False: 0.5, True: 1.5}
PATIENCE = 3  # machines that run tests are slow, and not quiet
ALL = list(cases())
CHOSEN = [
    *(case for i, case in enumerate(ALL) if i % 61 == 0),
    *(
        Case(f"{text}, {budget}, {how}", TEXTS[text], budget, OPTIONS[how])
        for text, budget, how in (
            ("16 words five times", 140, "rewritten"),
            ("16 words five times", "2000px", "rewritten"),
            ("16 words five times", 1_000_000, "alternatives"),
            ("16 words five times", 140, "extract"),
            ("16 words five times, numbered", 140, "required phrase"),
            ("16 words five times, numbered", 1_000_000, "required phrase"),
            ("a megabyte of flags", "60 graphemes", "rewritten"),
            ("football scores", 280, "rewritten"),
            ("80 long words", 1_000_000, "all sentences"),
            ("nots", 280, "forbidden"),
            ("nots", "2000px", "required"),
            ("a megabyte of clauses", 2_000, "rewritten"),
            ("a megabyte of commas", 30, ""),
            ("a megabyte of emoji", "2000px", "rewritten"),
        )
    ),
]


@pytest.fixture(scope="module")
def warm(model):
    """The model, every kernel compiled."""
    for options in OPTIONS.values():
        for budget in (40, "300px"):
            try:
                model.summarize(NEWS, budget, **options)
            except NaccError:
                continue
    return model


@pytest.mark.parametrize("case", CHOSEN, ids=lambda case: case.name)
def test_no_text_takes_long(warm, case):
    started = time.process_time()
    try:
        found = warm.summarize(case.text, case.budget, **case.options)
    except (BudgetTooSmall, InvalidInput, Untrusted):
        found = None
    assert time.process_time() - started < PATIENCE * SECONDS[case.several]
    for one in () if found is None else (found, *found.alternatives):
        assert one.length <= one.budget


def test_a_wide_room_is_not_searched_finely_for_words_that_were_struck_out(warm, monkeypatch):
    decode, units = Fitting._decode, []

    def watched(fitting, room, *others):
        units.append(room.unit)
        return decode(fitting, room, *others)

    monkeypatch.setattr(Fitting, "_decode", watched)
    warm.summarize(TEXTS["nots"], "2000px", **OPTIONS["required"])
    assert len(units) > 1 < min(units)


@pytest.mark.parametrize(
    ("budget", "how"), [("2000px", "required"), (2_000, "alternatives"), (2_000, "all sentences")]
)
def test_all_rounds_of_a_text_take_bounded_work_together(warm, monkeypatch, budget, how):
    """Every round ends with answers that turn the text round, and another begins."""
    table, steps = linked.table, []
    monkeypatch.setattr(linked, "table", lambda *all: steps.append(all[0].steps) or table(*all))
    found = warm.summarize(TEXTS["nots"], budget, **OPTIONS[how])
    assert len(steps) > 2 and sum(steps) < 5 * 2**25
    assert found.method == "lead" and found.note


def test_thousands_of_budgets_end_in_time(warm):
    started = time.perf_counter()
    with within(Deadline(0.5)), pytest.raises(Stopped):
        warm.summarize(NEWS, [20 + i % 40 for i in range(5_000)])
    assert time.perf_counter() - started < 0.5 + PATIENCE * 0.2


@pytest.mark.parametrize("name", ["16 words five times", "long sentence", "news"])
@pytest.mark.parametrize("how", ["alternatives", "extract"])
def test_a_client_that_is_gone_frees_its_place(warm, name, how):
    """Whatever is under way ends soon after it is cancelled."""
    deadline, stopped = Deadline(), []

    def work():
        try:
            with within(deadline):
                while True:
                    warm.summarize(TEXTS[name], 280, **OPTIONS[how])
        except Stopped:
            stopped.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    cancelled = time.perf_counter()
    deadline.cancel()
    thread.join(timeout=10)
    assert stopped and stopped[0] - cancelled < PATIENCE * 0.2


@pytest.mark.parametrize(
    ("name", "budget", "how"),
    [
        ("football scores", 280, "faithful"),  # all answers are doubted
        ("news", 140, "required phrase"),  # words that there are not
        ("news", 1, "rewritten"),  # nothing fits
    ],
)
def test_what_went_wrong_keeps_nothing_once_it_is_told(warm, name, budget, how):
    """An error within reach of where it came from would keep it all until the collector's next long
    round: 20 MB for a text, which are few objects."""

    def alive():
        return sum(isinstance(one, (Fitting, NaccError)) for one in gc.get_objects())

    gc.collect()
    before = alive()
    gc.disable()
    try:
        with suppress(NaccError):
            warm.summarize(TEXTS[name], budget, **OPTIONS[how])
        assert alive() == before
    finally:
        gc.enable()


def test_the_corpus_is_as_large_as_it_says():
    assert len(ALL) == len(TEXTS) * len(BUDGETS) * len(OPTIONS)
    assert max(len(text) for text in TEXTS.values()) == 1_000_000


def test_what_is_kept_in_mind_of_a_text_is_what_was_looked_at(model, monkeypatch):
    """Of a megabyte in one word, its beginning."""
    kept, about = [], model._about
    monkeypatch.setattr(
        model, "_about", lambda text, style: kept.append(text) or about(text, style)
    )
    model.summarize(f"{NEWS} It said that {'a' * 1_000_000}", 50, rewrite="always")
    assert kept and max(map(len, kept)) < 30_000
