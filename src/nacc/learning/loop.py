"""The training loop: read top to bottom, it is what happens.

One process or several (torchrun): every process builds each batch's share for itself, gradients are
averaged by DistributedDataParallel, process 0 validates and writes. Killed at any moment, it goes
on from the last checkpoint; chance is a function of the seed, the update and the process alone, so
that it goes on as if nothing had happened.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from nacc.data.pairs import MAX_SOURCE_WORDS, read_pairs
from nacc.errors import BadModel, InvalidInput
from nacc.learning.batches import Batch, Batches, Batching
from nacc.learning.checkpoint import RunState, load_checkpoint, save_checkpoint, save_model
from nacc.learning.corpus import Corpus
from nacc.learning.distil import within
from nacc.learning.graded_lists import LIST_FILE, GradedLists
from nacc.learning.lessons import lessons
from nacc.learning.linked import Counts, Linked
from nacc.learning.metrics import Clock, MetricsFile, Rouges, TrainingReport
from nacc.learning.network import Loss
from nacc.learning.optimizing import follow, let_learn, optimizer_of, schedule
from nacc.learning.parallel import Tagged
from nacc.learning.processes import Processes
from nacc.learning.recipe import Recipe
from nacc.learning.start import begin, conditions_of
from nacc.learning.tagging import Tags
from nacc.learning.validation import HeldOut, Validator, lattices_of
from nacc.learning.writing import Manner, Writer, Writes
from nacc.runtime.folder import lines
from nacc.runtime.inputs import InputEncoder

REPORT_EVERY = 50
Show = Callable[[TrainingReport], None]


def train(
    recipe: Recipe,
    data: Path,
    run: Path,
    *,
    resume: bool = True,
    show: Show = lambda report: None,
) -> Path:
    """Train as the recipe says on a prepared folder; gives the folder of the best model."""
    here = Processes.join()
    trainer = Trainer(recipe, data, run, here, resume=resume)
    trainer.run(show)
    here.leave()
    return trainer.best


class Trainer:
    """A run: the network and all that training it needs, from the start or a checkpoint."""

    def __init__(
        self, recipe: Recipe, data: Path, run: Path, here: Processes, *, resume: bool
    ) -> None:
        self.here = here
        self.options = recipe.training
        self.seed = recipe.seed
        self.best = run / "best"
        self.checkpoint = run / "checkpoint.safetensors"
        pieces, vocabulary, network = begin(recipe, data)
        corpus, weights = _taught(recipe, data)
        tags = Tags.load(data / "corpus.npz") if isinstance(network, Tagged) else None
        if isinstance(network, Tagged):
            network.see(tags, corpus, vocabulary)
        conditions = conditions_of(recipe, corpus, pieces, network)
        if conditions:
            pieces = conditions.before(pieces)
        self.network = network.to(here.device)
        let_learn(network, self.options.learn)
        if isinstance(network, Linked):
            network.sampled = self.options.sampled
            network.counts = _counts(recipe)
        self.average = copy.deepcopy(network).eval() if self.options.average else network
        self.optimizer = optimizer_of(network, self.options)
        self.state = self._begun(recipe, len(corpus), resume)
        size, hide = self.options.batch_words, self.options.hide
        cut = partial(
            Batches,
            pieces=pieces,
            vocabulary=vocabulary,
            positions=network.shape.positions,
            device=here.device,
            conditions=conditions,
        )
        self.batches = cut(
            corpus,
            batching=Batching(size, recipe.data.repeat, hide, recipe.seed, weights),
            tags=tags,
        )
        self.held_out = HeldOut(data / "validation.npz", cut, size)
        self.every, self.lists = 0, None
        if recipe.lists:
            if not isinstance(network, Linked) or network.scorer is None or conditions is None:
                raise InvalidInput("only linked slots with a scorer and voices learn from lists")
            self.every = recipe.lists.every
            corpus = Corpus.load(data / LIST_FILE)
            voice = conditions.voice_of(recipe.lists.style)
            told = (conditions, pieces, voice)
            self.lists = GradedLists(corpus, cut, told, recipe.lists.size, recipe.seed)
        self.encoder = InputEncoder(pieces, vocabulary, network.shape.positions, MAX_SOURCE_WORDS)
        self.validator = Validator(
            _validation_pairs(data, recipe.validation.sentences), recipe.validation
        )
        if here.first:
            self.best.mkdir(parents=True, exist_ok=True)
            shutil.copy(data / "words.txt", self.best / "words.txt")
            pieces.save(self.best / "tokenizer.json")
            if conditions:
                conditions.save(self.best)
            self.metrics = MetricsFile(run / "metrics.jsonl", after=self.state.update)
        self.forward = self._forward()

    def _begun(self, recipe: Recipe, pairs: int, resume: bool) -> RunState:
        """Where the checkpoint stands, or the beginning."""
        identity = {**recipe.identity(), "pairs": pairs}
        if not resume or not self.checkpoint.exists():
            self.here.wait()  # until all have looked
            if self.here.first:
                self.checkpoint.unlink(missing_ok=True)
            return RunState(identity)
        found = load_checkpoint(self.checkpoint, self.network, self.average, self.optimizer)
        for name in {**found.recipe, **identity}:
            was, now = found.recipe.get(name), identity.get(name)
            if was != now:
                raise BadModel(
                    f"{self.checkpoint} is of another run: {name} was {was!r}, now {now!r}; "
                    "start afresh without resuming, or in another folder"
                )
        return found

    def _forward(self) -> Callable[..., Tensor]:
        model: nn.Module = self.network
        if self.here.world > 1:
            model = nn.parallel.DistributedDataParallel(self.network)
        if not self.options.compile:
            return model
        # Dimensions that happen to be equal are not the same: one compilation serves all batches.
        torch.fx.experimental._config.use_duck_shape = False
        if not self.network.compiled:
            whole: Callable[..., Tensor] = torch.compile(model, dynamic=True)
            return whole
        torch._dynamo.config.recompile_limit = 64
        for module in self.network.modules():
            if isinstance(module, self.network.compiled):  # its copies share the code
                module.compile(dynamic=True)
        return model

    def run(self, show: Show) -> None:
        """Update until the schedule has run out, reporting, validating and saving on the way."""
        options, state = self.options, self.state
        clock = Clock(options, state.seconds)
        done = self._done(clock)
        for batch in self._stream() if done < 1 else ():
            rate = schedule(options, state.update, done)
            loss = self._step(batch, rate, done)
            state.update += 1
            update = state.update
            if self.here.first:
                clock.add(loss, batch.words * self.here.world)
                state.seconds = clock.seconds
            done = self._done(clock)
            last = done >= 1
            validate = update % options.validate_every == 0 or last
            save = update % options.checkpoint_every == 0 or last
            if save:
                self.here.check_equal(self.network)
            if self.here.first and (validate or save or update % REPORT_EVERY == 0):
                report = clock.report(update, rate * options.learning_rate)
                if validate:
                    held_out = self.held_out.losses(self.average, self._autocast())
                    if self.lists and isinstance(self.average, Linked):
                        held_out |= self.lists.choices(self.average, self._autocast())
                    report = replace(report, held_out=held_out, rouge=self._validate())
                state.unaligned += report.unaligned
                self.metrics.add(report)
                show(report)
                if save:
                    self._save()
                clock.restart()
            if last:
                break

    def _save(self) -> None:
        parts = (self.network, self.average, self.optimizer, self.state)
        save_checkpoint(self.checkpoint, *parts)

    def _done(self, clock: Clock) -> float:
        done = clock.done(self.state.update)
        return self.here.agree(done) if self.options.minutes else done

    def _stream(self) -> Iterator[Batch]:
        """This process's share of the batches, from where we stand; epoch after epoch."""
        state, world, rank = self.state, self.here.world, self.here.rank
        while True:
            plan = self.batches.plan(state.epoch)
            if not plan:
                raise InvalidInput("the corpus gives no batch to train on")
            usable = len(plan) - len(plan) % world or len(plan)
            for at in range(state.batch, usable, world):
                while self.lists and state.update % self.every == self.every - 1:
                    torch.manual_seed(_chance(self.seed, state.update, rank))
                    yield self.lists.build(state.update // self.every * world + rank)
                torch.manual_seed(_chance(self.seed, state.update, rank))
                state.batch = at + world
                yield self.batches.build(plan[min(at + rank, len(plan) - 1)])
            state.epoch += 1
            state.batch = 0

    def _autocast(self) -> AbstractContextManager[Any]:
        bf16 = self.options.precision == "bf16"
        return torch.autocast(self.here.device.type, torch.bfloat16, enabled=bf16)

    def _step(self, batch: Batch, rate: float, done: float) -> Loss:
        """One update; what was lost before it."""
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * rate
        self.network.train()
        first, last = self.options.glance
        with self._autocast():
            found = self.forward(*self.network.inputs(batch, first + (last - first) * done))
        loss = self.network.loss(found, batch)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss.total)
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self.options.clip)
        skipped = ~torch.isfinite(norm)
        if norm.is_cuda:  # the optimizer looks, and the GPU is not waited for
            self.optimizer.found_inf = skipped.float()  # type: ignore[attr-defined]
        if norm.is_cuda or not skipped:
            self.optimizer.step()
        follow(self.average, self.network, self.options.average, self.state.update + 1)
        return loss.detach(skipped=skipped.float())

    def _validate(self) -> Rouges | None:
        """ROUGE of the kept weights; the best ever are saved, or the latest if none can be told."""
        rouge = None
        if self.validator.sentences:
            rouge = self._score()
        if rouge is None or sum(rouge) > self.state.best:
            self.state.best = sum(rouge or ())
            save_model(self.average, self.best)
        return rouge

    def _score(self) -> Rouges:
        network, device = self.average.eval(), self.here.device
        if not isinstance(network, Writes):
            return self.validator.score(partial(lattices_of, network, self.encoder, device=device))
        said = Writer(network, self.encoder, device).write(self.validator.sentences, Manner())
        budget = self.validator.options.budget
        return self.validator.score_words(within(first, budget) for [first, *_] in said)


def _chance(*numbers: int) -> int:
    """A seed that is a function of these numbers alone."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])


def _validation_pairs(data: Path, most: int) -> list[tuple[str, str]]:
    path = data / "validation.tsv"
    return list(islice(read_pairs(path), most)) if path.exists() else []


def _counts(recipe: Recipe) -> Counts:
    counts = Counts(recipe.training.scorer)
    if (lists := recipe.lists) is None:
        return counts
    return replace(counts, best=lists.best, by_paths=lists.by_paths, by_scorer=lists.by_scorer)


def _taught(recipe: Recipe, data: Path) -> tuple[Corpus, NDArray[np.float64] | None]:
    """The prepared pairs with those that the recipe's lessons make of them, and how often each
    comes in an epoch."""
    corpus = Corpus.load(data / "corpus.npz")
    if recipe.lessons is None:
        return corpus, None
    return lessons(corpus, recipe.lessons, lines(data / "words.txt"))
