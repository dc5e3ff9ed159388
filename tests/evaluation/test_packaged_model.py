"""The systems on awkward sources: the packaged model, the real one, as it is, and every way of
decoding on a CTC model."""

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
PACKAGED = ("default", "linked", "linked:at_least=0,tidy=false,rerank=0")
CTC = ("truncate", "greedy", "bucketed", "exact", "coherent")
NAMES = ("lead", *PACKAGED, *CTC)


@pytest.fixture(scope="module")
def rows(model, ctc):
    chosen = [
        systems.parse_system(name, lambda path, name=name: ctc if name in CTC else model)
        for name in NAMES
    ]
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


def test_the_packaged_model_says_something_of_each_source_and_invents_no_number(rows):
    for name in PACKAGED:
        scores = [
            report.judge(name, [output], one, EvaluationProtocol.of(one)).r1.value
            for output, one in zip(rows[name].outputs, _each(), strict=True)
        ]
        assert min(scores) > 0
        assert rows[name].qualities.invented_numbers == 0


def _each():
    return [Dataset("one", (s,), (r,)) for s, r in zip(SOURCES, DATA.references, strict=True)]


def test_truncating_here_is_what_the_summarizer_calls_truncating(ctc, rows):
    ours = [output.text for output in rows["truncate"].outputs]
    assert ours == [s.text for s in ctc.summarize(SOURCES, 50, method="truncate", rewrite="always")]


@pytest.mark.parametrize("method", ["greedy", "bucketed", "exact", "linked"])
def test_the_plain_problem_at_budgets_where_little_or_nothing_fits(model, ctc, method):
    able = ctc if method in CTC else model
    readings = able.read(SOURCES)
    system = systems.Decoding.by(method, able, systems.PLAIN)
    for amount in (1, 2, 4, 8):
        texts = [output.text for output in system.run(readings, Budget(amount))]
        assert qualities(texts, SOURCES, Budget(amount)).within_budget == 1
