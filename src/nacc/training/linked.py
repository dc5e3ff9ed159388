"""Training linked slots, and the scorer beside them, on one device.

    python -m nacc.training.linked DATA RUN --start MODEL --minutes 20

DATA holds corpus.npz, dev.npz, words.txt and cues.json; the run goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from nacc.errors import NaccError
from nacc.models.autoregressive import DecoderLayer
from nacc.models.linked import Linked
from nacc.models.links import Links
from nacc.models.network import Layer
from nacc.models.shape import Shape
from nacc.text.pieces import Pieces
from nacc.training.batches import Batch, Batches
from nacc.training.checkpoint import (
    Progress,
    load_checkpoint,
    load_model,
    read_vocabulary,
    save_checkpoint,
    save_model,
)
from nacc.training.corpus import Corpus
from nacc.training.cues import Cues, headline_lengths
from nacc.training.glancing import Losses, losses
from nacc.training.widen import widen

_OLD = ("piece_embedding", "position_embedding", "embedding_norm", "layers", "word_layers")


@dataclass(frozen=True)
class Options:
    """`glance`: the share of wrong words shown, at the beginning and at the end."""

    minutes: float = 20.0
    updates: int = 1_000_000
    batch_words: int = 49_152
    learning_rate: float = 2e-4
    new_learning_rate: float = 6e-4
    warmup: int = 300
    weight_decay: float = 0.01
    clip: float = 1.0
    hide: float = 0.05
    average: float = 0.998
    glance: tuple[float, float] = (0.5, 0.2)
    scorer: float = 0.4
    drift: float = 0.05
    report_every: int = 100
    validate_every: int = 1000
    checkpoint_every: int = 1000
    seed: int = 1


class Trainer:
    def __init__(self, data: Path, run: Path, start: Path, options: Options) -> None:
        self.options = options
        self.run_folder = run
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        corpus = Corpus.load(data / "corpus.npz")
        vocabulary = read_vocabulary(data / "words.txt")
        cues = Cues.load(data)
        self.network, pieces = begin(start, vocabulary, options.seed)
        self.network.to(self.device)
        pieces = cues.tell(pieces)
        self.average = copy.deepcopy(self.network).eval()
        self.optimizer = _optimizer(self.network, options)
        self.skipped = torch.zeros((), device=self.device)
        self._batches = partial(
            Batches,
            pieces=pieces,
            vocabulary=vocabulary,
            repeat={},
            batch_words=options.batch_words,
            seed=options.seed,
            positions=self.network.shape.positions,
            device=self.device,
            cues=cues,
        )
        self.more = data / "more.npz"
        self.batches = self._batches(corpus, hide=options.hide, weights=weights(corpus))
        self.dev = dev_sets(data / "dev.npz", self._batches)
        run.mkdir(parents=True, exist_ok=True)
        for name in ("words.txt", "cues.json"):
            (run / name).write_bytes((data / name).read_bytes())
        pieces.save(run / "tokenizer.json")
        self.checkpoint = run / "checkpoint.safetensors"
        self.progress = Progress({"pairs": len(corpus), "batch_words": options.batch_words})
        if self.checkpoint.exists():
            self.progress = load_checkpoint(
                self.checkpoint, self.network, self.average, self.optimizer
            )
        if self.device.type == "cuda":
            compile_parts(self.network)

    def run(self, show: Callable[[dict[str, float]], None]) -> None:
        """Update until the time is over, reporting, validating and saving on the way."""
        options, progress = self.options, self.progress
        began = time.monotonic() - progress.seconds
        recent: list[Losses] = []
        words, mark = 0, time.monotonic()
        for batch in self._stream():
            done = max(progress.seconds / (60 * options.minutes), progress.update / options.updates)
            if done >= 1:
                break
            recent.append(self._step(batch, done))
            words += batch.words
            progress.update += 1
            progress.seconds = time.monotonic() - began
            update = progress.update
            if update % options.report_every == 0:
                torch.cuda.synchronize() if self.device.type == "cuda" else None
                now = time.monotonic()
                show({**self._report(recent, done), "words_per_second": words / (now - mark)})
                recent, words, mark = [], 0, now
            if update % options.validate_every == 0:
                show({"update": update, **self.validate()})
            if update % options.checkpoint_every == 0:
                self.save()
            if self.more.exists():
                self._take_more()
        show({"update": progress.update, "seconds": progress.seconds, **self.validate()})
        self.save()

    def _take_more(self) -> None:
        """A larger corpus has arrived in the place of the one we began with."""
        corpus = Corpus.load(self.more)
        self.more.unlink()
        self.batches = self._batches(corpus, hide=self.options.hide, weights=weights(corpus))
        self.progress.batch = 10**9  # the plan is the old corpus's

    def save(self) -> None:
        save_checkpoint(self.checkpoint, self.network, self.average, self.optimizer, self.progress)
        save_model(self.average, self.run_folder)

    def _report(self, recent: list[Losses], done: float) -> dict[str, float]:
        means = {
            f.name: float(torch.stack([getattr(one, f.name) for one in recent]).float().mean())
            for f in fields(Losses)
        }
        if not np.isfinite(list(means.values())).all():
            raise NaccError(f"the loss is no number at update {self.progress.update}: {means}")
        memory = torch.cuda.max_memory_allocated() / 2**30 if self.device.type == "cuda" else 0.0
        about = {"update": self.progress.update, "seconds": self.progress.seconds, "done": done}
        return {
            **about,
            **means,
            "epoch": self.progress.epoch,
            "gib": memory,
            "skipped": float(self.skipped),
        }

    def _stream(self) -> Iterator[Batch]:
        progress = self.progress
        while True:
            plan = self.batches.plan(progress.epoch)
            at = progress.batch
            while at < len(plan) and progress.batch <= len(plan):
                torch.manual_seed(self.options.seed * 1_000_003 + progress.update)
                progress.batch = at = at + 1
                yield self.batches.build(plan[at - 1])
            progress.epoch += 1
            progress.batch = 0

    def _step(self, batch: Batch, done: float) -> Losses:
        options = self.options
        rate = min((self.progress.update + 1) / options.warmup, 1 - done)
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * rate
        first, last = options.glance
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16):
            found = losses(self.network, batch, first + (last - first) * done)
        total = found.paths + options.scorer * (found.scorer + options.drift * found.drift)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(total)
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), options.clip)
        self._update(norm)
        return Losses(*(getattr(found, f.name).detach() for f in fields(Losses)))

    def _update(self, norm: Tensor) -> None:
        """One step, unless a gradient is no number; the GPU is not waited for to know."""
        if self.device.type == "cuda":
            self.optimizer.found_inf = (~torch.isfinite(norm)).float()  # type: ignore[attr-defined]
            self.skipped += self.optimizer.found_inf  # type: ignore[attr-defined]
        elif not torch.isfinite(norm):
            return
        self.optimizer.step()
        self._follow()

    @torch.no_grad()
    def _follow(self) -> None:
        """The running average, which follows faster while it is young."""
        pace = 1 - min(self.options.average, self.progress.update / (self.progress.update + 10))
        average, network = (tuple(part.parameters()) for part in (self.average, self.network))
        torch._foreach_lerp_(average, network, pace)

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """The average's losses on each dev set, without dropout or glancing."""
        scores = {}
        for name, batches in self.dev.items():
            sums, pairs = [0.0, 0.0], 0
            for rows in batches.plan(0):
                torch.manual_seed(0)
                batch = batches.build(rows)
                with torch.autocast(self.device.type, torch.bfloat16):
                    found = losses(self.average, batch, 0.0)
                for i, value in enumerate((found.paths, found.scorer)):
                    sums[i] += float(value) * len(rows)
                pairs += len(rows)
            scores[f"{name}_paths"], scores[f"{name}_scorer"] = (s / pairs for s in sums)
        return scores


