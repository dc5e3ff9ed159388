"""Texts, budgets and options that ask for as much work as they can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

MEGABYTE = 1_000_000
WORDS = (
    "apple river stone cloud tiger piano market engine forest silver bridge candle doctor garden "
    "hammer island"
).split()
TEAMS = "Arsenal Chelsea Everton Fulham Leeds Burnley Wolves Derby Millwall Barnsley".split()
NEWS = (
    "The central bank of Norland raised its main interest rate to 4.5 percent on Thursday, the "
    "sixth rise in a year, and its governor, Ada Moen, said that more may follow if wages go on "
    "rising faster than prices in the twelve months to June."
)
SCORES = ", ".join(
    f"{TEAMS[i % 10]} {i % 5} {TEAMS[(3 * i + 1) % 10]} {7 * i % 4}" for i in range(25)
)
LONG = " ".join(
    f"{a}{b}isationalism"
    for a in ("counter", "inter", "trans", "electro", "hyper", "pseudo", "micro", "macro")
    for b in ("revolution", "nation", "institution", "constitution", "organ", "central", "general",
              "commercial", "industrial", "natural")
)  # fmt: skip


def _filled(part: str) -> str:
    return (part * (MEGABYTE // len(part.encode()) + 1))[:MEGABYTE]


TEXTS = {
    "16 words five times": " ".join(WORDS * 5) + ".",
    "16 words five times, numbered": " ".join(f"{w} {i}" for i, w in enumerate(WORDS * 5)) + ".",
    "one word": "buffalo " * 80,
    "two words": "police fish " * 40,
    "football scores": SCORES + ".",
    "80 long words": LONG + ".",
    "numbers": " ".join(str(1000 * i + 7) for i in range(80)),
    "nots": "The minister did not say that she would not refuse to deny " * 6,
    "nobody never": "nobody never denied that neither he nor she failed to refuse without " * 7,
    "questions": "Did he not ask whether they would never deny that she knew why " * 6 + "?",
    "dead and hurt": "Three were killed and four not hurt after police did not shoot five " * 6,
    "news": NEWS,
    "long sentence": NEWS.replace(".", " and") * 3,
    "a megabyte of news": _filled(NEWS + " "),
    "a megabyte of one sentence": _filled(NEWS.replace(".", ",") + " "),
    "a megabyte in one word": "a" * MEGABYTE,
    "a megabyte of commas": _filled("a, "),
    "a megabyte of clauses": _filled("the man, who said that, "),
    "a megabyte of amounts": _filled("$1.5 billion to 30% of 2,000 km, "),
    "a megabyte of apostrophes": _filled("it's he'd've 'tis o'clock rock'n'roll "),
    "a megabyte of names": _filled("Mr. A. B. Smith, 34, of St. Louis, Mo., "),
    "a megabyte of brackets": "(" * (MEGABYTE // 2) + ")" * (MEGABYTE // 2),
    "a megabyte of stops": "." * MEGABYTE,
    "a megabyte of abbreviations": _filled("U.S. "),
    "a megabyte of short sentences": _filled("He won. "),
    "a megabyte of spaces": " " * (MEGABYTE - 8) + "end here",
    "a megabyte of lines": _filled("Sea level up\n"),
    "a megabyte of dashes": _filled("word - word -- "),
    "a megabyte of quotes": _filled("\u201cyes\u201d \u2018no\u2019 \"so\" "),
    "a megabyte of emoji": ("\U0001f469\u200d\U0001f680 " * MEGABYTE)[: MEGABYTE // 3],
    "a megabyte of links": _filled("https://example.org/a?b=c "),
    "a megabyte of digits": "7" * MEGABYTE,
    "a megabyte of flags": "\U0001f1e6" * (MEGABYTE // 4),
    "a megabyte of accents": "e" + "\u0301" * (MEGABYTE // 2 - 1),
    "a megabyte of Chinese": "\u6c49" * (MEGABYTE // 3),
}  # fmt: skip
BUDGETS: tuple[int | str, ...] = (
    5, 30, 140, 280, 2_000, MEGABYTE, "300px", "2000px", "sms", "10 sms", "12 words",
    "60 graphemes", "60 columns",
)  # fmt: skip
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "rewritten": {"rewrite": "always"},
    "extract": {"rewrite": "always", "extract": True},
    "alternatives": {"rewrite": "always", "alternatives": 10},
    "ten extracts": {"rewrite": "always", "extract": True, "alternatives": 10},
    "full": {"rewrite": "always", "fill": 1.0},
    "all sentences": {"rewrite": "always", "sentences": "all", "novelty": 0.0, "rerank": 100},
    "untidy": {"rewrite": "always", "tidy": False},
    "forbidden": {
        "rewrite": "always",
        "forbidden": tuple(f"{a} {b}" for a, b in product(WORDS[:10], WORDS[6:])),
    },
    "required extract": {"rewrite": "always", "required": ("the", "said that"), "extract": True},
    "required": {"rewrite": "always", "required": ("the",)},
    "required phrase": {"rewrite": "always", "required": ("apple river stone", "cloud tiger")},
    "faithful": {"rewrite": "always", "faithful": True, "min_confidence": 0.99},
}


@dataclass(frozen=True)
class Case:
    """One call: which text, in how much, how; `several`: more than one summary is asked for."""

    name: str
    text: str = field(repr=False)
    budget: int | str
    options: Mapping[str, Any] = field(hash=False)

    @property
    def several(self) -> bool:
        return self.options.get("alternatives", 1) > 1


def cases() -> Iterator[Case]:
    """Every text with every budget and every option."""
    for (text, words), budget, (how, options) in product(TEXTS.items(), BUDGETS, OPTIONS.items()):
        yield Case(", ".join(filter(None, (text, str(budget), how))), words, budget, options)
