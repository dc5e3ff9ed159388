"""A small model folder with CTC's ε, one slot a word, its weights drawn by chance.

It says mostly the source's own words where they stand, is silent over most function words, and has
a vocabulary of its own. The graph is written by hand, in ONNX's own words; the bigrams are counted
in a few headlines.
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

from nacc.ngrams.bigrams import Bigrams

QUIET = ("the", "a", "an", "of", "on", "at", "in", "to", "for", "was", "has", ".", ",", "by")
"""Where one of these stands, ε is likely."""
VOCABULARY = (
    "<blank>", *QUIET, "says", "new", "after", "police", "world", "UK", "wins", "report", "deal",
    "two", "opens",
)  # fmt: skip
HEADLINES = (
    "police report new deal after two days",
    "mayor opens new bridge",
    "UK wins world cup in final",
    "rain delays village chess final",
    "two farmers sell sheep at the market",
    "bakery wins the prize for best bread",
    "mayor says new bridge opens on monday",
    "prize for best new bakery in the village",
)
TOP_K, WIDTH = 6, 8
_LETTERS = "abcdefghijklmnopqrstuvwxyz#'.,$%-&"
PIECES = ("[UNK]", "[CLS]", "[SEP]", *_LETTERS, *(f"##{letter}" for letter in _LETTERS))

_MODEL = """
<ir_version: 8, opset_import: ["" : 18]>
ctc (int64[B, P] pieces, int64[B, S] slots, int64[B] lengths, int64[B, S] symbols)
    => (int64[B, S, K] words, float[B, S, K] values, float[B, S] blank) {
  embedded = Gather (embedding, pieces)
  where = Unsqueeze (slots, two)
  shape = Shape (slots)
  wide = Concat <axis = 0> (shape, width)
  places = Expand (where, wide)
  own = GatherElements <axis = 1> (embedded, places)
  moved = Pad (own, one_later)
  before = Slice (moved, zero, minus_one, one)
  state = Add (own, before)

  spoken = MatMul (state, output)
  known = Min (symbols, index_words)
  silence = Gather (quiet, known)
  silence_u = Unsqueeze (silence, two)
  own_blank = Slice (spoken, zero, one, two)
  said = Slice (spoken, one, words_n, two)
  blank_wish = Add (own_blank, silence_u)
  turned = Transpose <perm = [0, 2, 1]> (state)
  pointed = MatMul (state, turned)
  s = Gather (shape, index_one)
  each = Range (index_zero, s, index_one)
  column = Unsqueeze (each, one)
  is_own = Equal (column, each)
  closer = Where (is_own, near, far)
  looked = Mul (pointed, less)
  copy = Add (looked, closer)
  wishes = Concat <axis = 2> (blank_wish, said, copy)
  shares = Softmax <axis = 2> (wishes)

  blank_share = Slice (shares, zero, one, two)
  vocabulary_share = Slice (shares, one, words_n, two)
  copied = Slice (shares, words_n, most, two)
  no_blank = Sub (blank_share, one_f)
  nothing = Sub (copied, copied)
  table = Concat <axis = 2> (no_blank, vocabulary_share, nothing)
  wanted = Unsqueeze (symbols, one)
  copied_shape = Shape (copied)
  index = Expand (wanted, copied_shape)
  summed = ScatterElements <axis = 2, reduction = "add"> (table, index, copied)
  best, words = TopK <axis = 2> (summed, top)
  least = Max (best, tiny)
  values = Log (least)
  blank_least = Max (blank_share, tiny)
  blank_log = Log (blank_least)
  blank = Squeeze (blank_log, two)
}
"""


def write(folder: Path, seed: int = 7, **generation: Any) -> Path:
    """The folder, written; `generation` goes into its config.json."""
    draw = np.random.default_rng(seed)

    def weights(*shape: int) -> Any:
        return (draw.normal(size=shape) * 0.5).astype(np.float32)

    size = len(VOCABULARY)
    numbers: dict[str, Any] = {"zero": [0], "one": [1], "two": [2], "minus_one": [-1]}
    numbers |= {"width": [WIDTH], "words_n": [size], "most": [10**6], "top": [TOP_K + 1]}
    numbers |= {"one_later": [0, 1, 0, 0, 0, 0]}
    numbers |= {"index_zero": 0, "index_one": 1, "index_words": size}
    levels: dict[str, Any] = {"near": 4.0, "far": 0.0, "less": 0.3, "one_f": 1.0, "tiny": 1e-30}
    levels["quiet"] = [6.0 if word in QUIET else 3.0 for word in (*VOCABULARY, "any other")]
    constants = {name: np.array(value, np.int64) for name, value in numbers.items()}
    constants |= {name: np.array(value, np.float32) for name, value in levels.items()}
    constants |= {"embedding": weights(len(PIECES), WIDTH), "output": weights(WIDTH, size)}

    folder.mkdir(parents=True, exist_ok=True)
    model = parser.parse_model(_MODEL)
    for name, value in constants.items():
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    (folder / "words.txt").write_text("\n".join(VOCABULARY) + "\n", "utf-8")
    pieces = {piece: i for i, piece in enumerate(PIECES)}
    Tokenizer(WordPiece(pieces, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    headlines = [headline.lower().split() for headline in HEADLINES]
    Bigrams.train(headlines, min_count=1).save(folder / "bigrams.npz")
    config = {
        "format": "nacc-model-1", "top_k": TOP_K, "positions": 512, "max_words": 80,
        "precision": "int8", "shape": {"words": size, "slots": 0},
        "generation": {
            "method": "coherent", "coherence": 0.15, "adjacency": 0.3, "fill": 0.85, **generation
        },
        "sha256": {path.name: _sum(path) for path in sorted(folder.iterdir())},
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    return folder


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
