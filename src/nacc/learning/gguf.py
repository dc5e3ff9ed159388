"""Language models as GGUF files keep them: settings, vocabulary, tensors in blocks of few bits.

Only what such a file of a small Llama needs: whole numbers and floats, and the blocks Q4_1, Q4_0
and Q8_0, which are unpacked to 32 bits.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from nacc.errors import BadModel

_MAGIC = b"GGUF"
_SCALARS = dict(enumerate("<B <b <H <h <I <i <f <? - - <Q <q <d".split()))
_STRING, _LIST = 8, 9
_BLOCK = 32  # values that share a scale

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Gguf:
    """What the file says of the model, and its tensors by name, rows first."""

    about: dict[str, Any]
    tensors: dict[str, Floats]


def read(path: Path) -> Gguf:
    """The whole file; BadModel if it is not one of ours."""
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise BadModel(f"{path} is no GGUF file")
        try:
            return _read(file)
        except (struct.error, KeyError, ValueError, UnicodeDecodeError) as error:
            raise BadModel(f"{path} cannot be read: {error!r}") from error


def _read(file: BinaryIO) -> Gguf:
    _number(file, "<I")  # the version: 2 and 3 are alike
    tensors, settings = _number(file, "<Q"), _number(file, "<Q")
    about = {_string(file): _value(file, _number(file, "<I")) for _ in range(settings)}
    listed = []
    for _ in range(tensors):
        name = _string(file)
        shape = [_number(file, "<Q") for _ in range(_number(file, "<I"))]
        listed.append((name, shape[::-1], _number(file, "<I"), _number(file, "<Q")))
    align = int(about.get("general.alignment", 32))
    begin = -(-file.tell() // align) * align
    found = {}
    for name, shape, kind, offset in listed:
        size, unpack = _KINDS[kind]
        file.seek(begin + offset)
        raw = np.frombuffer(file.read(prod(shape) // size[0] * size[1]), np.uint8)
        found[name] = unpack(raw).reshape(shape)
    return Gguf(about, found)


def _number(file: BinaryIO, form: str) -> Any:
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def _string(file: BinaryIO) -> str:
    return file.read(_number(file, "<Q")).decode("utf-8")


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind == _LIST:
        inner, length = _number(file, "<I"), _number(file, "<Q")
        return [_value(file, inner) for _ in range(length)]
    return _number(file, _SCALARS[kind])


def _halves(raw: NDArray[np.uint8], begin: int) -> Floats:
    return raw[:, begin : begin + 2].copy().view(np.float16).astype(np.float32)


def _nibbles(raw: NDArray[np.uint8], begin: int) -> Floats:
    packed = raw[:, begin:]
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


def _q4_0(raw: NDArray[np.uint8]) -> Floats:
    blocks = raw.reshape(-1, 18)
    return _halves(blocks, 0) * (_nibbles(blocks, 2) - 8)


def _q4_1(raw: NDArray[np.uint8]) -> Floats:
    blocks = raw.reshape(-1, 20)
    return _halves(blocks, 0) * _nibbles(blocks, 4) + _halves(blocks, 2)


def _q8_0(raw: NDArray[np.uint8]) -> Floats:
    blocks = raw.reshape(-1, 34)
    return _halves(blocks, 0) * blocks[:, 2:].view(np.int8).astype(np.float32)


_KINDS: dict[int, tuple[tuple[int, int], Callable[[NDArray[np.uint8]], Floats]]] = {
    0: ((1, 4), lambda raw: raw.view(np.float32)),
    1: ((1, 2), lambda raw: raw.view(np.float16).astype(np.float32)),
    2: ((_BLOCK, 18), _q4_0),
    3: ((_BLOCK, 20), _q4_1),
    8: ((_BLOCK, 34), _q8_0),
}
"""Values and bytes a block, and how one is unpacked, by the format's number for it."""
