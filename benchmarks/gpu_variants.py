"""Ways to do the same work on a device, timed beside each other by benchmarks/gpu.py: batches
decoded as one, the network with torch's kernels and with ours.

What Triton has to compile for the rounds of decoding is compiled beforehand, by processes of their
own, and lies on the disk then.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from gpu_timing import run_network
from nacc.decoding.expected import Expected
from nacc.gpu import decoding
from nacc.gpu.candidates import Source
from nacc.gpu.decoding import HURRY, MOST_MARKED, Answers, decode
from nacc.gpu.lattices import Lattices
from nacc.gpu.network import DeviceNetwork, Outputs
from nacc.gpu.rows import BUCKETS
from nacc.parallel import cores

if TYPE_CHECKING:
    from gpu_parts import Parts

JOINED = (2, 4)  # batches that are decoded as one
KERNELS = 14  # that are named, the longest
NOBODY = 99  # no sentence's state


class Compiling:
    """Processes that have the kernels of the rounds compiled, one at a time each; none without a
    GPU."""

    def __init__(self) -> None:
        rounds = [(1, 1), (1, HURRY), *((2**m, 1) for m in range(1, MOST_MARKED + 1))]
        self._pool, self._done = None, None
        if torch.cuda.is_available():
            context = multiprocessing.get_context("spawn")
            self._pool = context.Pool(min(cores(), len(rounds)))
            self._done = self._pool.starmap_async(_compile, rounds, chunksize=1)

    def join(self) -> dict[str, Any]:
        if self._pool is None or self._done is None:
            return {"no": "GPU"}
        seconds = self._done.get(100)
        self._pool.terminate()
        return {"kernels": len(seconds), "seconds each": sum(seconds) / len(seconds)}


def _compile(contexts: int, hurry: int) -> float:
    """Have one round's kernel compiled, for nobody."""
    start = time.perf_counter()
    given = drawn(2, 64, 20, "cuda")
    whole, real = given.words, given.values
    pairs = real.new_zeros((2, decoding.MOST_COMMON, decoding.MOST_COMMON))
    found = decoding._Expectations(real, real, real, whole, pairs, given.slots > 0)
    decoding._expectations = lambda *_: found  # which would be another kernel
    decoding._Rounds(given, Expected()).solve(contexts, NOBODY, hurry)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def drawn(batch: int, slots: int, columns: int, device: str) -> Lattices:
    """Lattices by chance, of the kind and types that a network's are."""
    torch.manual_seed(0)
    shape, real = (batch, slots, columns), {"device": device}
    words = torch.rand(batch, slots, 200, device=device).argsort(2)[:, :, :columns].int()
    values = torch.randn(shape, **real).mul(3).log_softmax(2)
    links = torch.randn(batch, slots + 1, slots + 1, **real).mul(2)
    before = torch.ones_like(links[0], dtype=torch.bool).tril(-1)
    links = links.masked_fill(before, -1e4).log_softmax(2).masked_fill(before, -70.0)
    weights = torch.randint(2, 11, (200,), device=device).int()[words.long()]
    flags = torch.randint(0, 4, (200,), device=device).int()[words.long()]
    whole = {"dtype": torch.int32, **real}
    return Lattices(
        words, values, weights, flags, links.contiguous(), torch.full((batch,), slots, **whole),
        torch.full((batch,), 30, **whole), 51,
    )  # fmt: skip


