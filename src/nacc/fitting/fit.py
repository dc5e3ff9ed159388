"""From one sentence's lattice to a finished string within a budget.

The promise is on the finished string. Weights make it hold for most measures by themselves; where
they cannot (kerning, capitals, shaping), the string is measured and decoded again in less room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, cast

import numpy as np

from nacc.decoding import Decoded, decode
from nacc.decoding.constraints import MOST_REQUIRED
from nacc.decoding.front_door import Question
from nacc.decoding.how import How
from nacc.errors import BudgetTooSmall, Unsayable, Untrusted
from nacc.fitting.confidence import Signs
from nacc.fitting.finish import as_summary, finished
from nacc.fitting.reading import Reading
from nacc.fitting.reranking import Ranked, compared, ranked
from nacc.fitting.room import Room
from nacc.fitting.rules import (
    forbidden,
    governed_words,
    governors,
)
from nacc.fitting.task import Task
from nacc.fitting.too_small import too_small
from nacc.length.budget import Budget
from nacc.length.lead import cut
from nacc.length.measures import NEVER, WeightPlan
from nacc.options import Settled
from nacc.summary import Summary
from nacc.text.surface import finish

LISTED, MOST_LISTED = 20, 40
"""How many answers of linked slots are looked through for one that keeps all rules, at most."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A summary and its path: the decoder's answer, among which words, which of them refused, and
    what its confidence comes from, where slots are linked."""

    summary: Summary
    answer: Decoded
    reading: Reading
    refused: frozenset[int]
    signs: Signs | None = None


def fit(reading: Reading, budget: Budget, options: Settled) -> list[Summary]:
    """The best summaries within the budget, as many as asked for (`alternatives`), best first; at
    least one, or BudgetTooSmall."""
    fitting = Fitting.of(reading, budget, options)
    if not fitting.decoder.whole_words:
        return [fitting.cut()]
    return [fitted.summary for fitted in fitting.paths()]


def paths(reading: Reading, budget: Budget, options: Settled) -> list[Fitted]:
    """`fit`, with the paths that the summaries came from."""
    return Fitting.of(reading, budget, options).paths()


class Fitting(Task):
    """One reading on its way into one budget."""

    def paths(self) -> list[Fitted]:
        """The best answers of all the ways to spend the budget."""
        found: dict[str, Fitted] = {}
        doubt: str | None = None  # not the error, which keeps all that its frames have seen
        for plan in self._plans():
            try:
                fitting = self._decode_within(plan)
            except Untrusted as error:
                doubt = doubt or str(error)
                continue
            for fitted in fitting:
                kept = found.get(fitted.summary.text)
                if kept is None or fitted.summary.score > kept.summary.score:
                    found[fitted.summary.text] = fitted
        best_first = sorted(found.values(), key=lambda fitted: -fitted.summary.score)
        others = [fitted for fitted in best_first[1:] if fitted.summary.text]
        best = [*best_first[:1], *others][: self.options.alternatives]
        if not best or (not best[0].summary.text and self.decoder.keeps_rules):
            raise Untrusted(doubt) if doubt else too_small(self)
        return best

    def _plans(self) -> Sequence[WeightPlan]:
        """The ways to spend the budget; others than the first are for words that it cannot say."""
        first, *others = self.budget.plans()
        if not others:
            return [first]
        said = [piece for i, piece in enumerate(self.pieces) if i not in self.refused]
        return [first] if (first.weigh(said) < NEVER).all() else [first, *others]

    def sound(self, n: int) -> list[Summary]:
        """Those of the n best answers that keep all rules, in the decoder's own order: what there
        is to choose from."""
        plan, *_ = self._plans()
        room = Room.of(plan, self.pieces, self.reading.word_lattice.lattice, coarsely=False)
        answers = self._decode(room, self.refused, n, None)
        kept = [one for one in answers if one.tokens and not (self.broken(one) or self.turned(one))]
        found = [finished(self.reading, self.budget, self.options, self.forms, a) for a in kept]
        return [one for one in found if self.budget.fits(one.text)]

    def cut(self) -> Summary:
        """The paper's baseline: the unconstrained output, cut at the budget, even inside a word."""
        ones = np.ones(len(self.forms), dtype=np.int64)
        unmeasured = np.flatnonzero(self.budget.measure.weights(self.forms) >= NEVER)
        refused = forbidden(self.reading, self.options).union(unmeasured.tolist())
        lattice = self.reading.word_lattice.lattice.without(refused)
        answer = decode(lattice, ones, lattice.slots, method=self.options.method)
        words = [self.forms[i] for i in answer.tokens]
        text, _ = finish(words, self.reading.sentence, self.options.case)
        made = as_summary(cut(text, self.budget), self.budget, self.options.method, ())
        return replace(made, score=answer.score, truncated_input=self.reading.truncated)

    def _decode_within(self, plan: WeightPlan) -> list[Fitted]:
        """Decode within a plan's room; again in less where the string came out too long."""
        wanted = self.options.alternatives
        n = asked = max(wanted, compared(self.reading, self.options))
        most = max(8 * wanted, MOST_LISTED if self.linked else 0)
        lattice = self.reading.word_lattice.lattice
        room = Room.of(plan, self.pieces, lattice, coarsely=self.decoder.keeps_rules)
        governs = self.linked and n > 1
        struck: set[int] = set()
        governor: int | None = None  # of words that would say something else without it
        needed = {self.reading.ids[word] for each in self.required for word in each}
        least = max(1, int(room.weights[list(needed)].sum()))
        while room.size >= least:
            answers = self._decode(room, self.refused | struck, asked, governor)
            if room.unit > 1 and not (struck or any(answer.tokens for answer in answers)):
                room = replace(room, unit=1)  # rounding may leave no room for what just fits
                continue
            broken = self.broken(answers[0]) - struck if answers else set()
            able = (one for one in answers if one.tokens or not struck)
            whole = [answer for answer in able if not self.broken(answer)]
            best: list[Ranked] = []
            if asked == n and whole and whole[0] is answers[0]:
                best = self._first_sound(whole, wanted)
            if len(best) < wanted:
                kept = (one for one in whole if not self.turned(one))
                sound = list(islice(kept, max(n, wanted)))  # more are not looked at
                more = len(answers) == asked < most
                if len(sound) < wanted and more and (self.decoder.ranks or not broken):
                    asked = LISTED if self.linked and asked < LISTED else most
                    continue
                if broken and not whole:
                    struck |= broken
                    continue
                turning = governor is not None or struck & self._governed
                if not sound and (whole or turning):
                    governor, struck = self._mended(whole, governor, struck)
                    continue
                if governs and governor is None and sound and sound[0] is not answers[0]:
                    sound = self._or_governed(sound, answers[0], room, self.refused | struck, n)
                best = ranked(self.reading, self.options, sound[:n])[:wanted]
            proven = answers[0] if answers and not struck else None
            made = [self._fitted(one, one.answer is proven, struck | broken) for one in best]
            over = max((self.budget.overshoot(one.summary.text) for one in made), default=0)
            if not over:
                return made
            room = replace(room, size=room.size - -(-over // room.unit) * room.unit)
        return []

    def _first_sound(self, answers: list[Decoded], wanted: int) -> list[Ranked]:
        """The first by rank that do not turn the text round, where the decoder's own first does
        not: most answers need not be asked then, and to ask takes as long as to decode."""
        if self.turned(answers[0]):
            return []
        order = ranked(self.reading, self.options, answers)
        sound = (r for r in order if r.answer is answers[0] or not self.turned(r.answer))
        return list(islice(sound, wanted))

    def _or_governed(
        self, sound: list[Decoded], turned: Decoded, room: Room, refused: set[int], n: int
    ) -> list[Decoded]:
        """The answers, and those that say what governs the words of a better one."""
        found = governors(self.reading, turned)
        if not found or len(self.required) >= MOST_REQUIRED:
            return sound
        others = self._decode(room, refused, n, found[0])
        kept = [one for one in others if not (self.broken(one) or self.turned(one))]
        every = {answer.tokens: answer for answer in (*kept, *sound)}
        return sorted(every.values(), key=lambda answer: -answer.score)

    def _fitted(self, one: Ranked, first: bool, struck: set[int]) -> Fitted:
        answer, reading = one.answer, self.reading
        said = finished(reading, self.budget, self.options, self.forms, answer)
        signs = Signs(answer.expected, len(answer.tokens), one.log_p) if self.linked else None
        sure = reading.calibration(signs) if reading.calibration and signs else None
        summary = replace(said, score=one.value, confidence=sure, proven=first and answer.optimal)
        refused = (self.refused | struck).difference(answer.tokens)
        return Fitted(summary, answer, reading, frozenset(refused), signs)

    def _mended(
        self, whole: Sequence[Decoded], governor: int | None, struck: set[int]
    ) -> tuple[int | None, set[int]]:
        """What to do where every answer turns the text round: have what governs its words said
        with them; or, where that was of no use, strike them out; or trust none."""
        found = governors(self.reading, whole[0]) if whole else []
        room = len(self.required) < MOST_REQUIRED
        if found and governor is None and not struck and room:
            return found[0], struck
        turning = self._governed - struck
        if not turning:
            what = (whole and self.turned(whole[0])) or "nothing else can be said"
            raise Untrusted(f"what the model says of it would be false: {what}")
        return None, struck | turning

    @cached_property
    def _governed(self) -> set[int]:
        return governed_words(self.reading, self.options)

    def _decode(self, room: Room, refused: set[int], n: int, governor: int | None) -> list[Decoded]:
        """The n best answers within a room, with that word if one is given; none if none fit."""
        try:
            question = self._question(room, frozenset(refused), governor)
            answers = question.ranked(n) if n > 1 else [question.best()]
        except (BudgetTooSmall, Unsayable):
            return []
        if room.unit > 1:  # rounding may have kept a better one out
            return [replace(answer, exact=False, optimal=False) for answer in answers]
        return answers

    def _question(self, room: Room, refused: frozenset[int], governor: int | None) -> Question:
        """What the decoder is asked; the last one is kept, for more answers are asked of it."""
        asked = (room, refused, governor)
        if asked not in self._asked:
            weights, low, high = room.counted(self.floor(room))
            options = self.options
            how: dict[str, Any] = {"method": options.method, "bucket": options.bucket}
            how |= self.rules()
            if governor is not None:
                how["required"] = [governor]
            lattice = self.reading.word_lattice.lattice.without(refused)
            question = Question.of(lattice, weights, high, low, cast("How", how))
            self._asked.clear()
            self._asked[asked] = question
        return self._asked[asked]

    @cached_property
    def _asked(self) -> dict[tuple[Room, frozenset[int], int | None], Question]:
        return {}
