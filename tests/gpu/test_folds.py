"""Folds translated for a GPU are built with the C compiler here and give what the Python source gives."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from irassay.scoring.gpu.folds import PRELUDE, UntranslatableError, translated
from tests.helpers.measures import FOLDS, TOPICS, arguments
from tests.helpers.panels import Topic

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CALL = """
double call_{name}(const int *rank, const signed char *grade, long long n, const double *gain, const long long *best,
                   int grades, const long long *judged_counts, long long n_judged, long long size, const double *par) {{
    Ideal ideal = {{gain, best, judged_counts, grades, 0}};
    return {name}(rank, grade, n, gain, ideal, judged_counts, n_judged, size, par);
}}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if COMPILER is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("folds")
    parts = ["#include <math.h>", "#define HOST static", PRELUDE]
    for name, record in FOLDS.items():
        parts += [translated(record.function, f"fold_{name}"), CALL.format(name=f"fold_{name}")]
    (folder / "folds.c").write_text("\n".join(parts))
    command = [COMPILER, "-std=c11", "-O1", "-ffp-contract=off", "-Wall", "-Werror", "-Wno-unused", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(folder / "folds.so"), str(folder / "folds.c"), "-lm"], check=True)
    return ctypes.CDLL(str(folder / "folds.so"))


def address(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@settings(max_examples=60, deadline=None)
@given(TOPICS)
@pytest.mark.parametrize("name", FOLDS)
def test_a_translated_fold_gives_what_its_source_gives(library: ctypes.CDLL, name: str, topic: Topic) -> None:
    record = FOLDS[name]
    case = arguments(record, topic)
    expected = record.function(*case)
    function = library[f"call_fold_{name}"]
    function.restype = ctypes.c_double
    best = np.array([3, 2, 1], dtype=np.int64)
    value = function(
        address(case.rank),
        address(case.grade),
        ctypes.c_longlong(case.n),
        address(case.gain),
        address(best),
        len(best),
        address(case.judged),
        ctypes.c_longlong(len(case.judged)),
        ctypes.c_longlong(case.size),
        address(case.par),
    )
    assert value == pytest.approx(expected, rel=1e-13, abs=1e-13, nan_ok=True)


def test_what_a_fold_may_not_use_is_refused() -> None:
    def fold(rank: Any, n: int) -> float:
        return float(sorted(rank)[n])

    with pytest.raises(UntranslatableError, match="may not use"):
        translated(fold, "fold")
