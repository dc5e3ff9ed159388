"""From text to headline with the network on a GPU: sentences a second, by batch size.

    python benchmarks/gpu.py                    # the packaged model; writes results/gpu.{json,md}
    python benchmarks/gpu.py --model FOLDER     # one just trained

The sentences are benchmarks/news.txt, over and over, at 50 characters. The network runs in bf16;
its lattices come back to the CPU, where one core decodes them. Medians over rounds.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median

import numpy as np
import torch

from decoder_report import table
from nacc.data.pairs import MAX_SOURCE_WORDS
from nacc.decoding import decode
from nacc.learning.checkpoint import load_model
from nacc.learning.validation import lattices_of
from nacc.runtime.folder import model_folder
from nacc.runtime.inputs import InputEncoder
from nacc.text.words import split
from news import news

ROOT = Path(__file__).resolve().parent.parent
NEWS = [sentence for _, sentence in news()]
SENTENCES = 4096
BATCHES = (1, 32, 256, 1024)
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="default", help="a packaged model, or a folder")
    parser.add_argument("--out", type=Path, default=ROOT / "results")
    given = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_model(model_folder(given.model))
    network = model.network.to(device).eval()
    positions = network.shape.positions
    encoder = InputEncoder(model.pieces, model.vocabulary, positions, MAX_SOURCE_WORDS)
    sentences = sorted((split(NEWS[i % len(NEWS)]).keys for i in range(SENTENCES)), key=len)
    rows = []
    for batch in BATCHES:
        some = sentences[:: 16 if batch == 1 else 1]
        read, decoded = [], []
        for _ in range(ROUNDS + 1):  # the first warms up
            start = time.perf_counter()
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                found = list(lattices_of(network, encoder, some, device, batch=batch))
            read.append(len(some) / (time.perf_counter() - start))
            start = time.perf_counter()
            for one in found:
                weights = np.array([len(word) + 1 for word in one.keys])
                decode(one.lattice, weights, 51, at_least=42)
            decoded.append(len(some) / (time.perf_counter() - start))
        both = 1 / (1 / median(read[1:]) + 1 / median(decoded[1:]))
        rows.append(
            {
                "batch": batch,
                "lattices a second": round(median(read[1:])),
                "decoded a second, one core": round(median(decoded[1:])),
                "headlines a second": round(both),
            }
        )
    name = torch.cuda.get_device_name() if device.type == "cuda" else "CPU"
    given.out.mkdir(parents=True, exist_ok=True)
    about = {"device": name, "torch": torch.__version__, "sentences": SENTENCES, "rows": rows}
    (given.out / "gpu.json").write_text(json.dumps(about, indent=1) + "\n")
    lines = [[f"{value:,}" for value in row.values()] for row in rows]
    text = f"# On a GPU\n\n{name}, torch {torch.__version__}; exact decoding at 50 characters.\n\n"
    (given.out / "gpu.md").write_text(text + table(list(rows[0]), lines) + "\n")
    print((given.out / "gpu.md").read_text())


if __name__ == "__main__":
    main()
