"""Matrices of differences: a row and a column for each system, coloured where a test tells the two apart."""

import json
from functools import cached_property
from itertools import groupby

from irassay.report.figure_rows import Row
from irassay.report.pair_rows import shade, shade_edges, shade_names
from irassay.report.vega.chart import layer
from irassay.report.vega.named_chart import GAP, LABEL, NamedChart
from irassay.report.vega.style import ABOVE, BELOW, CELL_FONT_SIZES, NOT_SIGNIFICANT, Spec

LONGEST_NAME = 110.0
SMALLEST_STEP, LARGEST_STEP, HIGHEST_STEP = 4.0, 30.0, 20.0  # of the cells of a system
LEAST_SIDE = 130.0  # of a small figure beside another
LABEL_STEP = 7.5  # from which on every name is written
NO_SHADE = -1  # of a system beside itself
LISTED = ("x", "column", "value", "level", "shade", "text")


class PairsChart(NamedChart):
    """Both axes from the best system on."""

    @property
    def most_columns(self) -> int:
        return 3

    @property
    def least(self) -> float:
        readable = LABEL_STEP * self.systems
        side = readable if readable <= self.whole - self.beside else SMALLEST_STEP * self.systems
        return max(LEAST_SIDE, side) if self.panels > 1 else side

    @property
    def beside(self) -> float:
        return self.text_width(self.data.names["x"], LONGEST_NAME) + GAP

    @property
    def fit(self) -> Spec:
        sizes = {"smallest": SMALLEST_STEP, "largest": LARGEST_STEP, "highest": HIGHEST_STEP, "label": LABEL_STEP}
        sizes |= {"font": LABEL, "text": _text_step(CELL_FONT_SIZES[-1]), "whole": self.whole - self.beside}
        steps = {name: size * self.unit for name, size in sizes.items()}
        return {**super().fit, "least": LEAST_SIDE * self.unit, "steps": steps}

    @property
    def step(self) -> float:
        return round(max(SMALLEST_STEP, min(LARGEST_STEP, self.inner_width / self.systems)), 1)

    @property
    def size(self) -> Spec:
        height = min(self.step, HIGHEST_STEP)
        return {"width": {"step": self.step * self.unit}, "height": {"step": height * self.unit}}

    @cached_property
    def systems(self) -> int:
        return 1 + max((max(row["column"], row["place"]) for row in self.data.rows), default=1)

    @cached_property
    def half(self) -> bool:
        """Whether every pair is drawn once."""
        return all(row["column"] > row["place"] for row in self.data.rows)

    @cached_property
    def edges(self) -> list[float]:
        return shade_edges(self.data.rows, self.figure.verdicts[2])

    @property
    def font_size(self) -> int | None:
        """The size in which differences fit into the cells."""
        return next((size for size in CELL_FONT_SIZES if _text_step(size) <= self.step), None)

    def names(self, channel: str, place: str) -> Spec:
        """An axis of names; beside a half it stands at the cells."""
        orient = "top" if channel == "x" else "right" if self.half else "left"
        step = self.step if channel == "x" else min(self.step, HIGHEST_STEP)
        axis: Spec = {**self.fonts(size=max(7.0, min(LABEL, step))), "orient": orient, "labelPadding": 3}
        axis |= {"labelLimit": LONGEST_NAME * self.unit, "domain": False, "ticks": False}
        axis["labelOverlap"] = False if step >= LABEL_STEP else "parity"
        if channel == "x":
            axis["labelAngle"] = -90
        # max: the end of a run has the place of its beginning too
        sort = {"field": place, "op": "max"}
        return {"field": channel, "type": "nominal", "title": None, "sort": sort, "axis": axis}

    def shades(self) -> Spec:
        """The encoding of the differences: shades below and above 0, and one where the test decides nothing."""
        names, few = shade_names(self.edges), len(self.edges) + 1
        # few shades are far apart
        chosen = [round((k + 1) * len(ABOVE) / few) - 1 for k in range(few)]
        colours = [*(BELOW[k] for k in reversed(chosen)), NOT_SIGNIFICANT, *(ABOVE[k] for k in chosen)]
        legend: Spec = {"orient": "bottom", "symbolType": "square", "symbolSize": 90 * self.unit, "columns": 5}
        legend |= {"labelFontSize": LABEL * self.unit, "titleFontSize": LABEL * self.unit}
        legend["values"] = sorted({self.shade(row) for row in self.data.rows})
        legend["labelExpr"] = f"{json.dumps(names)}[datum.value]"
        scale = {"domain": list(range(len(names))), "range": colours}
        title = self.data.headers["value"]
        return {"color": {"field": "shade", "type": "ordinal", "title": title, "legend": legend, "scale": scale}}

    def shade(self, row: Row) -> int:
        return shade(row, self.edges, self.figure.verdicts[2])

    def layers(self) -> list[Spec]:
        position = {"x": self.names("x", "column"), "y": self.names("y", "place")}
        cells: Spec = {**position, **self.shades()}
        if self.hover:
            cells |= self.tooltip()
        else:
            cells |= {"x": {**position["x"], "bandPosition": 0}, "x2": {"field": "end", "bandPosition": 1}}
        # names of all systems, also of one whose cells are in another's run
        layers = [layer({"type": "rect", "opacity": 0}, position), layer({"type": "rect"}, cells)]
        if self.font_size is not None:
            middle = len(self.edges) + 1
            strong = f"abs(datum.shade - {middle}) > {max(0, middle - 2)} && datum.shade !== {middle}"
            text = {**position, "text": {"field": "text", "type": "nominal"}}
            text["color"] = {"condition": {"test": strong, "value": "#ffffff"}, "value": "#222222"}
            layers.append(layer({"type": "text", "fontSize": self.font_size * self.unit}, text))
        for number, one in enumerate(layers):
            if self.hover:
                one["transform"].append({"flatten": [*self.listed]})
            one["transform"].append({"filter": f"datum.shade {'!==' if number else '==='} {NO_SHADE}"})
        return layers

    @property
    def listed(self) -> tuple[str, ...]:
        """What a row of the page's data has a list of."""
        return LISTED if self.font_size is not None else LISTED[:-1]

    def values(self) -> list[Row]:
        """On a page one for each row of the matrix; in a file neighbours of one colour are one."""
        rows: list[Row] = []
        for _, same in groupby(self._with_diagonal(), key=lambda row: row["place"]):
            cells = [self._cell(row) for row in same]
            common = {"kind": "row"} | {key: cells[0][key] for key in ("y", "place", "_m") if key in cells[0]}
            if self.hover:
                rows.append({**common, **{key: [cell[key] for cell in cells] for key in self.listed}})
            else:
                merged = cells if self.font_size is not None else _runs(cells)
                rows += [{**common, **cell, "end": cell.get("end", cell["x"])} for cell in merged]
        return rows

    def _cell(self, row: Row) -> Row:
        """A row with what is drawn of it, in few digits."""
        if row["value"] is None:
            return {**row, "shade": NO_SHADE, "text": ""}
        level = None if row["level"] is None else float(f"{row['level']:.2g}")
        text = f"{row['value']:z.2f}".replace("-", "−").replace("0.", ".")
        return {**row, "shade": self.shade(row), "value": float(f"{row['value']:.3g}"), "level": level, "text": text}

    def _with_diagonal(self) -> list[Row]:
        """The cells of all rows, each with that of a system beside itself, which has no difference."""
        names: dict[str, Row] = {}
        for row in self.rows:
            for name, place in ((row["y"], row["place"]), (row["x"], row["column"])):
                nothing = {"x": name, "y": name, "column": place, "place": place, "value": None, "level": None}
                names.setdefault(name, {**row, **nothing})
        return sorted([*self.rows, *names.values()], key=lambda row: (row["place"], row["column"]))


def _text_step(size: float) -> float:
    """The width of a cell with a difference in it."""
    return 5 * size / 2 + 3


def _runs(cells: list[Row]) -> list[Row]:
    """Neighbours of one colour as one: a picture of many systems has a tenth of the marks."""
    runs: list[Row] = []
    for cell in cells:
        last = runs[-1] if runs else None
        if last is not None and last["shade"] == cell["shade"] and last["until"] == cell["column"] - 1:
            last |= {"end": cell["x"], "until": cell["column"]}
        else:
            keys = ("x", "column", "shade")
            runs.append({**{key: cell[key] for key in keys}, "end": cell["x"], "until": cell["column"]})
    return runs
