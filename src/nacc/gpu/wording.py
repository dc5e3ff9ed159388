"""Answers in words: whether they keep the rules, and what they read like."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from nacc.decoding.linked_parts import Lead
from nacc.fitting.chain import whole_instead
from nacc.fitting.confidence import Signs
from nacc.fitting.finish import spelled
from nacc.fitting.reading import Prompt, dangles, nearest
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.summarizer import Summarizer
from nacc.summary import Summary
from nacc.text.aliases import stands_for
from nacc.text.licence import unlicensed
from nacc.text.meaning import violates, violations
from nacc.text.numbers import half_numbers
from nacc.text.stem import base
from nacc.text.surface import written


class Said(NamedTuple):
    """An answer in words: their keys, where in the source each stands (None: nowhere), how they are
    written; its score, and its expected share."""

    prompt: Prompt
    keys: list[str]
    places: list[int | None]
    forms: list[str]
    score: float
    expected: float


class Wording:
    """For one summarizer, one budget and one set of options."""

    def __init__(self, summarizer: Summarizer, budget: Budget, options: Settled) -> None:
        self._budget, self._options = budget, options
        self._calibration, engine = summarizer.calibration, summarizer.engine
        self._vocabulary, self._each = engine.encoder.vocabulary, engine.slots
        self._spellings = engine.spellings

    def __call__(self, prompt: Prompt, answer: Lead) -> Said:
        """An answer, its words as symbols, in words."""
        keys, vocabulary, size = prompt.sentence.keys, self._vocabulary, len(self._vocabulary)
        said = [vocabulary[s] if s < size else keys[s - size] for s in answer.tokens]
        places = [
            nearest(keys, word, slot // self._each)
            for word, slot in zip(said, answer.starts, strict=True)
        ]
        forms = written(said, prompt.sentence, self._spellings, self._options.case)
        return Said(prompt, said, places, forms, answer.score, answer.expected)

    def sound(self, answers: Sequence[Said]) -> list[bool]:
        """Which of some answers have no names, numbers or meaning that are not their sources'."""
        if not self._options.is_tidy:
            return [True] * len(answers)
        licensed = list(map(self._is_licensed, answers))
        asked = [(one.prompt.sentence, one.forms) for one in compress(answers, licensed)]
        faults = iter(violations(asked))
        return [able and next(faults) is None for able in licensed]

    def is_sound(self, one: Said) -> bool:
        """As `sound`; what is wrong is kept with the source, of which other answers are asked."""
        return not (self._options.is_tidy and self._breaks_rules(one))

    def _breaks_rules(self, one: Said) -> bool:
        return not self._is_licensed(one) or violates(one.prompt.sentence, one.forms) is not None

    def summary(self, one: Said) -> Summary | None:
        """What an answer reads like; None if it is too long, or not sure enough to be told, by
        itself or beside a whole sentence."""
        options, calibration = self._options, self._calibration
        sure = None if calibration is None else calibration(Signs(one.expected, len(one.keys)))
        if sure is not None:
            instead = whole_instead(one.prompt.text, sure, self._budget, options)
            if sure < options.min_confidence or instead:
                return None
        summary = spelled(
            one.prompt, self._budget, options, one.forms, one.keys, one.places, one.score, sure
        )
        return None if self._budget.overshoot(summary.text) else summary

    def _is_licensed(self, one: Said) -> bool:
        """Whether all names and numbers are the source's, and some word that says something."""
        source = one.prompt.sentence
        new = [word for word, place in zip(one.keys, one.places, strict=True) if place is None]
        return not (
            (_is_made_up(one) and not self._options.required)
            or unlicensed([self._spellings.get(word, word) for word in new], source)
            or half_numbers(one.keys, source.keys, one.places.__getitem__)
        )


def _is_made_up(one: Said) -> bool:
    """Whether no word that says something is the source's in any form."""
    said = [(w, p) for w, p in zip(one.keys, one.places, strict=True) if not dangles(w)]
    source = one.prompt.sentence
    own = any(p is not None or base(w) in source.bases for w, p in said)
    return not (own or any(stands_for(w, source.keys) for w, _ in said))
