"""Where an answer breaks the rules, a worker tells the CPU's: of a list, or by all its fitting."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from tests.gpu.small_model import WORDS

from nacc.errors import NaccError
from nacc.fitting.confidence import Calibration
from nacc.fitting.reading import Prompt, Reading
from nacc.gpu.candidates import FIELDS
from nacc.gpu.desk import Desk
from nacc.gpu.lattices import MAY_END
from nacc.gpu.rows import BUCKETS
from nacc.gpu.wording import Wording
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summarizer import Summarizer
from nacc.text.words import split

BUDGET = Budget.of(30)
TURNING = "if not may would 12 million unk".split()


def texts(count):
    """News of no sense, in the model's words and others that the rules look at."""
    rng = Random(5)
    for _ in range(count):
        words = [rng.choice(WORDS[1:] if rng.random() < 0.5 else TURNING) for _ in range(14)]
        yield " ".join(["Police not", *words]) + "."


class Work:
    """A desk with one lot of texts, all read, and what the network says of them."""

    def __init__(self, cpu, count=40, **options):
        self.cpu = cpu
        self.settled = replace(cpu.settled(Options(rerank=0, rewrite="always")), **options)
        self.desk = Desk(cpu, BUDGET, self.settled)
        given = list(texts(count))
        self.desk.read(0, given)
        found = [cpu.before(text, [BUDGET], self.settled)[0] for text in given]
        self.prompts = {i: one for i, one in enumerate(found) if isinstance(one, Prompt)}
        self.which = list(self.prompts)
        keys = [self.prompts[i].sentence.keys for i in self.which]
        output = cpu.engine._run(keys, None)
        self.raw = (output.symbols, output.values, output.links)
        self.lattices = [
            output.lattice(row, each, cpu.engine.encoder.vocabulary)
            for row, each in enumerate(keys)
        ]

    def check(self, found):
        """It is what all of the CPU's fitting makes of each."""
        spellings, calibration = self.cpu.engine.spellings, self.cpu.calibration
        for i, lattice in zip(self.which, self.lattices, strict=True):
            reading = Reading(self.prompts[i], lattice, spellings, calibration=calibration)
            theirs = self.cpu.after(reading, BUDGET, self.settled)
            assert (found[i].text, found[i].method) == (theirs.text, theirs.method)
            assert found[i].words == theirs.words
            assert found[i].score == pytest.approx(theirs.score, abs=1e-9)
            assert found[i].confidence == pytest.approx(theirs.confidence, abs=1e-9)


@pytest.fixture(scope="module")
def cpu(folder):
    made = Summarizer.load(folder)
    made.calibration = Calibration((0.0,) * 4, (-0.5, 1.0, 0.0))
    return made


@pytest.fixture
def asked(monkeypatch):
    """Whether each answer broke the rules that a desk asked about, and what was fitted whole."""
    broke, fitted = [], []
    rules, whole = Wording._breaks_rules, Desk._fitted

    def breaks_rules(*given):
        broke.append(rules(*given))
        return broke[-1]

    def fitting(*given):
        fitted.append(given)
        return whole(*given)

    monkeypatch.setattr(Wording, "_breaks_rules", breaks_rules)
    monkeypatch.setattr(Desk, "_fitted", fitting)
    return broke, fitted


@pytest.mark.parametrize("options", [{}, {"at_least": 24}, {"case": "title", "novelty": 0.0}])
def test_the_first_of_the_list_that_keeps_the_rules_is_told_and_is_the_cpus(cpu, asked, options):
    work, (broke, fitted) = Work(cpu, **options), asked
    found = work.desk.decode(0, work.which, work.raw)
    assert sum(broke) >= 10 and len(broke) - sum(broke) >= 30
    assert len(fitted) < 10
    work.check(found)


def test_without_tidiness_the_best_answer_is_told_whatever_it_says(cpu, asked):
    work, (broke, fitted) = Work(cpu, tidy=False), asked
    found = work.desk.decode(0, work.which, work.raw)
    assert not broke and not fitted
    work.check(found)


def test_a_list_in_which_all_break_the_rules_is_followed_by_all_of_the_fitting(
    cpu, asked, monkeypatch
):
    monkeypatch.setattr("nacc.gpu.shortlist.COUNTS", (1,))
    work, (broke, fitted) = Work(cpu), asked
    found = work.desk.decode(0, work.which, work.raw)
    assert len(fitted) == sum(broke) >= 5
    work.check(found)


def test_an_answer_that_is_not_sure_enough_is_left_to_all_of_the_fitting(cpu, asked):
    work, (_, fitted) = Work(cpu, min_confidence=0.6), asked
    found = work.desk.decode(0, work.which, work.raw)
    assert len(fitted) >= 5
    assert {"extract", "lead"} & {one.method for one in found.values()}
    work.check(found)


def test_what_stands_for_an_unknown_word_is_never_said(cpu, asked):
    work, (_, fitted) = Work(cpu), asked
    symbols, likely = work.raw[0], 0
    for row, i in enumerate(work.which):
        keys = work.prompts[i].sentence.keys
        if "unk" in keys:
            symbol = cpu.engine.encoder.symbols(keys)[keys.index("unk")]
            symbols[row, (symbols[row] != symbol).all(1), 0] = symbol
            likely += 1
    found = work.desk.decode(0, work.which, work.raw)
    assert likely >= 10 and len(fitted) < 10
    told = [one.text.lower().split() for one in found.values() if one.method == "linked"]
    assert told and not any("unk" in words for words in told)


def test_a_lattice_that_is_none_is_an_error_in_its_place(cpu):
    work = Work(cpu, 2)
    work.raw[1][0, 0, 0] = np.nan
    found = work.desk.decode(0, work.which, work.raw)
    assert isinstance(found[0], NaccError)
    assert found[1].text


def test_what_may_end_a_headline_of_its_source_may_on_the_device(cpu):
    text = "The old chain is to be taken over by an investor from the city of Halden on Monday."
    settled = cpu.settled(Options(rerank=0, rewrite="always"))
    _, (rows,) = Desk(cpu, BUDGET, settled).read(0, [text])
    n, words = int(rows.packed[0, 0]), BUCKETS[rows.bucket][0]
    flags = rows.packed[0, 2 + FIELDS.index("flags") * words :][:n]
    may = {word for word, flag in zip(split(text).keys, flags, strict=True) if flag & MAY_END}
    assert "over" in may and may.isdisjoint({"the", "to", "be", "by", "from", "of", "on"})
