"""Packing: pairs are read, cleaned and numbered in one pass over their files."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from nacc.data.pairs import Pair, clean, read_signed_pairs
from nacc.errors import InvalidInput
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.recipe import group_name
from nacc.learning.truecase import forms_in
from nacc.text.words import Style, split

MOST_GROUPS = 65_535

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Packed:
    """A corpus; how many pairs were kept, and left out by which reason; and how often the sources
    write each word in which form (`truecase`)."""

    corpus: Corpus
    reasons: Counter[str]
    forms: Counter[str]


def pack(
    files: Sequence[Path],
    *,
    style: Style | None = None,
    voices: Mapping[str, str] | None = None,
    take: Mapping[str, int] | None = None,
    several: Sequence[str] = (),
    most: int | None = None,
    processes: int = 1,
) -> Packed:
    """Read, clean and number the pairs of these files, or every so many-th row of them (`take`),
    or the first ones (`most` rows a file); with `voices`, pairs are grouped by the third column
    too, or where there is none by what that says of their file. A source comes once, but in files
    that have `several` headlines for it once with each."""
    packer = _Packer()
    forms: Counter[str] = Counter()
    with by_chunks(partial(_clean, style), processes) as clean_all:
        for path in files:
            file = group_name(path.name)
            rows = islice(read_signed_pairs(path), 0, most, (take or {}).get(file, 1))
            for chunk in clean_all(rows):
                forms.update(chunk.forms)
                for cleaned, said in chunk.pairs:
                    voice = "" if voices is None else said or voices.get(file, "")
                    packer.add(cleaned, f"{file}/{voice}" if voice else file, file in several)
    if not packer.group:
        reasons = dict(packer.reasons)
        raise InvalidInput(f"no usable pair in {', '.join(map(str, files))}: {reasons}")
    return Packed(_by_frequency(packer.corpus()), packer.reasons, forms)


class _Packer:
    """Pairs as numbers of a lexicon that grows as they come."""

    def __init__(self) -> None:
        self.reasons: Counter[str] = Counter()
        self.group: list[int] = []
        self._names: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        self._source: list[list[int]] = []
        self._target: list[list[int]] = []
        self._seen: set[int] = set()

    def add(self, cleaned: Pair | str, name: str, several: bool = False) -> None:
        """A pair of the group of that name; or the reason why it is left out."""
        if isinstance(cleaned, str):
            self.reasons[cleaned] += 1
            return
        source, target = cleaned
        mark = hash((tuple(source), tuple(target) if several else ()))
        if mark in self._seen:
            self.reasons["source seen before"] += 1
            return
        self._seen.add(mark)
        self.reasons["kept"] += 1
        self._source.append(self._numbers(source))
        self._target.append(self._numbers(target))
        self.group.append(self._names.setdefault(name, len(self._names)))

    def _numbers(self, words: list[str]) -> list[int]:
        return [self._ids.setdefault(word, len(self._ids)) for word in words]

    def corpus(self) -> Corpus:
        if len(self._names) > MOST_GROUPS:
            raise InvalidInput(
                f"{len(self._names)} files and voices; at most {MOST_GROUPS} can be told apart"
            )
        return Corpus(
            list(self._ids),
            Ragged.of(self._source),
            Ragged.of(self._target),
            np.asarray(self.group, dtype=np.uint16),
            list(self._names),
        )


def _by_frequency(corpus: Corpus) -> Corpus:
    """Renumber the lexicon so that frequent words have small ids (they pack better)."""
    counts = np.bincount(
        np.concatenate([corpus.source.flat, corpus.target.flat]), minlength=len(corpus.lexicon)
    )
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Corpus(
        [corpus.lexicon[i] for i in order],
        Ragged(rank[corpus.source.flat].astype(np.int32), corpus.source.lengths),
        Ragged(rank[corpus.target.flat].astype(np.int32), corpus.target.lengths),
        corpus.group,
        corpus.names,
    )


_Raw = tuple[str, str, str]


class _Cleaned(NamedTuple):
    """What became of a chunk of pairs, each with its voice, and the forms of their sources."""

    pairs: list[tuple[Pair | str, str]]
    forms: Counter[str]


def _clean(style: Style | None, rows: list[_Raw]) -> _Cleaned:
    done = _Cleaned([], Counter())
    for source, headline, voice in rows:
        sentence = split(source, style)
        done.forms.update(forms_in(sentence))
        done.pairs.append((clean(sentence, headline, style), voice))
    return done


@contextmanager
def by_chunks(
    job: Callable[[list[T]], U], processes: int, size: int = 2000
) -> Iterator[Callable[[Iterable[T]], Iterator[U]]]:
    """Applies a job to rows, chunk by chunk and in order, in as many processes as asked for."""
    if processes == 1:
        yield lambda rows: map(job, chunks(rows, size))
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:

        def spread(rows: Iterable[T]) -> Iterator[U]:
            waiting: deque[Future[U]] = deque()
            for chunk in chunks(rows, size):  # a bounded number of them is under way
                waiting.append(pool.submit(job, chunk))
                if len(waiting) > 4 * processes:
                    yield waiting.popleft().result()
            for done in waiting:
                yield done.result()

        yield spread


def chunks(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    """The rows, so many at a time."""
    stream = iter(rows)
    while chunk := list(islice(stream, size)):
        yield chunk
