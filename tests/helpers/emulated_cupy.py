"""NumPy in CuPy's place, with kernels run on the processor: the whole way of `--device cuda` where there is no GPU.

Arrays of the two are kept apart as CuPy keeps them: they do not mix in one operation, and none becomes NumPy's by
itself. What is offered is what CuPy has too. Memory that nothing has written holds no zeros.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from tests.helpers.emulated_kernels import Buffer, EmulatedKernel

SAME = ("uint8", "int8", "int16", "int32", "int64", "uint32", "uint64", "float64", "bool_", "newaxis")
OF_ARRAYS = (
    "abs",
    "add",
    "concatenate",
    "matmul",
    "maximum",
    "minimum",
    "sqrt",
    "stack",
    "swapaxes",
    "tensordot",
    "where",
)
METHODS = ("any", "all", "astype", "copy", "max", "mean", "min", "ravel", "reshape", "sum", "swapaxes", "transpose")


class EmulatedArray(NDArrayOperatorsMixin):
    """An array of the GPU."""

    def __init__(self, array: Any, buffer: Buffer | None = None) -> None:
        self.data_of_gpu, self._buffer = array, buffer

    @classmethod
    def copied(cls, array: Any) -> EmulatedArray:
        array = np.asarray(array)
        buffer = Buffer(array.shape, array.dtype)
        buffer.array[...] = array
        return cls(buffer.array, buffer)

    def check(self) -> None:
        if self._buffer is not None:
            self._buffer.check()

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return lambda *rest, **more: wrapped(getattr(self.data_of_gpu, name)(*map(plain, rest), **more), self)
        if name in ("shape", "size", "dtype", "ndim", "nbytes", "flags"):
            return getattr(self.data_of_gpu, name)
        raise AttributeError(name)

    @property
    def T(self) -> EmulatedArray:
        return EmulatedArray(self.data_of_gpu.T, self._buffer)

    def get(self) -> Any:
        return self.data_of_gpu.copy()

    def __len__(self) -> int:
        return len(self.data_of_gpu)

    def __int__(self) -> int:
        return int(self.data_of_gpu)

    def __float__(self) -> float:
        return float(self.data_of_gpu)

    def __bool__(self) -> bool:
        return bool(self.data_of_gpu)

    def __getitem__(self, key: Any) -> EmulatedArray:
        return wrapped(np.asarray(self.data_of_gpu[keyed(key)]), self)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data_of_gpu[keyed(key)] = plain(value)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = (), **more: Any) -> Any:
        if out:
            if not all(isinstance(one, EmulatedArray) for one in out):
                raise TypeError("a result of the GPU in an array of the processor")
            more["out"] = tuple(one.data_of_gpu for one in out)
            getattr(ufunc, method)(*map(plain, inputs), **more)
            return out[0]
        return wrapped(getattr(ufunc, method)(*map(plain, inputs), **more))

    def __array_function__(self, function: Any, types: Any, rest: Any, more: Any) -> Any:
        rest = [list(map(plain, one)) if isinstance(one, (list, tuple)) else plain(one) for one in rest]
        return wrapped(function(*rest, **{name: plain(value) for name, value in more.items()}))


def plain(value: Any) -> Any:
    """What NumPy works on; arrays of the processor are refused."""
    if isinstance(value, np.ndarray) and value.ndim:
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    return value.data_of_gpu if isinstance(value, EmulatedArray) else value


def keyed(key: Any) -> Any:
    """An index without arrays of the processor."""
    return tuple(map(plain, key)) if isinstance(key, tuple) else plain(key)


def wrapped(array: Any, source: EmulatedArray | None = None) -> EmulatedArray:
    """A view keeps the memory that it looks at, all else has its own."""
    array = np.asarray(array)
    if source is not None and np.shares_memory(array, source.data_of_gpu):
        return EmulatedArray(array, source._buffer)
    return EmulatedArray.copied(array)


def emulated_cupy(free: int = 1 << 30) -> SimpleNamespace:
    """The module, of a GPU with so many free bytes."""

    def empty(shape: Any, dtype: Any = np.float64) -> EmulatedArray:
        buffer = Buffer(tuple(np.atleast_1d(shape).tolist()), dtype)
        return EmulatedArray(buffer.array, buffer)

    def full(shape: Any, value: Any, dtype: Any = None) -> EmulatedArray:
        out = empty(shape, np.asarray(value).dtype if dtype is None else dtype)
        out[...] = value
        return out

    def asarray(array: Any, dtype: Any = None) -> EmulatedArray:
        if isinstance(array, EmulatedArray):
            return array if dtype in (None, array.dtype) else EmulatedArray.copied(array.data_of_gpu.astype(dtype))
        return EmulatedArray.copied(np.asarray(array, dtype=dtype))

    def contiguous(array: EmulatedArray) -> EmulatedArray:
        return array if array.data_of_gpu.flags.c_contiguous else EmulatedArray.copied(array.data_of_gpu)

    def on_arrays(name: str) -> Any:
        def function(*rest: Any, **more: Any) -> Any:
            out = getattr(np, name)(*rest, **more)
            assert isinstance(out, EmulatedArray), f"{name} of arrays of the processor"
            return out

        return function

    class RawModule:
        def __init__(self, code: str, options: tuple[str, ...]) -> None:
            assert "--fmad=false" in options
            self._code = code

        def get_function(self, name: str) -> EmulatedKernel:
            return EmulatedKernel(self._code, name)

    runtime = SimpleNamespace(
        getDeviceCount=lambda: 1,
        CUDARuntimeError=RuntimeError,
        memGetInfo=lambda: (free, free),
        deviceSynchronize=lambda: None,
    )
    return SimpleNamespace(
        **{name: getattr(np, name) for name in SAME},
        **{name: on_arrays(name) for name in OF_ARRAYS},
        ndarray=EmulatedArray,
        empty=empty,
        full=full,
        zeros=lambda shape, dtype=np.float64: full(shape, 0, dtype),
        ones=lambda shape, dtype=np.float64: full(shape, 1, dtype),
        zeros_like=lambda array: full(array.shape, 0, array.dtype),
        asarray=asarray,
        ascontiguousarray=contiguous,
        asnumpy=lambda array: array.get() if isinstance(array, EmulatedArray) else np.asarray(array),
        RawModule=RawModule,
        RawKernel=lambda code, name, options: RawModule(code, options).get_function(name),
        get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
        cuda=SimpleNamespace(runtime=runtime),
    )
