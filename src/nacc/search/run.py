"""From sentences to extracts: words out of text, kernels over a pool of threads, words back.

Sentences are independent: the answer depends on the sentence, the settings, and for hill climbing
on the seed and the sentence's number; not on its neighbours or on how many threads there are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.search.ascent import ascent
from nacc.search.climb import climb
from nacc.search.objective import parts
from nacc.search.problem import Problem, fill, gram
from nacc.search.teacher import Teacher
from nacc.search.words import candidates, is_ending, model_key
from nacc.text.words import split

Method = Literal["ascent", "climb"]
MOST_CANDIDATES = 80
"""Words that may be kept beyond these are not looked at."""
_CHUNK = 64


@dataclass(frozen=True)
class Extract:
    """The words kept of a sentence.

    positions: of the kept words among the sentence's words, rising.
    text:      the kept words as the sentence writes them, joined by single spaces.
    score:     weight_lm · log LM + weight_sim · log SIM; lm and sim: log LM and SIM.
    short:     the sentence had no more words than were asked for; all were kept.
    """

    positions: tuple[int, ...]
    text: str
    score: float
    lm: float
    sim: float
    short: bool


def search(
    teacher: Teacher,
    sentences: Iterable[str],
    *,
    words: int | None = None,
    max_length: int | None = None,
    method: Method = "ascent",
    seed: int = 0,
    first_number: int = 0,
    starts: float = 1.0,
    threads: int | None = None,
) -> Iterator[Extract]:
    """The extract of each sentence with the highest score found, in order.

    words: how many words to keep. max_length: or how many characters, spaces included.
    method: "ascent" (dynamic programming and steepest ascent) or "climb" (as published).
    seed, first_number: hill climbing draws by the seed and the sentence's number, the first one's
    being `first_number`. starts: the share of the published number of starts it takes.
    """
    if (words is None) == (max_length is None):
        raise InvalidInput("say either words or max_length")
    asked = max_length if words is None else words
    if asked is None or asked < 1:
        raise InvalidInput(f"{asked} words or characters: say at least 1")
    if method not in get_args(Method):
        raise InvalidInput(f"unknown method {method!r}; known: {', '.join(get_args(Method))}")
    settings = _Settings(teacher, words or 0, max_length or 0, method, seed, starts)
    return _in_order(settings, iter(sentences), first_number, threads or os.cpu_count() or 1)


@dataclass(frozen=True)
class _Settings:
    teacher: Teacher
    words: int
    max_length: int
    method: str
    seed: int
    starts: float


def _in_order(
    settings: _Settings, sentences: Iterator[str], number: int, threads: int
) -> Iterator[Extract]:
    chunks = iter(lambda: list(islice(sentences, _CHUNK)), [])
    numbered = zip(count(number, _CHUNK), chunks, strict=False)
    with ThreadPoolExecutor(threads) as pool:
        waiting = [
            pool.submit(_extract_chunk, settings, *chunk) for chunk in islice(numbered, 2 * threads)
        ]
        while waiting:
            done = waiting.pop(0)
            yield from done.result()
            waiting += [
                pool.submit(_extract_chunk, settings, *chunk) for chunk in islice(numbered, 1)
            ]


def _extract_chunk(settings: _Settings, number: int, sentences: Sequence[str]) -> list[Extract]:
    return [_extract(settings, text, number + i) for i, text in enumerate(sentences)]


def _extract(settings: _Settings, sentence: str, number: int) -> Extract:
    words = split(sentence).words
    positions = candidates(words)[:MOST_CANDIDATES]
    if not positions:
        return Extract((), "", float("-inf"), float("-inf"), 0.0, True)
    chosen = [words[i] for i in positions]
    problem = pose(settings.teacher, chosen, settings.words, settings.max_length)
    kept, short = _kept(settings, problem, number)
    found = [i - 1 for i in np.flatnonzero(kept)]
    score, lm, sim = parts(problem, kept) if found else (-np.inf, -np.inf, 0.0)
    return Extract(
        tuple(positions[i] for i in found),
        " ".join(chosen[i] for i in found),
        float(score),
        float(lm),
        float(sim),
        short,
    )


def pose(teacher: Teacher, chosen: Sequence[str], words: int, max_length: int) -> Problem:
    """What to choose from; `words` or else `max_length` is 0."""
    keys = [model_key(word) for word in chosen]
    endings = np.array([is_ending(word) for word in chosen])
    models, vectors = teacher.models, teacher.vectors
    table = fill(models.arrays, models.ids(keys), endings, models.unknown_cost)
    dots, to_source = gram(
        vectors.weighted, vectors.ids(keys), vectors.unknown_length, teacher.likeness
    )
    return Problem(
        table,
        dots,
        to_source,
        np.array([0, *(len(word) + 1 for word in chosen), 0], np.int64),
        words,
        max_length + 1,  # the last word has no space after it
        teacher.weight_lm,
        teacher.weight_sim,
    )


def _kept(settings: _Settings, problem: Problem, number: int) -> tuple[NDArray[np.bool_], bool]:
    """The flags of the kept words, and whether there was nothing to choose."""
    n = len(problem.costs) - 2
    if n <= problem.words or (not problem.words and problem.costs.sum() <= problem.budget):
        everything = np.ones(n + 2, np.bool_)
        everything[[0, -1]] = False
        return everything, True
    if settings.method == "climb":
        return climb(problem, settings.seed, number, settings.starts), False
    return ascent(problem), False
