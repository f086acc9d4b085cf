"""Where a paper's steps work: the user's data, read once, and every study run at most once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from irassay.errors import InputError, IrassayWarning, emit
from irassay.panel.panel import Panel
from irassay.read import Qrels, Runs
from irassay.read.groups import read_groups
from irassay.result import Figure, Result, Table
from irassay.settings import Execution, Inputs, options
from irassay.studies.collect_warnings import listening, unique
from irassay.studies.inputs import PanelInput, load_panel, read_inputs
from irassay.studies.papers.record import Item, Paper, Part
from irassay.studies.tables import columns

if TYPE_CHECKING:
    from irassay.studies.papers.settings import PaperStudy

# What the papers' levels are called, from the lowest up, by how many there are: TREC's "highly relevant" counts as S.
LEVELS = {1: "B", 2: "BS", 3: "BAS"}
GAINS = {"S": 3.0, "A": 2.0, "B": 1.0}
PENALTIES = {"S": 2.0, "A": 3.0, "B": 4.0}


@dataclass
class Workbench:
    """One paper's work on one user's data."""

    paper: Paper
    settings: PaperStudy
    qrels: Qrels
    runs: Runs
    execution: Execution
    said: list[IrassayWarning] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
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
    def gains(self) -> str | None:
        """Gains as an option: the user's, or the paper's for its levels; None: the grades themselves."""
        if self.settings.gains is not None or not self.paper.graded or not self.levels:
            return self.settings.gains  # type: ignore[return-value]  # a mapping is as good
        return ",".join(f"{grade}={GAINS[level]:g}" for grade, level in self.levels.items())

    @property
    def penalties(self) -> str:
        """NWRR's penalties as a parameter: the paper's, and for more than three levels 2 for the highest, then 3, …"""
        named = {g: PENALTIES[level] for g, level in self.levels.items()}
        found = named or {g: 2.0 + n for n, g in enumerate(reversed(self.grades))}
        return "{" + ",".join(f"{grade}:{found[grade]:g}" for grade in self.grades) + "}"

    @property
    def resamples(self) -> int:
        """B: the user's, or the paper's."""
        return self.settings.resamples or self.paper.resamples

    def common(self, study: type) -> dict[str, Any]:
        """What the user said about data and randomness, as far as a study takes it."""
        known = options(study)
        found = {f.name: getattr(self.settings, f.name) for f in dataclasses.fields(Inputs)}
        found |= {"seed": self.settings.seed, "gains": self.gains}
        return {name: value for name, value in found.items() if name in known}

    def run(self, study: type, *, runs: Runs | None = None, **settings: Any) -> Result:
        """A study's result with these settings; asked for again, the same one."""
        asked = study(**{**self.common(study), **settings})
        key = f"{asked!r} {runs.names if runs else ''}"
        if key not in self._results:
            self.used.append(spelled(asked))
            try:
                with listening(self.said):
                    found = asked.run(self.qrels, runs or self.runs, execution=self.execution)
            except InputError as problem:
                self._results[key] = problem
            else:
                self._results[key] = found
                self.said += found.warnings
        result = self._results[key]
        if isinstance(result, InputError):
            raise result
        return result

    @cached_property
    def inputs(self) -> PanelInput:
        """The data aligned under the user's policies and the paper's depth and gains."""
        with listening(self.said):
            settings = replace(self.settings, gains=self.gains)
            inputs = load_panel(settings, self.qrels, self.runs, self.execution)
        self.said += inputs.warnings
        return inputs

    @property
    def panel(self) -> Panel:
        return self.inputs.panel

    def ranked(self, measure: str) -> list[tuple[str, float]]:
        """All systems with their scores, the best first; equal ones as they were given."""
        means = self.panel.score(measure, jobs=self.execution.jobs)[measure].means()
        return [(self.panel.systems[i], float(means[i])) for i in np.argsort(-means, kind="stable").tolist()]

    @cached_property
    def groups(self) -> dict[str, str] | None:
        return read_groups(Path(self.settings.groups)) if self.settings.groups else None

    def note(self, code: str, what: str) -> None:
        """Something about the data that a reader of the paper's tables must know."""
        self.said.append(IrassayWarning(code, what))


