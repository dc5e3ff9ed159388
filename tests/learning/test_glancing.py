"""Glancing: who errs is shown more, and what is shown is certain."""

import torch

from nacc.learning.glancing import choose, force, show
from nacc.learning.paths import BEGIN, END, FIRST, IMPOSSIBLE, log_likelihood, step_table


def test_a_headline_all_right_is_shown_nothing():
    said = torch.ones(4, 6, dtype=torch.bool)
    assert not choose(said, said, 1.0).any()


def test_a_headline_all_wrong_is_shown_its_share_and_padding_never():
    torch.manual_seed(0)
    said = torch.ones(2000, 6, dtype=torch.bool)
    said[:, 4:] = False
    shown = choose(torch.zeros_like(said), said, 0.5)
    assert not shown[:, 4:].any()
    assert abs(float(shown[:, :4].float().mean()) - 0.5) < 0.02


def test_half_wrong_is_shown_half_as_much():
    torch.manual_seed(0)
    said = torch.ones(2000, 4, dtype=torch.bool)
    right = said.clone()
    right[:, :2] = False
    assert abs(float(choose(right, said, 0.5).float().mean()) - 0.25) < 0.02


def test_a_shown_word_stands_in_its_slot_alone():
    words = torch.arange(6.0).view(1, 3, 2)
    path = torch.tensor([[FIRST, FIRST + 2, FIRST + 3]])
    shown = show(words, path, torch.tensor([[False, True, False]]), 5)
    assert shown.where.tolist() == [[False, False, True, False, False]]
    assert shown.words[0, 2].tolist() == [2.0, 3.0]


def test_a_forced_word_costs_nothing_and_every_path_goes_through_its_slot():
    links = torch.zeros(1, FIRST + 3, FIRST + 3)
    links[0, BEGIN, FIRST:] = 1 / 3
    links[0, FIRST, FIRST + 1 :] = 0.5
    links[0, FIRST + 1, FIRST + 2] = 1.0
    links[0, :, END] = 0.5
    emission = torch.full((1, 3, 2), 0.1).log()
    words = torch.tensor([2])
    path = torch.tensor([[FIRST, FIRST + 2]])
    table = force(step_table(emission, words, FIRST + 3), path, torch.tensor([[False, True]]))
    assert table[0, 1, FIRST + 2] == 0.0
    assert (table[0, 1, : FIRST + 2] == IMPOSSIBLE).all()
    expected = 0.1 * (1 / 3 * 0.5 + 1 / 3 * 1.0) * 0.5
    torch.testing.assert_close(log_likelihood(links, table).exp(), torch.tensor([expected]))
