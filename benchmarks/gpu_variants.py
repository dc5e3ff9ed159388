"""Ways to lay the same work out on a device, timed beside each other by benchmarks/gpu.py.

What Triton has to compile for them takes minutes of a core, so processes of their own do it
beforehand, and leave it on the disk.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from gpu_timing import recorded, run_network, timed
from nacc.decoding.expected import Expected
from nacc.gpu import decoding
from nacc.gpu.candidates import Source
from nacc.gpu.decoding import HURRY, Answers, Tuning, decode
from nacc.gpu.desk import BUCKETS
from nacc.gpu.lattices import Lattices
from nacc.gpu.network import DeviceNetwork, Outputs
from nacc.parallel import cores

if TYPE_CHECKING:
    from gpu_parts import Parts

TUNINGS = (
    Tuning(), Tuning(rows=16, each=32), Tuning(narrow=True), Tuning(narrow=True, registers=128),
    Tuning(rows=8, each=8, narrow=True), Tuning(rows=8, each=8, narrow=True, registers=96),
    Tuning(rows=8, each=16, narrow=True), Tuning(rows=16, each=8, narrow=True),
)  # fmt: skip
JOINED = (1, 2, 4)  # batches that are decoded as one
SHAPES = 3  # of the texts' commonest shapes, the ones that variants are timed on
KERNELS = 14  # that are named, the longest
NOBODY = 99  # no sentence's state


class Compiling:
    """Processes that have the layouts' kernels compiled, one at a time each; none without a GPU."""

    def __init__(self, tunings: Sequence[Tuning]) -> None:
        rounds = [(1, 1), (1, HURRY), (2, 1), (4, 1), (8, 1)]
        layouts = {
            (
                contexts, replace(tuning, rows=hurry * tuning.rows).shape(64 * contexts),
                tuning.narrow, tuning.registers if contexts * hurry == 1 else None,
            ): (tuning, contexts, hurry)
            for contexts, hurry in rounds
            for tuning in tunings
        }  # fmt: skip
        self._pool, self._done = None, None
        if torch.cuda.is_available():
            context = multiprocessing.get_context("spawn")
            self._pool = context.Pool(min(cores(), len(layouts)))
            self._done = self._pool.starmap_async(_compile, layouts.values(), chunksize=1)

    def join(self) -> dict[str, Any]:
        if self._pool is None or self._done is None:
            return {"no": "GPU"}
        seconds = self._done.get(100)
        self._pool.terminate()
        return {"kernels": len(seconds), "seconds each": sum(seconds) / len(seconds)}


def _compile(tuning: Tuning, contexts: int, hurry: int) -> float:
    """Have one round's kernel compiled, for nobody."""
    start = time.perf_counter()
    given = drawn(2, 64, 20, "cuda")
    whole, real = given.words, given.values
    pairs = real.new_zeros((2, decoding.MOST_COMMON, decoding.MOST_COMMON))
    found = decoding._Expectations(real, real, real, whole, pairs, given.slots > 0)
    decoding._expectations = lambda *_: found  # which would be another kernel
    decoding._Rounds(given, Expected(), tuning).solve(contexts, NOBODY, hurry)
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
        self.parts, self.joined = parts, 1

    def decoding(self) -> dict[str, Any]:
        """Sentences a second of each layout, with more and more batches decoded as one, the fastest
        first; the best is what the parts after this one use."""
        found: dict[tuple[Tuning, int], dict[str, Any]] = {}
        for tuning in TUNINGS:
            for joined in JOINED:
                found[tuning, joined] = self._rate(tuning, joined)
        ranked = sorted(found, key=lambda one: -found[one]["mixture"])
        right = [one for one in ranked if not found[one]["unlike"]]
        if right:
            decoding.TUNING, self.joined = right[0]
        listed = {
            f"{_named(tuning)}, {joined} batches as one": found[tuning, joined]
            for tuning, joined in ranked
        }
        return {"best": f"{_named(decoding.TUNING)}, {self.joined} batches as one", **listed}

    def _rate(self, tuning: Tuning, joined: int) -> dict[str, Any]:
        """Of the texts' commonest shapes: sentences a second, and answers that are not those of the
        default layout, which are the ones that are held beside the CPU's."""
        shares, device, seconds = self.parts.shares, self.parts.device, 0.0
        common = sorted(shares, key=lambda bucket: -shares[bucket])[:SHAPES]
        each, other = {}, 0
        for bucket in common:
            lattices, known = self.parts.lattices[bucket]
            many = times(lattices, joined)
            run, answers = recorded(lambda it=many: decode(it, self.parts.worth, tuning), device)
            spent = timed(run, device) / len(many.slots)
            seconds += shares[bucket] * spent
            each[str(BUCKETS[bucket][0])] = round(1 / spent)
            other += unlike(times(known, joined), answers)
        rate = sum(shares[bucket] for bucket in common) / seconds
        return {"mixture": round(rate), "by words": each, "unlike": other}

    def best(self) -> dict[str, Any]:
        """Decoding of all shapes, from the network's output, as the best of them does it."""
        parts, kept = self.parts, dict(self.parts.outputs)
        for bucket, (_, output) in kept.items():
            packed = parts.packed[bucket].repeat(self.joined, 1)
            source = Source.of(packed, BUCKETS[bucket][0])
            parts.outputs[bucket] = (source, times(output, self.joined))
        found = parts.decoding()
        parts.outputs = kept
        return found

    def rounds(self) -> dict[str, Any]:
        """Milliseconds of each round of decoding, one after the other, for the commonest shape."""
        if not torch.cuda.is_available():
            return {"no": "GPU"}
        bucket = max(self.parts.shares, key=lambda each: self.parts.shares[each])
        lattices, worth = self.parts.lattices[bucket][0], self.parts.worth
        found: dict[str, Any] = {"sentences": len(lattices.slots)}
        for name, tuning in (("the best", decoding.TUNING), ("the default", Tuning())):
            seen = profiled(lambda how=tuning: decode(lattices, worth, how))
            events = sorted(seen.events(), key=lambda event: event.time_range.start)
            found[name] = str([
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
            "sentences": len(source.length), "sentences decoded": len(lattices.slots),
            "words": BUCKETS[bucket][0],
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


def _named(tuning: Tuning) -> str:
    registers = f", {tuning.registers} registers" if tuning.registers else ""
    kind = "columns" if tuning.narrow else "rows"
    return f"{tuning.rows} at a time in {kind}, {tuning.each} each{registers}"


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
