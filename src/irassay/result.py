"""What a study hands back: tables, figures as records, the warnings it met, and how it came about.

Every report is made from a `Result` and from nothing else, so a table holds labels and numbers only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning, MissingExtraError

if TYPE_CHECKING:
    from irassay.report.notebook import Picture

Column = Sequence[object] | NDArray[Any]

# Raised whenever the same inputs, options and seed give other numbers than before.
NUMERICS = 1

# What a figure may be, and which columns beyond x and y it then draws from.
FIGURE_KINDS: Mapping[str, tuple[str, ...]] = {
    "curve": (),
    "bars": (),
    "histogram": (),
    "matrix": ("value",),
    "points": (),
    "intervals": ("low", "high"),
    "boxes": ("low", "lower", "upper", "high"),
}
CHANNELS = ("x", "y", "series", "value", "low", "lower", "upper", "high", "facet")


def decimals(standard_error: float) -> int:
    """Decimals worth showing: clamp(-floor(log10(standard error)), 2, 4), and 4 where no error is known."""
    if math.isnan(standard_error) or standard_error == 0.0:
        return 4
    if math.isinf(standard_error):
        return 2
    return min(4, max(2, -math.floor(math.log10(standard_error))))


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Columns of one length. `digits` says how many decimals a column shows on a screen; files keep all.

    `bold` says above which value the numbers of a column stand out where a format has bold type.
    """

    name: str
    columns: Mapping[str, Column]
    caption: str = ""
    digits: Mapping[str, int] = field(default_factory=dict)
    bold: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = {name: _frozen(column) for name, column in self.columns.items()}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(f"the columns of table {self.name!r} differ in length: {lengths}")
        for what in ("digits", "bold"):
            unknown = [name for name in getattr(self, what) if name not in columns]
            if unknown:
                raise InputError(f"table {self.name!r} has {what} for columns it does not have: {unknown}")
        object.__setattr__(self, "columns", MappingProxyType(columns))
        object.__setattr__(self, "digits", MappingProxyType(dict(self.digits)))
        object.__setattr__(self, "bold", MappingProxyType(dict(self.bold)))

    def __reduce__(self) -> tuple[object, ...]:
        # mapping proxies do not pickle, and studies may run in other processes
        return Table, (self.name, dict(self.columns), self.caption, dict(self.digits), dict(self.bold))

    def __len__(self) -> int:
        """How many rows."""
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"

    def __getitem__(self, column: str) -> Column:
        return self.columns[column]

    def rows(self) -> Iterator[tuple[object, ...]]:
        """The rows as plain Python values, never numpy's; an undefined one is None or NaN."""
        return zip(*(python_values(column) for column in self.columns.values()), strict=True)

    def stands_out(self, column: str, value: object) -> bool:
        """Whether a cell is bold."""
        limit = self.bold.get(column)
        return limit is not None and isinstance(value, (int, float)) and value > limit

    def _repr_html_(self) -> str:
        from irassay.report.notebook import table_html

        return table_html(self)

    def to_pandas(self) -> Any:
        """A pandas data frame with the table's columns."""
        try:
            import pandas
        except ImportError:
            raise MissingExtraError("frames", "a pandas data frame") from None
        # names that are not UTF-8 fit no Arrow string; Python objects hold anything
        return pandas.DataFrame(
            {
                name: pandas.Series(python_values(column), dtype=object) if not_utf8(column) else column
                for name, column in self.columns.items()
            }
        )

    def to_polars(self) -> Any:
        """A polars data frame with the table's columns; a column with names that are not UTF-8 is Binary."""
        try:
            import polars
        except ImportError:
            raise MissingExtraError("frames", "a polars data frame") from None
        return polars.DataFrame({name: utf8_or_bytes(column) for name, column in self.columns.items()})


