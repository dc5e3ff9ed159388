"""From pairs to a search model: headlines for its language models, sources for its vectors.

Nothing looks at which headline belongs to which source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nacc.data.pairs import headline_words, read_pairs
from nacc.ngrams.trigrams import Trigrams
from nacc.search.model import SearchModel
from nacc.search.vectors import Vectors
from nacc.search.words import is_telegraphic, may_be_kept, model_key, said
from nacc.text.words import split

HELD_OUT = 1000
"""One headline in so many is kept from training."""
_TOLD_EVERY = 20_000
Tell = Callable[[str], None]


@dataclass(frozen=True)
class SearchTraining:
    """What a search model is trained with (`nacc search-model` says what each is)."""

    vocabulary: int = 100_000
    dimension: int = 200
    epochs: int = 2
    weight_lm: float = 1.0
    weight_sim: float = 12.0
    likeness: float = 0.25
    seed: int = 0


def train_search_model(
    headlines: Sequence[Path],
    sources: Sequence[Path],
    how: SearchTraining,
    tell: Tell = lambda doing: None,
) -> tuple[SearchModel, list[list[str]]]:
    """The model, and the headlines that were held out."""
    held_out: list[list[str]] = []
    trigrams = Trigrams.train(
        _held_back(_headlines(headlines, tell), held_out), vocabulary_size=how.vocabulary
    )
    tell("reading sources")
    vectors = Vectors.train(
        _sources(sources, tell),
        dimension=how.dimension,
        vocabulary_size=how.vocabulary,
        epochs=how.epochs,
        seed=how.seed,
        told=lambda done, all_: tell(f"word vectors: {done:,} of {all_:,} sentences"),
    )
    model = SearchModel(trigrams, vectors, how.weight_lm, how.weight_sim, how.likeness)
    return model, held_out


def _headlines(files: Sequence[Path], tell: Tell) -> Iterator[list[str]]:
    counted = 0
    for path in files:
        for number, (_, headline) in enumerate(read_pairs(path)):
            words = [word for word in headline_words(headline) if may_be_kept(word)]
            if is_telegraphic(words):
                counted += 1
                yield [model_key(word) for word in words]
            if number % _TOLD_EVERY == 0:
                tell(f"reading {path.name}: {counted:,} telegraphic headlines")


def _held_back(headlines: Iterator[list[str]], held_out: list[list[str]]) -> Iterator[list[str]]:
    for number, headline in enumerate(headlines, 1):
        if number % HELD_OUT == 0:
            held_out.append(headline)
        else:
            yield headline


def _sources(files: Sequence[Path], tell: Tell) -> Iterator[list[str]]:
    for path in files:
        for number, (source, _) in enumerate(read_pairs(path)):
            yield said(split(source).words)
            if number % _TOLD_EVERY == 0:
                tell(f"reading {path.name}: {number:,} sources")
