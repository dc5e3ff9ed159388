"""From data files to a folder that trains: corpus, output vocabulary, validation pairs.

The folder is all a training machine needs; no raw text travels with it but the validation set.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from nacc.data.pairs import read_pairs
from nacc.errors import InvalidInput
from nacc.learning.checkpoint import read_shape
from nacc.learning.corpus import Corpus
from nacc.learning.graded_lists import LIST_FILE, pack_lists
from nacc.learning.packing import Packed, pack
from nacc.learning.recipe import Recipe, group_name
from nacc.learning.tagging import tagged
from nacc.learning.truecase import usual_forms
from nacc.learning.vocabulary import BLANK, added, in_shapes, sayable, vocabulary
from nacc.runtime.folder import lines, model_folder
from nacc.text.words import key


def prepare(recipe: Recipe, data: Path, out: Path, processes: int = 1) -> Counter[str]:
    """Write `out`; gives how many pairs were kept and left out, by reason."""
    if not recipe.data.files:
        raise InvalidInput(f"recipe {recipe.name} names no data: [data] files = [...]")
    files = [_find(data, name) for name in recipe.data.files]
    validation = [_find(data, name) for name in recipe.data.validation]
    start = None if recipe.fresh else model_folder(recipe.start)
    copying = read_shape(start).copy if start else bool(recipe.model.get("copy", True))
    packed = pack(
        files,
        style=recipe.data.style,
        voices=_voices(recipe),
        take=recipe.data.take,
        several=_several(recipe),
        processes=processes,
    )
    corpus, reasons = packed.corpus, packed.reasons
    if not copying:
        corpus = in_shapes(corpus)
        packed = replace(packed, corpus=corpus)
    out.mkdir(parents=True, exist_ok=True)
    for name in ("corpus.npz", "corpus.tags.npz", "validation.tags.npz"):
        (out / name).unlink(missing_ok=True)
    words = _words(recipe, packed, start, copying)
    (out / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    keys = [key(word) for word in words]
    corpus, lost = sayable(corpus, keys, copying)
    reasons["kept"] -= lost
    reasons["word that cannot be said"] = lost
    if not len(corpus):
        raise InvalidInput(f"no headline can be said with this vocabulary: {dict(reasons)}")
    _write_validation(validation, recipe.validation.sentences, out / "validation.tsv")
    held_out = _pack_validation(recipe, validation, keys, copying, out / "validation.npz")
    if recipe.model.get("rival") == "pos":
        tags = tagged(corpus)
        tags.save(out / "corpus.npz")
        if held_out:
            tagged(held_out, tags.names).save(out / "validation.npz")
    (out / LIST_FILE).unlink(missing_ok=True)
    if recipe.lists:
        lists = [_find(data, name) for name in recipe.lists.files]
        pack_lists(lists, processes).save(out / LIST_FILE)
    about = {"for": _settings(recipe, data), "pairs": dict(reasons)}
    (out / "prepared.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    corpus.save(out / "corpus.npz")
    return reasons


def _pack_validation(
    recipe: Recipe, files: list[Path], keys: list[str], copying: bool, path: Path
) -> Corpus | None:
    """The same as pairs to train on, whose loss is then reported; none if they cannot be."""
    path.unlink(missing_ok=True)
    if not files:
        return None
    most = -(-recipe.validation.sentences // len(files))
    with suppress(InvalidInput):
        corpus = pack(files, voices=_voices(recipe), several=_several(recipe), most=most).corpus
        said, _ = sayable(corpus if copying else in_shapes(corpus), keys, copying)
        said.save(path)
        return said
    return None


def _voices(recipe: Recipe) -> dict[str, str] | None:
    return recipe.data.voice if recipe.data.voices else None


def _several(recipe: Recipe) -> list[str]:
    return [group_name(name) for name in recipe.data.several]


def _words(recipe: Recipe, packed: Packed, start: Path | None, copying: bool) -> list[str]:
    """The output vocabulary as it is usually written: the corpus's, or that of the model gone on
    from, with as many more of the corpus's as the recipe wants."""
    part, known = recipe.data, []
    if start is not None:
        known = lines(start / "words.txt")
        new = added(packed.corpus, [key(word) for word in known], part.added_words, part.min_count)
        if recipe.model.get("extract") is False:  # it had none; linked slots need some
            new = vocabulary(packed.corpus, 1 + part.added_words, part.min_count, copying)[1:]
    elif recipe.model.get("extract"):  # the source's own words are all it says
        new = [BLANK]
    else:
        new = vocabulary(packed.corpus, part.vocabulary, part.min_count, copying)
    written = usual_forms(packed.forms, set(new))
    return known + [written.get(word, word) for word in new]


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
        "voices": part.voices > 0 and part.voice,
        "take": part.take,
        **({"several": list(part.several)} if part.several else {}),
        **({"lists": list(recipe.lists.files)} if recipe.lists else {}),
        "vocabulary": [
            *(recipe.start, part.vocabulary, part.min_count, part.added_words),
            *(recipe.model.get("copy"), recipe.model.get("extract")),
            *(["tags"] if recipe.model.get("rival") == "pos" else ()),
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
