"""Text to headline with the network, the rules and the decoder of a device, and processes."""

from __future__ import annotations

import pickle

import pytest
from tests.gpu.small_model import TOP_K

from nacc.errors import BudgetTooSmall, InvalidInput, InvalidOption
from nacc.gpu.candidates import Judge
from nacc.gpu.desk import lexicon_of
from nacc.gpu.network import DeviceNetwork
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
