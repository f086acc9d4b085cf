"""Differences of all pairs of systems as a matrix: both axes from the best system on, colours by size of difference."""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from irassay.report.named_rows import verdict
from irassay.result import Figure

Row = dict[str, Any]

MAX_CELLS = 10_000  # more respond slowly
MOST_SYSTEMS = 140  # of more not one in three names could be read
SHADES = 4  # of a colour that can be distinguished
NOT_SIGNIFICANT = "not significant"


class Matrix(NamedTuple):
    """The systems of a small figure from the best on, and the rows of their pairs."""

    names: list[str]
    rows: list[Row]


def pair_rows(figure: Figure, rows: list[Row]) -> tuple[list[Row], list[str]]:
    """A row for each cell, with its places, and notes for the caption.

    Where the cells of squares are too many, the halves above the diagonal are drawn: the others have the same
    differences with the other sign. Where these are too many too, only the first small figures are.
    """
    panels: dict[object, list[Row]] = {}
    for row in rows:
        if row["x"] != row["y"]:
            panels.setdefault(row.get("facet"), []).append(row)
    matrices = {facet: Matrix(best_first(own), own) for facet, own in panels.items()}
    longest = max((len(matrix.names) for matrix in matrices.values()), default=0)
    most = min(longest, MOST_SYSTEMS)
    square = len(matrices) * most * most <= MAX_CELLS
    fitting = len(matrices) if square else max(1, 2 * MAX_CELLS // (most * most))
    drawn: list[Row] = []
    for matrix in list(matrices.values())[:fitting]:
        drawn += _cells(figure, matrix, most, square=square)
    own = " in each small figure" if min(fitting, len(matrices)) > 1 else ""
    notes = [f"Systems stand from the best on{own}; a cell is the row's system less the column's."]
    if not square:
        notes.append("Each pair is drawn once.")
    if fitting < len(matrices):
        names = ", ".join(map(str, list(matrices)[:fitting]))
        notes.append(
            f"Of {len(matrices)} small figures only the first {fitting} are drawn ({names}): more respond slowly."
        )
    if most < longest:
        notes.append(f"The {most} best of {longest} are drawn.")
    return drawn, notes


def best_first(rows: Iterable[Row]) -> list[str]:
    """Systems by the sum of their differences to the others, which is the order of their means; ties by name."""
    sums: dict[str, list[float]] = {}
    for row in rows:
        sums.setdefault(row["y"], []).append(row["value"])
        sums.setdefault(row["x"], []).append(-row["value"])
    return sorted(sums, key=lambda name: (-round(math.fsum(sums[name]) / len(sums[name]), 12), name))


def _cells(figure: Figure, matrix: Matrix, most: int, *, square: bool) -> list[Row]:
    place = {name: number for number, name in enumerate(matrix.names[:most])}
    cells: list[Row] = []
    for row in matrix.rows:
        if row["x"] not in place or row["y"] not in place:
            continue
        turned = {**row, "x": row["y"], "y": row["x"], "value": -row["value"]}
        for one in (row, turned):
            x, y = place[one["x"]], place[one["y"]]
            if square or y < x:
                cells.append({**one, "column": x, "place": y, "verdict": verdict(figure, one["value"], one["level"])})
    return sorted(cells, key=lambda row: (row["place"], row["column"]))


def shade_edges(rows: Iterable[Row], undecided: str) -> list[float]:
    """The sizes of differences at which the shade of a colour changes: at most `SHADES - 1` round numbers."""
    sizes = sorted(abs(row["value"]) for row in rows if row["verdict"] != undecided)
    if not sizes:
        return []
    large = sizes[int(0.9 * (len(sizes) - 1))] / (SHADES - 1)  # a few far larger ones share the last shade
    power = 10.0 ** math.floor(math.log10(large))
    step = min((factor * power for factor in (1.0, 2.0, 5.0, 10.0)), key=lambda one: abs(math.log(one / large)))
    return [round(step * (k + 1), 12) for k in range(SHADES - 1) if step * (k + 1) < sizes[-1]]


def shade_names(edges: list[float]) -> list[str]:
    """The legend: from the largest differences below 0 over what is not significant to the largest above 0."""
    bounds = ["0", *(f"{edge:g}" for edge in edges)]
    above = [f"{low} to {high}" for low, high in pairwise(bounds)] + [f"above {bounds[-1]}"]
    below = [f"−{high} to {_minus(low)}" for low, high in pairwise(bounds)]
    below.append(f"below {_minus(bounds[-1])}")
    return [*reversed(below), NOT_SIGNIFICANT, *above]


def _minus(bound: str) -> str:
    return bound if bound == "0" else f"−{bound}"


def shade(row: Row, edges: list[float], undecided: str) -> int:
    """The place of a cell's colour among the `shade_names`."""
    middle = len(edges) + 1
    if row["verdict"] == undecided:
        return middle
    size: int = 1 + sum(abs(row["value"]) >= edge for edge in edges)
    return middle + (size if row["value"] > 0 else -size)
