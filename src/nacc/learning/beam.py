"""Beam search: one word after another, the few most probable beginnings kept.

Each layer keeps what it has seen of the words before, so a step looks at one word. With a room, no
word is said that does not fit what is left of it, and every beginning may end where it stands, at
what the end is worth there: an answer is within the room, its words whole, and was meant to end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from nacc.learning.network import Past, inside, mask_of
from nacc.learning.writing import NEVER, Manner, Source, Written

if TYPE_CHECKING:
    from nacc.learning.autoregressive import Autoregressive

END = 0
_GONE = float("-inf")


@dataclass
class _Beams:
    """The beginnings: (B, k) their scores and what they weigh, (B, k, T) their words."""

    score: Tensor
    weight: Tensor
    said: Tensor

    @classmethod
    def of(cls, sentences: int, beam: int, device: torch.device) -> _Beams:
        score = torch.full((sentences, beam), _GONE, device=device)
        score[:, 0] = 0.0
        nothing = torch.zeros((sentences, beam), dtype=torch.long, device=device)
        return cls(score, nothing, nothing[:, :, None][:, :, :0])


@torch.no_grad()
def search(network: Autoregressive, source: Source, manner: Manner) -> list[list[Written]]:
    """The headlines that were finished, best first."""
    beam, sentences = manner.beam, len(source.pieces)
    encoded = network.encode(source.pieces, source.slots, source.lengths)
    mask = mask_of(inside(encoded, source.lengths), encoded.dtype).repeat_interleave(beam, 0)
    read = [
        (k.repeat_interleave(beam, 0), v.repeat_interleave(beam, 0))
        for k, v in network.read(encoded)
    ]
    keys = network.keys(encoded).repeat_interleave(beam, 0)
    symbols = source.symbols.repeat_interleave(beam, 0)
    sentence = torch.arange(sentences, device=mask.device).repeat_interleave(beam)
    past = [Past() for _ in read]
    given = network.begin.expand(len(mask), 1, -1)
    beams = _Beams.of(sentences, beam, mask.device)
    finished: list[list[Written]] = [[] for _ in range(sentences)]
    for length in range(manner.words.stop):
        state = network.decode(read, mask, given, past)
        values = network.shares(state, keys, mask, symbols)[:, 0]
        _forbid(values, beams, source, manner, length)
        totals = beams.score[:, :, None] + values.view(sentences, beam, -1)
        origin, symbol = _advance(totals, beams, finished, manner)
        if not bool((beams.score > _GONE).any()):
            break
        rows = (torch.arange(sentences, device=mask.device)[:, None] * beam + origin).flatten()
        if beam > 1:
            for one in past:
                one.keep(rows)
        said = beams.said.flatten(0, 1)[rows].view(sentences, beam, -1)
        beams.said = torch.cat([said, symbol[:, :, None]], dim=2)
        beams.weight = beams.weight.gather(1, origin)
        if source.weights is not None:
            beams.weight = beams.weight + source.weights.gather(1, symbol)
        given = network.words(source.spell(sentence, symbol.flatten())[:, None])
    return [_ranked(found, manner) for found in finished]


def _forbid(values: Tensor, beams: _Beams, source: Source, manner: Manner, length: int) -> None:
    """Make impossible, in place, what may not come next."""
    end = values[:, END].clone()
    if length + 1 == manner.words.stop:
        values.fill_(_GONE)
    if manner.again is not None and length:
        said, known = beams.said.flatten(0, 1), len(manner.again)
        twice = ~(manner.again[said.clamp(max=known - 1)] & (said < known))
        twice[:, -1] = True  # never one word twice in a row
        values.scatter_(1, torch.where(twice, said, END), _GONE)
    if source.weights is not None:
        room = (NEVER - 1 if manner.room is None else manner.room) - beams.weight
        heavy = source.weights[:, None, :] > room[:, :, None]
        values.masked_fill_(heavy.flatten(0, 1), _GONE)
    values[:, END] = end if length >= manner.words.start else _GONE


def _advance(
    totals: Tensor, beams: _Beams, finished: list[list[Written]], manner: Manner
) -> tuple[Tensor, Tensor]:
    """Note the headlines that end here; of each beginning that goes on, which it continues and by
    which word. Their scores are put into `beams`."""
    sentences, beam, size = totals.shape
    if manner.room is not None:  # any may end; the others go on
        _note(finished, beams, totals[:, :, END], torch.arange(beam).expand(sentences, beam))
        totals[:, :, END] = _GONE
        beams.score, at = totals.flatten(1).topk(beam)
        return at // size, at % size
    score, at = totals.flatten(1).topk(min(2 * beam, beam * size))
    ends = at % size == END
    ended = score.masked_fill(~ends, _GONE)[:, :beam]
    _note(finished, beams, ended, (at // size)[:, :beam])
    done = torch.tensor([len(found) >= beam for found in finished], device=score.device)
    beams.score, which = score.masked_fill(ends | done[:, None], _GONE).topk(beam)
    at = at.gather(1, which)
    return at // size, at % size


def _note(finished: list[list[Written]], beams: _Beams, ended: Tensor, origin: Tensor) -> None:
    """Keep the headlines that end with these scores (B, n); origin: which beginnings they are."""
    if not bool((ended > _GONE).any()):
        return
    scores, which = ended.tolist(), origin.tolist()
    said, weights = beams.said.tolist(), beams.weight.tolist()
    for i, found in enumerate(finished):
        for score, one in zip(scores[i], which[i], strict=True):
            if score > _GONE:
                found.append(Written(tuple(said[i][one]), score, weights[i][one]))


def _ranked(found: list[Written], manner: Manner) -> list[Written]:
    def worth(one: Written) -> tuple[bool, float]:
        return one.weight >= manner.least, one.score / (len(one.symbols) + 1) ** manner.penalty

    return sorted(found, key=worth, reverse=True)