class Variants:
    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def joined(self, many: int) -> dict[str, Any]:
        """Decoding of all shapes, from the network's output, with so many batches as one; and how
        many of its answers are not those of one batch."""
        parts = self.parts
        outputs = {
            bucket: (
                Source.of(parts.packed[bucket].repeat(many, 1), BUCKETS[bucket][0]),
                times(output, many),
            )
            for bucket, (_, output) in parts.outputs.items()
        }
        found, decoded = parts.decoded(outputs)
        other = sum(
            unlike(times(parts.lattices[bucket][1], many), answers)
            for bucket, (_, answers) in decoded.items()
        )
        return {**found, "unlike": other}

    def rounds(self) -> dict[str, Any]:
        """Milliseconds of each round of decoding, one after the other, for the commonest shape, by
        how many batches are one."""
        if not torch.cuda.is_available():
            return {"no": "GPU"}
        bucket = max(self.parts.shares, key=lambda each: self.parts.shares[each])
        lattices, worth = self.parts.lattices[bucket][0], self.parts.worth
        found: dict[str, Any] = {"sentences of a batch": len(lattices.slots)}
        for many in (1, *JOINED):
            seen = profiled(partial(decode, times(lattices, many), worth))
            events = sorted(seen.events(), key=lambda event: event.time_range.start)
            found[str(many)] = str([
                round(event.time_range.elapsed_us() / 1e3, 3)
                for event in events if event.name.startswith("solve")
            ])  # fmt: skip
        return found

    def network(self) -> dict[str, Any]:
        """With torch's kernels and with ours between the products, and how far each is from fp32;
        the faster one is kept."""
        parts, network = self.parts, self.parts.network_
        exact = DeviceNetwork.load(
            parts.given.weights or parts.folder, network.top_k, parts.device, fp32=True
        )
        sources = [source for source, _ in parts.outputs.values()]
        true = [run_network(exact, source) for source in sources]
        del exact
        found: dict[str, Any] = {}
        for name, fused in (("plain", False), ("fused", True)):
            network.fuse(fused)
            made = [run_network(network, source) for source in sources]
            found[name] = {**parts.network(), "from fp32": self._apart(sources, true, made)}
        network.fuse(found["fused"]["mixture"] > found["plain"]["mixture"])
        return found

    def _apart(
        self, sources: list[Source], before: list[Outputs], after: list[Outputs]
    ) -> dict[str, float]:
        """How far apart two ways to round are: the best word of a slot, and the links."""
        same, slots, most, mean = 0.0, 0, 0.0, 0.0
        for source, old, new in zip(sources, before, after, strict=True):
            real = torch.arange(old.words.shape[1], device=self.parts.device)
            real = real < (source.length * self.parts.network_.slots)[:, None]
            same += float(((old.words[:, :, 0] == new.words[:, :, 0]) & real).sum())
            slots += int(real.sum())
            apart = (old.links.exp() - new.links.exp()).abs()
            most = max(most, float(apart.amax()))
            mean += float(apart.sum())
        return {
            "same best word": same / slots, "largest difference of links": most,
            "differences of links, a slot": mean / slots,
        }  # fmt: skip

    def where(self) -> dict[str, Any]:
        """The kernels that network and decoding spend their time in, for the commonest shape."""
        bucket = max(self.parts.shares, key=lambda each: self.parts.shares[each])
        source, _ = self.parts.outputs[bucket]
        lattices = self.parts.lattices[bucket][0]
        return {
            "network": kernels(lambda: run_network(self.parts.network_, source)),
            "decoding": kernels(lambda: decode(lattices, self.parts.worth)),
            "sentences": len(source.length), "words": BUCKETS[bucket][0],
        }  # fmt: skip


def unlike(one: Answers, other: Answers) -> int:
    """How many of the answers are not the same words."""
    there = torch.arange(one.path.shape[1], device=one.path.device) < one.length[:, None]
    same = (torch.where(there, one.path == other.path, True)).all(1) & (one.length == other.length)
    return int((~same & one.settled).sum() + (one.settled != other.settled).sum())


def times(given: Any, many: int) -> Any:
    """A batch over and over, as one."""
    repeated = {
        name: each.repeat(many, *[1] * (each.dim() - 1)) if isinstance(each, torch.Tensor) else each
        for name, each in vars(given).items()
    }
    return type(given)(**repeated)


def profiled(work: Callable[[], Any]) -> Any:
    with torch.no_grad():
        work()
        torch.cuda.synchronize()
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as seen:
            work()
            torch.cuda.synchronize()
    return seen


def kernels(work: Callable[[], Any]) -> dict[str, str]:
    """Milliseconds of each kernel, and how often it ran; the longest first."""
    if not torch.cuda.is_available():
        return {"no": "GPU"}
    seen = profiled(work)
    events = sorted(seen.key_averages(), key=lambda event: -event.self_device_time_total)
    total = sum(event.self_device_time_total for event in events) / 1e3
    listed = {
        event.key[:70]: f"{event.self_device_time_total / 1e3:.3f} ms, {event.count} times"
        for event in events[:KERNELS]
    }
    return {"all of them": f"{total:.2f} ms", **listed}
