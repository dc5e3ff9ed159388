"""A model folder, running: words in, lattices out, by ONNX Runtime on the CPU."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from nacc.errors import BadModel
from nacc.lattice.words import NetworkOutput, WordLattice
from nacc.ngrams.bigrams import Bigrams
from nacc.runtime.folder import config, lines
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces
from nacc.text.words import key

BATCH = {"fp32": 32, "int8": 1}
"""Sentences a forward pass. Dynamic int8 scales activations by the largest value in the batch: in
company, a sentence's answer would depend on its neighbours (and a CPU gains no time by it)."""


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
        self.batch = BATCH.get(str(self.config.get("precision")), 1)
        forms = lines(folder / "words.txt")
        words = self.config["shape"]["words"]
        if len(forms) != words:
            raise BadModel(f"{folder / 'words.txt'} has {len(forms)} words, the model {words}")
        keys = [key(form) for form in forms]
        self.spellings = dict(zip(keys, forms, strict=True))
        pieces = Pieces.load(folder / "tokenizer.json")
        self.encoder = InputEncoder(
            pieces, keys, self.config["positions"], self.config["max_words"]
        )
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Waiting threads that spin take the cores from whoever else works on the machine.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime raises its own kinds, all but undocumented
            raise BadModel(f"{folder / 'model.onnx'} cannot be run: {error}") from error

    @cached_property
    def bigrams(self) -> Bigrams | None:
        path = self.folder / "bigrams.npz"
        return Bigrams.load(path) if path.exists() else None

    def lattices(self, sentences: Sequence[Sequence[str]]) -> list[WordLattice]:
        """One lattice a sentence (its word keys), in order; batches hold similar lengths."""
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        found: list[WordLattice | None] = [None] * len(sentences)
        for begin in range(0, len(order), self.batch):
            rows = order[begin : begin + self.batch]
            raw = self._run([sentences[i] for i in rows])
            for row, i in enumerate(rows):
                found[i] = raw.lattice(row, sentences[i], self.encoder.vocabulary)
        return [one for one in found if one is not None]

    def _run(self, sentences: Sequence[Sequence[str]]) -> NetworkOutput:
        started = time.perf_counter()
        inputs = self.encoder.batch(sentences)
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
        words, values, blank = outputs
        return NetworkOutput(words.astype(np.int32, copy=False), values, blank)
