"""What a study returns: tables, figures as records, findings, notes, warnings, and how it came about.

Every report is made from a `Result` and from nothing else, so a table holds labels and numbers only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from irassay.choices import LAYOUTS
from irassay.errors import InputError, IrassayWarning
from irassay.result.figure import (
    CHANNELS,
    FIGURE_KINDS,
    VERDICTS,
    Figure,
    Mark,
    check_columns,
    figures_of,
    interval_around,
)
from irassay.result.headline import PLACES, QUESTIONS, Concern, Headline, worst_first
from irassay.result.table import (
    Column,
    Frozen,
    Table,
    below_each_other,
    column_decimals,
    decimals,
    holds_text,
    not_utf8,
    python_values,
    utf8_or_bytes,
)

if TYPE_CHECKING:
    from irassay.report.notebook import Picture

__all__ = [
    "CHANNELS",
    "FIGURE_KINDS",
    "LAST",
    "NUMERICS",
    "PLACES",
    "QUESTIONS",
    "VERDICTS",
    "Column",
    "Concern",
    "Figure",
    "Headline",
    "Mark",
    "Notes",
    "Result",
    "Table",
    "below_each_other",
    "column_decimals",
    "decimals",
    "figures_of",
    "holds_text",
    "interval_around",
    "not_utf8",
    "python_values",
    "utf8_or_bytes",
    "worst_first",
]

# Raised whenever the same inputs, options and seed give other numbers than before.
NUMERICS = 3
Part = TypeVar("Part", Table, Figure)
NO_HEADLINE = Headline()
LAST = 1000  # the place in a report of a result that does not say its own


@dataclass(frozen=True)
class Notes:
    """What readers should know about a study; `references` are full texts."""

    question: str = ""
    how: str = "The tables say what was computed."
    distrust: str = "There are no notes on this study."
    references: tuple[str, ...] = ()


class Paste(Protocol):
    """Lays the main table of a result out for a paper; without a layout as the study thinks best."""

    def __call__(self, result: Result, layout: str | None, digits: int | None) -> Table: ...


@dataclass(frozen=True, eq=False, repr=False)
class Result(Frozen):
    """The tables and figures of one study, with its warnings and its provenance (inputs, policies, seeds, versions).

    `findings` are plain sentences, the most important first. `details` names the tables that most readers skip.
    `order` is the place of the study in a report, `headline` what it gives to the first screen of one.
    """

    study: str
    tables: tuple[Table, ...]
    warnings: tuple[IrassayWarning, ...] = ()
    provenance: Mapping[str, object] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    numerics: int = NUMERICS
    findings: tuple[str, ...] = ()
    notes: Notes = Notes()
    details: tuple[str, ...] = ()
    order: int = LAST
    headline: Headline = NO_HEADLINE
    paste: Paste | None = field(default=None, compare=False)  # lays the main table out for a paper; not saved

    def __post_init__(self) -> None:
        for kind, parts in (("tables", self.tables), ("figures", self.figures)):
            names = [part.name for part in parts]
            if len(set(names)) < len(names):
                raise InputError(f"two {kind} of {self.study!r} have one name: {', '.join(names)}")
        if "provenance" in self:
            raise InputError("a table cannot be called 'provenance': the JSON report uses that name")
        for figure in self.figures:
            if figure.table not in self:
                raise InputError(f"figure {figure.name!r} draws a table that is not there: {figure.table!r}")
            check_columns(figure, self[figure.table])
        absent = [name for name in self.headline.tables.values() if name not in self]
        if absent:
            raise InputError(f"the headline of {self.study!r} names tables that are not there: {', '.join(absent)}")
        sequences = ("tables", "figures", "warnings", "findings", "details")
        self._freeze(provenance=self.provenance, **{part: tuple(getattr(self, part)) for part in sequences})

    def __getitem__(self, table: str) -> Table:
        return self._named("table", self.tables, table)

    def __contains__(self, table: object) -> bool:
        return any(candidate.name == table for candidate in self.tables)

    @property
    def summary(self) -> tuple[str, ...]:
        """The findings; where there are none, as in folders that version 0.1 saved, the sizes of the tables."""
        sizes = [f"{table.name} ({len(table):,} row{'s' * (len(table) != 1)})" for table in self.tables]
        return self.findings or (f"This result has the tables: {', '.join(sizes)}." if sizes else "It has no tables.",)

    def picture(self, figure: str) -> Picture:
        """The figure of that name with what it draws: a notebook shows it, and it knows itself as SVG, PDF and PNG."""
        from irassay.report.notebook import Picture

        record = self._named("figure", self.figures, figure)
        return Picture(record, self[record.table])

    def to_latex(
        self,
        table: str | None = None,
        *,
        layout: str | None = None,
        width: str | None = None,
        digits: int | None = None,
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """A table as LaTeX. Without a name it is the main one, of a result just made as `--latex` prints it.

        `layout` is 'wide', systems by measures with signs of significance, or 'long'. `width` makes it fit into 'one'
        or 'two' columns of a two-column page. `digits` are decimals of scores and differences.
        """
        from irassay.report import to_latex

        return to_latex(self.for_paper(table, layout=layout, digits=digits), width=width, caption=caption, label=label)

    def to_markdown(
        self,
        table: str | None = None,
        *,
        layout: str | None = None,
        digits: int | None = None,
        caption: str | None = None,
    ) -> str:
        """A table as Markdown. Without a name it is the main one, of a result just made as `--markdown` prints it."""
        from irassay.report import to_markdown

        return to_markdown(self.for_paper(table, layout=layout, digits=digits), caption=caption)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save all that `--out` saves in a folder, which appears whole or not at all; `load_result` reads it."""
        from irassay.report import save_result

        save_result(self, folder, readable=True)

    def for_paper(self, name: str | None = None, *, layout: str | None = None, digits: int | None = None) -> Table:
        """A table for readers: the main one, or that of a name."""
        from irassay.report import show_bounds, wide, with_digits

        if layout is not None and layout not in LAYOUTS:
            raise InputError(f"layout is {layout!r}", hint=f"it is one of {', '.join(LAYOUTS)}")
        if name is None and self.paste is not None:
            return self.paste(self, layout, digits)
        if name is None and not self.tables:
            raise InputError(f"the result of {self.study} has no tables")
        main = next((table for table in self.tables if table.name not in self.details), *self.tables[:1])
        table = with_digits(main if name is None else self[name], digits)
        return wide(table) if layout == "wide" else show_bounds(table, self)

    def _named(self, kind: str, parts: tuple[Part, ...], name: str) -> Part:
        for part in parts:
            if part.name == name:
                return part
        raise KeyError(f"{self.study} has no {kind} {name!r}; it has {', '.join(part.name for part in parts)}")

    def _repr_html_(self) -> str:
        from irassay.report.notebook import result_html

        return result_html(self)

    def __repr__(self) -> str:
        tables = ", ".join(f"{table.name} ({len(table)} rows)" for table in self.tables)
        return f"<Result of {self.study}: {tables}; {len(self.warnings)} warnings>"
