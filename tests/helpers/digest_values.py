"""Nested values with a digest; in a module of their own, so that another process can make them too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np


def double(part: int) -> int:
    return 2 * part


def triple(part: int) -> int:
    return 3 * part


@dataclass
class Inner:
    values: Any
    name: str = "a"
    derived: int = field(init=False, default=0)


@dataclass
class Outer:
    inner: Inner
    table: dict[str, float]
    function: Callable[..., Any]


def nested(values: Any = (1.0, 2.0)) -> Outer:
    return Outer(Inner(np.array(values)), {"x": 0.5}, partial(triple, part=3))
