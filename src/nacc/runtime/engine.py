"""A model folder, running: words in, lattices out, by ONNX Runtime on the CPU."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from nacc.errors import BadModel
from nacc.lattice.words import NetworkOutput, WordLattice
from nacc.ngrams.bigrams import Bigrams
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces
from nacc.text.words import key

FORMAT = "nacc-model-1"
BATCH = {"fp32": 32, "int8": 1}
"""Sentences a forward pass. Dynamic int8 scales activations by the largest value in the batch: in
company, a sentence's answer would depend on its neighbours (and a CPU gains no time by it)."""


class Engine:
    """One loaded model. Safe to use from several threads."""

    def __init__(self, folder: Path, threads: int | None = None) -> None:
        self.folder = folder
        self.config = _config(folder)
        forms = _lines(folder / "words.txt")
        words = self.config["shape"]["words"]
        if len(forms) != words:
            raise BadModel(f"{folder / 'words.txt'} has {len(forms)} words, the model {words}")
        keys = [key(form) for form in forms]
        self.usual = dict(zip(keys, forms, strict=True))
        pieces = Pieces.load(folder / "tokenizer.json")
        self.encoder = InputEncoder(
            pieces, keys, self.config["positions"], self.config["max_words"]
        )
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Waiting threads that spin take the cores from whoever else works on the machine.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if threads is not None:
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
        batch = BATCH.get(str(self.config.get("precision")), 1)
        for begin in range(0, len(order), batch):
            rows = order[begin : begin + batch]
            raw = self._run([sentences[i] for i in rows])
            for row, i in enumerate(rows):
                found[i] = raw.lattice(row, sentences[i], self.encoder.vocabulary)
        return [one for one in found if one is not None]

    def _run(self, sentences: Sequence[Sequence[str]]) -> NetworkOutput:
        inputs = self.encoder.batch(sentences)
        outputs: Any = self._session.run(
            None,
            {
                "pieces": inputs.pieces,
                "slots": inputs.slots,
                "lengths": inputs.lengths,
                "symbols": inputs.symbols,
            },
        )
        words, values, blank = outputs
        return NetworkOutput(words.astype(np.int32, copy=False), values, blank)


def _config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder} is not a model folder: {error}") from error
    found = config.get("format") if isinstance(config, dict) else None
    if found != FORMAT:
        raise BadModel(f"{path} is of format {found!r}; `nacc export` makes {FORMAT!r}")
    shape, generation = config.get("shape"), config.get("generation", {})
    if not isinstance(shape, dict) or not isinstance(generation, dict):
        raise BadModel(f"{path}: shape = {shape!r} or generation = {generation!r} is no table")
    for table, name in ((config, "positions"), (config, "max_words"), (shape, "words")):
        if not isinstance(table.get(name), int):
            raise BadModel(f"{path}: {name} = {table.get(name)!r} is not a whole number")
    return dict(config)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"no vocabulary at {path}: {error}") from error
