"""What each kind of figure is made of: the layers of Vega-Lite."""

from __future__ import annotations

from typing import Any

from irassay.report.figure_rows import Row, Rows
from irassay.report.text import visible
from irassay.report.vega.layout import LINE, layout
from irassay.report.vega.style import (
    COLOURS,
    DASHES,
    IN_CELLS,
    SHAPES,
    TOLD_APART,
    WIDTH,
    Spec,
)
from irassay.result import Figure


def _channel(figure: Figure, found: Rows, channel: str, *, zero: bool = False) -> Spec:
    plan = layout(figure.kind, found)
    title = plan.lines(channel, visible(figure.label(channel)))
    if channel in found.names:
        names = found.names[channel]
        axis: Spec = {"labelLimit": 130}
        if channel == "x":
            tight = max(map(len, names), default=0) * 5.2 > plan.room
            # slanted names need twice the room of upright ones
            axis |= {"labelAngle": (-40 if plan.room > 2 * LINE else -90) if tight else 0}
            axis["labelOverlap"] = False if plan.named else "parity"
            if plan.crowded:
                axis |= {"labels": False, "ticks": False}
        return {"field": channel, "type": "nominal", "title": title, "axis": axis, "scale": {"domain": names}}
    axis = {"tickCount": 6 if plan.columns == 1 and figure.facet is None else 4}
    if channel in found.whole:
        axis["tickMinStep"] = 1
    elif _tiny(found, channel):
        axis["format"] = "~g"  # 5e-7 where 0.0000005 would need the room of the figure
    scale: Spec = {"zero": zero, "nice": True}
    if figure.kind in ("points", "intervals"):
        scale["padding"] = 4  # a point at the end of an axis is whole
    return {"field": channel, "type": "quantitative", "title": title, "axis": axis, "scale": scale}


def _tiny(found: Rows, channel: str) -> bool:
    """Whether the values of some small figure are all tiny."""
    largest: dict[object, float] = {}
    for row in found.rows:
        facet = row.get("facet")
        largest[facet] = max(largest.get(facet, 0.0), abs(float(str(row[channel]))))
    return any(0 < value < 1e-3 for value in largest.values())


