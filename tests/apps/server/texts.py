"""Sentences to summarize, each with words that no other has: an answer shows whose it is."""

from __future__ import annotations

_TOWNS = "Port Ellis,Norwick,Halden,Sorrel Bay,Castle Dunne,Verloo,Ostmark,Tarn Hill".split(",")
_WHO = ("harbour authority", "city council", "regional hospital", "national museum")
_SAID = (
    "would close two of its five terminals for repairs until March, forcing ferries and cargo "
    "ships to use smaller docks",
    "had approved a plan to plant forty thousand trees along the ring road and to replace its "
    "buses with electric trams by 2031",
    "was looking for the owner of a painting worth three million euros that a cleaner found "
    "behind a boiler last winter",
)
TEXTS = [
    f"The {who} of {town} said on Monday that it {said}."
    for said in _SAID
    for who in _WHO
    for town in _TOWNS
]
REPEATED = " ".join([f"{letter}ord river stone" for letter in "abcdefgh"] * 4)
"""What is hard to decode: nearly every word comes again and again, and may be said once."""
