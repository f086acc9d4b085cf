"""CUDA C built by a C++ compiler and run on the processor, thread after thread: what a GPU would compute, without one.

The threads of a block take turns: each runs until a `__syncthreads` or its end. A barrier that some threads never
reach is an error, and so is what a GPU would refuse or misread: wrong types of arguments, arrays with gaps, too much
shared memory, too many threads. What lies beside an array is looked at after each launch (`Buffer`).
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

# threads are contexts of POSIX, between which `longjmp` goes: some systems check it by default, and would refuse
COMPILER = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None) if sys.platform == "linux" else None
OPTIONS = (
    "-std=c++17",
    "-O1",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-U_FORTIFY_SOURCE",
    "-w",
    "-shared",
    "-fPIC",
)
SHARED = 48 * 1024  # bytes that a block gets without asking for more
MOST_SHARED = 227 * 1024  # bytes that a block of an H100 or H200 may ask for
GUARD = 64  # bytes on either side of an array
HEAD = r"""
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#define __global__
#define __device__
#define __forceinline__ inline
struct Dim { unsigned x, y, z; };
static Dim blockIdx, threadIdx, blockDim, gridDim;
static char *dynamic_shared;
template <class T, class V> static inline T atomicAdd(T *at, V value) { T old = *at; *at += value; return old; }
static inline double __longlong_as_double(long long bits) { double d; memcpy(&d, &bits, 8); return d; }
static inline long long __double_as_longlong(double d) { long long bits; memcpy(&bits, &d, 8); return bits; }

struct Fiber { Dim at; ucontext_t begin; jmp_buf state; bool started, ended; };
static std::vector<Fiber> fibers;
static Fiber *running;
static jmp_buf scheduler;
static ucontext_t back;
static int arrived_with, all_arrived_with;
static void (*body)();
static inline int __syncthreads_count(int yes) {
    arrived_with += yes != 0;
    if (!_setjmp(running->state)) _longjmp(scheduler, 1);
    return all_arrived_with;
}
static inline void __syncthreads() { __syncthreads_count(0); }
static void one_fiber() { body(); running->ended = true; _longjmp(scheduler, 1); }

// Runs one block; 1 where a thread has ended while others wait for it.
static int block_of_fibers(unsigned threads) {
    static std::vector<char> stacks;
    const size_t room = (1 << 15) + 13 * 64;  // no power of 2: their tops would share a set of the cache
    if (stacks.size() < room * threads) stacks.resize(room * threads);
    fibers.resize(threads);
    unsigned k = 0;
    for (unsigned z = 0; z < blockDim.z; z++) for (unsigned y = 0; y < blockDim.y; y++)
        for (unsigned x = 0; x < blockDim.x; x++, k++) {
            fibers[k].at = {x, y, z};
            fibers[k].started = fibers[k].ended = false;
        }
    static volatile unsigned next, ended;
    for (;;) {
        arrived_with = 0; ended = 0;
        for (next = 0; next < threads; next = next + 1) {
            running = &fibers[next];
            threadIdx = running->at;
            if (!_setjmp(scheduler)) {
                if (running->started) _longjmp(running->state, 1);
                running->started = true;
                getcontext(&running->begin);
                running->begin.uc_stack.ss_sp = stacks.data() + room * next;
                running->begin.uc_stack.ss_size = room;
                running->begin.uc_link = &back;
                makecontext(&running->begin, one_fiber, 0);
                setcontext(&running->begin);
            }
            ended = ended + running->ended;
        }
        all_arrived_with = arrived_with;
        if (ended == threads) return 0;
        if (ended) return 1;
    }
}

