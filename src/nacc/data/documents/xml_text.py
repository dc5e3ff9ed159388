"""What stands between two tags, as a text and back.

Tags within a text are part of it, as they are written; so are comments and a document's own
entities. All else is read as it is meant, and escaped when it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from nacc.errors import InvalidInput

_PIECE = re.compile(
    r"""<!\[CDATA\[(?P<data>.*?)\]\]>
      | (?P<markup><!--.*?-->|<\?.*?\?>|<(?:"[^"]*"|'[^']*'|[^>"'])*>)
      | &(?P<entity>[^;]+);
      | (?P<text>[^<&]+)""",
    re.VERBOSE | re.DOTALL,
)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_ANDROID = re.compile(r'\\u([0-9a-fA-F]{4})|\\(.)|(")|([ \t\r\n]+)|([^\\" \t\r\n]+)', re.DOTALL)
_ANDROID_LETTERS = {"n": "\n", "t": "\t"}
_ANDROID_ESCAPES = str.maketrans(
    {"\\": r"\\", "'": r"\'", '"': r"\"", "\n": r"\n", "\t": r"\t", "\r": r"\u000D"}
)
_LOST_SPACE = re.compile(r"^ | $|  ")


@dataclass(frozen=True)
class Piece:
    """A stretch of content; markup stays as it is written, data is what stood in CDATA."""

    text: str
    markup: bool = False
    data: bool = False


@dataclass(frozen=True)
class Dialect:
    """How a text is read from its pieces, how a stretch without markup is escaped, and what is
    done to the whole at last."""

    read: Callable[[Sequence[Piece]], str]
    escape: Callable[[str], str] = str
    finish: Callable[[str, str], str] = lambda _, written: written


def pieces(content: str) -> list[Piece]:
    """What well-formed content consists of."""
    return [_piece(match) for match in _PIECE.finditer(content)]


def locked(parts: Sequence[Piece]) -> str:
    """Why a text cannot be written back surely; empty if it can."""
    if any(part.data for part in parts) and len(parts) > 1:
        return "CDATA beside other text"
    if any(p.markup for p in parts) and any("<" in p.text for p in parts if not p.markup):
        return "tags beside escaped ones"
    return ""


def writer(parts: Sequence[Piece], dialect: Dialect) -> Callable[[str], str]:
    """Writes another text with the same markup, in its order."""
    if any(part.data for part in parts):
        return partial(_in_data, dialect=dialect)
    markup = [part.text for part in parts if part.markup]
    return partial(_with_markup, markup=markup, dialect=dialect)


def _piece(match: re.Match[str]) -> Piece:
    match match.lastgroup:
        case "data":
            return Piece(match["data"], data=True)
        case "text":
            return Piece(match["text"].replace("\r\n", "\n"))
        case "entity" if match["entity"] in _ENTITIES:
            return Piece(_ENTITIES[match["entity"]])
        case "entity" if match["entity"].startswith("#x"):
            return Piece(chr(int(match["entity"][2:], 16)))
        case "entity" if match["entity"].startswith("#"):
            return Piece(chr(int(match["entity"][1:])))
    return Piece(match.group(), markup=True)


def _in_data(text: str, dialect: Dialect) -> str:
    if "]]>" in text:
        raise InvalidInput("]]> would end the CDATA")
    return f"<![CDATA[{dialect.finish(text, dialect.escape(text))}]]>"


def _with_markup(text: str, markup: Sequence[str], dialect: Dialect) -> str:
    written, at = [], 0
    for tag in markup:
        here = text.find(tag, at)
        if here < 0:
            raise InvalidInput(f"{tag} is missing")
        written += [_escaped(text[at:here], dialect), tag]
        at = here + len(tag)
    return dialect.finish(text, "".join([*written, _escaped(text[at:], dialect)]))


def _escaped(text: str, dialect: Dialect) -> str:
    return dialect.escape(text).translate(_ESCAPES)


def _joined(parts: Sequence[Piece]) -> str:
    return "".join(part.text for part in parts)


def _read_android(parts: Sequence[Piece]) -> str:
    """Escapes are resolved; white space counts once, but for what stands in quotes."""
    return "".join(_android_pieces(parts))


def _android_pieces(parts: Sequence[Piece]) -> Iterator[str]:
    quoted = False
    for part in parts:
        if part.markup:
            yield part.text
            continue
        for code, letter, quote, space, rest in _ANDROID.findall(part.text):
            if quote:
                quoted = not quoted
            elif space:
                yield space if quoted else " "
            elif code:
                yield chr(int(code, 16))
            else:
                yield _ANDROID_LETTERS.get(letter, letter) + rest


def _finish_android(text: str, written: str) -> str:
    """A reference begins with @ or ?, a text must not; white space to be kept needs quotes."""
    if written.startswith(("@", "?")):
        written = "\\" + written
    return f'"{written}"' if _LOST_SPACE.search(text) else written


XLIFF = Dialect(_joined)
ANDROID = Dialect(_read_android, lambda text: text.translate(_ANDROID_ESCAPES), _finish_android)
