"""Asking for a GPU where there is none."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import irassay
from irassay.cli import run
from irassay.compute.device import on_gpu, using

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


def test_a_machine_without_a_gpu_is_an_error_with_exit_status_2(
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


def test_the_device_is_that_of_the_study_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", GPUs(lambda: 1))
    with using("cuda"):
        assert on_gpu()
        with using("cpu"):
            assert not on_gpu()
        assert on_gpu()
    assert not on_gpu()
