"""Digests: equal work has the same digest in every process, other work another one."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from irassay.compute.digest import digest
from tests.helpers.digest_values import Inner, double, nested, triple

OTHERS = {
    "a number": lambda: nested((1.0, np.nextafter(2.0, 3.0))),
    "a sign": lambda: nested((1.0, -2.0)),
    "a type": lambda: nested(np.array([1.0, 2.0], dtype=np.float32)),
    "a shape": lambda: nested([[1.0, 2.0]]),
    "a text": lambda: replace(nested(), inner=Inner(np.array([1.0, 2.0]), "b")),
    "a key": lambda: replace(nested(), table={"y": 0.5}),
    "a value": lambda: replace(nested(), table={"x": 0.25}),
    "a function": lambda: replace(nested(), function=partial(double, part=3)),
    "an argument": lambda: replace(nested(), function=partial(triple, part=4)),
    "an integer for a float": lambda: replace(nested(), table={"x": 0}),
}


@pytest.mark.parametrize("what", OTHERS)
def test_other_work_has_another_digest(what: str) -> None:
    assert digest(OTHERS[what]()) != digest(nested())


def test_equal_work_has_one_digest_in_every_process() -> None:
    other = nested()
    other.inner.derived = 7  # made from the rest
    other.inner.values.setflags(write=False)
    assert digest(other) == digest(nested())
    imports = "from irassay.compute.digest import digest; from tests.helpers.digest_values import nested"
    code = f"{imports}; print(digest(nested()))"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=True, text=True)
    assert done.stdout.strip() == digest(nested())


def test_neighbours_do_not_run_into_each_other() -> None:
    assert digest(("ab", "c")) != digest(("a", "bc"))
    assert digest(((1, 2), 3)) != digest((1, (2, 3)))
    assert digest(np.zeros(2)) != digest((np.zeros(1), np.zeros(1)))


def test_what_has_no_lasting_name_is_refused() -> None:
    with pytest.raises(TypeError, match="holds no set"):
        digest({1, 2})
