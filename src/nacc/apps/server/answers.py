"""From what the service made to what the client gets: summaries with places in the source."""

from __future__ import annotations

from itertools import accumulate

from nacc.apps.server import schemas
from nacc.apps.server.asked import Asked, budget_field
from nacc.apps.server.refusals import Refusal
from nacc.apps.server.service import Answer
from nacc.errors import BudgetTooSmall, NaccError
from nacc.fitting.reading import Reading
from nacc.summary import Summary


def response(
    request: schemas.SummarizeRequest, asked: Asked, answers: list[Answer], model: str
) -> schemas.SummarizeResponse:
    """The whole answer; the first budget that could not be met refuses it, unless `partial`."""
    results = []
    for i, answer in enumerate(answers):
        summaries: list[schemas.Fitted | schemas.Failed] = []
        for j, made in enumerate(answer.made):
            if isinstance(made, NaccError):
                refusal = _refusal(request, asked, i, j, answer.reading, made)
                if not request.partial:
                    raise refusal
                summaries.append(schemas.Failed(error=schemas.Problem(**refusal.error())))
            else:
                assert answer.reading is not None
                summaries.append(_fitted(made, answer.reading))
        truncated = answer.reading is not None and answer.reading.truncated
        results.append(schemas.TextResult(truncated_input=truncated, summaries=summaries))
    return schemas.SummarizeResponse(model=model, results=results)


def _refusal(
    request: schemas.SummarizeRequest,
    asked: Asked,
    i: int,
    j: int,
    reading: Reading | None,
    error: NaccError,
) -> Refusal:
    """Why text i has no summary within budget j, naming the field that is to blame."""
    several = isinstance(request.text, list)
    which = i if several else None
    if isinstance(error, BudgetTooSmall):
        return Refusal(
            422, "budget_too_small", str(error), field=budget_field(request, j), text=which,
            smallest=error.smallest or None,
        )  # fmt: skip
    field = f"text[{i}]" if several else "text"
    if reading is not None and (request.at_least or 0) > asked.budgets[j].amount:
        field = "at_least"
    elif reading is not None and request.required:
        field = "required"
    return Refusal(422, "invalid_input", str(error), field=field, text=which)


def _fitted(made: list[Summary], reading: Reading) -> schemas.Fitted:
    best, *others = made
    places = _places(reading)
    return schemas.Fitted(
        **_said(best, places).__dict__,
        budget=best.budget,
        unit=best.unit,
        method=best.method,
        alternatives=[_said(other, places) for other in others],
    )


def _said(summary: Summary, places: list[tuple[int, int]]) -> schemas.Said:
    words = []
    for word in summary.words:
        start, end = (None, None) if word.source is None else places[word.source]
        words.append(schemas.SaidWord(text=word.text, start=start, end=end))
    return schemas.Said(text=summary.text, length=summary.length, score=summary.score, words=words)


def _places(reading: Reading) -> list[tuple[int, int]]:
    """Where each source word begins and ends in the text."""
    sentence = reading.sentence
    pairs = zip(sentence.before, sentence.words, strict=False)
    ends = list(accumulate(len(gap) + len(word) for gap, word in pairs))
    return [(end - len(word), end) for end, word in zip(ends, sentence.words, strict=True)]
