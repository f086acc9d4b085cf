"""What a paper is here: its numbered tables and figures, how each is made, and the user's data they are made from."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from irassay.compute.digest import digest
from irassay.errors import InputError, IrassayWarning
from irassay.panel.panel import Panel
from irassay.read import Qrels, Runs
from irassay.read.groups import read_groups
from irassay.result import Figure, Result, Table
from irassay.settings import Execution, Inputs, options
from irassay.studies.execution import collect_warnings, run_study
from irassay.studies.inputs import PanelInput, load_panel
from irassay.studies.kept_results import KeptResults, contents_of
from irassay.studies.papers.settings import PaperStudy

# The names of relevance levels in the papers, from the lowest up, by how many there are: "highly relevant" is S.
LEVELS = {1: "B", 2: "BS", 3: "BAS"}
GAINS = {"S": 3.0, "A": 2.0, "B": 1.0}
PENALTIES = {"S": 2.0, "A": 3.0, "B": 4.0}


class Part(NamedTuple):
    """The tables and figures made for one item; the one with the item's number as its name is the item."""

    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


# Makes an item, given its number. An item that the data cannot give is an `InputError`; the others are still made.
Make = Callable[["PaperContext", str], Part]
Run = Callable[["PaperContext"], Result]  # a study with the paper's settings


class Item(NamedTuple):
    """A table or figure by the paper's own number, such as T2 or F10, and the command that has its numbers.

    `collection`: of which of the paper's collections it is, where that is not the first; `same_as` is then the item
    that shows the same of the first. Of as many collections of a user it is made for that one. `deviates`: why it is
    not what the paper shows, where it is not.
    """

    number: str
    what: str
    study: str = ""
    make: Make | None = None
    same_as: str = ""
    collection: int = 1
    deviates: str = ""

    @property
    def status(self) -> str:
        """Whether one collection gives it, and gives it as the paper has it."""
        if self.collection > 1:
            return "needs a second collection"
        return f"deviates because {self.deviates}" if self.deviates else "delivered"

    @property
    def source(self) -> str:
        """The number of the item that is made as this one."""
        return self.same_as or self.number


@dataclass(frozen=True)
class Paper:
    """A paper: key, reference, its parameters in words (for the documentation), and everything it shows."""

    key: str
    reference: str
    notes: str
    items: tuple[Item, ...]
    top: int | None = None  # systems it takes; None: all
    resamples: int = 1000  # samples of topics, or of lists
    graded: bool = False  # gains and penalties depend on the levels S, A, B of the judgments
    names: Mapping[str, str] = field(default_factory=dict)  # from our names of measures to the paper's own

    def study(self, item: Item) -> str:
        """The command that has an item's numbers."""
        return self._source(item).study

    def make(self, item: Item) -> Make | None:
        """What makes an item."""
        return self._source(item).make

    def _source(self, item: Item) -> Item:
        return next(other for other in self.items if other.number == item.source)


