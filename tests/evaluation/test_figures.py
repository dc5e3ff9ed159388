"""Sweeps read each sentence once and decode it often; figures come with the points behind them."""

import csv
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from nacc.data.datasets import Dataset
from nacc.decoding import decode
from nacc.errors import BudgetTooSmall, InvalidInput, MissingExtra
from nacc.evaluation import case_study, figures, report, rouge, sweeps, systems
from nacc.evaluation.linked_buckets import bucketed_links
from nacc.evaluation.report import EvaluationProtocol
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summarizer import Summarizer
from nacc.summary import Summary

PLAIN = {"at_least": 0, "tidy": False}
MORE = (
    "officials in the capital said on friday that a ferry with 300 passengers had run aground .",
    "shares of the country 's largest bank fell sharply after it reported a loss for the year .",
    "a court ordered the government to pay compensation to families moved from their land .",
    "scientists say a species of frog thought to be extinct has been found in a forest .",
)


def test_a_bucket_sweep_reads_once_and_finds_what_is_lost(ctc, data, sentences_read):
    protocol = EvaluationProtocol.of(data, Budget(12))
    buckets = (1, 4, 10, 20)
    best = ctc.summarize(data.sources, 12, method="exact", **PLAIN)
    data = replace(data, references=tuple((summary.text,) for summary in best))
    sentences_read.clear()
    points = sweeps.bucket_sweep(ctc, data, protocol, buckets=buckets)
    # once for decoding, and warm-up plus five repeats to time the reading itself
    assert len(sentences_read) == 4 + 4 * (1 + 5)
    for bucket, point in zip(buckets, points, strict=True):
        found = ctc.summarize(data.sources, 12, method="bucketed", bucket=bucket, **PLAIN)
        lost = [a.score - b.score for a, b in zip(best, found, strict=True)]
        assert point.mean_loss == pytest.approx(sum(lost) / 4)
        assert point.share_losing == sum(loss > 0 for loss in lost) / 4
        scores = rouge.score([summary.text for summary in found], data.references).pairs
        assert point.rouge == pytest.approx(100 * scores[:, :, 2].mean())
    assert points[0].mean_loss == 0 < points[-1].mean_loss
    assert points[0].rouge == 100 > points[-1].rouge > 0  # the best answers are the references
    assert all(point.seconds > 0 and point.reading > 0 for point in points)


def test_the_paper_s_decoder_never_beats_the_exact_one_and_loses_with_coarse_buckets(ctc, data):
    data = replace(data, sources=data.sources + MORE, references=data.references * 2)
    points = sweeps.bucket_sweep(ctc, data, EvaluationProtocol(Budget(20)), buckets=(1, 4, 10))
    fine, middling, coarse = points
    assert 0 <= fine.mean_loss < middling.mean_loss < coarse.mean_loss
    assert 0 <= fine.share_losing < middling.share_losing < coarse.share_losing <= 1


def test_a_budget_sweep_reads_once_and_fills_each_budget(ctc, data, sentences_read):
    protocol = EvaluationProtocol.of(data)
    points = sweeps.budget_sweep(
        ctc, data, protocol, methods=("truncate", "exact"), budgets=(10, 20, 40)
    )
    assert len(sentences_read) == 4
    assert [(p.method, p.budget) for p in points][:3] == [("truncate", b) for b in (10, 20, 40)]
    assert all(p.length <= p.budget and p.low <= p.rouge <= p.high for p in points)


def test_other_systems_are_swept_beside_the_model(ctc, linked, data):
    beside = [systems.Decoding.as_it_is(linked, Options(), "linked"), systems.BASELINES["lead"]]
    points = sweeps.budget_sweep(
        ctc, data, EvaluationProtocol.of(data), methods=("exact",), beside=beside, budgets=(20, 40)
    )
    assert [(p.method, p.budget) for p in points][2:] == [
        ("linked", 20), ("linked", 40), ("lead", 20), ("lead", 40),
    ]  # fmt: skip
    assert all(p.length <= p.budget for p in points)


def test_buckets_on_linked_slots_lose_and_those_of_one_do_not(linked, data):
    data = replace(data, sources=data.sources + MORE, references=data.references * 2)
    protocol = EvaluationProtocol(Budget(24))
    points = sweeps.linked_bucket_sweep(linked, data, protocol, buckets=(1, 6, 25))
    assert [point.slots for point in points] == ["linked"] * 3
    assert points[0].mean_loss == points[0].share_losing == 0
    assert points[-1].mean_loss > 0
    assert points[-1].share_losing > 0
    assert all(point.seconds is None for point in points)


