"""Stand-in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from nacc.learning.corpus import Corpus


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True)
class Lessons:
    pass


def lessons(corpus: Corpus, settings: Lessons) -> tuple[Corpus, NDArray[np.float64]]:
    return corpus, np.ones(len(corpus))
