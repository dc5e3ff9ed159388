"""The lines of a text file, plain or packed (.zst): every reader of data begins here.

One line at a time is in memory. A byte-order mark is no part of the text, nor is the carriage
return of a Windows line ending.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from nacc.data.rows import BOM, split_ending
from nacc.errors import InvalidInput, requires

if TYPE_CHECKING:
    from io import RawIOBase

LONGEST = 2**26
"""Bytes a line may have, 64 MB: a small packed file may hold a line without end."""
WINDOW = 2**27
"""How much a packed file may have its reader remember (`zstd --long=27`): 128 MB."""


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, without their endings; what cannot be read is named."""
    number = 0
    try:
        with path.open("rb") as file:
            lines = _unpacked(file) if path.suffix == ".zst" else _bounded(file)
            for number, raw in enumerate(lines, 1):
                if len(raw) > LONGEST:
                    raise InvalidInput(f"{path}, line {number} has over {LONGEST:,} bytes")
                line, _ = split_ending(raw.decode("utf-8"))
                yield line.removeprefix(BOM) if number == 1 else line
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{path}, line {number}: byte 0x{error.object[error.start]:02x} is not UTF-8; "
            "convert the file, e.g. with iconv -t utf-8"
        ) from error
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from error


def _unpacked(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a .zst file, as it is unpacked."""
    requires(f"reading {Path(file.name).name}", "eval", "zstandard")
    from zstandard import ZstdDecompressor, ZstdError

    reader = ZstdDecompressor(max_window_size=WINDOW).stream_reader(file, read_across_frames=True)
    try:
        yield from _bounded(BufferedReader(cast("RawIOBase", reader)))
    except ZstdError as error:
        raise OSError(f"damaged, or not packed by zstd: {error}") from error


def _bounded(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; of one that is too long, enough to see that it is."""
    return iter(lambda: file.readline(LONGEST + 1), b"")
