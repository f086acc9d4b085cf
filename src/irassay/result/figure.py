"""Figures as data: which columns of which table are drawn, and what is said about them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

from irassay.errors import InputError
from irassay.result.table import Frozen, Table, holds_text

# What a figure may be, and which columns beyond x and y it then draws from.
FIGURE_KINDS: Mapping[str, tuple[str, ...]] = {
    "curve": (),
    "bars": (),
    "histogram": (),
    "matrix": ("value",),
    "pairs": ("value", "level"),
    "points": (),
    "intervals": ("low", "high"),
    "forest": ("low", "high", "level"),
    "boxes": ("low", "lower", "upper", "high"),
    "strip": ("text",),
    "tiers": ("text",),
}
# Columns that a figure of these kinds may have besides.
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "curve": ("point_label",),
    "bars": ("level",),
    "points": ("level", "text", "point_label"),
    "intervals": ("level", "text", "point_label"),
}
# Channels that hold numbers wherever a figure has them; of some kinds x or y do, too.
NUMBERS = ("value", "low", "lower", "upper", "high", "level")
NUMBER_AXES: Mapping[str, tuple[str, ...]] = {
    "curve": ("y",),
    "histogram": ("x", "y"),
    "forest": ("x",),
    "strip": ("x",),
    "tiers": ("x",),
}
CHANNELS = (
    *("x", "y", "series", "value", "low", "lower", "upper", "high"),
    *("level", "text", "facet", "point_label"),
)
VERDICTS = ("better", "worse", "undecided")
ORDERS = ("", "falling", "rising", "table")

Limits = tuple[float | None, float | None]


class Mark(NamedTuple):
    """A line across a figure at a place on its `x` or `y` axis, such as a horizontal one at alpha.

    On the axis `diagonal` it is y = x + at. With `facet` it stands in the small figure of that value only.
    """

    axis: str
    at: float
    label: str = ""
    facet: str = ""


def interval_around(column: str) -> dict[str, Any]:
    """The channels of an interval from left to right: its middle in a column, its ends in those of its bounds."""
    return {"x": column, "low": f"{column}_low", "high": f"{column}_high"}


@dataclass(frozen=True)
class Figure(Frozen):
    """A figure as data: which columns of which table to draw, and what to say about them.

    The `CHANNELS` name columns; `series` tells curves or groups of bars apart, `facet` makes a small figure for each of
    its values, `value` is what a cell of a matrix shows. Around `y`, `low` and `high` are the ends of an interval or of
    a box's whiskers, `lower` and `upper` the edges of a box. `point_label` is for text beside points: beside those of a
    curve where there is space, otherwise beside those farthest from the line across the figure. `where` keeps the rows
    that have a value in a column. `labels` goes from channels to text, the column's header where it says nothing.
    `limits` says where an axis (`x` or `y`) ends and cuts off what is beyond; the first above the second reverses the
    axis, and None is for the data to say. `alt` is for people who cannot see the figure.

    Bars, points, intervals, boxes and forest plots whose names are in `y` lie: the first name is on top, and low,
    lower, upper and high are around `x`. Names have the `order` of their values: `falling` unless it says `rising` or
    `table`, which is the order of rows; with `most` only the first so many are drawn.

    `level` is a p-value: one below `alpha` shows that a difference is better than 0 or worse, and any other that this
    is undecided; `verdicts` are the words for these three. `text` stands beside the row: in a `strip`, one line of
    points for each name, beside the outliers only; in `tiers`, a critical-difference diagram, a letter for each bar
    that joins systems. `pairs` are differences y - x of all pairs of systems, one row a pair.
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
    level: str | None = None
    text: str | None = None
    facet: str | None = None
    point_label: str | None = None
    alpha: float | None = None
    verdicts: tuple[str, str, str] = VERDICTS
    order: str = ""
    most: int | None = None
    where: Mapping[str, object] = field(default_factory=dict, hash=False)
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    limits: Mapping[str, Limits] = field(default_factory=dict, hash=False)
    caption: str
    alt: str
    marks: tuple[Mark, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in FIGURE_KINDS:
            raise InputError(
                f"figure {self.name!r} is of no known kind: {self.kind!r}", hint=f"there are {', '.join(FIGURE_KINDS)}"
            )
        for channel in ("value", "low", "lower", "upper", "high", "level", "text"):
            if getattr(self, channel) is not None and channel in OPTIONAL.get(self.kind, ()):
                continue
            if (channel in FIGURE_KINDS[self.kind]) != (getattr(self, channel) is not None):
                kinds = ", ".join(kind for kind, channels in FIGURE_KINDS.items() if channel in channels)
                raise InputError(f"figure {self.name!r}: {kinds}, and nothing else, has the channel {channel}")
        if (self.level is None) != (self.alpha is None):
            raise InputError(f"figure {self.name!r} needs both level and alpha, or none of them")
        if self.order not in ORDERS or (self.most is not None and self.most < 1):
            raise InputError(f"figure {self.name!r} has no known order, or draws no names: {self.order!r}, {self.most}")
        missing = [what for what in ("name", "caption", "alt") if not getattr(self, what).strip()]
        if missing:
            raise InputError(f"figure {self.name!r} has no {' and no '.join(missing)}")
        unknown = [channel for channel in self.labels if channel not in self.channels()]
        if unknown:
            raise InputError(f"figure {self.name!r} has labels for what it does not draw: {unknown}")
        if self.point_label is not None and "point_label" not in OPTIONAL.get(self.kind, ()):
            raise InputError(f"figure {self.name!r}: {', '.join(OPTIONAL)}, and nothing else, has point_label")
        limits = {channel: _limits(self.name, channel, ends) for channel, ends in self.limits.items()}
        marks = tuple(mark._replace(at=float(mark.at)) for mark in (Mark(*mark) for mark in self.marks))
        for mark in marks:
            if mark.axis not in ("x", "y", "diagonal") or not math.isfinite(mark.at):
                raise InputError(f"figure {self.name!r} has a mark that is no place on x or y: {tuple(mark)}")
            if mark.facet and self.facet is None:
                raise InputError(f"figure {self.name!r} has no facets, but a mark in one: {tuple(mark)}")
        self._freeze(labels=self.labels, where=self.where, limits=limits, marks=marks, verdicts=tuple(self.verdicts))

    def channels(self) -> dict[str, str]:
        """The channels that it draws, and the column of each."""
        return {channel: getattr(self, channel) for channel in CHANNELS if getattr(self, channel) is not None}

    def columns(self) -> tuple[str, ...]:
        """The columns it draws or looks at."""
        return tuple(dict.fromkeys((*self.channels().values(), *self.where)))

    def label(self, channel: str) -> str:
        """What to write beside one of the `CHANNELS`."""
        return self.labels.get(channel) or getattr(self, channel) or ""


def figures_of(tables: Iterable[Table], figures: Iterable[Figure]) -> tuple[Figure, ...]:
    """Those of the figures whose table is among the tables."""
    names = {table.name for table in tables}
    return tuple(figure for figure in figures if figure.table in names)


def check_columns(figure: Figure, table: Table) -> None:
    """A figure draws columns of its table that hold what it draws: text where numbers are needed is an error."""
    absent = [column for column in figure.columns() if column not in table.columns]
    if absent:
        raise InputError(f"figure {figure.name!r} draws columns that {figure.table!r} does not have: {absent}")
    channels = figure.channels()
    text = [channel for channel, column in channels.items() if holds_text(table[column])]
    needed = {*NUMBERS, *NUMBER_AXES.get(figure.kind, ())}
    for mark in figure.marks:
        needed |= {"x", "y"} if mark.axis == "diagonal" else {mark.axis}
    if figure.kind in ("bars", "boxes", "intervals", "points") and {"x", "y"} <= set(text):
        needed.add("y")  # values need an axis, whichever it is
    wrong = [channel for channel in text if channel in needed]
    if wrong:
        columns = ", ".join(f"{channels[channel]!r} ({channel})" for channel in wrong)
        raise InputError(f"figure {figure.name!r} of kind {figure.kind} needs numbers, and these are text: {columns}")


def _limits(name: str, channel: str, ends: Limits) -> Limits:
    low, high = (None if end is None else float(end) for end in ends)
    known = [end for end in (low, high) if end is not None]
    if channel not in ("x", "y") or not all(map(math.isfinite, known)) or len(known) > len(set(known)):
        raise InputError(f"figure {name!r} has limits that are no places on x or y: {channel}, {tuple(ends)}")
    return low, high
