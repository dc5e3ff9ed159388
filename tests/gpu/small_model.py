"""A model folder with linked slots, so small that Triton's interpreter can keep up."""

from __future__ import annotations

import json
from pathlib import Path

import torch

from nacc.learning.checkpoint import save_model
from nacc.learning.export import export
from nacc.learning.linked import Linked
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer

WORDS = (
    "<blank> a the of in on to says new after police world UK wins report deal two senate votes "
    "rejects bill fire storm closes road bridge rome rain"
).split()
TOP_K = 5


def write(folder: Path) -> Path:
    """The exported folder, in fp32."""
    torch.manual_seed(3)
    trained, size = folder / "trained", len(WORDS)
    trained.mkdir()
    network = Linked(
        Shape(
            pieces=size, words=size, width=16, layers=1, heads=2, inner=32, positions=64,
            word_layers=1, decoder_layers=1, slots=2, slot_layers=1, link_heads=2,
        )
    )  # fmt: skip
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    save_model(network, trained)
    word_tokenizer([word.lower() for word in WORDS]).save(trained / "tokenizer.json")
    (trained / "words.txt").write_text("\n".join(WORDS) + "\n", "utf-8")
    out = folder / "exported"
    export(trained, out, int8=False, top_k=TOP_K)
    config = json.loads((out / "config.json").read_text("utf-8"))
    config["generation"] = {"expected_words": 1.5, "expected_pairs": 3.0, "novelty": 0.5}
    (out / "config.json").write_text(json.dumps(config), "utf-8")
    return out


if __name__ == "__main__":
    import sys

    print(write(Path(sys.argv[1])))
