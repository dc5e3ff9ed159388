"""The autoregressive network: what it is trained to find probable is what it writes."""

from itertools import pairwise, product

import numpy as np
import pytest
import torch

from nacc.errors import BadModel
from nacc.learning.autoregressive import END, Autoregressive
from nacc.learning.network import Past, inside, mask_of
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
from nacc.learning.writing import NEVER, Manner, Source, Weights, Writer
from nacc.runtime.inputs import InputEncoder

VOCABULARY = ["<blank>", *"storm hits coast as the ferry sinks near a crew of and is safe".split()]
SENTENCES = [
    "the storm hits the coast of elmsworth and the storm passes".split(),
    "ferry sinks".split(),
    "crew of the ferry marlow safe near elmsworth as marlow sinks".split(),
]
SMALL = {"width": 16, "layers": 1, "heads": 2, "inner": 32, "positions": 40, "decoder_layers": 2}
PIECES = word_tokenizer([*VOCABULARY, "elmsworth", "marlow", "passes"])


@pytest.fixture
def network() -> Autoregressive:
    torch.manual_seed(4)
    made = Autoregressive(
        Shape.from_dict({**SMALL, "pieces": len(PIECES), "words": len(VOCABULARY)})
    ).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.5)
    return made


def inputs(sentences=SENTENCES) -> list[torch.Tensor]:
    made = InputEncoder(PIECES, VOCABULARY, 40, 40).batch(sentences)
    return [torch.from_numpy(a) for a in (made.pieces, made.slots, made.lengths, made.symbols)]


def word(sentence: list[str], symbol: int) -> str:
    size = len(VOCABULARY)
    return VOCABULARY[symbol] if symbol < size else sentence[symbol - size]


def spelled(words: list[str]) -> list[int]:
    return [ids[0] for ids in PIECES.of(words)]


def values(network: Autoregressive, sentence: list[str], headline: list[str]) -> torch.Tensor:
    """Each word's log-probability after those before it, and the end's."""
    pieces, slots, lengths, _ = inputs([sentence])
    labels = torch.tensor([[VOCABULARY.index(w) if w in VOCABULARY else -1 for w in headline]])
    matches = torch.tensor([[[s == w for w in headline] for s in sentence]]).view(
        1, len(sentence), len(headline)
    )
    spoken = torch.tensor(spelled(headline)).view(1, len(headline), 1)
    return network(pieces, slots, lengths, labels.long(), matches, spoken.long())[0]


def source(sentences, weights=None) -> Source:
    pieces, slots, lengths, symbols = inputs(sentences)
    theirs = torch.full((*symbols.shape, 1), -1)
    for i, sentence in enumerate(sentences):
        theirs[i, : len(sentence), 0] = torch.tensor(spelled(sentence))
    own = torch.tensor(spelled(VOCABULARY))[:, None]
    return Source(pieces, slots, lengths, symbols, own, theirs, weights)


def write(network: Autoregressive, sentences, count=range(2, 9), again=()) -> list[list[str]]:
    repeat = torch.tensor([w in again for w in VOCABULARY])
    found = network.write(source(sentences), Manner(words=count, again=repeat))
    return [
        [word(sentence, symbol) for symbol in one[0].symbols]
        for sentence, one in zip(sentences, found, strict=True)
    ]


@torch.no_grad()
def test_what_can_follow_sums_to_one(network):
    sentence = SENTENCES[0]
    words = sorted({*VOCABULARY[1:], *sentence})
    for headline in ([], ["storm"], ["passes", "elmsworth"]):
        following = [values(network, sentence, [*headline, w])[len(headline)].exp() for w in words]
        end = values(network, sentence, headline)[-1].exp() if headline else 0
        if headline:
            assert float(sum(following) + end) == pytest.approx(1, abs=1e-4)


@torch.no_grad()
def test_it_writes_the_most_probable_word_each_time(network):
    for sentence, headline in zip(SENTENCES, write(network, SENTENCES, range(4, 9)), strict=True):
        words = sorted({*VOCABULARY[1:], *sentence})
        for length, chosen in enumerate(headline):
            free = [w for w in words if w not in headline[:length]]
            best = max(
                free,
                key=lambda w, n=length: float(values(network, sentence, [*headline[:n], w])[n]),
            )
            assert chosen == best


def test_neighbours_do_not_change_what_is_written(network):
    together = write(network, SENTENCES)
    assert together == [write(network, [sentence])[0] for sentence in SENTENCES]


def test_lengths_and_repeats_are_as_asked(network):
    lines = write(network, SENTENCES, range(4, 7))
    assert all(4 <= len(line) <= 6 for line in lines)
    assert all(len(set(line)) == len(line) for line in lines)
    again = write(network, SENTENCES, range(4, 20), again=VOCABULARY)
    assert all(a != b for line in again for a, b in pairwise(line))