def spelled(study: Any) -> str:
    """A study's settings that are not its defaults."""
    given = [
        f"{f.name}={getattr(study, f.name)!r}" for f in dataclasses.fields(study) if getattr(study, f.name) != f.default
    ]
    return f"{type(study).__name__}({', '.join(given)})"


def paper_result(paper: Paper, settings: PaperStudy, qrels: Any, runs: Any, execution: Execution) -> Result:
    """Everything a paper shows that the data can give, under its numbers, and what they cannot and why."""
    said: list[IrassayWarning] = []
    with listening(said):
        qrels, runs = read_inputs(settings, qrels, runs, jobs=execution.jobs)
    bench = Workbench(paper, settings, qrels, runs, execution, said)
    bench.groups  # noqa: B018  # before any work
    provenance = bench.inputs.provenance
    if paper.graded and len(bench.grades) == 1:
        bench.note("binary", "the judgments have one relevant level only: graded measures have nothing to grade")
    part = Part((), ())
    failed: dict[str, InputError] = {}
    for step in paper.steps:
        try:
            tables, figures = step.make(bench)
        except InputError as problem:
            failed |= dict.fromkeys(step.items, problem)
            bench.note("paper-item", f"{', '.join(step.items)} cannot be made: {problem.what}")
        else:
            part = Part((*part.tables, *tables), (*part.figures, *figures))
    if not part.tables:
        raise next(iter(failed.values()))
    made = provenance | {
        "paper": paper.key, "reference": paper.reference, "gains": bench.gains, "seed": settings.seed,
        "resamples": bench.resamples, "studies": bench.used,
    }  # fmt: skip
    told = unique(bench.said)
    emit(told)
    tables = tuple(_captioned(paper, table) for table in part.tables)
    figures = tuple(_titled(paper, figure) for figure in part.figures)
    return Result(paper.key, (_contents(paper, tables, figures, failed), *tables), told, made, figures)


def _contents(paper: Paper, tables: Iterable[Table], figures: Iterable[Figure], failed: dict[str, InputError]) -> Table:
    made = {"T": {table.name for table in tables}, "F": {figure.name for figure in figures}}
    rows = []
    for item in paper.items:
        source = item.same_as or item.number
        delivered = source in made[item.number[0]]
        note = failed[source].what if source in failed else ""
        if delivered and item.same_as:
            note = f"as {item.same_as}: the paper shows one for each of its collections"
        rows.append(
            {
                "item": item.number, "what": item.what, "study": paper.study(item), "delivered": delivered,
                "as": source if delivered else None, "note": note,
            }
        )  # fmt: skip
    count = sum(row["delivered"] is True for row in rows)
    return Table("contents", columns(rows), f"{count} of the paper's {len(rows)} tables and figures from these data")


def _numbers(paper: Paper, item: Item) -> str:
    """Table 2, or Figures 10 and 12 where the paper has one for each of its collections."""
    others = [other.number[1:] for other in paper.items if other.same_as == item.number]
    if not others:
        return item.label
    kind, first = item.label.split()
    return f"{kind}s {', '.join([first, *others[:-1]])} and {others[-1]}"


def _captioned(paper: Paper, table: Table) -> Table:
    item = paper.item(table.name)
    if item is None:
        return table
    start = f"{_numbers(paper, item)}{' (its numbers)' if item.number[0] == 'F' else ''}: {item.what}"
    return replace(table, caption=f"{start}. {table.caption}" if table.caption else start)


def _titled(paper: Paper, figure: Figure) -> Figure:
    item = paper.item(figure.name)
    if item is None:
        return figure
    return replace(figure, caption=f"{_numbers(paper, item)}: {item.what}. {figure.caption}")
