"""Processes that are killed at some step on the disk."""

from __future__ import annotations

import builtins
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any


def killed(at: int, work: Callable[[], object]) -> bool:
    """Whether a child process was killed before its `at`-th step on the disk; False: it came to its end.

    A file that is opened to be written is two steps: before it is there, and before there is anything in it.
    """
    child = os.fork()
    if child == 0:
        left = [at]

        def count() -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def step(function: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*arguments: Any, **more: Any) -> Any:
                count()
                return function(*arguments, **more)

            return counted

        def opened(file: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
            if not set(mode) & set("wxa") or str(file).startswith("/dev/"):
                return plain_open(file, mode, *arguments, **more)
            count()
            result = plain_open(file, mode, *arguments, **more)
            count()
            return result

        plain_open = io.open
        builtins.open = io.open = opened
        for name in ("replace", "rename", "link", "fsync", "unlink", "mkdir", "rmdir"):
            setattr(os, name, step(getattr(os, name)))
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.__stderr__, flush=True)
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)
