"""What the rows of a reproduction are run on: networks, outputs, and what the search judges by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from nacc.data.datasets import data_folder, read_lines
from nacc.errors import InvalidInput
from nacc.evaluation.evaluation import model_opener
from nacc.evaluation.paper import TABLES, Setting
from nacc.evaluation.systems import RIVAL, OutputFile, System, Tell, parse_system, silent

if TYPE_CHECKING:
    from nacc.search import SearchModel
    from nacc.summarizer import Summarizer

RowName = tuple[str, int]
"""A table's name and a row's number."""
PACKAGED = "default"
"""The model where none is named, trained on other data than the paper's: the rows say so."""
SEARCH_MODEL = "search-model.npz"
REMARKS = {
    "Qi et al.": "without BANG's pretraining",
    "Yang et al.": "parts of speech by HanTa",
}
"""What is to be said of a rival of ours, by whose it is."""
TRAINING_PAIRS = "gigaword/train.tsv.zst"


class RowNetwork(NamedTuple):
    """The network of a row and, of a rival, how it is to write: "style=wire,told=45"."""

    folder: Path
    options: str = ""

    def system(self, options: str) -> str:
        """As a rival, with what the row itself asks for."""
        return f"{RIVAL}:" + ",".join(filter(None, [f"model={self.folder}", self.options, options]))

    def note(self, approach: str) -> str:
        """What stands under a row of this network."""
        said = [text for whose, text in REMARKS.items() if approach.startswith(whose)]
        return ", ".join(filter(None, [f"network: {self.folder}", self.options, *said]))


class Beside(NamedTuple):
    """A further system of a setting, for one table or for every one."""

    setting: Setting
    system: System
    table: str | None = None


def open_networks(given: Mapping[Setting, Path | None]) -> dict[Setting, Summarizer]:
    """The models of the settings; supervised, the packaged one where no folder is given."""
    from nacc.summarizer import Summarizer

    models: dict[Setting, Summarizer] = {}
    for setting, path in given.items():
        if path is not None or setting == "supervised":
            models[setting] = Summarizer.load(path or PACKAGED)
    return models


def network_notes(given: Mapping[Setting, Path | None]) -> dict[Setting, str]:
    """What stands under a row that is ours: on which network it was run."""
    return {
        setting: f"network: {path}" if path else f"our network: {PACKAGED}"
        for setting, path in given.items()
        if path or setting == "supervised"
    }


def find_search_model(given: Path | None, out: Path, tell: Tell = silent) -> SearchModel | None:
    """The search model that is named; else one of Gigaword's own headlines, which lies in `out` or
    is trained now; None where there is no Gigaword to train it on."""
    from nacc.search import SearchModel
    from nacc.search.training import SearchTraining, train_search_model

    kept = given or out / SEARCH_MODEL
    if given or kept.exists():
        return SearchModel.load(kept)
    pairs = data_folder() / TRAINING_PAIRS
    if not pairs.exists():
        return None
    model, _ = train_search_model([pairs], [pairs], SearchTraining(epochs=10), tell)
    out.mkdir(parents=True, exist_ok=True)
    model.save(kept)
    return model


def parse_rows(specs: Sequence[str], flag: str) -> dict[RowName, str]:
    """What is said of rows of the tables, from "table1.7=PATH" or "table1.9,table2.4=PATH"."""
    found: dict[RowName, str] = {}
    for spec in specs:
        rows, equals, given = spec.partition("=")
        for row in rows.split(","):
            name, _, number = row.partition(".")
            known = name in TABLES and number in {str(each.number) for each in TABLES[name].rows}
            if not equals or not known:
                raise InvalidInput(f"{flag} {spec!r} must read table1.7=PATH, a row of a table")
            found[name, int(number)] = given
    return found


def parse_networks(specs: Sequence[str]) -> dict[RowName, RowNetwork]:
    """Networks of rows, from "table1.7=DIR" or, of rivals, "table1.1=DIR,style=wire"."""
    found = {}
    for row, given in parse_rows(specs, "--model").items():
        folder, _, options = given.partition(",")
        found[row] = RowNetwork(Path(folder), options)
    return found


def parse_outputs(specs: Sequence[str]) -> dict[RowName, System]:
    """Other systems' outputs for rows of the tables, cut to the budget."""
    return {
        row: OutputFile(path, tuple(read_lines(Path(path))), to_cut=True)
        for row, path in parse_rows(specs, "--output").items()
    }


def parse_beside(specs: Sequence[str]) -> list[Beside]:
    """Further systems, from "supervised=SYSTEM" or, in one table, "table2.supervised=SYSTEM", with
    any system of `nacc evaluate`."""
    found: list[Beside] = []
    for spec in specs:
        where, _, system = spec.partition("=")
        table, dot, setting = where.rpartition(".")
        if setting not in get_args(Setting) or not system or (dot and table not in TABLES):
            raise InvalidInput(
                f"--row {spec!r} must read supervised=SYSTEM, unsupervised=SYSTEM or, in one "
                "table, table2.supervised=SYSTEM"
            )
        opened = parse_system(system, model_opener(None))
        found.append(Beside(cast(Setting, setting), opened, table or None))
    return found
