"""The same draws, counts and folds on a CUDA GPU, through CuPy (extra `cuda`).

Philox counters are the same as on the CPU, so multiplicities, samples and counts are identical; scores agree to 1e-12.
CuPy is not imported unless `--device cuda` was asked for.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, import_extra


def cupy() -> Any:
    """CuPy, on a machine that has it and a GPU; else an error that says which of the two is missing."""
    module = import_extra("cupy", "cuda", "--device cuda")
    try:
        count = module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        raise InputError(f"no GPU can be used: {error}", hint="leave out --device cuda") from None
    if count < 1:
        raise InputError("this machine has no GPU", hint="leave out --device cuda")
    return module


def free_memory() -> int:
    """Bytes that may still be taken on the GPU, what CuPy holds unused included."""
    module = cupy()
    return int(module.cuda.runtime.memGetInfo()[0] + module.get_default_memory_pool().free_bytes())


OPTIONS = ("--std=c++17", "--fmad=false")  # no fused multiply-add: rounding as on the CPU


def to_host(array: Any) -> NDArray[Any]:
    """An array from the GPU, as NumPy's; what is that already stays as it is."""
    if isinstance(array, np.ndarray):
        return array
    return np.asarray(cupy().asnumpy(array))


MOST_HELD = 0.25  # of the free memory, that one array of a state may take: blocks need the rest


def held(state: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The state with those arrays on the GPU that leave room for blocks there."""
    moved = dict(state)
    for name in names:
        if moved[name].nbytes <= MOST_HELD * free_memory():
            moved[name] = cupy().asarray(moved[name])
    return moved


def beside(target: Any, array: Any) -> Any:
    """The array where another one is, here or on the GPU."""
    return to_host(array) if isinstance(target, np.ndarray) else cupy().asarray(array)
