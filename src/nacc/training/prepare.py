"""From data files to a folder that trains: corpus, output vocabulary, tokenizer, start weights.

The folder is all a training machine needs; no raw text travels with it but the validation set.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import regex
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.text.words import split
from nacc.training.checkpoint import read_vocabulary
from nacc.training.corpus import Corpus, Ragged, build
from nacc.training.pairs import read_pairs
from nacc.training.recipe import Recipe

BLANK = "<blank>"
_NEVER_SAID = regex.compile(r"\d|#|^(?:unk|<unk>)$")


def prepare(recipe: Recipe, data: Path, out: Path, processes: int = 2) -> Counter[str]:
    """Write `out`; gives how many pairs were kept and left out, by reason."""
    files = [_find(data, name) for name in recipe.data.files]
    style = "tokenized" if recipe.data.style == "tokenized" else "written"
    corpus, reasons = build(files, style=style, processes=processes)
    out.mkdir(parents=True, exist_ok=True)
    copying = bool(recipe.model.get("copy", True))
    start = Path(recipe.start)
    if start.is_dir():
        keys = read_vocabulary(start / "words.txt")
        shutil.copy(start / "words.txt", out / "words.txt")
    else:
        keys = vocabulary(corpus, recipe.data.vocabulary, recipe.data.min_count, copying)
        surfaces = truecase(files, set(keys))
        lines = [surfaces.get(word, word) for word in keys]
        (out / "words.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    corpus, lost = sayable(corpus, keys, copying)
    reasons["kept"] -= lost
    reasons["word that cannot be said"] = lost
    if not len(corpus):
        raise InvalidInput(f"no headline can be said with this vocabulary: {dict(reasons)}")
    corpus.save(out / "corpus.npz")
    if recipe.data.validation:
        shutil.copy(_find(data, recipe.data.validation), out / "validation.tsv")
    (out / "counts.json").write_text(json.dumps(dict(reasons), indent=1), encoding="utf-8")
    return reasons


def _find(data: Path, name: str) -> Path:
    found = sorted(data.rglob(name)) if not (data / name).exists() else [data / name]
    if not found:
        raise InvalidInput(f"no file {name} under {data}")
    return found[0]


def vocabulary(corpus: Corpus, size: int, min_count: int, copying: bool) -> list[str]:
    """ε, then the most frequent words of the headlines; for a model that copies, the words they
    add most often to what their sources say (a word that is only ever copied needs no place).
    Numbers are copied or not said at all."""
    said = corpus.target.flat[~_copied(corpus)] if copying else corpus.target.flat
    counts = np.bincount(said, minlength=len(corpus.lexicon))
    chosen = [BLANK]
    for i in np.argsort(-counts, kind="stable"):
        if counts[i] < min_count or len(chosen) == size:
            break
        if not _NEVER_SAID.search(corpus.lexicon[i]):
            chosen.append(corpus.lexicon[i])
    return chosen


def _copied(corpus: Corpus) -> NDArray[np.bool_]:
    """Which target words (end to end) occur in their own source."""
    size = len(corpus.lexicon)
    place = _rows(corpus.target) * size + corpus.target.flat
    return np.isin(place, _rows(corpus.source) * size + corpus.source.flat)


def sayable(corpus: Corpus, vocabulary: list[str], copying: bool) -> tuple[Corpus, int]:
    """The pairs whose every target word is in the vocabulary or, when copying, in their source."""
    known = set(vocabulary)
    in_vocabulary = np.array([word in known for word in corpus.lexicon])
    said = in_vocabulary[corpus.target.flat]
    if copying:
        said |= _copied(corpus)
    good = np.ones(len(corpus), dtype=bool)
    good[_rows(corpus.target)[~said]] = False
    kept = Corpus(
        corpus.lexicon,
        _select(corpus.source, good),
        _select(corpus.target, good),
        corpus.group[good],
        corpus.names,
    )
    return kept, int((~good).sum())


def _rows(ragged: Ragged) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(ragged.lengths), dtype=np.int64), ragged.lengths)


def _select(ragged: Ragged, good: NDArray[np.bool_]) -> Ragged:
    return Ragged(ragged.flat[good[_rows(ragged)]], ragged.lengths[good])


def truecase(files: list[Path], keys: set[str], most: int = 200_000) -> dict[str, str]:
    """How each word is usually written inside a sentence (sources are in sentence case)."""
    seen: dict[str, Counter[str]] = {}
    for path in files:
        step = 0
        for source, _ in read_pairs(path):
            step += 1
            if step > most:
                break
            sentence = split(source, "written")
            for word, lower in zip(sentence.words[1:], sentence.keys[1:], strict=True):
                if lower in keys:
                    seen.setdefault(lower, Counter())[word.replace("’", "'")] += 1
    return {lower: counts.most_common(1)[0][0] for lower, counts in seen.items()}
