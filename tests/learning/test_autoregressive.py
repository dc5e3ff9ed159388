"""The distilling teacher: what it is trained to find probable is what it writes."""

from itertools import pairwise

import pytest
import torch

from nacc.errors import BadModel
from nacc.learning.autoregressive import END, Autoregressive
from nacc.learning.shape import Shape
from nacc.learning.tokenizer import word_tokenizer
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


def write(network: Autoregressive, sentences, count=range(2, 9), again=()) -> list[list[str]]:
    *given, symbols = inputs(sentences)

    def spell(best: torch.Tensor) -> torch.Tensor:
        words = [word(s, int(b)) for s, b in zip(sentences, best, strict=True)]
        return torch.tensor(spelled(words))[:, None]

    repeat = torch.tensor([w in again for w in VOCABULARY])
    said = network.write(*given, symbols, spell, repeat, count)
    lines = []
    for sentence, line in zip(sentences, said.tolist(), strict=True):
        end = line.index(END) if END in line else len(line)
        lines.append([word(sentence, symbol) for symbol in line[:end]])
    return lines


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


@pytest.mark.parametrize("wrong", [{"copy": False}, {"extract": True}, {"decoder_layers": -1}])
def test_a_shape_that_cannot_be_is_refused(wrong):
    with pytest.raises(BadModel):
        Shape.from_dict({**SMALL, "pieces": 30, "words": 30, **wrong})
