"""Placeholders and markup in texts: what a program fills in or acts upon, and nobody says.

ICU and other braces ({name}, {n, plural, …}, ${x}, %{x}, {{x}}), printf (%s, %1$d, %@, %(name)s),
HTML tags and entities, Markdown links, code and emphasis. When in doubt it is one: what is taken
for a placeholder is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

_TOKEN = regex.compile(
    r"""(?P<brace>[$%\#]?\{)
      | (?P<tag></?[A-Za-z][^<>]*>|<!--.{0,1000}?-->|<[?!][^<>]*>)
      | &(?:\#\d+|\#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);
      | %\#@\w+@
      | %(?:\d+\$)?[-+\#0']*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh?|ll?|[Lqjzt])?[@diouxXeEfFgGaAcCsSpn]
      | %\(\w+\)[-+\#0 ]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]
      | %<\w+>[-+\#0 ]*\d*(?:\.\d+)?[a-zA-Z]
      | %%
      | \$t\([^()]*\)
      | !?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])
      | (?<!`)`++[^`]++`++
      | [{}]""",
    regex.VERBOSE | regex.DOTALL,
)
_BRACE = regex.compile(r"[{}]")
_EMPHASIS = regex.compile(
    r"""(?<![^\W_]|\\)
        (?P<open>(?<!\*)\*{1,3}+(?!\*)|(?<!_)_{1,3}+(?!_)|(?<!~)~~(?!~))
        (?=\S)(?P<inner>[^\n]*?[^\s\\])
        (?P=open)(?![\w*_~])""",
    regex.VERBOSE,
)


def placeholders(text: str) -> list[str]:
    """All of them, in order."""
    return [text[start:end] for start, end, _ in _spans(text)]


def between_markup(text: str) -> tuple[int, int]:
    """Where the text begins and ends that stands between white space, tags and marks of emphasis
    at its ends."""
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    markup = [(first, last) for first, last, is_markup in _spans(text) if is_markup]
    for first, last in markup:
        if first == start:
            start = last + len(text[last:]) - len(text[last:].lstrip())
    for first, last in reversed(markup):
        if last == end:
            end = len(text[:first].rstrip())
    return (start, end) if start < end else (0, len(text))


def _spans(text: str) -> list[tuple[int, int, bool]]:
    """Beginning and end of each, and whether it is a tag or a mark of emphasis."""
    found: list[tuple[int, int, bool]] = []
    closed, at = _closed(text), 0
    while match := _TOKEN.search(text, at):
        at = closed.get(match.end(), match.end()) if match["brace"] else match.end()
        found.append((match.start(), at, match["tag"] is not None))
    bare = list(text)
    for start, end, _ in found:
        bare[start:end] = "\0" * (end - start)
    found += [(start, end, True) for start, end in _emphasis("".join(bare))]
    return sorted(found)


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


def _emphasis(text: str) -> Iterator[tuple[int, int]]:
    """The marks of emphasis, and of emphasis within."""
    within = [(0, len(text))]
    while within:
        for match in _EMPHASIS.finditer(text, *within.pop()):
            start, end = match.span("inner")
            length = len(match["open"])
            yield start - length, start
            yield end, end + length
            within.append((start, end))
