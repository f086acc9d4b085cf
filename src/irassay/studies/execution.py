"""Running studies: where long work goes, what of it is saved, which warnings come of it, and how results are described.

Imports nothing heavy: commands come with it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError, IrassayWarning
from irassay.studies.registry import describe, load, study_of

if TYPE_CHECKING:
    from irassay.result import Result
    from irassay.settings import Execution

FREE = ("memory", "write_qrels")  # settings that may change while a study is unfinished


def run_study(settings: Any, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
    """The result of the study with these settings, with its findings and notes.

    Long work goes to a device or cluster, with a checkpoint in the folder for the result.
    """
    study = study_of(settings)
    data = () if study.data == "none" else (qrels, runs)
    with contextlib.ExitStack() as stack:
        if execution is not None and study.execution == "Execution":
            _open(stack, settings, execution)
        from irassay.studies.measure_names import with_compared_parameters

        return describe(study, with_compared_parameters(load(study.run)(settings, *data, execution)))


def _open(stack: contextlib.ExitStack, study: Any, execution: Execution) -> None:
    if execution.cluster and execution.device != "cpu":
        raise InputError(
            f"a cluster works with its processors, and the device is {execution.device}",
            hint="leave out --cluster or --device",
        )
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


@contextlib.contextmanager
def collect_warnings(collected: list[IrassayWarning]) -> Iterator[None]:
    """Irassay's warnings go to a list; others are issued again outside."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IrassayWarning)
        yield
    for one in caught:
        if isinstance(one.message, IrassayWarning):
            collected.append(one.message)
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def unique(collected: Iterable[IrassayWarning]) -> tuple[IrassayWarning, ...]:
    """Each warning once, however many studies met it."""
    return tuple({str(warning): warning for warning in collected}.values())
