"""Text in, Summary out: the whole path on one page.

text → words → the model's lattice → the best words that fit → the finished string
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from numbers import Real
from pathlib import Path
from typing import Any, overload

from nacc.errors import InvalidInput
from nacc.fitting.fit import fit
from nacc.fitting.reading import Reading
from nacc.length.budget import Budget
from nacc.options import METHODS, Wishes
from nacc.runtime.engine import Engine
from nacc.runtime.folder import model_folder
from nacc.summary import Summary
from nacc.text.surface import CASES
from nacc.text.words import split

THREADS = 2
Text = str | Reading
Amount = int | float | str | Budget


class Summarizer:
    """A loaded model. Deterministic, and safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        known = {f.name for f in fields(Wishes)}
        given = engine.config.get("generation", {})
        self.defaults = {name: value for name, value in given.items() if name in known}

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int | None = None) -> Summarizer:
        """The packaged model, another by its name ("extractive"), or one by its folder's path."""
        return cls(Engine(model_folder(path), threads))

    @overload
    def summarize(
        self, text: Text, max_length: Amount = 50, unit: str = "characters", **wishes: Any
    ) -> Summary: ...
    @overload
    def summarize(
        self, text: Text, max_length: Sequence[Amount], unit: str = "characters", **wishes: Any
    ) -> list[Summary]: ...
    @overload
    def summarize(
        self, text: Sequence[Text], max_length: Any = 50, unit: str = "characters", **wishes: Any
    ) -> list[Any]: ...

    def summarize(
        self, text: Any, max_length: Any = 50, unit: str = "characters", **wishes: Any
    ) -> Any:
        """The best summary within the budget; a list of texts gives a list, and so does a list of
        budgets (for each text, if both).

        max_length: an amount of `unit`, or a whole budget ("75 bytes", "push", a Budget).
        sentences:  "first" (default) summarizes the first sentence, "all" the text as one.
        Other wishes: at_least, method, required, forbidden, faithful, case, tidy, bucket, fill,
        coherence, adjacency (see `nacc.options.Wishes`).
        """
        sentences = wishes.pop("sentences", "first")
        asked = self._wishes(wishes)
        several = isinstance(max_length, (list, tuple))
        budgets = [_budget(one, unit) for one in (max_length if several else [max_length])]
        if not budgets:
            raise InvalidInput("max_length is an empty list")
        one_text = isinstance(text, (str, Reading))
        readings = self.read([text] if one_text else text, sentences=sentences)

        def each(reading: Reading) -> Any:
            made = [fit(reading, budget, asked)[0] for budget in budgets]
            return made if several else made[0]

        results = _spread(each, readings)
        return results[0] if one_text else results

    def alternatives(
        self,
        text: Text,
        n: int = 5,
        max_length: Amount = 50,
        unit: str = "characters",
        **wishes: Any,
    ) -> list[Summary]:
        """The n best different summaries, best first; fewer if there are no more."""
        if n < 1:
            raise InvalidInput(f"n = {n} must be at least 1")
        sentences = wishes.pop("sentences", "first")
        asked = self._wishes(wishes)
        (reading,) = self.read([text], sentences=sentences)
        return fit(reading, _budget(max_length, unit), asked, n)

    def read(self, texts: Sequence[Text], *, sentences: str = "first") -> list[Reading]:
        """Run the model: what `summarize` takes in place of texts, to decode again and again."""
        if sentences not in ("first", "all"):
            raise InvalidInput(f'sentences = {sentences!r} must be "first" or "all"')
        if not isinstance(texts, Iterable):
            kind = type(texts).__name__
            raise InvalidInput(f"text must be a string or a list of strings, got {kind}")
        texts = list(texts)
        done: list[Reading | None] = [t if isinstance(t, Reading) else None for t in texts]
        new = [i for i, reading in enumerate(done) if reading is None]
        parts = []
        for i in new:
            sentence = split(texts[i])  # type: ignore[arg-type]
            if sentences == "first":
                sentence = sentence.first_sentence()
            if not len(sentence):
                raise InvalidInput(
                    f"text {i + 1} of {len(texts)} is empty"
                    if len(texts) > 1
                    else "the text is empty"
                )
            seen = sentence.head(self.engine.encoder.fitting(sentence.keys))
            parts.append((seen, len(seen) < len(sentence)))
        lattices = self.engine.lattices([sentence.keys for sentence, _ in parts])
        for i, (sentence, truncated), found in zip(new, parts, lattices, strict=True):
            done[i] = Reading(sentence, truncated, found, self.engine.usual, self.engine.bigrams)
        return [reading for reading in done if reading is not None]

    def _wishes(self, given: dict[str, Any]) -> Wishes:
        known = {f.name for f in fields(Wishes)}
        for name in given:
            if name not in known:
                raise InvalidInput(f"unknown option {name!r}; known: {', '.join(sorted(known))}")
        given = {name: value for name, value in given.items() if value is not None}
        for name in given.keys() & {"required", "forbidden"}:
            words = [given[name]] if isinstance(given[name], str) else given[name]
            if not isinstance(words, Iterable) or not all(isinstance(w, str) for w in words):
                raise InvalidInput(f"{name} = {words!r} must be a word or a list of words")
            given[name] = tuple(words)
        for name in given.keys() & {"at_least", "fill", "coherence", "adjacency"}:
            value = given[name]
            if not isinstance(value, Real) or not 0 <= float(value) < math.inf:
                raise InvalidInput(f"{name} = {value!r} must be a number of at least 0")
        wishes = Wishes(**{**self.defaults, **given})
        if wishes.method not in METHODS:
            raise InvalidInput(f"unknown method {wishes.method!r}; known: {', '.join(METHODS)}")
        if wishes.case not in CASES:
            raise InvalidInput(f"unknown case {wishes.case!r}; known: {', '.join(CASES)}")
        return wishes


def _budget(amount: Amount, unit: str) -> Budget:
    if isinstance(amount, (int, float)) and not isinstance(amount, bool):
        return Budget.parse(f"{amount} {unit}")
    return Budget.parse(amount)


def _spread(each: Any, readings: Sequence[Reading]) -> list[Any]:
    """Decode over a few threads: the kernels release the interpreter."""
    if len(readings) < 16:
        return [each(reading) for reading in readings]
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(each, readings))
