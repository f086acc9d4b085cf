"""Tables: columns of labels and numbers."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, import_extra
from irassay.headers import Header, header_of
from irassay.result import long_columns
from irassay.result.long_columns import LongColumn, as_long, joined
from irassay.settings import MOST_DIGITS
from irassay.tolerance import EQUAL

Column = Sequence[object] | NDArray[Any]
# A byte that is not UTF-8 is read as a surrogate escape, which no Arrow string can hold.
_SURROGATE = re.compile("[\ud800-\udfff]")


def decimals(standard_error: float) -> int:
    """Decimals of two significant digits of a standard error, from 2 to 5; 4 where none is known."""
    if math.isnan(standard_error) or standard_error == 0.0:
        return 4
    if math.isinf(standard_error):
        return 2
    exponent = int(f"{standard_error:.1e}".partition("e")[2])
    return min(5, max(2, 1 - exponent))


def column_decimals(errors: Iterable[float], bounds: Iterable[float] = ()) -> int:
    """The decimals of a column: by the smallest standard error in it, and one more where a bound would round to 0."""
    known = [error for error in errors if error > 0 and math.isfinite(error)]
    places = decimals(min(known, default=0.0))
    half = 0.5 * 10.0**-places
    return places + any(EQUAL < abs(bound) < half for bound in bounds)


class Frozen:
    """Base of frozen dataclasses with read-only mappings, which pickle: studies may run in other processes."""

    def _freeze(self, **values: object) -> None:
        """Set fields once they are checked, mappings as read-only copies."""
        for name, value in values.items():
            frozen = MappingProxyType(dict(value)) if isinstance(value, Mapping) else value
            object.__setattr__(self, name, frozen)

    def __reduce__(self) -> tuple[object, ...]:
        values = {part.name: getattr(self, part.name) for part in fields(self)}  # type: ignore[arg-type]
        # mapping proxies do not pickle
        return partial(
            type(self), **{n: dict(v) if isinstance(v, MappingProxyType) else v for n, v in values.items()}
        ), ()


@dataclass(frozen=True, eq=False, repr=False)
class Table(Frozen):
    """Columns of one length. `digits` says how many decimals a column shows on a screen; files keep all.

    A long column of a long table is read part by part, where it is needed; all others are in memory.

    `bold` says above which value the numbers of a column stand out where a format has bold type, `headers` what is
    written above columns whose usual header (`irassay.headers`) would not say what they hold here.
    """

    name: str
    columns: Mapping[str, Column]
    caption: str = ""
    digits: Mapping[str, int] = field(default_factory=dict)
    bold: Mapping[str, float] = field(default_factory=dict)
    headers: Mapping[str, Header] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = {name: _frozen(column) for name, column in self.columns.items()}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            raise InputError(f"the columns of table {self.name!r} differ in length: {lengths}")
        for what in ("digits", "bold", "headers"):
            unknown = [name for name in getattr(self, what) if name not in columns]
            if unknown:
                raise InputError(f"table {self.name!r} has {what} for columns it does not have: {unknown}")
        for name, digits in self.digits.items():
            if not 0 <= digits <= MOST_DIGITS:
                raise InputError(f"table {self.name!r} has {digits} decimals of {name!r}, not 0 to {MOST_DIGITS}")
        if not all(map(math.isfinite, self.bold.values())):
            raise InputError(f"table {self.name!r} has bold numbers above one that is not finite: {dict(self.bold)}")
        headers = {name: Header(*header) for name, header in self.headers.items()}
        self._freeze(columns=columns, digits=self.digits, bold=self.bold, headers=headers)

    def __len__(self) -> int:
        """How many rows."""
        return len(next(iter(self.columns.values()), ()))

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows of {', '.join(self.columns)}>"

    def __getitem__(self, column: str) -> Column:
        return self.columns[column]

    def header(self, column: str) -> Header:
        """What people read above a column, and what it means."""
        return self.headers.get(column) or header_of(column)

    def rows(self) -> Iterator[tuple[object, ...]]:
        """The rows as plain Python values, never numpy's; an undefined one is None or NaN."""
        for low in range(0, len(self), long_columns.PART):
            parts = (python_values(column[low : low + long_columns.PART]) for column in self.columns.values())
            yield from zip(*parts, strict=True)

    @property
    def long(self) -> bool:
        """Whether it is too long to be in memory as a whole."""
        return any(isinstance(column, LongColumn) for column in self.columns.values())

    def without(self, names: Iterable[str], caption: str) -> "Table":
        """The table without some columns, under another caption."""
        dropped = set(names)
        return self._of({name: column for name, column in self.columns.items() if name not in dropped}, caption)

    def select(self, *columns: str, **values: object) -> "Table":
        """These columns, or all, of the rows with these values: `table.select("system", "mean", measure="AP")`."""
        for name in (*columns, *values):
            if name not in self.columns:
                known = ", ".join(self.columns)
                raise InputError(f"table {self.name!r} has no column {name!r}", hint=f"it has {known}")
        parts = {name: self[name] for name in columns or self.columns}
        if values:
            rows = zip(*(python_values(self[name]) for name in values), strict=True)
            wanted = [place for place, row in enumerate(rows) if row == tuple(values.values())]
            parts = {name: _rows(column, wanted) for name, column in parts.items()}
        return self._of(parts, self.caption)

    def _of(self, columns: Mapping[str, Column], caption: str) -> "Table":
        """A table of some of the columns, which look as they do here."""

        def kept(part: Mapping[str, Any]) -> dict[str, Any]:
            return {name: value for name, value in part.items() if name in columns}

        return Table(self.name, columns, caption, *map(kept, (self.digits, self.bold, self.headers)))

    def is_bold(self, column: str, value: object) -> bool:
        """Whether a cell is bold."""
        limit = self.bold.get(column)
        return limit is not None and isinstance(value, (int, float)) and value > limit

    def _repr_html_(self) -> str:
        from irassay.report.notebook import table_html

        return table_html(self)

    def to_latex(self) -> str:
        """The table as LaTeX, with its caption; needs the package booktabs."""
        from irassay.report import to_latex

        return to_latex(self)

    def to_markdown(self) -> str:
        """The table as Markdown, below its caption."""
        from irassay.report import to_markdown

        return to_markdown(self)

    def to_pandas(self) -> Any:
        """A pandas data frame with the table's columns."""
        pandas = import_extra("pandas", "frames", "a pandas data frame")
        # names that are not UTF-8 fit no Arrow string; Python objects hold anything
        return pandas.DataFrame(
            {
                name: pandas.Series(python_values(column), dtype=object) if not_utf8(column) else _whole(column)
                for name, column in self.columns.items()
            }
        )

    def to_polars(self) -> Any:
        """A polars data frame with the table's columns; a column with names that are not UTF-8 is Binary."""
        polars = import_extra("polars", "frames", "a polars data frame")
        return polars.DataFrame({name: utf8_or_bytes(_whole(column)) for name, column in self.columns.items()})


