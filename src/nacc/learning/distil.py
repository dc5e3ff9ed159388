"""An autoregressive model's headlines for a whole corpus: what the default model learns from.

A hundred editors have a hundred headlines for a sentence, and a model whose slots do not know of
each other mixes them. One distilling teacher says the same thing the same way; learnt from it,
slots agree.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from nacc.errors import BadModel, InvalidInput
from nacc.fitting.reading import dangles
from nacc.learning.autoregressive import END, Autoregressive
from nacc.learning.batches import Batch, Batches, Batching
from nacc.learning.checkpoint import load_model, read_vocabulary
from nacc.learning.corpus import Corpus, Ragged
from nacc.learning.writing import Manner, Source
from nacc.length.budget import Budget
from nacc.length.lead import lead
from nacc.runtime.inputs import padded
from nacc.text.pieces import Pieces

BATCH_WORDS = 65_536
WORDS = range(3, 18)  # of a headline


def distil(
    teacher: Path,
    data: Path,
    out: Path,
    device: torch.device,
    *,
    limit: int | None = None,
    show: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> int:
    """Write `out`, the prepared folder `data` with the teacher's headlines; gives how many.

    With a limit, no more than a batch above it are written, for sources drawn at random.
    """
    given = load_model(teacher)
    if not isinstance(given.network, Autoregressive):
        raise BadModel(f"{teacher} is not autoregressive: train one with decoder_layers above 0")
    if given.vocabulary != read_vocabulary(data / "words.txt"):
        raise BadModel(f"{data} was prepared for another vocabulary than {teacher}'s")
    corpus = Corpus.load(data / "corpus.npz")
    targets: list[list[int]] = [[] for _ in range(len(corpus))]
    done = 0
    speaker = _Speaker(given.network, given.pieces, given.vocabulary, corpus, device)
    for rows, said in speaker.speak():
        for row, words in zip(rows, said, strict=True):
            targets[row] = words
        done += len(rows)
        show(done, min(len(corpus), limit or len(corpus)))
        if limit is not None and done >= limit:
            break
    good = np.array([len(words) in WORDS for words in targets])
    if not good.any():
        raise InvalidInput(f"{teacher} wrote no headline of {WORDS.start} words or more")
    made = replace(
        corpus,
        lexicon=speaker.lexicon,
        source=corpus.source.select(good),
        target=Ragged.of([words for words, kept in zip(targets, good, strict=True) if kept]),
        group=corpus.group[good],
    )
    out.mkdir(parents=True, exist_ok=True)
    for name in ("words.txt", "validation.tsv", "prepared.json"):
        if (data / name).exists():
            shutil.copy(data / name, out / name)
    made.save(out / "corpus.npz")
    return len(made)


def within(words: Sequence[str], budget: int) -> list[str]:
    """As many of the words as stay within the budget, spaces counted."""
    return lead(" ".join(words), Budget(budget)).split()


class _Speaker:
    """Goes through a corpus; `lexicon` is the corpus's with all of the vocabulary in it."""

    def __init__(
        self,
        network: Autoregressive,
        pieces: Pieces,
        vocabulary: list[str],
        corpus: Corpus,
        device: torch.device,
    ) -> None:
        self.network = network.to(device).eval()
        known = set(corpus.lexicon)
        self.lexicon = corpus.lexicon + [word for word in vocabulary if word not in known]
        self.batches = Batches(
            replace(corpus, lexicon=self.lexicon),
            pieces,
            vocabulary,
            Batching(BATCH_WORDS),
            positions=network.shape.positions,
            device=device,
        )
        place = {word: i for i, word in enumerate(self.lexicon)}
        self.numbers = torch.tensor([place[word] for word in vocabulary], device=device)
        again = torch.tensor([dangles(word) for word in vocabulary], device=device)
        self.manner = Manner(words=WORDS, again=again)
        self.own = self.batches.spell(self.numbers)

    def speak(self) -> Iterator[tuple[list[int], list[list[int]]]]:
        """Row numbers and what is said of them, as numbers of the lexicon, batch by batch."""
        bf16 = self.batches.device.type == "cuda"
        for rows in self.batches.plan(0):
            batch = self.batches.build(rows)
            theirs = self.batches.spell(batch.source)
            source = Source(
                batch.pieces, batch.slots, batch.lengths, batch.symbols, self.own, theirs
            )
            with torch.autocast(self.batches.device.type, torch.bfloat16, enabled=bf16):
                found = self.network.write(source, self.manner)
            said = [one[0].symbols if one else () for one in found]
            symbols = torch.from_numpy(padded(said, END)).to(self.batches.device)
            numbers = self._number(batch, symbols).cpu().tolist()
            yield rows.tolist(), [line[: len(w)] for line, w in zip(numbers, said, strict=True)]

    def _number(self, batch: Batch, symbols: Tensor) -> Tensor:
        """The words of symbols (B, T) as numbers of the lexicon."""
        words = len(self.numbers)
        copied = batch.source.gather(1, (symbols - words).clamp(min=0))
        return torch.where(symbols < words, self.numbers[symbols.clamp(max=words - 1)], copied)
