"""A study of preferences, kept in one SQLite file: pairs of headlines, judges, their answers.

A judge is shown one pair at a time, in an order and on sides of her own, without a word on whose
headlines they are. Every answer is in the file before it is confirmed, so nothing is lost by a
reload, a new phone or a power cut, and any number of judges may be at it.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nacc.errors import InvalidInput

CRITERIA = {
    "overall": "Which is the better headline?",
    "fluency": "Which reads better?",
    "faithfulness": "Which is truer to the text?",
}
CHOICES = ("A", "tie", "B")
LONGEST_NAME = 60
_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE pairs (
  id INTEGER PRIMARY KEY, source TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL,
  one_system TEXT NOT NULL, other_system TEXT NOT NULL, budget TEXT NOT NULL,
  checks TEXT NOT NULL) STRICT;
CREATE TABLE judges (token TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, began REAL NOT NULL) STRICT;
CREATE TABLE turns (
  judge TEXT NOT NULL REFERENCES judges, place INTEGER NOT NULL, pair INTEGER NOT NULL
  REFERENCES pairs, swapped INTEGER NOT NULL, began REAL NOT NULL,
  PRIMARY KEY (judge, place), UNIQUE (judge, pair)) STRICT;
CREATE TABLE answers (
  judge TEXT NOT NULL, place INTEGER NOT NULL, criterion TEXT NOT NULL, choice TEXT NOT NULL,
  answered REAL NOT NULL, PRIMARY KEY (judge, place, criterion),
  FOREIGN KEY (judge, place) REFERENCES turns) STRICT;
"""
_KIND = "nacc study 1"


@dataclass(frozen=True)
class Pair:
    """Two systems' headlines of a source.

    checks: of an attention check, the criteria by which `one` is plainly better; else none.
    """

    source: str
    one: str
    other: str
    systems: tuple[str, str]
    budget: str = ""
    checks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A pair as a judge sees it: its place among hers, and what she has answered so far."""

    place: int
    source: str
    a: str
    b: str
    answers: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What a judge said of a pair: vote is 1 for its first system, −1 for the second, 0 for
    neither; seconds since the pair was shown first."""

    judge: str
    number: int
    pair: Pair
    criterion: str
    vote: int
    first_was: str  # the letter it stood under
    seconds: float
    at: float


