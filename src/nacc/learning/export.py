"""From a trained model folder to one that runs without torch: ONNX, top-K inside the graph."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import torch

from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.errors import BadModel
from nacc.lattice.words import WordLattice
from nacc.learning.calibration import Seen, look
from nacc.learning.checkpoint import load_model
from nacc.learning.fused import fuse
from nacc.learning.graphs import write_candidates, write_scores
from nacc.learning.linked import Linked
from nacc.learning.metrics import Rouges
from nacc.learning.network import Network
from nacc.learning.rounding import Feed, quantize, ranges
from nacc.learning.sharing import share
from nacc.learning.smoothing import SENTENCES, smooth
from nacc.learning.validation import TOP_K, Sentences, Validator, lattices_of
from nacc.runtime.conditions import Conditions, has_conditions
from nacc.runtime.engine import Engine
from nacc.runtime.folder import FORMAT
from nacc.runtime.inputs import InputEncoder

WEIGHTS = "weights.bin"
_SUMMED = (
    *("model.onnx", "scorer.onnx", WEIGHTS),
    *("words.txt", "tokenizer.json", "conditions.json", "bigrams.npz"),
)


def export(
    folder: Path,
    out: Path,
    *,
    int8: bool = True,
    top_k: int = TOP_K,
    texts: Sequence[str] = SENTENCES,
) -> Path:
    """Write `out`: model.onnx, config.json, tokenizer.json, words.txt and SHA-256 sums; of linked
    slots also scorer.onnx, and weights.bin, which holds the weights of both graphs.

    texts: by what the network makes of these, 8 bits' steps are chosen and words listed.
    """
    given = load_model(folder)
    shape = given.network.shape
    if shape.decoder_layers and not shape.slots:
        raise BadModel(f"{folder} is autoregressive: it has no lattice to decode")
    top_k = 1 if shape.extract else top_k
    if not shape.extract and shape.words < top_k + 2:
        raise BadModel(f"{folder} knows {shape.words} words; top_k = {top_k} needs {top_k + 2}")
    out.mkdir(parents=True, exist_ok=True)
    encoder = InputEncoder(given.pieces, given.vocabulary, shape.positions, MAX_SOURCE_WORDS)
    known = Conditions.load(folder) if has_conditions(folder) else None
    seen = None
    if int8:
        smooth(given.network, encoder)
        seen = look(given.network, encoder, known, texts)
    fuse(given.network)
    with _quiet():
        _write_graphs(given.network, encoder, out, top_k, seen)
    for name in ("words.txt", "tokenizer.json"):
        if (folder / name).resolve() != (out / name).resolve():
            shutil.copy(folder / name, out / name)
    if known is not None:
        known.save(out)
    config = {
        "format": FORMAT,
        "top_k": top_k,
        "positions": shape.positions,
        "max_words": min(MAX_SOURCE_WORDS, shape.positions),
        "precision": "int8" if int8 else "fp32",
        "shape": shape.to_dict(),
        **_kept(out / "config.json"),
        "sha256": {
            name: hashlib.sha256((out / name).read_bytes()).hexdigest()
            for name in _SUMMED
            if (out / name).exists()
        },
    }
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return out / "model.onnx"


def _write_graphs(
    network: Network, encoder: InputEncoder, out: Path, top_k: int, seen: Seen | None
) -> None:
    """seen: what the network read, for 8 bits; None: 32 bits, and every word is looked at."""
    model, scorer = out / "model.onnx", out / "scorer.onnx"
    for path in (scorer, out / WEIGHTS):
        path.unlink(missing_ok=True)
    tops = torch.cat(seen.tops) if seen and seen.tops else None
    candidates = partial(write_candidates, network, encoder, top_k, tops=tops)
    _write(candidates, model, None if seen is None else seen.sentences)
    if not isinstance(network, Linked):
        return
    graphs = [model]
    if network.scorer is not None:
        _write(partial(write_scores, network), scorer, None if seen is None else seen.answers)
        graphs.append(scorer)
    share(graphs, out / WEIGHTS)


def _write(written: Callable[[Path], None], path: Path, feeds: Sequence[Feed] | None) -> None:
    if feeds is None:
        written(path)
        return
    full = path.with_suffix(".fp32.tmp")
    written(full)
    quantize(full, path, ranges(full, feeds))
    full.unlink()


def _kept(path: Path) -> dict[str, Any]:
    """What a config.json already there says beyond the network: its generation defaults."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: found[name] for name in ("generation", "confidence") if name in found}


def measure(folder: Path, out: Path, validator: Validator) -> tuple[Rouges, Rouges]:
    """ROUGE of the trained network and of its export, by the same decoding of the same pairs."""
    given = load_model(folder)
    engine = Engine(out)
    network = partial(lattices_of, given.network, engine.encoder, device=torch.device("cpu"))

    def exported(sentences: Sentences) -> list[WordLattice]:
        return engine.lattices([keys[: engine.encoder.fitting(keys)] for keys in sentences])

    return validator.score(network), validator.score(exported)


@contextmanager
def _quiet() -> Iterator[None]:
    """The exporters speak of their own affairs, which a user can do nothing about."""
    levels = {name: logging.getLogger(name).level for name in ("torch.onnx", None)}
    for name in levels:
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)
