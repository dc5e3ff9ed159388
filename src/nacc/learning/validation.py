"""ROUGE at the target budget, on lattices of any engine: the network itself, or its export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nacc.decoding import decode
from nacc.decoding.expected import Expected
from nacc.decoding.how import How
from nacc.errors import InvalidInput
from nacc.lattice.words import NetworkOutput, WordLattice
from nacc.learning.batches import Batches, Batching
from nacc.learning.corpus import Corpus
from nacc.learning.metrics import Rouges
from nacc.learning.network import Network
from nacc.learning.recipe import Validation
from nacc.learning.tagging import Tags
from nacc.runtime.inputs import InputEncoder
from nacc.text.overlap import overlap
from nacc.text.words import UNKNOWN_WORDS, split

TOP_K = 20
Sentences = Sequence[Sequence[str]]


class Validator:
    """Validation pairs, ready to be asked for again and again."""

    def __init__(self, pairs: Iterable[tuple[str, str]], options: Validation) -> None:
        self.options = options
        self.sentences: list[tuple[str, ...]] = []
        self.references: list[str] = []
        for source, headline in pairs:
            keys = split(source).keys
            if keys:
                self.sentences.append(keys)
                self.references.append(headline)

    def score(self, lattices: Callable[[Sentences], Iterable[WordLattice]]) -> Rouges:
        """ROUGE-1, -2 and -L F1, in percent, of the best words."""
        return self.score_words(best_words(one, self.options) for one in lattices(self.sentences))

    def score_words(self, said: Iterable[Sequence[str]]) -> Rouges:
        """The same of headlines already written."""
        if not self.references:
            raise InvalidInput("nothing to score: no source has a word")
        pairs = zip(said, self.references, strict=True)
        values = np.array([overlap(" ".join(words), [reference]) for words, reference in pairs])
        rouge1, rouge2, rouge_l = 100 * values.mean(axis=0)[:, 2]
        return float(rouge1), float(rouge2), float(rouge_l)


def best_words(found: WordLattice, options: Validation) -> list[str]:
    """The best words within the budget, spaces between them counted: by exact decoding, or where
    slots are linked by the best path, with what is to be expected."""
    how: How = {"forbidden": [i for i, word in enumerate(found.keys) if word in UNKNOWN_WORDS]}
    if found.lattice.links is not None:
        how |= {"method": "linked", "expected": Expected()}
    decoded = decode(
        found.lattice,
        np.array([len(word) + 1 for word in found.keys], dtype=np.int64),
        options.budget + 1,
        at_least=options.at_least + 1,
        **how,
    )
    return [found.keys[i] for i in decoded.tokens]


class HeldOut:
    """Pairs kept from training, packed as it is (`validation.npz`, where there is one)."""

    def __init__(self, path: Path, cut: Callable[..., Batches], batch_words: int) -> None:
        self._sets: dict[str, Batches] = {}
        if path.exists():
            corpus = Corpus.load(path)
            files = np.array(corpus.files)[corpus.group]
            for name in sorted(set(files.tolist())):
                weights = (files == name).astype(np.float64)
                self._sets[name] = cut(
                    corpus, batching=Batching(batch_words, weights=weights), tags=Tags.load(path)
                )

    @torch.no_grad()
    def losses(self, network: Network, context: AbstractContextManager[Any]) -> dict[str, float]:
        """The mean loss on the pairs of each file, and what it is made of."""
        network.eval()
        found: dict[str, float] = {}
        for name, batches in self._sets.items():
            plan = batches.plan(0)
            pairs = sum(map(len, plan))
            for rows in plan:
                torch.manual_seed(0)
                batch = batches.build(rows)
                with context:
                    table = network(*network.inputs(batch))
                loss = network.loss(table, batch)
                for part, value in {"": loss.total, **loss.parts}.items():
                    label = f"{name} {part}".strip()
                    found[label] = found.get(label, 0.0) + float(value) * len(rows) / pairs
        return found


@torch.no_grad()
def lattices_of(
    network: Network,
    encoder: InputEncoder,
    sentences: Sentences,
    device: torch.device,
    batch: int = 128,
) -> Iterator[WordLattice]:
    """The network's lattices, in order; of each sentence, as much as the network can read."""
    network.eval()
    for begin in range(0, len(sentences), batch):
        part = [keys[: encoder.fitting(keys)] for keys in sentences[begin : begin + batch]]
        inputs = encoder.batch(part)
        arrays = (inputs.pieces, inputs.slots, inputs.lengths, inputs.symbols)
        pieces, slots, lengths, symbols = (torch.from_numpy(a).to(device) for a in arrays)
        found = network.candidates(pieces, slots, lengths, symbols, TOP_K)
        words, values, *rest = (tensor.cpu().numpy() for tensor in found)
        if network.shape.slots:
            links, source = rest
            raw = NetworkOutput(words, values, None, links, network.shape.slots, source)
        else:
            raw = NetworkOutput(words, values, rest[0])
        for row, keys in enumerate(part):
            yield raw.lattice(row, keys, encoder.vocabulary)
