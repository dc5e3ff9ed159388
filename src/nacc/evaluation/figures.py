"""Points as pictures: PNG and SVG that can be read in print, in grey and on a dark page (dark ink
on an opaque white ground, markers and dashes beside colours), with the points as CSV beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nacc.errors import InvalidInput, MissingExtra
from nacc.evaluation.report import ReportRow
from nacc.evaluation.sweeps import BucketPoint, BudgetPoint
from nacc.evaluation.tables import as_csv, records

# Colour-blind-safe (Okabe and Ito), each with its own marker and dashes.
_STYLES = (
    ("#0072b2", "o", "-"),
    ("#d55e00", "s", "--"),
    ("#009e73", "^", "-."),
    ("#cc79a7", "D", ":"),
    ("#56b4e9", "v", (0, (5, 1, 1, 1))),
    ("#000000", "x", (0, (1, 1))),
    ("#e69f00", "P", (0, (3, 1, 1, 1, 1, 1))),
)


def need_matplotlib() -> None:
    """MissingExtra if there is nothing to draw with: better said before a long run than after."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingExtra("drawing figures", "eval") from error


def bucket_size(points: Sequence[BucketPoint], folder: Path) -> list[Path]:
    """Figure 3: ROUGE and time against the bucket size."""
    figure, axes = _axes("Bucket size α", "ROUGE (mean of R-1, R-2, R-L)")
    for style, (slots, mine) in enumerate(_by_slots(points), start=1):
        buckets = [point.bucket for point in mine]
        _line(axes, buckets, [point.rouge for point in mine], style, f"ROUGE, {slots}")
        _band(axes, buckets, [point.low for point in mine], [point.high for point in mine], style)
    timed = [(point.bucket, 1e3 * point.seconds) for point in points if point.seconds]
    if timed:
        right = _right_axis(axes, "Milliseconds a sentence, decoding")
        right.set_ylim(0, 1.5 * max(taken for _, taken in timed))
        _line(right, [bucket for bucket, _ in timed], [taken for _, taken in timed], 0, "time")
        _joint_legend(axes, right)
    return _save(figure, folder, "figure3-bucket-size", [asdict(point) for point in points])


def score_lost(points: Sequence[BucketPoint], folder: Path) -> list[Path]:
    """What buckets lose against the exact decoder, by their size."""
    figure, axes = _axes("Bucket size α", "Sentences with a better answer (%)")
    right = _right_axis(axes, "Mean log-probability lost (nats)")
    for style, (slots, mine) in enumerate(_by_slots(points)):
        buckets = [point.bucket for point in mine]
        shares, lost = [100 * p.share_losing for p in mine], [p.mean_loss for p in mine]
        _line(axes, buckets, shares, 2 * style + 1, f"sentences, {slots}")
        _line(right, buckets, lost, 2 * style, f"log-probability, {slots}")
    axes.set_ylim(0, None)
    right.set_ylim(0, None)
    _joint_legend(axes, right)
    return _save(figure, folder, "score-lost", [asdict(point) for point in points])


def _by_slots(points: Sequence[BucketPoint]) -> list[tuple[str, list[BucketPoint]]]:
    """The points of each kind of slots, and what to call it."""
    kinds = dict.fromkeys(point.slots for point in points)
    return [
        (kind if kind == "linked" else "slots with ε", [p for p in points if p.slots == kind])
        for kind in kinds
    ]


def length_transfer(points: Sequence[BudgetPoint], folder: Path) -> list[Path]:
    """Figure 4: ROUGE against the budget, one line a way of decoding."""
    figure, axes = _axes("Budget (characters)", "ROUGE (mean of R-1, R-2, R-L)")
    for i, method in enumerate(dict.fromkeys(point.method for point in points)):
        mine = [point for point in points if point.method == method]
        budgets = [point.budget for point in mine]
        _line(axes, budgets, [point.rouge for point in mine], i, method)
        _band(axes, budgets, [point.low for point in mine], [point.high for point in mine], i)
    axes.legend(frameon=False)
    return _save(figure, folder, "figure4-length-transfer", [asdict(point) for point in points])


