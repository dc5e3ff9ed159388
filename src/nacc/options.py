"""What a caller may ask for beyond text and budget: checked here, once, and handed on whole.

The same names and meanings everywhere: keywords in Python, flags on the command line, fields over
HTTP. What is left at None is as the model's folder says (`generation` in its config.json), and
where that says nothing, as `Settled` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, get_args

from nacc.decoding.constraints import MOST_REQUIRED
from nacc.decoding.registry import decoder, methods
from nacc.errors import BadModel, InvalidOption
from nacc.length.budget import Budget
from nacc.text.phrases import Phrase
from nacc.text.punctuation import NEVER_SAID
from nacc.text.surface import CASES, Case
from nacc.text.words import UNKNOWN_WORDS

Sentences = Literal["best", "first", "all"]
Rewrite = Literal["needed", "always"]
Fallback = Literal["lead", "error"]
MOST_RERANKED, MOST_ALTERNATIVES, MOST_FORBIDDEN, LONGEST_PHRASE = 100, 100, 100, 1000


def _option(what: str, *, least: float | None = None, most: float | None = None) -> Any:
    """A field that may be left to the model; `what` and the limits are shown wherever it is."""
    return field(default=None, metadata={"what": what, "least": least, "most": most})


def _words(what: str, most: int) -> Any:
    return field(default=(), metadata={"what": what, "most_words": most})


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a summary should be; None: as the model's folder says.

    `at_least` is in the budget's unit; without it, `fill` says how much of the budget to use.
    """

    method: str | None = _option("How to decode.")
    at_least: float | None = _option("Shortest summary wanted, in the budget's unit.", least=0)
    fill: float | None = _option(
        "Share of the budget to use, if the text allows, where at_least is not given.",
        least=0, most=1,
    )  # fmt: skip
    coherence: float | None = _option(
        "What the n-gram model's opinion of neighbouring words counts, method coherent.",
        least=0, most=10,
    )  # fmt: skip
    adjacency: float | None = _option(
        "What it is worth to keep words together that are so in the text, method coherent, and "
        "where answers are compared.",
        least=0, most=10,
    )  # fmt: skip
    bucket: int | None = _option(
        "Size of the buckets of lengths, method bucketed.", least=1, most=1000
    )
    expected_words: float | None = _option(
        "What it is worth to say a word that the model's other answers have, method linked.",
        least=0, most=10,
    )  # fmt: skip
    expected_pairs: float | None = _option(
        "What it is worth to say two neighbours that its other answers have, method linked.",
        least=0, most=10,
    )  # fmt: skip
    rerank: int | None = _option(
        "How many of the best answers the model's scorer compares, method linked; 0: none. "
        "Of more than 40 the others only where it is in doubt.",
        least=0, most=MOST_RERANKED,
    )  # fmt: skip
    rerank_weight: float | None = _option(
        "What the scorer's opinion of a whole answer counts.", least=0, most=10
    )
    novelty: float | None = _option(
        "What it costs to say a new word, one that the text has in no form, method linked.",
        least=0, most=100,
    )  # fmt: skip
    style: str | None = _option("Whose way to write: a style that the model has.")
    tell_length: bool | None = _option(
        "Tell the model how long the summary is to be; without, it is as long as it is usual."
    )
    extract: bool | None = _option("Only the text's own words, in their order, method linked.")
    required: tuple[str, ...] = _words(
        "Words or phrases every summary must contain; telecom* is any word that begins so.",
        MOST_REQUIRED,
    )
    forbidden: tuple[str, ...] = _words(
        "Words or phrases no summary may contain; telecom* is any word that begins so.",
        MOST_FORBIDDEN,
    )
    faithful: bool | None = _option("Only words of the text, and function words.")
    tidy: bool | None = _option(
        "No dangling end, no content word twice, no half numbers; by default where the method can."
    )
    case: Case | None = _option(
        "How the summary is capitalised, where the text is not left as it is."
    )
    sentences: Sentences | None = _option(
        "Of several sentences, tell the one that the text is about, the first, or all as one."
    )
    alternatives: int | None = _option(
        "How many different summaries, best first.", least=1, most=MOST_ALTERNATIVES
    )
    rewrite: Rewrite | None = _option(
        "Whether a text that fits, or does once trimmed, is left as it is."
    )
    fallback: Fallback | None = _option(
        "What to do where the model cannot be trusted: say the text's beginning, or fail."
    )
    min_confidence: float | None = _option(
        "How sure the model must be; below, the fallback.", least=0, most=1
    )

    def __post_init__(self) -> None:
        for each in fields(Options):
            value = getattr(self, each.name)
            if "most_words" in each.metadata:
                object.__setattr__(self, each.name, _as_words(each, value))
            elif value is not None:
                object.__setattr__(self, each.name, _checked(each, value))
        unwanted = [Phrase.of(each) for each in self.forbidden]
        for word in self.required:
            keys = Phrase.of(word, UNKNOWN_WORDS).words
            unsaid = not (UNKNOWN_WORDS | NEVER_SAID).isdisjoint(keys)
            if unsaid or any(each.found(keys) is not None for each in unwanted):
                raise InvalidOption(
                    "required", f"required word {word!r} is also forbidden, or never said"
                )

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Options from names and values, or InvalidOption that names the one that is unknown."""
        known = [each.name for each in fields(Options)]
        for name in given:
            if name not in known:
                raise InvalidOption(name, f"unknown option {name!r}; known: {', '.join(known)}")
        return cls(**{name: value for name, value in given.items() if value is not None})

    def settled(self, generation: Options) -> Settled:
        """What is asked for, and for what is not, what the model's folder says of generation."""
        return Settled(**{**generation.said_for(self.style), **_given(self)})

    def said_for(self, style: str | None) -> dict[str, Any]:
        """What is said here where that style is asked for."""
        return _given(self)