def test_buckets_of_one_find_the_linked_decoder_s_best_path(linked, data):
    for reading in systems.Readings().of(linked, data.sources):
        found = reading.word_lattice
        weights = np.array([len(word) + 1 for word in found.keys], np.int64)
        path = bucketed_links(found.lattice, weights, 31, 1)
        best = decode(found.lattice, weights, 31, method="linked")
        assert path.words == list(best.tokens)
        assert path.score == pytest.approx(best.score)


def test_buckets_where_nothing_fits(linked, data):
    [reading, *_] = systems.Readings().of(linked, data.sources)
    found = reading.word_lattice
    weights = np.full(len(found.keys), 100)
    assert bucketed_links(found.lattice, weights, 31, 4) == ([], -np.inf)
    with pytest.raises(InvalidInput, match="at least 1"):
        bucketed_links(found.lattice, weights, 31, 0)


class Silent(Summarizer):
    """Exact has nothing to say on the first source; bucketed nothing on the others."""

    def __init__(self):
        self.generation = Options()
        self.engine = SimpleNamespace(batch=1, config={"shape": {}}, conditions=None)

    def read(self, texts, **options):
        return list(texts)

    def each(self, texts, budgets, options=None, **how):
        for text in texts:
            if options.method == "exact" and text == "one":
                yield [BudgetTooSmall("nothing", smallest=1)]
            else:
                said = "" if options.method == "bucketed" and text != "one" else text
                yield [Summary(said, len(said), "characters", 50, -1.0, options.method, (), False)]


def test_a_sentence_with_nothing_to_say_loses_nothing_and_one_said_by_exact_alone_is_lost():
    data = Dataset("three", ("one", "two", "three"), (("one",), ("two",), ("three",)))
    protocol = EvaluationProtocol.of(data)
    [point] = sweeps.bucket_sweep(Silent(), data, protocol, buckets=(4,))
    assert point.mean_loss == 0 and point.share_losing == 2 / 3
    assert point.rouge == pytest.approx(100 * 2 / 9)  # R-1 and R-L of one in three


def test_every_figure_is_png_svg_and_csv(ctc, data, tmp_path):
    protocol = EvaluationProtocol(Budget(50), time_on=2, repeats=1)
    buckets = sweeps.bucket_sweep(ctc, data, protocol, buckets=(1, 10))
    budgets = sweeps.budget_sweep(ctc, data, protocol, methods=("exact",), budgets=(20, 40))
    chosen = [systems.Decoding.by(name, ctc) for name in ("truncate", "exact")]
    rows = report.evaluate_systems(chosen, data, protocol)
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
    with pytest.raises(MissingExtra, match=r"\.\[eval\]"):
        figures.length_transfer([], tmp_path)


def test_a_speed_figure_without_a_timed_system_is_refused(model, data, tmp_path):
    rows = report.evaluate_systems([systems.BASELINES["lead"]], data, EvaluationProtocol.of(data))
    with pytest.raises(InvalidInput, match="timed"):
        figures.quality_and_speed(rows, tmp_path)


def test_examples_grey_what_was_cut(ctc, data):
    protocol = EvaluationProtocol(Budget(9))
    rows = report.evaluate_systems([systems.Decoding.by("truncate", ctc)], data, protocol)
    console = Console(width=80, record=True, force_terminal=True, color_system="truecolor")
    console.print(case_study.terminal_examples(rows, data, [0], protocol.budget))
    full = ctc.summarize(data.sources[0], 10_000, method="greedy", rewrite="always").text
    left, gone = full[:9], full[9:]
    assert left and gone
    assert f"{left}┊{gone}" in console.export_text(clear=False)
    page = case_study.html_examples(rows, data, [0], protocol.budget)
    assert f"{left}<s>{gone}</s></td><td>9</td>" in page


def test_examples_escape_html(data):
    rows = [
        report.judge(
            "<b>", [systems.Output.whole("a & <i>")] * 4, data, EvaluationProtocol.of(data)
        )
    ]
    page = case_study.html_examples(rows, data, [1], Budget(50))
    assert "a &amp; &lt;i&gt;" in page and "<b>" not in page


def test_examples_are_drawn_without_repeats_and_by_seed(data):
    assert case_study.choose(data, 99) == [0, 1, 2, 3]
    assert case_study.choose(data, 2, seed=1) == case_study.choose(data, 2, seed=1)
    with pytest.raises(InvalidInput):
        case_study.choose(data, 0)
