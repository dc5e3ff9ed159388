"""A model folder, running: words in, lattices out, by ONNX Runtime on the CPU."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nacc.deadline import check
from nacc.errors import BadModel
from nacc.lattice.words import NetworkOutput, WordLattice
from nacc.ngrams.bigrams import Bigrams
from nacc.runtime.conditions import Conditions
from nacc.runtime.folder import (
    NOTHING,
    Told,
    check_sums,
    conditions,
    config,
    lines,
    voice_of,
)
from nacc.runtime.inputs import InputEncoder
from nacc.runtime.scorer import Scorer
from nacc.runtime.session import session
from nacc.text.pieces import Pieces
from nacc.text.words import key

BATCH = {"fp32": 32, "int8": 1}
"""Sentences a forward pass. In 8 bits a batch saves an eighth of the time at most, and moves the
last digits of scores; exported with steps by the batch, as once, it would even change answers."""

Observe = Callable[[str, float], None]
"""Told how many seconds a stage took: "tokenising" or "inference"."""


class Engine:
    """One loaded model. Safe to use from several threads.

    threads: cores of one forward pass. observe: told how long each stage of a batch took.
    """

    def __init__(
        self, folder: Path, threads: int = 1, observe: Observe = lambda _, __: None
    ) -> None:
        self.folder = folder
        self.observe = observe
        self.config = config(folder)
        # Both leave the interpreter to others: meanwhile the rest is read.
        with ThreadPoolExecutor(2) as pool:
            intact = pool.submit(check_sums, folder, self.config)
            graph = pool.submit(session, folder / "model.onnx", threads)
            try:
                self._read(folder)
            finally:
                intact.result()  # what is damaged is called so, whatever else came of it
            self._session = graph.result()
        scorer = folder / "scorer.onnx"
        self.scorer = Scorer(scorer, self.encoder, threads) if scorer.exists() else None

    def _read(self, folder: Path) -> None:
        """What the folder holds besides the graphs."""
        self.batch = BATCH.get(str(self.config.get("precision")), 1)
        self.conditions = conditions(folder)
        forms = lines(folder / "words.txt")
        words = self.config["shape"]["words"]
        if len(forms) != words:
            raise BadModel(f"{folder / 'words.txt'} has {len(forms)} words, the model {words}")
        keys = [key(form) for form in forms]
        self.spellings = dict(zip(keys, forms, strict=True))
        pieces = Pieces.load(folder / "tokenizer.json")
        prefix = _told(pieces, self.conditions, NOTHING) if self.conditions else None
        self.encoder = InputEncoder(
            pieces, keys, self.config["positions"], self.config["max_words"], prefix
        )
        self.slots = int(self.config["shape"].get("slots", 0))  # of every word; 0: CTC's one

    @cached_property
    def bigrams(self) -> Bigrams | None:
        path = self.folder / "bigrams.npz"
        return Bigrams.load(path) if path.exists() else None

    def told(self, style: str | None, characters: int | None) -> Told:
        """What to tell the network where a style and a length are wanted: the style's voice, and
        the shortest length of the same class, so that equal conditions are equal. A network that
        was trained without conditions is told nothing.
        """
        voice = voice_of(style, self.conditions)
        if self.conditions is None or characters is None:
            return voice, None
        limits = self.conditions.lengths
        reached = bisect_right(limits, characters)
        return voice, limits[reached - 1] if reached else limits[0] - 1

    def lattices(
        self, sentences: Sequence[Sequence[str]], told: Sequence[Told] | None = None
    ) -> list[WordLattice]:
        """One lattice a sentence (its word keys), in order; batches hold similar lengths.

        told: one condition a sentence; a network without conditions does not listen.
        """
        before = None
        if told is not None and self.conditions is not None:
            before = [_told(self.encoder.pieces, self.conditions, each) for each in told]
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        found: list[WordLattice | None] = [None] * len(sentences)
        for begin in range(0, len(order), self.batch):
            rows = order[begin : begin + self.batch]
            raw = self._run(
                [sentences[i] for i in rows], None if before is None else [before[i] for i in rows]
            )
            for row, i in enumerate(rows):
                found[i] = raw.lattice(row, sentences[i], self.encoder.vocabulary)
        return [one for one in found if one is not None]

    def _run(
        self, sentences: Sequence[Sequence[str]], before: Sequence[Sequence[int]] | None
    ) -> NetworkOutput:
        check()
        started = time.perf_counter()
        inputs = self.encoder.batch(sentences, before)
        ready = time.perf_counter()
        outputs: Any = self._session.run(
            None,
            {
                "pieces": inputs.pieces,
                "slots": inputs.slots,
                "lengths": inputs.lengths,
                "symbols": inputs.symbols,
            },
        )
        self.observe("tokenising", ready - started)
        self.observe("inference", time.perf_counter() - ready)
        words, values, *rest = outputs
        words = words.astype(np.int32, copy=False)
        if not self.slots:
            return NetworkOutput(words, values, *rest)
        links, source = rest
        return NetworkOutput(words, values, None, links, self.slots, source)


def _told(pieces: Pieces, conditions: Conditions, told: Told) -> tuple[int, ...]:
    """The pieces before a sentence that say what is wanted."""
    return tuple(pieces.id(name) for name in ("[CLS]", *conditions.pieces(*told)))
