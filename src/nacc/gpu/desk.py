"""A worker's desk: texts to rows of numbers, and the words that come back to summaries.

All that is not the network's or the decoder's: what needs no model, splitting, pieces; the rules
about words and meaning; spelling. Where an answer does not keep them, or none was settled on, the
best of a list that does is told, as the CPU's fitting does; and where none does, the whole of that
fitting is done on the lattice.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from itertools import accumulate, chain, compress
from typing import Any

import numpy as np

from nacc.decoding.linked_parts import Lead
from nacc.errors import NaccError
from nacc.fitting.article import Article
from nacc.fitting.chain import needless
from nacc.fitting.reading import Prompt, Reading
from nacc.gpu.candidates import FIELDS, STYLES, Lexicon, flags_of, light
from nacc.gpu.lattices import MAY_END
from nacc.gpu.rows import BUCKETS, Chosen, Rows
from nacc.gpu.shortlist import Raw, Shortlist, Source
from nacc.gpu.windows import Unread, Windows, put_off, settled_on
from nacc.gpu.wording import Said, Wording
from nacc.lattice.words import NetworkOutput, own_links
from nacc.length.budget import Budget
from nacc.options import Settled
from nacc.runtime.folder import Told
from nacc.summarizer import Choose, Result, Summarizer
from nacc.summary import Summary
from nacc.text.endings import may_end
from nacc.text.memory import Memory
from nacc.text.surface import piece, written
from nacc.text.words import Sentence, Style

_Facts = tuple[tuple[int, ...], int, int, int]
"""The pieces of a source's word, its symbol (−1: none), its flags, and the number of its base."""
MOST_KNOWN = 200_000
"""Words of which the facts are kept: a corpus has many, and nobody else uses the process."""


