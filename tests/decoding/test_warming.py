"""Once warm, no method compiles anything more, whatever model asks it."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from itertools import product

import pytest
from benchmarks.hostile_texts import OPTIONS, TEXTS
from numba.core.dispatcher import Dispatcher

from nacc.decoding import kernels
from nacc.decoding.registry import methods
from nacc.decoding.warming import warm_up
from nacc.errors import NaccError


def compiled() -> dict[str, int]:
    """How often each kernel is compiled."""
    found = {}
    for module in pkgutil.iter_modules(kernels.__path__, "nacc.decoding.kernels."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, Dispatcher):
                found[f"{module.name}.{name}"] = len(value.signatures)
    return found


@pytest.fixture(scope="module")
def before() -> dict[str, int]:
    warm_up()
    return compiled()


def test_every_kernel_that_is_called_from_outside_is_compiled(before):
    names = """
        exact.exact_paths exact.exact_completions coherent.coherent_paths bucketed.bucketed_path
        coherent_table.coherent_completions linked_table.linked_table linked_search.n_best
        linked.coarser
    """
    for name in names.split():
        assert before[f"nacc.decoding.kernels.{name}"] >= 1, name


@pytest.mark.parametrize("how", OPTIONS)
def test_the_packaged_model_compiles_no_more(before, model, how):
    for text, budget in product(("news", "16 words five times"), (40, "300px")):
        try:
            model.summarize(TEXTS[text], budget, **OPTIONS[how])
        except NaccError:
            continue
    assert compiled() == before


@pytest.mark.parametrize("method", [name for name in methods() if name != "linked"])
def test_nor_does_one_of_the_other_kind(before, ctc, method):
    for n, budget in product((1, 5), (40, "300px")):
        try:
            asked = {"method": method, "alternatives": n, "rewrite": "always"}
            ctc.summarize(TEXTS["news"], budget, **asked)
        except NaccError:
            continue
    assert compiled() == before
