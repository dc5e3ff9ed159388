"""Export of linked slots: two graphs that give what the network gives, from one file of weights."""

import hashlib
import json

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from nacc.errors import BadModel
from nacc.learning import shortlist, smoke
from nacc.learning.checkpoint import load_model, save_model
from nacc.learning.export import export, measure
from nacc.learning.graphs import ListedCandidates
from nacc.learning.linked import Linked
from nacc.learning.recipe import Validation
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.learning.validation import Validator
from nacc.runtime.conditions import Conditions
from nacc.runtime.inputs import InputEncoder

LETTERS = [chr(97 + i) for i in range(26)]
WORDS = ["<blank>", *(a + b for a in LETTERS[:8] for b in LETTERS[:8])]
SENTENCES = [["aa", "zebra", "ba", "aa", "cc"], ["yak", "ha"], ["db"]]
ANSWERS = [["aa", "ba"], ["aa", "zebra", "ba"], ["aa", "zebra"], ["cc"], ["hh", "aa", "aa", "dd"]]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    torch.manual_seed(2)
    size = len(WORDS)
    network = Linked(
        Shape(
            pieces=size, words=size, width=16, layers=1, heads=2, inner=32, positions=64,
            word_layers=1, decoder_layers=2, slots=2, slot_layers=1, link_heads=4,
        )
    )  # fmt: skip
    for parameter in network.parameters():  # nothing at rest, so that every part can be seen
        torch.nn.init.normal_(parameter, std=0.4)
    folder = tmp_path_factory.mktemp("linked")
    save_model(network, folder)
    word_tokenizer(WORDS).save(folder / "tokenizer.json")
    (folder / "words.txt").write_text("\n".join(WORDS) + "\n")
    Conditions(("Echo",), styles={"wire": "Echo", "any": None}).save(folder)
    return folder


@pytest.fixture(scope="module")
def exported(model, tmp_path_factory):
    folders = {name: tmp_path_factory.mktemp(name) for name in ("fp32", "int8")}
    for name, folder in folders.items():
        export(model, folder, int8=name == "int8")
    return folders


@pytest.fixture(scope="module")
def given(model):
    found = load_model(model)
    return found, InputEncoder(found.pieces, found.vocabulary, 64, 80)


def run(path, feed):
    return onnxruntime.InferenceSession(str(path)).run(None, feed)


def inputs_of(encoder, sentences):
    made = encoder.batch(sentences)
    return {name: getattr(made, name) for name in ("pieces", "slots", "lengths", "symbols")}


def tree_of(encoder, source, answers):
    """The answers' beginnings as the scorer's graph takes them, and the edges of each answer."""
    nodes = {(): 0}
    for words in answers:
        for i in range(len(words)):
            nodes.setdefault(tuple(words[: i + 1]), len(nodes))
    edges = {}
    for words in answers:
        for i, word in enumerate([*words, None]):
            edges.setdefault((nodes[tuple(words[:i])], word), len(edges))
    paths = [
        [edges[nodes[tuple(words[:i])], word] for i, word in enumerate([*words, None])]
        for words in answers
    ]
    spelled = [(-1,), *encoder.pieces.of([name[-1] for name in list(nodes)[1:]])]
    label = [0 if word is None else encoder.symbol_of.get(word, -1) for _, word in edges]
    feed = {
        "pieces": np.array(spelled, np.int64),
        "depth": np.array([len(name) for name in nodes], np.int64),
        "ancestors": np.array([[one[: len(other)] == other for other in nodes] for one in nodes]),
        "parent": np.array([parent for parent, _ in edges], np.int64),
        "label": np.array(label, np.int64),
        "matches": np.array([[key == word for key in source] for _, word in edges]),
    }
    return feed, paths


def scored_alone(found, encoder, source, words):
    """The network's own score of one answer, not divided."""
    with torch.no_grad():
        made = {k: torch.from_numpy(v) for k, v in inputs_of(encoder, [source]).items()}
        states = found.network.eval().encode(made["pieces"], made["slots"], made["lengths"])
        labels = torch.tensor([[encoder.symbol_of.get(word, -1) for word in words]])
        matches = torch.tensor([[[key == word for word in words] for key in source]])
        spoken = torch.tensor([[list(ids) for ids in encoder.pieces.of(words)]])
        values, _ = found.network.score(
            states, made["lengths"], labels, matches, spoken, divide=False
        )
    return float(values.sum())


