"""The network: what training sees is what decoding gets, alone or in a batch."""

import numpy as np
import pytest
import torch

from nacc.errors import BadModel
from nacc.learning import minilm
from nacc.learning.network import Network
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.learning.validation import lattices_of
from nacc.runtime.inputs import InputEncoder
from nacc.text.pieces import Pieces
from nacc.text.words import split

KNOWN = "storm hits coast as ferry sinks near the old harbour wall and crew of boat is safe".split()
VOCABULARY = ["<blank>", *KNOWN, *(f"word{chr(97 + i)}" for i in range(12))]
SENTENCES = [
    "The storm hit the coast of Elmsworth on Friday and the storm passed".lower().split(),
    "ferry sinks".split(),
    "crew of the ferry Marlow safe near the old harbour wall as Marlow sinks".lower().split(),
]
SHAPES = {
    "copying": {"copy": True},
    "copying, with word layers": {"copy": True, "word_layers": 1},
    "not copying": {"copy": False},
    "the paper's": {"copy": False, "tied": True, "activation": "relu"},
}
SMALL = {"width": 16, "layers": 2, "heads": 2, "inner": 32, "positions": 40}


@pytest.fixture(params=SHAPES.values(), ids=SHAPES)
def network(request) -> Network:
    torch.manual_seed(4)
    sizes = {"pieces": len(VOCABULARY), "words": len(VOCABULARY)}
    made = Network(Shape.from_dict({**SMALL, **sizes, **request.param})).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return made


@pytest.fixture
def encoder() -> InputEncoder:
    return InputEncoder(word_tokenizer(VOCABULARY), VOCABULARY, SMALL["positions"], 40)


def tensors(encoder: InputEncoder, sentences) -> list[torch.Tensor]:
    inputs = encoder.batch(sentences)
    arrays = (inputs.pieces, inputs.slots, inputs.lengths, inputs.symbols)
    return [torch.from_numpy(a) for a in arrays]


def test_probabilities_of_a_slot_sum_to_one(network, encoder):
    table = network.probabilities(*tensors(encoder, SENTENCES))
    for row, keys in enumerate(SENTENCES):
        assert torch.allclose(table[row, : len(keys)].sum(1), torch.ones(len(keys)), atol=1e-5)


def test_labels_have_the_probabilities_decoding_sees(network, encoder):
    targets = [
        ["storm", "hits", "elmsworth", "storm"],
        ["ferry", "crew", "safe", "near"],
        ["marlow", "sinks", "unheard-of", "wordb"],
    ]
    pieces, slots, lengths, symbols = tensors(encoder, SENTENCES)
    labels = torch.tensor([[encoder.symbol_of.get(w, -1) for w in t] for t in targets])
    matches = torch.zeros(len(SENTENCES), slots.shape[1], 4, dtype=torch.bool)
    for b, (keys, target) in enumerate(zip(SENTENCES, targets, strict=True)):
        for t, word in enumerate(target):
            for s, key in enumerate(keys):
                matches[b, s, t] = key == word
    with torch.no_grad():
        table = network(pieces, slots, lengths, labels, matches)
        shares = network.probabilities(pieces, slots, lengths, symbols)
    for b, (keys, target) in enumerate(zip(SENTENCES, targets, strict=True)):
        here = range(len(keys))
        assert torch.allclose(table[here, b, 0].exp(), shares[b, here, 0], atol=1e-5)
        for t, word in enumerate(target):
            symbol = encoder.symbol_of.get(word)
            if symbol is None and network.shape.copy and word in keys:
                symbol = len(VOCABULARY) + keys.index(word)
            wanted = shares[b, here, symbol] if symbol is not None else torch.zeros(len(keys))
            assert torch.allclose(table[here, b, 1 + t].exp(), wanted, atol=1e-5), word


def test_a_sentence_has_the_same_lattice_alone_and_in_a_batch(network, encoder):
    device = torch.device("cpu")
    together = list(lattices_of(network, encoder, SENTENCES, device))
    for keys, found in zip(SENTENCES, together, strict=True):
        (alone,) = lattices_of(network, encoder, [keys], device)
        assert alone.keys == found.keys
        assert (alone.lattice.words == found.lattice.words).all()
        for part in ("values", "blank", "rest"):
            a, b = getattr(alone.lattice, part), getattr(found.lattice, part)
            assert np.allclose(a, b, atol=1e-4), part


