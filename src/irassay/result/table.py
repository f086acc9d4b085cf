"""Tables: columns of labels and numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, MissingExtraError

Column = Sequence[object] | NDArray[Any]


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
