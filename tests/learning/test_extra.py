"""Without the extra, every module of the room says which one to install."""

import pkgutil
import subprocess
import sys

import pytest

import nacc.learning
from nacc.errors import MissingExtra, requires

MODULES = [
    "nacc.learning",
    *(f"nacc.learning.{m.name}" for m in pkgutil.iter_modules(nacc.learning.__path__)),
]
SCRIPT = """
import sys, importlib

sys.modules[{hidden!r}] = None  # as if it were not installed
from nacc.errors import MissingExtra
for module in {modules!r}:
    try:
        importlib.import_module(module)
    except MissingExtra as error:
        print(error)
"""


def said_without(hidden: str, modules: list[str]) -> list[str]:
    script = SCRIPT.format(hidden=hidden, modules=modules)
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize("hidden", ["torch", "safetensors", "pydantic"])
def test_every_module_names_the_extra(hidden):
    said = said_without(hidden, MODULES)
    assert said == ['training needs an extra: pip install ".[train]" in a checkout'] * len(MODULES)


def test_what_is_there_is_not_asked_for():
    requires("arithmetic", "maths", "math", "json")
    with pytest.raises(MissingExtra, match=r'arithmetic needs an extra: pip install ".\[maths\]"'):
        requires("arithmetic", "maths", "math", "no_such_module")


def test_the_command_says_it_in_one_line():
    script = (
        "import sys\nsys.modules['torch'] = None\n"
        "from nacc.apps.cli import main\nmain(['train', '--smoke'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == 'nacc: training needs an extra: pip install ".[train]" in a checkout\n'
