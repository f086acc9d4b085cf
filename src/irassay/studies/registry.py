"""The registry of studies: what the command line, Python functions, documentation and reports know of each.

A study is a package in `irassay.studies` whose `__init__.py` holds `STUDY = Study(...)`; it is found by looking. Its
code is named by import paths, "module:name", and loaded on use: `irassay --help` imports neither numpy nor numba.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import irassay.studies
from irassay.errors import InputError

if TYPE_CHECKING:
    from irassay.result import Result, Table


class Study(NamedTuple):
    """One study. A path is that of an import, "module:name"."""

    name: str  # of the command; with underscores that of the Python function
    order: int  # place in `irassay --help`
    help: str  # one line
    settings: str  # path of the settings class
    run: str  # path of a function (settings, qrels, runs, execution) -> result; its docstring names the tables
    question: str  # that the study answers
    how: str  # the answer is computed
    distrust: str  # when to distrust the answer
    findings: str  # path of a function from the result to a list of sentences
    cites: tuple[str, ...] = ()  # keys of `irassay.references.REFERENCES`
    details: tuple[str, ...] = ()  # tables that a screen leaves out; all others are main tables
    view: str = ""  # path of a function (result, settings) -> the tables as a screen shows them
    headline: str = ""  # path of a function from the result to what it gives to the first screen of a report
    advice: str = ""  # path of a function from the result to sentences for stderr: a verdict, what else could be asked
    paste: str = ""  # the table that can be printed alone as LaTeX, Markdown or CSV
    # path of a function (result, that table with its digits, layout or None) -> the table as a paper has it
    layouts: str = ""
    # QRELS and runs or score tables; only QRELS and runs; QRELS, more judgments and perhaps runs; no data
    data: Literal["scores", "runs", "judgments", "none"] = "scores"
    execution: Literal["Execution", "Saved", "Threads"] = "Execution"  # the class in `irassay.settings`
    section: int | None = None  # place in a report and in `irassay study`, where `order` is not
    together: bool = False  # whether it takes several collections at once: `run` then has their inputs as `qrels`
    part: bool = False  # whether `irassay study` runs it
    leading: tuple[str, ...] = ()  # arguments of the Python function before its data
    call: str = "irassay.studies.functions:run_and_save"  # path of what that function does, and
    returns: str = "Result"  # the name of what comes of it
    # from the options of `irassay study` and the number of systems to its options there, where they are not the same
    part_options: Callable[[dict[str, Any], int], dict[str, Any]] | None = None

    @property
    def place(self) -> int:
        """The place in a report and in `irassay study`."""
        return self.order if self.section is None else self.section

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of the Python function before its keywords."""
        return self.leading if self.data == "none" else (*self.leading, "qrels", "runs")

    def tables_for_screen(self, result: Result, settings: object) -> Sequence[Table]:
        """The tables as a terminal shows them, without details."""
        if self.view:
            return list(load(self.view)(result, settings))
        return [table for table in result.tables if table.name not in self.details]


_added: dict[str, Study] = {}


@cache
def _in_package() -> tuple[Study, ...]:
    modules = pkgutil.iter_modules(irassay.studies.__path__, "irassay.studies.")
    packages = (import_module(module.name) for module in modules if module.ispkg)
    return tuple(package.STUDY for package in packages if hasattr(package, "STUDY"))


def studies() -> dict[str, Study]:
    """All studies by name, in the order of `irassay --help`."""
    ordered = sorted((*_in_package(), *_added.values()), key=lambda study: study.order)
    return {study.name: study for study in ordered}


def register(study: Study) -> None:
    """Add a study at run time."""
    if study.name in studies():
        raise InputError(f"there is a study {study.name!r} already", hint="give it another name")
    _added[study.name] = study


def unregister(name: str) -> None:
    """Remove a study that was added at run time."""
    del _added[name]


def parts() -> dict[str, Study]:
    """The studies that `irassay study` runs, in its order."""
    chosen = [study for study in studies().values() if study.part]
    return {study.name: study for study in sorted(chosen, key=lambda study: study.place)}


def study_of(settings: object) -> Study:
    """The registered study with this settings object."""
    path = f"{type(settings).__module__}:{type(settings).__qualname__}"
    return next(study for study in studies().values() if study.settings == path)


def load(path: str) -> Any:
    """What an import path names."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def describe(study: Study, result: Result, settings: object = None, name: str = "") -> Result:
    """The result with its findings, notes, details, place in a report, and main table as a paper shows it.

    `name` is what the user calls the collection.
    """
    from dataclasses import replace

    from irassay.references import REFERENCES
    from irassay.result import Notes
    from irassay.studies.phrases import restrict, restrictions_of
    from irassay.studies.titles import title_of, with_title

    # the result of a paper has the paper's key as its name
    cites = study.cites or tuple(key for key in (result.study,) if key in REFERENCES)
    described = replace(
        result,
        headline=load(study.headline)(result) if study.headline else result.headline,
        findings=tuple(load(study.findings)(result)),
        notes=Notes(study.question, study.how, study.distrust, tuple(REFERENCES[key] for key in cites)),
        details=tuple(table.name for table in result.tables if table.name in study.details),
        order=study.place,
    )
    described = restrict(described, restrictions_of(result.provenance))
    described = with_title(described, title_of(result.provenance, name))
    return replace(described, paste=partial(_for_paper, study, settings)) if study.paste else described


def _for_paper(study: Study, settings: object, result: Result, layout: str | None, digits: int | None) -> Table:
    """The main table of a study for a paper."""
    from dataclasses import replace

    from irassay.report import show_bounds, wide, with_digits

    table = with_digits(result[study.paste], digits)
    if study.layouts:
        return cast("Table", load(study.layouts)(result, table, layout))
    if layout == "wide":
        return wide(table)
    tables = tuple(table if one.name == table.name else one for one in result.tables)
    shown = study.tables_for_screen(replace(result, tables=tables), settings)
    main = next(one for one in shown if one.name == study.paste)
    return show_bounds(with_digits(main, digits) if study.view else table, result)