@dataclass(frozen=True, kw_only=True)
class Generation(Options):
    """What a model's folder says; for some styles, what is to be otherwise."""

    styles: Mapping[str, Options] = field(default_factory=dict)

    def said_for(self, style: str | None) -> dict[str, Any]:
        other = self.styles.get(style or self.style or "")
        return {**_given(self), **({} if other is None else _given(other))}


@dataclass(frozen=True, kw_only=True)
class Settled(Options):
    """Options that leave nothing open (but a floor); the defaults are those of the package."""

    method: str = "coherent"
    fill: float = 0.88
    coherence: float = 0.2
    adjacency: float = 0.0
    bucket: int = 4
    expected_words: float = 2.0
    expected_pairs: float = 3.0
    rerank: int = 0
    rerank_weight: float = 0.5
    novelty: float = 0.0
    style: str | None = None
    tell_length: bool = True
    extract: bool = False
    faithful: bool = False
    tidy: bool | None = None
    case: Case = "sentence"
    sentences: Sentences = "best"
    alternatives: int = 1
    rewrite: Rewrite = "needed"
    fallback: Fallback = "lead"
    min_confidence: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, asked, able in (
            ("alternatives", self.alternatives > 1, lambda other: other.ranks),
            ("required", bool(self.required), lambda other: other.keeps_rules),
            ("extract", self.extract, lambda other: "links" in other.needs),
        ):
            if asked and not able(decoder(self.method)):
                others = [each for each in methods() if able(decoder(each))]
                raise InvalidOption(
                    name, f"{name} needs method {' or '.join(others)}, not {self.method}"
                )

    def settled(self, generation: Options) -> Settled:
        """Nothing is open any more."""
        return self

    def check_against(self, budget: Budget) -> None:
        """InvalidOption if nothing within the budget could be as it is asked for."""
        if self.at_least is not None and self.at_least > budget.amount:
            raise InvalidOption(
                "at_least", f"at_least = {self.at_least:g} is more than the budget of {budget}"
            )

    @property
    def is_tidy(self) -> bool:
        """No dangling end, no content word twice: unless told, where the method can see to it."""
        return decoder(self.method).keeps_rules if self.tidy is None else self.tidy


def generation(folder: Path, config: Mapping[str, Any]) -> Generation:
    """What a model's folder says in its config.json; what is no option of ours is passed over."""
    usual = {"method": "linked"} if config["shape"].get("slots") else {}
    said = {**usual, **config.get("generation", {})}
    try:
        styles = {
            name: Options.of(_known(its)) for name, its in dict(said.get("styles", {})).items()
        }
        options = Generation(**_known(said), styles=styles)
        for style in (None, *styles):  # for what it asks of a method that cannot
            Options(style=style).settled(options)
    except (InvalidOption, TypeError, ValueError) as error:
        raise BadModel(f"{folder / 'config.json'}: generation: {error}") from error
    return options


def _known(said: Mapping[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(Options)}
    return {name: value for name, value in dict(said).items() if name in names}


CHOICES: dict[str, Any] = {
    "method": methods,
    "case": lambda: CASES,
    "sentences": lambda: get_args(Sentences),
    "rewrite": lambda: get_args(Rewrite),
    "fallback": lambda: get_args(Fallback),
}
"""Options that are one of a few words, and which."""


def _given(options: Options) -> dict[str, Any]:
    values = {each.name: getattr(options, each.name) for each in fields(Options)}
    return {name: value for name, value in values.items() if value not in (None, ())}


def _checked(option: Field[Any], value: Any) -> Any:
    name = option.name
    if name in CHOICES:
        known = CHOICES[name]()
        if value not in known:
            raise InvalidOption(name, f"unknown {name} {value!r}; known: {', '.join(known)}")
        return value
    kinds = {"bool | None": (bool, "True or False"), "str | None": (str, "a name")}
    if option.type in kinds:
        kind, what = kinds[str(option.type)]
        if not isinstance(value, kind):
            raise InvalidOption(name, f"{name} = {value!r} must be {what}")
        return value
    return _number(option, value)


def _number(option: Field[Any], value: Any) -> Any:
    """As one of Python's own: for another kind kernels are compiled anew, if they can be."""
    name, least, most = option.name, option.metadata["least"], option.metadata["most"]
    kind, own = (Integral, int) if option.type == "int | None" else (Real, float)
    good = isinstance(value, kind) and not isinstance(value, bool)
    highest = math.inf if most is None else most
    if not good or not least <= value <= highest or value == math.inf:
        what = "a whole number" if own is int else "a number"
        limits = f"of at least {least}" if most is None else f"between {least} and {most}"
        raise InvalidOption(name, f"{name} = {value!r} must be {what} {limits}")
    return own(value)


def _as_words(option: Field[Any], value: Any) -> tuple[str, ...]:
    name, most = option.name, option.metadata["most_words"]
    words = (value,) if isinstance(value, str) else value
    words = tuple(words) if isinstance(words, Iterable) else (None,)
    if not all(isinstance(word, str) for word in words):
        raise InvalidOption(name, f"{name} = {value!r} must be a word or a list of words")
    if len(words) > most:
        raise InvalidOption(name, f"{len(words)} {name} words; at most {most} can be {name}")
    if any(len(word) > LONGEST_PHRASE for word in words):
        raise InvalidOption(name, f"a {name} word has more than {LONGEST_PHRASE} characters")
    if not all(Phrase.of(word).words for word in words):
        raise InvalidOption(name, f"{name} = {value!r} holds an empty word")
    return words
