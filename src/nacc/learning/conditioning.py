"""Conditions in training: which voices a corpus has, and what each of its pairs is given.

A trained model can be conditioned once, for good: its tokenizer then puts the two pieces before
every sentence, and nothing else needs to know of them.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.learning.checkpoint import load_model, save_model
from nacc.learning.corpus import Corpus
from nacc.learning.lessons import headline_lengths
from nacc.runtime.conditions import Conditions, unused
from nacc.text.pieces import Pieces

UNCONDITIONED = 0.1
"""The share of pairs in training whose voice, or length, is kept from the network."""


def voices_of(corpus: Corpus, most: int) -> tuple[str, ...]:
    """The voices heard most often; then those of files that have but one, a kind of text each."""
    sizes = np.bincount(corpus.group, minlength=len(corpus.names))
    heard: Counter[str] = Counter()
    kinds: dict[str, None] = {}
    for name, voice, size in zip(corpus.names, corpus.voices, sizes.tolist(), strict=True):
        if name == f"{voice}/{voice}":
            kinds[voice] = None
        else:
            heard[voice] += size
    outlets = (voice for voice, _ in heard.most_common(most))
    return tuple(dict.fromkeys([*outlets, *sorted(kinds)]))


def table(conditions: Conditions, pieces: Pieces, corpus: Corpus) -> NDArray[np.int64]:
    """(pairs, 2): the piece ids that say whose headline each pair has, and how long it is."""
    voices = np.array([conditions.voice_number(voice) for voice in corpus.voices])
    lengths = conditions.length_number(headline_lengths(corpus))
    ids = np.array([pieces.id(unused(i)) for i in range(conditions.size)])
    found: NDArray[np.int64] = ids[np.stack([voices[corpus.group], lengths], axis=1)]
    return found


def unconditioned(conditions: Conditions, pieces: Pieces) -> list[int]:
    """The piece ids of any voice and any length."""
    return [pieces.id(piece) for piece in conditions.pieces()]


def condition(
    folder: Path,
    out: Path,
    voice: str | None,
    length: int | None,
    styles: Mapping[str, str | None] | None = None,
) -> None:
    """Write `out`: the model folder, settled on whose headlines to write, and how long; `styles`
    are names for voices that users may choose by instead. A voice "A+B" lies between two."""
    if length is not None and length < 1:
        raise InvalidInput(f"length = {length} must be at least 1")
    conditions = Conditions.load(folder)
    conditioned = conditions.before(Pieces.load(folder / "tokenizer.json"), voice, length)
    between = tuple(_between(conditions, (styles or {}).values()))
    if styles:
        voices = (*conditions.voices, *between)
        conditions = replace(conditions, voices=voices, styles={**conditions.styles, **styles})
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.resolve() != (out / path.name).resolve():
            shutil.copyfile(path, out / path.name)
    conditioned.save(out / "tokenizer.json")
    if styles:
        conditions.save(out)
    if between:
        _place(between, conditions, out)


def _between(conditions: Conditions, voices: Iterable[str | None]) -> Iterator[str]:
    """Which of the voices are none that was told apart, but lie between some that were."""
    for voice in dict.fromkeys(voices):
        if voice and voice not in conditions.voices and "+" in voice:
            for part in voice.split("+"):
                conditions.pieces(part)  # or say which are known
            yield voice


@torch.no_grad()
def _place(between: Iterable[str], conditions: Conditions, out: Path) -> None:
    """Give each voice the mean of the vectors of those that it lies between."""
    model = load_model(out)
    vectors = model.network.piece_embedding.weight
    for voice in between:
        at, *parts = (
            model.pieces.id(conditions.pieces(each)[0]) for each in (voice, *voice.split("+"))
        )
        vectors[at] = vectors[parts].mean(0)
    save_model(model.network, out)
