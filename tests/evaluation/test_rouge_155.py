"""ROUGE-1.5.5's own answers are ours: on sentences kept here, and on its reference runs where
they are at hand (the folder `rouge` beside the data folder)."""

import json
from pathlib import Path

import numpy as np
import pytest

from nacc.data.datasets import data_folder
from nacc.evaluation import rouge

KEPT = json.loads(Path(__file__).with_name("rouge_155.json").read_text("utf-8"))
DATA = data_folder()
RUNS_OF_155 = DATA.parent / "rouge"
ROUNDING = 2e-5  # the script rounds precision and recall to five places, then computes F from them
RUNS = {
    "gigaword-valid, -m": ("gigaword-valid", {}),
    "gigaword-valid, no stemming": ("gigaword-valid", {"stem": False}),
    "duc2003, four references, -m -b 75": ("duc2003", {"byte_limit": 75}),
}


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


@pytest.mark.parametrize("run", KEPT["runs"], ids=lambda run: run["options"])
def test_every_pair_scores_as_in_the_perl_script(run):
    hypotheses, references = zip(*KEPT["pairs"], strict=True)
    found = rouge.score(hypotheses, references, **run["score"])
    np.testing.assert_allclose(found.pairs, run["answers"], atol=ROUNDING)


def test_reference_runs_agree_to_a_hundredth_of_a_point():
    """The runs use 20,000 resamples; their printed means carry about 0.002 points of noise."""
    expected_file = RUNS_OF_155 / "expected.json"
    expected = json.loads(expected_file.read_text("utf-8")) if expected_file.exists() else {}
    for name, (stem, options) in RUNS.items():
        if name not in expected:
            continue
        hypotheses = _lines(RUNS_OF_155 / f"{stem}.hypotheses.txt")
        if stem == "duc2003":
            files = [DATA / stem / f"reference.{i}.txt" for i in range(4)]
            references = list(zip(*map(_lines, files), strict=True))
        else:
            references = _lines(RUNS_OF_155 / f"{stem}.references.txt")
        found = rouge.score(hypotheses, references, **options)
        for metric, score in (("1", found.rouge1), ("2", found.rouge2), ("L", found.rougeL)):
            for letter, value in (("P", score.precision), ("R", score.recall), ("F", score.f1)):
                assert value == pytest.approx(expected[name][f"ROUGE-{metric}-{letter}"], abs=1e-4)
            for letter, ends in (("R", score.recall_interval), ("F", score.f1_interval)):
                printed = expected[name][f"ROUGE-{metric}-{letter}-cf95"]
                assert ends == pytest.approx(printed, abs=2e-3)
