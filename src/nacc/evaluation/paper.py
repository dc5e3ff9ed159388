"""The figures printed in the paper, as facts to compare with.

Liu, Zhang and Mou, "A Character-Level Length-Control Algorithm for Non-Autoregressive Sentence
Summarization", NeurIPS 2022. Tables 1, 2 and 4 give ROUGE of ROUGE-1.5.5 (F1 on Gigaword's test
set, recall on DUC 2004) and seconds a sentence on an i9-9940X CPU and an RTX6000 GPU. Figures 3
and 4 are drawings: the paper gives no numbers for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Setting = Literal["supervised", "unsupervised"]


@dataclass(frozen=True)
class PaperRow:
    """A row of a table; `system` is what answers to it here (`reproduction`).

    delta is as printed. Table 1 prints 4.74 in row 5, where its own figures give 2.13, and "2,21"
    in row 12.
    """

    number: int
    setting: Setting
    approach: str
    length: float | None
    r1: float
    r2: float
    rl: float
    delta: float | None
    seconds: float | None
    system: str

    @property
    def total(self) -> float:
        return self.r1 + self.r2 + self.rl


@dataclass(frozen=True)
class FurtherRow:
    """A row that the paper does not have, beside its own; `like`: the row whose model it runs."""

    setting: Setting
    approach: str
    system: str
    like: int | None = None


@dataclass(frozen=True)
class PaperTable:
    """A table, the data it was measured on, and the rows that ΔR is counted from."""

    name: str
    data: Literal["gigaword", "duc"]
    caption: str
    rows: tuple[PaperRow, ...]
    baselines: tuple[int, ...]
    further: tuple[FurtherRow, ...] = ()


@dataclass(frozen=True)
class HumanJudgement:
    """A line pair of table 3: percentages of votes for length control against truncating."""

    criterion: str
    wins: int
    ties: int
    losses: int
    p_value: float


_CUT, _BEAM_1 = "rival:control=truncate", "rival:control=truncate,beam=1"
_RANK, _EXACT = "rival:control=rank", "rival:control=exact"
_S: Setting = "supervised"
_U: Setting = "unsupervised"

TABLE_1 = PaperTable(
    "table1",
    "gigaword",
    "Gigaword headline generation, 50 characters, ROUGE F1",
    (
        PaperRow(1, _S, "Su et al. (truncate)", 38.43, 32.28, 14.21, 30.56, 0, 0.016, _CUT),
        PaperRow(2, _S, "Qi et al. (truncate)", 27.98, 31.69, 12.52, 30.05, -2.79, 0.019, _CUT),
        PaperRow(3, _S, "Yang et al. (truncate)", 35.37, 28.85, 6.45, 27.00, -14.75, None, _CUT),
        PaperRow(4, _S, "NACC (truncate)", 34.15, 33.12, 13.93, 31.34, 1.34, 0.011, "truncate"),
        PaperRow(
            5, _S, "NACC (length control)", 34.40, 33.66, 13.73, 31.79, 4.74, 0.017, "bucketed"
        ),
        PaperRow(6, _U, "Lead-50 chars", 49.03, 20.66, 7.08, 19.30, -9.23, None, "lead-cut"),
        PaperRow(
            7,
            _U,
            "Schumann et al. (truncate)",
            45.45,
            24.98,
            9.08,
            23.18,
            0.97,
            9.573,
            "search:words=8",
        ),
        PaperRow(
            8, _U, "Char-constrained search", 44.05, 25.30, 9.25, 23.43, 1.71, 17.324, "search"
        ),
        PaperRow(9, _U, "Su et al. (truncate)", 45.24, 24.65, 8.64, 22.98, 0, 0.017, _CUT),
        PaperRow(10, _U, "Qi et al. (truncate)", 44.54, 24.31, 7.66, 22.48, -1.82, 0.019, _CUT),
        PaperRow(11, _U, "Yang et al. (truncate)", 49.37, 21.70, 4.60, 20.13, -9.84, None, _CUT),
        PaperRow(12, _U, "NACC (truncate)", 47.77, 25.79, 8.94, 23.75, 2.21, 0.012, "truncate"),
        PaperRow(
            13, _U, "NACC (length control)", 47.03, 27.45, 8.87, 25.14, 5.19, 0.025, "bucketed"
        ),
    ),
    baselines=(1, 9),
    further=(
        FurtherRow(_S, "Su et al. (length control)", _EXACT, like=1),
        FurtherRow(_S, "NACC (length control, as released)", "released", like=5),
        FurtherRow(_U, "Schumann et al., 10 words (truncate)", "search:words=10"),
        FurtherRow(_U, "Schumann et al., 13 words (truncate)", "search:words=13"),
        FurtherRow(_U, "Char-constrained search, ours", "search:method=ascent"),
        FurtherRow(_U, "Su et al. (length control)", _EXACT, like=9),
        FurtherRow(_U, "NAUS, 8 words (truncate)", "naus:words=8", like=13),
        FurtherRow(_U, "NAUS, 10 words (truncate)", "naus:words=10", like=13),
        FurtherRow(_U, "NACC (length control, as released)", "released", like=13),
    ),
)

TABLE_2 = PaperTable(
    "table2",
    "duc",
    "DUC 2004, 75 bytes, four references, ROUGE recall",
    (
        PaperRow(1, _U, "Lead-75 chars", None, 22.52, 6.50, 19.74, -4.97, None, "lead-cut"),
        PaperRow(
            2,
            _U,
            "Schumann et al. (truncate)",
            None,
            26.09,
            8.03,
            22.86,
            3.25,
            30.362,
            "search:words=13",
        ),
        PaperRow(
            3, _U, "Char-constrained search", None, 26.30, 7.95, 22.78, 3.30, 31.540, "search"
        ),
        PaperRow(4, _U, "Su et al. (truncate)", None, 24.67, 7.25, 21.81, 0, 0.017, _CUT),
        PaperRow(5, _U, "Qi et al. (truncate)", None, 22.79, 5.91, 20.05, -4.98, 0.018, _CUT),
        PaperRow(6, _U, "NACC (truncate)", None, 26.43, 7.86, 22.66, 3.22, 0.012, "truncate"),
        PaperRow(7, _U, "NACC (length control)", None, 28.37, 7.74, 24.30, 6.68, 0.030, "bucketed"),
    ),
    baselines=(4,),
    further=(
        FurtherRow(_U, "Char-constrained search, ours", "search:method=ascent"),
        FurtherRow(_U, "Su et al. (length control)", _EXACT, like=4),
        FurtherRow(_U, "NAUS, 13 words (truncate)", "naus:words=13", like=7),
        FurtherRow(_U, "NACC (length control, as released)", "released", like=7),
    ),
)

TABLE_4 = PaperTable(
    "table4",
    "gigaword",
    "Autoregressive (AR) and non-autoregressive models, Gigaword, 50 characters, ROUGE F1",
    (
        PaperRow(1, _S, "AR Transformer (truncate)", 40.89, 35.12, 16.61, 32.55, None, 0.093, _CUT),
        PaperRow(
            2,
            _S,
            "AR Transformer (length control)",
            39.73,
            34.10,
            15.65,
            31.64,
            None,
            0.095,
            _RANK,
        ),
        PaperRow(3, _S, "NACC (truncate)", 34.15, 33.12, 13.93, 31.34, None, 0.011, "truncate"),
        PaperRow(
            4, _S, "NACC (length control)", 34.40, 33.66, 13.73, 31.79, None, 0.017, "bucketed"
        ),
        PaperRow(5, _U, "AR Transformer (truncate)", 46.62, 26.31, 9.33, 24.29, None, 0.092, _CUT),
        PaperRow(
            6,
            _U,
            "AR Transformer (length control)",
            45.23,
            25.33,
            9.03,
            23.44,
            None,
            0.095,
            _RANK,
        ),
        PaperRow(7, _U, "NACC (truncate)", 47.77, 25.79, 8.94, 23.75, None, 0.012, "truncate"),
        PaperRow(
            8, _U, "NACC (length control)", 47.03, 27.45, 8.87, 25.14, None, 0.025, "bucketed"
        ),
    ),
    baselines=(),
    further=(
        FurtherRow(_S, "AR Transformer, beam 1 (truncate)", _BEAM_1, like=1),
        FurtherRow(_S, "AR Transformer (exact in the budget)", _EXACT, like=1),
        FurtherRow(_U, "AR Transformer, beam 1 (truncate)", _BEAM_1, like=5),
        FurtherRow(_U, "AR Transformer (exact in the budget)", _EXACT, like=5),
    ),
)

TABLES = {table.name: table for table in (TABLE_1, TABLE_2, TABLE_4)}

TABLE_3_SAMPLES = 150
TABLE_3_ANNOTATORS = 3
TABLE_3 = (
    HumanJudgement("Overall quality", 38, 44, 18, 0.0001),
    HumanJudgement("Completeness and fluency", 42, 36, 22, 0.0002),
)

CASE_STUDY = "singapore airline and delta air lines announced two differing strategies"
"""How the source of the case study begins."""
