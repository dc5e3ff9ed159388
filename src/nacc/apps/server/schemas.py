"""The shapes of requests and answers, as OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

LONGEST_BUDGET = 1_000_000
EXAMPLE = (
    "European Union leaders agreed on Thursday to spend 150 billion euros on new railways, saying "
    "that fast trains should replace most short flights by 2040."
)
Amount = Annotated[
    StrictInt | StrictFloat,
    Field(ge=0, le=LONGEST_BUDGET, description="An amount of `unit`."),
]
Written = Annotated[
    StrictStr,
    Field(
        min_length=1,
        max_length=100,
        description='A whole budget: "75 bytes", "600px Arial 20", or a preset such as "push".',
    ),
]
Word = Annotated[StrictStr, Field(min_length=1, max_length=100)]


class SummarizeRequest(BaseModel):
    """One or many texts, one or many budgets, and how the summaries should be."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"text": EXAMPLE, "max_length": 50},
                {"text": [EXAMPLE], "max_length": [30, "75 bytes", "push"], "alternatives": 3},
            ]
        },
    )

    text: StrictStr | Annotated[list[StrictStr], Field(min_length=1)] = Field(
        description="The text to summarize, or a list of them."
    )
    max_length: Amount | Written | Annotated[list[Amount | Written], Field(min_length=1)] = Field(
        50, description="The budget, or a list of them; each text gets one summary a budget."
    )
    unit: StrictStr = Field(
        "characters", max_length=100, description="Unit of amounts given as numbers: /v1/units."
    )
    alternatives: StrictInt = Field(
        1, ge=1, description="How many different summaries a budget, best first."
    )
    sentences: Literal["first", "all"] = Field(
        "first", description="Summarize the first sentence, or the whole text as one."
    )
    method: Literal["coherent", "exact", "bucketed", "greedy", "truncate"] | None = Field(
        None, description="How to decode; the model's own choice if none."
    )
    at_least: Amount | None = Field(None, description="Shortest summary wanted, in the same unit.")
    fill: StrictFloat | StrictInt | None = Field(
        None, ge=0, le=1, description="Share of the budget to use, if `at_least` is not given."
    )
    coherence: StrictFloat | StrictInt | None = Field(
        None, ge=0, le=10, description="Weight of the bigram model, method coherent."
    )
    adjacency: StrictFloat | StrictInt | None = Field(
        None,
        ge=0,
        le=10,
        description="What it is worth to keep words of the source together, method coherent.",
    )
    bucket: StrictInt | None = Field(
        None, ge=1, le=1000, description="Bucket size, method bucketed."
    )
    required: list[Word] = Field(
        [], max_length=3, description="Words every summary must contain; coherent and exact."
    )
    forbidden: list[Word] = Field([], max_length=100, description="Words no summary may contain.")
    faithful: StrictBool = Field(False, description="Only words of the source, and function words.")
    tidy: StrictBool | None = Field(
        None, description="No dangling end, no content word twice; on for coherent and exact."
    )
    case: Literal["sentence", "title", "lower", "source"] | None = Field(
        None, description="How the summary is capitalised."
    )
    partial: StrictBool = Field(
        False,
        description="Answer 200 even if some budgets cannot be met; their entries hold `error`.",
    )


class SaidWord(BaseModel):
    """A word of a summary, and the characters of the source it was copied from, if it was."""

    text: str
    start: int | None = Field(description="First character of the source, counted in code points.")
    end: int | None


class Said(BaseModel):
    """A summary that fits."""

    text: str
    length: int | float
    score: float = Field(description="The decoder's objective: higher is better.")
    words: list[SaidWord]


class Fitted(Said):
    """The best summary within one budget."""

    budget: int | float
    unit: str
    method: str
    alternatives: list[Said] = Field(description="Others that fit, best first.")


class Problem(BaseModel):
    """Why there is no answer, for programs (`code`, `field`, …) and for people (`message`)."""

    code: str
    message: str
    field: str | None = Field(None, description="The field of the request that is to blame.")
    text: int | None = Field(None, description="Which text, of several.")
    smallest: int | float | None = Field(None, description="The smallest budget that would do.")
    limit: int | None = Field(None, description="The limit that was passed.")


class Failed(BaseModel):
    """With `partial`: a budget that could not be met."""

    error: Problem


class TextResult(BaseModel):
    """All summaries of one text, a budget each, in order."""

    truncated_input: bool = Field(description="The text was longer than the model reads.")
    summaries: list[Fitted | Failed]


class SummarizeResponse(BaseModel):
    """One result a text, in order."""

    model: str
    results: list[TextResult]


class ErrorResponse(BaseModel):
    """Every answer that is not 2xx."""

    error: Problem


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
