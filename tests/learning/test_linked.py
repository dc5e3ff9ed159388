"""The linked network: probabilities that add up, and answers that no neighbour changes."""

import pytest
import torch

from nacc.learning.linked import Linked
from nacc.learning.normaliser import log_sum_exp, sample
from nacc.learning.paths import END
from nacc.learning.shape import Shape

SHAPE = Shape(
    pieces=40, words=30, width=16, layers=1, heads=2, inner=32, positions=64, word_layers=1,
    decoder_layers=1, slots=2, slot_layers=1, link_heads=4,
)  # fmt: skip


@pytest.fixture
def network():
    torch.manual_seed(3)
    made = Linked(SHAPE).eval()
    for parameter in made.parameters():  # nothing at rest, so that every part can be seen to work
        torch.nn.init.normal_(parameter, std=0.3)
    return made


@pytest.fixture
def sentence():
    pieces = torch.tensor([[1, 5, 6, 7, 8, 9, 2]])
    slots = torch.tensor([[1, 2, 4, 5]])
    return pieces, slots, torch.tensor([4])


def padded(sentence):
    """The same sentence beside a longer one."""
    pieces, slots, lengths = sentence
    other = torch.randint(3, 40, (1, 11))
    pieces = torch.cat([torch.nn.functional.pad(pieces, (0, 4), value=-1), other])
    slots = torch.cat([torch.nn.functional.pad(slots, (0, 3)), torch.arange(1, 8)[None]])
    return pieces, slots, torch.cat([lengths, torch.tensor([7])])


def lattice_of(network, sentence, symbols, top_k):
    return network.candidates(*sentence, symbols, top_k - 1)[:3]


def test_the_normaliser_is_the_plain_sum_and_so_is_its_gradient(monkeypatch):
    monkeypatch.setattr("nacc.learning.normaliser._MOST", 60)  # parts of two rows
    torch.manual_seed(0)
    given = [torch.randn(5, 8), torch.randn(30, 8), torch.randn(30)]
    mine = [t.clone().requires_grad_() for t in given]
    plain = [t.clone().requires_grad_() for t in given]
    total, peak = log_sum_exp(*mine)
    logits = plain[0] @ plain[1].T + plain[2]
    torch.testing.assert_close(total, logits.logsumexp(1))
    torch.testing.assert_close(peak, logits.amax(1))
    upstream = torch.randn(5)
    total.backward(upstream)
    logits.logsumexp(1).backward(upstream)
    for a, b in zip(mine, plain, strict=True):
        torch.testing.assert_close(a.grad, b.grad)


def test_a_sample_of_the_seldom_words_stands_for_them_all(monkeypatch):
    monkeypatch.setattr("nacc.learning.normaliser.FREQUENT", 4)
    torch.manual_seed(0)
    rows, weight, bias = torch.randn(5, 8), torch.randn(200, 8) / 3, torch.randn(200) / 3
    whole, _ = log_sum_exp(rows, weight, bias)
    said = torch.tensor([7, 150])
    every, _ = log_sum_exp(rows, *sample(weight, bias, said, 200))
    torch.testing.assert_close(every, whole)
    table, biases = sample(weight, bias, said, 40)
    assert len(table) == len(biases) == 6 + 40
    torch.testing.assert_close(table[:6], weight[[0, 1, 2, 3, 7, 150]])
    drawn = [log_sum_exp(rows, *sample(weight, bias, said, 40))[0].exp() for _ in range(400)]
    torch.testing.assert_close(torch.stack(drawn).mean(0), whole.exp(), rtol=0.03, atol=0.0)


def test_links_are_probabilities_over_later_slots_and_the_end(network, sentence):
    pieces, slots, lengths = sentence
    _, links = network.link(network.encode(pieces, slots, lengths), lengths)
    torch.testing.assert_close(links.sum(2), torch.ones_like(links[:, :, 0]))
    earlier = torch.tril(torch.ones_like(links[0])).bool()
    earlier[:, END] = False
    assert not links[0][earlier].any()
    assert float(links[0, END, END].detach()) == pytest.approx(1.0)


def test_a_sentence_is_read_alike_alone_and_beside_a_longer_one(network, sentence):
    symbols = torch.tensor([[3, 30 + 1, 5, 3]])
    alone = lattice_of(network, sentence, symbols, 5)
    both = torch.cat([torch.nn.functional.pad(symbols, (0, 3)), torch.arange(7)[None] + 30])
    beside = lattice_of(network, padded(sentence), both, 5)
    assert (alone[0][0] == beside[0][0, :8]).all()
    torch.testing.assert_close(alone[1][0], beside[1][0, :8], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(alone[2][0, :, :-1], beside[2][0, :9, :8], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(alone[2][0, :, -1], beside[2][0, :9, -1], rtol=1e-4, atol=1e-5)


def test_the_labels_emissions_are_the_lattices(network, sentence):
    pieces, slots, lengths = sentence
    symbols = torch.tensor([[3, 30 + 1, 5, 3]])
    words, values, _ = lattice_of(network, sentence, symbols, 25)
    source = network.encode(pieces, slots, lengths)
    state, _ = network.link(source, lengths)
    labels = torch.tensor([[3, -1, 9]])
    matches = torch.zeros(1, 4, 3, dtype=torch.bool)
    matches[0, [0, 3], 0] = True
    matches[0, 1, 1] = True
    emission = network.emit(state, source, lengths, labels, matches).labels
    for slot in range(8):
        at = dict(zip(words[0, slot].tolist(), values[0, slot].tolist(), strict=True))
        for t, symbol in enumerate((3, 31, 9)):
            if symbol in at:
                assert float(emission[0, slot, t].detach()) == pytest.approx(at[symbol], abs=1e-3)


def test_nothing_is_no_word(network, sentence):
    words, _, _ = lattice_of(network, sentence, torch.tensor([[3, 31, 5, 3]]), 25)
    assert (words > 0).all()


def test_the_scorers_words_do_not_see_what_follows(network, sentence):
    pieces, slots, lengths = sentence
    source = network.encode(pieces, slots, lengths)
    matches = torch.zeros(1, 4, 3, dtype=torch.bool)
    spoken = torch.tensor([[[5], [6], [7]]])
    first, _ = network.score(source, lengths, torch.tensor([[3, 4, 5]]), matches, spoken)
    spoken[0, 2, 0] = 9
    second, _ = network.score(source, lengths, torch.tensor([[3, 4, 6]]), matches, spoken)
    torch.testing.assert_close(first[:, :2], second[:, :2])
    assert not torch.allclose(first[:, 3], second[:, 3])


def test_scores_without_dividing_are_those_times_the_sums(network, sentence):
    source = network.encode(*sentence)
    matches = torch.rand(1, 4, 3) < 0.5
    given = (source, sentence[2], torch.tensor([[3, 4, -1]]), matches)
    spoken = torch.tensor([[[5], [6], [7]]])
    values, totals = network.score(*given, spoken)
    plain, _ = network.score(*given, spoken, divide=False)
    torch.testing.assert_close(plain, values + totals)
