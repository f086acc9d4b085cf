"""Figures of `irassay corpus` (zobel2020corpus: F1-F5)."""

from irassay.result import Figure
from irassay.studies.corpus.tables import BOX, Studied


def figures(studied: Studied) -> list[Figure]:
    shown = studied.names[studied.shown[0]]
    drawn = [
        Figure(
            "topic_sd",
            "points",
            "topic_sd",
            x="topic",
            y="sd_p95",
            series="measure",
            labels={"y": "95th percentile of the sd over bootstrap corpora"},
            caption="How much scores on each topic vary over bootstrap corpora (95th percentile over systems)",
            alt="Points of the deviation on each topic, one series per measure",
        ),
        Figure(
            "topic_scores",
            "boxes",
            "topic_scores",
            x="topic",
            **BOX,
            facet="measure",
            where={"system": shown},
            labels={"y": "score"},
            caption=f"Scores of {shown} on each topic over bootstrap corpora: quartiles, and 95% of them between the "
            "whiskers",
            alt=f"Boxes of the scores of {shown} on each topic, one small figure per measure",
        ),
        Figure(
            "system_scores",
            "boxes",
            "systems",
            x="system",
            **BOX,
            facet="measure",
            labels={"y": "mean score"},
            caption="Mean scores over bootstrap corpora: quartiles, and 95% of them between the whiskers",
            alt="Boxes of the mean scores of each system, one small figure per measure",
        ),
        Figure(
            "system_sd",
            "points",
            "systems",
            x="system",
            y="sd",
            series="measure",
            labels={"y": "sd of the mean score over bootstrap corpora"},
            caption="How much mean scores vary over bootstrap corpora",
            alt="Points of the deviation of each system's mean score, one series per measure",
        ),
        Figure(
            "system_ranks",
            "boxes",
            "ranks",
            x="system",
            **BOX,
            facet="measure",
            labels={"y": "rank"},
            caption="Ranks over bootstrap corpora: quartiles, and 95% of them between the whiskers",
            alt="Boxes of the rank of each system, one small figure per measure",
        ),
    ]
    return drawn if len(studied.systems) > 1 else drawn[:-1]  # one system has no ranks
