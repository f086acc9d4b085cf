"""The full study delivered: a result folder for each part, what failed, and one report of it all."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from irassay._version import __version__
from irassay.errors import InputError, IrassayWarning, UnavailableError, emit
from irassay.files import temporary_neighbour
from irassay.measures import parse
from irassay.progress import track
from irassay.read import Qrels, Runs
from irassay.report import with_digits
from irassay.report.place import claimed
from irassay.result import Result, Table
from irassay.settings import Execution, options
from irassay.studies import registry
from irassay.studies.collection_settings import StudyInput, located, study_inputs
from irassay.studies.execution import collect_warnings, one_cluster, run_study, unique
from irassay.studies.inputs import read_inputs
from irassay.studies.kept_results import KeptResults, contents_of
from irassay.studies.merge import merge_results, merge_warnings
from irassay.studies.phrases import join, restrict, safe
from irassay.studies.saving import SETTINGS, check_settings, settings_record
from irassay.studies.study.folder import OVERVIEW, REPORT, check_place, save_parts, save_study
from irassay.studies.study.settings import FullStudy
from irassay.studies.tables import columns
from irassay.studies.titles import with_title

OWN_OPTIONS = ("only", "title")  # that no part has


class Done(NamedTuple):
    """One part of a full study: its result, or what went wrong."""

    part: str
    result: Result | None
    problem: Exception | None = None
    collection: str = ""  # of several
    kept: bool = False  # from a run that was interrupted

    @property
    def title(self) -> str:
        """The part, of several collections with the name of its."""
        return f"{self.collection}: {self.part}" if self.collection else self.part

    def failed(self, problem: Exception) -> "Done":
        """The part with a problem in place of its result."""
        return self if self.result is None else self._replace(result=None, problem=problem)

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
    return run_full_study(inputs, execution.out, execution)


def run_full_study(
    inputs: Sequence[StudyInput],
    out: str | os.PathLike[str] | None,
    execution: Execution,
    *,
    command: str = "",
    on_done: Callable[[Done], None] = lambda done: None,
) -> FullStudyResults:
    """The results by part, `failures` and `overview`.

    With `out` there is a result folder of every part below it, and one page, report.html, of them all. They appear
    when all is done; until then what was there before stays, and finished parts are kept for the same work given
    again. A part that fails is in `failures`, and the rest is delivered. `on_done` is called with each part. Several
    inputs are collections, of which every part is one result.
    """
    studies = {one.collection: _studies(one.settings) for one in inputs}
    for one in inputs:
        parse(one.settings.measures)  # a slip in it would fail every part
    record = settings_record(inputs)
    work = Work(inputs, studies, execution, command, on_done)
    if out is None:
        return work.run(None, record)

    def check(target: Path, where: str) -> None:
        check_place(target, where)
        check_settings(target / OVERVIEW, where, record, force=execution.force)

    with claimed(out, check) as target:
        return work.run(target, record)


@dataclass(frozen=True)
class Work:
    """What a full study does: the parts of each collection, one after the other."""

    inputs: Sequence[StudyInput]
    studies: Mapping[str, Mapping[str, registry.Study]]  # by collection and part
    execution: Execution
    command: str
    on_done: Callable[[Done], None]

    def run(self, target: Path | None, record: Mapping[str, str]) -> FullStudyResults:
        data = {one.collection: _read(one, self.execution) for one in self.inputs}
        contents = {name: contents_of(*of) for name, of in data.items()} if target is not None else {}
        kept = KeptResults(target, record, contents, force=self.execution.force)
        try:
            with one_cluster(self.execution):
                done = self._parts(data, kept)
        except BaseException:
            kept.discard_if_empty()
            raise
        results = self._merged(done)
        if target is None:
            return FullStudyResults(tuple(done), self._overview(done, record), results)
        with temporary_neighbour(target) as fresh:
            problems = save_parts(fresh, results)
            done = [one.failed(problems[one.part]) if one.part in problems else one for one in done]
            results = {part: result for part, result in results.items() if part not in problems}
            overview = self._overview(done, record)
            save_study(target, fresh, overview)
        return FullStudyResults(tuple(done), overview, results, target / REPORT)

    def _parts(self, data: Mapping[str, tuple[Qrels, Runs]], kept: KeptResults) -> list[Done]:
        configured = {
            one.collection: {
                name: _settings_of(study, one.settings, len(data[one.collection][1]))
                for name, study in self.studies[one.collection].items()
            }
            for one in self.inputs
        }
        full_studies = {one.collection: one.settings for one in self.inputs}
        done: list[Done] = []
        seen: set[str] = set()
        for part in track("study", dict.fromkeys(part for own in configured.values() for part in own), str):
            of_part = {name: own[part] for name, own in configured.items() if part in own}
            finished = _run_part(part, of_part, data, self._names(), full_studies, self.execution, seen, kept)
            done += finished
            for each in finished:
                self.on_done(each)
        return done

    def _names(self) -> dict[str, str]:
        """What each collection is called in titles."""
        return {one.collection: (not one.collection and self._title) or one.name for one in self.inputs}

    @property
    def _title(self) -> str:
        return self.inputs[0].settings.title or ""

    def _merged(self, done: Sequence[Done]) -> dict[str, Result]:
        """A part of all collections as one result; a title that the user gives stands before theirs."""
        merged: dict[str, Result] = {}
        for part in dict.fromkeys(one.part for one in done if one.result is not None):
            own = {one.collection: one.result for one in done if one.part == part and one.result is not None}
            result = merge_results(own)
            if self._title and len(own) > 1:
                result = with_title(result, f"{safe(self._title)}: {result.headline.title}")
            merged[part] = self._with_command(result)
        return merged

    def _overview(self, done: list[Done], record: Mapping[str, str]) -> Result:
        result = self._with_command(_merged_overview(done))
        return replace(result, provenance={**result.provenance, SETTINGS: dict(record)})

    def _with_command(self, result: Result) -> Result:
        """The result with the command that made it, where there was one."""
        return replace(result, provenance={**result.provenance, "command": self.command}) if self.command else result


def _read(one: StudyInput, execution: Execution) -> tuple[Qrels, Runs]:
    try:
        return read_inputs(one.settings, one.qrels, one.runs, jobs=execution.jobs)
    except InputError as problem:
        raise (located(problem, f"collection {one.collection}") if one.collection else problem) from None


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
    values = {name: getattr(full_study, name) for name in options(FullStudy) if name not in OWN_OPTIONS}
    if study.part_options is not None:
        values = study.part_options(values, systems)
    elif "one_per_group" in known:
        del values["groups"]  # alone it selects nothing
    return settings(**{name: value for name, value in values.items() if name in known and value is not None})


def _fewer_measures(part: str, settings: Any, full_study: FullStudy) -> list[str]:
    """A sentence where a part is by fewer measures than the full study; parts that look at the data take their own."""
    if part == "check" or not hasattr(settings, "measures"):
        return []
    all_measures, own = parse(full_study.measures), parse(settings.measures)
    if len(own) == len(all_measures):
        return []
    named = join([safe(str(measure)) for measure in own])
    return [f"It is by {named} alone, {len(own)} of {len(all_measures)} measures; `irassay {part}` alone takes all."]


def _with_digits(result: Result, settings: Any, full_study: FullStudy) -> Result:
    """With the decimals that are wanted; some parts have seen to that."""
    if "digits" in options(type(settings)):
        return result
    return replace(result, tables=tuple(with_digits(table, full_study.digits) for table in result.tables))


def _run_part(
    part: str,
    configured: Mapping[str, Any],
    data: Mapping[str, tuple[Qrels, Runs]],
    names: Mapping[str, str],
    full_studies: Mapping[str, FullStudy],
    execution: Execution,
    seen: set[str],
    kept: KeptResults,
) -> list[Done]:
    """A part for each collection; one that fails has its problem. Warnings that were `seen` are not repeated."""
    done = []
    collected: dict[str, tuple[IrassayWarning, ...]] = {}
    for number, (collection, settings) in enumerate(configured.items(), 1):
        name = f"{part}-{number}" if collection else part
        if (earlier := kept.get(name)) is not None:
            done.append(Done(part, earlier, None, collection, kept=True))
            collected[collection] = ()  # said when it was made
            continue
        warnings: list[IrassayWarning] = []
        try:
            with collect_warnings(warnings):
                how = replace(execution, out=kept.folder(name))
                result = run_study(settings, *data[collection], execution=how, name=names[collection])
                result = restrict(result, _fewer_measures(part, settings, full_studies[collection]))
                result = _with_digits(result, settings, full_studies[collection])
            kept.keep(name, result)
            done.append(Done(part, result, None, collection))
        except UnavailableError:  # given again it goes on
            raise
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
    for part, result, problem, *_ in done:
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
