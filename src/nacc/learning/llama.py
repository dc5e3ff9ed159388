"""A small Llama (Touvron et al. 2023): a language model that is taught to write headlines.

It learns from pairs, writes headlines for the default model to learn from, grades answers, and is
never shipped. Sequences of a batch begin at place 0, or all after as many words that are kept, so
that no mask is needed but "not what comes later"; or they are trees, several endings of one
beginning side by side, which are told what each word knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from torch import Tensor, nn

from nacc.learning.gguf import Gguf

Kept = tuple[Tensor, Tensor]
"""Keys and values of one layer: (B, heads, room, width of a head) each."""


class Trees(NamedTuple):
    """Endings that stand behind one beginning each: (B, T) the place of each word in its own line,
    and (B, 1, T, T) which words it knows."""

    places: Tensor
    known: Tensor


@dataclass(frozen=True)
class LlamaShape:
    words: int
    width: int
    layers: int
    heads: int
    shared: int  # heads of keys and values, each for several of queries
    inner: int
    base: float = 10_000.0
    eps: float = 1e-5

    @classmethod
    def of(cls, about: dict[str, Any]) -> LlamaShape:
        """As a GGUF file tells it."""
        return cls(
            words=len(about["tokenizer.ggml.tokens"]),
            width=about["llama.embedding_length"],
            layers=about["llama.block_count"],
            heads=about["llama.attention.head_count"],
            shared=about["llama.attention.head_count_kv"],
            inner=about["llama.feed_forward_length"],
            base=about["llama.rope.freq_base"],
            eps=about["llama.attention.layer_norm_rms_epsilon"],
        )


class Block(nn.Module):
    """Attention to what came before, then a gated layer; each added to what was there."""

    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        width, self.size = shape.width, shape.width // shape.heads
        self.attn_norm = nn.RMSNorm(width, eps=shape.eps)
        self.attn_q = nn.Linear(width, width, bias=False)
        self.attn_k = nn.Linear(width, shape.shared * self.size, bias=False)
        self.attn_v = nn.Linear(width, shape.shared * self.size, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = nn.RMSNorm(width, eps=shape.eps)
        self.ffn_gate = nn.Linear(width, shape.inner, bias=False)
        self.ffn_up = nn.Linear(width, shape.inner, bias=False)
        self.ffn_down = nn.Linear(shape.inner, width, bias=False)

    def forward(
        self,
        x: Tensor,
        turn: tuple[Tensor, Tensor],
        known: Tensor | None = None,
        kept: Kept | None = None,
        at: int = 0,
    ) -> Tensor:
        """x: (B, T, width). With `kept`, a word follows the `at` that are kept there, or T open it
        where `at` is 0; theirs are added."""
        batch, length, width = x.shape
        normed = self.attn_norm(x)
        q, k, v = (
            part(normed).view(batch, length, -1, self.size).transpose(1, 2)
            for part in (self.attn_q, self.attn_k, self.attn_v)
        )
        q, k = _turned(q, turn), _turned(k, turn)
        if kept is not None:
            kept[0][:, :, at : at + length] = k
            kept[1][:, :, at : at + length] = v
            k, v = kept[0][:, :, : at + length], kept[1][:, :, : at + length]
        if known is not None:
            k, v = (part.repeat_interleave(q.shape[1] // k.shape[1], 1) for part in (k, v))
            seen = F.scaled_dot_product_attention(q, k, v, known)
        else:
            seen = F.scaled_dot_product_attention(q, k, v, is_causal=at == 0, enable_gqa=True)
        x = x + self.attn_output(seen.transpose(1, 2).reshape(batch, length, width))
        normed = self.ffn_norm(x)
        added: Tensor = self.ffn_down(F.silu(self.ffn_gate(normed)) * self.ffn_up(normed))
        return x + added


class Llama(nn.Module):
    def __init__(self, shape: LlamaShape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.words, shape.width)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = nn.RMSNorm(shape.width, eps=shape.eps)

    @classmethod
    def of(cls, file: Gguf) -> Llama:
        network = cls(LlamaShape.of(file.about))
        network.load_state_dict({k: torch.from_numpy(v) for k, v in file.tensors.items()})
        return network

    def compile_blocks(self) -> None:
        """One compilation for all blocks and shapes; with words kept, they are run as written."""
        torch._dynamo.config.recompile_limit = 64  # learning and grading, coarsely and not
        for block in self.blk:
            block.compile(dynamic=True)

    def forward(self, tokens: Tensor, kept: list[Kept] | None = None, at: int = 0) -> Tensor:
        """(B, T) tokens → (B, T, width): what is known after each."""
        x = self.token_embd(tokens)
        turn = self._turn(torch.arange(at, at + tokens.shape[1], device=x.device))
        for i, block in enumerate(self.blk):
            assert isinstance(block, Block)
            x = block(x, turn) if kept is None else block.forward(x, turn, None, kept[i], at)
        known: Tensor = self.output_norm(x)
        return known

    def read(self, tokens: Tensor, trees: Trees) -> Tensor:
        """What is known after each of the tokens (B, T) of trees: (B, T, width)."""
        x = self.token_embd(tokens)
        turn = self._turn(trees.places[:, None])
        for block in self.blk:
            x = block(x, turn, trees.known)
        known: Tensor = self.output_norm(x)
        return known

    def speak(self, known: Tensor) -> Tensor:
        """The logits of what comes next: the output shares the input's words."""
        return F.linear(known, self.token_embd.weight)

    def room(self, batch: int, length: int, like: Tensor) -> list[Kept]:
        """Where the keys and values of so many words are kept."""
        shape = self.shape
        size = (batch, shape.shared, length, shape.width // shape.heads)
        return [(like.new_empty(size), like.new_empty(size)) for _ in self.blk]

    def _turn(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines of the angles by which places are told apart: (…, T, size / 2)."""
        size = self.shape.width // self.shape.heads
        rate = self.shape.base ** (-torch.arange(0, size, 2, device=places.device).float() / size)
        angle = places.float()[..., None] * rate
        return angle.cos(), angle.sin()


def _turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Neighbouring values, as pairs, turned by the angles of their places."""
    a, b = x[..., 0::2].float(), x[..., 1::2].float()
    cos, sin = turn
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2).to(x.dtype)
