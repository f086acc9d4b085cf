"""A GPU for the tests of this folder: an emulated one, where there is a C++ compiler, and the machine's own."""

from __future__ import annotations

import sys

import pytest

from tests.helpers.emulated_cupy import emulated_cupy
from tests.helpers.emulated_kernels import COMPILER


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels run thread after thread on the processor, with NumPy in CuPy's place."""
    if COMPILER is None:
        pytest.skip("there is no C++ compiler on Linux here")
    monkeypatch.setitem(sys.modules, "cupy", emulated_cupy())


@pytest.fixture(params=["emulated", "gpu"])
def device(request: pytest.FixtureRequest) -> str:
    """Either of them."""
    request.getfixturevalue(request.param)
    return str(request.param)
