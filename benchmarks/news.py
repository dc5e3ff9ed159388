"""The sentences of news.txt, written for the benchmarks: each with its kind."""

from __future__ import annotations

from pathlib import Path


def news() -> list[tuple[str, str]]:
    """(kind, sentence), in the file's order."""
    lines = Path(__file__).with_name("news.txt").read_text("utf-8").splitlines()
    return [(kind, sentence) for kind, sentence in (line.split("\t") for line in lines)]
