"""A language model that is taught to write headlines, and writes them for a whole corpus.

A prompt is the source, a new line, about how many characters are wanted, and a colon; the headline
follows. Prompts of one batch are equally long, so that none is padded.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - everybody's name for it
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor

from nacc.learning.gguf import Gguf
from nacc.learning.llama import Kept, Llama

STEP = 5  # characters: lengths are told as multiples of this
MOST_TOKENS = 24  # of a headline
LONGEST = 120  # tokens of a prompt; longer ones are left out
ROUND = 8  # tokens: rows are as long as a multiple of it
_NEVER = -1e9

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Teaching:
    """How it is taught: one pass over the pairs, or as many minutes as there are."""

    batch_tokens: int = 32_768
    learning_rate: float = 2e-4
    warmup: int = 40
    minutes: float = 3.0
    epochs: int = 1
    seed: int = 1
    compile: bool = False


class Writer:
    def __init__(self, network: Llama, tokenizer: Tokenizer, end: int) -> None:
        self.network = network
        self.tokenizer = tokenizer
        self.end = end

    @classmethod
    def of(cls, file: Gguf) -> Writer:
        return cls(
            Llama.of(file), tokenizer_of(file), int(file.about["tokenizer.ggml.eos_token_id"])
        )

    def prompts(self, sources: Sequence[str], lengths: Sequence[int]) -> list[list[int]]:
        told = [
            f"{source}\n{max(length // STEP, 2) * STEP}:"
            for source, length in zip(sources, lengths, strict=True)
        ]
        return [found.ids for found in self.tokenizer.encode_batch(told)]

    def headlines(self, texts: Sequence[str]) -> list[list[int]]:
        """What is to follow a prompt, its end included."""
        said = self.tokenizer.encode_batch([" " + text for text in texts])
        return [[*found.ids, self.end] for found in said]

    def teach(
        self,
        pairs: Sequence[tuple[str, str]],
        how: Teaching,
        device: torch.device,
        show: Callable[[dict[str, float]], None] = lambda report: None,
    ) -> None:
        """Learn to write these headlines for these sources."""
        asked = self.prompts([source for source, _ in pairs], [len(h) for _, h in pairs])
        self.learn(asked, self.headlines([h for _, h in pairs]), how, device, show)

    def learn(
        self,
        asked: Sequence[list[int]],
        said: Sequence[list[int]],
        how: Teaching,
        device: torch.device,
        show: Callable[[dict[str, float]], None] = lambda report: None,
    ) -> None:
        """Learn to say this where that is asked, in tokens."""
        keep = [i for i, one in enumerate(asked) if len(one) <= LONGEST]
        rows = [np.array(asked[i] + said[i]) for i in keep]
        begins = np.array([len(asked[i]) for i in keep])

        def loss(batch: Rows) -> Tensor:
            return self._loss([rows[i] for i in batch], begins[batch], device)

        lengths = np.array([len(row) for row in rows])
        taught(self.network.to(device), lengths, loss, how, show)

    def _loss(self, rows: list[Rows], begins: Rows, device: torch.device) -> Tensor:
        """Nats a token of the headlines."""
        width = -(-max(map(len, rows)) // ROUND) * ROUND
        tokens = np.zeros((len(rows), width), np.int64)
        for i, row in enumerate(rows):
            tokens[i, : len(row)] = row
        place = np.arange(width - 1)
        ends = np.array([len(row) for row in rows])
        told = (place >= begins[:, None] - 1) & (place < ends[:, None] - 1)
        x = torch.from_numpy(tokens).to(device)
        where = torch.from_numpy(told).to(device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            known = self.network(x)[:, :-1][where]
            logits = self.network.speak(known)
        return F.cross_entropy(logits.float(), x[:, 1:][where])

    def write(
        self,
        sources: Sequence[str],
        lengths: Sequence[int],
        device: torch.device,
        beams: int = 4,
        batch: int = 768,
    ) -> Iterator[tuple[int, list[str]]]:
        """For each source, by its number and in any order, its best headlines, best first."""
        asked = self.prompts(sources, lengths)
        order = sorted(
            (i for i, one in enumerate(asked) if len(one) <= LONGEST),
            key=lambda i: len(asked[i]),
        )
        network = self.network.to(device).eval()
        if device.type == "cuda":
            network = network.to(torch.bfloat16)
        for rows in equally_long(order, asked, batch):
            tokens = torch.tensor([asked[i] for i in rows], device=device)
            said, there = search(network, tokens, beams, self.end)
            lines = [
                line[:length]
                for line, length in zip(
                    said.flatten(0, 1).tolist(), there.flatten().tolist(), strict=True
                )
            ]
            texts = [text.strip() for text in self.tokenizer.decode_batch(lines)]
            for at, row in enumerate(rows):
                found = texts[at * beams : (at + 1) * beams]
                yield row, [text for text in found if text]


@torch.no_grad()
def search(network: Llama, tokens: Tensor, beams: int, end: int) -> tuple[Tensor, Tensor]:
    """The best endings of equally long prompts (B, T) by beam search, best first by their
    log-probability a token: tokens (B, beams, MOST_TOKENS) and how many there are of each."""
    batch, length = tokens.shape
    device = tokens.device
    kept = network.room(batch, length, network.token_embd.weight)
    state = network(tokens, kept, 0)[:, -1:].expand(-1, beams, -1).flatten(0, 1)
    origin = torch.arange(batch, device=device).repeat_interleave(beams)
    wide = widened(kept, origin, length + MOST_TOKENS)
    alive = torch.full((batch, beams), _NEVER, device=device)
    alive[:, 0] = 0.0
    said = torch.full((batch, beams, MOST_TOKENS), end, device=device)
    ended, sizes = said.clone(), torch.zeros_like(said[:, :, 0])
    best = torch.full_like(alive, _NEVER)
    for step in range(MOST_TOKENS):
        if step:
            last = said[:, :, step - 1].reshape(-1, 1)
            state = network(last, wide, length + step - 1)[:, -1]
        each = network.speak(state)
        total = each.float().logsumexp(1).view(batch, beams, 1)
        each = each.view(batch, beams, -1)
        if not step:
            each[:, :, end] = _NEVER  # a headline is not empty
        likely, words = each.topk(min(2 * beams, each.shape[2]))
        likely = likely.float() - total
        values, at = (alive[:, :, None] + likely).flatten(1).topk(2 * beams)
        origin, words = at // words.shape[2], words.flatten(1).gather(1, at)
        stops = words == end
        # Those that end here, beside those that ended before.
        rated = torch.cat([best, torch.where(stops, values / (step + 1), _NEVER)], 1)
        best, chosen = rated.topk(beams)
        before = said.gather(1, origin[:, :, None].expand(-1, -1, MOST_TOKENS))
        lines = torch.cat([ended, before], 1)
        ended = lines.gather(1, chosen[:, :, None].expand(-1, -1, MOST_TOKENS))
        grown = torch.cat([sizes, torch.full_like(origin, step)], 1)
        sizes = grown.gather(1, chosen)
        # Those that go on.
        alive, chosen = values.masked_fill(stops, _NEVER).topk(beams)
        origin, words = origin.gather(1, chosen), words.gather(1, chosen)
        said = said.gather(1, origin[:, :, None].expand(-1, -1, MOST_TOKENS))
        said[:, :, step] = words
        row = (origin + torch.arange(batch, device=device)[:, None] * beams).flatten()
        for part in (part for pair in wide for part in pair):
            part[:, :, length : length + step] = part[row, :, length : length + step]
        if step % 4 == 0 and bool((alive[:, 0] / (step + 2) < best[:, -1]).all()):
            break
    sizes = sizes.masked_fill(best < _NEVER / 100, 0)
    return ended, sizes


def widened(kept: list[Kept], rows: Tensor, length: int) -> list[Kept]:
    """Room for so many words, with what is kept of these rows in it."""
    wide = []
    for pair in kept:
        made = []
        for part in pair:
            _, heads, used, size = part.shape
            new = part.new_empty((len(rows), heads, length, size))
            new[:, :, :used] = part[rows]
            made.append(new)
        wide.append((made[0], made[1]))
    return wide


def equally_long(order: list[int], asked: list[list[int]], most: int) -> list[list[int]]:
    """The rows, sorted by the length of what they ask, in batches of one length; short and long
    ones come mixed, so that what is written at any time is like the whole."""
    batches: list[list[int]] = []
    for _, same in groupby(order, key=lambda i: len(asked[i])):
        rows = list(same)
        batches += [rows[i : i + most] for i in range(0, len(rows), most)]
    random.Random(1).shuffle(batches)
    return batches


def taught(
    network: Llama,
    lengths: Rows,
    loss: Callable[[Rows], Tensor],
    how: Teaching,
    show: Callable[[dict[str, float]], None],
) -> None:
    """Have a network learn from rows of so many tokens, given the loss of any of them."""
    plan = batches(lengths, how)
    network.train()
    if how.compile:
        network.compile_blocks()
    adam = torch.optim.AdamW(
        network.parameters(), how.learning_rate, (0.9, 0.98), weight_decay=0.01,
        fused=network.token_embd.weight.is_cuda,
    )  # fmt: skip
    start = time.monotonic()
    for update, batch in enumerate(plan):
        spent = (time.monotonic() - start) / (60 * how.minutes)
        done = max(spent, update / len(plan))
        if done >= 1:
            break
        rate = min(1.0, (update + 1) / how.warmup) * (1 - done)
        for group in adam.param_groups:
            group["lr"] = how.learning_rate * rate
        value = loss(batch)
        torch.autograd.backward(value)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        adam.step()
        adam.zero_grad()
        if update % 20 == 0:
            show({"update": update, "done": done, "loss": float(value.detach())})
    network.eval()


def batches(lengths: Rows, how: Teaching) -> list[Rows]:
    """Rows of similar length, so many tokens a batch, in random order, pass after pass."""
    draw = np.random.default_rng(how.seed)
    plan: list[Rows] = []
    for _ in range(how.epochs):
        order = draw.permutation(len(lengths))
        order = order[np.argsort(lengths[order], kind="stable")]
        made, begin = [], 0
        while begin < len(order):
            size = how.batch_tokens // int(-(-lengths[order[begin]] // ROUND) * ROUND)
            made.append(order[begin : begin + max(1, size)])
            begin += max(1, size)
        plan += [made[i] for i in draw.permutation(len(made))]
    return plan


def tokenizer_of(file: Gguf) -> Tokenizer:
    """The byte-level tokenizer that such a file describes; digits stand alone."""
    words = file.about["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in file.about["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE(vocab={w: i for i, w in enumerate(words)}, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    return made