class Mark(NamedTuple):
    """A line across a figure at a place on its `x` or `y` axis, such as a horizontal one at alpha.

    On the axis `diagonal` it is y = x + at. With `facet` it stands in the small figure of that value only.
    """

    axis: str
    at: float
    label: str = ""
    facet: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure as data: which columns of which table to draw, and what to say about them.

    The `CHANNELS` name columns; `series` tells curves or groups of bars apart, `facet` makes a small figure for each of
    its values, `value` is what a cell of a matrix shows. Around `y`, `low` and `high` are the ends of an interval or of
    a box's whiskers, `lower` and `upper` the edges of a box. `where` keeps the rows that have a value in a column.
    `labels` goes from channels to text, the column's name where it says nothing. `alt` is for people who cannot see the
    figure.
    """

    name: str
    kind: str
    table: str
    _: KW_ONLY
    x: str
    y: str
    series: str | None = None
    value: str | None = None
    low: str | None = None
    lower: str | None = None
    upper: str | None = None
    high: str | None = None
    facet: str | None = None
    where: Mapping[str, object] = field(default_factory=dict, hash=False)
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    caption: str
    alt: str
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in FIGURE_KINDS:
            hint = f"there are {', '.join(FIGURE_KINDS)}"
            raise InputError(f"figure {self.name!r} is of no known kind: {self.kind!r}", hint=hint)
        needed = FIGURE_KINDS[self.kind]
        for channel in ("value", "low", "lower", "upper", "high"):
            if (channel in needed) != (getattr(self, channel) is not None):
                kinds = ", ".join(kind for kind, channels in FIGURE_KINDS.items() if channel in channels)
                raise InputError(f"figure {self.name!r}: {kinds}, and nothing else, has the channel {channel}")
        missing = [what for what in ("name", "caption", "alt") if not getattr(self, what).strip()]
        if missing:
            raise InputError(f"figure {self.name!r} has no {' and no '.join(missing)}")
        drawn = [channel for channel in CHANNELS if getattr(self, channel) is not None]
        unknown = [channel for channel in self.labels if channel not in drawn]
        if unknown:
            raise InputError(f"figure {self.name!r} has labels for what it does not draw: {unknown}")
        marks = tuple(mark._replace(at=float(mark.at)) for mark in (Mark(*mark) for mark in self.marks))
        for mark in marks:
            if mark.axis not in ("x", "y", "diagonal") or not math.isfinite(mark.at):
                raise InputError(f"figure {self.name!r} has a mark that is no place on x or y: {tuple(mark)}")
            if mark.facet and self.facet is None:
                raise InputError(f"figure {self.name!r} has no facets, but a mark in one: {tuple(mark)}")
        object.__setattr__(self, "labels", MappingProxyType(dict(self.labels)))
        object.__setattr__(self, "where", MappingProxyType(dict(self.where)))
        object.__setattr__(self, "marks", marks)

    def __reduce__(self) -> tuple[object, ...]:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return _figure, ({**values, "labels": dict(self.labels), "where": dict(self.where)},)

    def columns(self) -> tuple[str, ...]:
        """The columns it draws or looks at."""
        drawn = (getattr(self, channel) for channel in CHANNELS)
        return tuple(dict.fromkeys((*(column for column in drawn if column is not None), *self.where)))

    def label(self, channel: str) -> str:
        """What to write beside one of the `CHANNELS`."""
        return self.labels.get(channel) or getattr(self, channel) or ""


def _figure(values: dict[str, Any]) -> Figure:
    return Figure(**values)


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The tables and figures of one study, with its warnings and its provenance (inputs, policies, seeds, versions)."""

    study: str
    tables: tuple[Table, ...]
    warnings: tuple[IrassayWarning, ...] = ()
    provenance: Mapping[str, object] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    numerics: int = NUMERICS

    def __post_init__(self) -> None:
        names = [table.name for table in self.tables]
        if len(set(names)) < len(names):
            raise InputError(f"two tables of {self.study!r} have one name: {', '.join(names)}")
        if "provenance" in names:
            raise InputError("a table cannot be called 'provenance': the JSON report uses that name")
        self._check_figures()
        object.__setattr__(self, "tables", tuple(self.tables))
        object.__setattr__(self, "figures", tuple(self.figures))
        object.__setattr__(self, "warnings", tuple(self.warnings))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    def _check_figures(self) -> None:
        tables = {table.name: table for table in self.tables}
        seen: set[str] = set()
        for figure in self.figures:
            if figure.name in seen:
                raise InputError(f"two figures of {self.study!r} have one name: {figure.name}")
            seen.add(figure.name)
            if figure.table not in tables:
                raise InputError(f"figure {figure.name!r} draws a table that is not there: {figure.table!r}")
            absent = [column for column in figure.columns() if column not in tables[figure.table].columns]
            if absent:
                raise InputError(f"figure {figure.name!r} draws columns that {figure.table!r} does not have: {absent}")

    def __reduce__(self) -> tuple[object, ...]:
        content = (self.study, self.tables, self.warnings, dict(self.provenance), self.figures, self.numerics)
        return Result, content

    def __getitem__(self, table: str) -> Table:
        for candidate in self.tables:
            if candidate.name == table:
                return candidate
        raise KeyError(f"{self.study} has no table {table!r}; it has {', '.join(t.name for t in self.tables)}")

    def picture(self, figure: str) -> Picture:
        """The figure of that name with what it draws: a notebook shows it, and it knows itself as SVG, PDF and PNG."""
        from irassay.report.notebook import Picture

        for candidate in self.figures:
            if candidate.name == figure:
                return Picture(candidate, self[candidate.table])
        raise KeyError(f"{self.study} has no figure {figure!r}; it has {', '.join(f.name for f in self.figures)}")

    def _repr_html_(self) -> str:
        from irassay.report.notebook import result_html

        return result_html(self)

    def __repr__(self) -> str:
        tables = ", ".join(f"{table.name} ({len(table)} rows)" for table in self.tables)
        return f"<Result of {self.study}: {tables}; {len(self.warnings)} warnings>"


def _frozen(column: Column) -> Column:
    if not isinstance(column, np.ndarray):
        return tuple(column)
    copy = np.array(column)
    copy.setflags(write=False)
    return copy


def python_values(column: Column) -> Sequence[object]:
    """The cells of a column as plain Python values."""
    if isinstance(column, np.ndarray):
        values: list[object] = column.tolist()
        return values
    return [value.item() if isinstance(value, np.generic) else value for value in column]


def not_utf8(column: Column) -> bool:
    """Whether a column holds text with bytes that are not UTF-8 (kept as surrogate escapes)."""
    if isinstance(column, np.ndarray) and column.dtype.kind not in "OU":
        return False
    return any(isinstance(value, str) and not _is_utf8(value) for value in column)


def utf8_or_bytes(column: Column) -> Column:
    """The column, or the original bytes of its text where an Arrow string could not hold it."""
    if not not_utf8(column):
        return column
    return [
        value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for value in python_values(column)
    ]


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
