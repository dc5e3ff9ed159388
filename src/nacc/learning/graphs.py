"""Networks as ONNX graphs: the one that gives a sentence's lattice, the one that scores answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.learning.linked import Linked
from nacc.learning.network import MINUS, Network, inside
from nacc.learning.scorer import MOST_WORDS
from nacc.learning.shortlist import Shortlist
from nacc.learning.slot_words import best_words, edges, log_total, own_words
from nacc.runtime.inputs import InputEncoder

OPSET = 18


class Candidates(nn.Module):
    """A batch of sentences to the raw parts of their lattices."""

    def __init__(self, network: Network, top_k: int) -> None:
        super().__init__()
        self.network = network
        self.top_k = top_k

    def forward(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor
    ) -> tuple[Tensor, ...]:
        return self.network.candidates(pieces, slots, lengths, symbols, self.top_k)


class ListedCandidates(nn.Module):
    """The same of linked slots, over a list of words that is made for each sentence."""

    def __init__(self, network: Linked, top_k: int, tops: Tensor) -> None:
        super().__init__()
        self.network = network
        self.top_k = top_k
        bias = network._bias().detach()
        self.shortlist = Shortlist(network.output.weight.detach(), bias, tops)

    def forward(
        self, pieces: Tensor, slots: Tensor, lengths: Tensor, symbols: Tensor
    ) -> tuple[Tensor, ...]:
        network, words = self.network, self.network.shape.words
        source = network.encode(pieces, slots, lengths)
        state, links = network.link(source, lengths)
        top = network.top(state)
        listed, rest = self.shortlist(top, inside(state, network.shape.slots * lengths))
        both = torch.cat([listed, symbols.clamp(max=words - 1)], dim=1)
        known = F.embedding(both, network.output.weight)
        said = top @ known.transpose(1, 2) + self.shortlist.bias[both][:, None, :]
        there, own = said[:, :, : listed.shape[1]], said[:, :, listed.shape[1] :]
        copy = network.pointed(state, source, lengths)
        own = own_words(own, copy, symbols, words)
        values, at = there.topk(self.top_k + 1, dim=2)
        total = torch.logaddexp(log_total(there, values[:, :, :1], at[:, :, :1]), rest)
        total = torch.logaddexp(total, torch.logsumexp(copy, 2, True))
        which = listed[:, None, :].expand(-1, at.shape[1], -1).gather(2, at)
        which, best = best_words(values, which, own, symbols, self.top_k)
        return which, best - total, edges(links, state.shape[1]), source


class Scores(nn.Module):
    """Answers to one sentence, as a tree of their beginnings, to the scores of the tree's edges.

    The output's weights are a table that rows are taken from, as in the other graph: both can read
    the same bytes.
    """

    def __init__(self, network: Linked) -> None:
        super().__init__()
        assert network.scorer is not None
        self.network = network

    def forward(
        self,
        source: Tensor,
        pieces: Tensor,
        depth: Tensor,
        ancestors: Tensor,
        parent: Tensor,
        label: Tensor,
        matches: Tensor,
        own: Tensor | None = None,
    ) -> Tensor:
        """log P of each edge's word after its parent's, not divided by the sum over words: (E,).

        source:    (S, width) the sentence's word vectors
        pieces:    (N, P) the last word of each beginning, −1 past its end; node 0 has none
        depth:     (N,) how many words each beginning has
        ancestors: (N, N) whether node j is a beginning of node i, or node i itself
        parent:    (E,) the node that an edge leaves
        label:     (E,) the vocabulary id of what it adds, 0 for the end, −1 if it is not there
        matches:   (E, S) whether source word s is what it adds
        own:       (N, S) whether source word s is of a node's own sentence; None: there is but one
        """
        network, scorer = self.network, self.network.scorer
        assert isinstance(network, Linked) and scorer is not None
        words = torch.where((depth == 0)[:, None], scorer.begin, network.spell(pieces[None])[0])
        place = depth.clamp(max=MOST_WORDS - 1)
        mask = torch.zeros_like(source[None, None, None, :, 0])
        if own is not None:
            mask = mask.masked_fill(~own, MINUS)
        top, pointed = scorer.look(words[None], place, ancestors, source[None], mask)
        there = label.clamp(min=0)
        known = F.embedding(there, network.output.weight)
        said = (top[0][parent] * known).sum(1) + network.output.bias.index_select(0, there)
        said = said.masked_fill(label < 0, MINUS)
        copied = torch.logsumexp(pointed[0][parent].masked_fill(~matches, MINUS), 1)
        return torch.logaddexp(said, copied)


def write_candidates(
    network: Network, encoder: InputEncoder, top_k: int, path: Path, tops: Tensor | None = None
) -> None:
    """tops: by which a list of words is chosen for each sentence; None: all words are looked at."""
    sample = encoder.batch([["a", "small", "example", "."], ["another"]])
    arrays = (sample.pieces, sample.slots, sample.lengths, sample.symbols)
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length")
    slots = torch.export.Dim("slots", max=MAX_SOURCE_WORDS)
    linked = isinstance(network.eval(), Linked)
    graph: nn.Module = Candidates(network, top_k)
    if isinstance(network, Linked) and tops is not None:
        graph = ListedCandidates(network, top_k, tops)
    _write(
        graph,
        tuple(torch.from_numpy(a) for a in arrays),
        path,
        {
            "pieces": {0: batch, 1: length},
            "slots": {0: batch, 1: slots},
            "lengths": {0: batch},
            "symbols": {0: batch, 1: slots},
        },
        ["words", "values", "links", "source"] if linked else ["words", "values", "blank"],
    )


def write_scores(network: Linked, path: Path) -> None:
    spelled = torch.tensor([[-1, -1], [7, -1], [8, 9], [6, -1]])
    ancestors = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 1]]).bool()
    sample = (
        torch.randn(5, network.shape.width),
        spelled % network.shape.pieces,
        ancestors.sum(1) - 1,
        ancestors,
        torch.tensor([0, 1, 0, 2, 3]),
        torch.tensor([3, -1, 4, 0, 0]),
        torch.zeros(5, 5).bool(),
    )
    words, nodes, wide, edges = (torch.export.Dim(n) for n in ("words", "nodes", "wide", "edges"))
    _write(
        Scores(network.eval()),
        sample,
        path,
        {
            "source": {0: words},
            "pieces": {0: nodes, 1: wide},
            "depth": {0: nodes},
            "ancestors": {0: nodes, 1: nodes},
            "parent": {0: edges},
            "label": {0: edges},
            "matches": {0: edges, 1: words},
        },
        ["values"],
    )


def _write(
    graph: nn.Module,
    sample: tuple[Tensor, ...],
    path: Path,
    shapes: dict[str, dict[int, Any]],
    outputs: Sequence[str],
) -> None:
    torch.onnx.export(
        graph,
        sample,
        str(path),
        input_names=list(shapes),
        output_names=outputs,
        dynamic_shapes=tuple(shapes.values()),
        opset_version=OPSET,
        dynamo=True,
        external_data=False,
        verbose=False,
    )
