"""Triton's interpreter stands in for a GPU where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason='needs pip install ".[gpu]"')
if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # which Triton reads when it is imported
pytest.importorskip("triton", reason='needs pip install ".[gpu]"')
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """A small model with linked slots, its weights drawn by chance."""
    from tests.gpu.small_model import write

    return write(tmp_path_factory.mktemp("gpu-model"))