class Desk:
    """One summarizer, for one budget and one set of options."""

    def __init__(self, summarizer: Summarizer, budget: Budget, options: Settled) -> None:
        self.summarizer, self.budget, self.options = summarizer, budget, options
        engine = summarizer.engine
        self.plan = budget.plans()[0]
        self._encoder = engine.encoder
        self._lexicon = lexicon_of(summarizer)
        self._spellings = engine.spellings
        self._wording = Wording(summarizer, budget, options)
        self._shortlist = Shortlist(self._lexicon, budget, options)
        self._lots: dict[int, dict[int, Prompt]] = {}
        self._windows, self._told_any_length = Windows(), engine.told(options.style, None)
        self._prefix = lru_cache(self._find_prefix)
        self._known = Memory(lambda word: self._facts([word])[0], MOST_KNOWN)
        self._weights = {
            style: Memory(partial(self._weight, style), MOST_KNOWN) for style in STYLES
        }

    def read(self, lot: int, texts: Sequence[str]) -> tuple[dict[int, Result], list[Rows]]:
        """What needs no model, and rows for what does, which is remembered until it is done."""
        done: dict[int, Result] = {}
        prompts: dict[int, Prompt] = {}
        several: list[Unread] = []
        budgets = [self.budget]
        made = [needless(text, budgets, self.options)[0] for text in texts]  # sooner done by itself
        for i, (text, known) in enumerate(zip(texts, made, strict=True)):
            articles: list[Article] = []
            put = partial(put_off, articles)
            found = self._prompt(text, put) if known is None else known
            if not isinstance(found, Prompt):
                done[i] = found
            elif articles and articles[0].windows:
                several.append(Unread(i, text, articles[0]))
            else:
                prompts[i] = found
        windows = self._rows(self._windows.add(lot, several, self._told_any_length))
        return done, windows + self._noted(lot, prompts)

    def choose(
        self, lot: int, which: Sequence[int], raw: Sequence[Any]
    ) -> tuple[dict[int, Result], list[Rows]]:
        """As `read`, of the texts whose windows all have been read."""
        done: dict[int, Result] = {}
        prompts: dict[int, Prompt] = {}
        for row, key in enumerate(which):
            text, number, prompt = self._windows.pop(lot, key)
            slots = self.summarizer.engine.slots * len(prompt.sentence)
            text.read[number] = own_links(raw[-1][row], slots)
            if about := text.about():
                found = self._prompt(text.text, partial(settled_on, about))
                into: dict[int, Any] = prompts if isinstance(found, Prompt) else done
                into[text.which] = found
        return done, self._noted(lot, prompts)

    def _prompt(self, text: str, choose: Choose) -> Prompt | NaccError:
        return self.summarizer.prompts(text, [self.budget], self.options, choose)[0]

    def _noted(self, lot: int, prompts: dict[int, Prompt]) -> list[Rows]:
        """The rows of sentences, which are remembered."""
        if prompts:
            self._lots.setdefault(lot, {}).update(prompts)
        return self._rows(prompts)

    def _rows(self, prompts: Mapping[int, Prompt]) -> list[Rows]:
        """Rows of numbers; new words of the whole lot are looked at together."""
        sentences = {i: prompt.sentence for i, prompt in prompts.items()}
        self._known.learn({*chain.from_iterable(s.keys for s in sentences.values())}, self._facts)
        forms = {
            i: written(s.keys, s, self._spellings, self.options.case) for i, s in sentences.items()
        }
        for style, known in self._weights.items():
            of_style = (forms[i] for i, s in sentences.items() if s.style == style)
            known.learn({*chain.from_iterable(of_style)}, partial(self._weigh, style))
        kinds: dict[int, list[tuple[int, bytes]]] = {}
        for i, prompt in prompts.items():
            bucket, row = self._packed(prompt, forms[i])
            kinds.setdefault(bucket, []).append((i, row))
        made = []
        for bucket, rows in kinds.items():
            numbers = np.frombuffer(b"".join(row for _, row in rows), np.int32)
            made.append(Rows(bucket, [i for i, _ in rows], numbers.reshape(len(rows), -1)))
        return made

    def write(self, lot: int, chosen: Chosen) -> tuple[dict[int, Summary], list[int]]:
        """The summaries of answers, and which sentences need their lattices decoded here."""
        done: dict[int, Summary] = {}
        said: dict[int, Said] = {}
        prompts = self._lots[lot]
        rows = zip(
            chosen.which, chosen.symbols.tolist(), chosen.slots.tolist(), chosen.figures.tolist(),
            strict=True,
        )  # fmt: skip
        for i, symbols, slots, (score, expected) in rows:
            if symbols[0] >= 0:
                length = symbols.index(-1) if symbols[-1] < 0 else len(symbols)
                answer = Lead(symbols[:length], slots[:length], score, expected)
                said[i] = self._wording(prompts[i], answer)
        sound = self._wording.sound(list(said.values()))
        for i, one in compress(said.items(), sound):
            made = self._wording.summary(one)
            if made is not None:
                done[i] = made
        self._forget(lot, done)
        return done, [i for i in chosen.which if i not in done]

    def decode(self, lot: int, which: Sequence[int], raw: Sequence[Any]) -> dict[int, Result]:
        """The CPU's own answers, given the network's output for some sentences."""
        done: dict[int, Result] = {}
        for row, i in enumerate(which):
            prompt, made = self._lots[lot][i], None
            with suppress(NaccError):  # which all of the fitting meets, too, and tells
                made = self._told(prompt, self._listed(prompt, Raw(*(part[row] for part in raw))))
            done[i] = self._fitted(prompt, row, raw) if made is None else made
        self._forget(lot, done)
        return done

    def _listed(self, prompt: Prompt, raw: Raw) -> Iterator[Lead]:
        """The best answers to a lattice."""
        sentence, keys = prompt.sentence, prompt.sentence.keys
        forms = written(keys, sentence, self._spellings, self.options.case)
        weights = list(map(self._weights[sentence.style].__getitem__, forms))
        _, _, flags, bases = zip(*map(self._known.__getitem__, keys), strict=True)
        style = STYLES.index(sentence.style)
        may = _flagged(sentence, flags)
        source = Source(self._encoder.symbols(keys), weights, may, bases, style)
        return self._shortlist(raw, source, self.summarizer.engine.slots * len(keys))

    def _fitted(self, prompt: Prompt, row: int, raw: Sequence[Any]) -> Result:
        """All of the CPU's fitting."""
        words, values, links = raw
        output = NetworkOutput(words, values, None, links, self.summarizer.engine.slots)
        found = output.lattice(row, prompt.sentence.keys, self._encoder.vocabulary)
        reading = Reading(prompt, found, self._spellings, calibration=self.summarizer.calibration)
        return self.summarizer.after(reading, self.budget, self.options)

    def _forget(self, lot: int, done: Collection[int]) -> None:
        for i in done:
            del self._lots[lot][i]
        if done and not self._lots[lot]:
            del self._lots[lot]

    def _packed(self, prompt: Prompt, forms: Sequence[str]) -> tuple[int, bytes]:
        """A sentence's bucket, and its row: length, style, FIELDS, pieces."""
        sentence, keys = prompt.sentence, prompt.sentence.keys
        of_words, symbols, flags, bases = zip(*map(self._known.__getitem__, keys), strict=True)
        before = self._prefix(prompt.told)
        *places, end = accumulate(map(len, of_words), initial=len(before))
        n, m = len(keys), end + len(self._encoder.pieces.suffix)
        bucket = next(i for i, (words, most) in enumerate(BUCKETS) if n <= words and m <= most)
        if -1 in symbols:
            symbols = tuple(self._encoder.symbols(keys))
        weights = map(self._weights[sentence.style].__getitem__, forms)
        fields = (places, symbols, weights, _flagged(sentence, flags), bases)
        assert len(fields) == len(FIELDS)
        words, most = BUCKETS[bucket]
        row, gap = [n, STYLES.index(sentence.style)], [0] * (words - n)
        for field in fields:
            row += field
            row += gap
        row += before
        row += chain.from_iterable(of_words)
        row += self._encoder.pieces.suffix
        row += [-1] * (most - m)
        return bucket, array("i", row).tobytes()

    def _facts(self, words: list[str]) -> list[_Facts]:
        symbol, lexicon = self._encoder.symbol_of.get, self._lexicon
        return [
            (pieces, symbol(word, -1), flags_of(word, own=True), lexicon.base(word))
            for word, pieces in zip(words, self._encoder.pieces.of(words), strict=True)
        ]

    def _weigh(self, style: Style, forms: list[str]) -> list[int]:
        like = Sentence((), ("",), style)
        return list(map(int, light(self.plan.weigh([piece(form, like) for form in forms]))))

    def _weight(self, style: Style, form: str) -> int:
        return self._weigh(style, [form])[0]

    def _find_prefix(self, told: Told) -> tuple[int, ...]:
        """The pieces before a sentence, which say what is wanted."""
        conditions, pieces = self.summarizer.engine.conditions, self._encoder.pieces
        if conditions is None:
            return self._encoder.prefix
        return tuple(pieces.id(name) for name in ("[CLS]", *conditions.pieces(*told)))

    def _told(self, prompt: Prompt, answers: Iterable[Lead]) -> Summary | None:
        """The first answer that keeps the rules, as a summary; None if none does, or it is too long
        or not sure enough to be told."""
        said = (self._wording(prompt, answer) for answer in answers)
        first = next(filter(self._wording.is_sound, said), None)
        return None if first is None else self._wording.summary(first)


def _flagged(sentence: Sentence, flags: Sequence[int]) -> Sequence[int]:
    """The flags of a source's words, as they are in it: a small word may end what is said of it."""
    ends = may_end(sentence)
    if not ends:
        return flags
    return [
        flag | MAY_END if word in ends else flag
        for word, flag in zip(sentence.keys, flags, strict=True)
    ]


@lru_cache(1)  # the next budget's is the same
def lexicon_of(summarizer: Summarizer) -> Lexicon:
    engine = summarizer.engine
    return Lexicon(engine.encoder.vocabulary, engine.spellings)
