"""The parts of the paper that can be reproduced: each is run, written to files, and handed back as
it is shown on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table

from nacc.data.datasets import Dataset, load, locate
from nacc.errors import InvalidInput
from nacc.evaluation import case_study, figures, human, paper, sheets, side_by_side, sweeps, tables
from nacc.evaluation.report import EvaluationProtocol, ReportRow
from nacc.evaluation.reproduction import Reproduction
from nacc.evaluation.study import Study
from nacc.evaluation.study_results import StudyResults
from nacc.evaluation.systems import Decoding
from nacc.evaluation.timing import machine

PARTS = ("table1", "table2", "table3", "table4", "figure3", "figure4", "case-study", "speed")
_EXAMPLES = 12
_VOTES = "votes.tsv"


@dataclass(frozen=True, kw_only=True)
class ReproductionSettings:
    """What one reproduction works on, and where it writes.

    data:     where "gigaword" and "duc" lie, or their names. report: whether they may be test sets.
    first:    only so many pairs. time_on: sentences to time each system on.
    sweep_on: pairs of the sweeps of figures 3 and 4.
    blind:    write a voting sheet with table 3. votes: filled-in ones to count. study: a study.
    """

    data: Mapping[str, Path]
    out: Path
    first: int | None = None
    time_on: int = 100
    sweep_on: int = 1000
    blind: bool = False
    votes: tuple[Path, ...] = ()
    study: Path | None = None
    report: bool = False

    def dataset(self, kind: str) -> Dataset:
        path, *_ = locate(self.data[kind], report=self.report)
        if not path.exists():
            raise InvalidInput(f"{path} does not exist; name your copy with --{kind} PATH")
        return load(path).first(self.first)

    def protocol(self, data: Dataset) -> EvaluationProtocol:
        return replace(EvaluationProtocol.of(data), time_on=self.time_on)


def reproduce_part(
    part: str, reproduction: Reproduction, settings: ReproductionSettings
) -> Iterator[RenderableType]:
    """Run a part and write its files."""
    if part in paper.TABLES:
        yield _reproduce_table(paper.TABLES[part], reproduction, settings)
    elif part == "table3":
        yield _reproduce_table_3(settings)
        if settings.blind:
            yield _voting_sheet(reproduction, settings)
    elif part == "case-study":
        yield _reproduce_case_study(reproduction, settings)
    else:
        yield _reproduce_figure(part, reproduction, settings)


def _reproduce_table(
    table: paper.PaperTable, reproduction: Reproduction, settings: ReproductionSettings
) -> Table:
    data = settings.dataset(table.data)
    rows = reproduction.table(table, data, settings.protocol(data))
    title = f"{table.name}: {table.caption}; ours on {data.name}, {len(data)} pairs"
    text = side_by_side.paper_markdown(rows, title) + f"\n{machine()}\n"
    _write(settings.out, table.name, side_by_side.paper_records(rows), text)
    return side_by_side.paper_table(rows, title)


def _reproduce_table_3(settings: ReproductionSettings) -> Table:
    if settings.study is not None:
        compared = StudyResults(Study(settings.study).answers()).comparisons().values()
        found = [each.tally for preferences in compared for each in preferences]
    else:
        found = _count_votes(settings) if settings.votes else human.printed_tallies()
    header, *body = human.tally_cells(found)
    shown = Table(
        *header, title="table3", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for cells in body:
        shown.add_row(*cells)
    text = ["## table3: human evaluation", "", *tables.piped([header, *body]), ""]
    _write(settings.out, "table3", human.tally_records(found), "\n".join(text))
    return shown


def _count_votes(settings: ReproductionSettings) -> list[human.Tally]:
    key_file = sheets.key_of(settings.out / _VOTES)
    if not key_file.is_file():
        raise InvalidInput(f"{key_file} is missing: the key that --blind wrote there")
    key = sheets.Key.read(key_file)
    votes = [sheets.read(path, human.FORM, key) for path in settings.votes]
    return [found for criterion in human.CRITERIA for found in human.tally(votes, key, criterion)]


def _voting_sheet(reproduction: Reproduction, settings: ReproductionSettings) -> str:
    data = settings.dataset("gigaword")
    setting, model = reproduction.swept()
    budget = settings.protocol(data).budget
    reproduction.tell(f"outputs of the {setting} model for the voting sheet")
    read = reproduction.readings.of(model, data.sources, reproduction.tell)
    ours, theirs = (
        [output.text for output in Decoding.by(method, model).run(read, budget)]
        for method in ("bucketed", "truncate")
    )
    path = settings.out / _VOTES
    rows = human.blind_rows(data.sources, ours, theirs, paper.TABLE_3_SAMPLES)
    sheets.write(path, human.FORM, rows)
    return f"fill in {path} with A, B or tie; then --votes it"


def _reproduce_case_study(reproduction: Reproduction, settings: ReproductionSettings) -> str:
    """The paper's table 5: what each row of tables 1 and 4 says of the same sources, and ours; the
    paper's own example where the data has it."""
    data = settings.dataset("gigaword")
    protocol = settings.protocol(data)
    named = _named(reproduction, (paper.TABLE_1, paper.TABLE_4), data, protocol)
    own = [i for i, source in enumerate(data.sources) if source.startswith(paper.CASE_STUDY)]
    places = [*own, *case_study.choose(data, _EXAMPLES)]
    path = settings.out / "case-study.html"
    settings.out.mkdir(parents=True, exist_ok=True)
    path.write_text(case_study.html_examples(named, data, places, protocol.budget), "utf-8")
    return f"case-study: {len(named)} systems on {len(places)} sources of {data.name}: {path.name}"


