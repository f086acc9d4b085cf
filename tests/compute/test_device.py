"""Asking for a GPU where there is none."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.compute.executor import Executor, Plan, Rows, State, execute, open_executor, using

QRELS = {"1": {"a": 1, "b": 0}}
RUNS = {"x": {"1": {"a": 2.0, "b": 1.0}}, "y": {"1": {"b": 2.0, "a": 1.0}}}


class NoDriverError(Exception):
    pass


def GPUs(count: Callable[[], int]) -> Any:
    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriverError)
    return SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))


def without_cupy(name: str, *rest: Any, **more: Any) -> Any:
    if name == "cupy":
        raise ImportError(name)
    return REAL_IMPORT(name, *rest, **more)


REAL_IMPORT = builtins.__import__


def test_a_missing_cupy_is_an_error_before_any_work_with_exit_status_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builtins, "__import__", without_cupy)
    assert run(["corpus", "no-such-file", "no-such-run", "--device", "cuda"]) == 3
    assert "irassay[cuda]" in capsys.readouterr().err


def test_a_machine_without_a_gpu_is_told_with_exit_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", GPUs(lambda: 0))
    assert run(["power", "no-such-file", "no-such-run", "--device", "cuda"]) == 2
    assert capsys.readouterr().err.startswith("error: this machine has no GPU")


def test_a_driver_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> int:
        raise NoDriverError("no driver")

    monkeypatch.setitem(sys.modules, "cupy", GPUs(fail))
    with pytest.raises(irassay.InputError, match="no GPU can be used: no driver"):
        irassay.stability(QRELS, RUNS, device="cuda")


class Devices(Plan):
    """Which device made a block of which units; each with another plan inside."""

    units = 4
    gpu = True

    def block(self, part: range, jobs: int) -> State:
        return {"gpu": np.zeros(len(part), dtype=bool)}

    def gpu_block(self, part: range, jobs: int) -> State:
        return {"gpu": np.ones(len(part), dtype=bool)}


class Outer(Devices):
    gpu = False
    threads_inside = True

    def block(self, part: range, jobs: int) -> State:
        return {"inside": execute("inside", Devices(), Rows(4))["gpu"][None, 0]}


def test_the_device_is_that_of_the_study_alone_and_of_all_work_inside_it() -> None:
    with using(Executor(device="cuda")):
        assert execute("parts", Devices(), Rows(4))["gpu"].all()
        assert execute("parts", Outer(), Rows(4))["inside"].all()
    with open_executor("cpu"):
        assert not execute("parts", Devices(), Rows(4))["gpu"].any()
    assert not execute("parts", Devices(), Rows(4))["gpu"].any()
