"""Text to headline with the network, the rules and the decoder of a device, and processes."""

from __future__ import annotations

import pickle

import pytest
from tests.gpu.small_model import TOP_K

from nacc.errors import BudgetTooSmall, InvalidInput, InvalidOption
from nacc.gpu.candidates import Judge, Source
from nacc.gpu.desk import Desk, lexicon_of
from nacc.gpu.network import DeviceNetwork
from nacc.gpu.rows import BUCKETS
from nacc.gpu.summarizer import GpuSummarizer
from nacc.length.budget import Budget
from nacc.options import Options
from nacc.summarizer import Summarizer

TEXTS = (
    "Police closed two roads in Rome after rain",
    "",
    "Rain in Rome",
    "Senate rejects a new deal, says report",
)
SEVERAL = ("Hello. Police closed two roads in Rome.", "Rain. Rome. A storm closes the bridge.")
LONG = "Rome. " + 3 * (
    "Police closed a road and a bridge in Rome after two days of rain and fire, and the senate "
    "votes on the bill of the UK after a new report says so. "
)
"""Which the small model cannot read at once."""
BUDGET = 20


@pytest.fixture(scope="module")
def gpu(folder):
    with GpuSummarizer.load(folder, device="cpu", workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def found(gpu):
    return list(gpu.each(TEXTS, BUDGET, slots=128))


def test_the_headlines_are_the_cpus(folder, found):
    cpu = Summarizer.load(folder)
    theirs = [one for (one,) in cpu.each(TEXTS, BUDGET, Options(rerank=0))]
    assert [str(one) for one in found] == [str(one) for one in theirs]
    assert {one.method for one in found if not isinstance(one, Exception)} >= {"linked", "as-is"}
    for ours, other in zip(found, theirs, strict=True):
        if not isinstance(ours, Exception):
            assert ours.words == other.words
            assert ours.score == pytest.approx(other.score, abs=1e-3)


def test_of_several_sentences_the_device_chooses_as_the_cpu_does(folder, gpu):
    cpu = Summarizer.load(folder)
    texts = [*SEVERAL, TEXTS[0]]
    theirs = [one for (one,) in cpu.each(texts, BUDGET, Options(rerank=0))]
    found = list(gpu.each(texts, BUDGET, slots=128))
    assert [one.words for one in found] == [one.words for one in theirs]
    assert [one.score for one in found] == pytest.approx([one.score for one in theirs], abs=1e-3)


def test_a_desk_asks_no_network_of_its_own(folder, monkeypatch):
    import torch

    cpu = Summarizer.load(folder)
    options = cpu.settled(Options(rerank=0))
    budget = Budget.of(BUDGET)
    (wanted,) = cpu.before(LONG, [budget], options)
    desk, network = Desk(cpu, budget, options), DeviceNetwork.load(folder, TOP_K, torch_device())
    monkeypatch.setattr(cpu.engine, "lattices", lambda *_: pytest.fail("that is the device's"))
    done, rows = desk.read(0, [*TEXTS, LONG])
    sentences = {i for each in rows for i in each.which if i >= 0}
    assert sentences | set(done) == {0, 1, 2, 3}
    (windows,) = (each for each in rows if each.which[0] < 0)
    assert windows.which == [-1, -2, -3]
    source = Source.of(torch.from_numpy(windows.packed.copy()), BUCKETS[windows.bucket][0])
    read = network(
        source.pieces.long(), source.places.long(), source.length.long(), source.symbols.long()
    )
    raw = [part.numpy() for part in (read.words, read.values, read.links)]
    assert desk.choose(0, [-3, -1], [part[[2, 0]] for part in raw]) == ({}, [])
    _, (chosen,) = desk.choose(0, [-2], [part[[1]] for part in raw])
    assert chosen.which == [4] and desk._lots[0][4] == wanted


def test_a_text_that_cannot_be_summarized_has_its_error_in_its_place(found):
    assert isinstance(found[1], InvalidInput)
    assert not any(isinstance(one, Exception) for i, one in enumerate(found) if i != 1)


def test_one_that_is_left_half_way_can_be_used_again(gpu):
    first = next(iter(gpu.each(["Rain in Rome"] * 3, BUDGET, slots=128)))
    again = list(gpu.each(["Rain in Rome"], BUDGET, slots=128))
    assert again == [first]


@pytest.fixture(scope="module")
def judged(folder):
    cpu = Summarizer.load(folder)
    lexicon = lexicon_of(cpu)

    def made(budget, **options):
        settled = cpu.settled(Options(**options))
        return Judge.of(lexicon, Budget.of(budget), settled, torch_device())

    return made


def torch_device():
    import torch

    return torch.device("cpu")


@pytest.mark.parametrize(
    "asked", [{"alternatives": 2}, {"extract": True}, {"required": ("Rome",)}, {"faithful": True}]
)
def test_what_only_the_cpu_does_is_refused_by_name(judged, asked):
    with pytest.raises(InvalidOption) as error:
        judged(BUDGET, **asked)
    assert error.value.name in asked


@pytest.mark.parametrize("budget", [2000, "1 sms"])
def test_a_budget_that_no_device_decodes_is_refused(judged, budget):
    with pytest.raises(InvalidInput, match="use a Summarizer"):
        judged(budget)


def test_the_networks_output_is_its_own(folder):
    import torch

    from nacc.learning.checkpoint import load_model
    from nacc.runtime.inputs import InputEncoder

    given = load_model(folder)
    encoder = InputEncoder(given.pieces, given.vocabulary, 64, 80)
    made = encoder.batch([["police", "rain", "rome", "police", "zebra"], ["fire"]])
    arrays = (made.pieces, made.slots, made.lengths, made.symbols)
    inputs = [torch.from_numpy(array) for array in arrays]
    with torch.no_grad():
        words, values, links, _ = given.network.eval().candidates(*inputs, TOP_K)
    found = DeviceNetwork.load(folder, TOP_K, torch.device("cpu"))(*inputs)
    assert torch.equal(found.words[0], words[0])  # the second has equals, where it is padded
    assert torch.allclose(found.values[0], values[0], atol=1e-4)
    assert torch.allclose(found.links, links, atol=1e-4)


def test_errors_travel_between_processes():
    error = BudgetTooSmall("nothing fits", 7)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.smallest, type(again)) == ("nothing fits", 7, BudgetTooSmall)
