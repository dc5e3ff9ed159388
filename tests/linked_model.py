"""A small model folder with linked slots and a scorer, its weights drawn by chance.

It says mostly the source's own words in their order and now and then one of its vocabulary; what it
is told (voice, length) changes what it says. The graphs are written by hand, in ONNX's own words.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper, parser
from tokenizers import Tokenizer
from tokenizers.models import WordPiece

VOCABULARY = (
    "<end>", "the", "of", "in", "on", "to", "says", "new", "after", "police", "world", "UK",
    "wins", "report", "deal", "two",
)  # fmt: skip
VOICES = ("gazette", "herald")
STYLES = {"wire": "gazette", "web": "herald", "any": None}
LENGTHS = (24, 38, 54, 80)
SLOTS, TOP_K, WIDTH = 2, 6, 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz#'.,$%-&"
_SPECIAL = ("[UNK]", "[CLS]", "[SEP]", *(f"[unused{i}]" for i in range(12)))
PIECES = (*_SPECIAL, *_LETTERS, *(f"##{letter}" for letter in _LETTERS))

_MODEL = """
<ir_version: 8, opset_import: ["" : 18]>
linked (int64[B, P] pieces, int64[B, S] slots, int64[B] lengths, int64[B, S] symbols)
    => (int64[B, U, K] words, float[B, U, K] values, float[B, V, V] links, float[B, S, W] source) {
  embedded = Gather (embedding, pieces)
  where = Unsqueeze (slots, two)
  shape = Shape (slots)
  wide = Concat <axis = 0> (shape, width)
  places = Expand (where, wide)
  own = GatherElements <axis = 1> (embedded, places)
  told_all = Slice (embedded, one, three, one)
  told = ReduceSum <keepdims = 1> (told_all, one)
  source = Add (own, told)
  lifted = Unsqueeze (source, two)
  shifted = Add (lifted, offsets)
  state = Reshape (shifted, as_slots)

  spoken = MatMul (state, output)
  turned = Transpose <perm = [0, 2, 1]> (source)
  pointed = MatMul (state, turned)
  state_shape = Shape (state)
  u = Gather (state_shape, index_one)
  s = Gather (shape, index_one)
  each_slot = Range (index_zero, u, index_one)
  each_word = Range (index_zero, s, index_one)
  place = Div (each_slot, index_two)
  column = Unsqueeze (place, one)
  is_own = Equal (column, each_word)
  closer = Where (is_own, near, far)
  copy = Add (pointed, closer)
  both = Concat <axis = 2> (spoken, copy)
  shares = Softmax <axis = 2> (both)
  vocabulary_share = Slice (shares, zero, words_n, two)
  copied = Slice (shares, words_n, most, two)
  nothing = Sub (copied, copied)
  table = Concat <axis = 2> (vocabulary_share, nothing)
  wanted = Unsqueeze (symbols, one)
  copied_shape = Shape (copied)
  index = Expand (wanted, copied_shape)
  summed = ScatterElements <axis = 2, reduction = "add"> (table, index, copied)
  best, words = TopK <axis = 2> (summed, top)
  least = Max (best, tiny)
  values = Log (least)

  one_row = Slice (shape, zero, one)
  ends_shape = Concat <axis = 0> (one_row, one, width)
  first = Expand (begin, ends_shape)
  last = Expand (end, ends_shape)
  rows = Concat <axis = 1> (first, state)
  columns = Concat <axis = 1> (state, last)
  columns_turned = Transpose <perm = [0, 2, 1]> (columns)
  wished = MatMul (rows, columns_turned)
  u_end = Add (u, index_one)
  each = Range (index_zero, u_end, index_one)
  each_row = Unsqueeze (each, one)
  distance = Sub (each, each_row)
  distance_f = Cast <to = 1> (distance)
  decay = Mul (distance_f, slope)
  backwards = Less (distance, index_zero)
  masked = Where (backwards, never, decay)
  ready = Add (wished, masked)
  links = LogSoftmax <axis = 2> (ready)
}
"""
_SCORER = """
<ir_version: 8, opset_import: ["" : 18]>
scorer (float[S, W] source, int64[N, P] pieces, int64[N] depth, bool[N, N] ancestors,
        int64[E] parent, int64[E] label, bool[E, S] matches) => (float[E] values) {
  there = GreaterOrEqual (pieces, index_zero)
  known = Max (pieces, index_zero)
  embedded = Gather (embedding, known)
  there_f = Cast <to = 1> (there)
  there_u = Unsqueeze (there_f, two)
  kept = Mul (embedded, there_u)
  said = ReduceSum <keepdims = 0> (kept, one)
  before = Cast <to = 1> (ancestors)
  history = MatMul (before, said)
  depth_f = Cast <to = 1> (depth)
  depth_u = Unsqueeze (depth_f, one)
  tired = Mul (depth_u, slope)
  state = Add (history, tired)
  at = Gather (state, parent)
  in_words = GreaterOrEqual (label, index_zero)
  label_known = Max (label, index_zero)
  turned = Transpose <perm = [1, 0]> (output)
  target = Gather (turned, label_known)
  product = Mul (at, target)
  score = ReduceSum <keepdims = 0> (product, one)
  spoken = Where (in_words, score, never)
  source_turned = Transpose <perm = [1, 0]> (source)
  pointed = MatMul (at, source_turned)
  seen = Where (matches, pointed, never)
  copied = ReduceLogSumExp <keepdims = 0> (seen, one)
  pair_a = Unsqueeze (spoken, one)
  pair_b = Unsqueeze (copied, one)
  pair = Concat <axis = 1> (pair_a, pair_b)
  total = ReduceLogSumExp <keepdims = 0> (pair, one)
  values = Sub (total, flat)
}
"""


def write(folder: Path, seed: int = 7, **generation: Any) -> Path:
    """The folder, written; `generation` goes into its config.json."""
    draw = np.random.default_rng(seed)

    def weights(*shape: int, scale: float = 0.5) -> Any:
        return (draw.normal(size=shape) * scale).astype(np.float32)

    embedding, output = weights(len(PIECES), WIDTH), weights(WIDTH, len(VOCABULARY))
    numbers = {"zero": [0], "one": [1], "two": [2], "three": [3], "width": [WIDTH]}
    numbers |= {
        "words_n": [len(VOCABULARY)],
        "most": [10**6],
        "top": [TOP_K + 1],
        "as_slots": [0, -1, WIDTH],
    }
    constants = {name: np.array(value, np.int64) for name, value in numbers.items()}
    scalars = {"index_zero": 0, "index_one": 1, "index_two": SLOTS}
    constants |= {name: np.array(value, np.int64) for name, value in scalars.items()}
    levels = {"near": 4.0, "far": 0.0, "slope": -0.4, "never": -1e4, "tiny": 1e-30, "flat": 3.0}
    constants |= {name: np.array(value, np.float32) for name, value in levels.items()}
    constants |= {
        "embedding": embedding,
        "output": output,
        "offsets": weights(1, 1, SLOTS, WIDTH, scale=1.0),
        "begin": weights(1, 1, WIDTH),
        "end": weights(1, 1, WIDTH),
    }
    folder.mkdir(parents=True, exist_ok=True)
    _save(_MODEL, constants, folder / "model.onnx")
    _save(_SCORER, constants, folder / "scorer.onnx")
    (folder / "words.txt").write_text("\n".join(VOCABULARY) + "\n", "utf-8")
    pieces = {piece: i for i, piece in enumerate(PIECES)}
    Tokenizer(WordPiece(pieces, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    conditions = {"lengths": LENGTHS, "voices": VOICES, "styles": STYLES}
    (folder / "conditions.json").write_text(json.dumps(conditions), "utf-8")
    config = {
        "format": "nacc-model-1", "top_k": TOP_K, "positions": 512, "max_words": 40,
        "precision": "int8", "shape": {"words": len(VOCABULARY), "slots": SLOTS},
        "generation": {"method": "linked", "fill": 0.6, **generation},
        "sha256": {path.name: _sum(path) for path in sorted(folder.iterdir())},
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _save(text: str, constants: dict[str, Any], path: Path) -> None:
    model = parser.parse_model(text)
    used = {name for node in model.graph.node for name in node.input}
    for name, value in constants.items():
        if name in used:
            model.graph.initializer.append(numpy_helper.from_array(value, name))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
