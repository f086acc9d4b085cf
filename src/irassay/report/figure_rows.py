"""The rows that a figure draws, as plain values; long tables are thinned, and notes for the caption say how."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from irassay.report.cells import LEVELS
from irassay.report.named_rows import add_numbers, add_verdicts, lies, place_names, text_of_outliers
from irassay.report.pair_rows import pair_rows
from irassay.report.text import all_integers, in_words, undefined, visible
from irassay.result import Figure, Table, python_values

# A page with more marks responds slowly, and no reader can distinguish them.
MAX_MARKS = 2400
MARKS_PER_ROW = {"intervals": 2, "forest": 2, "boxes": 3}  # a whisker and a point; a whisker, a box and a median
SMALLEST_LEVEL = 0.001  # that a cell of a matrix has space for
# Axes of names also where these are numbers; of bars and boxes only where there are no names on the other.
NAME_AXES = {
    **{kind: {"x"} for kind in ("bars", "boxes")},
    **{kind: {"x", "y"} for kind in ("matrix", "pairs")},
    **{kind: {"y"} for kind in ("forest", "strip", "tiers")},
}
MAY_LACK = ("level", "text")  # channels without which a row is drawn
MIN_POINTS = 4  # of a line that is thinned: its ends, its lowest and its highest point
# Columns by which a reader of the page filters: a row is kept when all its measures and one of its systems are.
MEASURES = ("measure", "measure_a", "measure_b")
SYSTEMS = ("system", "system_x", "system_y", "system_or_group")

Row = dict[str, Any]
Names = dict[str, list[str]]  # channels that hold names -> these names in order of appearance


@dataclass(frozen=True)
class FigureRows:
    """What a figure shows: rows by channel, and notes for the caption."""

    rows: list[Row]
    names: Names
    integers: frozenset[str]  # channels that hold whole numbers
    notes: list[str]
    headers: dict[str, str] = field(default_factory=dict)  # channel -> what to write beside it

    @property
    def facets(self) -> Sequence[str | None]:
        """The titles of the small figures; None where there is one figure only."""
        return self.names.get("facet") or [None]

    def span(self, channel: str, facet: str | None = None) -> tuple[float, float]:
        """The smallest and the largest value of a channel, in one small figure or in all."""
        values = [float(row[channel]) for row in self.of(facet)] or [0.0]
        return min(values), max(values)

    def of(self, facet: str | None) -> list[Row]:
        """The rows of one small figure; all for None."""
        return self.rows if facet is None else self._by_facet.get(facet, [])

    @cached_property
    def _by_facet(self) -> dict[str, list[Row]]:
        rows: dict[str, list[Row]] = {}
        for row in self.rows:
            rows.setdefault(row["facet"], []).append(row)
        return rows


def figure_rows(figure: Figure, table: Table) -> FigureRows:
    """The rows that `figure` draws from `table`, at most `MAX_MARKS` marks in all."""
    columns = figure.channels()
    if figure.kind == "histogram" and figure.series is not None and figure.facet is None:
        columns["facet"] = columns.pop("series")  # histograms over one another cannot be read
    cells = {channel: python_values(table[column]) for channel, column in columns.items()}
    named = _named(figure.kind, cells)
    rows, notes = _complete_rows(figure, table, cells, named)
    headers = {c: visible(figure.labels.get(c) or table.header(column).text) for c, column in columns.items()}
    if figure.kind == "pairs":
        rows, drawn = pair_rows(figure, rows)
        return FigureRows(rows, _names(rows, named), frozenset(), notes + drawn, headers)
    rows, outside = _within_limits(figure, rows)
    notes += outside
    if figure.level is not None:
        add_verdicts(figure, rows, "y" if "x" in named else "x")
    limit = (MAX_MARKS - len(figure.marks)) // MARKS_PER_ROW.get(figure.kind, 1)
    if lies(figure, named):
        rows, drawn = place_names(figure, rows, limit, headers["x"])
        notes += drawn
        if figure.kind == "forest":
            add_numbers(figure, table, rows)
        if figure.kind == "strip":
            text_of_outliers(rows)
    elif len(rows) > limit:
        rows, thinning = _THIN.get(figure.kind, _thin_rows)(rows, _names(rows, named), limit)
        notes += thinning
    if figure.kind == "histogram":
        _add_bin_ends(rows)
    if figure.kind == "matrix":
        _add_texts(rows, level=figure.value in LEVELS)
    integers = frozenset(c for c, values in cells.items() if c not in named and all_integers(values))
    return FigureRows(rows, _names(rows, named), integers, notes, headers)


def _named(kind: str, cells: dict[str, Sequence[object]]) -> list[str]:
    """The channels that hold names."""
    text = {c for c, values in cells.items() if any(isinstance(v, (str, bool)) for v in values)}
    axes = NAME_AXES.get(kind, set())
    always = {"series", "facet", "point_label"} | (axes if axes != {"x"} or "y" not in text else set())
    return [c for c in cells if c in always or c in text]


def text_of(value: object) -> str:
    """A value as text that is safe to show."""
    return visible(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else in_words(value)


def facet_title(figure: Figure, value: object) -> str:
    """The title of a small figure: 100 alone says little, R = 100 what it is."""
    label = figure.labels.get("facet")
    return f"{visible(label)} = {text_of(value)}" if label else text_of(value)


def _complete_rows(
    figure: Figure, table: Table, cells: dict[str, Sequence[object]], named: Collection[str]
) -> tuple[list[Row], list[str]]:
    """The rows that `figure.where` keeps and that have a finite value in every channel."""
    # short keys: they stand in every row of the page
    keys = {
        key: [python_values(table[column]) for column in columns if column in table.columns]
        for key, columns in (("_m", MEASURES), ("_s", SYSTEMS))
    }
    conditions = [(python_values(table[column]), value) for column, value in figure.where.items()]
    rows, incomplete = [], 0
    for place in range(len(table)):
        if any(column[place] != value for column, value in conditions):
            continue
        row: Row = {channel: values[place] for channel, values in cells.items()}
        label = row.pop("point_label", None)
        needed = [value for channel, value in row.items() if channel not in MAY_LACK]
        if any(undefined(value) or (isinstance(value, float) and math.isinf(value)) for value in needed):
            incomplete += 1
            continue
        if not undefined(label):
            row["point_label"] = text_of(label)
        for channel in MAY_LACK:
            if channel in row and undefined(row[channel]):
                row[channel] = "" if channel == "text" else None
        for channel in (one for one in named if one != "point_label"):
            row[channel] = facet_title(figure, row[channel]) if channel == "facet" else text_of(row[channel])
        for key, columns in keys.items():
            if columns:
                row[key] = list(dict.fromkeys(text_of(column[place]) for column in columns))
        rows.append(row)
    return rows, [f"{incomplete:,} rows without a value are not drawn."] if incomplete else []


def _within_limits(figure: Figure, rows: list[Row]) -> tuple[list[Row], list[str]]:
    """The rows within the limits of the axes; a curve that crosses a limit of y ends exactly there."""
    limits = {channel: _ordered(*ends) for channel, ends in figure.limits.items()}
    if not limits:
        return rows, []

    def inside(row: Row) -> bool:
        return all(isinstance(row[c], str) or low <= row[c] <= high for c, (low, high) in limits.items())

    if figure.kind != "curve":
        kept = [row for row in rows if inside(row)]
        outside = len(rows) - len(kept)
        return kept, [f"{outside:,} rows beyond the ends of the axes are not drawn."] if outside else []
    kept = []
    for line in _lines(rows):
        for before, row in zip([None, *line], line, strict=False):
            if before is not None and inside(before) != inside(row) and "y" in limits:
                kept += _crossing(before, row, limits["y"])
            if inside(row):
                kept.append(row)
    return kept, []


def _ordered(first: float | None, second: float | None) -> tuple[float, float]:
    low = -math.inf if first is None else first
    high = math.inf if second is None else second
    return min(low, high), max(low, high)


def _crossing(before: Row, after: Row, ends: tuple[float, float]) -> list[Row]:
    """The point between two others at which a line leaves or enters an axis."""
    rows = []
    for end in ends:
        if min(before["y"], after["y"]) < end < max(before["y"], after["y"]):
            share = (end - before["y"]) / (after["y"] - before["y"])
            rows.append({**before, "x": before["x"] + share * (after["x"] - before["x"]), "y": end})
    return rows


def _names(rows: Iterable[Row], named: Iterable[str]) -> Names:
    names = {
        channel: list(dict.fromkeys(row[channel] for row in rows)) for channel in named if channel != "point_label"
    }
    if "x" in names and "y" in names and set(names["x"]) == set(names["y"]):
        names["y"] = names["x"]  # one order on both axes, so that the diagonal is straight
    return names


def _thin_matrix(rows: list[Row], names: Names, limit: int) -> tuple[list[Row], list[str]]:
    side = math.isqrt(limit)
    x, y = set(names["x"][:side]), set(names["y"][:side])
    return [row for row in rows if row["x"] in x and row["y"] in y], [
        f"Only the first {side} rows and columns are drawn."
    ]


def _thin_curve(rows: list[Row], names: Names, limit: int) -> tuple[list[Row], list[str]]:
    lines, notes = _lines(rows), []
    if len(lines) * MIN_POINTS > limit:
        step = math.ceil(len(lines) * MIN_POINTS / limit)
        lines = lines[::step]
        notes.append(f"One line in {step} is drawn.")
    kept = _extremes(lines, limit)
    notes.append(f"{len(kept):,} of {len(rows):,} points are drawn: the lowest and the highest of each section.")
    return kept, notes


def _thin_histogram(rows: list[Row], names: Names, limit: int) -> tuple[list[Row], list[str]]:
    step = math.ceil(len(rows) / limit)
    groups = [line[start : start + step] for line in _lines(rows) for start in range(0, len(line), step)]
    merged = [{**bins[0], "y": sum(float(row["y"]) for row in bins)} for bins in groups]
    return merged, [f"{step} bins are drawn as one."]


def _thin_rows(rows: list[Row], names: Names, limit: int) -> tuple[list[Row], list[str]]:
    kept, notes, x = rows, [], names.get("x", [])
    step = math.ceil(len(rows) / limit)
    if len(x) > step:
        chosen = set(x[::step])
        kept = [row for row in rows if row["x"] in chosen]
        notes.append(f"{len(chosen)} of {len(x)} names on the x axis are drawn: one in {step}.")
    if len(kept) > limit:
        step = math.ceil(len(kept) / limit)
        kept = kept[::step]
        notes.append(f"{len(kept):,} of {len(rows):,} rows are drawn: one in {step}.")
    return kept, notes


_THIN = {"matrix": _thin_matrix, "curve": _thin_curve, "histogram": _thin_histogram}


def _lines(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows of each series in each small figure."""
    lines: dict[tuple[object, object], list[Row]] = {}
    for row in rows:
        lines.setdefault((row.get("facet"), row.get("series")), []).append(row)
    return list(lines.values())


