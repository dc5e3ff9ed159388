"""The decoder's best answers in the order they are told in: its own, or with the scorer's word.

The decoder scores an answer by its best path. With a scorer, the n best answers are compared by
all their paths together, by what the decoder adds for expected words and pairs, by how many words
they keep together that are so in the source, and by what the scorer thinks of each as a whole. Some
forty are scored in one pass, and the others in a second where the best of these is in doubt:
nothing is generated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from nacc.decoding import Decoded
from nacc.decoding.registry import decoder
from nacc.fitting.confidence import Signs
from nacc.fitting.reading import Reading
from nacc.lattice import Lattice
from nacc.options import Settled
from nacc.runtime.scorer import MOST_WORDS
from nacc.text.stem import base

MOST_SCORED = 1200
"""Words that the scorer looks at, of all answers together: some 60 ms."""
FIRST = 40
"""Answers that are compared at any rate; the others take as long again, and are compared …"""
SURE = 0.92
"""… where the best of these is less sure, as most are that another would displace."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """An answer, what it is ranked by, and the scorer's log P a word where it was asked."""

    answer: Decoded
    value: float
    log_p: float | None = None


def compared(reading: Reading, options: Settled) -> int:
    """How many answers the scorer is to compare; 0 where there is no scorer, no choice, or a method
    that does not rank paths over links, whatever the model's folder says for its own."""
    asked = reading.scorer is not None and reading.word_lattice.source is not None
    method = decoder(options.method)
    able = method.ranks and "links" in method.needs
    return options.rerank if asked and able and options.rerank > 1 else 0


def ranked(reading: Reading, options: Settled, answers: Sequence[Decoded]) -> list[Ranked]:
    """The answers, best first; those that the scorer has no time for come last."""
    longest = max((len(answer.tokens) for answer in answers), default=0)
    if not compared(reading, options) or not 0 < longest <= MOST_WORDS:
        return [Ranked(answer, answer.score) for answer in answers]
    ends = accumulate(len(answer.tokens) for answer in answers)
    most = max(1, sum(end <= MOST_SCORED for end in ends))
    first = min(most, max(FIRST, options.alternatives))
    made = _scored(reading, options, answers[:first])
    if first < most and _in_doubt(reading, max(made, key=lambda one: one.value)):
        made += _scored(reading, options, answers[first:most])
    rest = [Ranked(answer, answer.score) for answer in answers[len(made) :]]
    return sorted(made, key=lambda one: -one.value) + rest


def _in_doubt(reading: Reading, best: Ranked) -> bool:
    """Whether an answer is unsure, or nobody can tell."""
    signs = Signs(best.answer.expected, len(best.answer.tokens), best.log_p)
    return reading.calibration is None or reading.calibration(signs) < SURE


def _scored(reading: Reading, options: Settled, answers: Sequence[Decoded]) -> list[Ranked]:
    """Answers with the scorer's word."""
    found, scorer = reading.word_lattice, reading.scorer
    assert scorer is not None and found.source is not None, "else there is nothing to compare"
    said = [[found.keys[i] for i in answer.tokens] for answer in answers]
    scores = scorer.scores(found.source, reading.sentence.keys, said).tolist()
    together = _neighbours(reading.sentence.keys)
    made = []
    for answer, words, log_p in zip(answers, said, scores, strict=True):
        bonus = answer.score - _best_path(found.lattice, answer)
        bonus += options.adjacency * len(together & _neighbours(words))
        value = answer.all_paths + bonus + options.rerank_weight * log_p
        made.append(Ranked(answer, value, log_p / (len(answer.tokens) + 1)))
    return made


def _neighbours(words: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of words that stand side by side, in whatever form."""
    return set(pairwise(map(base, words)))


def _best_path(lattice: Lattice, answer: Decoded) -> float:
    """The log-probability of the path that the answer came by."""
    assert lattice.links is not None, "only linked slots have paths to tell from each other"
    total, at = 0.0, 0
    for word, slot in zip(answer.tokens, answer.starts, strict=True):
        here = lattice.values[slot][lattice.words[slot] == word]
        total += float(lattice.links[at, slot]) + float(here[0])
        at = slot + 1
    return total + float(lattice.links[at, lattice.slots])
