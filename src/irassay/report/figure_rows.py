"""The rows of a figure as plain values, few enough to draw: what was thinned is said in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from irassay.report.text import undefined, visible
from irassay.result import CHANNELS, Figure, Table, python_values

# More than this a page cannot hold responsive, nor an eye tell apart.
MARKS = 2000
# How many drawn things a row becomes: a whisker and a point; a whisker, a box and a median.
PER_ROW = {"intervals": 2, "boxes": 3}
# Columns by which a reader of the page filters: a row is kept when all its measures and one of its systems are.
MEASURES = ("measure", "measure_a", "measure_b")
SYSTEMS = ("system", "system_x", "system_y", "system_or_group")

Row = dict[str, object]


@dataclass
class Rows:
    """What a figure shows: rows by channel, which channels are names, and what to say beside the caption."""

    rows: list[Row]
    names: dict[str, list[str]] = field(default_factory=dict)  # channel -> its values in order of appearance
    whole: set[str] = field(default_factory=set)  # channels that hold whole numbers
    notes: list[str] = field(default_factory=list)
    total: int = 0

    def recount(self) -> None:
        """The names that the remaining rows have."""
        for channel in self.names:
            self.names[channel] = list(dict.fromkeys(str(row[channel]) for row in self.rows))
        across, down = self.names.get("x"), self.names.get("y")
        if across and down and set(across) == set(down):
            self.names["y"] = across  # of one set against itself the diagonal is one


def rows_of(figure: Figure, table: Table) -> Rows:
    """The rows that `figure` draws from `table`, at most `MARKS` things in all."""
    drawn = {channel: column for channel in CHANNELS if (column := getattr(figure, channel)) is not None}
    if figure.kind == "histogram" and figure.series is not None and figure.facet is None:
        drawn["facet"] = drawn.pop("series")  # histograms over one another cannot be read
    cells = {channel: python_values(table[column]) for channel, column in drawn.items()}
    named = {channel for channel, values in cells.items() if _is_name(channel, figure.kind, values)}
    keys = {
        what: [python_values(table[column]) for column in columns if column in table.columns]
        for what, columns in (("_m", MEASURES), ("_s", SYSTEMS))
    }
    wanted = [(python_values(table[column]), value) for column, value in figure.where.items()]
    found = Rows([], {channel: [] for channel in CHANNELS if channel in named})
    found.whole = {
        channel
        for channel, values in cells.items()
        if channel not in named and all(isinstance(value, int) or undefined(value) for value in values)
    }
    left_out = 0
    for place in range(len(table)):
        if any(column[place] != value for column, value in wanted):
            continue
        row: Row = {channel: values[place] for channel, values in cells.items()}
        if any(undefined(value) or (isinstance(value, float) and math.isinf(value)) for value in row.values()):
            left_out += 1
            continue
        for channel in named:
            row[channel] = text_of(row[channel])
        for what, columns in keys.items():
            if columns:
                row[what] = list(dict.fromkeys(text_of(column[place]) for column in columns))
        found.rows.append(row)
    found.total = len(found.rows)
    if left_out:
        found.notes.append(f"{left_out:,} rows without a value are not drawn.")
    _thin(figure, found)
    found.recount()
    return found


def text_of(value: object) -> str:
    """A value as text that is safe to show."""
    return visible(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _is_name(channel: str, kind: str, values: Sequence[object]) -> bool:
    if channel in ("series", "facet") or (channel == "x" and kind in ("bars", "boxes", "matrix")):
        return True
    if channel == "y" and kind == "matrix":
        return True
    return any(isinstance(value, (str, bool)) for value in values)


def _thin(figure: Figure, found: Rows) -> None:
    room = (MARKS - len(figure.marks)) // PER_ROW.get(figure.kind, 1)
    if len(found.rows) <= room:
        return
    if figure.kind == "matrix":
        side = math.isqrt(room)
        found.recount()
        kept = {channel: set(found.names[channel][:side]) for channel in ("x", "y")}
        found.rows = [row for row in found.rows if row["x"] in kept["x"] and row["y"] in kept["y"]]
        found.notes.append(f"Only the first {side} rows and columns are drawn.")
    elif figure.kind == "curve":
        lines = _groups(found.rows)
        if len(lines) * 4 > room:  # too many for even four points each
            step = _step(len(lines) * 4, room)
            lines = lines[::step]
            found.notes.append(f"One line in {step} is drawn.")
        found.rows = _extremes(lines, room)
        found.notes.append(
            f"{len(found.rows):,} of {found.total:,} points are drawn: of each stretch the lowest and the highest."
        )
    elif figure.kind == "histogram":
        step = _step(len(found.rows), room)
        found.rows = _merged(_groups(found.rows), step)
        found.notes.append(f"{step} bins are drawn as one.")
    else:
        step = _step(len(found.rows), room)
        found.recount()
        names = found.names.get("x", [])
        if len(names) > step:
            chosen = set(names[::step])
            found.rows = [row for row in found.rows if row["x"] in chosen]
            found.notes.append(f"{len(chosen)} of {len(names)} are drawn along the axis: one in {step}.")
        if len(found.rows) > room:
            step = _step(len(found.rows), room)
            found.rows = found.rows[::step]
            found.notes.append(f"{len(found.rows):,} of {found.total:,} rows are drawn: one in {step}.")


def _step(rows: int, room: int) -> int:
    return -(-rows // room)


def _groups(rows: list[Row]) -> list[list[Row]]:
    """The rows of each line."""
    groups: dict[tuple[object, object], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.get("facet"), row.get("series")), []).append(row)
    return list(groups.values())


def _extremes(groups: list[list[Row]], room: int) -> list[Row]:
    """Of each line its ends, and of each stretch between them the lowest and the highest point."""
    kept: list[Row] = []
    for rows in groups:
        share = max(4, (room - 4 * len(groups)) * len(rows) // sum(map(len, groups)))
        if len(rows) <= share:
            kept += rows
            continue
        stretches = (share - 2) // 2
        places = {0, len(rows) - 1}
        for s in range(stretches):
            low, high = s * len(rows) // stretches, (s + 1) * len(rows) // stretches
            heights = [(float(str(rows[i]["y"])), i) for i in range(low, high)]
            places |= {min(heights)[1], max(heights)[1]}
        kept += [rows[i] for i in sorted(places)]
    return kept


def _merged(groups: list[list[Row]], step: int) -> list[Row]:
    merged = []
    for rows in groups:
        for low in range(0, len(rows), step):
            bins = rows[low : low + step]
            merged.append({**bins[0], "y": sum(float(str(row["y"])) for row in bins)})
    return merged
