"""Which budget a text has: by the file it is in, and by the column or key it stands under.

`nacc.toml` says so, in the folder that its file patterns start from:

    [check."locales/**/*.json"]
    "*.title" = 30                      # characters
    "push.*" = "push"                   # a preset, or "75 bytes"
    "nav.*" = { max = 200, unit = "pixels" }
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from nacc.data.rows import Entry
from nacc.errors import InvalidInput
from nacc.length.budget import Budget

CONFIG = Path("nacc.toml")


@dataclass(frozen=True)
class Rule:
    """Texts under a column, key or path that is called so, or as the pattern says, have this
    budget."""

    pattern: str
    budget: Budget


@dataclass(frozen=True)
class FileRules:
    """The rules of files whose path from `folder` the pattern means; `**` is any number of
    folders."""

    folder: Path
    pattern: str
    rules: tuple[Rule, ...]

    def apply_to(self, path: Path) -> bool:
        try:
            relative = path.resolve().relative_to(self.folder)
        except ValueError:  # elsewhere
            return False
        return _matches(relative.parts, self.pattern.split("/"))

    def files(self) -> Iterator[Path]:
        """The files there are."""
        here = Path.cwd()
        for path in sorted(self.folder.glob(self.pattern)):
            if path.is_file():
                yield path.relative_to(here) if path.is_relative_to(here) else path


def budget_of(entry: Entry, rules: Sequence[Rule]) -> Budget | None:
    """The budget that the first rule gives that speaks of the text; None if none does."""
    return next((rule.budget for rule in rules if entry.stands_under(rule.pattern)), None)


def read_rules(config: Path) -> list[FileRules]:
    """What a config file says."""
    try:
        told = tomllib.loads(config.read_text("utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"cannot read {config}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{config}: {error}") from error
    files = told.pop("check", None)
    if told or not isinstance(files, dict) or not files:
        wrong = f"[{next(iter(told))}] means nothing here; " if told else ""
        raise InvalidInput(f'{config}: {wrong}write e.g. [check."*.json"] and title = 30')
    for pattern in files:
        if not {"", ".", ".."}.isdisjoint(pattern.split("/")):
            raise InvalidInput(
                f"{config}: {pattern!r} does not lead from its folder to files: locales/*.json"
            )
    folder = config.resolve().parent
    return [
        FileRules(folder, pattern, tuple(_rules(f'{config}: [check."{pattern}"]', rules)))
        for pattern, rules in files.items()
    ]


def _rules(where: str, told: Any) -> Iterator[Rule]:
    """What is said of one pattern of files."""
    if not isinstance(told, dict) or not told:
        raise InvalidInput(f'{where}: write a budget for each column or key: title = 30, "*" = 75')
    for pattern, budget in told.items():
        try:
            yield Rule(pattern, _budget(budget))
        except InvalidInput as error:
            raise InvalidInput(f"{where} {pattern}: {error}") from error


def _budget(told: Any) -> Budget:
    if not isinstance(told, dict):
        return Budget.of(told)
    if "max" not in told or not told.keys() <= {"max", "unit"}:
        raise InvalidInput(
            'a budget has max and, if need be, unit; a key with dots goes in quotes: "a.b" = 30'
        )
    return Budget.of(told["max"], told.get("unit"))


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[i:], pattern[1:]) for i in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])
