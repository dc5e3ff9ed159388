"""What stands between the products of a Transformer layer: attention over short sentences, and a
sum that is normalised, each in one pass over its memory."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["N"])
def attend(
    qkv, mask, out, N, scale,
    H: tl.constexpr, D: tl.constexpr, NP: tl.constexpr, Q: tl.constexpr,
) -> None:  # fmt: skip
    """One head of one sentence, Q queries: qkv (B, N, 3, H, D), mask (B, N) added to the scores,
    out (B, N, H, D)."""
    b, h = tl.program_id(0).to(tl.int64), tl.program_id(1)
    q, k, d = tl.program_id(2) * Q + tl.arange(0, Q), tl.arange(0, NP), tl.arange(0, D)
    here, there = (q < N)[:, None], (k < N)[:, None]
    qkv += b * N * 3 * H * D + h * D
    asked = tl.load(qkv + q[:, None] * (3 * H * D) + d[None, :], mask=here, other=0.0)
    seen = qkv + k[:, None] * (3 * H * D) + d[None, :]
    keys = tl.load(seen + H * D, mask=there, other=0.0)
    values = tl.load(seen + 2 * H * D, mask=there, other=0.0)
    hidden = tl.load(mask + b * N + k, mask=k < N, other=float("-inf")).to(tl.float32)
    scores = tl.dot(asked, tl.trans(keys), input_precision="ieee") * scale + hidden[None, :]
    shares = tl.exp(scores - tl.max(scores, 1)[:, None])
    shares /= tl.sum(shares, 1)[:, None]
    found = tl.dot(shares.to(values.dtype), values, input_precision="ieee")
    place = out + (b * N + q[:, None]) * (H * D) + h * D + d[None, :]
    tl.store(place, found.to(out.dtype.element_ty), mask=here)


@triton.jit(do_not_specialize=["rows"])
def add_norm(
    x, y, weight, bias, out, rows, eps,
    W: tl.constexpr, WP: tl.constexpr, R: tl.constexpr,
) -> None:  # fmt: skip
    """The layer norm of x + y, R rows of width W a program."""
    r, w = tl.program_id(0).to(tl.int64) * R + tl.arange(0, R), tl.arange(0, WP)
    there = (r < rows)[:, None] & (w < W)[None, :]
    cell = r[:, None] * W + w[None, :]
    value = tl.load(x + cell, mask=there, other=0.0).to(tl.float32)
    value += tl.load(y + cell, mask=there, other=0.0).to(tl.float32)
    centred = tl.where(there, value - (tl.sum(value, 1) / W)[:, None], 0.0)
    spread = tl.rsqrt(tl.sum(centred * centred, 1) / W + eps)
    scaled = centred * spread[:, None]
    scaled *= tl.load(weight + w, mask=w < W, other=0.0).to(tl.float32)[None, :]
    scaled += tl.load(bias + w, mask=w < W, other=0.0).to(tl.float32)[None, :]
    tl.store(out + cell, scaled.to(out.dtype.element_ty), mask=there)