def _frozen(column: Column) -> Column:
    if isinstance(column, LongColumn) and len(column) > long_columns.MOST:
        return column
    if not isinstance(column, np.ndarray):
        return tuple(column)
    copy = np.array(column)
    copy.setflags(write=False)
    return copy


def _rows(column: Column, places: list[int]) -> Column:
    return column[places] if isinstance(column, np.ndarray) else [column[place] for place in places]


def python_values(column: Column) -> Sequence[object]:
    """The cells of a column as plain Python values."""
    if isinstance(column, np.ndarray):
        return list(column.tolist())
    return [value.item() if isinstance(value, np.generic) else value for value in column]


def _whole(column: Column) -> Column:
    """A long column in memory: its numbers as an array."""
    return np.asarray(column) if isinstance(column, LongColumn) and column.labels is None else column


def below_each_other(columns: Sequence[Column]) -> Column:
    """Columns of several tables as one."""
    arrays = [column for column in columns if isinstance(column, np.ndarray)]
    if len(arrays) == len(columns) and len({array.dtype.kind for array in arrays}) == 1:
        return np.concatenate(arrays)
    if any(isinstance(column, LongColumn) for column in columns):
        long = [as_long(column) for column in columns if len(column)]
        alike = len({one.labels is None for one in long if one is not None}) == 1
        if alike and None not in long:
            return joined([one for one in long if one is not None])
    return [value for column in columns for value in python_values(column)]


def holds_text(column: Column) -> bool:
    """Whether any cell is text, or a truth value."""
    if isinstance(column, LongColumn):
        return column.labels is not None
    kinds = set(map(type, python_values(column)))  # few, where cells are many
    return any(issubclass(kind, (str, bool)) for kind in kinds)


def not_utf8(column: Column) -> bool:
    """Whether a column holds text with bytes that are not UTF-8 (kept as surrogate escapes)."""
    if isinstance(column, np.ndarray) and column.dtype.kind not in "OU":
        return False
    if isinstance(column, LongColumn):
        column = column.labels or ()
    return any(isinstance(value, str) and _SURROGATE.search(value) for value in column)


def utf8_or_bytes(column: Column) -> Column:
    """The column, or the original bytes of its text where an Arrow string could not hold it."""
    if not not_utf8(column):
        return column
    return [
        value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value for value in python_values(column)
    ]
