"""Calls from Python to what only kernels can call."""

from __future__ import annotations

from functools import cache
from typing import Any

from irassay.compute.kernel import kernel


@cache
def caller(function: Any) -> Any:
    """A kernel that calls a helper or an intrinsic."""

    @kernel
    def call(*arguments: Any) -> Any:
        return function(*arguments)

    return call