def begin(start: Path, vocabulary: list[str], seed: int) -> tuple[Linked, Pieces]:
    """The packaged network with slots, links and a scorer that are new."""
    torch.manual_seed(seed)
    given = load_model(start)
    shape = Shape.from_dict(
        {
            **given.network.shape.to_dict(),
            **{"words": len(vocabulary), "decoder_layers": 3},
            **{"slots": 2, "slot_layers": 3, "link_heads": 8},
        }
    )
    network = Linked(shape)
    widen(network, given.network, given.pieces, vocabulary)
    return network, given.pieces


def weights(corpus: Corpus) -> np.ndarray:
    """Short headlines, of which there are few, oftener; the longest ones less often."""
    lengths = headline_lengths(corpus)
    files = np.array(corpus.files)[corpus.group]
    news = np.isin(files, ["reuters", "compression", "other", "web.strict"])
    by_length = np.select(
        [lengths < 30, lengths < 38, lengths < 70, lengths < 80], [4.0, 2.0, 1.0, 0.8], 0.5
    )
    each = np.where(news, by_length, 1.0)
    return np.asarray(each * np.where(files == "reuters", 2.0, 1.0))


def dev_sets(path: Path, batches: Callable[..., Batches]) -> dict[str, Batches]:
    corpus = Corpus.load(path)
    files = np.array(corpus.files)
    news = {"gigaword", "reuters", "web"}
    sets = {}
    for name in (*sorted(news), "short"):
        wanted = files == name if name in news else ~np.isin(files, sorted(news))
        chosen = wanted[corpus.group].astype(np.float64)
        if chosen.any():
            sets[name] = batches(corpus, hide=0.0, weights=chosen)
    return sets


def compile_parts(network: Linked) -> None:
    """Each kind of layer once; its copies share the code."""
    torch._dynamo.config.recompile_limit = 64
    torch.fx.experimental._config.use_duck_shape = False
    for module in network.modules():
        if isinstance(module, Layer | Links | DecoderLayer):
            module.compile(dynamic=True)


def _optimizer(network: Linked, options: Options) -> torch.optim.Optimizer:
    old: list[nn.Parameter] = []
    new: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        (old if name.startswith(_OLD) else new).append(parameter)
    rates = (options.learning_rate, options.new_learning_rate)
    groups = [{"params": p, "peak": r} for p, r in zip((old, new), rates, strict=True)]
    return torch.optim.AdamW(
        *(groups, options.learning_rate),
        betas=(0.9, 0.98),
        weight_decay=options.weight_decay,
        fused=torch.cuda.is_available(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "run"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--start", type=Path, required=True)
    for field in fields(Options):
        if field.name != "glance":
            kind = int if isinstance(field.default, int) else float
            parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind)
    given = vars(parser.parse_args())
    data, run, start = (given.pop(name) for name in ("data", "run", "start"))
    options = replace(Options(), **{k: v for k, v in given.items() if v is not None})
    trainer = Trainer(data, run, start, options)

    def show(report: dict[str, float]) -> None:
        line = json.dumps({k: round(v, 4) for k, v in report.items()})
        print(line, flush=True)
        with (run / "metrics.jsonl").open("a") as file:
            file.write(line + "\n")

    trainer.run(show)


if __name__ == "__main__":
    main()
