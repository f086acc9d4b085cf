"""The whole assay delivered: a result folder for each part, what failed, and one report of it all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from irassay.errors import InputError, MissingExtraError
from irassay.report.folder import check_place, save_result
from irassay.report.html import to_html
from irassay.report.load import collect_results
from irassay.report.write import write
from irassay.result import Result
from irassay.settings import Execution
from irassay.studies import registry
from irassay.studies.study.settings import Assay, Done, overview

OVERVIEW, REPORT = "overview", "report.html"


@dataclass(frozen=True)
class AssayResults(Mapping[str, Result]):
    """The results of an assay by part; `failures` has what could not be made, `overview` both."""

    done: tuple[Done, ...]
    overview: Result
    report: Path | None = None  # the page, where one was written
    unreported: MissingExtraError | None = None  # why there is none

    def __getitem__(self, part: str) -> Result:
        for one in self.done:
            if one.part == part and one.result is not None:
                return one.result
        raise KeyError(f"{part!r} is not among {', '.join(self)}")

    def __iter__(self) -> Iterator[str]:
        return (one.part for one in self.done if one.result is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def failures(self) -> dict[str, Exception]:
        return {one.part: one.problem for one in self.done if one.problem is not None}


def study(
    qrels: Any,
    runs: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    device: str = "cpu",
    cluster: str | None = None,
    **settings: Any,
) -> AssayResults:
    """The whole assay of judgments and runs; `irassay.studies.study.settings.Assay` has the settings.

    With `out` every part is saved as a result folder below it, with one page, report.html, of them all. A part that
    fails is in `failures`, and the rest is delivered.
    """
    return run_assay(Assay(**settings), qrels, runs, out, Execution(jobs=jobs, device=device, cluster=cluster))


def run_assay(
    settings: Assay,
    qrels: Any,
    runs: Any,
    out: str | os.PathLike[str] | None,
    execution: Execution,
    *,
    command: str = "",
    on_done: Callable[[Done], None] = lambda done: None,
) -> AssayResults:
    """Run the parts and save each as soon as it is done; `on_done` is called with each."""
    folder = _place(out) if out is not None else None
    done: list[Done] = []
    parts = settings.run(qrels, runs, execution=execution)  # what cannot be read is found here
    if folder is not None:
        _clear(folder)
    for one in parts:
        done.append(_save(one, folder, command))
        on_done(done[-1])
        summary = _with_command(overview(done), command)
        if folder is not None:
            save_result(summary, folder / OVERVIEW)  # also of an assay that is interrupted
    if folder is None:
        return AssayResults(tuple(done), summary)
    try:
        write(to_html(collect_results([folder])), folder / REPORT)
    except MissingExtraError as missing:
        return AssayResults(tuple(done), summary, None, missing)
    return AssayResults(tuple(done), summary, folder / REPORT)


def _save(one: Done, folder: Path | None, command: str) -> Done:
    if one.result is None:
        return one
    result = _with_command(one.result, command)
    if folder is not None:
        try:
            save_result(result, folder / one.part, readable=True)
        except InputError:
            raise  # no room, no right: no other part could be saved either
        except Exception as problem:  # a bug in drawing must not cost the other parts
            return Done(one.part, None, problem)
    return one._replace(result=result)


def _with_command(result: Result, command: str) -> Result:
    """The result with the command that made it, where there was one."""
    return replace(result, provenance={**result.provenance, "command": command}) if command else result


def _place(out: str | os.PathLike[str]) -> Path:
    """The folder to fill: a new or an empty one, or an earlier assay's, whose parts are replaced."""
    folder = Path(out)
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    if OVERVIEW in names and names <= {*registry.parts(), OVERVIEW, REPORT}:
        for name in names - {REPORT}:
            check_place(folder / name)  # nothing but results is ever replaced
    elif names:
        raise InputError("this folder is not empty and not an assay", str(out), "give a new or an empty folder")
    else:
        check_place(folder)
    return folder


def _clear(folder: Path) -> None:
    """A part that fails this time must not show what it was before."""
    for place in folder.iterdir() if folder.is_dir() else ():
        shutil.rmtree(place) if place.is_dir() else place.unlink()
