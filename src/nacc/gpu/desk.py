"""A worker's desk: texts to rows of numbers, and the words that come back to summaries.

All that is not the network's or the decoder's: what needs no model, splitting, pieces; the rules
about words and meaning; spelling. Where an answer does not keep them, or none was settled on, the
whole of the CPU's fitting is done on the lattice.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nacc.decoding import Decoded
from nacc.fitting.confidence import Signs
from nacc.fitting.finish import finished
from nacc.fitting.reading import Prompt, Reading
from nacc.fitting.rules import broken_numbers, invented
from nacc.gpu.candidates import FIELDS, STYLES, Lexicon, Numbers, flags_of, light
from nacc.lattice import Lattice
from nacc.lattice.words import NetworkOutput, WordLattice
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.runtime.folder import Told
from nacc.summarizer import Result, Summarizer
from nacc.summary import Summary
from nacc.text.meaning import violates
from nacc.text.memory import Memory
from nacc.text.surface import piece, written
from nacc.text.words import Sentence, Style

BUCKETS = (
    (16, 24), (20, 32), (24, 32), (28, 40), (32, 48), (36, 48), (40, 56), (44, 56), (48, 64),
    (56, 72), (64, 88), (80, 136), (80, 512),
)  # fmt: skip
"""Words and pieces that sentences are padded to: batches of a few shapes, known beforehand, and
chosen so that news sentences are padded little."""
MOST_KNOWN = 200_000
"""Words of which the facts are kept: a corpus has many, and nobody else uses the process."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Sentences of one shape: which of a lot they are, and their numbers, a row each."""

    bucket: int
    which: list[int]
    packed: Numbers


@dataclass(frozen=True, eq=False)
class Chosen:
    """What came of some sentences of a lot: (n, T) words and their slots, −1 past the end, and
    (n, 2) score and expected share; a row whose first word is −1 was not settled."""

    which: list[int]
    symbols: Numbers
    slots: Numbers
    figures: NDArray[np.float32]


