"""Links in a picture of a lattice: arcs over the slots, the path's and other likely ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nacc.fitting.explain import Explanation, Link, Slot
    from nacc.fitting.picture import Column

HEIGHT = 76
"""Of the strip that the arcs are drawn in."""
LIKELY = 0.1
"""Links that are not taken are drawn from this probability on, …"""
OFTEN = 0.05
"""… and slots that paths go through so often."""


def shown(found: Explanation) -> tuple[Slot, ...]:
    """The slots worth a column: all, or where they are linked, those that paths go through."""
    if not found.linked:
        return found.slots
    return tuple(slot for slot in found.slots if slot.says or (slot.passed or 0.0) >= OFTEN)


def arcs(found: Explanation, columns: Sequence[Column], base: float) -> list[str]:
    """The links that leave or reach one line's columns; `base` is where the slots begin. What
    goes on in another line leaves at the edge."""
    places = {column.slot.number: column.middle for column in columns}
    left = columns[0].middle - columns[0].width / 2 - 12
    right = columns[-1].middle + columns[-1].width / 2 + 12
    ways: list[tuple[int, float, Link]] = [(0, 1.0, link) for link in found.begins]
    for slot in found.slots:
        ways += [(slot.number, slot.passed or 0.0, link) for link in slot.links]
    ways.sort(key=lambda way: way[2].chosen)  # the path on top
    parts = []
    drawn = {slot.number for slot in shown(found)}
    for number, passed, link in ways:
        if not link.chosen and (passed < OFTEN or link.probability < LIKELY):
            continue
        known = link.to is None or link.to in drawn
        if not known or not ({number, link.to} & set(places)):
            continue
        start = places.get(number, left)
        end = places.get(link.to or -1, right)
        # The wider, the higher; what leaves the line rises to the strip's top.
        height = min(HEIGHT - 8.0, 14 + 0.22 * abs(end - start))
        kind = "grows" if link.chosen else "link"
        faint = "" if link.chosen else f' stroke-opacity="{0.15 + 0.6 * link.probability:.2f}"'
        curve = (
            f"M{start:.1f} {base:.1f}C{start:.1f} {base - height:.1f} "
            f"{end:.1f} {base - height:.1f} {end:.1f} {base:.1f}"
        )
        parts.append(f'<path class="{kind}" d="{curve}"{faint}/>')
    return parts
