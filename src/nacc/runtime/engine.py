"""A model folder, running: words in, lattices out, by ONNX Runtime on the CPU."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from nacc.decoding.bigrams import Bigrams
from nacc.errors import BadModel
from nacc.runtime.inputs import InputEncoder
from nacc.runtime.lattices import Candidates, WordLattice
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
        keys = [key(form) for form in forms]
        self.usual = dict(zip(keys, forms, strict=True))
        pieces = Pieces.load(folder / "tokenizer.json")
        self.encoder = InputEncoder(
            pieces, keys, int(self.config["positions"]), int(self.config["max_words"])
        )
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
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

    def _run(self, sentences: Sequence[Sequence[str]]) -> Candidates:
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
        return Candidates(words.astype(np.int32, copy=False), values, blank)


def _config(folder: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))
        if config["format"] != FORMAT:
            raise BadModel(f"{folder} holds {config['format']!r}; `nacc export` makes {FORMAT!r}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, BadModel):
            raise
        raise BadModel(f"{folder} is not a model folder: {error}") from error
    return config


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"no vocabulary at {path}: {error}") from error