def quality_and_speed(rows: Sequence[ReportRow], folder: Path) -> list[Path]:
    """ROUGE (95% interval) against sentences a second (median, slowest to fastest repeat); up and
    to the right is better."""
    figure, axes = _axes("Sentences a second, one at a time", "ROUGE (mean of R-1, R-2, R-L)")
    timed = [row for row in rows if row.timing is not None]
    if not timed:
        raise InvalidInput("no system here was timed: there is no speed to draw")
    for i, row in enumerate(timed):
        assert row.timing is not None
        colour = _STYLES[i % len(_STYLES)][0]
        marker = _STYLES[(i + i // len(_STYLES)) % len(_STYLES)][1]  # no two have both the same
        taken, mean = row.timing.single, row.mean
        speed = 1 / taken.median
        up_and_down = [[mean.value - mean.low], [mean.high - mean.value]]
        left_and_right = [[speed - 1 / taken.slowest], [1 / taken.fastest - speed]]
        axes.errorbar(
            [speed], [mean.value], up_and_down, left_and_right, color=colour, marker=marker,
            markersize=8, linestyle="none", elinewidth=1, capsize=3, label=row.name,
        )  # fmt: skip
    axes.set_xscale("log")  # a beam and one pass are a hundred times apart
    axes.margins(x=0.2)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")
    figure.set_size_inches(9.6, max(4.0, 1.0 + 0.22 * len(timed)))
    return _save(figure, folder, "quality-and-speed", records(timed))


def reliability(bins: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """How many headlines are good, by how sure they are said to be: on the diagonal, as many."""
    figure, axes = _axes("Confidence (mean of a fifth)", "Good headlines (share)")
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, label="as said")
    for i, group in enumerate(dict.fromkeys(each["group"] for each in bins)):
        mine = [each for each in bins if each["group"] == group]
        label = f"{group}, by ROUGE" if "rouge" in mine[0] else group
        _line(axes, [each["said"] for each in mine], [each["good"] for each in mine], i, label)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.legend(frameon=False, loc="upper left")
    return _save(figure, folder, "reliability", [dict(each) for each in bins])


def _axes(x: str, y: str) -> tuple[Any, Any]:
    need_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), dpi=200, facecolor="white", layout="constrained")
    axes = figure.subplots()
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines["top"].set_visible(False)
    return figure, axes


def _right_axis(axes: Any, y: str) -> Any:
    right = axes.twinx()
    right.set_ylabel(y)
    right.spines["top"].set_visible(False)
    return right


def _joint_legend(axes: Any, right: Any) -> None:
    """One legend for the lines of both axes."""
    handles = [*axes.get_lines(), *right.get_lines()]
    axes.legend(handles, [str(line.get_label()) for line in handles], frameon=False)


def _line(axes: Any, x: Sequence[float], y: Sequence[float], style: int, label: str) -> None:
    colour, marker, dashes = _STYLES[style % len(_STYLES)]
    axes.plot(x, y, color=colour, marker=marker, linestyle=dashes, linewidth=1.8, label=label)


def _band(
    axes: Any, x: Sequence[float], low: Sequence[float], high: Sequence[float], style: int
) -> None:
    """The 95% interval around a line."""
    axes.fill_between(x, low, high, color=_STYLES[style % len(_STYLES)][0], alpha=0.12)


def _save(figure: Any, folder: Path, name: str, points: list[dict[str, Any]]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    csv = folder / f"{name}.csv"
    csv.write_text(as_csv(points), "utf-8")
    figure.savefig(folder / f"{name}.png")
    # Neither date nor random ids, so that the same points give the same file.
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": name}):
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    return [csv, folder / f"{name}.png", folder / f"{name}.svg"]
