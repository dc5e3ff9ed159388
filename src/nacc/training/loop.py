"""The training loop: read top to bottom, it is what happens.

One process or several (torchrun): every process builds each batch's share for itself, gradients are
averaged by DistributedDataParallel, process 0 validates and writes. Killed at any moment, it goes
on from the last checkpoint.
"""

from __future__ import annotations

import copy
import json
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from nacc.errors import BadModel
from nacc.models import minilm
from nacc.models.ctc import negative_log_likelihood
from nacc.models.network import MINUS, Network, Shape
from nacc.text.pieces import Pieces
from nacc.training.batches import Batch, Batches
from nacc.training.checkpoint import (
    load_checkpoint,
    load_model,
    read_vocabulary,
    save_checkpoint,
    save_model,
)
from nacc.training.corpus import Corpus
from nacc.training.recipe import Recipe, Training
from nacc.training.tokenizer import word_tokenizer
from nacc.training.validation import Validator


@dataclass(frozen=True)
class Report:
    """What the display shows and the metrics file keeps."""

    update: int
    updates: int
    loss: float
    learning_rate: float
    words_per_second: float
    seconds_left: float
    unaligned: int
    rouge: tuple[float, float, float] | None = None


def train(
    recipe: Recipe,
    data: Path,
    run: Path,
    *,
    resume: bool = True,
    show: Callable[[Report], None] = lambda report: None,
) -> Path:
    """Train as the recipe says on a prepared folder; gives the folder of the best model."""
    rank, world, device = _processes()
    best = run / "best"
    best.mkdir(parents=True, exist_ok=True)
    pieces, vocabulary, network = _begin(recipe, data)
    if rank == 0:
        shutil.copy(data / "words.txt", best / "words.txt")
        pieces.save(best / "tokenizer.json")
    network.to(device)
    options = recipe.training
    average = copy.deepcopy(network) if options.average else network
    optimizer = _optimizer(network, options)
    progress: dict[str, Any] = {"update": 0, "epoch": 0, "batch": 0, "best": -1.0, "unaligned": 0}
    progress |= {"recipe": recipe.name, "seconds": 0.0}
    checkpoint = run / "checkpoint.safetensors"
    if resume and checkpoint.exists():
        found = load_checkpoint(checkpoint, network, average, optimizer)
        if found["recipe"] != recipe.name:
            raise BadModel(f"{checkpoint} belongs to recipe {found['recipe']}, not {recipe.name}")
        progress = found
    if world > 1:  # each process draws its own dropout
        torch.manual_seed(recipe.seed + rank + 1000 * progress["update"])
    batches = Batches(
        Corpus.load(data / "corpus.npz"),
        pieces,
        vocabulary,
        repeat=recipe.data.repeat,
        batch_words=options.batch_words,
        hide=options.hide,
        seed=recipe.seed,
        device=device,
    )
    validator = Validator(recipe, data, pieces, vocabulary) if rank == 0 else None
    model: nn.Module = network
    if world > 1:
        model = nn.parallel.DistributedDataParallel(network, find_unused_parameters=True)
    torch.fx.experimental._config.use_duck_shape = False  # type: ignore[attr-defined]
    forward = torch.compile(model, dynamic=True) if options.compile else model
    metrics = (run / "metrics.jsonl").open("a", encoding="utf-8") if rank == 0 else None
    clock = _Clock(options, progress["seconds"])
    for batch in _stream(batches, progress, rank, world):
        if progress["update"] >= options.updates or clock.done(progress["update"]) >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * _schedule(
                options, progress["update"], clock.done(progress["update"])
            )
        network.train()
        loss, unaligned = _step(forward, batch, optimizer, network, options, device)
        progress["update"] += 1
        _follow(average, network, options.average, progress["update"])
        clock.add(loss, batch.words * world, unaligned)
        update = progress["update"]
        progress["seconds"] = clock.seconds
        last = update == options.updates or clock.done(update) >= 1
        rouge = None
        validate = update % options.validate_every == 0 or last
        if validate and validator is not None and validator.sentences:
            rouge = validator.score(average, device)
            if sum(rouge) > progress["best"]:
                progress["best"] = sum(rouge)
                save_model(average, best)
        if rank == 0 and (update % 50 == 0 or validate):
            report = clock.report(update, optimizer.param_groups[0]["lr"], rouge)
            progress["unaligned"] += report.unaligned
            show(report)
            assert metrics is not None
            metrics.write(json.dumps(vars(report)) + "\n")
            metrics.flush()
        if rank == 0 and (update % options.checkpoint_every == 0 or last):
            save_checkpoint(checkpoint, network, average, optimizer, progress)
    if rank == 0 and (validator is None or not validator.sentences):
        save_model(average, best)
    if world > 1:
        dist.barrier()
        dist.destroy_process_group()
    return best


def _processes() -> tuple[int, int, torch.device]:
    world = int(os.environ.get("WORLD_SIZE", "1"))
    cuda = torch.cuda.is_available()
    if world > 1 and not dist.is_initialized():
        dist.init_process_group("nccl" if cuda else "gloo")
    rank = dist.get_rank() if world > 1 else 0
    if not cuda:
        return rank, world, torch.device("cpu")
    torch.set_float32_matmul_precision("high")
    local = int(os.environ.get("LOCAL_RANK", "0"))
    torch.cuda.set_device(local)
    return rank, world, torch.device("cuda", local)


