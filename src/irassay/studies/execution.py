"""Running studies: where long work goes, what of it is saved, which warnings come of it, and how results are described.

Imports nothing heavy: commands come with it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from irassay.errors import InputError, IrassayWarning, emit
from irassay.settings import check_bounds
from irassay.studies.collection_settings import StudyInput, located, study_inputs
from irassay.studies.registry import Study, describe, load, study_of

if TYPE_CHECKING:
    from irassay.result import Result
    from irassay.settings import Execution

FREE = ("memory", "write_qrels", "details")  # settings that may change while a study is unfinished


class Outcome(NamedTuple):
    """The result of a study, and the settings that it was run with."""

    settings: Any
    result: Result


def run_study(
    settings: Any, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None, name: str = ""
) -> Result:
    """The result of the study with these settings, with its findings and notes; `name` is that of the collection.

    Long work goes to a device or cluster, with a checkpoint in the folder for the result.
    """
    study = study_of(settings)
    with contextlib.ExitStack() as stack:
        _open(stack, study, {"": settings}, execution)
        return _run(study, settings, qrels, runs, execution, name)


def run_collections(
    study: Study,
    values: Mapping[str, Any],
    qrels: Any = None,
    runs: Any = None,
    *,
    names: Sequence[str] = (),
    execution: Execution | None = None,
) -> dict[str, Outcome]:
    """The outcomes of a study by collection; one alone, or data that are none, as one outcome without a name.

    The values of settings come before those of collections, of which `names` chooses some. An error names its
    collection. `merge` makes one result of all.
    """
    inputs = study_inputs(load(study.settings), values, qrels, runs, names)
    with contextlib.ExitStack() as stack:
        _open(stack, study, {one.collection: one.settings for one in inputs}, execution)
        if study.together and inputs[0].collection:
            return {"": Outcome(inputs[0].settings, _run(study, inputs[0].settings, inputs, None, execution))}
        results = each_collection(
            inputs, lambda one: _run(study, one.settings, one.qrels, one.runs, execution, one.name)
        )
    return {one.collection: Outcome(one.settings, results[one.collection]) for one in inputs}


def each_collection(inputs: Sequence[StudyInput], run: Callable[[StudyInput], Result]) -> dict[str, Result]:
    """The results by collection; of several, errors name theirs, and warnings, which come last."""
    if len(inputs) == 1:
        return {one.collection: run(one) for one in inputs}
    from irassay.studies.merge import merge_warnings

    results: dict[str, Result] = {}
    collected: dict[str, list[IrassayWarning]] = {one.collection: [] for one in inputs}
    try:
        for one in inputs:
            try:
                with collect_warnings(collected[one.collection]):
                    results[one.collection] = run(one)
            except InputError as problem:
                raise located(problem, f"collection {one.collection}") from None
    finally:
        emit(merge_warnings(collected))
    return results


def _run(study: Study, settings: Any, qrels: Any, runs: Any, execution: Execution | None, name: str = "") -> Result:
    data = () if study.data == "none" else (qrels, runs)
    from irassay.studies.measure_names import with_compared_parameters

    return describe(study, with_compared_parameters(load(study.run)(settings, *data, execution)), settings, name)


def _open(stack: contextlib.ExitStack, study: Study, settings: Mapping[str, Any], execution: Execution | None) -> None:
    """Open where the work of a study goes, with the settings of each collection."""
    if execution is not None:
        check_bounds(execution)
    if execution is None or study.execution != "Execution":
        return
    _check_device(execution)
    from irassay.compute.checkpoint import Checkpoint
    from irassay.compute.executor import open_executor

    checkpoint = None
    if execution.out:
        folder = Path(os.path.realpath(execution.out)) / "checkpoint"
        free = {_key(name, key): getattr(own, key, None) for name, own in settings.items() for key in FREE}
        identity = {_key(name, key): value for name, own in settings.items() for key, value in _identity(own).items()}
        checkpoint = Checkpoint(folder, identity, free, force=execution.force)
    stack.enter_context(open_executor(execution.device, execution.cluster or None, checkpoint))


@contextlib.contextmanager
def one_cluster(execution: Execution) -> Iterator[None]:
    """All studies that are run inside share one connection to the cluster, which is opened before any work."""
    from irassay.compute.executor import open_cluster

    _check_device(execution)
    with open_cluster(execution.cluster or None):
        yield


def _check_device(execution: Execution) -> None:
    if execution.cluster and execution.device != "cpu":
        raise InputError(
            f"a cluster works with its processors, and the device is {execution.device}",
            hint="leave out --cluster or --device",
        )


def _key(collection: str, setting: str) -> str:
    return f"{setting} of {collection}" if collection else setting


def _identity(study: Any) -> dict[str, str]:
    """The settings of a study, and the version: what must be the same for unfinished work to go on."""
    from irassay._version import __version__
    from irassay.result import NUMERICS

    return plain_settings(study) | {"irassay": f"{__version__} (numerics {NUMERICS})"}


def plain_settings(study: Any) -> dict[str, str]:
    """The study and its settings, as far as they are plain; what else it is given shows in what it works on."""
    settings = {f.name: getattr(study, f.name) for f in dataclasses.fields(study) if f.name not in FREE}
    plain = (str, bytes, int, float, tuple, list, dict, os.PathLike, type(None))
    shown = {name: repr(value) for name, value in settings.items() if isinstance(value, plain)}
    return {"study": type(study).__name__, **shown}


@contextlib.contextmanager
def collect_warnings(collected: list[IrassayWarning]) -> Iterator[None]:
    """Irassay's warnings go to a list; others are issued again outside."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IrassayWarning)
        yield
    for one in caught:
        if isinstance(one.message, IrassayWarning):
            collected += one.message.messages
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def unique(collected: Iterable[IrassayWarning]) -> tuple[IrassayWarning, ...]:
    """Each warning once, however many studies met it."""
    return tuple({str(warning): warning for warning in collected}.values())
