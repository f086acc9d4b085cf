"""Labels beside points: placed where they cover no point and no other label, the most important first."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from irassay.report.figure_rows import Row
from irassay.report.vega.chart import Chart, layer
from irassay.report.vega.style import INK, Spec

NAMED = 5  # points of a small figure that have their names beside them
AWAY = 4.0  # from a point to its label
RADIUS = 2.5  # that a point is free of labels around it
NARROW = 260.0  # the width for which labels are placed: in a wider figure they are farther apart


class Box(NamedTuple):
    """A rectangle in a figure."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: "Box") -> bool:
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


def with_labels(chart: Chart, rows: list[Row]) -> list[Row]:
    """The rows of a small figure; those whose label has a place say which, the others have no label."""
    boxes: list[Box] = [_around(*_place(chart, row)) for row in rows]
    kept: dict[int, tuple[str, str]] = {}
    for place in _order(chart, rows):
        row = rows[place]
        if not row.get("point_label"):
            continue
        x, y = _place(chart, row)
        width = chart.look.text_width(len(row["point_label"]))
        for (align, baseline), box in _candidates(x, y, width, chart.look.label):
            if not _inside(chart, box):
                continue
            if not any(box.meets(other) for at, other in enumerate(boxes) if at != place):
                boxes.append(box)
                kept[place] = align, baseline
                break
    return [
        {**row, "align": kept[place][0], "baseline": kept[place][1]}
        if place in kept
        else {key: row[key] for key in row if key != "point_label"}
        for place, row in enumerate(rows)
    ]


def text_layers(chart: Chart, position: Spec) -> list[Spec]:
    """What draws the labels: a layer for each side of the points."""
    layers = []
    for align, dx in (("left", AWAY), ("right", -AWAY)):
        for baseline, dy in (("bottom", -1.0), ("top", 1.0)):
            look = {"type": "text", "align": align, "baseline": baseline, "dx": dx, "dy": dy, "color": INK}
            chosen = f"datum.align === '{align}' && datum.baseline === '{baseline}'"
            text = {**position, "text": {"field": "point_label"}}
            layers.append(layer({**look, "fontSize": chart.look.small_label}, text, when=chosen))
    return layers


def _candidates(x: float, y: float, width: float, height: float) -> Iterator[tuple[tuple[str, str], Box]]:
    for align, left in (("left", x + AWAY), ("right", x - AWAY - width)):
        for baseline, low in (("bottom", y + 1), ("top", y - 1 - height)):
            yield (align, baseline), Box(left, low, left + width, low + height)


def _inside(chart: Chart, box: Box) -> bool:
    """Whether a label stands within the figure; at the right there is space where no other labels are."""
    size = chart.layout.size
    free = not chart.margin or box.right <= min(NARROW, size["width"])
    return free and box.left >= 0 and box.low >= 0 and box.high <= size["height"]


def _around(x: float, y: float) -> Box:
    return Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS)


def _place(chart: Chart, row: Row) -> tuple[float, float]:
    """Where a row stands, from the lower left."""
    (left, right), (bottom, top) = chart.ends("x"), chart.ends("y")
    size = chart.layout.size
    width = min(NARROW, size["width"])
    return width * (row["x"] - left) / (right - left), size["height"] * (row["y"] - bottom) / (top - bottom)


def _order(chart: Chart, rows: Sequence[Row]) -> Iterable[int]:
    """The rows that may have a label, the most important first."""
    if chart.figure.kind != "curve":
        distance = _distances(chart, rows)
        return sorted(range(len(rows)), key=lambda place: -distance[place])[:NAMED]
    # a curve is read at its ends and in the middle; the outermost of several curves has the most space
    lines: dict[object, list[int]] = {}
    for place, row in enumerate(rows):
        lines.setdefault(row.get("series"), []).append(place)
    outer = sorted(lines.values(), key=lambda line: -sum(rows[place]["x"] + rows[place]["y"] for place in line))
    return outer[0] if outer else []


def _distances(chart: Chart, rows: Sequence[Row]) -> list[float]:
    """How far each row is from the diagonals, or else from the straight line nearest to all rows."""
    points = [(float(row["x"]), float(row["y"])) for row in rows]
    shifts = [mark.at for mark in chart.figure.marks if mark.axis == "diagonal"]
    if shifts:
        return [min(abs(y - x - shift) for shift in shifts) for x, y in points]
    mean_x, mean_y = (sum(values) / max(1, len(points)) for values in zip(*points, strict=True)) if points else (0, 0)
    square = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / square if square else 0.0
    return [abs(y - mean_y - slope * (x - mean_x)) for x, y in points]