def _extremes(lines: list[list[Row]], limit: int) -> list[Row]:
    """The ends of each line, and the lowest and the highest point of each section between them."""
    kept: list[Row] = []
    for line in lines:
        share = max(MIN_POINTS, (limit - MIN_POINTS * len(lines)) * len(line) // sum(map(len, lines)))
        if len(line) <= share:
            kept += line
            continue
        sections = (share - 2) // 2
        places = {0, len(line) - 1}
        for section in range(sections):
            low, high = section * len(line) // sections, (section + 1) * len(line) // sections
            heights = [(float(line[place]["y"]), place) for place in range(low, high)]
            places |= {min(heights)[1], max(heights)[1]}
        kept += [line[place] for place in sorted(places)]
    return kept


def _add_bin_ends(rows: Iterable[Row]) -> None:
    """A bin ends where the next one begins; the last is as wide as the one before."""
    for line in _lines(rows):
        starts = [float(row["x"]) for row in line]
        width = starts[-1] - starts[-2] if len(starts) > 1 else 1.0
        for row, end in zip(line, [*starts[1:], starts[-1] + width], strict=True):
            row["end"] = end


def _add_texts(rows: Iterable[Row], *, level: bool) -> None:
    """What stands in each cell of a matrix; a level (below 1, so without its 0) has two digits, or is a bound."""
    for row in rows:
        value = row["value"]
        if isinstance(value, int):
            row["text"] = str(value)
        elif not level:
            row["text"] = f"{value:z.2f}"
        elif value < SMALLEST_LEVEL:
            row["text"] = f"<{SMALLEST_LEVEL:g}".replace("0.", ".")
        else:
            row["text"] = f"{value:.{3 if value < 0.0995 else 2}f}".removeprefix("0")
