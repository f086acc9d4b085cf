"""How the `run` of a study is carried out: where long work goes, what of it is saved, and how the result is described.

Imports nothing heavy: the settings of every study come with it.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError

if TYPE_CHECKING:
    from irassay.result import Result
    from irassay.settings import Execution

FREE = ("memory", "write_qrels")  # settings that may change while a study is unfinished


def described_run(run: Callable[..., Result]) -> Callable[..., Result]:
    """For the `run` of every study: the result also has the findings and notes of its registered study."""

    @wraps(run)
    def wrapper(settings: Any, *data: Any, **options: Any) -> Result:
        from irassay.studies.registry import describe, study_of

        result = run(settings, *data, **options)
        study = study_of(settings)
        return result if study is None else describe(study, result)

    return wrapper


def managed_run(run: Callable[..., Result]) -> Callable[..., Result]:
    """The same for a study with long work: on a device or cluster, with a checkpoint in the folder for the result."""

    @described_run
    @wraps(run)
    def wrapper(settings: Any, *data: Any, execution: Execution | None = None, **options: Any) -> Result:
        with ExitStack() as stack:
            if execution is not None:
                _open(stack, settings, execution)
            return run(settings, *data, execution=execution, **options)

    return wrapper


def _open(stack: ExitStack, study: Any, execution: Execution) -> None:
    if execution.cluster and execution.device != "cpu":
        what = f"a cluster works with its processors, and the device is {execution.device}"
        raise InputError(what, hint="leave out --cluster or --device")
    from irassay.compute.checkpoint import Checkpoint
    from irassay.compute.executor import open_executor

    checkpoint = None
    if execution.out:
        folder = Path(os.path.realpath(execution.out)) / "checkpoint"
        checkpoint = Checkpoint(folder, _identity(study), {name: getattr(study, name, None) for name in FREE})
    stack.enter_context(open_executor(execution.device, execution.cluster or None, checkpoint))


def _identity(study: Any) -> dict[str, object]:
    """The study and its settings, as far as they are plain; what else it is given shows in what it works on."""
    from irassay._version import __version__
    from irassay.result import NUMERICS

    settings = {f.name: getattr(study, f.name) for f in dataclasses.fields(study) if f.name not in FREE}
    plain = (str, bytes, int, float, tuple, list, dict, os.PathLike, type(None))
    shown = {name: repr(value) for name, value in settings.items() if isinstance(value, plain)}
    return {"study": type(study).__name__, "irassay": f"{__version__} (numerics {NUMERICS})", **shown}
