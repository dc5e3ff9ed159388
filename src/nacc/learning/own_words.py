"""Headlines in their sources' own words: those that teach to say what is so.

Of human headlines, many tell what only the rest of the article says. A writer that learns from
those that do not, and whose headlines are looked at by the rules that answers are held to, is true
to its source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from nacc.data.pairs import clean
from nacc.fitting.reading import dangles
from nacc.learning.packing import by_chunks
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import unlicensed
from nacc.text.meaning import violates
from nacc.text.stem import base
from nacc.text.surface import finish, written
from nacc.text.words import Sentence, split

WORDS = range(6, 61)
"""Of a source that a headline is written for."""
_CHUNK = 500

Row = tuple[str, Sequence[str]]
"""A source and headlines for it, best first."""


def chosen(
    source: str, headlines: Sequence[str], usual: Mapping[str, str], most: int
) -> str | None:
    """The first of the headlines that is in the source's own words but for `most` of them, and
    true by the rules, as the source writes it; "" where none is, None for a source that is no
    sentence to write a headline for.

    usual: how words are usually written, by their keys.
    """
    sentence = split(source)
    if len(sentence.keys) not in WORDS:
        return None
    bases = {base(word) for word in sentence.keys}
    for headline in headlines:
        cleaned = clean(sentence, headline)
        if isinstance(cleaned, str):
            continue
        said = cleaned[1]
        if _new(said, bases) <= most and _is_true(sentence, said, usual):
            return finish(written(said, sentence, usual, "sentence"), sentence, "sentence")[0]
    return ""


def _new(said: Sequence[str], bases: set[str]) -> int:
    content = (word for word in said if word not in FUNCTION_WORDS and word.isalnum())
    return sum(base(word) not in bases for word in content)


def _is_true(sentence: Sentence, said: Sequence[str], usual: Mapping[str, str]) -> bool:
    if dangles(said[-1]) or any(w not in usual and w not in sentence.keys for w in said):
        return False  # or misspelled: a new word is one of the vocabulary
    if unlicensed([usual.get(word, word) for word in said], sentence):
        return False
    return violates(sentence, said) is None


def choose_all(
    rows: Iterable[Row], usual: Mapping[str, str], most: int, processes: int = 1
) -> Iterator[tuple[str, str]]:
    """(source, headline) of the rows in order, the headline empty where none was good enough."""
    with by_chunks(partial(_choose, dict(usual), most), processes, _CHUNK) as choose:
        for done in choose(rows):
            yield from done


def _choose(usual: Mapping[str, str], most: int, rows: list[Row]) -> list[tuple[str, str]]:
    found = ((source, chosen(source, headlines, usual, most)) for source, headlines in rows)
    return [(source, headline) for source, headline in found if headline is not None]
