"""The best few of a row, and the logarithm of the sum over all of it, one program a row.

A row of the output vocabulary is read once. Whatever is among its k best stands in one of the k
stretches with the highest peaks, so only these are read again.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

STRETCH = 32
CHUNK = 1024


@triton.jit
def _select(
    rows, values, places, total, peaks, chosen, n,
    TOP: tl.constexpr, TOP_P: tl.constexpr, PEAKS: tl.constexpr,
    STRETCH: tl.constexpr, CHUNK: tl.constexpr,
) -> None:  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    rows, peaks, chosen = rows + row * n, peaks + row * PEAKS, chosen + row * TOP_P
    at = tl.arange(0, CHUNK)
    top = tl.max(tl.full([CHUNK], float("-inf"), tl.float32), 0)
    shares = tl.sum(tl.zeros([CHUNK], tl.float32), 0)
    for begin in range(0, PEAKS * STRETCH, CHUNK):
        here = begin + at
        value = tl.load(rows + here, mask=here < n, other=float("-inf")).to(tl.float32)
        peak = tl.max(tl.reshape(value, (CHUNK // STRETCH, STRETCH)), 1)
        tl.store(peaks + begin // STRETCH + tl.arange(0, CHUNK // STRETCH), peak)
        higher = tl.maximum(top, tl.max(value, 0))
        shares = shares * tl.exp(top - higher) + tl.sum(tl.exp(value - higher), 0)
        top = higher
    tl.store(total + row, top + tl.log(shares))
    tl.debug_barrier()
    stretch = tl.arange(0, PEAKS)
    peak = tl.load(peaks + stretch)
    for i in range(0, TOP):
        best = tl.argmax(peak, 0)
        tl.store(chosen + i, tl.where(tl.max(peak, 0) > float("-inf"), best, PEAKS))
        peak = tl.where(stretch == best, float("-inf"), peak)
    tl.debug_barrier()
    again = tl.arange(0, TOP_P * STRETCH)
    which = tl.load(chosen + again // STRETCH, mask=again // STRETCH < TOP, other=PEAKS)
    place = which * STRETCH + again % STRETCH
    value = tl.load(rows + place, mask=place < n, other=float("-inf")).to(tl.float32)
    for i in range(0, TOP):
        best = tl.argmax(value, 0)
        found = again == best
        tl.store(values + row * TOP + i, tl.max(value, 0))
        tl.store(places + row * TOP + i, tl.sum(tl.where(found, place, 0), 0))
        value = tl.where(found, float("-inf"), value)


def select(rows: Tensor, top: int) -> tuple[Tensor, Tensor, Tensor]:
    """The `top` highest of each row (R, N), best first, where they stand (int32), and the log of
    the sum of exp over the row: (R, top), (R, top), (R,)."""
    R, N = rows.shape
    chunk = min(max(triton.next_power_of_2(N), 2 * STRETCH), CHUNK)
    peaks = triton.next_power_of_2(max(triton.cdiv(N, STRETCH), chunk // STRETCH))
    most = triton.next_power_of_2(top)
    real = {"dtype": torch.float32, "device": rows.device}
    whole = {"dtype": torch.int32, "device": rows.device}
    values, places = torch.empty((R, top), **real), torch.empty((R, top), **whole)
    total = torch.empty(R, **real)
    _select[(R,)](
        rows, values, places, total, torch.empty((R, peaks), **real),
        torch.empty((R, most), **whole), N, top, most, peaks, STRETCH, chunk, num_warps=1,
    )  # fmt: skip
    return values, places, total
