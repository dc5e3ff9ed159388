"""What a request asks for, checked against the limits and put in the summarizer's terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from nacc.apps.server.refusals import Refusal, too_large
from nacc.apps.server.schemas import SummarizeRequest
from nacc.apps.server.settings import Settings
from nacc.errors import InvalidInput
from nacc.length import UNITS, Budget
from nacc.length.measures.pixels import BUILT_IN

NOT_WISHES = {"text", "max_length", "unit", "sentences", "alternatives", "partial"}


@dataclass(frozen=True)
class Asked:
    """A request the service can start on."""

    texts: tuple[str, ...]
    budgets: tuple[Budget, ...]
    sentences: str
    alternatives: int
    wishes: dict[str, Any]


def understood(request: SummarizeRequest, settings: Settings) -> Asked:
    """The request in the summarizer's terms, or the Refusal that names the field."""
    several = isinstance(request.text, list)
    texts = request.text if isinstance(request.text, list) else [request.text]
    amounts = request.max_length if isinstance(request.max_length, list) else [request.max_length]
    for field, code, values, limit in (
        ("text", "too_many_texts", texts, settings.max_texts),
        ("max_length", "too_many_budgets", amounts, settings.max_budgets),
    ):
        if len(values) > limit:
            raise too_large(code, f"{field} has too many entries", len(values), limit, field)
    for i, text in enumerate(texts):
        field = f"text[{i}]" if several else "text"
        if len(text) > settings.max_characters:
            raise too_large(
                "text_too_long", "characters of a text", len(text), settings.max_characters, field
            )
        if not text.strip():
            raise Refusal(422, "invalid_input", "the text is empty", field=field)
    most = settings.max_alternatives
    if request.alternatives > most:
        raise too_large(
            "too_many_alternatives", "alternatives", request.alternatives, most, "alternatives"
        )
    wishes = request.model_dump(exclude=NOT_WISHES, exclude_none=True)
    budgets = tuple(_budget(request, i, amount) for i, amount in enumerate(amounts))
    return Asked(tuple(texts), budgets, request.sentences, request.alternatives, wishes)


def budget_field(request: SummarizeRequest, i: int) -> str:
    return f"max_length[{i}]" if isinstance(request.max_length, list) else "max_length"


def _budget(request: SummarizeRequest, i: int, amount: int | float | str) -> Budget:
    written = amount if isinstance(amount, str) else f"{amount} {request.unit}"
    try:
        return _parsed(written)
    except InvalidInput as error:
        field = budget_field(request, i)
        if not isinstance(amount, str):
            try:
                _parsed(f"1 {request.unit}")
            except InvalidInput:
                field = "unit"
        raise Refusal(422, "invalid_input", str(error), field=field) from None


def _parsed(written: str) -> Budget:
    _refuse_font_files(written)
    return Budget.of(written)


def _refuse_font_files(written: str) -> None:
    """A budget may name a font by the path of its file; a client has no business with ours."""
    (pixels,) = (unit for unit in UNITS if unit.name == "pixels")
    spellings = "|".join(pixels.spellings)
    in_pixels = re.fullmatch(rf"\s*[0-9.]+\s*(?:{spellings})\b(.*)", written, re.I | re.S)
    if not in_pixels:
        return
    font = re.sub(r"(?:^|\s)[0-9.]+(?:px)?\s*$", "", in_pixels[1]).strip().lower()
    if font and font not in BUILT_IN:
        known = ", ".join(sorted(set(BUILT_IN.values())))
        raise InvalidInput(f"unknown font {font!r}; the service knows {known}")
