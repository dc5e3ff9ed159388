"""Apple's .strings: `"key" = "value";`, with comments."""

from __future__ import annotations

import re

from nacc.data.documents.document import Document, Malformed, Places
from nacc.data.rows import Entry

_TOKEN = re.compile(
    r"""(?P<skip>\s+|/\*.*?\*/|//[^\n]*)
      | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.$:/-]+)
      | (?P<mark>[=;])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(?:U([0-9a-fA-F]{4})|u([0-9a-fA-F]{4})|([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


class AppleStrings(Document):
    """The value of each pair, under its key."""

    def entries(self, raw: str) -> list[Entry]:
        found: list[Entry] = []
        places = Places(raw)
        pair: list[re.Match[str]] = []
        for token in _tokens(raw):
            pair.append(token)
            if token.group() != ";":
                continue
            match [each.lastgroup for each in pair], pair:
                case ["string", "mark", "string", "mark"], [key, equals, value, _] if (
                    equals.group() == "="
                ):
                    name, start = _read(key.group()), value.start()
                    text, line = _read(value.group()), places.line(start)
                    found.append(Entry(text, start, value.end(), line, name, _written, name))
                case ["string", "mark"], _:
                    pass  # a key that is its own value
                case _:
                    raise Malformed(places.line(pair[0].start()), 'not "key" = "value";')
            pair = []
        if pair:
            raise Malformed(places.line(pair[0].start()), 'a pair that does not end with ";"')
        return found


def _tokens(raw: str) -> list[re.Match[str]]:
    at, tokens = 0, []
    while at < len(raw):
        token = _TOKEN.match(raw, at)
        if token is None:
            raise Malformed(raw.count("\n", 0, at) + 1, f"{raw[at]!r} has no place in .strings")
        if token.lastgroup != "skip":
            tokens.append(token)
        at = token.end()
    return tokens


def _read(token: str) -> str:
    if token[0] not in "\"'":
        return token
    text = _ESCAPED.sub(_unescaped, token[1:-1])
    # Characters beyond the first 65,536 are escaped as two halves.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(escape: re.Match[str]) -> str:
    wide, narrow, octal, letter = escape.groups()
    if wide or narrow:
        return chr(int(wide or narrow, 16))
    return chr(int(octal, 8)) if octal else _LETTERS.get(letter, letter)


def _written(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
