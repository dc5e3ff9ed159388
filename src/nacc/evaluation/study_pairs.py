"""What a study asks: the pairs behind a sheet or of systems' outputs, and attention checks."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

from nacc.errors import InvalidInput
from nacc.evaluation import grades, human, sheets
from nacc.evaluation.runs import Run
from nacc.evaluation.study import Pair

_FEWEST_WORDS = 4  # what is shorter can be turned round unnoticed
_UNNAMED = ("first", "second")


def pairs_of_sheet(path: Path, names: Sequence[str] = ()) -> list[Pair]:
    """The pairs of a voting sheet (nacc reproduce table3 --blind), whose systems the key does not
    name; or, of a sheet to grade (nacc blind), each two systems at the same budget."""
    key = sheets.Key.read(sheets.key_of(path))
    if all(behind in ("A", "B") for behind in key.behind):
        one, other = names or _UNNAMED
        pairs = []
        for (source, *said), letter in zip(
            sheets.shown(path, human.FORM, key), key.behind, strict=True
        ):
            first, second = said if letter == "A" else reversed(said)
            pairs.append(Pair(source, first, second, (one, other)))
        return pairs
    rows = sheets.shown(path, grades.FORM, key)
    outputs: defaultdict[Run, dict[int, str]] = defaultdict(dict)
    sources: dict[int, str] = {}
    for (source, headline), behind in zip(rows, key.behind, strict=True):
        try:
            place, runs = behind["source"], [(str(name), str(at)) for name, at in behind["of"]]
        except (TypeError, KeyError, ValueError) as error:
            raise InvalidInput(f"{path}: this is the key of another kind of sheet") from error
        sources[place] = source
        for run in runs:
            outputs[run][place] = headline
    return _compared(sources, outputs, names)


def pairs_of_outputs(
    sources: Sequence[str], outputs: Mapping[Run, Sequence[str]], count: int, seed: int = 0
) -> list[Pair]:
    """Each two systems on `count` sources drawn at random."""
    drawn = sorted(random.Random(seed).sample(range(len(sources)), min(count, len(sources))))
    chosen = {place: sources[place] for place in drawn}
    return _compared(
        chosen,
        {
            run: {place: said[place] or grades.NOTHING for place in drawn}
            for run, said in outputs.items()
        },
    )


def _compared(
    sources: Mapping[int, str],
    outputs: Mapping[Run, Mapping[int, str]],
    names: Sequence[str] = (),
) -> list[Pair]:
    pairs = []
    for (one, budget), (other, at) in combinations(outputs, 2):
        if budget != at or (names and not {one, other} <= set(names)):
            continue
        ours, theirs = outputs[one, budget], outputs[other, budget]
        pairs += [
            Pair(sources[place], ours[place], theirs[place], (one, other), budget)
            for place in sources
            if place in ours and place in theirs
        ]
    if not pairs:
        raise InvalidInput("no two systems to compare at the same budget")
    return pairs


def without_twins(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs whose two headlines differ: of the others there is nothing to ask."""
    return [pair for pair in pairs if pair.one.split() != pair.other.split()]


def with_checks(pairs: Sequence[Pair], every: int, seed: int = 0) -> list[Pair]:
    """The pairs, and attention checks for one turn in `every`: a headline beside that of another
    source, or beside its own words from last to first."""
    if every == 0:
        return list(pairs)
    rng = random.Random(seed)
    checks = []
    for number in range(-(-len(pairs) // (every - 1))):
        pair = pairs[rng.randrange(len(pairs))]
        good = rng.choice([pair.one, pair.other])
        others = [each for each in pairs if each.source != pair.source]
        if others and (number % 2 == 0 or len(good.split()) < _FEWEST_WORDS):
            bad, by = rng.choice(others).one, ("overall", "faithfulness")
        else:
            bad, by = " ".join(reversed(good.split())), ("overall", "fluency")
        if bad != good:
            checks.append(Pair(pair.source, good, bad, ("as said", "check"), pair.budget, by))
    return [*pairs, *checks]
