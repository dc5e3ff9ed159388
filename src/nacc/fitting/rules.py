"""The rules about words: which may not be said, which must be, and numbers that stay whole.

Each works on one sentence's lattice, before it is decoded or on what came out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nacc.decoding.decoded import Decoded
from nacc.errors import InvalidOption
from nacc.fitting.reading import LONGEST, Reading
from nacc.options import Settled
from nacc.text.aliases import stands_for
from nacc.text.function_words import FUNCTION_WORDS
from nacc.text.licence import unlicensed
from nacc.text.meaning import governed
from nacc.text.numbers import half_numbers
from nacc.text.phrases import Phrase, stands_in
from nacc.text.punctuation import NEVER_SAID
from nacc.text.questions import questions
from nacc.text.stem import base
from nacc.text.words import UNKNOWN_WORDS, Style, split

UNSAID = UNKNOWN_WORDS | NEVER_SAID


def forbidden(reading: Reading, options: Settled) -> set[int]:
    """The words not to be said: the caller's, unknown ones, and new ones where it is faithful or
    extracts."""
    keys, source = reading.word_lattice.keys, reading.places
    unwanted = [each for each in _phrases(reading, options.forbidden) if len(each.words) == 1]
    required = required_words(reading, options)
    found = {i for i, word in enumerate(keys) if word in UNSAID}
    for phrase in unwanted:
        found |= {i for i, word in enumerate(keys) if phrase.matches([word])}
    if options.extract or options.faithful:
        kept = () if options.extract else FUNCTION_WORDS | required
        found |= {i for i, word in enumerate(keys) if word not in source and word not in kept}
    return found


def invented(reading: Reading, options: Settled) -> set[int]:
    """New words that this source does not license: names, numbers, words that weigh."""
    required = required_words(reading, options)
    keys = reading.word_lattice.keys
    new = [i for i, word in enumerate(keys) if word not in reading.places and word not in required]
    usual = [reading.spellings.get(keys[i], keys[i]) for i in new]
    return {new[i] for i in unlicensed(usual, reading.sentence)}


def with_novelty(reading: Reading, options: Settled) -> Reading:
    """The reading with new words less likely, those that the source has in no form: what it says
    in its own words is seldom false."""
    found = reading.word_lattice
    if not options.novelty or found.lattice.links is None:
        return reading
    required = required_words(reading, options)
    new = [i for i in reading.content - reading.own if found.keys[i] not in required]
    cost = np.zeros(len(found.keys) + 1)  # the last one is for no word
    cost[new] = options.novelty
    values = found.lattice.values - cost[found.lattice.words]
    return replace(
        reading, word_lattice=replace(found, lattice=replace(found.lattice, values=values))
    )


def governed_words(reading: Reading, options: Settled) -> set[int]:
    """Words that the source denies, doubts or plans: said alone, they would turn it round. Of a
    question there is little left without what it asks: none."""
    keys = reading.sentence.keys
    if questions(keys):
        return set()
    bases = {base(keys[rule.place]) for rule in governed(reading.sentence)}
    required = required_words(reading, options)
    found = enumerate(reading.word_lattice.keys)
    return {i for i, word in found if word not in required and base(word) in bases}


def governors(reading: Reading, answer: Decoded) -> list[int]:
    """What governs the answer's words in the source and is not said with them."""
    keys, ids = reading.sentence.keys, reading.ids
    said = {base(reading.word_lattice.keys[i]) for i in answer.tokens}
    found: dict[int, None] = {}
    for rule in governed(reading.sentence):
        governor = keys[rule.governor]
        if base(keys[rule.place]) in said and base(governor) not in said and governor in ids:
            found[ids[governor]] = None
    return list(found)


