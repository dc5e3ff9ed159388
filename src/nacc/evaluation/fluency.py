"""Does it read like a headline: a language model's perplexity, and a grammar check, both offline.

The language model is a trigram of its own, trained on headlines the user names, so that it is no
judge in its own cause when the decoder uses a bigram model (`method="coherent"`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nacc.errors import InvalidInput, requires
from nacc.ngrams.trigrams import MOST_WORDS, Trigrams
from nacc.text.words import split

_DISCOUNT = 0.75
# Kinds of Harper's remarks that speak of grammar; its spelling, capitals and style rules are made
# for prose and fire on names and headline style.
GRAMMAR_KINDS = frozenset({"Agreement", "Grammar", "Miscellaneous", "Repetition", "Usage"})


class HeadlineModel:
    """Kneser-Ney trigrams of lower-case words; those seen up to `rare` times count as one word."""

    def __init__(self, headlines: Iterable[str], *, rare: int = 1) -> None:
        words = (split(headline).keys for headline in headlines)
        self.trigrams = Trigrams.train(
            words,
            vocabulary_size=MOST_WORDS,
            min_count=rare + 1,
            discount=_DISCOUNT,
            precise=True,
        )
        if not self.trigrams.words:
            raise InvalidInput(f"no word occurs more than {rare} times in these headlines")

    def perplexity(self, texts: Sequence[str]) -> float:
        """exp of the mean negative log-probability of a word or an end, over all texts."""
        if not texts:
            raise InvalidInput("no texts to judge")
        return self.trigrams.perplexity(split(text).keys for text in texts).forward


def ungrammatical(texts: Sequence[str]) -> float:
    """The share of texts in which Harper's offline checker finds a fault of grammar."""
    requires("the grammar check", "eval", "harper")
    import harper

    if not texts:
        raise InvalidInput("no texts to judge")
    linter = harper.Linter()
    faulty = sum(
        any(lint.lint_kind in GRAMMAR_KINDS for lint in linter.lint(text)) for text in texts
    )
    return faulty / len(texts)
