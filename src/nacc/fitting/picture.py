"""A picture of a lattice and the path through it, after the paper's figure 2, as SVG.

Slots are columns, with the source's word above and the candidates below, likeliest on top. Solid
blue steps make the summary longer, dashed amber ones (ε, a word that goes on) do not. Where slots
are linked, arcs above them are the links: blue the path, grey what else was likely. At the foot,
the summary's length grows towards the budget. Long texts go on below.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise

from nacc.errors import InvalidInput
from nacc.fitting.arcs import HEIGHT as ARCS
from nacc.fitting.arcs import arcs, shown
from nacc.fitting.explain import EPSILON, Candidate, Explanation, Slot, percent
from nacc.length.budget import number
from nacc.length.measures import Pixels

WIDEST = 1180
MARGIN, GAP = 24, 20
HEAD, SOURCE, BOX, STEP, CHART, BETWEEN = 64, 34, 26, 34, 84, 34
_FONT = "Arial, Helvetica, 'Liberation Sans', sans-serif"
_STYLE = """
text { font-family: FONT; font-size: 13px; fill: #1b1f24; }
.title { font-size: 18px; font-weight: bold; }
.small { font-size: 11px; fill: #57606a; }
.source { fill: #57606a; font-style: italic; }
.ground { fill: #ffffff; }
.box { fill: #2563eb; stroke: #8c959f; stroke-opacity: 0.6; }
.taken { stroke: #2563eb; stroke-width: 2.5; stroke-opacity: 1; }
.still { stroke: #b45309; }
.refused { text-decoration: line-through; }
.grows, .stays { fill: none; stroke-width: 2.5; stroke: #2563eb; }
.stays { stroke: #b45309; stroke-dasharray: 5 4; }
.link { fill: none; stroke: #57606a; stroke-width: 1.5; }
.bar { fill: #2563eb; fill-opacity: 0.25; }
.bar.new { fill-opacity: 0.75; }
.budget { stroke: #b91c1c; stroke-dasharray: 2 3; }
.over { fill: #b91c1c; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .small, .source { fill: #9da7b3; }
  .ground { fill: #0d1117; }
  .box { fill: #58a6ff; stroke: #6e7681; }
  .taken, .grows { stroke: #58a6ff; }
  .still, .stays { stroke: #e3b341; }
  .link { stroke: #9da7b3; }
  .bar { fill: #58a6ff; }
  .budget { stroke: #ff7b72; }
  .over { fill: #ff7b72; }
}
""".replace("FONT", _FONT)


@dataclass(frozen=True)
class Column:
    """Where a slot is drawn: its middle and width, on which line, and what it says."""

    slot: Slot
    line: int
    middle: float
    width: float

    @property
    def row(self) -> int:
        """Which of the candidates shown is the chosen one."""
        return next(i for i, each in enumerate(self.slot.candidates) if each.chosen)


def drawn(found: Explanation) -> str:
    """The picture."""
    if not found.slots:
        raise InvalidInput("there is no path to draw: the model has nothing to say of this text")
    columns = _columns(shown(found))
    lines = 1 + max(column.line for column in columns)
    deepest = max(len(column.slot.candidates) for column in columns)
    above = ARCS if found.linked else 0
    height_of_line = above + SOURCE + deepest * STEP + CHART + BETWEEN
    summary = found.of
    said = f"{number(summary.length)} of {number(summary.budget)} {summary.unit}"
    width = max(
        *(column.middle + column.width / 2 for column in columns),
        MARGIN + _width(summary.text, 18) * 1.1,
        MARGIN + _width(said, 11) + 230,
    )
    width, height = round(width + MARGIN), HEAD + lines * height_of_line
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(summary.text)} ({escape(said)})</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{height}"/>',
        _text(MARGIN, 32, summary.text, "title", anchor="start"),
        _text(MARGIN, 51, said, "small", anchor="start"),
        *_legend(MARGIN + _width(said, 11) + 24, LINKED if found.linked else PLAIN),
    ]
    for line in range(lines):
        top = HEAD + line * height_of_line + above
        own = [column for column in columns if column.line == line]
        parts += arcs(found, own, top) if found.linked else _steps(own, top, continues=line > 0)
        for column in own:
            parts += _slot(column, top)
        parts += _chart(own, top + SOURCE + deepest * STEP, found)
    return "\n".join([*parts, "</svg>\n"])


def _columns(slots: tuple[Slot, ...]) -> list[Column]:
    columns: list[Column] = []
    x, line = float(MARGIN), 0
    for slot in slots:
        wide = max(_width(slot.source, 13), *(_width(_label(c), 13) for c in slot.candidates))
        width = max(44.0, wide + 16)
        if x + width > WIDEST - MARGIN and x > MARGIN:
            x, line = float(MARGIN), line + 1
        columns.append(Column(slot, line, x + width / 2, width))
        x += width + GAP
    return columns


def _slot(column: Column, top: float) -> list[str]:
    parts = [_text(column.middle, top + 16, column.slot.source, "source")]
    for i, each in enumerate(column.slot.candidates):
        y = top + SOURCE + i * STEP
        kind = ("taken" if column.slot.says else "taken still") if each.chosen else ""
        parts.append(
            f'<rect class="box {kind}" x="{column.middle - column.width / 2:.1f}" y="{y:.1f}" '
            f'width="{column.width:.1f}" height="{BOX}" rx="5" '
            f'fill-opacity="{0.04 + 0.4 * each.probability:.2f}"/>'
        )
        parts.append(
            _text(column.middle, y + 17.5, _label(each), "refused" if each.refused else "")
        )
    return parts


def _label(candidate: Candidate) -> str:
    return f"{candidate.word} {percent(candidate.probability)}"


def _steps(columns: list[Column], top: float, continues: bool) -> list[str]:
    """The path: from box to box, its colour telling whether the summary grows."""
    parts = []
    if continues and columns:
        first = columns[0]
        y = _y(first, top)
        x = first.middle - first.width / 2
        parts.append(f'<path class="{_kind(first)}" d="M{x - GAP:.1f} {y:.1f}H{x:.1f}"/>')
    for a, b in pairwise(columns):
        x1, x2 = a.middle + a.width / 2, b.middle - b.width / 2
        y1, y2 = _y(a, top), _y(b, top)
        bend = (x1 + x2) / 2
        curve = f"M{x1:.1f} {y1:.1f}C{bend:.1f} {y1:.1f} {bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
        parts.append(f'<path class="{_kind(b)}" d="{curve}"/>')
    return parts


def _y(column: Column, top: float) -> float:
    return top + SOURCE + column.row * STEP + BOX / 2


def _kind(column: Column) -> str:
    return "grows" if column.slot.says else "stays"


def _chart(columns: list[Column], top: float, found: Explanation) -> list[str]:
    """The length after each slot, and the budget it must stay within."""
    left = columns[0].middle - columns[0].width / 2
    right = columns[-1].middle + columns[-1].width / 2
    room = CHART - 34
    base, budget = top + 16 + room, found.summary.budget
    y = base - room
    said = (slot.number for slot in found.slots if slot.says)
    expected = dict(zip(said, (often for _, often in found.expected), strict=False))
    parts = [
        f'<path class="budget" d="M{left:.1f} {y:.1f}H{right:.1f}"/>',
        _text(right, y - 4, f"budget {number(budget)}", "small over", anchor="end"),
    ]
    for column in columns:
        height = room * min(1.0, column.slot.length / budget) if budget else 0.0
        x = column.middle - column.width / 2
        new = " new" if column.slot.says else ""
        parts.append(
            f'<rect class="bar{new}" x="{x:.1f}" y="{base - height:.1f}" '
            f'width="{column.width:.1f}" height="{height:.1f}" rx="2"/>'
        )
        told = number(column.slot.length)
        if column.slot.says:
            told = f"{column.slot.says} {told}"
            if _width(told, 11) > column.width + GAP:
                told = number(column.slot.length)
        parts.append(_text(column.middle, base + 14, told, "small"))
        if column.slot.number in expected:
            often = percent(min(1.0, expected[column.slot.number]))
            parts.append(_text(column.middle, base + 27, f"expected {often}", "small"))
    return parts


PLAIN = (("grows", "a new word"), ("stays", f"{EPSILON} or a repeat"))
LINKED = (("grows", "the path"), ("link", "other likely links"))


def _legend(x: float, kinds: tuple[tuple[str, str], ...]) -> list[str]:
    parts = []
    for kind, words in kinds:
        parts.append(f'<path class="{kind}" d="M{x:.0f} 47h26"/>')
        parts.append(_text(x + 32, 51, words, "small", anchor="start"))
        x += 32 + _width(words, 11) + 18
    return parts


def _text(x: float, y: float, words: str, kind: str, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
        f"{escape(_printable(words))}</text>"
    )


def _printable(words: str) -> str:
    """XML has no control characters."""
    return "".join(c if c.isprintable() else "\ufffd" for c in words)


def _width(words: str, size: float) -> float:
    return float(Pixels("Arial", size).of(_printable(words)))
