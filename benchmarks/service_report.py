"""results/service.md from what service.py found."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "| --- |" + " ---: |" * (len(columns) - 1)]
    for row in rows:
        cells = [f"{v:.1f}" if isinstance(v, float) else str(v) for v in row.values()]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def ratio(rows: Sequence[dict[str, Any]]) -> float:
    """How many times their p99 alone ordinary clients' p99 is beside others: the middle round's."""
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return median(among["p99 ms"] / alone["p99 ms"] for alone, among in pairs)


def markdown(found: dict[str, Any], where: str) -> str:
    hostile = found["hostile"]
    answered = ", ".join(
        f"{n} × {status}" for status, n in hostile["hostile clients were answered"].items()
    )
    layers, requests = found["soak"]["layers alone"], found["soak"]["by requests"]
    return "\n".join(
        [
            "# The service under load",
            "",
            f"{where}; `python benchmarks/service.py`.",
            "",
            f"{found['texts']} sentences of about 25 words, {found['budget']} characters each, one "
            "a request. Clients and server share the cores, with a load of "
            f"{found['load before']:.1f} from "
            f"elsewhere when the first run began; the first three rows are the middle one of "
            f"{found['rounds']} runs. Times are of answers; *429 p99* is how long a refusal took; "
            "*crossed* counts answers that differ from the one the text got alone.",
            "",
            *table(found["runs"]),
            "",
            "## Beside hostile clients",
            "",
            "Half-sent headers on 600 sockets, budgets and alternatives by the dozen, 60 texts a "
            "request, all words repeated, clients that hang up, rubbish, crumbs, texts of 10,000 "
            f"odd letters, clients that never read; all at once. They "
            f"were answered: {answered}. The server took {hostile['server MB']:.0f} MB. Ordinary "
            f"clients' p99 was {ratio(found['beside']):.1f} times what it is alone, in the middle "
            "round; hostile clients have a low priority: they would run elsewhere. Times count "
            "from when a request was due; *other* counts whatever is not 200 or 429.",
            "",
            *table(found["beside"]),
            "",
            "## Distinct words",
            "",
            "Memory after so many words, hardly one of which came before. By requests of "
            "24 new words each; and in the layers that remember words, given to them directly.",
            "",
            *table([{"by requests": r["words"], "MB": r["MB"]} for r in requests]),
            "",
            *table([{"layers alone": r["words"], "MB": r["MB"]} for r in layers]),
            "",
        ]
    )
