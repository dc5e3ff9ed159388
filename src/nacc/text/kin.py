"""Words that tell the same event: what holds for one of a line holds for the others."""

from __future__ import annotations

from nacc.text.stem import bases_of

_LINES = """
beat defeat edge rout thrash crush upset overcome trounce stun hammer knock eliminate down outplay
hit strike ram collide collision
reach hit
buy acquire purchase takeover
dismiss sack fire oust axe
criticise criticize slam condemn blast attack
accuse blame
replace succeed
overtake surpass
outbid
chase pursue
hurt injure injury wound
sell sale available
marry wed wedding marriage
close shut closure
raise lift increase hike
move relocate
break collapse fracture
steal theft breach
leave quit exit
meet meeting
approve back pass
postpone delay
"""


def _kin() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _LINES.split("\n"):
        bases = bases_of(line)
        for each in bases:
            found[each] = found.get(each, frozenset()) | bases
    return found


KIN = _kin()
"""For the base of a word, the bases of all that tell the same, its own too."""