@torch.no_grad()
def test_what_a_layer_has_seen_need_not_be_seen_again(network):
    pieces, slots, lengths, _ = inputs(SENTENCES[:1])
    encoded = network.encode(pieces, slots, lengths)
    mask, read = mask_of(inside(encoded, lengths), encoded.dtype), network.read(encoded)
    given = network.given(torch.tensor(spelled("storm hits coast".split())).view(1, 3, 1))
    whole = network.decode(read, mask, given)
    past = [Past() for _ in read]
    steps = [network.decode(read, mask, given[:, i : i + 1], past) for i in range(4)]
    assert torch.allclose(torch.cat(steps, 1), whole, atol=1e-5)


def every_headline(network, sentence, most):
    """All headlines of up to `most` words, and their log-probabilities."""
    words = sorted({*VOCABULARY[1:], *sentence})
    for count in range(1, most + 1):
        for said in product(words, repeat=count):
            yield said, float(values(network, sentence, list(said)).sum())


@torch.no_grad()
def test_a_wide_beam_finds_the_most_probable_headline(network):
    sentence = SENTENCES[1]
    best = {}
    for said, score in every_headline(network, sentence, 2):
        worth = score / (len(said) + 1)
        best = max(best, (worth, said)) if best else (worth, said)
    found = network.write(source([sentence]), Manner(beam=40, words=range(1, 3)))[0][0]
    assert tuple(word(sentence, symbol) for symbol in found.symbols) == best[1]
    assert found.score / (len(found.symbols) + 1) == pytest.approx(best[0], abs=1e-4)


def weights(sentences) -> torch.Tensor:
    """A word's letters and a space; the end nothing."""
    own = [0, *(len(w) + 1 for w in VOCABULARY[1:])]
    longest = max(map(len, sentences))
    rows = [own + [len(w) + 1 for w in s] + [NEVER] * (longest - len(s)) for s in sentences]
    return torch.tensor(rows)


@torch.no_grad()
@pytest.mark.parametrize("room", [3, 7, 11, 12])
def test_within_a_room_it_is_the_best_that_fits(network, room):
    sentence = SENTENCES[1]
    every = [
        (score / (len(said) + 1), said)
        for said, score in every_headline(network, sentence, 2)
        if sum(len(w) + 1 for w in said) <= room
    ]
    manner = Manner(beam=60, words=range(1, 3), room=room)
    found = network.write(source([sentence], weights([sentence])), manner)[0]
    assert {one.weight for one in found} <= set(range(room + 1))
    assert tuple(word(sentence, symbol) for symbol in found[0].symbols) == max(every)[1]
    least = Manner(beam=60, words=range(1, 3), room=room, least=room)
    heaviest = network.write(source([sentence], weights([sentence])), least)[0][0]
    assert heaviest.weight >= found[0].weight or heaviest.weight == room


def test_no_beam_is_ever_over_the_room(network):
    about = source(SENTENCES, weights(SENTENCES))
    for room in range(2, 30, 3):
        for sentence, found in zip(
            SENTENCES, network.write(about, Manner(beam=3, room=room)), strict=True
        ):
            for one in found:
                said = [word(sentence, symbol) for symbol in one.symbols]
                assert said and len(" ".join(said)) + 1 == one.weight <= room


def test_a_writer_gives_words_and_never_the_mark_of_an_unknown_one(network):
    encoder = InputEncoder(PIECES, VOCABULARY, 40, 40)
    writer = Writer(network, encoder, torch.device("cpu"), batch=2)
    with torch.no_grad():  # as if nothing but the last source word were ever meant
        network.output.weight.zero_()
        network.output.bias.fill_(-9.0)
        network.output.bias[END] = 0.0

    def weigh(words):
        return np.array([len(w) + 1 for w in words])

    sentences = [["ferry", "unk"], ["marlow"], "the ferry marlow sinks".split()]
    weighed = Weights(weigh, weigh(VOCABULARY))
    plain = list(writer.write(sentences, Manner(beam=2), weighed))
    assert [line for line in plain if any("unk" in words for words in line)] == []
    assert plain[1][0][0] == "marlow"


def test_without_copying_it_still_writes_and_sums_to_one():
    torch.manual_seed(0)
    shape = {**SMALL, "copy": False, "tied": True, "pieces": len(PIECES), "words": len(PIECES)}
    network = Autoregressive(Shape.from_dict(shape)).eval()
    pieces, slots, lengths, _ = inputs(SENTENCES[:1])
    total = 0.0
    with torch.no_grad():
        for label in range(len(PIECES)):
            spoken = torch.tensor([[[label]]])
            labels, matches = torch.tensor([[label]]), torch.ones(1, len(SENTENCES[0]), 1) > 1
            total += float(network(pieces, slots, lengths, labels, matches, spoken)[0, 0].exp())
    assert total == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("wrong", [{"extract": True}, {"decoder_layers": -1}])
def test_a_shape_that_cannot_be_is_refused(wrong):
    with pytest.raises(BadModel):
        Shape.from_dict({**SMALL, "pieces": 30, "words": 30, **wrong})
