"""The full study delivered: a result folder for each part, what failed, and one report of it all."""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from irassay._version import __version__
from irassay.errors import InputError, IrassayWarning, MissingExtraError, emit
from irassay.measures import parse
from irassay.progress import track
from irassay.read import Qrels, Runs
from irassay.report.folder import check_place, save_result
from irassay.report.html import to_html
from irassay.report.load import collect_results
from irassay.report.write import write
from irassay.result import Result, Table
from irassay.settings import Execution, options
from irassay.studies import registry
from irassay.studies.collection_settings import StudyInput, located, study_inputs
from irassay.studies.execution import collect_warnings, run_study, unique
from irassay.studies.inputs import read_inputs
from irassay.studies.merge import merge_results, merge_warnings
from irassay.studies.phrases import join, rows_of, safe
from irassay.studies.study.settings import FullStudy
from irassay.studies.tables import columns

OVERVIEW, REPORT = "overview", "report.html"


class Done(NamedTuple):
    """One part of a full study: its result, or what went wrong."""

    part: str
    result: Result | None
    problem: Exception | None = None
    collection: str = ""  # of several

    @property
    def title(self) -> str:
        """The part, of several collections with the name of its."""
        return f"{self.collection}: {self.part}" if self.collection else self.part

    @property
    def bug(self) -> bool:
        """Whether it failed by irassay's own fault."""
        return self.problem is not None and not isinstance(self.problem, (InputError, ImportError))


