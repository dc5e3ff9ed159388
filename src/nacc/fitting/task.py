"""What is asked of one reading: its words as they are written and weighed, and the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from nacc.deadline import check
from nacc.decoding import Coherence, Decoded
from nacc.decoding.registry import Decoder, decoder
from nacc.fitting.reading import Reading
from nacc.fitting.room import Room
from nacc.fitting.rules import (
    broken_numbers,
    forbidden,
    forbidden_ends,
    forbidden_rows,
    in_source_order,
    invented,
    made_up,
    required_phrases,
    with_novelty,
    with_required,
)
from nacc.length.budget import Budget
from nacc.length.measures import NEVER
from nacc.options import Settled
from nacc.text.meaning import violates
from nacc.text.phrases import Phrase
from nacc.text.surface import pieces, written

NATURAL = 0.5
"""A floor never asks for more than this share of the source: short texts need not fill it."""


@dataclass(frozen=True, eq=False)
class Task:
    """One reading, one budget, and what is asked for."""

    reading: Reading
    budget: Budget
    options: Settled

    @classmethod
    def of(cls, reading: Reading, budget: Budget, options: Settled) -> Self:
        """InvalidOption if what is asked for is at odds with the text or the budget."""
        options.check_against(budget)
        return cls(with_novelty(with_required(reading, options), options), budget, options)

    @cached_property
    def decoder(self) -> Decoder:
        return decoder(self.options.method)

    @cached_property
    def forms(self) -> list[str]:
        """How each of the lattice's words is written."""
        keys, sentence = self.reading.word_lattice.keys, self.reading.sentence
        return written(keys, sentence, self.reading.spellings, self.options.case)

    @cached_property
    def pieces(self) -> list[str]:
        """The same as they stand inside a string, which is what plans weigh."""
        return pieces(self.forms, self.reading.sentence)

    @cached_property
    def required(self) -> list[tuple[str, ...]]:
        """What must be said."""
        return required_phrases(self.reading, self.options)

    @property
    def linked(self) -> bool:
        """Linked slots give twenty answers at the price of one: rules that the decoder does not
        know are kept by taking the next best. Others pay for each, so words are struck out."""
        return "links" in self.decoder.needs

    @cached_property
    def refused(self) -> set[int]:
        found = forbidden(self.reading, self.options)
        true = self.linked and self.options.is_tidy
        return found | invented(self.reading, self.options) if true else found

    def broken(self, answer: Decoded) -> set[int]:
        """Words that an answer should not say where it does."""
        found = broken_numbers(self.reading, self.options, answer)
        found |= made_up(self.reading, self.options, answer)
        rows = self._rows
        return found | forbidden_ends(self.reading, rows, answer) if rows else found

    @cached_property
    def _rows(self) -> list[Phrase]:
        return forbidden_rows(self.reading, self.options)

    def turned(self, answer: Decoded) -> str | None:
        """How the answer says something else than the text, if it does."""
        if not (self.linked and self.options.is_tidy):
            return None
        check()
        return violates(self.reading.sentence, [self.forms[i] for i in answer.tokens])

    def rules(self) -> dict[str, Any]:
        """What the decoder is told beyond the weights."""
        reading, options = self.reading, self.options
        rules: dict[str, Any] = {}
        if self.decoder.keeps_rules:
            rules["phrases"] = [[reading.ids[word] for word in each] for each in self.required]
        if options.is_tidy:
            rules |= {"no_dangling": reading.dangling, "once": reading.content}
        if "bigrams" in self.decoder.needs:
            rules["coherence"] = Coherence(
                reading.needed_bigrams,
                reading.bigram_ids,
                options.coherence,
                adjacent=reading.adjacent,
                adjacency=options.adjacency,
            )
        if self.linked:
            from nacc.decoding.expected import Expected

            rules["expected"] = Expected(options.expected_words, options.expected_pairs)
            if options.extract:
                rules["in_order"] = in_source_order(reading)
        return rules

    def floor(self, room: Room) -> int:
        """The least weight accepted: what the caller asked for, or a well-filled budget."""
        options, ids = self.options, self.reading.ids
        known = [room.weights[ids[w]] for w in self.reading.sentence.keys if w in ids]
        source = int(sum(w for w in known if w < NEVER))
        floor = least_weight(options, self.budget, room.size, source)
        # An empty answer is none; the paper's own methods may give it, for it may be their best
        # path. One unit is the least that is not the empty string.
        says_something = options.is_tidy or self.decoder.keeps_rules
        return min(room.size, max(floor, 1 if says_something else 0))


def least_weight(options: Settled, budget: Budget, size: int, source: int) -> int:
    """What an answer should weigh in a room of this size: what the caller asked for, or enough to
    fill it well; source: what its text's words weigh."""
    space = int(budget.measure.weights([" "])[0])
    if options.at_least is not None:
        return budget.measure.capacity(options.at_least) + space if options.at_least else 0
    return int(min(options.fill * (size - space), NATURAL * source)) + space
