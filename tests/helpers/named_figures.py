"""Figures with systems along an axis, over scores whose order is known."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from irassay.result import Column, Figure, Table

MEASURES = ("AP", "P@10")


def score(system: int, measure: int) -> float:
    """Distinct, and in another order for each measure."""
    return 0.1 + 0.6 * ((system * 37 + measure * 11) % 211) / 211


def scores(systems: int, measures: int = 1) -> Table:
    """Means with intervals, letters, and differences to 0.4 with p-values."""
    rows = [(m, s, score(s, m)) for m in range(measures) for s in range(systems)]
    means = [mean for _, _, mean in rows]
    columns: dict[str, Column] = {
        "measure": [MEASURES[m] for m, _, _ in rows],
        "system": [f"sys{s}" for _, s, _ in rows],
        "mean": means,
        "mean_low": [mean - 0.05 for mean in means],
        "mean_high": [mean + 0.05 for mean in means],
        "lower": [mean - 0.02 for mean in means],
        "upper": [mean + 0.02 for mean in means],
        "letters": ["a" if mean > 0.5 else "ab" if mean > 0.3 else "b" for mean in means],
        "difference": [mean - 0.4 for mean in means],
        "low": [mean - 0.45 for mean in means],
        "high": [mean - 0.35 for mean in means],
        "p_value": [0.01 if abs(mean - 0.4) > 0.1 else None for mean in means],
    }
    return Table("scores", columns, digits={"difference": 3})


def pairs(systems: int, measures: int = 1) -> Table:
    """Differences of all pairs, significant from 0.1 on."""
    rows = [(m, x, y, score(x, m) - score(y, m)) for m in range(measures) for x, y in combinations(range(systems), 2)]
    columns: dict[str, Column] = {
        "measure": [MEASURES[m] for m, *_ in rows],
        "system_x": [f"sys{x}" for _, x, _, _ in rows],
        "system_y": [f"sys{y}" for _, _, y, _ in rows],
        "difference": [difference for *_, difference in rows],
        "p_value": [0.01 if abs(difference) >= 0.1 else 0.5 for *_, difference in rows],
    }
    return Table("pairs", columns)


CHANNELS: dict[str, dict[str, Any]] = {
    "bars": {"x": "difference", "level": "p_value", "alpha": 0.05},
    "points": {"x": "mean"},
    "intervals": {"x": "mean", "low": "mean_low", "high": "mean_high", "text": "letters"},
    "forest": {"x": "difference", "low": "low", "high": "high", "level": "p_value", "alpha": 0.05},
    "boxes": {"x": "mean", "low": "mean_low", "lower": "lower", "upper": "upper", "high": "mean_high"},
}


def lying(kind: str, systems: int, measures: int = 1, **more: Any) -> tuple[Figure, Table]:
    """Systems below each other."""
    facet = {"facet": "measure"} if measures > 1 else {}
    channels = {**CHANNELS[kind], **facet, **more}
    return Figure("f", kind, "scores", y="system", **channels, caption="C", alt="A"), scores(systems, measures)


def strip(systems: int, measures: int = 1) -> tuple[Figure, Table]:
    figure = Figure("f", "strip", "scores", x="mean", y="measure", text="system", order="table", caption="C", alt="A")
    return figure, scores(systems, measures)


def tiers(systems: int) -> tuple[Figure, Table]:
    figure = Figure("f", "tiers", "scores", x="mean", y="system", text="letters", caption="C", alt="A")
    return figure, scores(systems)


def matrix(systems: int, measures: int = 1, **more: Any) -> tuple[Figure, Table]:
    """Differences of all pairs."""
    facet = {"facet": "measure"} if measures > 1 else {}
    figure = Figure(
        "f",
        "pairs",
        "pairs",
        x="system_y",
        y="system_x",
        value="difference",
        level="p_value",
        alpha=0.05,
        **{**facet, **more},
        caption="C",
        alt="A",
    )
    return figure, pairs(systems, measures)


def best_first(systems: int, measure: int = 0) -> list[str]:
    return [f"sys{s}" for s in sorted(range(systems), key=lambda s: -score(s, measure))]