template <class T> struct Code { static std::string of() {
    char kind = std::is_floating_point<T>::value ? 'f' : std::is_signed<T>::value ? 'i' : 'u';
    return kind + std::to_string(sizeof(T));
} };
template <class T> struct Code<T *> { static std::string of() { return Code<std::remove_cv_t<T>>::of() + "*"; } };
template <class... A> static std::string codes(void (*)(A...)) { return ((Code<A>::of() + " ") + ... + ""); }
template <class... A, size_t... I> static void call(void (*f)(A...), void **a, std::index_sequence<I...>) {
    f(*(A *)a[I]...);
}
template <class... A> static void call(void (*f)(A...), void **a) { call(f, a, std::index_sequence_for<A...>()); }
static void **given;
static int run(
    void (*one)(), const unsigned *sizes, void **arguments, char *shared, unsigned bytes, bool synchronised)
{
    body = one; given = arguments; dynamic_shared = shared;
    gridDim = {sizes[0], sizes[1], sizes[2]};
    blockDim = {sizes[3], sizes[4], sizes[5]};
    for (unsigned z = 0; z < gridDim.z; z++) for (unsigned y = 0; y < gridDim.y; y++)
        for (unsigned x = 0; x < gridDim.x; x++) {
            blockIdx = {x, y, z};
            memset(shared, 0xA5, bytes);
            if (synchronised) { if (block_of_fibers(blockDim.x * blockDim.y * blockDim.z)) return 1; continue; }
            for (unsigned c = 0; c < blockDim.z; c++) for (unsigned b = 0; b < blockDim.y; b++)
                for (unsigned a = 0; a < blockDim.x; a++) { threadIdx = {a, b, c}; one(); }
        }
    return 0;
}
"""
LAUNCH = """
static void body_{name}() {{ call({name}, given); }}
extern "C" const char *types_{name}() {{ static std::string text = codes({name}); return text.c_str(); }}
extern "C" int launch_{name}(const unsigned *sizes, void **arguments, char *shared, unsigned bytes) {{
    return run(body_{name}, sizes, arguments, shared, bytes, {synchronised});
}}
"""
KERNEL = re.compile(r'extern "C" __global__ void (\w+)\(')
DYNAMIC = re.compile(r"extern __shared__ (\w[\w ]*?) (\w+)\[\];")


class Buffer:
    """The memory of an array, between bytes that nothing may change."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        self._bytes = np.full(size + 2 * GUARD, 0xA5, dtype=np.uint8)  # what is not written is no number of any use
        self.array = self._bytes[GUARD : GUARD + size].view(dtype).reshape(shape)

    def check(self) -> None:
        assert (self._bytes[:GUARD] == 0xA5).all(), "written before the start of an array"
        assert (self._bytes[-GUARD:] == 0xA5).all(), "written behind the end of an array"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="irassay-emulated-")


@cache
def built(source: str) -> ctypes.CDLL:
    """The source as a library of the processor."""
    assert COMPILER is not None
    names = KERNEL.findall(source)
    text = DYNAMIC.sub(r"\1 *\2 = (\1 *)dynamic_shared;", source).replace("__shared__", "static")
    synchronised = "true" if "__syncthreads" in source else "false"
    launches = [LAUNCH.format(name=name, synchronised=synchronised) for name in names]
    file = Path(_folder().name) / hashlib.sha256(source.encode()).hexdigest()[:16]
    file.with_suffix(".cpp").write_text("\n".join([HEAD, text, *launches]))
    command = [COMPILER, *OPTIONS, "-o", str(file.with_suffix(".so")), str(file.with_suffix(".cpp"))]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(file.with_suffix(".so")))


def code(value: Any) -> str:
    """The type of an argument, as the library says those of parameters; Python's numbers go as CuPy sends them."""
    if isinstance(value, np.ndarray):
        return f"{code(value.dtype.type(0))}*"
    if isinstance(value, np.generic):
        return f"{value.dtype.kind}{value.dtype.itemsize}".replace("b1", "u1")
    return "f8" if isinstance(value, float) else "i8"


class EmulatedKernel:
    """One kernel of a source, called as CuPy's; `launched` are the names of all that were."""

    launched: ClassVar[set[str]] = set()

    def __init__(self, source: str, name: str) -> None:
        self._library, self._name = built(source), name
        types = self._library[f"types_{name}"]
        types.restype = ctypes.c_char_p
        self._types = types().decode().split()
        self.max_dynamic_shared_size_bytes = SHARED

    def __call__(
        self, grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...], shared_mem: int = 0
    ) -> None:
        self.launched.add(self._name)
        sizes = [*grid, *[1] * (3 - len(grid)), *block, *[1] * (3 - len(block))]
        assert all(1 <= n <= most for n, most in zip(sizes, (2**31 - 1, 65535, 65535, 1024, 1024, 64), strict=True))
        assert np.prod(sizes[3:]) <= 1024, f"{self._name}: a block of {sizes[3:]} threads"
        assert shared_mem <= self.max_dynamic_shared_size_bytes <= MOST_SHARED, f"{self._name}: {shared_mem} bytes"
        given = [getattr(value, "data_of_gpu", value) for value in arguments]
        assert not any(isinstance(value, np.ndarray) for value in arguments), f"{self._name}: an array of the processor"
        assert [code(value) for value in given] == self._types, (self._name, self._types, [code(v) for v in given])
        assert all(v.flags.c_contiguous for v in given if isinstance(v, np.ndarray)), f"{self._name}: gaps in an array"
        words = [
            np.array([v.ctypes.data], dtype=np.uint64)
            if isinstance(v, np.ndarray)
            else np.array([v], dtype=np.dtype(code(v)))
            for v in given
        ]
        pointers = (ctypes.c_void_p * len(words))(*(word.ctypes.data for word in words))
        shared: NDArray[np.uint8] = np.empty(shared_mem + GUARD, dtype=np.uint8)
        failed = self._library[f"launch_{self._name}"](
            (ctypes.c_uint * 6)(*sizes), pointers, ctypes.c_void_p(shared.ctypes.data), ctypes.c_uint(shared_mem)
        )
        assert not failed, f"{self._name}: a thread has ended while others wait for it"
        for value in arguments:
            if hasattr(value, "data_of_gpu"):
                value.check()
