"""What a budget makes of candidates, on the device: weights, floors, what may end and come once.

What depends on a word alone is worked out once for the whole output vocabulary; what depends on the
source, the workers send along for each of its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import triton
from numpy.typing import NDArray
from torch import Tensor

from nacc.errors import InvalidInput, InvalidOption
from nacc.fitting.reading import dangles
from nacc.fitting.task import NATURAL
from nacc.gpu.kernels.judge import judge
from nacc.gpu.lattices import MAY_END, ONCE, Lattices
from nacc.gpu.network import Outputs
from nacc.length.budget import Budget
from nacc.length.measures import WeightPlan
from nacc.options import Settled
from nacc.text.punctuation import NEVER_SAID
from nacc.text.stem import base
from nacc.text.surface import piece
from nacc.text.words import UNKNOWN_WORDS, Sentence, Style

NOT_SAID = 4  # a flag beside MAY_END and ONCE
BLOCK = 64  # candidates that are judged at a time
MOST_ROOM = 511
"""The widest budget, in its measure's units, that is decoded on a device."""
FIELDS = ("places", "symbols", "weights", "flags", "bases")
"""What is known of each word of a source: where its first piece stands, its symbol, its weight in
this budget, its flags, and the number of its base form."""
STYLES: tuple[Style, ...] = ("written", "tokenized")
Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Source:
    """The sources of a batch on the device: the FIELDS (B, S), then `length` and `style` (B,)."""

    pieces: Tensor
    places: Tensor
    symbols: Tensor
    weights: Tensor
    flags: Tensor
    bases: Tensor
    length: Tensor
    style: Tensor

    @classmethod
    def of(cls, packed: Tensor, words: int) -> Source:
        """From rows as a worker packs them: length, style, five times S numbers, pieces."""
        length, style = packed[:, 0], packed[:, 1]
        end = 2 + len(FIELDS) * words
        fields = packed[:, 2:end].reshape(-1, len(FIELDS), words)
        known = {name: fields[:, i] for i, name in enumerate(FIELDS)}
        return cls(packed[:, end:], **known, length=length, style=style)


class Lexicon:
    """The output vocabulary as numbers: flags and bases, and weights for each style of text."""

    def __init__(self, keys: Sequence[str], spellings: Mapping[str, str]) -> None:
        self.keys = keys
        self.spellings = spellings
        found = [base(word) for word in keys]
        self._bases = {each: number for number, each in enumerate(dict.fromkeys(found))}
        self.bases = np.array([self._bases[each] for each in found], np.int32)
        self.flags = np.array([flags_of(word, own=False) for word in keys], np.int32)

    def base(self, word: str) -> int:
        """The number of the word's base form; −1 if no word of the vocabulary has it."""
        return self._bases.get(base(word), -1)

    def weights(self, plan: WeightPlan) -> Numbers:
        """(2, V) by style; more than any room where a word cannot be measured."""
        forms = [self.spellings.get(word, word) for word in self.keys]
        found = []
        for style in STYLES:
            like = Sentence((), ("",), style)
            said = self.keys if style == "tokenized" else forms
            found.append(light(plan.weigh([piece(form, like) for form in said])))
        return np.stack(found)


def flags_of(word: str, *, own: bool) -> int:
    """MAY_END, ONCE and NOT_SAID of a word; own: the source says it."""
    content = not dangles(word)
    lone = not own and len(word) == 1 and word.isalpha()
    unsaid = word in UNKNOWN_WORDS or word in NEVER_SAID
    return MAY_END * (content and not lone) + ONCE * content + NOT_SAID * unsaid


def light(weights: NDArray[np.int64]) -> Numbers:
    """Weights that fit 32 bits; what is too heavy for any room stays so."""
    return np.minimum(weights, 2 * MOST_ROOM).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Judge:
    """A budget and options, ready to be laid on lattices."""

    plan: WeightPlan
    options: Settled
    space: int
    floor: float | None
    weights: Tensor
    flags: Tensor
    bases: Tensor

    @classmethod
    def of(cls, lexicon: Lexicon, budget: Budget, options: Settled, device: torch.device) -> Judge:
        plans = budget.plans()
        if len(plans) != 1 or plans[0].room > MOST_ROOM:
            raise InvalidInput(f"{budget} cannot be decoded on a GPU: use a Summarizer")
        _check(options)
        space = int(budget.measure.weights([" "])[0])
        floor = None
        if options.at_least is not None:
            floor = budget.measure.capacity(options.at_least) + space if options.at_least else 0
        tables = (lexicon.weights(plans[0]), lexicon.flags, lexicon.bases)
        moved = (torch.from_numpy(table).to(device) for table in tables)
        return cls(plans[0], options, space, floor, *moved)

    def lattices(self, raw: Outputs, source: Source, slots: int) -> Lattices:
        """The lattices as they are decoded; slots: of every word."""
        B, U, columns = raw.words.shape
        K, room = columns - 1, self.plan.room
        whole, real = raw.words.new_empty, raw.values.new_empty
        words, weights, flags = (whole((B, U, K)) for _ in range(3))
        values, seen = real((B, U, K)), whole(B)
        judge[(B,)](
            raw.words, raw.values, source.symbols, source.weights, source.flags, source.bases,
            source.length, source.style, self.weights, self.flags, self.bases,
            words, values, weights, flags, seen,
            source.symbols.stride(0), len(self.flags), self.options.novelty, room, 2 * MOST_ROOM,
            U * K, K, self.options.is_tidy, triton.next_power_of_2(source.symbols.shape[1]),
            BLOCK, num_warps=4,
        )  # fmt: skip
        return Lattices(
            words, values, weights, flags, raw.links, (source.length * slots).contiguous(),
            self._lows(seen), room,
        )  # fmt: skip

    def _lows(self, source: Tensor) -> Tensor:
        """As Fitting's floor, given what the source's own words weigh."""
        room = self.plan.room
        if self.floor is not None:
            floor = torch.full_like(source, int(self.floor))
        else:
            filled = self.options.fill * (room - self.space)
            floor = (NATURAL * source.double()).clamp(max=filled).floor() + self.space
        return floor.clamp(1, room).to(torch.int32).contiguous()


def _check(options: Settled) -> None:
    """InvalidOption where something is asked for that only the CPU does."""
    for name, asked in (
        ("method", options.method != "linked"),
        ("alternatives", options.alternatives > 1),
        *((name, getattr(options, name)) for name in _CPU_ONLY),
    ):
        if asked:
            raise InvalidOption(name, f"{name} is not for a GPU: use a Summarizer")


_CPU_ONLY = ("extract", "faithful", "required", "forbidden")
