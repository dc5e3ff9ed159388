"""From what the service made to what the client gets: summaries with places in the source."""

from __future__ import annotations

from itertools import accumulate

from nacc.apps.server import schemas
from nacc.apps.server.refusals import Refusal
from nacc.apps.server.request import ServiceRequest
from nacc.apps.server.service import ServedText
from nacc.errors import BudgetTooSmall, InvalidOption, NaccError
from nacc.summary import Summary
from nacc.text.words import Sentence


def response(
    request: ServiceRequest, served: list[ServedText], model: str
) -> schemas.SummarizeResponse:
    """The whole answer; the first text or budget that failed refuses it, unless `partial`."""
    results = []
    for i, text in enumerate(served):
        summaries: list[schemas.SummaryResult | schemas.FailedResult] = []
        for j, found in enumerate(text.results):
            if isinstance(found, NaccError):
                refusal = _refusal(request, i, j, found)
                if not request.partial:
                    raise refusal
                error = schemas.ErrorDetail(**refusal.error())
                summaries.append(schemas.FailedResult(error=error))
            else:
                assert text.sentence is not None
                summaries.append(_summary(found, text.sentence))
        results.append(schemas.TextResult(truncated_input=text.truncated, summaries=summaries))
    return schemas.SummarizeResponse(model=model, results=results)


def _refusal(request: ServiceRequest, i: int, j: int, error: NaccError) -> Refusal:
    """Why text i has no summary within budget j, naming the field that is to blame."""
    field = request.text_fields[i]
    which = None if field == "text" else i
    if isinstance(error, BudgetTooSmall):
        return Refusal(
            422, "budget_too_small", str(error), field=request.budget_fields[j], text=which,
            smallest=error.smallest or None,
        )  # fmt: skip
    if isinstance(error, InvalidOption):
        field = error.name
    return Refusal(422, "invalid_input", str(error), field=field, text=which)


def _summary(summary: Summary, sentence: Sentence) -> schemas.SummaryResult:
    places = _places(sentence)
    return schemas.SummaryResult(
        **_alternative(summary, places).__dict__,
        budget=summary.budget,
        unit=summary.unit,
        method=summary.method,
        note=summary.note,
        proven=summary.proven,
        alternatives=[_alternative(other, places) for other in summary.alternatives],
    )


def _alternative(summary: Summary, places: list[tuple[int, int]]) -> schemas.AlternativeResult:
    words = []
    for word in summary.words:
        start, end = (None, None) if word.source is None else places[word.source]
        words.append(schemas.WordResult(text=word.text, start=start, end=end))
    return schemas.AlternativeResult(
        text=summary.text,
        length=summary.length,
        score=summary.score,
        confidence=summary.confidence,
        words=words,
    )


def _places(sentence: Sentence) -> list[tuple[int, int]]:
    """Where each source word begins and ends in the text."""
    pairs = zip(sentence.before, sentence.words, strict=False)
    ends = list(accumulate(len(gap) + len(word) for gap, word in pairs))
    return [(end - len(word), end) for end, word in zip(ends, sentence.words, strict=True)]
