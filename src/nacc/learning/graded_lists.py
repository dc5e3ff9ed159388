"""Graded answers as a network learns from them beside its pairs: packed, and cut into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import InvalidInput
from nacc.fitting.reading import characters
from nacc.learning.batches import Batch, Batches, Batching
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.grading import Choice, Graded, is_held_out, read_lists, worth_of
from nacc.learning.linked import Linked
from nacc.learning.packing import by_chunks
from nacc.learning.scorer import MOST_WORDS
from nacc.length.budget import Budget
from nacc.runtime.conditions import Conditions
from nacc.text.pieces import Pieces
from nacc.text.words import split

LIST_FILE = "graded.npz"
SCORER = 4.0
"""How much the scorer counts beside the paths, where both choose."""


Words = tuple[str, ...]
Ordered = tuple[Words, int, list[tuple[Words, str]]]
"""A source's words, how many characters were asked for, and each answer's words with its grade."""


def ordered_lists(path: Path, processes: int = 1) -> Iterator[Ordered]:
    """The lists that there is something to learn from (no two grades, no order)."""
    with by_chunks(_ordered, processes) as ordered:
        for found in ordered(read_lists(path)):
            yield from found


def _ordered(lists: Sequence[tuple[str, int, list[tuple[str, str]]]]) -> list[Ordered]:
    made = []
    for source, budget, answers in lists:
        sentence = split(source)
        said = [(split(answer).keys, grade) for answer, grade in answers]
        said = [(words, grade) for words, grade in said if 0 < len(words) < MOST_WORDS]
        if sentence.keys and len({grade for _, grade in said}) > 1:
            made.append((sentence.keys, characters(sentence, Budget.of(budget)), said))
    return made


def pack_lists(files: Sequence[Path], processes: int = 1) -> Corpus:
    """Lists as a corpus of answers, whose groups are called by how long an answer was asked for and
    its grade: "44/A", "44/0.9"."""
    ids: dict[str, int] = {}
    names: dict[str, int] = {}
    sources: list[list[int]] = []
    answered: list[list[int]] = []
    group: list[int] = []
    for keys, length, said in (each for path in files for each in ordered_lists(path, processes)):
        source = [ids.setdefault(word, len(ids)) for word in keys[:MAX_SOURCE_WORDS]]
        for words, grade in said:
            sources.append(source)
            answered.append([ids.setdefault(word, len(ids)) for word in words])
            group.append(names.setdefault(f"{length}/{grade}", len(names)))
    if not group:
        raise InvalidInput(f"{', '.join(map(str, files))}: no list to learn from")
    return Corpus(
        list(ids),
        Ragged.of(sources),
        Ragged.of(answered),
        np.asarray(group, np.uint16),
        list(names),
    )


class GradedLists:
    """Packed lists, as batches: so many lists each, of sources of about one length."""

    def __init__(
        self,
        corpus: Corpus,
        cut: Callable[..., Batches],
        told: tuple[Conditions, Pieces, str | None],
        size: int,
        seed: int,
    ) -> None:
        """told: in which voice the answers were asked for; size: lists a batch."""
        lengths, grades = zip(*(name.split("/") for name in corpus.names), strict=True)
        self._worth = np.array([worth_of(grade) for grade in grades], np.float32)[corpus.group]
        conditions, pieces, voice = told
        each = [
            [pieces.id(name) for name in conditions.pieces(voice, int(length))]
            for length in lengths
        ]
        self._batches = cut(corpus, batching=Batching(1, told=np.array(each)[corpus.group]))
        self._first = _beginnings(corpus, np.array(lengths)[corpus.group])
        self._ends = np.append(self._first[1:], len(corpus))
        self._words = corpus.source.lengths[self._first]
        self._size, self._seed = size, seed
        lists = np.arange(len(self._first))
        out = _held_out(corpus, self._first)
        self._taught, self._held_out = lists[~out], lists[out]
        if not len(self._taught):
            raise InvalidInput("no list to learn from")
        self._planned: tuple[int, list[NDArray[np.int64]]] = (-1, [])

    def build(self, number: int) -> Batch:
        """The batch of that number: a function of the seed and the number alone."""
        epoch, at = divmod(number, -(-len(self._taught) // self._size))
        if self._planned[0] != epoch:
            draw = np.random.default_rng([self._seed, epoch])
            plan = list(self._cut(draw.permutation(self._taught)))
            self._planned = epoch, [plan[i] for i in draw.permutation(len(plan))]
        return self._built(self._planned[1][at])

    def _cut(self, lists: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        lists = lists[np.argsort(self._words[lists], kind="stable")]
        return (lists[i : i + self._size] for i in range(0, len(lists), self._size))

    def _built(self, lists: NDArray[np.int64]) -> Batch:
        first, ends = self._first[lists], self._ends[lists]
        sizes = ends - first
        rows = np.concatenate([np.arange(a, b) for a, b in zip(first, ends, strict=True)])
        of = np.repeat(np.arange(len(lists)), sizes)
        begins = np.cumsum(sizes) - sizes
        to = self._batches.device
        graded = Graded(*(torch.from_numpy(a).to(to) for a in (of, self._worth[rows], begins)))
        return replace(self._batches.build(rows), graded=graded)

    @torch.no_grad()
    def choices(self, network: Linked, context: AbstractContextManager[Any]) -> dict[str, float]:
        """Of the lists held out: how often the paths, the scorer and both put an A first, and one
        that is false."""
        network.eval()
        chosen: list[list[float]] = []
        for lists in self._cut(self._held_out):
            batch = self._built(lists)
            pieces, slots, lengths, labels, matches, spoken, _, graded = network.inputs(batch)
            with context:
                paths, scorer = network.values(
                    pieces, slots, lengths, labels, matches, spoken, graded
                )
            table = torch.stack([paths, scorer, paths + SCORER * scorer]).float()
            for at in range(len(lists)):
                here = graded.of == at
                best = table[:, here].argmax(1)
                chosen.append(graded.worth[here][best].tolist())
        found: dict[str, float] = {}
        for by, worth in zip(("paths", "scorer", "both"), zip(*chosen, strict=True), strict=True):
            choice = Choice.of(worth)
            found |= {f"A first by {by}": choice.best, f"F first by {by}": choice.false}
        return found


def _beginnings(corpus: Corpus, told: NDArray[Any]) -> NDArray[np.int64]:
    """The first row of each list: where the source, or what was asked for, is another."""
    starts, lengths, flat = corpus.source.starts, corpus.source.lengths, corpus.source.flat
    sources = [flat[a : a + n].tobytes() for a, n in zip(starts.tolist(), lengths, strict=True)]
    rows = zip(sources, told.tolist(), strict=True)
    begins, before = [], None
    for at, row in enumerate(rows):
        if row != before:
            begins.append(at)
        before = row
    return np.array(begins)


def _held_out(corpus: Corpus, first: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which lists are of a source that is held out."""
    starts, lengths, flat = corpus.source.starts, corpus.source.lengths, corpus.source.flat
    sources = (flat[starts[i] : starts[i] + lengths[i]].tolist() for i in first.tolist())
    return np.array([is_held_out([corpus.lexicon[i] for i in source]) for source in sources])
