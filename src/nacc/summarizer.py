"""Text in, Summary out: the whole path on one page.

text → words → the model's lattice → the best words that fit → the finished string
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import NoneType
from typing import Any, Literal, Self, overload

from nacc.decoding.problem import amount
from nacc.errors import InvalidInput, NaccError, Stopped
from nacc.fitting.article import About, Article
from nacc.fitting.chain import checked, needless, with_model
from nacc.fitting.confidence import Calibration
from nacc.fitting.reading import Prompt, Reading, characters, opened, split_of
from nacc.length.budget import Budget
from nacc.length.measures import Measure
from nacc.options import Options, Settled, generation
from nacc.parallel import spread
from nacc.runtime.engine import Engine
from nacc.runtime.folder import check_options, model_folder
from nacc.summary import Summary
from nacc.text.words import Sentence

Text = str | Reading
Amount = int | float | str | Budget
Result = Summary | NaccError
Choose = Callable[[Article], About]
KEPT = 128
"""Texts of which it is kept in mind what they are about: they come back with other budgets."""


class Summarizer:
    """A loaded model. Deterministic, and safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.generation = generation(engine.folder, engine.config)
        self.calibration = Calibration.of(engine.config)
        self._about = lru_cache(maxsize=KEPT)(self._find_about)

    @classmethod
    def load(cls, path: str | Path | None = None, *, threads: int = 1) -> Summarizer:
        """The packaged model, another by its name, or one by its folder's path.

        threads: cores that one forward pass may use. A sentence is short: more than one gain it
        little, and where many texts are summarized at a time, all cores are used anyway.
        """
        return cls(Engine(model_folder(path), threads))

    def ready(self) -> Self:
        """Itself, with all loaded that is else loaded when it is first needed."""
        if self.engine.scorer is not None:
            self.engine.scorer.loaded()
        return self

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
        asked = replace(_options(options, given), alternatives=amount("n", n, least=1))
        if not isinstance(text, (str, Reading)) or isinstance(max_length, (list, tuple)):
            raise InvalidInput(
                "alternatives are of one text within one budget; "
                f"for several, ask `each` with Options(alternatives={n})"
            )
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
        _refuse_no_list(texts)
        amounts: Any = budgets if isinstance(budgets, (list, tuple)) else [budgets]
        wanted = [Budget.of(one) for one in amounts]
        if not wanted:
            raise InvalidInput("there is no budget: max_length, or budgets, is an empty list")
        settled = self.settled(options)
        alone = isinstance(texts, Sequence) and len(texts) <= 1
        work = partial(self._results, wanted, settled)
        found = spread(work, texts, workers=1 if alone else workers, lot=self.engine.batch)
        return found if errors == "return" else _raising(found, told=not alone)

    def read(
        self,
        texts: Iterable[Text],
        budget: Amount = 50,
        options: Options | None = None,
        *,
        errors: Literal["return", "raise"] = "raise",
    ) -> list[Any]:
        """Run the model: what `summarize` takes in place of texts, to decode again and again.

        A model that is told the length reads a text for a budget. With another of about the same
        length its reading is used again; for one that is much longer or shorter, `summarize` has
        the text read anew. A text that cannot be read has its NaccError in its place where
        errors="return".
        """
        _refuse_no_list(texts)
        settled = self.settled(options)
        found = [self.prompts(text, [Budget.of(budget)], settled)[0] for text in texts]
        for each in found:
            if isinstance(each, NaccError) and errors == "raise":
                raise each
        readings = self.read_prompts([each for each in found if isinstance(each, Prompt)])
        return [next(readings) if isinstance(each, Prompt) else each for each in found]

    def settled(self, options: Options | None) -> Settled:
        """The options with what the model's folder says for the rest, or InvalidOption."""
        settled = _options(options, {}).settled(self.generation)
        check_options(settled, self.engine.config, self.engine.conditions)
        return settled

    def before(
        self, text: Text, budgets: Sequence[Budget], options: Settled, choose: Choose | None = None
    ) -> list[Result | Prompt]:
        """For each budget what needs no model, or else what to ask it.

        choose: what a text of several sentences is about, where the model is not asked that here.
        """
        words = text.prompt.text if isinstance(text, Reading) else text
        made = needless(words, budgets, options)
        left = [budget for budget, found in zip(budgets, made, strict=True) if found is None]
        prompts = iter(self.prompts(text, left, options, choose) if left else [])
        return [next(prompts) if found is None else found for found in made]

    def read_prompts(self, prompts: Sequence[Prompt]) -> Iterator[Reading]:
        """One forward pass for each."""
        lattices = self.engine.lattices(
            [prompt.sentence.keys for prompt in prompts], [prompt.told for prompt in prompts]
        )
        engine = self.engine
        for prompt, found in zip(prompts, lattices, strict=True):
            yield Reading(
                prompt, found, engine.spellings, engine.bigrams, engine.scorer, self.calibration
            )

    def after(self, reading: Reading, budget: Budget, options: Settled) -> Result:
        """What there is for a budget once the text is read."""
        try:
            return with_model(reading, budget, options)
        except Stopped:
            raise
        except NaccError as error:
            return error.with_traceback(None)  # which would keep all it has seen in memory

    def _results(
        self, budgets: Sequence[Budget], options: Settled, texts: Sequence[Text]
    ) -> list[list[Result]]:
        asked = [self.before(text, budgets, options) for text in texts]
        known = {text.prompt: text for text in texts if isinstance(text, Reading)}
        prompts = dict.fromkeys(one for found in asked for one in found if isinstance(one, Prompt))
        new = [prompt for prompt in prompts if prompt not in known]
        known.update(zip(new, self.read_prompts(new), strict=True))
        return [
            [
                self.after(known[one], budget, options) if isinstance(one, Prompt) else one
                for one, budget in zip(found, budgets, strict=True)
            ]
            for found in asked
        ]

    def prompts(
        self, text: Text, budgets: Sequence[Budget], options: Settled, choose: Choose | None = None
    ) -> list[Prompt | NaccError]:
        """What to ask the model for each budget."""
        try:
            seen = text.prompt if isinstance(text, Reading) else self._seen(text, options, choose)
        except NaccError as error:
            return [error.with_traceback(None)] * len(budgets)
        if self.engine.conditions is None:
            return [seen] * len(budgets)
        length = partial(characters, seen.sentence) if options.tell_length else lambda _: None
        told = [self.engine.told(options.style, length(budget)) for budget in budgets]
        return [replace(seen, told=each) for each in told]

    def _seen(self, text: Any, options: Settled, choose: Choose | None) -> Prompt:
        """The words of a text that the model will see."""
        given = split_of(checked(text))  # which may be kept in mind
        if options.sentences == "best" and self.engine.slots:
            about = self._about if choose is None else partial(self._find_about, choose=choose)
            start, sentence = about(given, options.style)
        else:
            whole = self._split(given)
            start, sentence = 0, whole if options.sentences == "all" else whole.first_sentence()
        if not len(sentence):  # nothing but what cannot be seen
            raise InvalidInput("the text is empty")
        seen = sentence.head(self.engine.encoder.fitting(sentence.keys))
        return Prompt(text, seen, len(seen) < len(sentence), start=start)

    def _find_about(self, text: str, style: str | None, choose: Choose | None = None) -> About:
        """The sentence that a text is about, and at which word it begins."""
        whole, engine = self._split(text), self.engine
        first = whole.first_sentence()
        if len(first) == len(whole):
            return 0, first
        article = Article.of(whole, engine.encoder.max_words, engine.encoder.fitting)
        if choose is not None:
            return choose(article)
        keys = [window.keys for window in article.windows]
        read = engine.lattices(keys, [engine.told(style, None)] * len(keys))
        links = (found.lattice.links for found in read)  # only linked slots have paths
        return article.about([each for each in links if each is not None])

    def _split(self, text: str) -> Sentence:
        started = time.perf_counter()
        words = opened(text)
        self.engine.observe("tokenising", time.perf_counter() - started)
        return words


def _raising(found: Iterator[list[Result]], told: bool) -> Iterator[list[Any]]:
    """Raises the first error; told: which text is to blame."""
    for number, results in enumerate(found, 1):
        if failed := [result for result in results if isinstance(result, NaccError)][:1]:
            if told:
                failed[0].add_note(f"text {number}")
            results.clear()  # an error in reach of where it is raised keeps the text in memory, too
            raise failed.pop()
        yield results


def _refuse_no_list(texts: Any) -> None:
    """Of many texts: a string would be read letter by letter."""
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        kind = type(texts).__name__
        raise InvalidInput(f"text must be a string, texts must be a list of strings; got {kind}")


def _options(options: Options | None, given: dict[str, Any]) -> Options:
    if not isinstance(options, (Options, NoneType)):
        raise InvalidInput(f"options = {options!r} must be Options; or give them as keywords")
    if options is not None and given:
        raise InvalidInput(f"give options or keywords, not both: {', '.join(given)}")
    return Options.of(given) if options is None else options
