"""Small pictures of the documentation: axes and marks as SVG, without a library, readable in light and dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT, LEFT, TOP, BASE = 460, 150, 44, 14, 112  # of a picture; LEFT, TOP and BASE frame what is drawn
RIGHT = WIDTH - 16
Array = NDArray[np.float64]
STYLE = """<style>
text { font: 11px sans-serif; fill: #57606a } rect { fill: #0969da } path { stroke: #8c959f; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #9ea7b3 } rect { fill: #58a6ff } path { stroke: #6e7681 }
}
</style>"""
MARKS = """<style>
circle { fill: #0969da } .line { stroke: #0969da; stroke-width: 2 } .light { fill: #9cc5f5 } .none { fill: #d0d7de }
.other { stroke: #bc4c00; stroke-width: 2; stroke-dasharray: 5 3 } .mark { stroke: #bc4c00; stroke-width: 1.5 }
text.mark { stroke: none; fill: #bc4c00 }
@media (prefers-color-scheme: dark) {
circle { fill: #58a6ff } .line { stroke: #58a6ff } .light { fill: #1f4f8a } .none { fill: #30363d }
.other, .mark { stroke: #f0883e } text.mark { fill: #f0883e }
}
</style>"""


def document(title: str, parts: Sequence[str], width: int, height: int) -> str:
    styles = [STYLE, MARKS] if any("class=" in part for part in parts) else [STYLE]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
            f' viewBox="0 0 {width} {height}" role="img">',
            f"<title>{title}</title>",
            *styles,
            *parts,
            "</svg>",
            "",
        ]
    )


@dataclass(frozen=True)
class Axes:
    """From values to places: `x` and `y` are what is at the ends of the axes."""

    x: tuple[float, float]
    y: tuple[float, float]

    def across(self, value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - self.x[0]) / (self.x[1] - self.x[0])

    def up(self, value: float) -> float:
        return BASE - (BASE - TOP) * (value - self.y[0]) / (self.y[1] - self.y[0])

    def frame(self, across: str, up: str, ticks: Sequence[float], levels: Sequence[float]) -> list[str]:
        """The two axes, their numbers and what they are of."""
        return [
            f'<path d="M{LEFT} {TOP}V{BASE}H{RIGHT}"/>',
            *(text(self.across(at), BASE + 14, f"{at:g}") for at in ticks),
            *(text(LEFT - 4, self.up(at) + 4, f"{at:g}", "end") for at in levels),
            text((LEFT + RIGHT) / 2, BASE + 30, across),
            text(LEFT, TOP - 4, up, "start"),
        ]

    def bar(self, low: float, high: float, value: float, kind: str = "") -> str:
        """From the axis to the value, between two places."""
        zero = self.up(min(max(0.0, self.y[0]), self.y[1]))
        top, bottom = sorted((self.up(value), zero))
        left, width = self.across(low), self.across(high) - self.across(low)
        return f'<rect{_class(kind)} x="{left:.1f}" y="{top:.1f}" width="{width - 1:.1f}" height="{bottom - top:.1f}"/>'

    def line(self, xs: Iterable[float], ys: Iterable[float], kind: str = "line") -> str:
        points = " ".join(f"{self.across(x):.1f},{self.up(y):.1f}" for x, y in zip(xs, ys, strict=True))
        return f'<path class="{kind}" d="M{points}"/>'

    def dot(self, x: float, y: float, radius: float = 2) -> str:
        return f'<circle cx="{self.across(x):.1f}" cy="{self.up(y):.1f}" r="{radius:g}"/>'

    def mark(self, x: float, label: str) -> list[str]:
        """A vertical line with its label beside it, on the side that has room."""
        place = self.across(x)
        anchor, beside = ("end", -4) if place > (LEFT + RIGHT) / 2 else ("start", 4)
        return [
            f'<path class="mark" d="M{place:.1f} {TOP}V{BASE}"/>',
            text(place + beside, TOP + 10, label, anchor, "mark"),
        ]

    def level(self, y: float, label: str) -> list[str]:
        """A horizontal line with its label above its end."""
        place = self.up(y)
        return [
            f'<path class="mark" d="M{LEFT} {place:.1f}H{RIGHT}"/>',
            text(RIGHT, place - 4, label, "end", "mark"),
        ]


def histogram(title: str, values: Array, across: str, marks: dict[str, float]) -> str:
    """How often values occur, in 30 bins; marks by their labels."""
    low, high = min(values.min(), *marks.values()), max(values.max(), *marks.values())
    counts, edges = np.histogram(values, bins=30, range=(low, high))
    axes = Axes((low, high), (0, float(counts.max())))
    bars = [axes.bar(a, b, float(n)) for a, b, n in zip(edges, edges[1:], counts, strict=False) if n]
    lines = [part for label, at in marks.items() for part in axes.mark(at, label)]
    return document(title, [*bars, *axes.frame(across, "", nice(low, high), ()), *lines], WIDTH, HEIGHT)


def nice(low: float, high: float) -> list[float]:
    """Round numbers between two ends, three to seven of them."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    while (high - low) / step > 7:
        step *= 2 if round(step / 10 ** math.floor(math.log10(step))) != 2 else 2.5
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def text(x: float, y: float, words: str, anchor: str = "middle", kind: str = "") -> str:
    return f'<text{_class(kind)} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
