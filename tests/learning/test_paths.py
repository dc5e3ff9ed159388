"""Linked slots: the loss is the sum over every path, and the best path is the best of them."""

from itertools import combinations

import pytest
import torch

from nacc.learning.paths import BEGIN, END, FIRST, IMPOSSIBLE, best_path, log_likelihood, step_table


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


def test_gradients_stay_right_where_slots_are_all_but_certain():
    """Sharp links and words, as a trained network has them: plain sums in 64 bits agree."""
    generator = torch.Generator().manual_seed(5)
    slots, words = 40, 12
    place = torch.arange(FIRST + slots)
    later = (place[None, :] > place[:, None]) & (place >= FIRST) & (place != END)[:, None]
    scores = torch.randn(8, FIRST + slots, FIRST + slots, generator=generator) * 5
    links = scores.masked_fill(~(later | (place == END)), -torch.inf).softmax(2)
    emission = torch.randn(8, slots, words, generator=generator) * 7
    emission = (emission - 10).clamp(max=0)
    counts = torch.full((8,), words)
    mine = [links.clone().requires_grad_(), emission.clone().requires_grad_()]
    value = log_likelihood(mine[0], step_table(mine[1], counts, FIRST + slots))
    value.sum().backward()
    plain = [links.double().requires_grad_(), emission.double().requires_grad_()]
    table = step_table(plain[1], counts, FIRST + slots)
    follow = plain[0].clamp(min=1e-300).log()
    at = follow[:, BEGIN] + table[:, 0]
    for t in range(1, words + 1):
        at = torch.logsumexp(at[:, :, None] + follow, 1) + table[:, t]
    expected = torch.logsumexp(at, 1)
    expected.sum().backward()
    assert all(torch.isfinite(one.grad).all() for one in mine)
    torch.testing.assert_close(value.double(), expected, rtol=1e-4, atol=1e-3)
    for a, b, scale in ((mine[1].grad, plain[1].grad, 1.0), (mine[0].grad, plain[0].grad, links)):
        torch.testing.assert_close((a * scale).double(), b * scale, rtol=1e-3, atol=1e-3)
