"""The scorer learns from graded answers which of several to put first.

It was trained to say how probable a headline is; what an editor would print is another thing. Lists
of answers to one source, each graded (A runs as it is … F is false), teach it that: the better the
grade, the higher the score is to be. Nothing else of the network learns: what the slots say stays
as it was.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import InvalidInput
from nacc.learning.checkpoint import ModelFolder, load_model, save_model
from nacc.learning.forest import joined
from nacc.learning.graded_lists import ordered_lists
from nacc.learning.grading import HELD_OUT, Choice, Graded, is_held_out, order_loss, worth_of
from nacc.learning.graphs import Scores
from nacc.learning.linked import Linked
from nacc.learning.processes import Processes
from nacc.runtime.conditions import Conditions
from nacc.runtime.inputs import InputEncoder
from nacc.runtime.scorer import tree_feed

SIDE_BY_SIDE = 8
"""Lists that are scored in one pass."""


@dataclass(frozen=True)
class Ordering:
    """How it learns: lists a batch, times each list comes, the highest rate."""

    batch: int = 16
    epochs: int = 1
    learning_rate: float = 6e-5
    warmup: int = 50
    looks: int = 2  # at the lists held out, an epoch
    seed: int = 1


@dataclass(frozen=True, eq=False)
class GradedList:
    """A source, the pieces before it, and some answers with what each is worth; and whether it is
    kept from learning."""

    keys: tuple[str, ...]
    before: tuple[int, ...]
    answers: list[tuple[str, ...]]
    worth: list[float]
    held_out: bool


Show = Callable[[float, Choice], None]
T = TypeVar("T")


def order(
    folder: Path,
    graded: Path,
    style: str,
    how: Ordering,
    show: Show = lambda done, found: None,
    more: Sequence[Path] = (),
) -> tuple[ModelFolder, Choice, Choice]:
    """The model, its scorer taught; and how well it chose among the lists held out, before and
    after. style: the voice that the answers were asked for in; more: lists that it learns from and
    is not measured by (`judge`)."""
    given = load_model(folder)
    network = given.network
    if not isinstance(network, Linked) or network.scorer is None:
        raise InvalidInput(f"{folder} has no scorer to teach")
    lists = list(_lists(folder, given, graded, style))
    held_out = [one for one in lists if one.held_out]
    lists += [one for path in more for one in _lists(folder, given, path, style)]
    taught = [one for one in lists if not one.held_out]
    if not taught:
        raise InvalidInput(f"{graded} has no list to learn from")
    if not held_out:
        raise InvalidInput(f"{graded} has no list to measure by: of one source in {HELD_OUT}")
    teacher = _Teacher(network, _encoder(given), how)
    before = best = teacher.choice(held_out)
    kept = copy.deepcopy(network.scorer.state_dict())
    for done in teacher.learn(taught):
        found = teacher.choice(held_out)
        show(done, found)
        if found.worth > best.worth:
            best, kept = found, copy.deepcopy(network.scorer.state_dict())
    network.scorer.load_state_dict(kept)
    return given, before, best


def save(given: ModelFolder, folder: Path, out: Path) -> None:
    """Write a taught model where the one of that folder may stay."""
    out.mkdir(parents=True, exist_ok=True)
    for name in ("words.txt", "tokenizer.json", "conditions.json"):
        shutil.copyfile(folder / name, out / name)
    save_model(given.network, out)


def _encoder(given: ModelFolder) -> InputEncoder:
    positions = given.network.shape.positions
    return InputEncoder(given.pieces, given.vocabulary, positions, MAX_SOURCE_WORDS)


def _lists(folder: Path, given: ModelFolder, graded: Path, style: str) -> Iterator[GradedList]:
    """The lists as the network is given them."""
    conditions, encoder = Conditions.load(folder), _encoder(given)
    voice = conditions.voice_of(style)
    for source, length, said in ordered_lists(graded):
        keys = source[: encoder.fitting(source)]
        if keys:
            told = conditions.pieces(voice, length)
            before = tuple(given.pieces.id(name) for name in ("[CLS]", *told))
            answers, grades = zip(*said, strict=True)
            worth = [worth_of(grade) or 0.0 for grade in grades]
            yield GradedList(keys, before, list(answers), worth, is_held_out(source))


class _Teacher:
    def __init__(self, network: Linked, encoder: InputEncoder, how: Ordering) -> None:
        self._network, self._encoder, self._how = network.eval(), encoder, how
        self._scores = Scores(network)
        self._here = Processes.join()
        self._sources: dict[GradedList, Tensor] = {}
        for name, parameter in network.named_parameters():
            parameter.requires_grad_(name.startswith("scorer."))

    def learn(self, lists: Sequence[GradedList]) -> Iterator[float]:
        """Learn; says now and then which share is done. Each process has lists of its own."""
        how, here = self._how, self._here
        draw = np.random.default_rng(how.seed)
        parameters = [p for p in self._network.parameters() if p.requires_grad]
        optimizer = torch.optim.AdamW(parameters, lr=how.learning_rate, betas=(0.9, 0.98))
        groups = -(-len(lists) // here.world)  # of a list a process, so that each reads its own
        batches = [
            rows
            for _ in range(how.epochs)
            for rows in _cut(draw.permutation(groups).tolist(), max(1, how.batch // here.world))
        ]
        every = max(1, len(batches) // (how.epochs * how.looks))
        for number, rows in enumerate(batches, 1):
            share = min(number / how.warmup, 1 - (number - 1) / len(batches))
            for group in optimizer.param_groups:
                group["lr"] = how.learning_rate * share
            optimizer.zero_grad()
            mine = [lists[at] for row in rows if (at := row * here.world + here.rank) < len(lists)]
            for part in _cut(mine, SIDE_BY_SIDE):
                loss = len(part) * _loss(self._scored(part))
                torch.autograd.backward(loss / (len(rows) * here.world))
            here.add_up(parameters)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            if number % every == 0 or number == len(batches):
                yield number / len(batches)

    @torch.no_grad()
    def choice(self, lists: Sequence[GradedList]) -> Choice:
        """What the highest score chooses."""
        scored = (one for part in _cut(lists, SIDE_BY_SIDE) for one in self._scored(part))
        return Choice.of([float(worth[scores.argmax()]) for scores, worth in scored])

    def _scored(self, lists: Sequence[GradedList]) -> list[tuple[Tensor, Tensor]]:
        """Each list's scores, as an exported scorer reckons them, and its answers' worth."""
        sources = self._read(lists)
        fed = [
            tree_feed(self._encoder, source.numpy(), one.keys, one.answers)
            for one, source in zip(lists, sources, strict=True)
        ]
        values: Tensor = self._scores(**joined([feed for feed, _ in fed]))
        each = torch.split(values, [len(tree.says) for _, tree in fed])
        return [
            (torch.from_numpy(tree.paths).float() @ edges, torch.tensor(one.worth))
            for one, (_, tree), edges in zip(lists, fed, each, strict=True)
        ]

    @torch.no_grad()
    def _read(self, lists: Sequence[GradedList]) -> list[Tensor]:
        """The vectors of the sources' words, made once: nothing of the encoder learns."""
        new = [one for one in lists if one not in self._sources]
        if new:
            made = self._encoder.batch([one.keys for one in new], [one.before for one in new])
            inputs = (torch.from_numpy(a) for a in (made.pieces, made.slots, made.lengths))
            for one, source in zip(new, self._network.encode(*inputs), strict=True):
                self._sources[one] = source[: len(one.keys)].clone()
        return [self._sources[one] for one in lists]


def _loss(scored: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
    """The mean over the lists."""
    scores, worth = (torch.cat(parts) for parts in zip(*scored, strict=True))
    sizes = torch.tensor([len(one) for one, _ in scored])
    of = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    graded = Graded(of, worth, sizes.cumsum(0) - sizes)
    return order_loss(scores, torch.ones_like(scores, dtype=torch.bool), graded)


def _cut(rows: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (rows[i : i + size] for i in range(0, len(rows), size))
