"""What a linked network makes of sentences: their lattices, and its scorer's view of answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nacc.decoding.linked import LinkedLattice
from nacc.models.linked import Linked
from nacc.runtime.inputs import InputEncoder

TOP_K = 20


@dataclass(frozen=True, eq=False)
class Read:
    """A sentence's words, its lattice, and what the encoder made of it (S, width)."""

    words: Sequence[str]
    lattice: LinkedLattice
    source: Tensor


@torch.no_grad()
def read(
    network: Linked, encoder: InputEncoder, sentences: Sequence[Sequence[str]], batch: int = 16
) -> Iterator[Read]:
    """In the given order; sentences of like length go together."""
    parts = [keys[: encoder.fitting(keys)] for keys in sentences]
    order = sorted(range(len(parts)), key=lambda i: len(parts[i]))
    found: list[Read | None] = [None] * len(parts)
    for begin in range(0, len(order), batch):
        rows = order[begin : begin + batch]
        inputs = encoder.batch([parts[i] for i in rows])
        arrays = (inputs.pieces, inputs.slots, inputs.lengths, inputs.symbols)
        pieces, slots, lengths, symbols = map(torch.from_numpy, arrays)
        source = network.encode(pieces, slots, lengths)
        raw = [t.numpy() for t in network.lattice(source, lengths, symbols, TOP_K)]
        for row, i in enumerate(rows):
            lattice = _lattice(raw, row, parts[i], encoder.vocabulary, network.shape.slots)
            found[i] = Read(parts[i], lattice, source[row, : len(parts[i])])
    yield from (one for one in found if one is not None)


def _lattice(
    raw: Sequence[NDArray[np.generic]],
    row: int,
    source: Sequence[str],
    vocabulary: Sequence[str],
    each: int,
) -> LinkedLattice:
    slots = each * len(source)
    symbols, values, links = (part[row] for part in raw)
    known, local = np.unique(symbols[:slots], return_inverse=True)
    size = len(vocabulary)
    keys = tuple(vocabulary[s] if s < size else source[s - size] for s in known.tolist())
    kept = np.concatenate([links[: slots + 1, :slots], links[: slots + 1, -1:]], axis=1)
    words = local.reshape(slots, -1).astype(np.int32)
    return LinkedLattice(words, values[:slots], kept, keys)


@torch.no_grad()
def scores(
    network: Linked,
    encoder: InputEncoder,
    given: Read,
    answers: Sequence[Sequence[str]],
    divide: bool = False,
) -> NDArray[np.float64]:
    """The scorer's log-probability of each answer; without `divide`, but for the sums over the
    vocabulary, which training has kept near 1."""
    longest = max(map(len, answers))
    spelled = [encoder.pieces.of(words) for words in answers]
    wide = max(len(ids) for words in spelled for ids in words)
    spoken = torch.full((len(answers), longest, wide), -1)
    labels = torch.full((len(answers), longest), -1)
    matches = torch.zeros((len(answers), len(given.words), longest), dtype=torch.bool)
    for a, words in enumerate(answers):
        for t, word in enumerate(words):
            ids = spelled[a][t]
            spoken[a, t, : len(ids)] = torch.tensor(ids)
            labels[a, t] = encoder.symbol_of.get(word, -1)
            matches[a, :, t] = torch.tensor([key == word for key in given.words])
    source = given.source.expand(len(answers), -1, -1)
    lengths = torch.full((len(answers),), len(given.words))
    values, _ = network.score(source, lengths, labels, matches, spoken, divide)
    each: NDArray[np.float64] = values.sum(1).double().numpy()
    return each
