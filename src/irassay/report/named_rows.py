"""Rows of figures whose names stand one below the other: their order, which are drawn, what tests say of them."""

from collections.abc import Collection, Iterable
from statistics import fmean, quantiles
from typing import Any

from irassay.report.text import undefined
from irassay.result import Figure, Table

Row = dict[str, Any]

LYING = ("bars", "boxes", "forest", "intervals", "points", "strip")  # kinds whose names may stand on the y axis
MOST_NAMES = 140  # in one small figure: more fill more than a page
SMALLEST_LIST = 4  # names that are drawn in each small figure, however many there are
MOST_LETTERS = 12  # beside a row
OUTLIERS = 3  # that have their text, on each side of a line of points
FEW_POINTS = 5  # in a line of which each has its text
NUMBER_DIGITS = 3  # of a number beside a row, where the table does not say


def lies(figure: Figure, named: Collection[str]) -> bool:
    """Whether names stand one below the other, and values go from left to right."""
    return figure.kind in LYING and "y" in named and "x" not in named


def add_verdicts(figure: Figure, rows: Iterable[Row], channel: str) -> None:
    """Whether the difference that a channel holds is better or worse than 0 by its test, or undecided."""
    for row in rows:
        row["verdict"] = verdict(figure, row[channel], row["level"])


def verdict(figure: Figure, difference: float, level: object) -> str:
    """A p-value that is not known decides nothing."""
    better, worse, undecided = figure.verdicts
    if undefined(level) or not isinstance(level, (int, float)) or level >= (figure.alpha or 0.0) or difference == 0:
        return undecided
    return better if difference > 0 else worse


def add_numbers(figure: Figure, table: Table, rows: Iterable[Row]) -> None:
    """What stands at the right edge of a forest plot."""
    digits = table.digits.get(figure.x, NUMBER_DIGITS)
    for row in rows:
        x, low, high = (f"{row[channel]:z.{digits}f}".replace("-", "−") for channel in ("x", "low", "high"))
        row["text"] = f"{x} [{low}, {high}]"


def place_names(figure: Figure, rows: list[Row], limit: int, header: str) -> tuple[list[Row], list[str]]:
    """The rows with the `place` of their name in its small figure, at most `limit`, and notes for the caption.

    `header` says what the values are.

    Of too many names the first and the last are drawn: the best and the worst are what a reader looks for.
    """
    panels: dict[object, dict[str, list[Row]]] = {}
    for row in rows:
        panels.setdefault(row.get("facet"), {}).setdefault(row["y"], []).append(row)
    longest = max((len(names) for names in panels.values()), default=0)
    per_name = max((len(same) for names in panels.values() for same in names.values()), default=1)
    most = min(figure.most or longest, max(SMALLEST_LIST, min(MOST_NAMES, limit // (per_name * max(1, len(panels))))))
    kept: list[Row] = []
    for names in panels.values():
        chosen = _first_and_last(_ordered(figure, names), most, only_first=most == figure.most)
        for place, name in enumerate(chosen):
            kept += [{**row, "place": place} for row in names[name]]
    return kept, [
        *_order_note(figure, header, len(panels), longest),
        *_cut_note(figure, longest, most),
        *(_without_long_texts(kept) if figure.kind in ("points", "intervals") else []),
    ]


def _without_long_texts(rows: list[Row]) -> list[str]:
    """Beside a row nobody reads more than a few letters."""
    if max((len(row.get("text", "")) for row in rows), default=0) <= MOST_LETTERS:
        return []
    for row in rows:
        row["text"] = ""
    return [f"Letters are left out, because some systems have more than {MOST_LETTERS}."]


def _ordered(figure: Figure, names: dict[str, list[Row]]) -> list[str]:
    """Names by their mean value; equal ones keep the order of the table."""
    if figure.order == "table":
        return list(names)
    sign = 1.0 if figure.order == "rising" else -1.0
    return sorted(names, key=lambda name: sign * fmean(float(row["x"]) for row in names[name]))


def _first_and_last(names: list[str], most: int, *, only_first: bool) -> list[str]:
    if len(names) <= most:
        return names
    if only_first:
        return names[:most]
    return [*names[: (most + 1) // 2], *names[len(names) - most // 2 :]]


def _order_note(figure: Figure, header: str, panels: int, names: int) -> list[str]:
    if figure.order == "table" or names < 2:
        return []
    on_top = "lowest" if figure.order == "rising" else "highest"
    alone = ", in each small figure on its own" if panels > 1 else ""
    return [f"Sorted by {header}, the {on_top} on top{alone}."]


def _cut_note(figure: Figure, names: int, most: int) -> list[str]:
    if names <= most:
        return []
    if most == figure.most:
        return [f"The first {most} of {names} are drawn."]
    return [f"Of {names} names the first {(most + 1) // 2} and the last {most // 2} are drawn."]


def text_of_outliers(rows: Iterable[Row]) -> None:
    """Of each line of points only those far outside keep their text, at least the lowest and the highest."""
    lines: dict[tuple[object, object], list[Row]] = {}
    for row in rows:
        lines.setdefault((row.get("facet"), row["y"]), []).append(row)
    for line in lines.values():
        line.sort(key=lambda row: float(row["x"]))
        low, high = _fences([float(row["x"]) for row in line])
        kept = [row for row in line[:OUTLIERS] if row["x"] < low] or line[:1]
        kept += [row for row in line[-OUTLIERS:] if row["x"] > high] or line[-1:]
        if len(line) > FEW_POINTS:
            ids = {id(row) for row in kept}
            for row in line:
                if id(row) not in ids:
                    row["text"] = ""


def _fences(values: list[float]) -> tuple[float, float]:
    """Tukey's: one and a half times the distance of the quartiles beyond them."""
    if len(values) < 2:
        return values[0], values[0]
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return lower - 1.5 * (upper - lower), upper + 1.5 * (upper - lower)
