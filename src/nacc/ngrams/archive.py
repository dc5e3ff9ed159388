"""A model's file: plain arrays in one .npz archive that says what it holds. Never a pickle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from nacc.errors import BadModel

Parts = Mapping[str, NDArray[Any]]
MOST_UNPACKED = 16
"""How many times its size a file may hold: ours are not packed at all."""


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    name:  what messages call it.
    marks: what a file says it holds; the first is written, every one is read ("": it says nothing).
    maker: the command that makes such a file, if one is worth naming.
    """

    name: str
    marks: tuple[str, ...]
    maker: str = ""


class Damaged(ValueError):
    """A part of a file is not what it has to be."""


class Checked(Protocol):
    def check(self) -> None:
        """Raise Damaged unless all holds that whoever uses the model relies on."""
        ...


Model = TypeVar("Model", bound=Checked)


def save(path: str | Path, kind: Kind, parts: Parts) -> None:
    """Write the parts, whole or not at all."""
    whole: dict[str, Any] = {"format": np.array(kind.marks[0]), **parts}
    path = Path(path)
    unfinished = path.with_name(path.name + ".tmp")
    with unfinished.open("wb") as file:
        np.savez(file, **whole)
    unfinished.replace(path)


def load(path: str | Path, kind: Kind, build: Callable[[Parts], Model]) -> Model:
    """What `build` makes of the parts; BadModel if the file is of another kind or damaged."""
    try:
        check_size(path)
        with np.load(path, allow_pickle=False) as parts:
            silent = "" in kind.marks and "format" not in parts
            mark = "" if silent else str(parts["format"])
            if mark not in kind.marks:
                raise BadModel(f"{path} holds {mark}, not {kind.marks[0]}")
            model = build(parts)
            model.check()
    except FileNotFoundError:
        hint = f"; `{kind.maker}` makes one" if kind.maker else ""
        raise BadModel(f"there is no {kind.name} at {path}{hint}") from None
    except BadModel:
        raise
    except Damaged as error:
        raise BadModel(f"{path} is damaged: {error}") from None
    except Exception as error:  # readers of archives trip over damage in too many ways to name
        raise BadModel(f"{path} is not a {kind.name}: {error}") from error
    return model


def check_size(path: str | Path) -> None:
    """Damaged if the archive would unpack to far more than it is."""
    with ZipFile(path) as archive:
        whole = sum(part.file_size for part in archive.infolist())
    if whole > MOST_UNPACKED * Path(path).stat().st_size:
        raise Damaged(f"it would unpack to {whole:,} bytes")


def packed(words: Sequence[str]) -> NDArray[np.uint8]:
    """Words as the bytes of one text, a word a line."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def unpacked(text: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(text.tobytes().decode().split("\n")) if len(text) else ()
