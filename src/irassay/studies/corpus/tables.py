"""Tables and figures of `irassay corpus` (zobel2020corpus: T1-T4, F1-F5)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.ask.spread import mean_and_sd
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.result import Figure, Table, decimals
from irassay.scoring.scores import Scores
from irassay.studies.corpus.accumulate import CorpusStatistics
from irassay.studies.corpus.settings import Corpus
from irassay.studies.tables import columns
from irassay.vary.documents import ImagePlan

FIVE = (0.025, 0.25, 0.5, 0.75, 0.975)
NAMES = ("q2.5", "q25", "q50", "q75", "q97.5")


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


def _root(studied: Studied, measure: Measure) -> Any:
    return studied.root[str(measure)].means()[studied.systems]


def _sd(values: Any) -> Any:
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.full(values.shape[1], np.nan)


def _systems(studied: Studied) -> Table:
    rows = []
    errors = []
    several = len(studied.systems) > 1
    for measure in studied.measures:
        root, scores = _root(studied, measure), studied.statistics.scores[measure]
        five = np.quantile(scores, FIVE, axis=0)
        sd, mean = _sd(scores), scores.mean(axis=0)
        place = ranks(root) if several else np.ones(1)
        of_rank = rank_quantiles(count_ranks(scores), (0.025, 0.5, 0.975)) if several else np.ones((3, 1))
        errors.append(sd)
        rows += [
            {
                "measure": str(measure),
                "system": name,
                "root_score": root[s],
                "mean": mean[s],
                "bias": mean[s] - root[s],
                "sd": sd[s],
                **{q: five[k, s] for k, q in enumerate(NAMES)},
                "rank_root": place[s],
                "rank_q2.5": of_rank[0, s],
                "rank_q50": of_rank[1, s],
                "rank_q97.5": of_rank[2, s],
            }
            for s, name in enumerate(studied.names)
        ]
    # as many digits as the spread leaves any meaning
    shown = decimals(float(np.nanmedian(errors))) if studied.study.images > 1 else 4
    digits = dict.fromkeys(("root_score", "mean", *NAMES), shown)
    digits |= {"bias": shown + 1, "sd": shown + 1} | dict.fromkeys(
        ("rank_root", "rank_q2.5", "rank_q50", "rank_q97.5"), 1
    )
    caption = (
        f"Scores over {studied.study.images} bootstrap corpora (images) of {studied.plan.corpus} documents: spread "
        "over them, not confidence; root_score is that of the corpus itself, bias the mean over them less it"
    )
    return Table("systems", columns(rows), caption, digits)


def _ranks(studied: Studied) -> Table:
    rows = []
    for measure in studied.measures:
        five = rank_quantiles(count_ranks(studied.statistics.scores[measure]), FIVE)
        rows += [
            {"measure": str(measure), "system": name, **{q: five[k, s] for k, q in enumerate(NAMES)}}
            for s, name in enumerate(studied.names)
        ]
    return Table("ranks", columns(rows), "Ranks over bootstrap corpora", dict.fromkeys(NAMES, 1))


def _triples(studied: Studied) -> Table:
    rows = []
    for base, sds in studied.statistics.triples.items():
        mean, sd = mean_and_sd(sds)
        rows.append({"measure": str(base), "mean_sd": mean, "sd_sd": sd})
    caption = (
        "Deviation over bootstrap corpora of the difference of two systems on a topic: mean and sd over all pairs and "
        "topics"
    )
    return Table("triples", columns(rows), caption, {"mean_sd": 3, "sd_sd": 3})


def _interval(studied: Studied) -> Table:
    rows = []
    for (base, kind), counts in studied.statistics.outside.items():
        below, inside, above = (counts.sum(axis=0) / counts.sum()).tolist()
        rows.append({"measure": str(base), "interval": kind, "below": below, "inside": inside, "above": above})
    caption = (
        "Does the last bootstrap corpus fall where the others say? Shares of all pairs of systems on all topics whose "
        "difference in it lies below, in and above the 95% interval of the others"
    )
    return Table("interval", columns(rows), caption, {"below": 3, "inside": 3, "above": 3})


def _shown(studied: Studied) -> Table:
    rows = []
    for base, sds in studied.statistics.sd.items():
        for s in studied.shown:
            mean, sd = mean_and_sd(sds[s])
            rows.append({"measure": str(base), "system": studied.names[s], "mean_sd": mean, "sd_sd": sd})
    which = "" if studied.study.systems_shown else " (the best system; --show names others)"
    caption = f"Deviation over bootstrap corpora of a system's score on a topic: mean and sd over topics{which}"
    return Table("shown", columns(rows), caption, {"mean_sd": 3, "sd_sd": 3})


def _topic_sd(studied: Studied) -> Table:
    rows = [
        {"measure": str(base), "topic": topic, "sd_p95": value}
        for base, sds in studied.statistics.sd.items()
        for topic, value in zip(studied.panel.topics, np.percentile(sds, 95, axis=0).tolist(), strict=True)
    ]
    caption = "Deviation over bootstrap corpora of the scores on a topic: 95th percentile over systems"
    return Table("topic_sd", columns(rows), caption, {"sd_p95": 3})


def _topics(studied: Studied) -> Table:
    topics, names = list(studied.panel.topics), studied.names
    parts: dict[str, list[Any]] = {"measure": [], "system": [], "topic": []}
    numbers: dict[str, list[Any]] = {name: [] for name in ("root_score", "mean", "sd", "q25", "q50", "q75")}
    for base in studied.statistics.mean:
        parts["measure"] += [str(base)] * (len(names) * len(topics))
        parts["system"] += [name for name in names for _ in topics]
        parts["topic"] += topics * len(names)
        quartiles = studied.statistics.quartiles[base]
        values = (
            studied.root[str(base)].values[studied.systems],
            studied.statistics.mean[base],
            studied.statistics.sd[base],
            *quartiles,
        )
        for column, array in zip(numbers.values(), values, strict=True):
            column.append(array.ravel())
    how = "" if studied.statistics.exact else " (quartiles from histograms: the scores do not fit into --memory)"
    content: dict[str, Any] = {**parts, **{name: np.concatenate(column) for name, column in numbers.items()}}
    return Table("topics", content, f"Scores on each topic over bootstrap corpora{how}", dict.fromkeys(numbers, 3))


def _variation(studied: Studied) -> Table:
    """Other topics, other corpora, and both at once."""
    assert studied.counts is not None
    rows = []
    for measure in studied.measures:
        topics = measure.summarise(studied.root[str(measure.base)].values[studied.systems], studied.counts)
        three = _sd(topics), _sd(studied.statistics.scores[measure]), _sd(studied.statistics.both[measure])
        rows += [
            {
                "measure": str(measure),
                "system": name,
                "sd_topics": three[0][s],
                "sd_corpus": three[1][s],
                "sd_both": three[2][s],
            }
            for s, name in enumerate(studied.names)
        ]
    caption = (
        "Deviation of scores over resampled topics, bootstrap corpora, and both; no shares of a total: the "
        "variation between topics already contains that of the corpus"
    )
    return Table("variation", columns(rows), caption, {"sd_topics": 4, "sd_corpus": 4, "sd_both": 4})


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
            y="q50",
            low="q2.5",
            lower="q25",
            upper="q75",
            high="q97.5",
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
    ]
    if len(studied.systems) > 1:
        drawn.append(
            Figure(
                "system_ranks",
                "boxes",
                "ranks",
                x="system",
                y="q50",
                low="q2.5",
                lower="q25",
                upper="q75",
                high="q97.5",
                facet="measure",
                labels={"y": "rank"},
                caption="Ranks over bootstrap corpora: quartiles, and 95% of them between the whiskers",
                alt="Boxes of the rank of each system, one small figure per measure",
            )
        )
    return drawn
