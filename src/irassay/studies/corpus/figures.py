"""Figures of `irassay corpus` (zobel2020corpus: F1-F5)."""

from irassay.result import Figure
from irassay.studies.corpus.tables import BOX, Studied

BOXES = "quartiles, and 95% of them between the whiskers"
LYING_BOX = {"x" if channel == "y" else channel: column for channel, column in BOX.items()}


def figures(studied: Studied) -> list[Figure]:
    shown = studied.names[studied.shown[0]]
    scores = Figure(
        "system_scores",
        "boxes",
        "systems",
        **LYING_BOX,
        y="system",
        facet="measure",
        labels={"x": "mean score"},
        caption=f"Mean scores over bootstrap corpora: {BOXES}",
        alt="Boxes of the mean scores of each system, the best on top, one small figure per measure",
    )
    ranks = Figure(
        "system_ranks",
        "boxes",
        "ranks",
        **LYING_BOX,
        y="system",
        facet="measure",
        order="rising",
        labels={"x": "rank"},
        caption=f"Ranks over bootstrap corpora: {BOXES}",
        alt="Boxes of the rank of each system, rank 1 on top, one small figure per measure",
    )
    spread = Figure(
        "system_sd",
        "points",
        "systems",
        x="root_score",
        y="sd",
        facet="measure",
        point_label="system",
        labels={"x": "mean score", "y": "sd"},
        caption="How much mean scores vary over bootstrap corpora, by the score on the corpus itself, a point for "
        "each system; those farthest from the straight line through the points are named",
        alt="Points of the deviation against the mean score of each system, one small figure per measure",
    )
    topics = Figure(
        "topic_sd",
        "strip",
        "topic_sd",
        x="sd_p95",
        y="measure",
        text="topic",
        order="table",
        labels={"x": "95th percentile of the sd over bootstrap corpora"},
        caption="How much scores on each topic vary over bootstrap corpora (95th percentile over systems); topics far "
        "from the others are named",
        alt="For each measure a line of short strokes, one for each topic, at the deviation of scores on it",
    )
    one = Figure(
        "topic_scores",
        "boxes",
        "topic_scores",
        **LYING_BOX,
        y="topic",
        facet="measure",
        where={"system": shown},
        labels={"x": "score"},
        caption=f"Scores of {shown} on each topic over bootstrap corpora: {BOXES}",
        alt=f"Boxes of the scores of {shown} on each topic, the best on top, one small figure per measure",
    )
    # one system has no ranks
    return [scores, *([ranks] if len(studied.systems) > 1 else []), spread, topics, one]
