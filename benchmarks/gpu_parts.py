"""The parts that benchmarks/gpu.py times."""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gpu_timing import as_chosen, on_cpu, recorded, run_network, timed
from nacc import Budget, Options
from nacc.decoding.expected import Expected
from nacc.fitting.reading import Prompt
from nacc.gpu.candidates import Judge, Source
from nacc.gpu.crew import Crew
from nacc.gpu.decoding import Answers, decode
from nacc.gpu.desk import Desk, lexicon_of
from nacc.gpu.device import Device
from nacc.gpu.lattices import Lattices
from nacc.gpu.network import DeviceNetwork, Outputs
from nacc.gpu.rows import BUCKETS, Rows
from nacc.gpu.summarizer import GpuSummarizer, text_of
from nacc.runtime.folder import model_folder
from nacc.summarizer import Summarizer

SAMPLE = 2048
SELDOM = 0.02  # shapes that fewer of the texts have are not timed
SECONDS = 12.0  # of text to headline


class Parts:
    def __init__(self, given: argparse.Namespace, texts: Sequence[str]) -> None:
        self.given, self.texts = given, texts
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.folder = model_folder(given.model)
        self.crew = Crew(self.folder, given.workers)  # they load while the rest goes on
        self.packed: dict[int, torch.Tensor] = {}
        self.outputs: dict[int, tuple[Source, Outputs]] = {}

    def machine(self) -> dict[str, Any]:
        import triton

        name = torch.cuda.get_device_name() if self.device.type == "cuda" else "CPU"
        about = {"device": name, "torch": torch.__version__, "triton": triton.__version__}
        more = {"workers": self.given.workers, "texts": len(self.texts)}
        return {**about, **more, "commit": self.given.commit}

    def load(self) -> dict[str, float]:
        """The network, the budget's tables, and rows of a sample of texts by their shape."""
        start = time.perf_counter()
        self.cpu = Summarizer.load(self.folder)
        options = self.cpu.settled(Options(rerank=0))
        budget = Budget.of(self.given.budget)
        top_k = int(self.cpu.engine.config["top_k"])
        self.network_ = DeviceNetwork.load(self.given.weights or self.folder, top_k, self.device)
        network_ready = time.perf_counter()
        self.judge = Judge.of(lexicon_of(self.cpu), budget, options, self.device)
        self.worth = Expected(options.expected_words, options.expected_pairs)
        self.desk_ = Desk(self.cpu, budget, options)
        every = self.texts[:: max(1, len(self.texts) // SAMPLE)]
        sample = list(islice(cycle(every), min(SAMPLE, 2 * len(every), 4 * self.given.slots)))
        _, self.rows = self.desk_.read(0, sample)
        self.rows = [rows for rows in self.rows if len(rows.which) >= SELDOM * len(sample)]
        self.shares = {rows.bucket: len(rows.which) for rows in self.rows}
        device = Device(self.network_, self.judge, slots=self.given.slots)
        for rows in self.rows:
            self.packed[rows.bucket] = self._batch(rows, device)
            source = Source.of(self.packed[rows.bucket], BUCKETS[rows.bucket][0])
            self.outputs[rows.bucket] = (source, run_network(self.network_, source))
        return {
            "network s": round(network_ready - start, 2),
            "tables and rows s": round(time.perf_counter() - network_ready, 2),
            "sentences by words": {str(BUCKETS[b]): n for b, n in self.shares.items()},
        }

    def network(self) -> dict[str, Any]:
        """Sentences a second of each shape, and of the texts' mixture."""
        found: dict[str, Any] = {}
        seconds = 0.0
        for bucket, (source, _) in self.outputs.items():
            run, _ = recorded(lambda s=source: run_network(self.network_, s), self.device)
            size = len(source.length)
            rate = size / timed(run, self.device)
            words, pieces = BUCKETS[bucket]
            found[f"{words} words, {pieces} pieces, {size} a batch"] = round(rate)
            seconds += self.shares[bucket] / rate
        return {"mixture": round(sum(self.shares.values()) / seconds), **found}

    def decoding(self) -> dict[str, Any]:
        """From the network's output to chosen words: sentences a second, and what is unsettled."""
        found, self.lattices = self.decoded(self.outputs)
        return found

    def decoded(
        self, outputs: dict[int, tuple[Source, Outputs]]
    ) -> tuple[dict[str, Any], dict[int, tuple[Lattices, Answers]]]:
        """The figures, and by shape what was decoded and what it came to."""
        found: dict[str, Any] = {}
        seconds, unsettled, count = 0.0, 0, 0
        decoded: dict[int, tuple[Lattices, Answers]] = {}
        for bucket, (source, output) in outputs.items():
            run, (lattices, answers) = recorded(
                lambda s=source, o=output: self._decoded(s, o), self.device
            )
            run()
            spent = timed(run, self.device)
            judged, _ = recorded(
                lambda s=source, o=output: self.judge.lattices(o, s, self.network_.slots),
                self.device,
            )
            judging = timed(judged, self.device)
            decoded[bucket] = (lattices, answers)
            size = len(lattices.slots)
            words, pieces = BUCKETS[bucket]
            rate, share = round(size / spent), round(judging / spent, 2)
            found[f"{words} words, {pieces} pieces"] = f"{rate:,} ({share} of it weights and rules)"
            seconds += self.shares[bucket] * spent / size
            unsettled += int((~answers.settled).sum())
            count += size
        rate = round(sum(self.shares.values()) / seconds)
        return {"mixture": rate, "left to the CPU": unsettled / count, **found}, decoded

    def same_answers(self) -> dict[str, Any]:
        """The CPU decoder on the very same lattices: words alike, or at least the score."""
        counts: Counter[str] = Counter()
        worst = 0.0
        start = time.perf_counter()
        for lattices, answers in self.lattices.values():
            some = min(len(lattices.slots), -(-self.given.check // len(self.lattices)))
            for row in range(some):
                settled = bool(answers.settled[row])
                counts["lattices"] += 1
                counts["left to the CPU"] += not settled
                if not settled:
                    continue
                theirs = on_cpu(lattices, row, self.judge)
                path = answers.path[row, : int(answers.length[row])].long()
                ours = lattices.words[row].flatten()[path].tolist()
                apart = abs(float(answers.score[row]) - theirs[1])
                worst = max(worst, apart)
                counts["same words"] += ours == theirs[0]
                counts["same score, other words"] += ours != theirs[0] and apart < 1e-3
                counts["another score"] += apart >= 1e-3
        if not counts["same words"]:
            raise RuntimeError(f"nothing was compared, or nothing is the same: {dict(counts)}")
        seconds = (time.perf_counter() - start) / counts["lattices"]
        return {**counts, "largest difference of scores": worst, "CPU ms each": 1e3 * seconds}

    def desk(self) -> dict[str, float]:
        """What a worker spends on a text, in microseconds: reading it, writing its headline."""
        some = self.texts[1 :: max(1, len(self.texts) // SAMPLE)]
        start = time.process_time()
        self.desk_.read(1, some)
        reading = (time.process_time() - start) / len(some)
        writing, fitting, count, left = 0.0, 0.0, 0, 0
        for rows in self.rows:
            lattices, answers = self.lattices[rows.bucket]
            chosen = as_chosen(rows, lattices, answers)
            start = time.process_time()
            done, open_ = self.desk_.write(0, chosen)
            writing += time.process_time() - start
            raw = self.outputs[rows.bucket][1]
            at = torch.tensor([rows.which.index(i) for i in open_], dtype=torch.long)
            arrays = [each[at.to(each.device)].cpu().numpy() for each in vars(raw).values()]
            start = time.process_time()
            self.desk_.decode(0, open_, arrays)
            fitting += time.process_time() - start
            count, left = count + len(done) + len(open_), left + len(open_)
        return {
            "read us": 1e6 * reading, "write us": 1e6 * writing / count,
            "left to the CPU after the rules": left / count,
            "fitting of these, us a text": 1e6 * fitting / count,
        }  # fmt: skip

    def whole(self) -> dict[str, Any]:
        """Text to headline: the first pass records the shapes, the second is timed, from its first
        headline on."""
        torch.cuda.empty_cache()
        summarizer = GpuSummarizer(self.folder, self.network_, self.crew)
        n, slots = self.given.texts_end_to_end, self.given.slots
        start = time.perf_counter()
        for _ in summarizer.each(
            islice(cycle(self.texts), n // 10), self.given.budget, slots=slots
        ):
            pass
        first = time.perf_counter() - start
        begun, start, cpu, busy = None, time.perf_counter(), self._workers_cpu(), time.thread_time()
        counts: Counter[str] = Counter()
        texts = islice(cycle(self.texts), n)
        for one in summarizer.each(texts, self.given.budget, told=text_of, slots=slots):
            now = time.perf_counter()
            if begun is None:  # what is under way now is about what will be at the end
                begun, cpu, busy = now, self._workers_cpu(), time.thread_time()
            counts["error" if isinstance(one, Exception) else "headline"] += 1
            if now > begun + SECONDS:
                break
        assert begun is not None, "there are texts"
        spent = now - begun
        busy, cpu = time.thread_time() - busy, self._workers_cpu() - cpu
        return {
            "headlines a second": round((counts.total() - 1) / spent),
            "first pass s": round(first, 1), "first headline s": round(begun - start, 1),
            "the one loop is busy": round(busy / spent, 2),
            "workers are busy": round(cpu / spent / len(self.crew), 2), **counts,
        }  # fmt: skip

    def _workers_cpu(self) -> float:
        """Seconds of a core that the workers have spent."""
        stats = (Path(f"/proc/{process.pid}/stat") for process in self.crew.processes)
        ticks = [stat.read_text().rpartition(")")[2].split()[11:13] for stat in stats]
        return sum(int(one) for each in ticks for one in each) / os.sysconf("SC_CLK_TCK")

    def reranking(self) -> dict[str, Any]:
        """What re-ranking twenty answers costs on a core, beside decoding one."""
        found = {}
        budget = Budget.of(self.given.budget)
        asked = [
            self.desk_.summarizer.before(text, [budget], self.desk_.options)[0]
            for text in self.texts[:40]
        ]
        readings = list(self.cpu.read_prompts([one for one in asked if isinstance(one, Prompt)]))
        for name, options in (("rerank=0", Options(rerank=0)), ("as packaged", Options())):
            settled = self.cpu.settled(options)
            self.cpu.after(readings[0], budget, settled)
            start = time.perf_counter()
            for reading in readings[1:]:
                self.cpu.after(reading, budget, settled)
            found[f"{name} ms"] = 1e3 * (time.perf_counter() - start) / (len(readings) - 1)
        return found

    def scorer(self) -> dict[str, Any]:
        """Twenty answers of ten words for each sentence, scored by the network's scorer."""
        network, answers, words = self.network_.network, 20, 10
        if network.scorer is None:
            return {"no": "scorer"}
        sentences = max(8, self.given.slots // 512)
        source = torch.randn(sentences, 32, network.shape.width, device=self.device)
        source = source.to(network.output.weight.dtype).repeat_interleave(answers, 0)
        size = len(source)
        lengths = torch.full((size,), 32, device=self.device)
        labels = torch.randint(1, network.shape.words, (size, words), device=self.device)
        spoken = torch.randint(1, network.shape.pieces, (size, words, 2), device=self.device)
        matches = torch.zeros((size, 32, words), dtype=torch.bool, device=self.device)

        def score() -> Any:
            with torch.no_grad():
                return network.score(source, lengths, labels, matches, spoken, divide=False)

        run, _ = recorded(score, self.device)
        return {"sentences a second": round(sentences / timed(run, self.device))}

    def compiled(self) -> dict[str, Any]:
        if self.device.type != "cuda":
            return {"no": "GPU"}
        self.network_.compile()
        return self.network()

    def close(self) -> None:
        self.crew.close()

    def _batch(self, rows: Rows, device: Device) -> torch.Tensor:
        """A full batch of the sample's rows, over and over."""
        size = device.rows(rows.bucket)
        packed = np.resize(rows.packed, (size, rows.packed.shape[1]))
        return torch.from_numpy(packed).to(self.device)

    def _decoded(self, source: Source, output: Outputs) -> tuple[Lattices, Answers]:
        lattices = self.judge.lattices(output, source, self.network_.slots)
        return lattices, decode(lattices, self.worth)
