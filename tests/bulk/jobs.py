"""Files of every format, jobs on them, who does and stops them, and what came of it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.apps.cli.texts import COUNCIL, RAIL, SQUID

from nacc.bulk.columns import NewColumns
from nacc.bulk.inputs import files
from nacc.bulk.job import Job
from nacc.bulk.parts import Counts, Part, Step, do
from nacc.bulk.run import Engine, Run
from nacc.length import Budget
from nacc.options import Options, Settled
from nacc.runtime.folder import model_folder
from nacc.summarizer import Summarizer

TEXTS = ("Man bites dog", COUNCIL, "", SQUID, RAIL)
"""What comes over and over: texts that fit, texts that do not, and none."""


PAD = "more " * 50


def text(number: int) -> str:
    said = TEXTS[number % len(TEXTS)]
    return said and f"{said} {number}"


def write_all(folder: Path, rows: int) -> list[str]:
    """A file of each format with so many rows; where pyarrow is missing, none of Parquet."""
    folder.mkdir(parents=True)
    with (folder / "a.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "text", "other, too"])
        writer.writerows([i, text(i), f'says "{i}"\nand {PAD}'] for i in range(rows))
    with (folder / "b.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(
            json.dumps({"id": i, "text": text(i), "pad": PAD}) + "\n" for i in range(rows)
        )
    (folder / "c.txt").write_text("\n".join(map(text, range(rows))), "utf-8")
    (folder / "d.tsv").write_text(
        "".join(f"{i}\t{t}\n" for i, t in [("id", "text"), *((i, text(i)) for i in range(rows))]),
        "utf-8",
    )
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        return [str(folder)]
    texts = [text(i) or None for i in range(rows)]
    table = pa.table({"id": range(rows), "text": texts, "list": [[i] for i in range(rows)]})
    pq.write_table(table, folder / "e.parquet", row_group_size=max(rows // 3, 1))
    return [str(folder)]


def job_of(inputs: Sequence[str], out: Path, model: Path | None = None, **given: Any) -> Job:
    """The job that `nacc bulk NAMED --out OUT --column text --max 40` is."""
    folder = model_folder(model)
    options = given.pop("options", None) or Summarizer.load(folder).settled(Options())
    columns = given.pop("columns", NewColumns("summary", ("40",), errors="error"))
    found = tuple(files(inputs, given.pop("form", None), out))
    budgets = given.pop("budgets", (Budget.of(40),))
    return Job(found, out, folder, budgets, options, columns, **{"column": "text", **given})


def one_by_one(job: Job, parts: Sequence[Part], folder: Path) -> Iterator[Step]:
    """The simplest engine."""
    for part in parts:
        yield Step.done(part, do(job, part, folder))


class NoWatch:
    """Watches nothing."""

    def begin(self, total: int, done: int, rows: int) -> None: ...

    def step(self, step: Step) -> None: ...


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, but for the record of what was done, which names it."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items()}


def run(job: Job) -> Counts:
    return Run(job).go(one_by_one, NoWatch())


def roomy(inputs: Sequence[str], out: Path, **given: Any) -> Job:
    """A job that needs no model: everything fits."""
    return job_of(inputs, out, options=Settled(), budgets=(Budget.of(100_000),), **given)


def stopping_after(number: int) -> Engine:
    """An engine that dies when so many parts are done."""

    def engine(job: Job, parts: list[Part], folder: Path) -> Iterator[Step]:
        for done, step in enumerate(one_by_one(job, parts, folder)):
            if done == number:
                (folder / "half-a-part.tmp").write_bytes(b"half")
                raise KeyboardInterrupt
            yield step

    return engine
