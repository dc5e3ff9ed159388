"""Linked slots: the loss is the sum over every path, and the best path is the best of them."""

from itertools import combinations

import pytest
import torch

from nacc.models.paths import BEGIN, END, FIRST, IMPOSSIBLE, best_path, log_likelihood, step_table


def random_links(slots: int, generator: torch.Generator) -> torch.Tensor:
    """Rows are probabilities over later slots and END, which follows itself."""
    place = torch.arange(slots)
    later = (place[None, :] > place[:, None]) & (place >= FIRST) & (place != END)[:, None]
    scores = torch.randn(2, slots, slots, generator=generator)
    scores = scores.masked_fill(~(later | (place == END)), -torch.inf)
    return scores.softmax(2)


def every_path(links: torch.Tensor, emission: torch.Tensor, words: int):
    """(path, log-probability) of each way through; links: (U, U), emission: (S, T)."""
    for path in combinations(range(len(emission)), words):
        at, value = BEGIN, torch.zeros(())
        for t, slot in enumerate(path):
            value = value + links[at, FIRST + slot].log() + emission[slot, t]
            at = FIRST + slot
        yield path, value + links[at, END].log()


@pytest.fixture(params=range(20))
def case(request):
    generator = torch.Generator().manual_seed(request.param)
    links = random_links(FIRST + 6, generator).requires_grad_()
    emission = (torch.randn(2, 6, 4, generator=generator) * 3).log_softmax(1).requires_grad_()
    words = torch.randint(1, 5, (2,), generator=generator)
    return links, emission, words


def test_the_likelihood_and_its_gradient_are_those_of_all_paths(case):
    links, emission, words = case
    value = log_likelihood(links, step_table(emission, words, FIRST + 6))
    expected = torch.stack(
        [
            torch.logsumexp(
                torch.stack([v for _, v in every_path(links[b], emission[b], int(words[b]))]), 0
            )
            for b in range(2)
        ]
    )
    torch.testing.assert_close(value, expected, rtol=1e-5, atol=1e-5)
    upstream = torch.tensor([1.0, 2.0])
    got = torch.autograd.grad(value, (links, emission), upstream)
    wanted = torch.autograd.grad(expected, (links, emission), upstream)
    for a, b in zip(got, wanted, strict=True):
        reachable = b.abs() > 0
        torch.testing.assert_close(a[reachable], b[reachable], rtol=1e-4, atol=1e-5)


def test_the_best_path_is_the_best_of_all(case):
    links, emission, words = case
    found = best_path(links.detach(), step_table(emission.detach(), words, FIRST + 6))
    for b in range(2):
        paths = list(every_path(links[b].detach(), emission[b].detach(), int(words[b])))
        best = max(paths, key=lambda one: float(one[1]))[0]
        assert (found[b, : words[b]] - FIRST).tolist() == list(best)
        assert (found[b, words[b] :] == END).all()


def test_a_word_that_no_slot_can_say_has_no_path_and_no_gradient(case):
    links, emission, words = case
    blocked = emission.detach().clone()
    blocked[0, :, 0] = IMPOSSIBLE
    blocked.requires_grad_()
    value = log_likelihood(links, step_table(blocked, words, FIRST + 6))
    assert float(value[0]) == IMPOSSIBLE
    value.sum().backward()
    assert not links.grad[0].any()
    assert not blocked.grad[0].any()