class Desk:
    """One summarizer, for one budget and one set of options."""

    def __init__(self, summarizer: Summarizer, budget: Budget, options: Settled) -> None:
        self.summarizer, self.budget, self.options = summarizer, budget, options
        engine = summarizer.engine
        self.plan = budget.plans()[0]
        self._encoder = engine.encoder
        self._lexicon = lexicon_of(summarizer)
        self._spellings = engine.spellings
        self._lots: dict[int, dict[int, Prompt]] = {}
        self._prefixes: dict[Told, tuple[int, ...]] = {}
        self._known = Memory(self._facts, MOST_KNOWN)
        self._weights = {
            style: Memory(partial(self._weight, style), MOST_KNOWN) for style in STYLES
        }

    def read(self, lot: int, texts: Sequence[str]) -> tuple[dict[int, Result], list[Rows]]:
        """What needs no model, and rows for what does, which is remembered until it is done."""
        done: dict[int, Result] = {}
        prompts: dict[int, Prompt] = {}
        kinds: dict[int, list[tuple[int, bytes]]] = {}
        for i, text in enumerate(texts):
            (found,) = self.summarizer.before(text, [self.budget], self.options)
            if isinstance(found, Prompt):
                prompts[i] = found
                bucket, row = self._packed(found)
                kinds.setdefault(bucket, []).append((i, row))
            else:
                done[i] = found
        if prompts:
            self._lots[lot] = prompts
        made = []
        for bucket, rows in kinds.items():
            numbers = np.frombuffer(b"".join(row for _, row in rows), np.int32)
            made.append(Rows(bucket, [i for i, _ in rows], numbers.reshape(len(rows), -1)))
        return done, made

    def write(self, lot: int, chosen: Chosen) -> tuple[dict[int, Summary], list[int]]:
        """The summaries of answers, and which sentences need their lattices decoded here."""
        done: dict[int, Summary] = {}
        open_: list[int] = []
        prompts = self._lots[lot]
        rows = zip(
            chosen.which, chosen.symbols.tolist(), chosen.slots.tolist(), chosen.figures.tolist(),
            strict=True,
        )  # fmt: skip
        for i, symbols, slots, (score, expected) in rows:
            made = None
            if symbols[0] >= 0:
                length = symbols.index(-1) if symbols[-1] < 0 else len(symbols)
                made = self._written(prompts[i], symbols[:length], slots[:length], score, expected)
            if made is None:
                open_.append(i)
            else:
                done[i] = made
        self._forget(lot, done)
        return done, open_

    def decode(self, lot: int, which: Sequence[int], raw: Sequence[Any]) -> dict[int, Result]:
        """The CPU's own answers, given the network's output for some sentences."""
        done = {}
        for row, i in enumerate(which):
            prompt = self._lots[lot][i]
            words, values, links = raw
            output = NetworkOutput(words, values, None, links, self.summarizer.engine.slots)
            found = output.lattice(row, prompt.sentence.keys, self._encoder.vocabulary)
            reading = Reading(
                prompt, found, self._spellings, calibration=self.summarizer.calibration
            )
            done[i] = self.summarizer.after(reading, self.budget, self.options)
        self._forget(lot, done)
        return done

    def _forget(self, lot: int, done: Collection[int]) -> None:
        for i in done:
            del self._lots[lot][i]
        if done and not self._lots[lot]:
            del self._lots[lot]

    def _packed(self, prompt: Prompt) -> tuple[int, bytes]:
        """A sentence's bucket, and its row: length, style, FIELDS, pieces."""
        sentence, keys = prompt.sentence, prompt.sentence.keys
        of_words, flags, bases = zip(*map(self._known.__getitem__, keys), strict=True)
        pieces, places = list(self._before(prompt.told)), []
        for each in of_words:
            places.append(len(pieces))
            pieces += each
        pieces += self._encoder.pieces.suffix
        n, m = len(keys), len(pieces)
        bucket = next(i for i, (words, most) in enumerate(BUCKETS) if n <= words and m <= most)
        forms = written(keys, sentence, self._spellings, self.options.case)
        weights = map(self._weights[sentence.style].__getitem__, forms)
        fields = (places, self._encoder.symbols(keys), weights, flags, bases)
        assert len(fields) == len(FIELDS)
        words, most = BUCKETS[bucket]
        row, gap = [n, STYLES.index(sentence.style)], [0] * (words - n)
        for field in fields:
            row += field
            row += gap
        row += pieces
        row += [-1] * (most - m)
        return bucket, array("i", row).tobytes()

    def _facts(self, word: str) -> tuple[tuple[int, ...], int, int]:
        """The pieces of a source's word, its flags and its base."""
        (pieces,) = self._encoder.pieces.of([word])
        return pieces, flags_of(word, own=True), self._lexicon.base(word)

    def _weight(self, style: Style, form: str) -> int:
        return int(light(self.plan.weigh([piece(form, Sentence((), ("",), style))]))[0])

    def _before(self, told: Told) -> tuple[int, ...]:
        """The pieces before a sentence, which say what is wanted."""
        found = self._prefixes.get(told)
        if found is None:
            conditions, pieces = self.summarizer.engine.conditions, self._encoder.pieces
            found = self._encoder.prefix
            if conditions is not None:
                names = ("[CLS]", *conditions.pieces(*told))
                found = tuple(pieces.id(name) for name in names)
            self._prefixes[told] = found
        return found

    def _written(
        self, prompt: Prompt, symbols: list[int], slots: list[int], score: float, expected: float
    ) -> Summary | None:
        """An answer as a summary; None if it does not keep the rules."""
        source, options = prompt.sentence, self.options
        vocabulary = self._encoder.vocabulary
        size, each = len(vocabulary), self.summarizer.engine.slots
        said = [vocabulary[s] if s < size else source.keys[s - size] for s in symbols]
        # A lattice of the chosen words alone: the rules then look at no others.
        keys = tuple(dict.fromkeys(said))
        ids = {word: i for i, word in enumerate(keys)}
        tokens = tuple(ids[word] for word in said)
        nothing = np.zeros(len(said))
        lattice = Lattice(
            np.array(tokens, np.int32)[:, None], nothing[:, None], nothing, nothing,
            np.array(slots, np.int32) // each,
        )  # fmt: skip
        reading = Reading(prompt, WordLattice(lattice, keys, None), self._spellings)
        starts = tuple(range(len(said)))
        answer = Decoded(tokens, tokens, score, 0, False, False, True, starts, score, expected)
        if (
            options.is_tidy
            and not reading.places.keys() >= ids.keys()
            and invented(reading, options)
        ):
            return None
        forms = written(keys, source, self._spellings, options.case)
        turned = options.is_tidy and violates(source, [forms[i] for i in tokens])
        if turned or broken_numbers(reading, options, answer):
            return None
        summary = finished(reading, self.budget, options, forms, answer)
        if self.budget.overshoot(summary.text):
            return None
        calibration = self.summarizer.calibration
        sure = None if calibration is None else calibration(Signs(expected, len(tokens)))
        if sure is not None and sure < options.min_confidence:
            return None
        return replace(summary, confidence=sure)


@lru_cache(1)  # the next budget's is the same
def lexicon_of(summarizer: Summarizer) -> Lexicon:
    engine = summarizer.engine
    return Lexicon(engine.encoder.vocabulary, engine.spellings)
