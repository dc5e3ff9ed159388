"""From sentences to extracts: words out of text, kernels over all cores, words back.

Sentences are independent: the answer depends on the sentence, the settings, and for hill climbing
on the seed and the sentence's number; not on its neighbours or on how many threads there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nacc.ngrams.trigrams import OTHER
from nacc.parallel import spread
from nacc.search.kernels.ascent import ascent
from nacc.search.kernels.climb import climb
from nacc.search.kernels.objective import score_parts
from nacc.search.kernels.problem import SearchProblem
from nacc.search.kernels.tables import dot_products, window_table
from nacc.search.model import SearchModel
from nacc.search.settings import SearchSettings
from nacc.search.words import candidates, is_ending, model_key
from nacc.text.words import split

MOST_CANDIDATES = 80
"""Words that may be kept beyond these are not looked at."""
_LOT = 64


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


NOTHING = Extract((), "", float("-inf"), float("-inf"), 0.0, True)
"""Of a sentence without a word that may be kept."""


def search(
    model: SearchModel,
    sentences: Iterable[str],
    settings: SearchSettings,
    *,
    first_number: int = 0,
    threads: int | None = None,
) -> Iterator[Extract]:
    """The extract of each sentence with the highest score found, in order.

    first_number: the first sentence's, where climbing goes on with what another run began.
    threads: all cores unless told.
    """

    def extracts(lot: Sequence[tuple[int, str]]) -> list[Extract]:
        return [_extract(model, sentence, settings, number) for number, sentence in lot]

    return spread(extracts, enumerate(sentences, first_number), workers=threads, lot=_LOT)


def _extract(model: SearchModel, sentence: str, settings: SearchSettings, number: int) -> Extract:
    words = split(sentence).words
    positions = candidates(words)[:MOST_CANDIDATES]
    if not positions:
        return NOTHING
    chosen = [words[i] for i in positions]
    problem = search_problem(model, chosen, settings)
    kept, short = _kept(problem, settings, number)
    return _scored(problem, kept, positions, chosen, short)


def scored(
    model: SearchModel, sentence: str, answers: Iterable[Sequence[int]], settings: SearchSettings
) -> list[Extract]:
    """The extracts that keep the words at these places, each with its score; an answer with a
    place whose word may not be kept is none."""
    words = split(sentence).words
    positions = candidates(words)[:MOST_CANDIDATES]
    if not positions:
        return []
    chosen = [words[i] for i in positions]
    problem = search_problem(model, chosen, settings)
    place = {position: i + 1 for i, position in enumerate(positions)}
    found = []
    for answer in answers:
        if answer and place.keys() >= set(answer):
            kept = np.zeros(len(positions) + 2, np.bool_)
            kept[[place[position] for position in answer]] = True
            found.append(_scored(problem, kept, positions, chosen, False))
    return found


def _scored(
    problem: SearchProblem,
    kept: NDArray[np.bool_],
    positions: Sequence[int],
    chosen: Sequence[str],
    short: bool,
) -> Extract:
    found = [int(i) - 1 for i in np.flatnonzero(kept)]
    score, lm, sim = score_parts(problem, kept) if found else (-np.inf, -np.inf, 0.0)
    return Extract(
        tuple(positions[i] for i in found),
        " ".join(chosen[i] for i in found),
        float(score),
        float(lm),
        float(sim),
        short,
    )


def search_problem(
    model: SearchModel, chosen: Sequence[str], settings: SearchSettings
) -> SearchProblem:
    """What to choose from: all terms of the words that may be kept, looked up once."""
    keys = [model_key(word) for word in chosen]
    endings = np.array([is_ending(word) for word in chosen])
    trigrams, vectors = model.trigrams, model.vectors
    ids = trigrams.ids(keys)
    penalties = np.where(ids == OTHER, trigrams.unknown_cost, 0.0)
    dots, to_source = dot_products(
        vectors.weighted, vectors.ids(keys), vectors.unknown_length, model.likeness
    )
    return SearchProblem(
        window_table(trigrams.arrays, ids, penalties, endings),
        dots,
        to_source,
        np.array([0, *(len(word) + 1 for word in chosen), 0], np.int64),
        settings.words or 0,
        (settings.max_length or 0) + 1,  # the last word has no space after it
        model.weight_lm,
        model.weight_sim,
    )


def _kept(
    problem: SearchProblem, settings: SearchSettings, number: int
) -> tuple[NDArray[np.bool_], bool]:
    """The flags of the kept words, and whether there was nothing to choose."""
    n = len(problem.costs) - 2
    if n <= problem.words or (not problem.words and problem.costs.sum() <= problem.budget):
        everything = np.ones(n + 2, np.bool_)
        everything[[0, -1]] = False
        return everything, True
    if settings.method == "climb":
        return climb(problem, settings.seed, number, settings.starts), False
    return ascent(problem), False
