"""From data files to a folder that trains: corpus, output vocabulary, validation pairs.

The folder is all a training machine needs; no raw text travels with it but the validation set.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from nacc.errors import InvalidInput
from nacc.packaged import model_folder
from nacc.text.words import UNKNOWN, Style, digits_hidden, split
from nacc.training.checkpoint import read_shape, read_vocabulary
from nacc.training.corpus import Corpus, Ragged, build
from nacc.training.pairs import read_pairs
from nacc.training.recipe import SMALLEST_VOCABULARY, Recipe

BLANK = "<blank>"
_NUMBER = regex.compile(r"\d|#")
_DIGIT = regex.compile(r"\d")


def prepare(recipe: Recipe, data: Path, out: Path, processes: int = 1) -> Counter[str]:
    """Write `out`; gives how many pairs were kept and left out, by reason."""
    if not recipe.data.files:
        raise InvalidInput(f"recipe {recipe.name} names no data: [data] files = [...]")
    files = [_find(data, name) for name in recipe.data.files]
    validation = [_find(data, name) for name in recipe.data.validation]
    start = None if recipe.fresh else model_folder(recipe.start)
    copying = read_shape(start).copy if start else bool(recipe.model.get("copy", True))
    corpus, reasons = build(
        files, style=recipe.data.style, voices=recipe.data.voices > 0, processes=processes
    )
    if not copying:
        corpus = in_shapes(corpus)
    out.mkdir(parents=True, exist_ok=True)
    (out / "corpus.npz").unlink(missing_ok=True)
    if start is None:
        keys = [BLANK]
        if not recipe.model.get("extract"):  # else the source's own words are all it says
            keys = vocabulary(corpus, recipe.data.vocabulary, recipe.data.min_count, copying)
        surfaces = truecase(files, set(keys), recipe.data.style)
        lines = [surfaces.get(word, word) for word in keys]
        (out / "words.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        keys = read_vocabulary(start / "words.txt")
        shutil.copy(start / "words.txt", out / "words.txt")
    corpus, lost = sayable(corpus, keys, copying)
    reasons["kept"] -= lost
    reasons["word that cannot be said"] = lost
    if not len(corpus):
        raise InvalidInput(f"no headline can be said with this vocabulary: {dict(reasons)}")
    _write_validation(validation, recipe.validation.sentences, out / "validation.tsv")
    about = {"for": _settings(recipe, data), "pairs": dict(reasons)}
    (out / "prepared.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    corpus.save(out / "corpus.npz")
    return reasons


def is_prepared(folder: Path, recipe: Recipe | None = None, data: Path | None = None) -> bool:
    """Is this a folder that `prepare` wrote (for this recipe and these data, where given)?"""
    if not (folder / "corpus.npz").is_file():
        return False
    if recipe is None or data is None:
        return True
    try:
        about = json.loads((folder / "prepared.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(about, dict) and about.get("for") == _settings(recipe, data)


def _settings(recipe: Recipe, data: Path) -> dict[str, Any]:
    part = recipe.data
    return {
        "data": str(data.resolve()),
        "files": list(part.files),
        "style": part.style,
        "voices": part.voices > 0,
        "vocabulary": [
            *(recipe.start, part.vocabulary, part.min_count),
            *(recipe.model.get("copy"), recipe.model.get("extract")),
        ],
        "validation": [*part.validation, recipe.validation.sentences],
    }


def _find(data: Path, name: str) -> Path:
    """The data file of that name: there, or anywhere below."""
    if (data / name).is_file():
        return data / name
    found = sorted(data.rglob(name))
    if not found:
        raise InvalidInput(f"no file {name} under {data}")
    if len(found) > 1:
        raise InvalidInput(f"several files {name} under {data}: {found[0]}, {found[1]}; say which")
    return found[0]


def _write_validation(files: list[Path], sentences: int, path: Path) -> None:
    """An equal share of the sentences from each file, the first ones of it."""
    lines = []
    for i, file in enumerate(files):
        share = sentences * (i + 1) // len(files) - sentences * i // len(files)
        lines += ["\t".join(pair) + "\n" for pair in islice(read_pairs(file), share)]
    path.write_text("".join(lines), encoding="utf-8")


def vocabulary(corpus: Corpus, size: int, min_count: int, copying: bool) -> list[str]:
    """ε, then the most frequent words of the headlines; for a model that copies, the words they
    add most often to what their sources say (a word that is only ever copied needs no place).
    Numbers are copied or not said at all, unless they are shapes (`in_shapes`)."""
    said = corpus.target.flat[~_copied(corpus)] if copying else corpus.target.flat
    chosen = [BLANK, *_frequent(corpus, said, min_count, size - 1, shapes=not copying)]
    if len(chosen) < SMALLEST_VOCABULARY:  # headlines that add next to nothing
        known = set(chosen)
        most = SMALLEST_VOCABULARY + len(chosen)
        more = _frequent(corpus, corpus.target.flat, 1, most, shapes=not copying)
        chosen += [word for word in more if word not in known][: SMALLEST_VOCABULARY - len(chosen)]
    if len(chosen) < SMALLEST_VOCABULARY:
        raise InvalidInput(
            f"the headlines hold only {len(chosen) - 1} different words, numbers apart; "
            f"a model needs at least {SMALLEST_VOCABULARY - 1}: give it more pairs"
        )
    return chosen


def added_words(corpus: Corpus, min_count: int, most: int) -> list[str]:
    """The words that headlines add most often to what their sources say, numbers aside."""
    return _frequent(corpus, corpus.target.flat[~_copied(corpus)], min_count, most, shapes=False)


def _frequent(
    corpus: Corpus, said: NDArray[np.int32], min_count: int, most: int, *, shapes: bool
) -> list[str]:
    counts = np.bincount(said, minlength=len(corpus.lexicon))
    order = np.argsort(-counts, kind="stable")
    words = (corpus.lexicon[i] for i in order[: int((counts >= min_count).sum())])
    unwanted = _DIGIT if shapes else _NUMBER
    good = (word for word in words if word not in UNKNOWN and not unwanted.search(word))
    return list(islice(good, most))


def in_shapes(corpus: Corpus) -> Corpus:
    """The corpus with digits as #, as the encoder reads them: a model that cannot copy can say no
    more of a number than its shape (and Gigaword has nothing else)."""
    shapes: dict[str, int] = {}
    to = np.array(
        [shapes.setdefault(digits_hidden(word), len(shapes)) for word in corpus.lexicon], np.int32
    )
    return replace(
        corpus,
        lexicon=list(shapes),
        source=Ragged(to[corpus.source.flat], corpus.source.lengths),
        target=Ragged(to[corpus.target.flat], corpus.target.lengths),
    )


def _copied(corpus: Corpus) -> NDArray[np.bool_]:
    """Which target words (end to end) occur in their own source."""
    size = len(corpus.lexicon)
    place = corpus.target.rows * size + corpus.target.flat
    return np.isin(place, corpus.source.rows * size + corpus.source.flat)


def sayable(corpus: Corpus, vocabulary: list[str], copying: bool) -> tuple[Corpus, int]:
    """The pairs whose every target word is in the vocabulary or, when copying, in their source."""
    known = set(vocabulary)
    in_vocabulary = np.array([word in known for word in corpus.lexicon])
    said = in_vocabulary[corpus.target.flat]
    if copying:
        said |= _copied(corpus)
    good = np.ones(len(corpus), dtype=bool)
    good[corpus.target.rows[~said]] = False
    kept = Corpus(
        corpus.lexicon,
        corpus.source.select(good),
        corpus.target.select(good),
        corpus.group[good],
        corpus.names,
    )
    return kept, int((~good).sum())


def truecase(files: list[Path], keys: set[str], style: Style) -> dict[str, str]:
    """How each word is usually written inside a sentence (sources are in sentence case), units
    and hours after numbers aside: what is copied is written as it stands (7 pm, the PM)."""
    seen: dict[str, Counter[str]] = {}
    for path in files:
        for source, _ in read_pairs(path):
            sentence = split(source, style)
            for (before, lower), word in zip(
                pairwise(sentence.keys), sentence.words[1:], strict=True
            ):
                if lower in keys and not before[-1:].isdigit():
                    seen.setdefault(lower, Counter())[word.replace("’", "'")] += 1
    return {lower: _usual(lower, counts) for lower, counts in seen.items()}


def _usual(lower: str, counts: Counter[str]) -> str:
    """The commonest form; but a word often seen in lower case is a common noun that names share."""
    if counts[lower] >= 0.2 * counts.total():
        return lower
    return counts.most_common(1)[0][0]
