"""The scorer learns from grades which answer to put first; nothing else of a model changes."""

import pytest
import torch
from safetensors.torch import load_file

from nacc.apps.cli.best import best
from nacc.errors import InvalidInput
from nacc.learning import order as ordering
from nacc.learning.checkpoint import load_model
from nacc.learning.grading import is_held_out, read_lists, worth_of
from nacc.learning.linked import Linked
from nacc.learning.order import Ordering, order, save
from nacc.learning.processes import Processes
from nacc.text.words import split

WORDS = ["<blank>", "closes", "opens", "to", "bridge", "port", "city", "after", "storm"]
SOURCES = [
    f"The {where} {what} was opened on Monday after a storm hit the {where}"
    for where in ("northern", "southern", "eastern", "western", "old", "new")
    for what in ("bridge", "port", "road", "tunnel", "station", "harbour")
]


@pytest.fixture(scope="module")
def folder(untaught):
    return untaught(WORDS)


@pytest.fixture
def graded(tmp_path):
    """Answers that end on «after» are broken, and those that close it false."""
    path = tmp_path / "graded.tsv"
    with path.open("w") as file:
        for source in SOURCES:
            _, where, what, *_ = source.split()
            for answer, grade in (
                (f"storm closes {what} after", "C"),
                (f"{where} {what} opens after storm", "A"),
                (f"{where} {what} closes after storm", "F"),
            ):
                file.write(f"{source}\t50\t{answer}\t{grade}\n")
    return path


def test_lists_of_more_files_are_learnt_from_and_not_measured_by(folder, graded, tmp_path):
    rows = graded.read_text().splitlines(keepends=True)
    out = [is_held_out(split(row.split("\t")[0]).keys) for row in rows]
    assert 0 < sum(out) < len(rows) / 4
    few, others = tmp_path / "few.tsv", tmp_path / "others.tsv"
    few.write_text("".join(row for row, held_out in zip(rows, out, strict=True) if held_out))
    others.write_text("".join(row for row, held_out in zip(rows, out, strict=True) if not held_out))
    how = Ordering(batch=4, epochs=12, learning_rate=3e-3, warmup=2)
    with pytest.raises(InvalidInput, match="no list to learn from"):
        order(folder, few, "clear", how, more=[few])
    with pytest.raises(InvalidInput, match="no list to measure by"):
        order(folder, others, "clear", how)
    _, before, after = order(folder, few, "clear", how, more=[others])
    assert (before.best, after.best) == (0.0, 1.0)


def test_it_learns_to_put_the_better_grade_first(folder, graded, tmp_path):
    how = Ordering(batch=4, epochs=12, learning_rate=3e-3, warmup=2)
    given, before, after = order(folder, graded, "clear", how)
    assert before.best < 0.5 and after.best == 1.0 and after.false == 0.0
    save(given, folder, tmp_path / "out")
    old, new = (load_file(f / "model.safetensors") for f in (folder, tmp_path / "out"))
    changed = {name for name in old if not torch.equal(old[name], new[name])}
    assert changed and all(name.startswith("scorer.") for name in changed)
    assert isinstance(load_model(tmp_path / "out").network, Linked)


def test_lists_are_rows_that_stand_together(graded):
    first, *others = read_lists(graded)
    assert first[0] == SOURCES[0] and first[1] == 50 and len(first[2]) == 3
    assert len(others) == len(SOURCES) - 1


def test_a_grade_may_be_what_it_is_worth(tmp_path):
    path = tmp_path / "judged.tsv"
    path.write_text("a\t50\tb\t0.91\na\t50\tc\tF\n")
    ((_, _, answers),) = read_lists(path)
    assert [worth_of(grade) for _, grade in answers] == [0.91, -1.0]


@pytest.mark.parametrize(
    "row", ["a\tb\tc\tA", "a\t50\tc\tD", "a\t50\tc", "a\t50\tc\t1.5", "a\t50\tc\tnan"]
)
def test_a_row_that_is_no_grade_is_named(tmp_path, row):
    path = tmp_path / "graded.tsv"
    path.write_text(f"a\t50\tc\tA\n{row}\n")
    with pytest.raises(InvalidInput, match="line 2"):
        list(read_lists(path))


def test_a_style_that_is_not_known_is_refused(folder, graded):
    with pytest.raises(InvalidInput, match="no style 'loud'"):
        order(folder, graded, "loud", Ordering())


def test_lists_side_by_side_are_scored_as_each_alone(folder, graded):
    given = load_model(folder)
    lists = list(ordering._lists(folder, given, graded, "clear"))[:5]
    lists[2].answers.append(("storm",))  # trees of different sizes
    lists[2].worth.append(0.0)
    teacher = ordering._Teacher(given.network, ordering._encoder(given), Ordering())
    together = teacher._scored(lists)
    for one, (scores, worth) in zip(lists, together, strict=True):
        ((alone, same),) = teacher._scored([one])
        assert torch.allclose(scores, alone, atol=1e-5) and torch.equal(worth, same)


def test_each_process_learns_from_lists_of_its_own(folder, graded, monkeypatch):
    given = load_model(folder)
    lists = list(ordering._lists(folder, given, graded, "clear"))[:7]
    monkeypatch.setattr(Processes, "add_up", lambda here, parameters: None)
    seen = []
    for rank in (0, 1):
        teacher = ordering._Teacher(given.network, ordering._encoder(given), Ordering(epochs=3))
        teacher._here = Processes(rank, 2, torch.device("cpu"))
        list(teacher.learn(lists))
        seen.append(set(teacher._sources))
    assert not seen[0] & seen[1] and seen[0] | seen[1] == set(lists)


def test_what_runs_as_it_is_can_be_learnt_from(graded, tmp_path, capsys):
    more, out = tmp_path / "more.tsv", tmp_path / "own.tsv"
    more.write_text("A dam\t30\tdam\tA\nA dam\t30\tthe dam\tA\nA dam\t30\ta\tC\n")
    best([graded, more], out=out, most=1)
    assert f"{len(SOURCES) + 1} pairs" in capsys.readouterr().out
    first, *_, last = out.read_text().splitlines()
    assert first == f"{SOURCES[0]}\tnorthern bridge opens after storm" and last == "A dam\tdam"