def test_the_graph_gives_the_networks_lattices(given, exported):
    found, encoder = given
    feed = inputs_of(encoder, SENTENCES)
    words, values, links, source = run(exported["fp32"] / "model.onnx", feed)
    with torch.no_grad():
        tensors = (torch.from_numpy(array) for array in feed.values())
        wanted = [t.numpy() for t in found.network.eval().candidates(*tensors, 20)]
    for row, keys in enumerate(SENTENCES):
        slots = 2 * len(keys)
        assert (words[row, :slots] == wanted[0][row, :slots]).all()
        assert np.abs(values - wanted[1])[row, :slots].max() < 1e-3
        assert np.abs(links - wanted[2])[row, : slots + 1, :slots].max() < 1e-3
        assert np.abs(links - wanted[2])[row, : slots + 1, -1].max() < 1e-3
        assert np.abs(source - wanted[3])[row, : len(keys)].max() < 1e-3


def test_a_lattices_values_are_probabilities_best_first(given, exported):
    _, encoder = given
    words, values, links, _ = run(
        exported["fp32"] / "model.onnx", inputs_of(encoder, SENTENCES[:1])
    )
    assert words.shape == values.shape == (1, 10, 21) and links.shape == (1, 11, 11)
    assert (np.diff(values, axis=2) <= 1e-6).all() and (np.exp(values).sum(2) < 1 + 1e-4).all()
    assert all(len(set(slot)) == 21 for slot in words[0].tolist())
    assert np.allclose(np.exp(links[0, :, :]).sum(1), 1, atol=1e-4)


def test_a_trees_scores_are_those_of_each_answer_by_itself(given, exported):
    found, encoder = given
    source = SENTENCES[0]
    states = run(exported["fp32"] / "model.onnx", inputs_of(encoder, [source]))[3][0]
    feed, paths = tree_of(encoder, source, ANSWERS)
    (values,) = run(exported["fp32"] / "scorer.onnx", {"source": states, **feed})
    for words, path in zip(ANSWERS, paths, strict=True):
        alone = scored_alone(found, encoder, source, words)
        assert float(values[path].sum()) == pytest.approx(alone, abs=1e-3)


def test_eight_bits_stay_close(given, exported):
    _, encoder = given
    source = SENTENCES[0]
    inputs = inputs_of(encoder, [source])
    feed, _ = tree_of(encoder, source, ANSWERS)
    both = []
    for folder in exported.values():
        _, values, links, states = run(folder / "model.onnx", inputs)
        (scores,) = run(folder / "scorer.onnx", {"source": states[0], **feed})
        both.append((values, np.exp(links), scores))
    for one, other in zip(*both, strict=True):
        assert np.median(np.abs(one - other)) < 0.2


def test_in_eight_bits_too_a_sentence_is_read_as_if_alone(given, exported):
    _, encoder = given
    path = exported["int8"] / "model.onnx"
    words, values, links, source = run(path, inputs_of(encoder, SENTENCES))
    for row, keys in enumerate(SENTENCES):
        slots, alone = 2 * len(keys), run(path, inputs_of(encoder, [keys]))
        assert (words[row, :slots] == alone[0][0]).all()
        assert np.abs(values[row, :slots] - alone[1][0]).max() < 1e-4
        assert np.abs(links[row, : slots + 1, :slots] - alone[2][0][:, :-1]).max() < 1e-4
        assert np.abs(source[row, : len(keys)] - alone[3][0]).max() < 1e-4


def test_in_eight_bits_too_an_answers_score_is_its_own(given, exported):
    _, encoder = given
    folder, source = exported["int8"], SENTENCES[0]
    states = run(folder / "model.onnx", inputs_of(encoder, [source]))[3][0]
    feed, paths = tree_of(encoder, source, ANSWERS)
    (together,) = run(folder / "scorer.onnx", {"source": states, **feed})
    for words, path in zip(ANSWERS, paths, strict=True):
        feed, ((*edges,),) = tree_of(encoder, source, [words])
        (alone,) = run(folder / "scorer.onnx", {"source": states, **feed})
        assert alone[edges].sum() == pytest.approx(together[path].sum(), abs=1e-3)


def over_a_list(given, sentences, **settings):
    """What the network gives over all words of a batch; and a graph that gives it over a list."""
    found, encoder = given
    network = found.network.eval()
    tensors = [torch.from_numpy(array) for array in inputs_of(encoder, sentences).values()]
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setattr(shortlist, name, value)
        state, _ = network.link(network.encode(*tensors[:3]), tensors[2])
        graph = ListedCandidates(network, 20, network.top(state).flatten(0, 1))
        return network.candidates(*tensors, 20), graph(*tensors), graph


