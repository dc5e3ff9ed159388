"""CTC on the labels alone: the same numbers as summing over every path, gradients included."""

from itertools import product

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from nacc.learning.ctc import negative_log_likelihood


def merged(path: tuple[int, ...]) -> list[int]:
    """Γ: repeats that no ε separates are one, then ε goes."""
    return [a for a, before in zip(path, (0, *path), strict=False) if a not in (0, before)]


def by_enumeration(table: torch.Tensor, target: list[int]) -> torch.Tensor:
    """−log of the sum over all paths of one pair; table: (slots, columns)."""
    columns = range(table.shape[1])
    paths = [p for p in product(columns, repeat=len(table)) if merged(p) == target]
    if not paths:
        return torch.tensor(torch.inf)
    sums = [sum(table[s, c] for s, c in enumerate(path)) for path in paths]
    return -torch.logsumexp(torch.stack(sums), 0)


@st.composite
def batches(draw):
    slots, words = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    pairs = draw(st.integers(1, 3))
    targets, slot_counts, word_counts = [], [], []
    for _ in range(pairs):
        count = draw(st.integers(1, words))
        said = draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
        columns = [said.index(word) + 1 for word in said]  # equal words share a column
        targets.append(columns + [1] * (words - count))
        word_counts.append(count)
        slot_counts.append(draw(st.integers(1, slots)))
    seed = draw(st.integers(0, 2**32))
    return slots, words, targets, slot_counts, word_counts, seed


def table_of(slots: int, pairs: int, words: int, seed: int) -> torch.Tensor:
    """Log-probabilities whose columns are only part of a larger vocabulary."""
    logits = torch.randn(slots, pairs, words + 6, generator=torch.Generator().manual_seed(seed))
    return logits.log_softmax(2)[:, :, : 1 + words].clone().requires_grad_()


@settings(max_examples=60, deadline=None)
@given(batches())
def test_likelihood_and_gradient_are_those_of_all_paths(batch):
    slots, words, targets, slot_counts, word_counts, seed = batch
    table = table_of(slots, len(targets), words, seed)
    upstream = torch.arange(1.0, 1 + len(targets))
    nll = negative_log_likelihood(table, torch.tensor(targets), slot_counts, word_counts)
    expected = torch.stack(
        [
            by_enumeration(table[: slot_counts[b], b], targets[b][: word_counts[b]])
            for b in range(len(targets))
        ]
    )
    assert torch.allclose(nll, expected, atol=1e-5)
    aligned = torch.isfinite(expected)
    (got,) = torch.autograd.grad((torch.where(aligned, nll, 0.0) * upstream).sum(), table)
    assert torch.isfinite(got).all()
    if aligned.any():
        (wanted,) = torch.autograd.grad((expected * upstream)[aligned].sum(), table)
        assert torch.allclose(got, wanted, atol=1e-5)


def test_as_many_slots_as_words_leave_one_path():
    table = table_of(3, 1, 3, seed=1)
    nll = negative_log_likelihood(table, torch.tensor([[1, 2, 3]]), [3], [3])
    assert torch.allclose(nll[0], -(table[0, 0, 1] + table[1, 0, 2] + table[2, 0, 3]))


def test_a_repeated_word_needs_a_slot_between():
    table = table_of(3, 2, 2, seed=2)
    targets = torch.tensor([[1, 1], [1, 1]])
    nll = negative_log_likelihood(table, targets, [2, 3], [2, 2])
    assert torch.isinf(nll[0])
    assert torch.allclose(nll[1], -(table[0, 1, 1] + table[1, 1, 0] + table[2, 1, 1]))


def test_a_pair_without_alignment_spoils_no_gradient():
    table = table_of(4, 2, 3, seed=3)
    nll = negative_log_likelihood(table, torch.tensor([[1, 2, 3], [1, 2, 1]]), [2, 4], [3, 3])
    assert torch.isinf(nll[0]) and torch.isfinite(nll[1])
    torch.where(torch.isfinite(nll), nll, 0.0).sum().backward()
    assert torch.isfinite(table.grad).all()
    assert (table.grad[:, 0] == 0).all() and (table.grad[:, 1] != 0).any()
