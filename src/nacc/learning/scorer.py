"""A decoder that scores headlines: how probable each word is after those before it.

It reads what the encoder made of the source and writes nothing: all words of all headlines are
scored at once, so a re-ranked answer still takes no word-by-word generation.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.autoregressive import DecoderLayer
from nacc.learning.network import MINUS, initialise
from nacc.learning.shape import Shape

MOST_WORDS = 64


class Scorer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.dropout = shape.dropout
        self.begin = nn.Parameter(torch.zeros(width))
        self.place = nn.Embedding(MOST_WORDS, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.decoder_layers))
        self.transform = nn.Linear(width, width)
        self.transform_norm = nn.LayerNorm(width, eps=1e-12)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.apply(initialise)

    def forward(self, words: Tensor, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """What the output sees before each word and before the end, (B, T + 1, width), and how much
        each source word is pointed at, (B, T + 1, S).

        words: (B, T, width); source: (B, S, width); mask: (B, 1, 1, S), added to the scores.
        """
        x = torch.cat([self.begin.to(words.dtype).expand(len(words), 1, -1), words], dim=1)
        place = torch.arange(x.shape[1], device=x.device)
        return self.look(x, place, place[None, :] <= place[:, None], source, mask)

    def look(
        self, words: Tensor, place: Tensor, known: Tensor, source: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The same of words (B, N, width) that follow each other in some other way.

        place: (N,) how many words come before each; known: (N, N) which each knows of, itself too.
        """
        drop = self.dropout if self.training else 0.0
        x = F.dropout(self.norm(words + self.place(place)), drop)
        later = torch.where(known, 0.0, MINUS).to(x.dtype)[None, None]
        for layer in self.layers:
            assert isinstance(layer, DecoderLayer)
            x = layer(x, later, layer.read(source), mask)
        top: Tensor = self.transform_norm(F.gelu(self.transform(x)))
        pointed = (self.query(x) * x.shape[2] ** -0.5) @ self.key(source).transpose(1, 2)
        return top, pointed.float() + mask[:, 0].float()
