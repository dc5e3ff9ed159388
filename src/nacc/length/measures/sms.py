"""Text messages: how many segments a text takes, in the GSM 7-bit alphabet or in UCS-2.

One character outside the GSM alphabet makes the whole message UCS-2, which halves its length; so
a budget has two plans, one without such characters and one with any.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from nacc.errors import InvalidInput
from nacc.length.measures.measure import Measure, WeightPlan

# 3GPP TS 23.038, section 6.2.1: the default alphabet, and its extension table.
GSM_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
GSM_EXTENSION = frozenset("\f^{}\\[~]|€")
_GSM = GSM_BASIC | GSM_EXTENSION


@dataclass(frozen=True)
class _Alphabet(Measure):
    """Code units of a message: `alone` of them in a single message, `joined` in each of several.

    A character of two units (an escape pair, a surrogate pair) is never split between segments,
    so each segment but the last may have to leave one unit unused.
    """

    alone: ClassVar[int]
    joined: ClassVar[int]

    def segments(self, text: str) -> int:
        units = int(self.of(text))
        if units <= self.alone:
            return 1 if text else 0
        if units == len(text):
            return -(-units // self.joined)
        segments = begin = 0
        while begin < len(text):
            part = text[begin : begin + self.joined]
            while (over := self._units(part) - self.joined) > 0:
                part = part[: len(part) - (over + 1) // 2]  # of which each takes two at most
            segments, begin = segments + 1, begin + len(part)
        return segments

    def capacity(self, amount: int | float) -> int:
        """Units that are sure to fit into `amount` segments."""
        count = int(amount)
        return count * self.alone if count <= 1 else count * self.joined - (count - 1)

    def _length(self, text: str) -> int:
        return self._units(text)

    @abstractmethod
    def _units(self, text: str) -> int:
        """The code units of all characters: one each, or two."""


@dataclass(frozen=True)
class _Gsm7(_Alphabet):
    name: ClassVar[str] = "GSM-7 septets"
    unit: ClassVar[str] = "septets"
    alone: ClassVar[int] = 160
    joined: ClassVar[int] = 153

    def _length(self, text: str) -> int:
        if not _GSM.issuperset(text):
            character = next(each for each in text if each not in _GSM)
            raise InvalidInput(f"{character!r} is not in the GSM 7-bit alphabet")
        return self._units(text)

    def _units(self, text: str) -> int:
        return len(text) + sum(map(text.count, GSM_EXTENSION))


@dataclass(frozen=True)
class _Ucs2(_Alphabet):
    name: ClassVar[str] = "UCS-2 units"
    unit: ClassVar[str] = "units"
    alone: ClassVar[int] = 70
    joined: ClassVar[int] = 67

    def _units(self, text: str) -> int:
        return len(text.encode("utf-16-le")) // 2


@dataclass(frozen=True)
class Sms(Measure):
    """Segments of a text message: 160 GSM-7 characters or 70 of any (153 or 67 each from two on).

    `weights` and `capacity` alone speak UCS-2, which is sound for any pieces; the plans also
    offer the longer GSM-7 message.
    """

    name: ClassVar[str] = "sms"
    unit: ClassVar[str] = "sms"

    def capacity(self, amount: int | float) -> int:
        return _Ucs2().capacity(amount)

    def plans(self, amount: int | float) -> tuple[WeightPlan, ...]:
        return (*_Gsm7().plans(amount), *_Ucs2().plans(amount))

    def _length(self, text: str) -> int:
        return (_Gsm7() if _GSM.issuperset(text) else _Ucs2()).segments(text)

    def _weight(self, piece: str) -> int:
        return _Ucs2()._weight(piece)
