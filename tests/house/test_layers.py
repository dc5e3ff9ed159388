"""The house stands: imports point downwards, files and functions stay small."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "nacc"
LAYERS = [
    {"errors"},
    {"deadline", "effort"},
    {"compiled", "parallel"},
    {"text", "length"},
    {"lattice", "ngrams"},
    {"decoding"},
    {"options", "summary"},
    {"runtime"},
    {"fitting"},
    {"summarizer"},
    {"data"},
    {"learning", "search"},
    {"evaluation", "gpu"},
    {"bulk"},
    {"apps"},
    {"__main__"},
]
"""From the ground up; what stands in one line may use what is below, and within `text`, `length` …
only itself. The first ten lines are the path from text to summary."""
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
BESIDE = {"data", "bulk", "learning", "search", "evaluation", "gpu", "apps"}
"""Rooms that the path from text to summary may never use."""
FILES = sorted(SOURCE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS = 300, 60, 8


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path: Path) -> list[tuple[int, str]]:
    """Every module of ours that a file imports, anywhere in it, with the line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "nacc":
            names = (
                [node.module] if node.module != "nacc" else [f"nacc.{a.name}" for a in node.names]
            )
            found += [(node.lineno, name) for name in names]
        elif isinstance(node, ast.Import):
            found += [(node.lineno, a.name) for a in node.names if a.name.split(".")[0] == "nacc"]
    return found


def upward(path: Path) -> list[str]:
    relative = path.relative_to(SOURCE)
    here = relative.parts[0].removesuffix(".py")
    if here == "__init__":  # names every room's best, and loads none
        return []
    wrong = []
    for line, module in imports(path):
        there = room_of(module)
        if there not in HEIGHT or there == here:
            continue  # nacc.__version__ and the like; or its own room
        if HEIGHT[there] >= HEIGHT[here]:
            wrong.append(f"{relative}:{line} uses {module}")
    return wrong


def test_every_room_has_its_floor():
    rooms = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in FILES}
    assert rooms - {"__init__"} == set(HEIGHT)


def test_no_import_points_upwards():
    assert not [wrong for path in FILES for wrong in upward(path)]


def test_an_upward_import_would_be_seen(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "SOURCE", tmp_path)
    (tmp_path / "text").mkdir()
    file = tmp_path / "text" / "words.py"
    file.write_text("def f():\n    from nacc.apps.cli import main\n")
    assert upward(file) == ["text/words.py:2 uses nacc.apps.cli"]


OTHERS = [p for room in ("tests", "tools", "benchmarks") for p in (ROOT / room).rglob("*.py")]


def test_no_file_beside_the_package_is_long():
    long = [str(path) for path in OTHERS if path.read_text("utf-8").count("\n") > LONGEST_FILE]
    assert OTHERS and not long


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_stay_small(path):
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_FILE
    is_command = "apps/cli" in path.as_posix()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        is_typer = is_command and (node.name == path.stem or "typer." in ast.unparse(node.args))
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        taken = [name for name in names if name not in ("self", "cls")]
        lines = (node.end_lineno or 0) - node.lineno + 1
        where = f"{node.name} in line {node.lineno}"
        is_triton = any("triton.jit" in ast.unparse(each) for each in node.decorator_list)
        few = is_typer or is_triton or len(taken) <= MOST_PARAMETERS  # Triton knows no structures
        assert few, f"{where} takes {len(taken)}"
        assert is_typer or lines <= LONGEST_FUNCTION, f"{where} is {lines} lines long"
