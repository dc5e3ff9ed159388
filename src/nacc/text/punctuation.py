"""Which marks a headline can carry, and which take no space before them."""

QUOTES = frozenset(['"', "'", "`", "``", "''", "“", "”", "‘", "’", "«", "»", "„"])
UNWANTED = frozenset(
    [
        "-",
        "–",
        "—",
        "--",
        "|",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "...",
        "…",
        "..",
        ":",
        "/",
        "\\",
        "*",
        "•",
        ">",
        "<",
        "=",
        "~",
        "_",
        "^",
        "-lrb-",
        "-rrb-",
        "�",
    ]
)
"""Marks that headlines for training may not have and outputs never do (with quotes and stops)."""

NEVER_SAID = QUOTES | UNWANTED | {"."}
CLOSING = frozenset([",", ".", ";", ":", "!", "?", "%", ")", "]", "}", "'s", "’s"])
"""Written without a space before them."""
