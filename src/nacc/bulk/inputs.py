"""Which files are meant: by name, in folders, by patterns; and what becomes of each."""

from __future__ import annotations

import glob
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from nacc.data.sources import ENDINGS, FORMATS, PARQUET, PARQUET_ENDINGS, refuse_packed
from nacc.errors import InvalidInput

KINDS = {**ENDINGS, ".txt": "text", **PARQUET_ENDINGS}
"""The files that are taken from a folder, and their formats."""
BULK_FORMATS = tuple(name for name in (*FORMATS, PARQUET) if name != "json")


@dataclass(frozen=True)
class File:
    """A file to read and its format, and the name of the one to write in the output's folder."""

    path: Path
    form: str
    out: str


def files(named: Collection[str], form: str | None, out: Path) -> list[File]:
    """All files that are meant, in order; folders are searched to the bottom, but for `out`."""
    if form is not None and form not in BULK_FORMATS:
        raise InvalidInput(f"unknown format {form!r}; known: {', '.join(BULK_FORMATS)}")
    found: dict[Path, File] = {}
    within = False
    for path, root in (each for name in named for each in _meant(name)):
        full = path.resolve()
        if out.resolve() in full.parents:
            within = True
            continue
        if full in found:
            continue
        if form is None:
            refuse_packed(path)
        kind = form or KINDS.get(path.suffix.lower(), "text")
        if kind == "json":
            raise InvalidInput(f"{path} cannot be read row by row; make it JSON Lines: jq -c '.[]'")
        name = path.relative_to(root)
        found[full] = File(full, kind, str(name.with_suffix(".csv") if kind == "text" else name))
    if not found and within:
        raise InvalidInput(
            f"all files in {', '.join(named)} are in {out}, where they would be written to; "
            "choose another folder"
        )
    if not found:
        raise InvalidInput(f"no files in {', '.join(named)}; known endings: {', '.join(KINDS)}")
    outs: dict[str, File] = {}
    for file in found.values():
        if other := outs.get(file.out):
            raise InvalidInput(f"{other.path} and {file.path} would both be written to {file.out}")
        outs[file.out] = file
    return list(found.values())


def _meant(name: str) -> Iterator[tuple[Path, Path]]:
    """The files of a name, and the folder that they keep their place in."""
    path = Path(name)
    if path.is_file():
        yield path, path.parent
    elif path.is_dir():
        for each in sorted(path.rglob("*")):
            hidden = any(part.startswith((".", "_")) for part in each.relative_to(path).parts)
            if each.suffix.lower() in KINDS and each.is_file() and not hidden:
                yield each, path
    elif glob.has_magic(name):
        first = next(i for i, part in enumerate(path.parts) if glob.has_magic(part))
        root = Path(*path.parts[:first])
        matching = sorted(root.glob(str(path.relative_to(root))))
        yield from ((each, root) for each in matching if each.is_file())
    elif path.exists():
        raise InvalidInput(
            f"{name} is no file or folder; what comes through a pipe, once, is for nacc fit"
        )
    else:
        raise InvalidInput(f"cannot read {name}: there is no such file, folder or pattern")
