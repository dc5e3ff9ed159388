"""Is what is said so? Sentences in pairs, one a fact and one that only looks like it, with rules
about what a headline of each may say.

The rules of a case, separated by " ; ", read

    never A          A must not be said
    A needs B        where A is said, B must be said too

A and B are regular expressions for whole words in any case; <not>, <deny>, <if>, <may> and <ask>
stand for the words that carry a negation, a denial, a condition, a doubt or a question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from nacc.data.datasets import read_lines
from nacc.errors import InvalidInput
from nacc.evaluation.runs import Run
from nacc.evaluation.tables import piped

COLUMNS = ("phenomenon", "pair", "side", "text", "rules", "wrong")
_NOT = (
    r"not|no|none|never|nor|neither|nobody|nothing|without|cannot|\w*n't|unable|"
    r"fail(?:s|ed|ing|ure)?|refus(?:e|es|ed|ing|al)|reject(?:s|ed|ing|ion)?|den(?:y|ies|ied|ial)"
)
MARKS = {
    "not": _NOT,
    "deny": _NOT
    + r"|dismiss(?:es|ed)?|disput(?:e|es|ed)|false|untrue|rebuts?|refut(?:e|es|ed)|contradicts?",
    "if": r"if|unless|provided|could|would|may|might|should|threat(?:s|en|ens|ened)?|"
    r"warn(?:s|ed|ing)?|risks?|fail(?:s|ure)?|fac(?:e|es|ing)|pending|conditions?|only|until|once",
    "may": r"may|might|could|possibl[ey]|perhaps|maybe|likely|probabl[ey]|reported(?:ly)?|reports?|"
    r"alleged(?:ly)?|suspect(?:s|ed)?|believed|thought|fear(?:s|ed)?|risks?|threat(?:s|ens|ened)?|"
    r"consider(?:s|ing)?|expected|unconfirmed|claims?|appears?|seems?|suggests?|hints?|said to|\?",
    "ask": r"whether|if|should|could|would|can|may|might|question(?:s|ed)?|ask(?:s|ed)?|debates?|"
    r"doubts?|unclear|^(?:will|is|are|was|were|do|does|did|has|have|must)|\?",
}
_SHOWN = 5  # failures that a table lists for each phenomenon and budget


@dataclass(frozen=True)
class Rule:
    """Where `said` is said, `needed` must be said too; if that is empty, nothing helps."""

    said: str
    needed: str = ""

    @classmethod
    def of(cls, text: str) -> Rule:
        """InvalidInput for what is no rule."""
        never, _, said = text.partition("never ")
        if not never and said.strip():
            rule = cls(said.strip())
        else:
            said, needs, needed = text.partition(" needs ")
            if not (needs and said.strip() and needed.strip()):
                raise InvalidInput(f"{text!r} must read 'never A' or 'A needs B'")
            rule = cls(said.strip(), needed.strip())
        for each in filter(None, (rule.said, rule.needed)):
            pattern(each)
        return rule

    def kept_by(self, headline: str) -> bool:
        said = pattern(self.said).search(headline)
        return not said or bool(self.needed and pattern(self.needed).search(headline))

    def __str__(self) -> str:
        return f"{self.said} needs {self.needed}" if self.needed else f"never {self.said}"


@cache
def pattern(text: str) -> re.Pattern[str]:
    """A rule's expression, for whole words (or a question mark) in any case."""
    try:
        filled = re.sub(r"<(\w+)>", lambda mark: MARKS[mark[1]], text)
        return re.compile(rf"(?:(?<!\w)(?=\W*\w)|(?=\?))(?:{filled})(?!\w)", re.IGNORECASE)
    except (re.error, KeyError) as error:
        raise InvalidInput(
            f"{text!r} is no regular expression with known marks: {error}"
        ) from error


@dataclass(frozen=True)
class Case:
    """A sentence of a pair; `wrong` is a headline that would be false, if one is given."""

    phenomenon: str
    pair: str
    side: str
    text: str
    rules: tuple[Rule, ...]
    wrong: str = ""

    def broken_by(self, headline: str) -> Rule | None:
        """The first rule that a headline breaks."""
        plain = headline.replace("’", "'")
        return next((rule for rule in self.rules if not rule.kept_by(plain)), None)