@dataclass(frozen=True)
class FullStudyResults(Mapping[str, Result]):
    """The results of a full study by part; `failures` has what could not be made, `overview` both.

    Of several collections the results of a part are one result; `done` has each.
    """

    done: tuple[Done, ...]
    overview: Result
    results: Mapping[str, Result]
    report: Path | None = None  # the page, where one was written
    unreported: MissingExtraError | None = None  # why there is none

    def __getitem__(self, part: str) -> Result:
        if part not in self.results:
            raise KeyError(f"{part!r} is not among {', '.join(self)}")
        return self.results[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @property
    def failures(self) -> dict[str, Exception]:
        return {one.title: one.problem for one in self.done if one.problem is not None}


def run_from_python(
    study: registry.Study, values: dict[str, Any], data: Sequence[Any], execution: Execution
) -> FullStudyResults:
    """The function `irassay.study`."""
    qrels, runs = data
    inputs = study_inputs(FullStudy, values, qrels, runs)
    return run_full_study(inputs, execution.out, replace(execution, out=None))


def run_full_study(
    inputs: Sequence[StudyInput],
    out: str | os.PathLike[str] | None,
    execution: Execution,
    *,
    command: str = "",
    on_done: Callable[[Done], None] = lambda done: None,
) -> FullStudyResults:
    """The results by part, `failures` and `overview`.

    With `out` every part is saved as a result folder below it as soon as it is done, with one page, report.html, of
    them all. A part that fails is in `failures`, and the rest is delivered. `on_done` is called with each part.
    Several inputs are collections, of which every part is one result.
    """
    folder = _place(out) if out is not None else None
    studies = {one.collection: _studies(one.settings) for one in inputs}
    for one in inputs:
        parse(one.settings.measures)  # a slip in it would fail every part
    data = {one.collection: _read(one, execution) for one in inputs}
    parts = {
        one.collection: {
            name: _settings_of(study, one.settings, len(data[one.collection][1]))
            for name, study in studies[one.collection].items()
        }
        for one in inputs
    }
    if folder is not None and folder.is_dir():  # a part that fails this time must not show what it was before
        for place in folder.iterdir():
            shutil.rmtree(place) if place.is_dir() else place.unlink()
    done: list[Done] = []
    results: dict[str, Result] = {}
    seen: set[str] = set()
    for part in track("study", dict.fromkeys(part for own in parts.values() for part in own), str):
        configured = {name: own[part] for name, own in parts.items() if part in own}
        of_part, result = _saved(_run_part(part, configured, data, execution, seen), folder, command)
        if result is not None:
            results[part] = result
        done += of_part
        for each in of_part:
            on_done(each)
        summary = _with_command(_merged_overview(done), command)
        if folder is not None:
            save_result(summary, folder / OVERVIEW)  # also of a full study that is interrupted
    report, missing = _report(folder)
    return FullStudyResults(tuple(done), summary, results, report, missing)


def _read(one: StudyInput, execution: Execution) -> tuple[Qrels, Runs]:
    try:
        return read_inputs(one.settings, one.qrels, one.runs, jobs=execution.jobs)
    except InputError as problem:
        raise (located(problem, f"collection {one.collection}") if one.collection else problem) from None


def _report(folder: Path | None) -> tuple[Path | None, MissingExtraError | None]:
    """The page of all results, or why there is none."""
    if folder is None:
        return None, None
    try:
        write(to_html(collect_results([folder])), folder / REPORT)
    except MissingExtraError as missing:
        return None, missing
    return folder / REPORT, None


def _saved(done: list[Done], folder: Path | None, command: str) -> tuple[list[Done], Result | None]:
    """A part of all collections as one result, in its folder; a bug in either is the part's problem."""
    results = {one.collection: one.result for one in done if one.result is not None}
    if not results:
        return done, None
    part = done[0].part
    try:
        result = _with_command(merge_results(results), command)
        if folder is not None:
            save_result(result, folder / part, readable=True)
    except InputError:
        raise  # no space, no right: no other part could be saved either
    except Exception as problem:  # a bug in drawing must not cost the other parts
        return [one if one.result is None else one._replace(result=None, problem=problem) for one in done], None
    return done, result


def _with_command(result: Result, command: str) -> Result:
    """The result with the command that made it, where there was one."""
    return replace(result, provenance={**result.provenance, "command": command}) if command else result


def _place(out: str | os.PathLike[str]) -> Path:
    """The folder to fill: a new or an empty one, or an earlier full study's, whose parts are replaced."""
    folder = Path(out)
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    if OVERVIEW in names and names <= {*registry.parts(), OVERVIEW, REPORT}:
        for name in names - {REPORT}:
            check_place(folder / name)  # nothing but results is ever replaced
    elif names:
        raise InputError("this folder is not empty and not a full study", str(out), "give a new or an empty folder")
    else:
        check_place(folder)
    return folder


def _studies(settings: FullStudy) -> dict[str, registry.Study]:
    """The parts that the settings name, or all."""
    known = registry.parts()
    names = set(known) if settings.only is None else set(settings.only.replace(",", " ").split())
    if not names or not names <= set(known):
        raise InputError(f"only is {settings.only!r}", hint=f"the parts are {', '.join(known)}")
    return {name: study for name, study in known.items() if name in names}


def _settings_of(study: registry.Study, full_study: FullStudy, systems: int) -> Any:
    """The settings of a part: those of the full study, as far as it takes them."""
    settings = registry.load(study.settings)
    known = options(settings)
    values = {name: getattr(full_study, name) for name in options(FullStudy) if name != "only"}
    if study.part_options is not None:
        values = study.part_options(values, systems)
    elif "one_per_group" in known:
        del values["groups"]  # alone it selects nothing
    return settings(**{name: value for name, value in values.items() if name in known and value is not None})


def _run_part(
    part: str,
    configured: Mapping[str, Any],
    data: Mapping[str, tuple[Qrels, Runs]],
    execution: Execution,
    seen: set[str],
) -> list[Done]:
    """A part for each collection; one that fails has its problem. Warnings that were `seen` are not repeated."""
    done = []
    collected: dict[str, tuple[IrassayWarning, ...]] = {}
    for collection, settings in configured.items():
        warnings: list[IrassayWarning] = []
        try:
            with collect_warnings(warnings):
                result = run_study(settings, *data[collection], execution=execution)
            done.append(Done(part, result, None, collection))
        except Exception as problem:  # also a bug: the other parts are worth having, and this one is reported
            done.append(Done(part, None, problem, collection))
        collected[collection] = unique(warnings)
    fresh = [warning for warning in merge_warnings(collected) if str(warning) not in seen]
    seen |= set(map(str, fresh))
    emit(fresh)  # what the data are like is said once, not by every part
    return done


def _merged_overview(done: list[Done]) -> Result:
    """The overview of every collection, as one."""
    collections = dict.fromkeys(one.collection for one in done)
    return merge_results({name: overview([one for one in done if one.collection == name]) for name in collections})


def overview(done: list[Done]) -> Result:
    """What was done and what failed, and why."""
    rows, warnings = [], []
    for part, result, problem, _ in done:
        message, hint = "", ""
        if problem is not None:
            message = problem.what if isinstance(problem, InputError) else f"{type(problem).__name__}: {problem}"
            hint = problem.hint if isinstance(problem, InputError) else ""
            warnings.append(IrassayWarning("part", f"{part} could not be made: {message}"))
        rows.append(
            {
                "part": part,
                "done": result is not None,
                "tables": None if result is None else len(result.tables),
                "warnings": None if result is None else len(result.warnings),
                "problem": message,
                "hint": hint,
            }
        )
    results = [one.result for one in done if one.result is not None]
    table = Table("parts", columns(rows), f"{len(results)} of {len(rows)} parts were made")
    data = results[0].provenance if results else {}
    provenance = {name: data[name] for name in ("qrels", "runs", "topics") if name in data}
    result = Result("study", (table,), tuple(warnings), {"irassay": __version__, **provenance})
    return registry.describe(registry.studies()["study"], result)


def findings(result: Result) -> list[str]:
    rows = rows_of(result["parts"])
    done = [safe(row["part"]) for row in rows if row["done"]]
    failed = [f"{safe(row['part'])} ({safe(row['problem'])})" for row in rows if not row["done"]]
    sentences = [f"Done: {join(done or ['nothing'])}."]
    if failed:
        sentences.append(f"Failed: {'; '.join(failed)}.")
    return sentences
