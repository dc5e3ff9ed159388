"""Placeholders and markup in texts: what a program fills in or acts upon, and nobody says.

ICU and other braces ({name}, {n, plural, …}, ${x}, %{x}, {{x}}), printf (%s, %1$d, %@, %(name)s),
HTML tags and entities, Markdown links, code and emphasis. When in doubt it is one: what is taken
for a placeholder is left alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

Kind = Literal["filled", "entity", "link", "markup"]
_TOKEN = regex.compile(
    r"""(?P<brace>[$%\#]?\{)
      | (?P<markup></?(?P<tag>[A-Za-z][^\s<>/]*)[^<>]*>|<!--.{0,1000}?-->|<[?!][^<>]*>)
      | (?P<entity>&(?:\#\d+|\#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)
      | %\#@\w+@
      | %(?:\d+\$)?[-+\#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[Lqjzt])?[@diouxXeEfFgGaAcCsSpn]
      | %\(\w+\)[-+\#0 ]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]
      | %<\w+>[-+\#0 ]*\d*(?:\.\d+)?[a-zA-Z]
      | %%
      | \$t\([^()]*\)
      | (?P<link>!?\[(?P<linked>[^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\]))
      | (?<!`)`++[^`]++`++
      | [{}]""",
    regex.VERBOSE | regex.DOTALL,
)
_KINDS: tuple[Kind, ...] = ("entity", "link", "markup")
_BRACE = regex.compile(r"[{}]")
_EMPHASIS = regex.compile(
    r"""(?<![^\W_]|\\)
        (?P<open>(?<!\*)\*{1,3}+(?!\*)|(?<!_)_{1,3}+(?!_)|(?<!~)~~(?!~))
        (?=\S)(?P<inner>[^\n]*?[^\s\\])
        (?P=open)(?![\w*_~])""",
    regex.VERBOSE,
)


@dataclass(frozen=True)
class Placeholder:
    """One placeholder, by where it begins and ends.

    inner: of a link, and of markup with its end, where what people read of it begins and ends.
    """

    start: int
    end: int
    kind: Kind = "filled"
    inner: tuple[int, int] | None = None


def placeholders(text: str) -> list[str]:
    """All of them, in order."""
    return [text[each.start : each.end] for each in _tokens(text)[0]]


def outermost(text: str) -> list[Placeholder]:
    """Those that stand within no other, in order; markup that is closed again with all that it
    encloses."""
    found: list[Placeholder] = []
    tokens, closed = _tokens(text)
    for each in tokens:
        if found and each.start < found[-1].end:
            continue
        last = closed.get(each)
        inner = each.inner if last is None else (each.end, last.start)
        found.append(Placeholder(each.start, (last or each).end, each.kind, inner))
    return found


def between_markup(text: str) -> tuple[int, int]:
    """Where the text begins and ends that stands between white space, tags and marks of emphasis
    at its ends. What is closed before the end, or opened after the beginning, stays in it."""
    tokens, closed = _tokens(text)
    left = deque(each for each in tokens if each.kind == "markup")
    paired = {*closed, *closed.values()}
    start, end = _stripped(text, 0, len(text))
    while left:
        first, last = left[0], left[-1]
        if (first.start, last.end) == (start, end) and closed.get(first) == last:
            start, end = left.popleft().end, left.pop().start
        elif first.start == start and first not in paired:
            start = left.popleft().end
        elif last.end == end and last not in paired:
            end = left.pop().start
        else:
            break
        start, end = _stripped(text, start, end)
    return (start, end) if start < end else (0, len(text))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The same less the white space at its ends."""
    bare = text[start:end].rstrip()
    return start + len(bare) - len(bare.lstrip()), start + len(bare)


def _tokens(text: str) -> tuple[list[Placeholder], dict[Placeholder, Placeholder]]:
    """Each by itself, in order; and what closes those that are closed."""
    found: list[Placeholder] = []
    pairs: dict[Placeholder, Placeholder] = {}
    opened: dict[str, list[Placeholder]] = {}
    closed, at = _closed(text), 0
    while match := _TOKEN.search(text, at):
        at = closed.get(match.end(), match.end()) if match["brace"] else match.end()
        kind: Kind = next((each for each in _KINDS if match[each]), "filled")
        linked = match.span("linked") if kind == "link" and match["linked"] else None
        token = Placeholder(match.start(), at, kind, linked)
        found.append(token)
        if tag := match["tag"]:
            if not match.group().startswith("</"):
                opened.setdefault(tag, []).append(token)
            elif waiting := opened.get(tag):
                pairs[waiting.pop()] = token
    bare = list(text)
    for each in found:
        bare[each.start : each.end] = "\0" * (each.end - each.start)
    for each, other in _emphasis("".join(bare)):
        found += [each, other]
        pairs[each] = other
    return sorted(found, key=lambda each: each.start), pairs


def _closed(text: str) -> dict[int, int]:
    """The end of what braces enclose, by the place after the one that opens it."""
    ends: dict[int, int] = {}
    open_braces: list[int] = []
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            open_braces.append(brace.end())
        elif open_braces:
            ends[open_braces.pop()] = brace.end()
    return ends


def _emphasis(text: str) -> Iterator[tuple[Placeholder, Placeholder]]:
    """The marks of emphasis, and of emphasis within, each with the one that closes it."""
    within = [(0, len(text))]
    while within:
        for match in _EMPHASIS.finditer(text, *within.pop()):
            start, end = match.span("inner")
            length = len(match["open"])
            yield (
                Placeholder(start - length, start, "markup"),
                Placeholder(end, end + length, "markup"),
            )
            within.append((start, end))