def test_a_copied_word_gathers_the_shares_of_all_its_places(encoder):
    torch.manual_seed(5)
    sizes = {"pieces": len(VOCABULARY), "words": len(VOCABULARY)}
    network = Network(Shape.from_dict({**SMALL, **sizes})).eval()
    with torch.no_grad():
        network.output.bias.fill_(-50.0)  # only the pointer is left
    keys = "elmsworth ferry elmsworth".split()
    shares = network.probabilities(*tensors(encoder, [keys]))[0]
    size = len(VOCABULARY)
    assert torch.allclose(shares[:, size] + shares[:, encoder.symbol_of["ferry"]], torch.ones(3))
    assert (shares[:, size + 1 :] == 0).all()


def test_rest_bounds_every_word_left_out(network, encoder):
    (found,) = lattices_of(network, encoder, SENTENCES[:1], torch.device("cpu"))
    assert (found.lattice.rest[:, None] <= found.lattice.values).all()
    assert np.isfinite(found.lattice.rest).all()


def test_a_model_that_extracts_says_a_slots_own_word_or_nothing():
    torch.manual_seed(4)
    pieces = word_tokenizer(VOCABULARY)
    network = Network(
        Shape.from_dict({**SMALL, "pieces": len(pieces), "words": 1, "extract": True})
    )
    encoder = InputEncoder(pieces, ["<blank>"], SMALL["positions"], 40)
    together = list(lattices_of(network.eval(), encoder, SENTENCES, torch.device("cpu")))
    for keys, found in zip(SENTENCES, together, strict=True):
        assert [found.keys[w] for w in found.lattice.words[:, 0]] == keys
        own, blank = found.lattice.values[:, 0], found.lattice.blank
        assert found.lattice.words.shape == (len(keys), 1)
        assert np.allclose(np.exp(own) + np.exp(blank), 1, atol=1e-5)
        (alone,) = lattices_of(network, encoder, [keys], torch.device("cpu"))
        assert np.allclose(alone.lattice.values, found.lattice.values, atol=1e-4)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"extract": True}, "no words but the source's"),
        ({"width": 10, "heads": 3}, "multiple of heads"),
        ({"heads": 0}, "heads 0"),
        ({"layers": "six"}, "'six'"),
        ({"dropout": 1.0}, "dropout"),
        ({"copy": "yes"}, "'yes'"),
        ({"activation": "tanh"}, "gelu or relu"),
        ({"wide": 3}, "'wide'"),
        ({"tied": True, "pieces": 7}, "same vocabulary"),
    ],
)
def test_a_shape_that_cannot_be_built_is_refused(values, named):
    with pytest.raises(BadModel, match=named):
        Shape.from_dict({"pieces": 50, "words": 50, **values})


def test_minilm_fills_an_encoder_that_knows_what_sentences_mean():
    pieces = Pieces.load(minilm.folder() / "tokenizer.json")
    words = ["<blank>", "ferry", "harbourmaster"]
    network = Network(Shape(pieces=len(pieces), words=len(words), copy=False)).eval()
    minilm.fill(network, pieces, words)
    encoder = InputEncoder(pieces, words, 512, 80)
    texts = [
        "A passenger boat went down near the coast",
        "The ferry sank close to the shore",
        "The central bank raised interest rates again",
    ]
    inputs = encoder.batch([split(text).keys for text in texts])
    arrays = (inputs.pieces, inputs.slots, inputs.lengths)
    with torch.no_grad():
        vectors = network.encode(*(torch.from_numpy(a) for a in arrays))
    means = torch.stack([v[:n].mean(0) for v, n in zip(vectors, inputs.lengths, strict=True)])
    alike = torch.nn.functional.cosine_similarity(means[:1], means[1:])
    assert alike[0] > 0.5
    assert alike[1] < 0.3
    ids = list(pieces.of(["harbourmaster"])[0])
    assert torch.allclose(network.output.weight[2], network.piece_embedding.weight[ids].mean(0))
