"""From a request's body to what the service is asked for: parsed, checked, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from nacc.apps.server.refusals import Refusal, too_large
from nacc.apps.server.schemas import SummarizeRequest, TextsAndBudgets
from nacc.apps.server.settings import Settings
from nacc.errors import InvalidInput, InvalidOption
from nacc.length import Budget
from nacc.options import Options, Settled

MOST_LISTS = 1000
"""Lists and objects in a body; a request that can be answered has five."""


@dataclass(frozen=True)
class ServiceRequest:
    """A request the service can start on; fields are named as the client would, text[3]."""

    texts: tuple[str, ...]
    text_fields: tuple[str, ...]
    budgets: tuple[Budget, ...]
    budget_fields: tuple[str, ...]
    options: Settled
    partial: bool


def parse_request(
    content_type: str, body: bytes, settings: Settings, settle: Callable[[Options], Settled]
) -> ServiceRequest:
    """What is asked for; what the options leave open, the model settles. Or the Refusal that names
    the field to blame."""
    said = _parsed(content_type, body)
    texts, text_fields = _entries("text", said.text)
    amounts, budget_fields = _entries("max_length", said.max_length)
    try:
        options = said.options()
        settled = settle(options)
    except InvalidOption as error:
        raise Refusal(422, "invalid_input", str(error), field=error.name) from None
    _check_sizes(settings, texts, text_fields, amounts, options.alternatives or 1)
    for text, field in zip(texts, text_fields, strict=True):
        if not (text.strip() or said.partial):
            raise Refusal(422, "invalid_input", "the text is empty", field=field)
    budgets = [
        _budget(amount, said.unit, field)
        for amount, field in zip(amounts, budget_fields, strict=True)
    ]
    return ServiceRequest(
        tuple(texts), text_fields, tuple(budgets), budget_fields, settled, said.partial
    )


def _parsed(content_type: str, body: bytes) -> TextsAndBudgets:
    """The body, parsed by pydantic itself, which survives any nesting and any encoding; and then
    looked at: doing both at once, it copies what is wrong for every way it could be meant."""
    kind, _, parameters = content_type.lower().partition(";")
    charset = parameters.partition("charset=")[2].partition(";")[0].strip(' "') or "utf-8"
    if kind.strip() != "application/json" or charset not in ("utf-8", "utf8"):
        raise Refusal(415, "not_json", "send JSON in UTF-8, with Content-Type: application/json")
    try:
        said = from_json(_flat(body))
        known = SummarizeRequest.model_fields.keys()
        if isinstance(said, dict) and not said.keys() <= known:
            unknown = next(name for name in said if name not in known)  # one is enough to tell
            said = {name: said[name] for name in (*known, unknown) if name in said}
        return SummarizeRequest.model_validate(said)
    except ValidationError as error:
        field, message = _blame(error)
        raise Refusal(422, "invalid_input", message, field=field or None) from None
    except ValueError as error:
        raise Refusal(422, "invalid_input", f"Invalid JSON: {error}") from None


def _flat(body: bytes) -> bytes:
    """The body, if no more lists begin in it than in any request: a megabyte of them takes tens of
    milliseconds, in which nobody else is served. What a text says in brackets is none."""
    if body.count(b"[") + body.count(b"{") > MOST_LISTS:
        unescaped = body.replace(b"\\\\", b"").replace(b'\\"', b"")
        apart = b"".join(unescaped.split(b'"')[::2])
        if apart.count(b"[") + apart.count(b"{") > MOST_LISTS:
            raise Refusal(422, "invalid_input", "Invalid JSON: more lists than any request has")
    return body


def _blame(error: ValidationError) -> tuple[str, str]:
    """The field as the client would write it, text[3], and what is wrong with it. Where a field
    may be of several kinds, pydantic reports each kind it tried: the one that got furthest, into
    a list or past the kind itself, is the one that was meant."""
    found = error.errors(include_url=False, include_context=False, include_input=False)

    def entries(place: tuple[str | int, ...]) -> list[int]:
        return [part for part in place if isinstance(part, int)]

    meant = max(found, key=lambda e: (len(entries(e["loc"])), not e["type"].endswith("_type")))
    if not meant["loc"]:
        return "", meant["msg"]
    field = str(meant["loc"][0])[:100]
    return field + "".join(f"[{entry}]" for entry in entries(meant["loc"])), meant["msg"]


def _entries(field: str, value: Any) -> tuple[list[Any], tuple[str, ...]]:
    """What may be one or a list, as a list, and what the client would call each entry."""
    if isinstance(value, list):
        return value, tuple(f"{field}[{i}]" for i in range(len(value)))
    return [value], (field,)


def _check_sizes(
    settings: Settings,
    texts: Sequence[str],
    text_fields: Sequence[str],
    amounts: Sequence[Any],
    alternatives: int,
) -> None:
    sizes = [
        ("too_many_texts", "text has too many entries", len(texts), settings.max_texts, "text"),
        (
            "too_many_budgets", "max_length has too many entries", len(amounts),
            settings.max_budgets, "max_length",
        ),
        (
            "too_many_alternatives", "alternatives", alternatives, settings.max_alternatives,
            "alternatives",
        ),
        *(
            ("text_too_long", "characters of a text", len(text), settings.max_characters, field)
            for text, field in zip(texts, text_fields, strict=True)
        ),
    ]  # fmt: skip
    for code, what, size, limit, field in sizes:
        if size > limit:
            raise too_large(code, what, size, limit, field)


def _budget(amount: int | float | str, unit: str, field: str) -> Budget:
    try:
        return _without_font_files(amount, unit)
    except InvalidInput as error:
        if not isinstance(amount, str):
            try:
                _without_font_files(1, unit)
            except InvalidInput:
                field = "unit"
        raise Refusal(422, "invalid_input", str(error), field=field) from None


def _without_font_files(amount: int | float | str, unit: str) -> Budget:
    """A budget may name a font by the path of its file; a client has no business with ours."""
    return Budget.of(amount, unit, font_files=False)
