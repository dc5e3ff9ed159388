"""Does it read like a headline: a language model's perplexity, and a grammar check, both offline.

The language model is a trigram of its own, trained on headlines the user names, so that it is no
judge in its own cause when the decoder uses a bigram model (`method="coherent"`).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from nacc.errors import InvalidInput, MissingExtra
from nacc.text.words import split

_UNKNOWN, _START, _END = "<unk>", "<s>", "</s>"
_DISCOUNT = 0.75
# Kinds of Harper's remarks that speak of grammar; its spelling, capitals and style rules are made
# for prose and fire on names and headline style.
GRAMMAR_KINDS = frozenset({"Agreement", "Grammar", "Miscellaneous", "Repetition", "Usage"})


class HeadlineModel:
    """An interpolated Kneser-Ney trigram over lower-case words; rare words count as one word."""

    def __init__(self, headlines: Iterable[str], *, rare: int = 1) -> None:
        sentences = [list(split(headline).keys) for headline in headlines]
        counts = Counter(word for sentence in sentences for word in sentence)
        self.vocabulary = {word for word, count in counts.items() if count > rare}
        if not self.vocabulary:
            raise InvalidInput(f"no word occurs more than {rare} times in these headlines")
        self._trigrams: Counter[tuple[str, str, str]] = Counter()
        for sentence in sentences:
            self._trigrams.update(self._windows(sentence))
        # Kneser-Ney: below the top, what counts is in how many contexts a word was seen.
        self._bigrams = Counter((b, c) for _, b, c in self._trigrams)
        self._unigrams = Counter(c for _, c in self._bigrams)
        self._after_two = _totals(self._trigrams.items())
        self._after_one = _totals(self._bigrams.items())
        self._contexts = sum(self._unigrams.values())
        self._unseen = _DISCOUNT * len(self._unigrams) / (len(self.vocabulary) + 2)  # <unk>, </s>

    def perplexity(self, texts: Sequence[str]) -> float:
        """exp of the mean negative log-probability of a word or an end, over all texts."""
        if not texts:
            raise InvalidInput("no texts to judge")
        total, words = 0.0, 0
        for text in texts:
            for window in self._windows(list(split(text).keys)):
                total -= math.log(self.probability(*window))
                words += 1
        return math.exp(total / words)

    def probability(self, first: str, second: str, word: str) -> float:
        """p(word | first second), a word the model knows or its `<unk>`."""
        below = (max(self._unigrams[word] - _DISCOUNT, 0) + self._unseen) / self._contexts
        for count, (total, followers) in (
            (self._bigrams[second, word], self._after_one.get((second,), (0, 0))),
            (self._trigrams[first, second, word], self._after_two.get((first, second), (0, 0))),
        ):
            if total:
                below = (max(count - _DISCOUNT, 0) + _DISCOUNT * followers * below) / total
        return below

    def _windows(self, words: list[str]) -> list[tuple[str, str, str]]:
        known = [word if word in self.vocabulary else _UNKNOWN for word in words]
        padded = [_START, _START, *known, _END]
        return list(zip(padded, padded[1:], padded[2:], strict=False))


def _totals(
    grams: Iterable[tuple[tuple[str, ...], int]],
) -> dict[tuple[str, ...], tuple[int, int]]:
    """For each context: how often it was seen, and with how many different words after it."""
    seen: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    for gram, count in grams:
        seen[gram[:-1]][0] += count
        seen[gram[:-1]][1] += 1
    return {context: (total, followers) for context, (total, followers) in seen.items()}


def ungrammatical(texts: Sequence[str]) -> float:
    """The share of texts in which Harper's offline checker finds a fault of grammar."""
    try:
        import harper
    except ImportError as error:
        raise MissingExtra("the grammar check", "eval") from error
    if not texts:
        raise InvalidInput("no texts to judge")
    linter = harper.Linter()
    faulty = sum(
        any(lint.lint_kind in GRAMMAR_KINDS for lint in linter.lint(text)) for text in texts
    )
    return faulty / len(texts)
