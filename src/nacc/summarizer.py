"""Text in, Summary out: the whole path on one page.

text → words → the model's lattice → the best words that fit → the finished string
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, overload

from nacc.errors import InvalidInput, NaccError
from nacc.fitting.fit import fit
from nacc.fitting.reading import Reading
from nacc.length.budget import Budget
from nacc.length.measures import Measure
from nacc.options import Options, Sentences, Settled, generation
from nacc.parallel import spread
from nacc.runtime.engine import Engine
from nacc.runtime.folder import model_folder
from nacc.summary import Summary
from nacc.text.words import Sentence, split

Text = str | Reading
Amount = int | float | str | Budget
Result = Summary | NaccError
LONGEST = 100_000
"""Characters of a text that are looked at: far more than a model reads."""


class Summarizer:
    """A loaded model. Deterministic, and safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.generation = generation(engine.folder, engine.config)

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 1) -> Summarizer:
        """The packaged model, another by its name ("extractive"), or one by its folder's path.

        threads: cores that one forward pass may use. A sentence is short: more than one gain it
        little, and where many texts are summarized at a time, all cores are used anyway.
        """
        return cls(Engine(model_folder(path), threads))

    @overload
    def summarize(
        self, text: Text, max_length: Amount = 50, unit: str | Measure | None = None,
        options: Options | None = None, **given: Any,
    ) -> Summary: ...  # fmt: skip
    @overload
    def summarize(
        self, text: Text, max_length: Sequence[Amount], unit: str | Measure | None = None,
        options: Options | None = None, **given: Any,
    ) -> list[Summary]: ...  # fmt: skip
    @overload
    def summarize(
        self, text: Iterable[Text], max_length: Any = 50, unit: str | Measure | None = None,
        options: Options | None = None, **given: Any,
    ) -> list[Any]: ...  # fmt: skip

    def summarize(
        self,
        text: Any,
        max_length: Any = 50,
        unit: str | Measure | None = None,
        options: Options | None = None,
        **given: Any,
    ) -> Any:
        """The best summary within the budget; a list of texts gives a list, and so does a list of
        budgets (for each text, if both).

        max_length: an amount of `unit`, or a whole budget ("75 bytes", "push", a Budget).
        options: what else is asked for; or its fields one by one, as keywords.
        """
        several = isinstance(max_length, (list, tuple))
        budgets = [Budget.of(one, unit) for one in (max_length if several else [max_length])]
        if not budgets:
            raise InvalidInput("max_length is an empty list")
        one_text = isinstance(text, (str, Reading))
        asked = _options(options, given)
        made = self.each([text] if one_text else text, budgets, asked, errors="raise")
        results = [found if several else found[0] for found in made]
        return results[0] if one_text else results

    def alternatives(
        self,
        text: Text,
        n: int = 5,
        max_length: Amount = 50,
        unit: str | Measure | None = None,
        options: Options | None = None,
        **given: Any,
    ) -> list[Summary]:
        """The n best different summaries, best first; fewer if there are no more."""
        if n < 1:
            raise InvalidInput(f"n = {n} must be at least 1")
        asked = replace(_options(options, given), alternatives=n)
        best = self.summarize(text, max_length, unit, asked)
        return [replace(best, alternatives=()), *best.alternatives]

    def each(
        self,
        texts: Iterable[Text],
        budgets: Amount | Sequence[Amount] = 50,
        options: Options | None = None,
        *,
        errors: Literal["return", "raise"] = "return",
        workers: int | None = None,
    ) -> Iterator[list[Result]]:
        """For each text, in order, a list with what there is for each budget.

        Texts may come from any iterable, however long: a few are taken ahead, so that all cores
        (or `workers`) have work. A text that cannot be summarized has its NaccError in its place
        and does no harm to others; with errors="raise", that error ends it all.
        """
        if errors not in ("return", "raise"):
            raise InvalidInput(f'errors = {errors!r} must be "return" or "raise"')
        if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
            kind = type(texts).__name__
            raise InvalidInput(f"text must be a string or a list of strings, got {kind}")
        amounts: Any = budgets if isinstance(budgets, (list, tuple)) else [budgets]
        wanted = [Budget.of(one) for one in amounts]
        settled = (options or Options()).settled(self.generation)
        alone = isinstance(texts, Sequence) and len(texts) <= 1
        work = partial(self._results, wanted, settled)
        found = spread(work, texts, workers=1 if alone else workers, lot=self.engine.batch)
        return found if errors == "return" else _raising(found, told=not alone)

    def read(
        self,
        texts: Iterable[Text],
        *,
        sentences: Sentences = "first",
        errors: Literal["return", "raise"] = "raise",
    ) -> list[Any]:
        """Run the model: what `summarize` takes in place of texts, to decode again and again.

        A text that cannot be read has its NaccError in its place where errors="return".
        """
        done: list[Any] = list(texts)
        new: dict[int, tuple[Sentence, bool]] = {}
        started = time.perf_counter()
        for i, text in enumerate(done):
            if not isinstance(text, Reading):
                try:
                    new[i] = self._seen(text, sentences)
                except NaccError as error:
                    if errors == "raise":
                        raise
                    done[i] = error.with_traceback(None)
        if new:
            self.engine.observe("tokenising", time.perf_counter() - started)
        lattices = self.engine.lattices([sentence.keys for sentence, _ in new.values()])
        for (i, (sentence, truncated)), found in zip(new.items(), lattices, strict=True):
            done[i] = Reading(
                sentence, truncated, found, self.engine.spellings, self.engine.bigrams
            )
        return done

    def _seen(self, text: Any, sentences: Sentences) -> tuple[Sentence, bool]:
        """The words of a text that the model will see, and whether there are more."""
        whole = split(text[:LONGEST] if isinstance(text, str) else text)
        sentence = whole.first_sentence() if sentences == "first" else whole
        if not len(sentence):
            raise InvalidInput("the text is empty")
        seen = sentence.head(self.engine.encoder.fitting(sentence.keys))
        return seen, len(seen) < len(sentence)

    def _results(
        self, budgets: Sequence[Budget], options: Settled, texts: Sequence[Text]
    ) -> list[list[Result]]:
        readings = self.read(texts, sentences=options.sentences, errors="return")
        return [[_result(reading, budget, options) for budget in budgets] for reading in readings]


def _result(reading: Reading | NaccError, budget: Budget, options: Settled) -> Result:
    if isinstance(reading, NaccError):
        return reading
    try:
        best, *others = fit(reading, budget, options)
    except NaccError as error:
        return error.with_traceback(None)  # which would keep all it has seen in memory
    return replace(best, alternatives=tuple(others)) if others else best


def _raising(found: Iterator[list[Result]], told: bool) -> Iterator[list[Any]]:
    """Raises the first error; told: which text is to blame."""
    for number, results in enumerate(found, 1):
        for result in results:
            if isinstance(result, NaccError):
                if told:
                    result.add_note(f"text {number}")
                raise result
        yield results


def _options(options: Options | None, given: dict[str, Any]) -> Options:
    if options is not None and given:
        raise InvalidInput(f"give options or keywords, not both: {', '.join(given)}")
    return Options.of(given) if options is None else options