def required_phrases(reading: Reading, options: Settled) -> list[tuple[str, ...]]:
    """What must be said, in the text's words, or else in those that the model proposes."""
    found = []
    for written, phrase in zip(options.required, _phrases(reading, options.required), strict=True):
        keys, n = reading.sentence.keys, len(phrase.words)
        place = phrase.found(keys)
        proposed = () if options.extract else reading.word_lattice.keys
        if place is not None:
            found.append(keys[place : place + n])
        elif n > 1 and not phrase.begins and {*keys, *proposed}.issuperset(phrase.words):
            found.append(phrase.words)
        elif (word := next((w for w in proposed if phrase.matches([w])), None)) is not None:
            found.append((word,))
        else:
            raise InvalidOption(
                "required",
                f"required word {written!r} is neither in the text nor among the words the model "
                "proposes for it",
            )
    return found


def required_words(reading: Reading, options: Settled) -> set[str]:
    """All words of what must be said."""
    if not options.required:
        return set()
    return {word for phrase in required_phrases(reading, options) for word in phrase}


def with_required(reading: Reading, options: Settled) -> Reading:
    """Make sure each required word is a candidate: one of the source may stand at its own place."""
    for word in sorted(required_words(reading, options)):
        if word not in reading.ids:
            reading = _add(reading, word)
    return reading


def _phrases(reading: Reading, written: Sequence[str]) -> list[Phrase]:
    known = reading.places.keys() | reading.ids.keys() if written else ()
    return [Phrase.of(each, known) for each in written]


def forbidden_rows(reading: Reading, options: Settled) -> list[Phrase]:
    """What must not be said in a row."""
    return [each for each in _phrases(reading, options.forbidden) if len(each.words) > 1]


def forbidden_ends(reading: Reading, rows: Sequence[Phrase], answer: Decoded) -> set[int]:
    """The last words of what is said in a row and must not be."""
    keys = [reading.word_lattice.keys[i] for i in answer.tokens]
    places = [(phrase.found(keys), len(phrase.words)) for phrase in rows]
    return {answer.tokens[place + n - 1] for place, n in places if place is not None}


def _add(reading: Reading, word: str) -> Reading:
    """The reading with one more candidate, as likely as the likeliest word left out."""
    found = reading.word_lattice
    lattice = found.lattice.with_word(len(found.keys), reading.places[word])
    return replace(reading, word_lattice=replace(found, lattice=lattice, keys=(*found.keys, word)))


def in_source_order(reading: Reading) -> tuple[int, ...]:
    """The source's words in order, of which an extract is some."""
    return tuple(reading.ids[word] for word in reading.sentence.keys if word in reading.ids)


def keeps_rules(text: str, options: Settled) -> bool:
    """Whether a text says what must be said, as it is written, and nothing that must not be."""
    if not (options.required or options.forbidden):
        return True
    if len(text) > LONGEST:
        return False  # nobody looks so far
    sentence = split(text)
    known = frozenset(sentence.keys)

    def said(written: str) -> bool:
        return Phrase.of(written, known).found(sentence.keys) is not None

    return not any(map(said, options.forbidden)) and all(
        said(each) and said_in(text, each, sentence.style) for each in options.required
    )


def said_in(text: str, asked: str, style: Style) -> bool:
    """Whether a text in some style has words as they are asked for; where all tokens are set apart,
    so may theirs be."""
    return stands_in(asked, text, spaced=style == "written")


def made_up(reading: Reading, options: Settled, answer: Decoded) -> set[int]:
    """All new words, where an answer has none that the source has in any form."""
    keys = reading.word_lattice.keys
    asked = options.required or not options.is_tidy
    if asked or not answer.tokens or not reading.own.isdisjoint(answer.tokens):
        return set()
    if any(stands_for(keys[i], reading.sentence.keys) for i in answer.tokens):
        return set()
    return {i for i, word in enumerate(keys) if word not in reading.places}


def broken_numbers(reading: Reading, options: Settled, answer: Decoded) -> set[int]:
    """Halves of numbers: of 150 billion euros, neither 150 euros nor billion euros."""
    if not options.is_tidy or reading.numeric.isdisjoint(answer.tokens):
        return set()
    required = required_words(reading, options)
    keys = [reading.word_lattice.keys[i] for i in answer.tokens]
    halves = half_numbers(
        keys, reading.sentence.keys, lambda i: reading.nearest(keys[i], answer.starts[i])
    )
    return {answer.tokens[i] for i in halves if keys[i] not in required}
