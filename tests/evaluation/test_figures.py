"""Sweeps read each sentence once and decode it often; figures come with the points behind them."""

import csv
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from rich.console import Console

import nacc
from nacc.data.datasets import Dataset
from nacc.errors import BudgetTooSmall, InvalidInput, MissingExtra
from nacc.evaluation import case_study, figures, report, sweeps, systems
from nacc.length.budget import Budget


def test_a_bucket_sweep_reads_once_and_finds_what_is_lost(model, data):
    protocol = report.Protocol.of(data)
    points = sweeps.bucket_sweep(model, data, protocol, buckets=(1, 4, 10, 20))
    # once for decoding, and warm-up plus five repeats to time the reading itself
    assert model.sentences_read == 4 + 4 * (1 + 5)
    assert [point.mean_loss for point in points] == [0, 0, 1, 2]
    assert [point.share_losing for point in points] == [0, 0, 1, 1]
    assert points[0].rouge > points[-1].rouge > 0
    assert all(point.seconds > 0 and point.reading > 0 for point in points)


class LatticeModel:
    """Random lattices over the source's own words, decoded by the package's decoders."""

    def read(self, texts):
        if not isinstance(texts[0], str):
            return texts
        rng = np.random.default_rng(0)
        readings = []
        for text in texts:
            words = ["", *dict.fromkeys(text.split())]
            log_probs = np.log(rng.dirichlet(np.full(len(words), 0.3), len(text.split())))
            readings.append((words, np.maximum(log_probs, -30)))
        return readings

    def summarize(self, text, max_length, unit, method, tidy, **options):
        assert not tidy
        return [self._say(*reading, max_length, method, options) for reading in text]

    def _say(self, words, log_probs, budget, method, options):
        weights = [len(word) + 1 for word in words]
        found = nacc.decode(log_probs, weights, budget + 1, method=method, **options)
        return SimpleNamespace(text=" ".join(words[t] for t in found.tokens), score=found.score)


def test_the_paper_s_decoder_never_beats_the_exact_one_and_loses_with_coarse_buckets(data):
    data = replace(data, sources=data.sources * 10, references=data.references * 10)
    points = sweeps.bucket_sweep(LatticeModel(), data, report.Protocol(Budget(20)), buckets=(1, 10))
    fine, coarse = points
    assert 0 <= fine.mean_loss < coarse.mean_loss
    assert 0 <= fine.share_losing < coarse.share_losing <= 1


def test_a_budget_sweep_reads_once_and_fills_each_budget(model, data):
    protocol = report.Protocol.of(data)
    points = sweeps.budget_sweep(
        model, data, protocol, methods=("truncate", "exact"), budgets=(10, 20, 40)
    )
    assert model.sentences_read == 4
    assert [(p.method, p.budget) for p in points][:3] == [("truncate", b) for b in (10, 20, 40)]
    assert all(p.length <= p.budget and p.low <= p.rouge <= p.high for p in points)


def test_a_sentence_with_nothing_to_say_loses_nothing_and_one_said_by_exact_alone_is_lost():
    class Said(NamedTuple):
        text: str
        score: float

    class Silent:
        """Exact has nothing to say on the first source; bucketed nothing on the others."""

        def read(self, texts):
            return list(texts)

        def summarize(self, text, method, **options):
            if method == "exact" and "one" in text:
                raise BudgetTooSmall("nothing", smallest=1)
            silent = method == "bucketed"
            return [Said("" if silent and t != "one" else t, -1.0) for t in text]

    data = Dataset("three", ("one", "two", "three"), (("one",), ("two",), ("three",)))
    [point] = sweeps.bucket_sweep(Silent(), data, report.Protocol.of(data), buckets=(4,))
    assert point.mean_loss == 0 and point.share_losing == 2 / 3
    assert point.rouge == pytest.approx(100 * 2 / 9)  # R-1 and R-L of one in three


def test_every_figure_is_png_svg_and_csv(model, data, tmp_path):
    protocol = report.Protocol(Budget(50), time_on=2, repeats=1)
    buckets = sweeps.bucket_sweep(model, data, protocol, buckets=(1, 10))
    budgets = sweeps.budget_sweep(model, data, protocol, methods=("exact",), budgets=(20, 40))
    chosen = [systems.of_model(name, model) for name in ("truncate", "exact")]
    rows = report.evaluate(chosen, data, protocol)
    drawn = (
        (figures.bucket_size(buckets, tmp_path), 2, "Bucket size"),
        (figures.score_lost(buckets, tmp_path), 2, "Bucket size"),
        (figures.length_transfer(budgets, tmp_path), 2, "Budget"),
        (figures.quality_and_speed(rows, tmp_path), 2, "Sentences a second"),
    )
    for (points, png, svg), count, _ in drawn:
        assert len(list(csv.DictReader(points.open(encoding="utf-8")))) == count
        assert png.read_bytes().startswith(b"\x89PNG")
        assert ET.parse(svg).getroot().tag.endswith("svg")


def test_drawing_without_matplotlib_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"nacc\[eval\]"):
        figures.length_transfer([], tmp_path)


def test_a_speed_figure_without_a_timed_system_is_refused(model, data, tmp_path):
    rows = report.evaluate([systems.BASELINES["lead"]], data, report.Protocol.of(data))
    with pytest.raises(InvalidInput, match="timed"):
        figures.quality_and_speed(rows, tmp_path)


def test_examples_grey_what_was_cut(model, data):
    protocol = report.Protocol(Budget(12))
    rows = report.evaluate([systems.of_model("truncate", model)], data, protocol)
    console = Console(width=80, record=True, force_terminal=True, color_system="truecolor")
    console.print(case_study.terminal(rows, data, [0], protocol.budget))
    assert "mayor town o┊pened new bridge monday" in console.export_text(clear=False)
    page = case_study.as_html(rows, data, [0], protocol.budget)
    assert "mayor town o<s>pened new bridge monday</s></td><td>12</td>" in page


def test_examples_escape_html(data):
    rows = [
        report.judge("<b>", [systems.Output.whole("a & <i>")] * 4, data, report.Protocol.of(data))
    ]
    page = case_study.as_html(rows, data, [1], Budget(50))
    assert "a &amp; &lt;i&gt;" in page and "<b>" not in page


def test_examples_are_drawn_without_repeats_and_by_seed(data):
    assert case_study.choose(data, 99) == [0, 1, 2, 3]
    assert case_study.choose(data, 2, seed=1) == case_study.choose(data, 2, seed=1)
    with pytest.raises(InvalidInput):
        case_study.choose(data, 0)
