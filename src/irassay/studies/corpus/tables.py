"""Tables of `irassay corpus` (zobel2020corpus: T1-T4)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.ranks import count_ranks, rank_quantiles, ranks
from irassay.ask.spread import QUANTILES, apart, deviations, mean_and_sd, outside_each_other, score_spread, skewness
from irassay.ask.verdicts import verdicts
from irassay.headers import Header
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.result import Table, decimals
from irassay.scoring.scores import Scores
from irassay.studies.corpus.accumulate import CorpusStatistics
from irassay.studies.corpus.settings import Corpus
from irassay.studies.tables import columns, records
from irassay.vary.documents import ImagePlan

Array = NDArray[np.float64]
FIVE, NAMES = tuple(QUANTILES.values()), tuple(QUANTILES)
MEAN = Header("mean", meaning="Mean over bootstrap corpora")
APART = Header("told apart by the topics", "told apart", "Share of these pairs that a t test over topics tells apart")
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

    @cached_property
    def spread(self) -> dict[Measure, dict[str, Array]]:
        """Of every system's score over bootstrap corpora."""
        root, scores = self.root, self.statistics.scores
        return {m: score_spread(root[str(m)].means()[self.systems], scores[m]) for m in self.measures}

    @cached_property
    def rank_counts(self) -> dict[Measure, NDArray[np.int64]]:
        """How often each system has each rank, of several systems."""
        return {m: count_ranks(self.statistics.scores[m]) for m in self.measures}

    @property
    def names(self) -> list[str]:
        return [self.panel.systems[s] for s in self.systems]


def tables(studied: Studied) -> list[Table]:
    listed = [_data(studied), _systems(studied)]
    if len(studied.systems) > 1:
        listed += [_ranks(studied), _triples(studied)]
        if len(studied.panel.topics) > 1 and studied.study.images > 1:
            listed += _apart(studied)
        if studied.study.images > 2:
            listed.append(_interval(studied))
    listed += [_shown(studied), _topic_sd(studied), _sd_skewness(studied), _topics(studied), _topic_scores(studied)]
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
        root, spread = studied.root[str(measure)].means()[studied.systems], studied.spread[measure]
        places = rank_quantiles(studied.rank_counts[measure], (0.025, 0.5, 0.975)) if several else np.ones((3, 1))
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
        "over them, not confidence. The score and the rank on the corpus itself stand beside; bias is the mean over "
        "bootstrap corpora less that score",
        digits,
        headers={"mean": MEAN},
    )


def _ranks(studied: Studied) -> Table:
    rows = []
    for measure in studied.measures:
        five = rank_quantiles(studied.rank_counts[measure], FIVE)
        rows += _by_system(studied, measure, **dict(zip(NAMES, five, strict=True)))
    return Table("ranks", columns(rows), "Ranks over bootstrap corpora", dict.fromkeys(NAMES, 1))


def _triples(studied: Studied) -> Table:
    rows = [{"measure": str(base), **_mean_and_sd(sds)} for base, sds in studied.statistics.triples.items()]
    return Table(
        "triples",
        columns(rows),
        "Standard deviation over bootstrap corpora of the difference of two systems on a topic: its mean and its own "
        "standard deviation over all pairs and topics",
        {"mean_sd": 3, "sd_sd": 3},
    )


def _apart(studied: Studied) -> list[Table]:
    """Whether corpus intervals that are apart imply a significant t-test over topics."""
    rows = []
    for measure in studied.measures:
        if measure.paired is None:  # nothing to test
            continue
        root = studied.root[str(measure.base)].values[studied.systems]
        significant = verdicts(measure.paired.forward(root).T) != 0
        low, high = (studied.spread[measure][name] for name in ("q2.5", "q97.5"))
        means = studied.root[str(measure)].means()[studied.systems]
        relations = {
            ("intervals apart", "intervals overlap"): apart(low, high),
            ("each score outside the other interval", "a score inside the other interval"): outside_each_other(
                means, low, high
            ),
        }
        for names, holds in relations.items():
            for name, pairs in zip(names, (holds, ~holds), strict=True):
                tested = significant[pairs]
                share = float(tested.mean()) if tested.size else None
                rows.append({"measure": str(measure), "relation": name, "pairs": tested.size, "significant": share})
    if not rows:
        return []
    return [
        Table(
            "apart",
            columns(rows),
            "Do corpus intervals that are apart imply a significant difference over topics? Pairs by their 95% of the "
            "mean scores over bootstrap corpora, and the share of them with p < 0.05 in a paired t-test over topics "
            "(per comparison, not corrected)",
            {"significant": 3},
            headers={"significant": APART},
        )
    ]


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
        "Standard deviation over bootstrap corpora of a system's score on a topic: its mean and its own standard "
        f"deviation over topics{which}",
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
        "Standard deviation over bootstrap corpora of the scores on a topic: 95th percentile over systems",
        {"sd_p95": 3},
    )


def _sd_skewness(studied: Studied) -> Table:
    rows = [
        {"measure": str(base), "deviations": sds.size, "skewness": skewness(sds.ravel())}
        for base, sds in studied.statistics.sd.items()
    ]
    return Table(
        "sd_skewness",
        columns(rows),
        "Skewness of the standard deviations over bootstrap corpora of all scores (systems and topics): 0 is "
        "symmetric, above it a few are far larger than the others",
        {"skewness": 2},
    )


def _topic_scores(studied: Studied) -> Table:
    """Of the systems shown: the distribution on each topic, with its tails."""
    topics = list(studied.panel.topics)
    rows = [
        record
        for base in studied.statistics.mean
        for s in studied.shown
        for record in records(
            measure=[str(base)] * len(topics),
            system=[studied.names[s]] * len(topics),
            topic=topics,
            **dict(zip(("q25", "q50", "q75"), studied.statistics.quartiles[base][:, s], strict=True)),
            **dict(zip(("q2.5", "q97.5"), studied.statistics.tails[base][:, s], strict=True)),
        )
    ]
    content = columns(rows)
    ordered = {name: content[name] for name in ("measure", "system", "topic", *NAMES)}
    return Table(
        "topic_scores", ordered, "Scores on each topic over bootstrap corpora, with tails", dict.fromkeys(NAMES, 3)
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
    return Table(
        "topics",
        content,
        f"Scores on each topic over bootstrap corpora{how}",
        dict.fromkeys(numbers, 3),
        headers={"mean": MEAN},
    )


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
        "Standard deviation of mean scores over samples of the topics, over bootstrap corpora, and over both. They are "
        "no shares of a total: the variation between topics already contains that of the corpus",
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
