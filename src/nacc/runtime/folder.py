"""A model's folder: how models are named, what a folder says of itself, whether it is intact."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from nacc.errors import BadModel

PACKAGED = Path(__file__).parents[1] / "weights"
FORMAT = "nacc-model-1"


def packaged() -> list[Path]:
    """The folders of the models that come with the package."""
    return sorted(path for path in PACKAGED.iterdir() if path.is_dir())


def model_folder(model: str | Path | None) -> Path:
    """Where a model lies: a packaged one, by its name, or any by its path ("./name" if need be)."""
    names = [folder.name for folder in packaged()]
    if model is None or str(model) in names:
        return PACKAGED / str(model or "default")
    if not Path(model).is_dir():
        known = ", ".join(names)
        raise BadModel(f"there is no model folder at {model}; models by name: {known}")
    return Path(model)


def config(folder: Path) -> dict[str, Any]:
    """What the folder's config.json says, or BadModel."""
    path = folder / "config.json"
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadModel(f"{folder} is not a model folder: {error}") from error
    kind = found.get("format") if isinstance(found, dict) else None
    if kind != FORMAT:
        raise BadModel(f"{path} is of format {kind!r}; `nacc export` makes {FORMAT!r}")
    tables = {name: found.get(name, {}) for name in ("shape", "generation", "sha256")}
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise BadModel(f"{path}: {name} = {table!r} is no table")
    for table, name in ((found, "positions"), (found, "max_words"), (tables["shape"], "words")):
        if not isinstance(table.get(name), int):
            raise BadModel(f"{path}: {name} = {table.get(name)!r} is not a whole number")
    return dict(found)


def damaged(folder: Path, sums: dict[str, str]) -> list[str]:
    """The files that are missing or not what they were when their sums were taken."""
    return [name for name, known in sums.items() if _sum(folder / name) != known]


def lines(path: Path) -> list[str]:
    """The lines of one of the folder's text files, or BadModel."""
    try:
        return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadModel(f"no vocabulary at {path}: {error}") from error


def _sum(path: Path) -> str | None:
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
