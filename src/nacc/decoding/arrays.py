"""Short names for the arrays that go in and out of the kernels."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int32]
Values: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
Classes: TypeAlias = NDArray[np.int8]
Flags: TypeAlias = NDArray[np.bool_]
States: TypeAlias = NDArray[Any]  # records of coherent.STATE
Shorts: TypeAlias = NDArray[np.uint16]
Bytes: TypeAlias = NDArray[np.uint8]
