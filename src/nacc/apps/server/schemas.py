"""The shapes of requests and answers, as OpenAPI shows them.

A request's options are nacc.Options, field by field: an option or a decoder that is new there is
known here.
"""

from __future__ import annotations

from dataclasses import Field as Option
from dataclasses import dataclass, fields
from types import NoneType
from typing import Annotated, Any, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from nacc.length import LARGEST
from nacc.options import CHOICES, Options

EXAMPLE = (
    "European Union leaders agreed on Thursday to spend 150 billion euros on new railways, saying "
    "that fast trains should replace most short flights by 2040."
)
NumberOfUnits = Annotated[
    int | float,
    Field(ge=0, le=LARGEST, description="An amount of `unit`."),
]
WrittenBudget = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description='A whole budget: "75 bytes", "600px Arial 20", or a preset such as "push".',
    ),
]
OptionWord = Annotated[str, Field(min_length=1, max_length=100)]
SEVERAL = Field(min_length=1, max_length=10_000, fail_fast=True)
"""A list, of which only the first wrong entry is told: a million of them would take gigabytes."""


class TextsAndBudgets(BaseModel):
    """What a request says beside its options."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"text": EXAMPLE, "max_length": 50},
                {"text": [EXAMPLE], "max_length": [30, "75 bytes", "push"], "alternatives": 3},
            ]
        },
    )

    text: str | Annotated[list[str], SEVERAL] = Field(
        description="The text to summarize, or a list of them."
    )
    max_length: (
        NumberOfUnits | WrittenBudget | Annotated[list[NumberOfUnits | WrittenBudget], SEVERAL]
    ) = Field(50, description="The budget, or a list of them; each text gets one summary a budget.")
    unit: str = Field(
        "characters", max_length=100, description="Unit of amounts given as numbers: /v1/units."
    )
    partial: bool = Field(
        False,
        description="Answer 200 even if some texts cannot be read or some budgets cannot be met; "
        "their entries hold `error`.",
    )

    def options(self) -> Options:
        """The options, checked, or InvalidOption."""
        return Options.of({each.name: getattr(self, each.name) for each in fields(Options)})


@dataclass(frozen=True)
class OneOfToday:
    """Tells the choices there are when the schema is asked for; a request's is checked by Options,
    when it comes."""

    option: str

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(core), "enum": list(CHOICES[self.option]())}


def _as_json(option: Option[Any], hint: Any) -> Any:
    """An option as a field of a request: its JSON type with its limits, or null."""
    name, facts = option.name, option.metadata
    kind: Any
    if name in CHOICES:
        kind = Annotated[str, OneOfToday(name)]
    elif "most_words" in facts:
        kind = Annotated[list[OptionWord], Field(max_length=facts["most_words"])]
    else:
        (plain,) = set(get_args(hint)) - {NoneType}
        kind = Annotated[plain, Field(ge=facts["least"], le=facts["most"])]
    what = f"{facts['what']} Null: as the model's folder says."
    return Annotated[kind | None, Field(description=what)], None


_HINTS = get_type_hints(Options)
SummarizeRequest = create_model(
    "SummarizeRequest",
    __base__=TextsAndBudgets,
    __doc__="One or many texts, one or many budgets, and how the summaries should be.",
    **{each.name: _as_json(each, _HINTS[each.name]) for each in fields(Options)},
)


class WordResult(BaseModel):
    """A word of a summary, and the characters of the source it was copied from, if it was."""

    text: str
    start: int | None = Field(description="First character of the source, counted in code points.")
    end: int | None


class AlternativeResult(BaseModel):
    """A summary that fits."""

    text: str
    length: int | float
    score: float = Field(description="What it was chosen by: higher is better.")
    confidence: float | None = Field(
        None, description="How sure the model is, 0 to 1; null where it cannot tell."
    )
    words: list[WordResult]


class SummaryResult(AlternativeResult):
    """The best summary within one budget."""

    budget: int | float
    unit: str
    method: str = Field(
        description="The decoder that said it; `as-is` for a text that fits, `trimmed`, `extract` "
        "or `lead` where something else than the model's own words is said."
    )
    note: str = Field(description="Why it is not what the model would have said; else empty.")
    proven: bool = Field(description="The decoder has proved that no other words score higher.")
    alternatives: list[AlternativeResult] = Field(description="Others that fit, best first.")


class ErrorDetail(BaseModel):
    """Why there is no answer, for programs (`code`, `field`, …) and for people (`message`)."""

    code: str
    message: str
    field: str | None = Field(None, description="The field of the request that is to blame.")
    text: int | None = Field(None, description="Which text, of several.")
    smallest: int | float | None = Field(None, description="The smallest budget known to do.")
    limit: int | None = Field(None, description="The limit that was passed.")


class FailedResult(BaseModel):
    """With `partial`: a text that could not be read, or a budget that could not be met."""

    error: ErrorDetail


class TextResult(BaseModel):
    """All summaries of one text, a budget each, in order."""

    truncated_input: bool = Field(description="The text was longer than the model reads.")
    summaries: list[SummaryResult | FailedResult]


class SummarizeResponse(BaseModel):
    """One result a text, in order."""

    model: str
    results: list[TextResult]


class ErrorResponse(BaseModel):
    """Every answer that is not 2xx."""

    error: ErrorDetail


class UnitInfo(BaseModel):
    name: str
    spellings: list[str]
    options: str
    what: str


class PresetInfo(BaseModel):
    name: str
    budget: str
    what: str
    source: str


class UnitsResponse(BaseModel):
    """Everything `max_length` and `unit` understand."""

    units: list[UnitInfo]
    presets: list[PresetInfo]


class ModelInfo(BaseModel):
    name: str
    precision: str
    max_words: int = Field(description="How many words of a text the model reads.")
    styles: list[str] = Field(description="What `style` may be; none where the model has none.")
    config: dict[str, Any]


class ModelsResponse(BaseModel):
    models: list[ModelInfo]


class InfoResponse(BaseModel):
    """What runs here and what it allows."""

    name: str
    version: str
    ready: bool
    model: str
    limits: dict[str, int | float]


class StatusResponse(BaseModel):
    status: str
