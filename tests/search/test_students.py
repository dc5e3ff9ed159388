"""Self-training: of a student's answers, the one that the search's own score likes best."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from nacc.errors import BudgetTooSmall, InvalidInput
from nacc.search import SearchSettings, search
from nacc.search.run import NOTHING, scored
from nacc.search.students import best_answers
from nacc.summary import Summary, SummaryWord
from nacc.text.words import split

SETTINGS = SearchSettings(max_length=40)


def answer(sentence, places, *others, new=()):
    words = split(sentence).words
    said = tuple(SummaryWord(words[i], i) for i in places) + tuple(
        SummaryWord(word, None) for word in new
    )
    text = " ".join(word.text for word in said)
    more = tuple(answer(sentence, other) for other in others)
    return Summary(text, len(text), "characters", 40, 0.0, "exact", said, False, more)


class Student:
    """Says what it is told to."""

    def __init__(self, says, slots=0) -> None:
        self.engine = SimpleNamespace(config={"shape": {"slots": slots}})
        self.says = says

    def each(self, sentences, budgets, options):
        self.options, self.budgets = options, budgets
        return [[result] for result in self.says]


def test_an_extract_is_scored_as_the_search_scores_it(model, sentences):
    for sentence, found in zip(sentences[:5], search(model, sentences[:5], SETTINGS), strict=True):
        [again] = scored(model, sentence, [found.positions], SETTINGS)
        assert again.text == found.text
        assert again.score == pytest.approx(found.score)


def test_the_best_by_score_is_kept_not_the_students_first(model, sentences):
    [best] = search(model, sentences[:1], SETTINGS)
    student = Student([answer(sentences[0], (0, 2), best.positions, (0,))])
    [found] = best_answers(model, student, sentences[:1], SETTINGS, 3)
    assert found.positions == best.positions
    assert student.options.alternatives == 3
    assert student.options.extract is None
    assert [budget.amount for budget in student.budgets] == [40]


def test_a_linked_student_is_asked_for_the_sources_words(model, sentences):
    student = Student([answer(sentences[0], (1, 3))], slots=1)
    [found] = best_answers(model, student, sentences[:1], SearchSettings(words=4), 2)
    assert student.options.extract is True
    assert str(student.budgets[0]) == "4 words"
    assert found.positions == (1, 3)


def test_answers_that_are_no_extracts_are_passed_over(model, sentences):
    student = Student(
        [
            answer(sentences[0], (3, 1)),
            answer(sentences[1], (1,), new=("novel",)),
            BudgetTooSmall("", 3),
        ]
    )
    found = list(best_answers(model, student, sentences[:3], SETTINGS, 2))
    assert found == [NOTHING] * 3
    marks = [i for i, word in enumerate(split(sentences[0]).words) if word in ",."]
    assert not scored(model, sentences[0], [marks[:1], []], SETTINGS)


def test_what_else_goes_wrong_is_said(model, sentences):
    student = Student([InvalidInput("no such thing")])
    with pytest.raises(InvalidInput, match="no such thing"):
        list(best_answers(model, student, sentences[:1], SETTINGS, 2))
