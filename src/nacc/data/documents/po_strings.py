"""Gettext's PO: the translations. polib reads them but does not say where they stand; what is found
here line by line must be what polib reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nacc.data.documents.document import Document, Malformed, Places
from nacc.data.rows import Entry
from nacc.errors import requires

_LINE = re.compile(
    r"[ \t]*(?:(?P<word>msgctxt|msgid_plural|msgid|msgstr(?:\[(?P<n>\d+)\])?)[ \t]*)?"
    r'(?P<quoted>"(?:[^"\\]|\\.)*")[ \t]*\r?\n?'
)
_IDLE = re.compile(r"[ \t]*(?:#.*)?\r?\n?")
_CHARSET = re.compile(r"charset=([\w.:-]+)")
_UNICODE = ("utf-8", "utf8", "us-ascii", "ascii", "charset")


@dataclass
class _Part:
    """A string of an entry, over as many lines as it takes."""

    word: str
    n: str | None
    start: int
    end: int = 0
    quoted: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        from polib import unescape

        return "".join(str(unescape(each[1:-1])) for each in self.quoted)


class PoStrings(Document):
    """Every msgstr that is not obsolete, under its msgid (path: msgctxt.msgid, msgid[n])."""

    def entries(self, raw: str) -> list[Entry]:
        requires("reading PO", "formats", "polib")
        from polib import escape

        def write(text: str) -> str:
            return f'"{escape(text)}"'

        found, told, places = [], [], Places(raw)
        context = msgid = ""
        ended = True
        for part in _parts(raw):
            if ended and part.word in ("msgctxt", "msgid"):
                context, msgid, ended = "", "", False
            if part.word == "msgctxt":
                context = part.text
            elif part.word == "msgid":
                msgid = part.text
            elif part.word.startswith("msgstr"):
                ended = True
                line = places.line(part.start)
                if not msgid:
                    _check_charset(part.text, line)
                    continue
                told.append((context, msgid, part.n or "", part.text))
                path = ".".join(filter(None, (context, msgid))) + (f"[{part.n}]" if part.n else "")
                found.append(Entry(part.text, part.start, part.end, line, msgid, write, path))
        if sorted(told) != sorted(_by_polib(raw)):
            raise Malformed(1, "polib reads other translations than are found here")
        return found


def _parts(raw: str) -> list[_Part]:
    parts: list[_Part] = []
    at, open_part = 0, False
    for number, line in enumerate(raw.split("\n"), 1):
        here = _LINE.fullmatch(line)
        if here and (here["word"] or open_part):
            if here["word"]:
                parts.append(_Part(here["word"], here["n"], at + here.start("quoted")))
                open_part = True
            parts[-1].quoted.append(here["quoted"])
            parts[-1].end = at + here.end("quoted")
        elif _IDLE.fullmatch(line):
            open_part = False
        else:
            raise Malformed(number, "not PO: neither a comment nor a quoted string")
        at += len(line) + 1
    return parts


def _check_charset(header: str, line: int) -> None:
    told = _CHARSET.search(header)
    if told and told[1].lower() not in _UNICODE:
        raise Malformed(line, f"its header says {told[1]}; convert it first: msgconv -t UTF-8")


def _by_polib(raw: str) -> list[tuple[str, str, str, str]]:
    """Context, id, number and text of each translation."""
    import polib

    try:
        read = polib.pofile(raw.replace("\r\n", "\n") + "\n")
    except (OSError, ValueError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise Malformed(int(line[1]) if line else 1, f"not PO: {error}") from error
    found = []
    for each in read:
        if not each.obsolete:
            plural = {str(n): text for n, text in each.msgstr_plural.items()}
            forms = plural or {"": each.msgstr}
            found += [(each.msgctxt or "", each.msgid, n, text) for n, text in forms.items()]
    return found