def read_cases(path: Path) -> list[Case]:
    """The cases of a file; what is wrong with one is named with its line."""
    header, *lines = read_lines(path)
    if tuple(header.split("\t")) != COLUMNS:
        raise InvalidInput(f"{path}, line 1: the columns must be {', '.join(COLUMNS)}")
    cases = []
    for at, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cells[:-1]):
            raise InvalidInput(f"{path}, line {at}: {len(COLUMNS)} columns, only the last empty")
        try:
            rules = tuple(map(Rule.of, cells[4].split(" ; ")))
        except InvalidInput as error:
            raise InvalidInput(f"{path}, line {at}: {error}") from error
        phenomenon, pair, side, text, _, wrong = cells
        cases.append(Case(phenomenon, pair, side, text, rules, wrong))
    return cases


@dataclass(frozen=True)
class Failure:
    """A headline that says what is not so; or nothing, which says too little to be kept."""

    case: Case
    headline: str
    rule: str


@dataclass(frozen=True)
class Kept:
    """How many cases of a phenomenon a system keeps at a budget, and where it fails."""

    system: str
    budget: str
    phenomenon: str
    cases: int
    failures: tuple[Failure, ...]

    @property
    def share(self) -> float:
        return 1 - len(self.failures) / self.cases


ALL = "all"


def judge(cases: Sequence[Case], said: Mapping[Run, Sequence[str]]) -> list[Kept]:
    """For each run, each phenomenon in the file's order, and all of them."""
    found = []
    phenomena = dict.fromkeys(case.phenomenon for case in cases)
    for (system, budget), headlines in said.items():
        failed = [
            Failure(case, headline, str(broken) if broken else "says nothing")
            for case, headline in zip(cases, headlines, strict=True)
            if (broken := case.broken_by(headline)) or not headline.strip()
        ]
        for name in (*phenomena, ALL):
            its = tuple(each for each in failed if name in (ALL, each.case.phenomenon))
            count = sum(name in (ALL, case.phenomenon) for case in cases)
            found.append(Kept(system, budget, name, count, its))
    return found


def cells(found: Sequence[Kept]) -> list[list[str]]:
    """Header and rows: a phenomenon a column, the share that is kept."""
    names = list(dict.fromkeys(each.phenomenon for each in found))
    rows: dict[Run, dict[str, str]] = {}
    for each in found:
        rows.setdefault((each.system, each.budget), {})[each.phenomenon] = (
            f"{100 * each.share:.1f}%"
        )
    counts = {each.phenomenon: each.cases for each in found}
    header = ["System", "Budget", *(f"{name} ({counts[name]})" for name in names)]
    return [header, *([*run, *(shares[name] for name in names)] for run, shares in rows.items())]


def markdown(found: Sequence[Kept]) -> str:
    """The table, and the first failures of each phenomenon."""
    lines = ["## Kept", "", *piped(cells(found)), "", "## The first failures", ""]
    for each in found:
        if each.phenomenon == ALL or not each.failures:
            continue
        heading = f"{each.system}, {each.budget}, {each.phenomenon}"
        sides = Counter(failure.case.side for failure in each.failures)
        told = ", ".join(f"{count} {side}" for side, count in sides.items())
        lines += [f"**{heading}: {len(each.failures)} of {each.cases}** ({told})", ""]
        for failure in each.failures[:_SHOWN]:
            lines.append(f"- {failure.headline.strip() or '(nothing)'} ← {failure.case.text}")
        lines.append("")
    return "\n".join(lines)


def records(found: Sequence[Kept]) -> list[dict[str, Any]]:
    """Everything, failures included, for JSON."""
    return [
        {key: value for key, value in asdict(each).items() if key != "failures"}
        | {"share": each.share}
        | {
            "failures": [
                {"pair": f.case.pair, "side": f.case.side, "headline": f.headline, "rule": f.rule}
                for f in (() if each.phenomenon == ALL else each.failures)
            ]
        }
        for each in found
    ]
