"""A job on a GPU asks `nacc.gpu`, budget by budget, and puts its answers beside each other."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from types import ModuleType

import pytest
from tests.apps.cli.stub import Stub

from nacc.bulk import on_gpu
from nacc.bulk.columns import NewColumns
from nacc.bulk.parts import Counts, part_size
from nacc.bulk.run import Run
from nacc.errors import MissingExtra
from nacc.length import Budget
from nacc.options import Settled

from .jobs import NoWatch, job_of, one_by_one


@dataclass
class Gpu:
    """In the place of nacc.gpu's: a result a text, for one budget."""

    asked: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, model):
        return GPU

    def each(self, texts, budget, options):
        self.asked.append(str(budget))
        return (found[0] for found in Stub().each(texts, [budget], options))


GPU = Gpu()


def test_each_budget_is_asked_once_for_a_part(tmp_path, monkeypatch):
    module = ModuleType("nacc.gpu.summarizer")
    module.GpuSummarizer = Gpu  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nacc.gpu.summarizer", module)
    monkeypatch.setattr(on_gpu, "requires", lambda *_: None)
    (tmp_path / "a.csv").write_text("text\n" + "One two three four five six seven\n" * 3)
    job = job_of(
        [str(tmp_path / "a.csv")],
        tmp_path / "out",
        options=Settled(),
        budgets=(Budget.of(7), Budget.of(13)),
        columns=NewColumns("short", ("7", "13"), errors="error"),
        device="gpu",
    )
    assert part_size(job) > part_size(replace(job, device="cpu"))
    assert Run(job).go(one_by_one, NoWatch()) == Counts(3, 0)
    assert GPU.asked == ["7 characters", "13 characters"]
    lines = (tmp_path / "out" / "a.csv").read_text().splitlines()
    assert lines[1:] == ["One two three four five six seven,One two,One two three,"] * 3


def test_without_its_extra_it_says_which_one_it_needs(tmp_path, monkeypatch):
    monkeypatch.setattr("nacc.errors.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"\.\[gpu\]"):
        on_gpu.OnGpu(tmp_path)
