"""What every measure of length promises to a decoder, and to the reader of the finished string.

A decoder works in whole numbers: each piece has a weight, and the weights of the chosen pieces
must stay within the room. A reader sees one string, with one length. A measure ties the two.

A *piece* is a word as it stands inside a string: with its leading space if it takes one
(" word"), without if it does not (",", "'s"). A finished string has no leading space, so the
first piece must be one that starts with a space, and that space is dropped: the room for the
pieces is the capacity plus the weight of one space (`WeightPlan.room`). Within that room the
finished string fits; only in pixels of a font file it may not, and is measured
(`Budget.overshoot`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput

NEVER = 2**31 - 1
"""The weight of a piece that no budget may hold, e.g. "é" where the budget counts ASCII bytes."""


@dataclass(frozen=True)
class WeightPlan:
    """One way to spend a budget: what pieces weigh, and how much weight there is room for.

    Any answer whose pieces weigh no more than `room` fits. Where a measure has several plans (an
    SMS in one alphabet or the other), the best answer is the best of the plans' answers.
    """

    room: int
    weigh: Callable[[Sequence[str]], NDArray[np.int64]]


class Measure(ABC):
    """A way to say how long a string is.

    name:       how `UNITS` and error messages call it.
    unit:       how an amount of it is printed: "50 characters".
    fractional: whether an amount may be a fraction (600.5 px).
    """

    name: ClassVar[str]
    unit: ClassVar[str]
    fractional: ClassVar[bool] = False

    def of(self, text: str) -> int | float:
        """The length of a finished string, in the user's unit."""
        if not isinstance(text, str):
            raise InvalidInput(f"a length is that of a string, not of {text!r}")
        refuse_surrogates(text)
        return self._length(text)

    def weights(self, pieces: Sequence[str]) -> NDArray[np.int64]:
        """The weight of each piece in the decoder's units; NEVER for what cannot be measured.

        The piece " " stands for the leading space that the finished string does not have.
        """
        weights = np.empty(len(pieces), dtype=np.int64)
        for i, piece in enumerate(pieces):
            refuse_surrogates(piece)
            try:
                weights[i] = self._weight(piece)
            except InvalidInput:
                weights[i] = NEVER
        return weights

    def capacity(self, amount: int | float) -> int:
        """A budget's amount in the decoder's units, rounded down."""
        return int(amount)

    def plans(self, amount: int | float) -> tuple[WeightPlan, ...]:
        """The ways to spend `amount`; all but SMS have one, which allows every piece."""
        return (WeightPlan(self.capacity(amount) + int(self.weights([" "])[0]), self.weights),)

    @abstractmethod
    def _length(self, text: str) -> int | float:
        """The length of a text without surrogates; InvalidInput if it has none."""

    def _weight(self, piece: str) -> int:
        """The weight of one piece.

        The leading space is weighed apart from its word, because a mark at the head of the word
        may hide in the space's grapheme, yet counts when the space is dropped.
        """
        if piece.startswith(" "):
            return int(self._length(" ")) + int(self._length(piece[1:]))
        return int(self._length(piece))

    def __str__(self) -> str:
        """What follows the amount in a budget written out: "bytes", "px Roboto 16"."""
        return self.unit


def refuse_surrogates(text: str) -> None:
    """Lone surrogates are halves of characters: no string to be shown or sent may hold one."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{text!r} holds a lone surrogate at position {error.start}; "
            "decode the text with errors='replace' first"
        ) from None
