"""Self-training: what a model learnt from extracts says, judged by what the search judges by.

A student smooths the search's noise away, but knows nothing of the score; of its best answers, the
one with the highest is the label that the next student learns from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nacc.errors import BudgetTooSmall, NaccError
from nacc.length.budget import Budget
from nacc.length.measures import Words
from nacc.options import Options
from nacc.search.model import SearchModel
from nacc.search.run import NOTHING, Extract, scored
from nacc.search.settings import SearchSettings

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer
    from nacc.summary import Summary


def best_answers(
    model: SearchModel,
    student: Summarizer,
    sentences: Sequence[str],
    settings: SearchSettings,
    answers: int,
) -> Iterator[Extract]:
    """Of each sentence, the one of the student's best answers with the highest score; nothing
    where it has none that keeps words of the source alone, in their order."""
    budget = Budget(settings.max_length or 0)
    if settings.words is not None:
        budget = Budget(settings.words, Words())
    linked = bool(student.engine.config.get("shape", {}).get("slots"))  # else it extracts anyway
    options = Options(
        alternatives=answers, sentences="first", rewrite="always", extract=linked or None
    )
    said = student.each(sentences, [budget], options)
    for sentence, [result] in zip(sentences, said, strict=True):
        if isinstance(result, NaccError) and not isinstance(result, BudgetTooSmall):
            raise result
        kept = [] if isinstance(result, NaccError) else _places(result)
        found = scored(model, sentence, kept, settings)
        yield max(found, key=lambda each: each.score, default=NOTHING)


def _places(summary: Summary) -> list[list[int]]:
    """The source's words that each answer keeps, where it says nothing else, in their order."""
    found = []
    for each in (summary, *summary.alternatives):
        places = [word.source for word in each.words if word.source is not None]
        if len(places) == len(each.words) and places == sorted(set(places)):
            found.append(places)
    return found
