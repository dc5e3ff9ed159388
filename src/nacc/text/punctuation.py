"""Which marks a headline can carry, and which take no space before them."""

QUOTES = frozenset("\" ' ` `` '' “ ” ‘ ’ « » „".split())
UNWANTED = frozenset(
    "- – — -- | ( ) [ ] { } ... … .. : / \\ * • > < = ~ _ ^ -lrb- -rrb- \ufffd".split()
)
"""Marks that headlines for training may not have and outputs never do (with quotes and stops)."""

NEVER_SAID = QUOTES | UNWANTED | {"."}
CLOSING = frozenset(", . ; : ! ? % ) ] } 's ’s 'S ’S".split())
"""Written without a space before them."""
