"""Reading what systems are measured on: tsv, Gigaword's file pairs, DUC's folders of references.

Every layout becomes one `Dataset`: sources, and for each the list of its references. Those of the
data folder have names; test sets among them are for the report alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nacc.data.lines import lines_of
from nacc.data.pairs import pairs_of
from nacc.errors import InvalidInput

_REFERENCE = re.compile(r"(?:reference\.?|task1_ref|ref)(\d+)(?:\.txt)?$")
_SPLITS = ("test", "valid", "dev", "train")
SHORT = "short"
"""The folder of short texts that are not news, a file a kind; and the group of them all."""
DEV_SETS = {
    "gigaword-dev": "gigaword/dev.tsv",
    "reuters-dev": "headlines/reuters-2018-04.dev.tsv",
    "web-dev": "headlines/web-2025-12.dev.tsv",
    "duc2003": "duc2003",
}
"""What to choose by: names, and where it lies in the data folder."""
TEST_SETS = {
    "gigaword-test": "gigaword/test.tsv",
    "reuters-test": "headlines/reuters-2018-05.test.tsv",
    "web-test": "headlines/web-2025-12.test.tsv",
    "compression-test": "headlines/compression.test.tsv",
    "duc2004": "duc2004",
}
"""For the report alone: nothing is chosen by these, and they are run once, at the end."""


@dataclass(frozen=True)
class Dataset:
    """Sources with one or more references each."""

    name: str
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @property
    def several(self) -> bool:
        """Whether there is more than one reference a source: DUC's protocol is meant."""
        return len(self.references[0]) > 1

    @property
    def is_short(self) -> bool:
        """Whether it is a kind of short text that is not news."""
        return self.name.startswith(f"{SHORT}/")

    def __len__(self) -> int:
        return len(self.sources)

    def first(self, count: int | None) -> Dataset:
        """The first `count` pairs, or all."""
        if count is None:
            return self
        if count < 1:
            raise InvalidInput(f"cannot take the first {count} pairs; at least 1 is needed")
        return replace(self, sources=self.sources[:count], references=self.references[:count])

    def spread(self, count: int) -> Dataset:
        """So many pairs from all over it, or all."""
        if count < 1:
            raise InvalidInput(f"cannot take {count} pairs; at least 1 is needed")
        step = max(1, len(self) / count)
        places = [int(i * step) for i in range(min(count, len(self)))]
        sources = tuple(self.sources[i] for i in places)
        return replace(self, sources=sources, references=tuple(self.references[i] for i in places))


def data_folder() -> Path:
    """Where the data lies: $NACC_DATA, or shared/data beside the repository."""
    named = os.environ.get("NACC_DATA")
    if named:
        return Path(named)
    return Path(__file__).resolve().parents[4] / "shared" / "data"


def locate(name: Path | str, *, report: bool = False) -> list[Path]:
    """Where the data sets of a name lie: one of the data folder's, "short/KIND", a group of them
    ("short": every kind; "dev": every dev set), or a path as `load` takes it.

    report: whether test sets may be run.
    """
    folder, name = data_folder(), str(name)
    path = Path(name)
    if not path.exists():  # what is there comes before what is meant
        if name in (SHORT, "dev"):
            news = DEV_SETS if name == "dev" else {}
            return [folder / place for place in news.values()] + _short_kinds(folder)
        if name in DEV_SETS | TEST_SETS:
            path = folder / (DEV_SETS | TEST_SETS)[name]
        elif name.startswith(f"{SHORT}/"):
            path = folder / f"{name}.dev.tsv"
    for test, place in TEST_SETS.items():
        if path.resolve() == (folder / place).resolve() and not report:
            raise InvalidInput(
                f"{test} is for the report alone: choose nothing by it, and run it once, at the "
                "end, with --report"
            )
    return [path]


def _short_kinds(folder: Path) -> list[Path]:
    kinds = sorted((folder / SHORT).glob("*.dev.tsv"))
    if not kinds:
        raise InvalidInput(f"{folder / SHORT} holds no KIND.dev.tsv; set $NACC_DATA to your copy")
    return kinds


def load(path: Path | str, references: Sequence[Path | str] = ()) -> Dataset:
    """Read a data set in any of the known layouts.

    - `path` with `references`: one source a line, and files with one reference a line;
    - a `.tsv` file: source, tab, headline, and further columns that are not read;
    - `X.article.txt` or `X.src`: its references are in `X.title.txt` or `X.tgt` beside it;
    - a folder with `input.txt` and `reference.0.txt`, … (or `task1_ref0.txt`, …): DUC's layout;
    - a folder with article and title files: its test split, or else its validation split.
    """
    path = Path(path)
    if references:
        return _from_files(path, [Path(reference) for reference in references])
    if path.is_dir():
        return _from_folder(path)
    if path.name.endswith((".tsv", ".tsv.zst")):
        return _from_tsv(path)
    title = _title_file(path)
    if title is None:
        raise InvalidInput(
            f"{path} is no .tsv file, no folder, and has no title file beside it; "
            "name the file of its references"
        )
    return _from_files(path, [title])


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file (.zst too), without their endings; an empty one is refused."""
    lines = list(lines_of(path))
    if not any(line.strip() for line in lines):
        raise InvalidInput(f"{path} is empty")
    return lines


def read_headlines(path: Path) -> list[str]:
    """Headlines alone: the second column of a .tsv file, the lines of any other."""
    lines = read_lines(path)
    if ".tsv" not in path.suffixes:
        return lines
    return [headline for _, headline in pairs_of(lines, path)]


def _from_tsv(path: Path) -> Dataset:
    sources, headlines = zip(*pairs_of(read_lines(path), path), strict=True)
    return Dataset(_name(path), sources, tuple((headline,) for headline in headlines))


def _from_files(sources: Path, references: list[Path]) -> Dataset:
    lines = read_lines(sources)
    columns = []
    for reference in references:
        column = read_lines(reference)
        if len(column) != len(lines):
            raise InvalidInput(
                f"{sources} has {len(lines)} lines but {reference} has {len(column)}: "
                "line N of one must belong to line N of the other"
            )
        columns.append(column)
    return Dataset(_name(sources), tuple(lines), tuple(zip(*columns, strict=True)))


def _from_folder(folder: Path) -> Dataset:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    references = [path for path in files if _REFERENCE.match(path.name)]
    source = folder / "input.txt"
    if source in files and references:
        return replace(_from_files(source, references), name=folder.name)
    for split in _SPLITS:
        for path in files:
            title = _title_file(path)
            if title is not None and split in path.name:
                return replace(_from_files(path, [title]), name=f"{folder.name} {split}")
    raise InvalidInput(
        f"{folder} holds neither input.txt with reference.0.txt (or task1_ref0.txt) "
        "nor article and title files such as test.article.txt and test.title.txt"
    )


def _name(path: Path) -> str:
    """The folder and the file, without endings: "gigaword/dev"."""
    stem = path.name.removesuffix(".zst").removesuffix(".tsv").removesuffix(".txt")
    return f"{path.resolve().parent.name}/{stem}"


def _title_file(path: Path) -> Path | None:
    for article, title in (("article", "title"), (".src", ".tgt"), (".source", ".target")):
        if article in path.name:
            other = path.with_name(path.name.replace(article, title))
            if other.is_file():
                return other
    return None
