"""ROUGE at the target budget while training: the same path a user's sentence takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch

from nacc.decoding import decode_batch
from nacc.evaluation import rouge
from nacc.models.network import Network
from nacc.runtime.inputs import InputEncoder
from nacc.runtime.lattices import Candidates, WordLattice
from nacc.text.pieces import Pieces
from nacc.text.words import UNKNOWN, split
from nacc.training.pairs import MAX_SOURCE_WORDS, read_pairs
from nacc.training.recipe import Recipe

TOP_K = 20


class Validator:
    def __init__(self, recipe: Recipe, data: Path, pieces: Pieces, vocabulary: list[str]) -> None:
        self.budget = recipe.validation.budget
        self.at_least = recipe.validation.at_least
        self.vocabulary = vocabulary
        self.pieces = pieces
        self.sentences: list[tuple[str, ...]] = []
        self.references: list[str] = []
        path = data / "validation.tsv"
        if path.exists():
            for source, headline in islice(read_pairs(path), recipe.validation.sentences):
                self.sentences.append(split(source).keys[:MAX_SOURCE_WORDS])
                self.references.append(headline)

    def score(self, network: Network, device: torch.device) -> tuple[float, float, float]:
        """ROUGE-1, -2 and -L F1, in percent, exact decoding."""
        encoder = InputEncoder(
            self.pieces, self.vocabulary, network.shape.positions, MAX_SOURCE_WORDS
        )
        outputs = [
            " ".join(lattice.keys[i] for i in decoded.tokens)
            for lattice, decoded in self._decoded(network, encoder, device)
        ]
        scores = rouge.score(outputs, self.references)
        return tuple(100 * s.f1 for s in (scores.rouge1, scores.rouge2, scores.rougeL))  # type: ignore[return-value]

    def _decoded(
        self, network: Network, encoder: InputEncoder, device: torch.device
    ) -> Iterator[tuple[WordLattice, object]]:
        lattices = list(lattices_of(network, encoder, self.sentences, device))
        weights = [np.array([len(word) + 1 for word in one.keys]) for one in lattices]
        forbidden = [[i for i, w in enumerate(one.keys) if w in UNKNOWN] for one in lattices]
        for one, weight, unknown in zip(lattices, weights, forbidden, strict=True):
            (decoded,) = decode_batch(
                [one.lattice],
                weight,
                self.budget + 1,
                at_least=self.at_least + 1,
                forbidden=unknown,
            )
            yield one, decoded


@torch.no_grad()
def lattices_of(
    network: Network,
    encoder: InputEncoder,
    sentences: Sequence[Sequence[str]],
    device: torch.device,
    batch: int = 128,
) -> Iterator[WordLattice]:
    """The network's lattices, in order."""
    network.eval()
    for begin in range(0, len(sentences), batch):
        part = [keys[: encoder.fitting(keys)] for keys in sentences[begin : begin + batch]]
        inputs = encoder.batch(part)
        tensors = (inputs.pieces, inputs.slots, inputs.lengths, inputs.symbols)
        moved = (torch.from_numpy(t).to(device) for t in tensors)
        symbols, values, blank = network.candidates(*moved, top_k=TOP_K)
        raw = Candidates(symbols.cpu().numpy(), values.cpu().numpy(), blank.cpu().numpy())
        for row, keys in enumerate(part):
            yield raw.lattice(row, keys, encoder.vocabulary)