def _reproduce_figure(part: str, reproduction: Reproduction, settings: ReproductionSettings) -> str:
    figures.need_matplotlib()
    data = settings.dataset("gigaword")
    if part != "speed":
        data = data.first(settings.sweep_on)
    protocol = settings.protocol(data)
    setting, model = reproduction.swept()
    readings, tell, out = reproduction.readings, reproduction.tell, settings.out
    if part == "figure3":
        buckets = sweeps.bucket_sweep(model, data, protocol, readings=readings, tell=tell)
        for linked in reproduction.linked():
            found = sweeps.linked_bucket_sweep(linked, data, protocol, readings=readings, tell=tell)
            buckets += found
        files = figures.bucket_size(buckets, out) + figures.score_lost(buckets, out)
    elif part == "figure4":
        budgets = sweeps.budget_sweep(
            model, data, protocol, beside=reproduction.transferred(), readings=readings, tell=tell
        )
        files = figures.length_transfer(budgets, out)
    else:
        rows = _named(reproduction, (paper.TABLE_4,), data, protocol)
        files = figures.quality_and_speed(rows, out)
    drawn = ", ".join(path.name for path in files)
    shown = reproduction.models if part == "speed" else (setting,)
    of = " and ".join(f"{setting} ({reproduction.networks[setting]})" for setting in shown)
    return f"{part}: {of}, {data.name}, {len(data)} pairs: {drawn}"


def _named(
    reproduction: Reproduction,
    tables: Sequence[paper.PaperTable],
    data: Dataset,
    protocol: EvaluationProtocol,
) -> list[ReportRow]:
    """The rows of tables that were run, each by its setting and label, once."""
    found = {
        f"{row.setting}: {row.label}": row.ours
        for table in tables
        for row in reproduction.table(table, data, protocol)
        if row.ours
    }
    return [replace(row, name=name) for name, row in found.items()]


def _write(out: Path, name: str, records: list[dict[str, Any]], markdown: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": asdict(machine()), "rows": records}, indent=1) + "\n"
    (out / f"{name}.json").write_text(text, "utf-8")
    (out / f"{name}.csv").write_text(tables.as_csv(records), "utf-8")
    (out / f"{name}.md").write_text(markdown, "utf-8")
