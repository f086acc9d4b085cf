"""One parameter of a measure: its default, what it means, and which values it takes."""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, TypeGuard

# A table {grade: number} is kept as sorted pairs, so that a measure can be hashed.
Table = tuple[tuple[int, float], ...]
Value = bool | int | float | str | Table
Kind = Literal["number", "integer", "text", "truth", "table"]

TOP_GRADE = 127  # grades are int8 everywhere
# Sums of a million gains of 1e9 are still exact to a unit in a double, and no square or quotient of two numbers in
# these bounds overflows or vanishes: beyond them a measure would be inf, NaN or noise where its definition is not.
SMALLEST, LARGEST = 1e-9, 1e9
SIZES = "0 or from 1e-9 to 1e9"

_KINDS: dict[type, Kind] = {bool: "truth", int: "integer", float: "number", str: "text", tuple: "table"}
_WORDS: dict[Kind, str] = {
    "number": "a number",
    "integer": "a whole number",
    "text": "a text in quotes",
    "truth": "True or False",
    "table": "a table such as {1:1,2:3}",
}


@dataclass(frozen=True)
class Param:
    """A parameter; its kind is `value_type`, or that of its default (a default of None has none)."""

    default: Value | None
    help: str
    _: KW_ONLY
    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    value_type: Kind | None = None
    infinite: bool = False  # whether a table takes inf

    @property
    def kind(self) -> Kind:
        return self.value_type or _KINDS[type(self.default)]

    @property
    def allowed(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            *most, last = map(repr, self.choices)
            return f"{', '.join(most)} or {last}" if most else last
        bounds = {"at least": self.low, "at most": self.high, "above": self.above, "below": self.below}
        words = " and ".join(f"{word} {bound:g}" for word, bound in bounds.items() if bound is not None)
        if self.kind == "table":
            return _WORDS["table"] + (f" with values {words}" if words else "")
        return f"{_WORDS[self.kind]} {words}".rstrip()

    def accept(self, value: object) -> Value:
        """The value as it is kept; a ValueError says what is wrong with it."""
        if self.kind == "table" and isinstance(value, Mapping):
            return self._table(value)
        if self.kind == "truth" and isinstance(value, bool):
            return value
        if self.kind == "text" and isinstance(value, str) and (not self.choices or value in self.choices):
            return value
        if self.kind == "number" and self._is_number(value):
            return float(value)
        if self.kind == "integer" and self._is_number(value) and isinstance(value, int):
            return value
        raise ValueError(f"must be {self.allowed}, not {show(value)}{_size_note(value)}")

    def _is_number(self, value: object) -> TypeGuard[float]:
        """Whether the value is a number within the bounds."""
        return (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and has_size(value)
            and (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def _table(self, table: Mapping[Any, Any]) -> Table:
        for grade, number in table.items():
            if not isinstance(grade, int) or not 1 <= grade <= TOP_GRADE:
                raise ValueError(f"lists grades from 1 to {TOP_GRADE}, not {show(grade)}")
            if not (self.infinite and number == math.inf) and not self._is_number(number):
                note = _size_note(number)
                raise ValueError(f"must be {self.allowed}, not {show(number)} for grade {grade}{note}")
        if not table:
            raise ValueError("lists no grade")
        return tuple(sorted((grade, float(number)) for grade, number in table.items()))


def has_size(value: float) -> bool:
    """Whether a number is one that sums and quotients can take (`SIZES`)."""
    return value == 0 or SMALLEST <= abs(value) <= LARGEST


def _size_note(value: object) -> str:
    return f" (numbers are {SIZES})" if isinstance(value, int | float) and not has_size(value) else ""


def show(value: object) -> str:
    """A value as the grammar writes it."""
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 1e15
        return str(int(value)) if whole else repr(value)
    if isinstance(value, str):
        return f'"{value}"' if "'" in value else f"'{value}'"
    if isinstance(value, tuple | dict):
        pairs = value.items() if isinstance(value, dict) else value
        return "{" + ",".join(f"{grade}:{show(number)}" for grade, number in pairs) + "}"
    return str(value)


REL = Param(1, "lowest grade that counts as relevant", low=1, high=TOP_GRADE)
REL_OF_GRADED = Param(
    None,
    "lowest grade that counts as relevant; given, the measure is binary",
    low=1,
    high=TOP_GRADE,
    value_type="integer",
)
GAINS = Param(None, "gain of each grade", low=0, value_type="table")
MAX_GAIN = Param(None, "gain(H), instead of the largest gain in the judgments", above=0, value_type="number")
JUDGED_ONLY = Param(False, "drop unjudged documents first: a condensed list, written as a prime")
