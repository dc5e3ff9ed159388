"""The systems on the packaged model, the real one: every way of decoding, on awkward sources."""

import pytest

from nacc.data.datasets import Dataset
from nacc.evaluation import report, systems
from nacc.evaluation.qualities import qualities
from nacc.evaluation.report import EvaluationProtocol
from nacc.length.budget import Budget
from nacc.text.punctuation import NEVER_SAID
from nacc.text.words import UNKNOWN_WORDS

SOURCES = (
    "the mayor of unk -- a town of #,### on the unk river -- opened a new bridge on monday .",
    "`` we sold ### sheep , '' said the farmer -lrb- ## -rrb- at the market in unk .",
    "Rain delayed the final of the village chess cup, organisers said on Sunday.",
    "A bakery won the prize for the best bread in the county for the third year running.",
)
REFERENCES = (
    "mayor opens new bridge",
    "farmer sells sheep",
    "Rain delays village chess final",
    "Bakery wins bread prize",
)
DATA = Dataset("awkward", SOURCES, tuple((reference,) for reference in REFERENCES))
NAMES = ("lead", "truncate", "greedy", "bucketed", "exact", "coherent")


@pytest.fixture(scope="module")
def rows(model):
    chosen = [systems.parse_system(name, lambda path: model) for name in NAMES]
    return {
        row.name: row for row in report.evaluate_systems(chosen, DATA, EvaluationProtocol.of(DATA))
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_system_fits_and_says_something_of_what_the_reference_says(rows, name):
    assert rows[name].qualities.within_budget == 1
    assert rows[name].qualities.empty == 0
    assert rows[name].r1.value > 20


@pytest.mark.parametrize("name", NAMES[1:])
def test_no_decoding_says_unknown_words_or_stray_marks(rows, name):
    for output in rows[name].outputs:
        assert not (UNKNOWN_WORDS | NEVER_SAID) & set(output.text.lower().split())


def test_truncating_here_is_what_the_summarizer_calls_truncating(model, rows):
    ours = [output.text for output in rows["truncate"].outputs]
    assert ours == [
        s.text for s in model.summarize(SOURCES, 50, method="truncate", rewrite="always")
    ]


@pytest.mark.parametrize("method", ["greedy", "bucketed", "exact"])
def test_the_plain_problem_at_budgets_where_little_or_nothing_fits(model, method):
    readings = model.read(SOURCES)
    system = systems.Decoding.by(method, model, systems.PLAIN)
    for amount in (1, 2, 4, 8):
        texts = [output.text for output in system.run(readings, Budget(amount))]
        assert qualities(texts, SOURCES, Budget(amount)).within_budget == 1
