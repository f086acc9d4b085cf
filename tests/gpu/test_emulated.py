"""The emulated GPU refuses what a GPU would misread, and its threads meet at barriers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.helpers.emulated_cupy import emulated_cupy
from tests.helpers.emulated_kernels import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler on Linux here")

SOURCE = r"""
extern "C" __global__ void reverse(const double *in, double *out, int n) {
    extern __shared__ double held[];
    __shared__ int written;
    if (threadIdx.x == 0) written = 0;
    __syncthreads();
    held[threadIdx.x] = in[threadIdx.x];
    atomicAdd(&written, 1);
    __syncthreads();
    out[threadIdx.x] = held[n - 1 - threadIdx.x] + written;
    int even = __syncthreads_count(threadIdx.x % 2 == 0);
    if (threadIdx.x == 1) out[1] = even;
}
extern "C" __global__ void apart(int *out) {
    if (threadIdx.x == 0) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
"""
OPTIONS = ("--std=c++17", "--fmad=false")


def launch(name: str, *arguments: Any, threads: int = 6, shared: int = 48) -> None:
    emulated_cupy().RawKernel(SOURCE, name, options=OPTIONS)((1,), (threads,), arguments, shared_mem=shared)


def test_threads_of_a_block_see_what_others_wrote_before_a_barrier() -> None:
    cp = emulated_cupy()
    out = cp.empty(6)
    launch("reverse", cp.asarray(np.arange(6.0)), out, np.int32(6))
    assert out.get().tolist() == [11, 3, 9, 8, 7, 6]


def test_a_barrier_that_a_thread_never_reaches_is_an_error() -> None:
    with pytest.raises(AssertionError, match="has ended while others wait"):
        launch("apart", emulated_cupy().zeros(6, dtype=np.int32))


def test_arguments_of_other_types_than_the_parameters_are_refused() -> None:
    cp = emulated_cupy()
    for wrong in (
        (cp.zeros(6), cp.zeros(6), np.int64(6)),
        (cp.zeros(6), cp.zeros(6, dtype=np.int32), np.int32(6)),
        (cp.zeros(6), np.int32(6)),
        (cp.zeros(6), np.zeros(6), np.int32(6)),
        (cp.zeros(12)[::2], cp.zeros(6), np.int32(6)),
    ):
        with pytest.raises(AssertionError, match="reverse"):
            launch("reverse", *wrong)


def test_what_is_written_behind_an_array_is_noticed() -> None:
    cp = emulated_cupy()
    with pytest.raises(AssertionError, match="behind the end"):
        launch("reverse", cp.zeros(6), cp.zeros(5), np.int32(6))


def test_too_many_threads_and_too_much_shared_memory_are_refused() -> None:
    cp = emulated_cupy()
    for more in ({"threads": 1025}, {"shared": 50_000}):
        with pytest.raises(AssertionError):
            launch("reverse", cp.zeros(6), cp.zeros(6), np.int32(6), **more)


def test_arrays_of_the_gpu_and_of_the_processor_do_not_mix() -> None:
    cp = emulated_cupy()
    there, here = cp.zeros(3), np.zeros(3)
    for mix in (lambda: there + here, lambda: np.stack([there, here]), lambda: np.asarray(there), lambda: here @ there):
        with pytest.raises(TypeError):
            mix()
    with pytest.raises(TypeError):
        here += there
    with pytest.raises(TypeError):
        there[:] = here
    assert isinstance(np.log(there + 1.0), cp.ndarray)