def _begin(recipe: Recipe, data: Path) -> tuple[Pieces, list[str], Network]:
    torch.manual_seed(recipe.seed)
    vocabulary = read_vocabulary(data / "words.txt")
    if recipe.start not in ("scratch", "minilm"):
        given = load_model(Path(recipe.start))
        if given.vocabulary != vocabulary:
            raise BadModel(f"{data} was prepared for another vocabulary than {recipe.start}")
        return given.pieces, vocabulary, given.network
    tied = bool(recipe.model.get("tied"))
    if recipe.start == "minilm":
        pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    else:
        pieces = word_tokenizer(vocabulary)
    if tied and len(pieces) != len(vocabulary):
        raise BadModel("a tied output needs whole words as pieces: start from scratch")
    shape = Shape.from_dict({**recipe.model, "pieces": len(pieces), "words": len(vocabulary)})
    network = Network(shape)
    if recipe.start == "minilm":
        minilm.fill(network, pieces, vocabulary)
    return pieces, vocabulary, network


def _optimizer(network: Network, options: Training) -> torch.optim.Optimizer:
    """AdamW; the new parts (output, pointer) may learn at a rate of their own."""
    encoder, head = [], []
    for name, parameter in network.named_parameters():
        old = name.startswith(("piece_embedding", "position_embedding", "embedding_norm", "layers"))
        (encoder if old else head).append(parameter)
    rates = (options.learning_rate, options.head_learning_rate or options.learning_rate)
    groups = [{"params": p, "peak": r} for p, r in zip((encoder, head), rates, strict=True)]
    return torch.optim.AdamW(
        groups, lr=options.learning_rate, betas=options.betas, weight_decay=options.weight_decay
    )


def _schedule(options: Training, update: int, done: float) -> float:
    """The share of the peak learning rate, `done` of the run being behind us."""
    if options.schedule == "inverse-sqrt":
        return math.sqrt(max(1, options.warmup) / max(options.warmup, update + 1)) * min(
            1.0, (update + 1) / max(1, options.warmup)
        )
    return min((update + 1) / max(1, options.warmup), max(0.0, 1 - done))


def _stream(batches: Batches, progress: dict[str, Any], rank: int, world: int) -> Iterator[Batch]:
    """This process's share of the batches, from where `progress` stands; epoch after epoch."""
    while True:
        plan = batches.plan(progress["epoch"])
        usable = len(plan) - len(plan) % world or len(plan)
        for at in range(progress["batch"], usable, world):
            progress["batch"] = at + world
            yield batches.build(plan[min(at + rank, len(plan) - 1)])
        progress["epoch"] += 1
        progress["batch"] = 0


def _step(
    forward: Callable[..., Tensor],
    batch: Batch,
    optimizer: torch.optim.Optimizer,
    network: Network,
    options: Training,
    device: torch.device,
) -> tuple[Tensor, Tensor]:
    bf16 = options.precision == "bf16"
    with torch.autocast(device.type, torch.bfloat16) if bf16 else nullcontext():
        table = forward(batch.pieces, batch.slots, batch.lengths, batch.labels, batch.matches)
    nll = negative_log_likelihood(table, batch.targets, batch.source_lengths, batch.target_lengths)
    aligned = nll < -MINUS / 2  # beyond: a label that no slot can say
    words = torch.tensor(batch.target_lengths, device=device).clamp(min=1)
    each = torch.where(aligned, nll, 0.0) / words
    loss = each.sum() / aligned.sum().clamp(min=1)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), options.clip)
    optimizer.step()
    return loss.detach(), (~aligned).sum()


@torch.no_grad()
def _follow(average: Network, network: Network, decay: float, update: int) -> None:
    """Move the running average towards the network, faster while it is young."""
    if average is not network:
        pace = 1 - min(decay, update / (update + 10))
        torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), pace)


class _Clock:
    """Running loss, speed and time left; tensors are read only when a report is made."""

    def __init__(self, options: Training, seconds: float) -> None:
        self._updates = options.updates
        self._limit = options.minutes * 60
        self._mark = time.monotonic()
        self._begin = self._mark - seconds
        self._losses: list[Tensor] = []
        self._unaligned: list[Tensor] = []
        self._words = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    def done(self, update: int) -> float:
        """How much of the run is over, 0 to 1: by the clock where it has one, else by updates."""
        return self.seconds / self._limit if self._limit else update / self._updates

    def add(self, loss: Tensor, words: int, unaligned: Tensor) -> None:
        self._losses.append(loss)
        self._unaligned.append(unaligned)
        self._words += words

    def report(self, update: int, rate: float, rouge: tuple[float, float, float] | None) -> Report:
        loss = float(torch.stack(self._losses).mean())
        unaligned = int(torch.stack(self._unaligned).sum())
        now = time.monotonic()
        speed = self._words / max(1e-9, now - self._mark)
        self._losses, self._unaligned, self._words, self._mark = [], [], 0, now
        left = max(0.0, self.seconds * (1 / max(1e-9, self.done(update)) - 1))
        return Report(update, self._updates, loss, rate, speed, left, unaligned, rouge)
