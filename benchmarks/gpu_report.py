"""benchmarks/gpu.py's figures as a page."""

from __future__ import annotations

from typing import Any

from decoder_report import table

BARS = {"network": 60_000, "decoding": 150_000, "text to headline": 30_000}
KINDS = ("", ", 2 batches as one", ", 4 batches as one", ", compiled")


def markdown(found: dict[str, Any]) -> str:
    about = found.get("machine", {})
    rows = []
    for name, bar in BARS.items():
        for kind in KINDS:
            part = name + kind
            figures = found.get(part)
            if isinstance(figures, dict):
                rate = figures.get("mixture", figures.get("headlines a second"))
                rows.append([part, "failed" if rate is None else f"{rate:,}", f"{bar:,}"])
    parts = [
        "# On a GPU",
        f"{about.get('device')}, torch {about.get('torch')}, Triton {about.get('triton')}, "
        f"{about.get('workers')} worker processes, commit {about.get('commit', 'not told')}; "
        "50 characters, bf16, no re-ranking.",
        table(["part", "sentences a second", "at least"], rows),
    ]
    for name, figures in found.items():
        if isinstance(figures, dict) and name != "machine":
            lines = [[key, _shown(value)] for key, value in figures.items()]
            parts += [f"## {name[0].upper()}{name[1:]}", table(["", ""], lines)]
    return "\n\n".join(parts) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_shown(one)}" for name, one in value.items())
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value).replace("\n", " ")
