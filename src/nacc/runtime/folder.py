"""A model's folder: how models are named, what a folder says of itself, whether it is intact."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from nacc.decoding.registry import decoder, methods
from nacc.errors import BadModel, InvalidInput, InvalidOption
from nacc.options import Settled

if TYPE_CHECKING:
    from nacc.runtime.conditions import Conditions

PACKAGED = Path(__file__).parents[1] / "weights"
FORMAT = "nacc-model-1"

Told = tuple[str | None, int | None]
"""What a network is told besides a sentence: a voice and a number of characters; None: any."""
NOTHING: Told = (None, None)


def packaged() -> list[Path]:
    """The folders of the models that come with the package."""
    return sorted(path for path in PACKAGED.iterdir() if path.is_dir())


def model_folder(model: str | Path | None) -> Path:
    """Where a model lies: a packaged one, by its name, or any by its path ("./name" if need be)."""
    if not isinstance(model, (str, PathLike, NoneType)):
        raise InvalidInput(f"a model is a name or the path of its folder, not {model!r}")
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


def conditions(folder: Path) -> Conditions | None:
    """What the folder's network can be told besides a sentence; None: nothing."""
    from nacc.runtime.conditions import Conditions, has_conditions

    return Conditions.load(folder) if has_conditions(folder) else None


def voice_of(style: str | None, known: Conditions | None) -> str | None:
    """The voice of a style, or InvalidOption that names the styles there are."""
    if style is None:
        return None
    styles: Mapping[str, str | None] = {} if known is None else known.styles
    if style not in styles:
        has = f"its styles are {', '.join(styles)}" if styles else "it has no styles"
        raise InvalidOption("style", f"style {style!r} is none of this model: {has}")
    return styles[style]


def check_options(options: Settled, config: Mapping[str, Any], known: Conditions | None) -> None:
    """InvalidOption if a model of this config and these conditions cannot have them."""
    needs, linked = decoder(options.method).needs, bool(config["shape"].get("slots"))
    if ("links" if not linked else "blank") in needs:
        able = "links" if linked else "blank"
        others = [name for name in methods() if able in decoder(name).needs]
        raise InvalidOption(
            "method", f"method {options.method} is none for this model: use {' or '.join(others)}"
        )
    if options.min_confidence and config.get("confidence") is None:
        raise InvalidOption("min_confidence", "this model does not say how sure it is")
    voice_of(options.style, known)


def check_sums(folder: Path, config: Mapping[str, Any]) -> None:
    """BadModel if a file is missing or not what it was; a sound folder is looked at once only."""
    _check_sums(folder.resolve(), tuple(config.get("sha256", {}).items()))


@cache
def _check_sums(folder: Path, sums: tuple[tuple[str, str], ...]) -> None:
    if broken := damaged(folder, dict(sums)):
        raise BadModel(f"{folder}: missing, or not what it was: {', '.join(broken)}")


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