def by_word(words, values):
    """Per slot of the batch's first sentence, each candidate's value."""
    slots = zip(words[0].tolist(), values[0].tolist(), strict=True)
    return [dict(zip(*slot, strict=True)) for slot in slots]


def test_a_list_of_all_words_changes_nothing(given):
    wanted, found, _ = over_a_list(given, SENTENCES[:1], LISTED=len(WORDS))
    assert torch.equal(found[0], wanted[0])
    for one, other in zip(found[1:], wanted[1:], strict=True):
        assert (one - other).abs().max() < 1e-4


def test_probabilities_over_a_list_are_those_over_all_words(given):
    # A mean of one slot, in all dimensions: what is left out is known to the last word.
    wanted, found, graph = over_a_list(given, SENTENCES[1:2], LISTED=24, POOLED=1, RANK=16)
    assert graph.shortlist.size == 24 < len(WORDS)
    slots = list(zip(by_word(*wanted[:2]), by_word(*found[:2]), strict=True))
    both = [(a[word], b[word]) for a, b in slots for word in a.keys() & b.keys()]
    assert len(both) > 40 and max(abs(a - b) for a, b in both) < 1e-3
    assert all(max(a, key=a.get) == max(b, key=b.get) for a, b in slots)


def test_a_list_is_a_sentences_own_in_a_batch(given):
    _, together, graph = over_a_list(given, SENTENCES, LISTED=30)
    for row, keys in enumerate(SENTENCES):
        alone = [torch.from_numpy(array) for array in inputs_of(given[1], [keys]).values()]
        with torch.no_grad():
            assert torch.equal(graph(*alone)[0][0], together[0][row, : 2 * len(keys)])


def test_equal_tensors_are_stored_once(exported):
    folder = exported["int8"]
    places: dict[str, set[tuple[str, str]]] = {}
    for name in ("model.onnx", "scorer.onnx"):
        graph = onnx.load(str(folder / name), load_external_data=False).graph
        for tensor in graph.initializer:
            about = {entry.key: entry.value for entry in tensor.external_data}
            if about:
                assert about["location"] == "weights.bin"
                places.setdefault(name, set()).add((about["offset"], about["length"]))
    assert places["model.onnx"] & places["scorer.onnx"]
    size = (folder / "weights.bin").stat().st_size
    assert max(int(at) + int(length) for part in places.values() for at, length in part) == size


def test_the_folder_says_what_it_holds(exported):
    folder = exported["int8"]
    config = json.loads((folder / "config.json").read_text())
    assert config["shape"]["slots"] == 2 and config["precision"] == "int8"
    wanted = {"model.onnx", "scorer.onnx", "weights.bin", "words.txt", "tokenizer.json"}
    assert set(config["sha256"]) == wanted | {"conditions.json"}
    for name, digest in config["sha256"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert {p.name for p in folder.iterdir()} == {*config["sha256"], "config.json"}
    assert Conditions.load(folder).styles == {"wire": "Echo", "any": None}


def test_what_the_export_loses_is_measured(linked, tmp_path):
    export(linked / "best", tmp_path)
    validator = Validator(smoke.pairs(20, seed=5), Validation(at_least=20))
    whole, rounded = measure(linked / "best", tmp_path, validator)
    assert min(whole) > 90
    assert all(abs(a - b) < 5 for a, b in zip(whole, rounded, strict=True))


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_the_weights_come_back(given, exported, precision):
    found = load_model(exported[precision]).network.state_dict()
    for name, value in given[0].network.state_dict().items():
        step = value.abs().max() / 60 if precision == "int8" else 1e-6  # seven bits
        assert name == "shown" or (found[name] - value).abs().max() <= step, name


def test_without_a_decoder_there_is_no_scorer(given, tmp_path):
    found, _ = given
    shape = {**found.network.shape.to_dict(), "decoder_layers": 0}
    network = Linked(Shape.from_dict(shape))
    network.load_state_dict(found.network.state_dict(), strict=False)
    save_model(network, tmp_path)
    found.pieces.save(tmp_path / "tokenizer.json")
    (tmp_path / "words.txt").write_text("\n".join(WORDS) + "\n")
    export(tmp_path, tmp_path / "out", int8=False)
    assert not (tmp_path / "out" / "scorer.onnx").exists()
    with pytest.raises(BadModel, match="top_k = 64 needs 66"):
        export(tmp_path, tmp_path / "out", top_k=64)