class Study:
    """An open study. Safe to use from several threads, and from several processes."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise InvalidInput(f"{path}: no such study; make one from a sheet or from two systems")
        self.path = path
        self._lock = threading.Lock()
        self._file = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._file.execute("PRAGMA foreign_keys = ON")
        self._file.execute("PRAGMA busy_timeout = 10000")
        try:
            self.about = dict(self._file.execute("SELECT name, value FROM about"))
        except sqlite3.DatabaseError as error:
            raise InvalidInput(f"{path} is not a study: {error}") from None
        if self.about.get("kind") != _KIND:
            raise InvalidInput(f"{path} is not a study of this version")
        self._each = int(self.about["each"])
        self._check_every = int(self.about["check_every"])

    @classmethod
    def make(
        cls,
        path: Path,
        pairs: Sequence[Pair],
        *,
        each: int = 0,
        check_every: int = 10,
        seed: int = 0,
    ) -> Study:
        """A new study. each: pairs a judge is asked about at most (0: all); check_every: one turn
        in so many is an attention check, if there are any among the pairs."""
        real = sum(not pair.checks for pair in pairs)
        if not real:
            raise InvalidInput("no pair to compare: the two systems say the same everywhere")
        if each < 0 or check_every < 2:
            raise InvalidInput("each must be at least 0, check_every at least 2")
        about = {
            "kind": _KIND, "seed": str(seed), "each": str(min(each or real, real)),
            "check_every": str(check_every),
        }  # fmt: skip
        if path.exists():
            raise InvalidInput(f"{path} is there already; it may hold somebody's answers")
        path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(path)
        file.execute("PRAGMA journal_mode = WAL")
        file.executescript(_SCHEMA)
        with file:
            file.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            file.executemany(
                "INSERT INTO pairs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                [(p.source, p.one, p.other, *p.systems, p.budget, " ".join(p.checks))
                 for p in pairs],
            )  # fmt: skip
        file.close()
        return cls(path)

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
                self._file.execute("COMMIT")
            except BaseException:
                self._file.execute("ROLLBACK")
                raise

    def enrol(self, name: str) -> str:
        """A new judge's token, which is all that tells her from another."""
        plain = " ".join(name.split())
        if not 0 < len(plain) <= LONGEST_NAME:
            raise InvalidInput(f"a name has 1 to {LONGEST_NAME} characters")
        token = secrets.token_urlsafe(16)
        with self._writing() as file:
            if file.execute("SELECT 1 FROM judges WHERE name = ?", (plain,)).fetchone():
                raise InvalidInput(f"{plain} is taken; choose another name, or open your own link")
            file.execute("INSERT INTO judges VALUES (?, ?, ?)", (token, plain, time.time()))
        return token

    def turns(self, judge: str) -> int:
        """How many turns this judge will have."""
        return len(self._plan(judge))

    def turn(self, judge: str, place: int | None = None) -> Turn | None:
        """The first of the judge's turns that has an answer open, a new one if need be, None when
        she is done; or one she has had already, by its place."""
        with self._writing() as file:
            self._known(judge)
            if place is None:
                place = self._open_place(judge)
                if place is None:
                    return None
            found = file.execute(
                "SELECT source, one, other, swapped FROM turns JOIN pairs ON pair = id "
                "WHERE judge = ? AND place = ?",
                (judge, place),
            ).fetchone()
            if not found:
                raise InvalidInput(f"you have had no turn {place}")
            source, one, other, swapped = found
            given = file.execute(
                "SELECT criterion, choice FROM answers WHERE judge = ? AND place = ?",
                (judge, place),
            )
            a, b = (other, one) if swapped else (one, other)
            return Turn(place, source, a, b, dict(given))

    def answer(self, judge: str, place: int, criterion: str, choice: str) -> None:
        """Keep what the judge says, in place of what she said before."""
        if criterion not in CRITERIA or choice not in CHOICES:
            raise InvalidInput(f"{criterion!r}: {choice!r} is no answer")
        with self._writing() as file:
            self._known(judge)
            key = (judge, place)
            if not file.execute("SELECT 1 FROM turns WHERE judge=? AND place=?", key).fetchone():
                raise InvalidInput(f"you have had no turn {place}")
            file.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)",
                (judge, place, criterion, choice, time.time()),
            )

    def answers(self) -> list[Answer]:
        """Everything that was answered, judge by judge, in the order of their turns."""
        with self._lock:
            rows = self._file.execute(
                "SELECT name, id, source, one, other, one_system, other_system, budget, checks, "
                "criterion, choice, swapped, answered - t.began, answered "
                "FROM answers JOIN turns t USING (judge, place) JOIN pairs ON pair = id "
                "JOIN judges j ON token = judge ORDER BY j.began, place, criterion"
            ).fetchall()
        found = []
        for name, number, source, one, other, first, second, budget, checks, *said in rows:
            criterion, choice, swapped, seconds, at = said
            pair = Pair(source, one, other, (first, second), budget, tuple(checks.split()))
            first_was = "B" if swapped else "A"
            vote = 0 if choice == "tie" else 1 if choice == first_was else -1
            found.append(Answer(name, number, pair, criterion, vote, first_was, seconds, at))
        return found

    def _known(self, judge: str) -> None:
        if not self._file.execute("SELECT 1 FROM judges WHERE token = ?", (judge,)).fetchone():
            raise InvalidInput("nobody has this link; say your name to begin")

    def _open_place(self, judge: str) -> int | None:
        had = self._file.execute(
            "SELECT turns.place, COUNT(criterion) FROM turns LEFT JOIN answers USING (judge, place)"
            " WHERE judge = ? GROUP BY turns.place ORDER BY turns.place",
            (judge,),
        ).fetchall()
        for place, answered in had:
            if answered < len(CRITERIA):
                return int(place)
        plan = self._plan(judge)
        if len(had) >= len(plan):
            return None
        return self._new_turn(judge, len(had), check=plan[len(had)])

    def _new_turn(self, judge: str, place: int, *, check: bool) -> int | None:
        """The pair that fewest have been shown; among those, by lot."""
        open_pairs = self._file.execute(
            "SELECT id, (SELECT COUNT(*) FROM turns WHERE pair = id) FROM pairs WHERE "
            "(checks != '') = ? AND id NOT IN (SELECT pair FROM turns WHERE judge = ?)",
            (check, judge),
        ).fetchall()
        pair, _ = min(open_pairs, key=lambda each: (each[1], self._lot(judge, each[0])))
        swapped = self._lot(judge, pair, "side") % 2
        self._file.execute(
            "INSERT INTO turns VALUES (?, ?, ?, ?, ?)", (judge, place, pair, swapped, time.time())
        )
        return place

    def _plan(self, judge: str) -> list[bool]:
        """Which of a judge's turns are checks: one in every so many, she cannot know which."""
        (checks,) = self._file.execute("SELECT COUNT(*) FROM pairs WHERE checks != ''").fetchone()
        plan: list[bool] = []
        real = 0
        while real < self._each:
            block, at = divmod(len(plan), self._check_every)
            check = checks > 0 and at == self._lot(judge, block, "check") % self._check_every
            plan.append(check)
            checks -= check
            real += not check
        return plan

    def _lot(self, *of: object) -> int:
        text = "\t".join(map(str, (self.about["seed"], *of)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