def _colour(figure: Figure, found: Rows, *, form: str = "") -> Spec:
    names = found.names.get("series", [])
    if not names:
        return {"color": {"value": COLOURS[0]}}
    legend: Spec | None = None
    if len(names) <= TOLD_APART:
        entry = min(max(map(len, names)), 26) * 5.4 + 34
        legend = {"columns": max(1, int(WIDTH // entry)), "labelLimit": 150}
        if form == "strokeDash":
            legend |= {"symbolType": "stroke", "symbolStrokeWidth": 2, "symbolSize": 300}
    n = len(names)
    title = visible(figure.labels.get("series", ""))
    common: Spec = {"field": "series", "type": "nominal", "title": title or None, "legend": legend}
    colours = [COLOURS[i % len(COLOURS)] for i in range(n)]
    encoding = {"color": {**common, "scale": {"domain": names, "range": colours}}}
    if form:
        forms: tuple[Any, ...] = DASHES if form == "strokeDash" else SHAPES
        chosen = [forms[i // len(COLOURS) % len(forms)] for i in range(n)]
        encoding[form] = {**common, "scale": {"domain": names, "range": chosen}}
    return encoding


def _tooltip(figure: Figure, found: Rows) -> list[Spec]:
    shown = []
    for channel in ("facet", "series", "x", "y", "value", "low", "lower", "upper", "high"):
        if getattr(figure, channel) is None:
            continue
        quantitative = channel not in found.names
        form = {"format": ",d" if channel in found.whole else ".4~g"} if quantitative else {}
        kind = "quantitative" if quantitative else "nominal"
        # a title without anything printable would make Vega fall back on the field
        field = "facet" if channel == "series" and "series" not in found.names else channel
        shown.append({"field": field, "type": kind, "title": visible(figure.label(channel)) or channel, **form})
    return shown


def _layer(mark: Spec, encoding: Spec) -> Spec:
    return {"transform": [{"filter": "datum.kind === 'row'"}], "mark": mark, "encoding": encoding}


def _curve(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    places = {"x": _channel(figure, found, "x"), "y": _channel(figure, found, "y")}
    series = "series" in found.names
    form = "strokeDash" if series and len(found.names["series"]) <= TOLD_APART else ""
    many = len(found.names.get("series", [])) > TOLD_APART
    line = _layer(
        {"type": "line", "strokeWidth": 0.8 if many else 1.6},
        {**places, **_colour(figure, found, form=form), "order": {"field": "order", "type": "quantitative"}},
    )
    few = len(found.rows) <= 30 * max(1, len(found.names.get("series", [])))
    layers = [line]
    if few or hover:
        # on a page every point can be pointed at, also where none is seen
        look = {"size": 16, "opacity": 1} if few else {"size": 90, "opacity": 0}
        encoding = {**places, **_colour(figure, found), "tooltip": _tooltip(figure, found)}
        layers.append(_layer({"type": "point", "filled": True, **look}, encoding))
    return layers


def _bars(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    encoding = {
        "x": _channel(figure, found, "x"),
        "y": _channel(figure, found, "y", zero=True),
        **_colour(figure, found),
        "tooltip": _tooltip(figure, found),
    }
    if "series" in found.names:
        encoding["xOffset"] = {"field": "series", "type": "nominal", "scale": {"domain": found.names["series"]}}
    return [_layer({"type": "bar"}, encoding)]


def _histogram(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    ends: dict[object, list[Row]] = {}
    for row in found.rows:
        ends.setdefault(row.get("facet"), []).append(row)
    for rows in ends.values():
        lows = [float(str(row["x"])) for row in rows]
        # a bin ends where the next one begins, the last is as wide as the one before
        nexts = [*lows[1:], lows[-1] + (lows[-1] - lows[-2] if len(lows) > 1 else 1.0)]
        for row, end in zip(rows, nexts, strict=True):
            row["end"] = end
    encoding = {
        "x": _channel(figure, found, "x"),
        "x2": {"field": "end"},
        "y": _channel(figure, found, "y", zero=True),
        "y2": {"datum": 0},
        "color": {"value": COLOURS[0]},
        "tooltip": _tooltip(figure, found),
    }
    return [_layer({"type": "rect", "x2Offset": -0.6}, encoding)]


def _matrix(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    values = [float(str(row["value"])) for row in found.rows] or [0.0]
    low, high = min(values), max(values)
    places = {"x": _channel(figure, found, "x"), "y": _channel(figure, found, "y")}
    digits = 0 if "value" in found.whole else 2
    labelled = len(found.rows) <= IN_CELLS
    colour = {
        "field": "value",
        "type": "quantitative",
        "title": visible(figure.label("value")),
        "scale": {"domain": [low, high if high > low else low + 1], "range": ["#e8f1fa", "#08519c"]},
        # symbols: a gradient would need an id, which must be unique on a page
        "legend": None if labelled else {"orient": "right", "type": "symbol"},
    }
    layers = [_layer({"type": "rect"}, {**places, "color": colour, "tooltip": _tooltip(figure, found)})]
    if labelled:
        dark = {"test": f"datum.value > {(low + high) / 2!r}", "value": "#ffffff"}
        text = {"field": "value", "type": "quantitative", "format": f".{digits}f"}
        layers.append(
            _layer(
                {"type": "text", "fontSize": 9},
                {**places, "text": text, "color": {"condition": dark, "value": "#111111"}},
            )
        )
    return layers


def _points(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    form = "shape" if "series" in found.names and len(found.names["series"]) <= TOLD_APART else ""
    encoding = {
        "x": _channel(figure, found, "x"),
        "y": _channel(figure, found, "y"),
        **_colour(figure, found, form=form),
        "tooltip": _tooltip(figure, found),
    }
    size = 26 if len(found.rows) <= 400 else 14
    return [_layer({"type": "point", "filled": True, "size": size, "opacity": 1}, encoding)]


def _spread(figure: Figure, found: Rows) -> tuple[Spec, Spec, Spec]:
    """The encodings that intervals and boxes share: the place, the whisker's two ends."""
    place: Spec = {"x": _channel(figure, found, "x"), **_colour(figure, found), "tooltip": _tooltip(figure, found)}
    if "series" in found.names and "x" in found.names:
        side = {"field": "series", "type": "nominal", "scale": {"domain": found.names["series"]}}
        place["xOffset"] = {**side, "bandPosition": 0.5}
    middle = {**_channel(figure, found, "y")}
    whisker = {**place, "y": {**middle, "field": "low"}, "y2": {"field": "high"}}
    return place, middle, whisker


def _intervals(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    place, middle, whisker = _spread(figure, found)
    many = len(found.rows) > 60
    return [
        _layer({"type": "rule", "strokeWidth": 0.8 if many else 1.3}, whisker),
        _layer({"type": "point", "filled": True, "opacity": 1, "size": 10 if many else 26}, {**place, "y": middle}),
    ]


def _boxes(figure: Figure, found: Rows, hover: bool) -> list[Spec]:
    place, middle, whisker = _spread(figure, found)
    # side by side, or many, they are as wide as they can be
    wide = "xOffset" in place or not layout(figure.kind, found).named
    width = {} if wide else {"width": {"band": 0.6}}
    box = {**place, "y": {**middle, "field": "lower"}, "y2": {"field": "upper"}}
    if "xOffset" in place:
        box["xOffset"] = {key: value for key, value in place["xOffset"].items() if key != "bandPosition"}
    return [
        _layer({"type": "rule", "strokeWidth": 0.8}, whisker),
        _layer({"type": "bar", "fillOpacity": 0.45, **width}, box),
        _layer({"type": "tick", "thickness": 1.6, "opacity": 1, **width}, {**place, "y": middle}),
    ]


LAYERS = {
    "curve": _curve,
    "bars": _bars,
    "histogram": _histogram,
    "matrix": _matrix,
    "points": _points,
    "intervals": _intervals,
    "boxes": _boxes,
}