@dataclass
class PaperContext:
    """One paper on one user's data, with the warnings so far and the settings of the studies that were run."""

    paper: Paper
    settings: PaperStudy
    qrels: Qrels
    runs: Runs
    execution: Execution
    kept: KeptResults  # of a run that was interrupted
    warnings: list[IrassayWarning] = field(default_factory=list)
    studies: list[str] = field(default_factory=list)
    collection: int = 1  # which of the user's collections the data are, counted from 1
    _results: dict[str, Result | InputError] = field(default_factory=dict)

    @cached_property
    def grades(self) -> tuple[int, ...]:
        """The relevant grades in the judgments, from the lowest up."""
        return tuple(int(grade) for grade in np.unique(self.qrels.grade[self.qrels.grade > 0]))

    @property
    def levels(self) -> dict[int, str]:
        """Each grade as a level S, A or B; empty where there are more than three."""
        return dict(zip(self.grades, LEVELS.get(len(self.grades), ""), strict=False))

    @property
    def gains(self) -> Any:
        """Gains as an option: the user's, or the paper's for its levels; None: the grades themselves."""
        if self.settings.gains is not None or not self.paper.graded or not self.levels:
            return self.settings.gains
        return ",".join(f"{grade}={GAINS[level]:g}" for grade, level in self.levels.items())

    @property
    def penalties(self) -> str:
        """NWRR's penalties as a parameter: the paper's, and for more than three levels 2 for the highest, then 3, …"""
        by_level = {grade: PENALTIES[level] for grade, level in self.levels.items()}
        penalties = by_level or {grade: 2.0 + n for n, grade in enumerate(reversed(self.grades))}
        return "{" + ",".join(f"{grade}:{penalties[grade]:g}" for grade in self.grades) + "}"

    @cached_property
    def names(self) -> dict[str, str]:
        """From our names of measures to the paper's own; NWRR's penalties depend on the levels in the judgments."""
        penalties = {f"NWRR(penalties={self.penalties})": "NWRR"} if "NWRR" in self.paper.names else {}
        return {**self.paper.names, **penalties}

    def name(self, measure: str) -> str:
        """The paper's own name of a measure."""
        return self.names.get(measure, measure)

    @property
    def resamples(self) -> int:
        """B: the user's, or the paper's."""
        return self.settings.resamples or self.paper.resamples

    @property
    def top(self) -> int | None:
        """How many systems are taken: the user's number, or the paper's."""
        return self.settings.top or self.paper.top

    def run(self, study: type, *, runs: Runs | None = None, **settings: Any) -> Result:
        """A study's result with the user's policies and these settings; the same study is run only once."""
        names = {"seed", *(f.name for f in dataclasses.fields(Inputs))}
        policies = {name: getattr(self.settings, name) for name in options(study) if name in names}
        if "gains" in policies:
            policies["gains"] = self.gains
        configured = study(**{**policies, **settings})
        key = f"{configured!r} {runs.names if runs else ''}"
        if key not in self._results:
            fields = ((f.name, getattr(configured, f.name), f.default) for f in dataclasses.fields(configured))
            changed = [f"{name}={value!r}" for name, value, default in fields if value != default]
            self.studies.append(f"{study.__name__}({', '.join(changed)})")
            try:
                result = self._result(configured, runs, key)
                self.warnings += result.warnings
                self._results[key] = result
            except InputError as problem:
                self._results[key] = problem
        outcome = self._results[key]
        if isinstance(outcome, InputError):
            raise outcome
        return outcome

    def _result(self, configured: Any, runs: Runs | None, key: str) -> Result:
        """The result of a study, which may be there already."""
        name = digest((self._contents, key)) if self.kept.place else ""
        earlier = self.kept.get(name)
        if earlier is not None:
            return earlier
        how = replace(self.execution, out=self.kept.folder(name))
        with collect_warnings(self.warnings):
            result = run_study(configured, self.qrels, runs or self.runs, execution=how)
        self.kept.keep(name, result)
        return result

    @cached_property
    def _contents(self) -> str:
        return contents_of(self.qrels, self.runs)

    @cached_property
    def inputs(self) -> PanelInput:
        """The data aligned under the user's policies and the paper's depth and gains."""
        with collect_warnings(self.warnings):
            settings = replace(self.settings, gains=self.gains)
            inputs = load_panel(settings, self.qrels, self.runs, self.execution)
        self.warnings += inputs.warnings
        return inputs

    @property
    def panel(self) -> Panel:
        return self.inputs.panel

    def ranked(self, measure: str) -> list[tuple[str, float]]:
        """All systems with their scores, the best first; equal ones in the order of the runs."""
        means = self.panel.score(measure, jobs=self.execution.jobs)[measure].means()
        return [(self.panel.systems[i], float(means[i])) for i in np.argsort(-means, kind="stable").tolist()]

    @cached_property
    def groups(self) -> dict[str, str] | None:
        return read_groups(Path(self.settings.groups), self.runs.aliases) if self.settings.groups else None

    def warn(self, code: str, message: str) -> None:
        """Something about the data that a reader of the paper's tables must know."""
        self.warnings.append(IrassayWarning(code, message))
