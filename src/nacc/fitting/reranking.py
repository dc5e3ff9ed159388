"""The decoder's best answers in the order they are told in: its own, or with the scorer's word.

The decoder scores an answer by its best path. With a scorer, the n best answers are compared by
all their paths together, by what the decoder adds for expected words and pairs, and by what the
scorer thinks of each as a whole. All are scored in one pass: nothing is generated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from nacc.decoding import Decoded
from nacc.decoding.registry import decoder
from nacc.fitting.reading import Reading
from nacc.lattice import Lattice
from nacc.options import Settled
from nacc.runtime.scorer import MOST_WORDS

MOST_SCORED = 1200
"""Words that the scorer looks at, of all answers together: some 60 ms."""


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
    found, scorer = reading.word_lattice, reading.scorer
    longest = max((len(answer.tokens) for answer in answers), default=0)
    if not compared(reading, options) or not 0 < longest <= MOST_WORDS:
        return [Ranked(answer, answer.score) for answer in answers]
    assert scorer is not None and found.source is not None, "else there is nothing to compare"
    ends = accumulate(len(answer.tokens) for answer in answers)
    most = max(1, sum(end <= MOST_SCORED for end in ends))
    said = [[found.keys[i] for i in answer.tokens] for answer in answers[:most]]
    scores = scorer.scores(found.source, reading.sentence.keys, said).tolist()
    made = []
    for answer, log_p in zip(answers[:most], scores, strict=True):
        bonus = answer.score - _best_path(found.lattice, answer)
        value = answer.all_paths + bonus + options.rerank_weight * log_p
        made.append(Ranked(answer, value, log_p / (len(answer.tokens) + 1)))
    rest = [Ranked(answer, answer.score) for answer in answers[most:]]
    return sorted(made, key=lambda one: -one.value) + rest


def _best_path(lattice: Lattice, answer: Decoded) -> float:
    """The log-probability of the path that the answer came by."""
    assert lattice.links is not None, "only linked slots have paths to tell from each other"
    total, at = 0.0, 0
    for word, slot in zip(answer.tokens, answer.starts, strict=True):
        here = lattice.values[slot][lattice.words[slot] == word]
        total += float(lattice.links[at, slot]) + float(here[0])
        at = slot + 1
    return total + float(lattice.links[at, lattice.slots])
