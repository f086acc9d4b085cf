"""A name for the contents of a plan: the same in every process, another one for other numbers.

Not the hash of a pickle: that also depends on which equal objects happen to be one object.
"""

import dataclasses
import hashlib
from collections.abc import Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np


def digest(value: Any) -> str:
    """The name of plain values, arrays, dataclasses of them, and functions by where they are defined.

    Fields of a dataclass that its constructor does not take, or that are not compared, follow from the others and are
    left out.
    """
    total = hashlib.blake2b(digest_size=16)
    _add(total, value)
    return total.hexdigest()


def _add(total: Any, value: Any) -> None:
    def add_all(kind: str, *parts: Any) -> None:
        total.update(f"{kind}:{len(parts)}(".encode())
        for part in parts:
            _add(total, part)
        total.update(b")")

    if isinstance(value, np.ndarray):
        total.update(f"array:{value.dtype.str}{value.shape}(".encode())
        total.update(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
        total.update(b")")
    elif value is None or isinstance(value, (bool, int, float, np.generic)):
        total.update(f"{type(value).__name__}:{value!r};".encode())
    elif isinstance(value, (str, bytes)):
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        total.update(f"{type(value).__name__}:{len(data)}:".encode() + data)
    elif isinstance(value, (tuple, list, range)):
        add_all("sequence", *value)
    elif isinstance(value, Mapping):
        add_all("mapping", *(part for item in value.items() for part in item))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init and field.compare]
        add_all(_path(type(value)), *(getattr(value, name) for name in names))
    elif isinstance(value, partial):
        add_all("partial", value.func, value.args, value.keywords)
    elif isinstance(value, (FunctionType, BuiltinFunctionType, type)):
        total.update(f"{_path(value)};".encode())
    else:
        raise TypeError(f"a plan that can be resumed holds no {type(value).__name__}")


def _path(defined: Any) -> str:
    return f"{defined.__module__}.{defined.__qualname__}"
