"""Axes of numbers: where they end, and how their numbers are written."""

import math
from collections.abc import Iterable

from irassay.report.figure_rows import FigureRows, facet_title
from irassay.result import Figure, Mark

Ends = tuple[float, float]

NEAR_ZERO = 0.35  # an axis of positive numbers begins at 0 where its lowest is below this share of its highest
AROUND = ("low", "lower", "upper", "high")  # ends of intervals and edges of boxes
STEPS = 16  # an axis is at least half as many round numbers long: it ends near the data
UNEQUAL = 1.6  # small figures have one scale where the longest is at most so many times the shortest


def axis_ends(figure: Figure, data: FigureRows, channel: str, facet: str | None = None, *, zero: bool = False) -> Ends:
    """Where an axis ends: at its limits, or at the data, rounded outwards to a number with few digits.

    Such numbers have 0 and 1 among them, so no axis of shares goes beyond its bounds.
    """
    low, high = figure.limits.get(channel, (None, None))
    if low is not None and high is not None:
        return low, high
    numbers = [*_numbers(data, channel, facet), *_places(figure, channel, facet)]
    if _equal_units(figure):
        other = "y" if channel == "x" else "x"
        numbers += [*_numbers(data, other, facet), *_places(figure, other, facet)]
    along = figure.kind == "curve" and channel == "x" and not _equal_units(figure)
    ends = _enclosing(numbers, zero=zero, exact=along)
    return (ends[0] if low is None else low, ends[1] if high is None else high)


def own_axes(figure: Figure, data: FigureRows) -> frozenset[str]:
    """The axes on which one scale for all small figures would hide the shape of some."""
    if len(data.facets) < 2:
        return frozenset()
    return frozenset(
        channel
        for channel in ("x", "y")
        if channel not in data.names and channel not in figure.limits and _differ(figure, data, channel)
    )


def _differ(figure: Figure, data: FigureRows, channel: str) -> bool:
    ends = [axis_ends(figure, data, channel, facet) for facet in data.facets]
    lengths = [high - low for low, high in ends]
    whole = max(high for _, high in ends) - min(low for low, _ in ends)
    return whole > UNEQUAL * min(lengths)


def _equal_units(figure: Figure) -> bool:
    return any(mark.axis == "diagonal" for mark in figure.marks)


def _numbers(data: FigureRows, channel: str, facet: str | None) -> list[float]:
    around = "x" if "y" in data.names else "y"  # the axis of the intervals' ends
    fields = [channel, *(AROUND if channel == around else ()), *(("end",) if channel == "x" else ())]
    rows = data.of(facet) if channel not in data.names else []
    return [float(row[one]) for row in rows for one in fields if one in row]


def _places(figure: Figure, channel: str, facet: str | None) -> Iterable[float]:
    return (mark.at for mark in figure.marks if mark.axis == channel and in_facet(figure, mark, facet))


def in_facet(figure: Figure, mark: Mark, facet: str | None) -> bool:
    """Whether a mark stands in a small figure."""
    return not mark.facet or facet is None or facet == facet_title(figure, mark.facet)


def _enclosing(numbers: list[float], *, zero: bool, exact: bool) -> Ends:
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    if not exact or low == high:
        if zero or 0 < low < NEAR_ZERO * high or low == high:
            low, high = min(low, 0.0), max(high, 0.0)
        elif NEAR_ZERO * low > high and high < 0:
            high = 0.0
    if low == high:  # of zeros only
        return low, low + 1.0
    return (low, high) if exact else _rounded(low, high)


def _rounded(low: float, high: float) -> Ends:
    step = _round_step((high - low) / STEPS)
    digits = max(0, 1 - math.floor(math.log10(step)))
    first, last = math.floor(low / step + 1e-6), math.ceil(high / step - 1e-6)
    return round(first * step, digits), round(last * step, digits)


def _round_step(length: float) -> float:
    """The smallest of 1, 2 and 5 times a power of ten that is as long."""
    power: float = 10.0 ** math.floor(math.log10(length))
    return next(times * power for times in (1, 2, 5, 10) if times * power >= length * (1 - 1e-9))


def number_format(numbers: Iterable[float], *, whole: bool) -> str:
    """How a value is written: with all digits of a whole number, else with about four that matter."""
    sizes = [abs(number) for number in numbers]
    largest, smallest = max(sizes, default=0.0), min((size for size in sizes if size), default=1.0)
    if whole:
        return ",d"
    if largest >= 100:
        return ",.1~f"
    return ".4~f" if smallest >= 5e-4 else ".3~g"
