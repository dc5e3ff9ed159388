"""A light house: nothing heavy is loaded before it is needed; no place to write is no obstacle."""

from __future__ import annotations

import os
import pty
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "nacc"
HEAVY = "print([m for m in ('numba', 'onnxruntime', 'numpy', 'torch') if m in sys.modules])"
DECODE = "import nacc; print(nacc.decode([[-1.0, -0.1]], [0, 3], 9, method='greedy').tokens)"
KEEPS = "from nacc.compiled import cache_folder; print(cache_folder())"


def run(code: str, before: Sequence[str] = (), **options) -> str:
    command = [*before, sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def seconds(code: str) -> float:
    """Of one core: a busy machine makes others of a clock's."""
    timed = f"import time; begin = time.process_time(); {code}; print(time.process_time() - begin)"
    return statistics.median(float(run(timed)) for _ in range(5))


def test_import_nacc_loads_nothing_heavy():
    assert run(f"import sys, nacc; {HEAVY}") == "[]"


def test_options_and_budgets_need_no_compiler_and_no_runtime():
    names = "Options, Budget, Lattice, methods, NaccError, Summary"
    assert run(f"import sys; from nacc import {names}; {HEAVY}") == "['numpy']"


def test_import_nacc_takes_a_tenth_of_a_second_at_most():
    assert seconds("import nacc") < 0.1


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["units"], ["fit", "--help"]])
def test_what_decodes_nothing_compiles_nothing(arguments):
    code = (
        "import sys\nfrom nacc.apps.cli import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit as left:\n    assert not left.code\n"
        "assert not {'numba', 'onnxruntime'} & set(sys.modules)"
    )
    assert run(code)


def test_numba_does_not_look_for_a_blas_that_no_kernel_needs():
    pytest.importorskip("scipy")
    assert run(f"import sys; {DECODE}; print('scipy.linalg' in sys.modules)").endswith("False")


def test_what_the_first_answer_needs_is_loaded_while_the_model_is():
    code = """
import sys
from nacc.apps.cli.loading import load
from numba.core.dispatcher import Dispatcher
def ready():
    kernels = [m for name, m in sys.modules.items() if name.startswith("nacc.decoding.kernels")]
    found = {k for m in kernels for k in vars(m).values() if isinstance(k, Dispatcher)}
    return {k.py_func.__qualname__ for k in found if k.signatures}
model = load(None, "linked")
before = ready()
model.summarize("The mayor of Norwick said that the old harbour bridge would be closed today.", 40)
print(sorted(ready() - before), len(before))
"""
    assert run(code).startswith("[] ")


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A copy of the package whose byte code cannot be kept beside it, where anybody can read it."""
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    ignored = shutil.ignore_patterns("__pycache__", "weights")
    shutil.copytree(PACKAGE, root / "site" / "nacc", ignore=ignored)
    (root / "site" / "nacc" / "weights").symlink_to(PACKAGE / "weights")
    (root / "site" / "nacc" / "__pycache__").write_text("a file, so that no folder can be made")
    (root / "tmp").mkdir(mode=0o777)
    (root / "tmp").chmod(0o777)
    yield root
    shutil.rmtree(root)


def surroundings(root: Path) -> dict[str, str]:
    """No home, no caches, a temporary folder of its own."""
    gone = ("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR", "USER", "LOGNAME")
    kept = {name: value for name, value in os.environ.items() if name not in gone}
    own = {"PYTHONPATH": str(root / "site"), "TMPDIR": str(root / "tmp")}
    return {**kept, **own, "PYTHONDONTWRITEBYTECODE": "1"}


def test_with_read_only_packages_and_no_home_the_cache_is_a_temporary_folder(read_only):
    env = surroundings(read_only)
    assert run(DECODE, env=env, cwd="/") == "(1,)"
    kept = Path(run(KEEPS, env=env, cwd="/"))
    assert read_only / "tmp" in kept.parents
    assert list(kept.rglob("*.nbi"))
    assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("caches", "kept"), [(None, "home/.cache"), ("", "home/.cache"), ("c", "c")]
)
def test_a_home_keeps_the_cache_among_its_caches(read_only, caches, kept):
    env = surroundings(read_only) | {"HOME": str(read_only / "tmp" / "home")}
    if caches is not None:
        env["XDG_CACHE_HOME"] = caches and str(read_only / "tmp" / caches)
    assert Path(run(KEEPS, env=env, cwd="/")).parent == read_only / "tmp" / kept


AS_ANOTHER = (
    *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
)
"""As a user who may read all that we may, wherever the interpreter lies, and write nothing."""


@pytest.mark.skipif(
    not shutil.which("setpriv") or os.getuid() != 0, reason="only root can become another user"
)
def test_another_user_without_a_home_decodes_too(read_only):
    where = {"env": surroundings(read_only), "cwd": "/"}
    assert run("import os; print(os.getuid())", AS_ANOTHER, **where) == "65534"
    assert run(DECODE, AS_ANOTHER, **where) == "(1,)"
    kept = run(KEEPS, AS_ANOTHER, **where)
    assert kept.startswith(f"{read_only}/tmp/nacc-65534/")
    code = "import nacc; print(nacc.Summarizer.load().summarize('Rain fell.', 9))"
    assert len(run(code, AS_ANOTHER, **where)) <= 9


def test_somebody_elses_folder_is_not_trusted(read_only):
    env = surroundings(read_only)
    kept = Path(run(KEEPS, env=env, cwd="/"))
    kept.chmod(0o777)
    assert run(KEEPS, env=env, cwd="/") == "None"


NOWHERE = "import tempfile; tempfile.tempdir = '/proc/nowhere'; "


def test_without_any_folder_kernels_are_compiled_each_time(read_only):
    env = surroundings(read_only)
    assert run(NOWHERE + KEEPS, env=env, cwd="/") == "None"
    assert run(NOWHERE + DECODE, env=env, cwd="/") == "(1,)"


def test_and_a_terminal_is_told_so_once(read_only):
    ours, theirs = pty.openpty()
    code = NOWHERE + KEEPS + "; " + KEEPS
    run_on = {"env": surroundings(read_only), "cwd": "/", "stdout": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True, **run_on)
    os.close(theirs)
    told = os.read(ours, 10_000).decode()
    os.close(ours)
    assert told.count("compiled each time") == 1


def test_a_terminal_hears_nothing_where_all_is_well(tmp_path):
    assert is_quiet(tmp_path)


def is_quiet(folder: Path) -> bool:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", KEEPS], capture_output=True, env=env, check=True)
    return done.stderr == b"" and folder in Path(done.stdout.decode().strip()).parents
