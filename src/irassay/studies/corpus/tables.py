"""Tables and figures of `irassay corpus` (zobel2020corpus: T1-T4, F1-F5)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.ask.spread import QUANTILES, deviations, mean_and_sd, score_spread
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.result import Figure, Table, decimals
from irassay.scoring.scores import Scores
from irassay.studies.corpus.accumulate import CorpusStatistics
from irassay.studies.corpus.settings import Corpus
from irassay.studies.tables import columns, records
from irassay.vary.documents import ImagePlan

FIVE, NAMES = tuple(QUANTILES.values()), tuple(QUANTILES)
RANKS = ("rank_q2.5", "rank_q50", "rank_q97.5")
BOX: dict[str, Any] = dict(zip(("low", "lower", "y", "upper", "high"), NAMES, strict=True))


@dataclass(frozen=True)
class Studied:
    """Everything the tables are made of."""

    study: Corpus
    panel: Panel
    plan: ImagePlan
    systems: list[int]
    measures: list[Measure]
    root: Scores
    statistics: CorpusStatistics
    counts: NDArray[np.int32] | None
    shown: list[int]  # places in `systems`

    @property
    def names(self) -> list[str]:
        return [self.panel.systems[s] for s in self.systems]


def tables(studied: Studied) -> list[Table]:
    listed = [_data(studied), _systems(studied)]
    if len(studied.systems) > 1:
        listed += [_ranks(studied), _triples(studied)]
        if studied.study.images > 2:
            listed.append(_interval(studied))
    listed += [_shown(studied), _topic_sd(studied), _topics(studied)]
    if studied.counts is not None:
        listed.append(_variation(studied))
    if studied.statistics.unanswered.any():
        listed.append(_unanswered(studied))
    return listed


def _mean_and_sd(values: Any) -> dict[str, float]:
    return dict(zip(("mean_sd", "sd_sd"), mean_and_sd(values), strict=True))


def _by_system(studied: Studied, measure: Measure, **values: Any) -> list[dict[str, Any]]:
    return records(measure=[str(measure)] * len(studied.names), system=studied.names, **values)


def _systems(studied: Studied) -> Table:
    rows = []
    errors = []
    several = len(studied.systems) > 1
    for measure in studied.measures:
        root, scores = studied.root[str(measure)].means()[studied.systems], studied.statistics.scores[measure]
        spread = score_spread(root, scores)
        places = rank_quantiles(count_ranks(scores), (0.025, 0.5, 0.975)) if several else np.ones((3, 1))
        errors.append(spread["sd"])
        rows += _by_system(
            studied,
            measure,
            root_score=root,
            **spread,
            rank_root=ranks(root) if several else np.ones(1),
            **dict(zip(RANKS, places, strict=True)),
        )
    # as many digits as the spread leaves any meaning
    shown = decimals(float(np.nanmedian(errors))) if studied.study.images > 1 else 4
    digits = dict.fromkeys(("root_score", "mean", *NAMES), shown)
    digits |= {"bias": shown + 1, "sd": shown + 1, **dict.fromkeys(("rank_root", *RANKS), 1)}
    return Table(
        "systems",
        columns(rows),
        f"Scores over {studied.study.images} bootstrap corpora (images) of {studied.plan.corpus} documents: spread "
        "over them, not confidence; root_score is that of the corpus itself, bias the mean over them less it",
        digits,
    )


def _ranks(studied: Studied) -> Table:
    rows = []
    for measure in studied.measures:
        five = rank_quantiles(count_ranks(studied.statistics.scores[measure]), FIVE)
        rows += _by_system(studied, measure, **dict(zip(NAMES, five, strict=True)))
    return Table("ranks", columns(rows), "Ranks over bootstrap corpora", dict.fromkeys(NAMES, 1))


def _triples(studied: Studied) -> Table:
    rows = [{"measure": str(base), **_mean_and_sd(sds)} for base, sds in studied.statistics.triples.items()]
    return Table(
        "triples",
        columns(rows),
        "Deviation over bootstrap corpora of the difference of two systems on a topic: mean and sd over all pairs and "
        "topics",
        {"mean_sd": 3, "sd_sd": 3},
    )


def _interval(studied: Studied) -> Table:
    sides = ("below", "inside", "above")
    rows = [
        {"measure": str(base), "interval": kind}
        | dict(zip(sides, (counts.sum(axis=0) / counts.sum()).tolist(), strict=True))
        for (base, kind), counts in studied.statistics.outside.items()
    ]
    return Table(
        "interval",
        columns(rows),
        "Does the last bootstrap corpus fall where the others say? Shares of all pairs of systems on all topics whose "
        "difference in it lies below, in and above the 95% interval of the others",
        dict.fromkeys(sides, 3),
    )


def _shown(studied: Studied) -> Table:
    rows = [
        {"measure": str(base), "system": studied.names[s], **_mean_and_sd(sds[s])}
        for base, sds in studied.statistics.sd.items()
        for s in studied.shown
    ]
    which = "" if studied.study.systems_shown else " (the best system; --show names others)"
    return Table(
        "shown",
        columns(rows),
        f"Deviation over bootstrap corpora of a system's score on a topic: mean and sd over topics{which}",
        {"mean_sd": 3, "sd_sd": 3},
    )


def _topic_sd(studied: Studied) -> Table:
    rows = [
        {"measure": str(base), "topic": topic, "sd_p95": value}
        for base, sds in studied.statistics.sd.items()
        for topic, value in zip(studied.panel.topics, np.percentile(sds, 95, axis=0).tolist(), strict=True)
    ]
    return Table(
        "topic_sd",
        columns(rows),
        "Deviation over bootstrap corpora of the scores on a topic: 95th percentile over systems",
        {"sd_p95": 3},
    )


def _topics(studied: Studied) -> Table:
    topics, names = list(studied.panel.topics), studied.names
    parts: dict[str, list[Any]] = {"measure": [], "system": [], "topic": []}
    numbers: dict[str, list[Any]] = {name: [] for name in ("root_score", "mean", "sd", "q25", "q50", "q75")}
    for base in studied.statistics.mean:
        parts["measure"] += [str(base)] * (len(names) * len(topics))
        parts["system"] += [name for name in names for _ in topics]
        parts["topic"] += topics * len(names)
        values = (
            studied.root[str(base)].values[studied.systems],
            studied.statistics.mean[base],
            studied.statistics.sd[base],
            *studied.statistics.quartiles[base],
        )
        for column, array in zip(numbers.values(), values, strict=True):
            column.append(array.ravel())
    how = "" if studied.statistics.exact else " (quartiles from histograms: the scores do not fit into --memory)"
    content: dict[str, Any] = {**parts, **{name: np.concatenate(column) for name, column in numbers.items()}}
    return Table("topics", content, f"Scores on each topic over bootstrap corpora{how}", dict.fromkeys(numbers, 3))


def _variation(studied: Studied) -> Table:
    """Samples of these topics, other corpora, and both at once."""
    assert studied.counts is not None
    rows = []
    for measure in studied.measures:
        topics = measure.summarise(studied.root[str(measure.base)].values[studied.systems], studied.counts)
        rows += _by_system(
            studied,
            measure,
            sd_topics=deviations(topics),
            sd_corpus=deviations(studied.statistics.scores[measure]),
            sd_both=deviations(studied.statistics.both[measure]),
        )
    return Table(
        "variation",
        columns(rows),
        "Deviation of scores over resampled topics, bootstrap corpora, and both; no shares of a total: the "
        "variation between topics already contains that of the corpus",
        {"sd_topics": 4, "sd_corpus": 4, "sd_both": 4},
    )


def _unanswered(studied: Studied) -> Table:
    counts = studied.statistics.unanswered
    rows = [{"topic": studied.panel.topics[t], "images": int(counts[t])} for t in np.flatnonzero(counts).tolist()]
    return Table(
        "unanswered",
        columns(rows),
        "Bootstrap corpora (images) in which a topic has no relevant document, and scores 0",
    )


def _data(studied: Studied) -> Table:
    panel = studied.panel
    judged = len(np.unique(panel.document[panel.grade >= 0]))
    row = {
        "systems": len(studied.systems),
        "systems_given": len(panel.systems),
        "topics": len(panel.topics),
        "corpus_size": studied.plan.corpus,
        "active_documents": studied.plan.active,
        "judged_documents": judged,
        "judged_share": judged / studied.plan.corpus,
        "images": studied.study.images,
    }
    return Table("data", columns([row]), "The collection", {"judged_share": 3})


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
            "intervals",
            "topics",
            x="topic",
            y="q50",
            low="q25",
            high="q75",
            facet="measure",
            where={"system": shown},
            labels={"y": "score: median and quartiles"},
            caption=f"Scores of {shown} on each topic over bootstrap corpora: median and quartiles",
            alt=f"Quartiles of the scores of {shown} on each topic, one small figure per measure",
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
