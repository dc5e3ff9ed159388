"""A model between two: the weighted mean of the weights of a run and of what it went on to.

What a network learns later it partly learns instead of what it knew. Between the two lie networks
that have most of both, as long as the second began where the first ended.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nacc.errors import BadModel, InvalidInput
from nacc.learning.checkpoint import load_model, save_model
from nacc.learning.optimizing import check_parts, part_of
from nacc.runtime.conditions import Conditions, has_conditions


def blend(first: Path, second: Path, out: Path, share: float, whole: Sequence[str] = ()) -> None:
    """Write `out`: (1 − share) of the first model's weights and `share` of the second's, which has
    its `whole` parts, by their names in the network, to itself."""
    if not 0 <= share <= 1:
        raise InvalidInput(f"share = {share} must be between 0 and 1")
    given, other = load_model(first), load_model(second)
    shape = replace(other.network.shape, dropout=given.network.shape.dropout)
    if given.network.shape != shape or given.vocabulary != other.vocabulary:
        raise BadModel(f"{first} and {second} are not of one shape and vocabulary")
    check_parts(given.network, whole)
    weights, more = given.network.state_dict(), other.network.state_dict()
    given.network.load_state_dict(
        {
            name: value.lerp(more[name], 1.0 if part_of(name) in whole else share)
            for name, value in weights.items()
        }
    )
    out.mkdir(parents=True, exist_ok=True)
    for name in ("words.txt", "tokenizer.json"):
        shutil.copyfile(first / name, out / name)
    if has_conditions(first):
        Conditions.load(first).save(out)
    save_model(given.network, out)
