"""What is to be done with which files, as it is sent to whoever does a part of it."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nacc.bulk.columns import NewColumns
from nacc.bulk.inputs import File
from nacc.bulk.summaries import Summaries
from nacc.data.rows import UTF_8
from nacc.data.sources import PARQUET
from nacc.length.budget import Budget
from nacc.options import Settled

if TYPE_CHECKING:
    from nacc.bulk.on_gpu import OnGpu
    from nacc.bulk.parts import FileKind
    from nacc.summarizer import Summarizer


@dataclass(frozen=True)
class Job:
    """Rows of some files, summarized into others.

    model:  the model's folder.
    column: where the texts are; None: the only column, or the one called "text".
    named:  CSV, TSV: whether the first row names the columns.
    device: "cpu" or "gpu": what a worker has to itself, a core or a GPU.
    """

    files: tuple[File, ...]
    folder: Path
    model: Path
    budgets: tuple[Budget, ...]
    options: Settled
    columns: NewColumns
    column: str | None = None
    named: bool = True
    encoding: str = UTF_8
    device: str = "cpu"

    def __getstate__(self) -> dict[str, Any]:
        """All but the loaded model and open files."""
        kept = {each.name for each in fields(self)}
        return {name: value for name, value in self.__dict__.items() if name in kept}

    @cached_property
    def summaries(self) -> Summaries:
        return Summaries(self._load, self.budgets, self.options, workers=1)

    def kind(self, file: File) -> FileKind:
        """How a file is cut, read and written; the last one is kept open."""
        if file not in self._kinds:
            self._kinds.clear()
            if file.form == PARQUET:
                from nacc.bulk.parquet import ParquetFile

                self._kinds[file] = ParquetFile(self, file)
            else:
                from nacc.bulk.text_files import TextFile

                self._kinds[file] = TextFile(self, file)
        return self._kinds[file]

    @cached_property
    def _kinds(self) -> dict[File, FileKind]:
        return {}

    def described(self) -> dict[str, Any]:
        """All that the output depends on; equal for a job that would write the same files."""
        from nacc import __version__

        return {
            "nacc": __version__,
            "model": hashlib.sha256((self.model / "config.json").read_bytes()).hexdigest(),
            "budgets": [str(budget) for budget in self.budgets],
            "options": asdict(self.options),
            "columns": self.columns.names,
            "column": self.column,
            "header": self.named,
            "encoding": self.encoding,
            "device": self.device,
            "files": [state(file) for file in self.files],
        }

    def _load(self) -> Summarizer | OnGpu:
        if self.device == "gpu":
            from nacc.bulk.on_gpu import OnGpu

            return OnGpu(self.model)
        from nacc.summarizer import Summarizer

        return Summarizer.load(self.model)


def state(file: File) -> dict[str, Any]:
    """A file, so that a change of it is seen."""
    found = file.path.stat()
    return {
        "in": str(file.path),
        "format": file.form,
        "out": file.out,
        "bytes": found.st_size,
        "changed": found.st_mtime_ns,
    }
