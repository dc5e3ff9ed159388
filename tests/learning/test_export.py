"""Export: the graph that runs without torch gives the network's own lattices."""

import hashlib
import json

import numpy as np
import pytest
import torch

from nacc.errors import BadModel
from nacc.learning import smoke
from nacc.learning.checkpoint import load_model
from nacc.learning.export import export, measure
from nacc.learning.recipe import Validation
from nacc.learning.validation import Validator, lattices_of
from nacc.runtime.engine import Engine
from nacc.text.words import split

SENTENCES = [
    *(split(source).keys for source, _ in smoke.pairs(6, seed=4)),
    split("Kelso said no.").keys,
    ("bridge",),
]


def by_word(found) -> list[dict[str, float]]:
    """Per slot, each candidate's value, ε's included."""
    lattice = found.lattice
    return [
        {"": float(blank), **{found.keys[w]: float(v) for w, v in zip(words, values, strict=True)}}
        for words, values, blank in zip(
            lattice.words.tolist(), lattice.values, lattice.blank, strict=True
        )
    ]


def compare(folder, exported) -> list[float]:
    """The differences of all values above e^-12 (below, candidates come and go by rounding)."""
    given = load_model(folder)
    engine = Engine(exported)
    wanted = lattices_of(given.network, engine.encoder, SENTENCES, torch.device("cpu"))
    apart = []
    for a, b in zip(wanted, engine.lattices(SENTENCES), strict=True):
        for one, other in zip(by_word(a), by_word(b), strict=True):
            apart += [abs(v - other.get(w, -99.0)) for w, v in one.items() if v > -12]
    assert len(apart) > 100
    return apart


def test_the_graph_gives_the_networks_lattices(trained, exported):
    assert max(compare(trained / "best", exported["fp32"])) < 1e-4


def test_eight_bits_stay_close(trained, exported):
    apart = compare(trained / "best", exported["int8"])
    assert np.median(apart) < 0.5


def test_the_papers_shape_exports_too(papers_model):
    assert max(compare(*papers_model)) < 1e-4


def test_the_folder_says_what_it_holds(exported):
    small = exported["int8"]
    config = json.loads((small / "config.json").read_text("utf-8"))
    assert config["precision"] == "int8" and config["top_k"] == 20
    assert set(config["sha256"]) == {"model.onnx", "words.txt", "tokenizer.json"}
    for name, digest in config["sha256"].items():
        assert hashlib.sha256((small / name).read_bytes()).hexdigest() == digest
    assert {p.name for p in small.iterdir()} == {*config["sha256"], "config.json"}


def test_what_the_export_loses_is_measured(trained, exported):
    validator = Validator(smoke.pairs(40, seed=5), Validation(at_least=20))
    whole, rounded = measure(trained / "best", exported["int8"], validator)
    assert min(whole) > 95
    assert all(abs(a - b) < 5 for a, b in zip(whole, rounded, strict=True))


def test_a_model_of_too_few_words_is_refused(trained, tmp_path):
    with pytest.raises(BadModel, match="top_k = 40 needs 42"):
        export(trained / "best", tmp_path, top_k=40)
