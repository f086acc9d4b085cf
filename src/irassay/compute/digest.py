"""A name for what a piece of work holds: the same in every process, another one for other numbers.

Not a pickle's hash: that also depends on which equal objects happen to be one object.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np


def digest(value: Any) -> str:
    """The name of plain values, arrays, dataclasses of them, and functions by where they are defined.

    Fields of a dataclass that its constructor does not take are derived from the others, and left out.
    """
    found = hashlib.blake2b(digest_size=16)
    _add(found, value)
    return found.hexdigest()


def _add(found: Any, value: Any) -> None:
    def tell(kind: str, *parts: Any) -> None:
        found.update(f"{kind}:{len(parts)}(".encode())
        for part in parts:
            _add(found, part)
        found.update(b")")

    if isinstance(value, np.ndarray):
        found.update(f"array:{value.dtype.str}{value.shape}(".encode())
        found.update(np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
        found.update(b")")
    elif value is None or isinstance(value, (bool, int, float, np.generic)):
        found.update(f"{type(value).__name__}:{value!r};".encode())
    elif isinstance(value, (str, bytes)):
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        found.update(f"{type(value).__name__}:{len(data)}:".encode() + data)
    elif isinstance(value, (tuple, list, range)):
        tell("sequence", *value)
    elif isinstance(value, Mapping):
        tell("mapping", *(part for item in value.items() for part in item))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [f.name for f in dataclasses.fields(value) if f.init]
        tell(_place(type(value)), *(getattr(value, name) for name in fields))
    elif isinstance(value, partial):
        tell("partial", value.func, value.args, value.keywords)
    elif isinstance(value, (FunctionType, BuiltinFunctionType, type)):
        found.update(f"{_place(value)};".encode())
    else:
        raise TypeError(f"work that can be taken up again holds no {type(value).__name__}")


def _place(defined: Any) -> str:
    return f"{defined.__module__}.{defined.__qualname__}"
