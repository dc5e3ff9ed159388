"""What a search is asked for, refused where it is said if it cannot be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from nacc.errors import InvalidInput

SearchMethod = Literal["ascent", "climb"]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How much to keep, and how to look for it.

    words:      how many words to keep.
    max_length: or how many characters, spaces included.
    method:     "ascent" (dynamic programming and steepest ascent) or "climb" (as published).
    seed:       what climbing draws by, together with the sentence's number.
    starts:     the share of the published number of starts that climbing takes.
    """

    words: int | None = None
    max_length: int | None = None
    method: SearchMethod = "ascent"
    seed: int = 0
    starts: float = 1.0

    def __post_init__(self) -> None:
        if (self.words is None) == (self.max_length is None):
            raise InvalidInput("say either words or max_length")
        asked = self.max_length if self.words is None else self.words
        if asked is None or asked < 1:
            raise InvalidInput(f"{asked} words or characters: say at least 1")
        methods = get_args(SearchMethod)
        if self.method not in methods:
            raise InvalidInput(f"unknown method {self.method!r}; known: {', '.join(methods)}")
