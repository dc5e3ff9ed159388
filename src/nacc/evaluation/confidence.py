"""How sure a model may say it is: a table for its folder, from graded headlines and from ROUGE.

A headline that was graded is good where an editor finds no fault that matters (A or B); one of a
data set where its ROUGE is high. Both are learnt from together: what the signs count is shared,
and each kind of label has a share of good ones of its own. The grades' is what the folder says.
Graded headlines may be of any system: the signs are what this model would make of them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nacc.data.datasets import Dataset, read_lines
from nacc.errors import InvalidInput, NaccError
from nacc.evaluation import rouge, sheets
from nacc.evaluation.grades import FORM, NOTHING
from nacc.evaluation.report import EvaluationProtocol
from nacc.evaluation.systems import Tell, silent
from nacc.fitting.confidence import Signs
from nacc.fitting.fit import paths
from nacc.fitting.task import Task
from nacc.lattice import Lattice
from nacc.length.budget import Budget
from nacc.options import Options, Settled
from nacc.parallel import spread
from nacc.runtime.scorer import MOST_WORDS
from nacc.text.words import split

if TYPE_CHECKING:
    from nacc.summarizer import Summarizer

GRADES = "grades"
GOOD_GRADES, FALSE_GRADE = "AB", "F"
GOOD_ROUGE = 0.4
"""The mean of ROUGE-1, -2 and -L from which on a headline counts as good."""
_COLUMNS = {"precision": 0, "recall": 1, "f1": 2}
ALWAYS = Options(rewrite="always")
"""All is to be told by the model."""


@dataclass(frozen=True)
class Sample:
    """A headline, what there is to judge it by, and how it turned out.

    group:  whose judgement it is: the graders', or a data set's.
    figure: its grade, or its ROUGE.
    """

    group: str
    source: str
    signs: Signs
    good: bool
    figure: str | float


def graded(
    model: Summarizer, folder: Path, systems: Sequence[str] = (), tell: Tell = silent
) -> list[Sample]:
    """The headlines of a folder of filled-in sheets (key.json, and a .tsv for each grader), or of
    some systems' only: one sample for each grader."""
    key = sheets.Key.read(folder / "key.json")
    filled = sorted(folder.glob("*.tsv"))
    if not filled:
        raise InvalidInput(f"{folder} holds no sheet that is filled in")
    given = [sheets.read(path, FORM, key) for path in filled]
    shown = list(csv.DictReader(read_lines(filled[0]), delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = {int(row["number"]) - 1: row for row in shown}
    asked = [
        (number, Budget.of(budget))
        for number, behind in enumerate(key.behind)
        for system, budget in behind["of"]
        if (not systems or system in systems) and rows[number]["headline"] != NOTHING
    ]
    if not asked:
        raise InvalidInput(f"{folder} has no headline of {', '.join(systems) or 'anybody'}")
    found = []
    options = model.settled(ALWAYS)
    for done, (number, budget) in enumerate(asked):
        tell(f"{GRADES}: {done} of {len(asked)} headlines")
        row = rows[number]
        (reading,) = model.read([row["source"]], budget, options)
        signs = signs_of(Task.of(reading, budget, options), row["headline"])
        if signs.log_p == -math.inf:  # of another sentence than the model would tell
            continue
        for answers in given:
            grade = answers[number]["grade"]
            found.append(Sample(GRADES, row["source"], signs, grade in GOOD_GRADES, grade))
    return found


def scored(
    model: Summarizer, data: Dataset, asked: Mapping[str, Any], tell: Tell = silent
) -> list[Sample]:
    """What the model says of a data set, by ROUGE; what it cannot say is left out."""
    protocol = EvaluationProtocol.of(data, None)
    options = model.settled(Options.of({"rewrite": "always", **asked}))

    def told(sources: Sequence[str]) -> list[tuple[str, Signs] | None]:
        return [_told(model, source, protocol.budget, options) for source in sources]

    said = []
    for done, each in enumerate(spread(told, data.sources)):
        tell(f"{data.name}: {done} of {len(data)} sentences")
        said.append(each)
    texts = ["" if each is None else each[0] for each in said]
    values = rouge.score(texts, data.references, protocol.byte_limit).pairs.mean(1)
    figures = values[:, _COLUMNS[protocol.metric]].tolist()
    return [
        Sample(data.name, source, each[1], figure >= GOOD_ROUGE, figure)
        for source, each, figure in zip(data.sources, said, figures, strict=True)
        if each is not None
    ]


def _told(
    model: Summarizer, source: str, budget: Budget, options: Settled
) -> tuple[str, Signs] | None:
    try:
        (reading,) = model.read([source], budget, options)
        best = paths(reading, budget, options)[0]
    except NaccError:
        return None
    return None if best.signs is None else (best.summary.text, best.signs)


def signs_of(task: Task, headline: str) -> Signs:
    """What there is to judge any headline by, whoever wrote it."""
    reading = task.reading
    keys = [
        word
        for word in split(headline).keys
        if word in reading.ids or any(letter.isalnum() for letter in word)
    ][:MOST_WORDS]
    found = reading.word_lattice
    words = [reading.ids.get(word) for word in keys]
    expected = expected_share(found.lattice.without(task.refused), words)
    if reading.scorer is None or found.source is None:
        return Signs(expected, len(keys))
    (total,) = reading.scorer.scores(found.source, reading.sentence.keys, [keys]).tolist()
    return Signs(expected, len(keys), total / (len(keys) + 1))


def expected_share(lattice: Lattice, words: Sequence[int | None]) -> float:
    """`Decoded.expected` of any words; None for one that the lattice does not have."""
    if lattice.links is None:
        raise InvalidInput("only a model with linked slots says how sure it is")
    links, slots = np.exp(lattice.links), lattice.slots
    passing = np.zeros(slots)
    for slot in range(slots):
        passing[slot] = links[0, slot] + passing[:slot] @ links[1 : slot + 1, slot]
    onward = np.triu(links[1:, :-1], 1)
    known = np.where(lattice.words >= 0, np.exp(lattice.values), 0.0)
    says = [(known * (lattice.words == (-2 if word is None else word))).sum(1) for word in words]
    shares = [passing @ one for one in says]
    shares += [(passing * one) @ onward @ other for one, other in pairwise(says)]
    return float(np.minimum(1.0, shares).mean()) if shares else 0.0
