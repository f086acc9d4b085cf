"""The pictures and numbers of docs/concepts.md: one of each for every concept, all of one demo collection."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from docs.svg import BASE, WIDTH, Axes, document, histogram, text
from numpy.typing import NDArray

import irassay
from irassay import demo
from irassay.ask.ranks import rank_bounds, share_first
from irassay.ask.reversals import reversals
from irassay.ask.t_statistic import resampled_t
from irassay.panel.panel import Panel
from irassay.vary.documents import Documents
from irassay.vary.topics import TopicPlan, Topics

TOPIC, KEPT, SAMPLES, CORPORA = "5", (100, 70, 50, 30, 20, 10), 1000, 500
Array = NDArray[np.float64]


class Example(NamedTuple):
    """A picture, what it shows, and the numbers that the text quotes, as they are written there."""

    picture: str
    shows: str
    numbers: Mapping[str, str]


@cache
def panel() -> Panel:
    """The collection of `irassay demo-data` with its defaults."""
    return demo.panel_of(demo.Model(), range(50))


@cache
def scores(measure: str) -> Array:
    """[system, topic]"""
    return np.asarray(panel().score(measure)[measure].values)


@cache
def best_two() -> tuple[int, int]:
    first, second = np.argsort(-scores("AP").mean(axis=1), kind="stable")[:2]
    return int(first), int(second)


def difference() -> Array:
    """AP of the best system less that of the second, by topic."""
    first, second = best_two()
    ap = scores("AP")
    return np.asarray(ap[first] - ap[second])


def grades_of(system: str, topic: str) -> list[int]:
    """By rank; negative where there is no judgment."""
    data = panel()
    start, end = data.pool[data.topics.index(topic) :][:2]
    pool = dict(zip(data.documents(topic), data.grade[start:end].tolist(), strict=True))
    return [pool[document] for document in data.ranking(system, topic)]


@cache
def topic_samples() -> irassay.Replicates:
    return irassay.replicates(Topics(replicates=SAMPLES), irassay.Observed(panel().score("AP"), panel()))


def best_system() -> str:
    return panel().systems[best_two()[0]]


def ranked_list() -> Example:
    grades = grades_of(best_system(), TOPIC)[:20]
    cells = [text(40, 47, "grade", "end"), text(40, 64, "rank", "end")]
    for place, grade in enumerate(grades):
        left, kind = 44 + 20 * place, {0: "none", 1: "light"}.get(grade, "")
        cells.append(f'<rect class="{kind}" x="{left}" y="14" width="18" height="18"/>')
        cells += [text(left + 9, 47, str(grade)), text(left + 9, 64, str(place + 1))]
    first, topic = best_two()[0], panel().topics.index(TOPIC)
    numbers = {
        "topic": TOPIC,
        "relevant": str(sum(grade >= 1 for grade in grades[:10])),
        "precision": f"{scores('P@10')[first, topic]:.1f}",
        "all_relevant": str(int(panel().judged_counts(1)[topic, 1:].sum())),
        "ap": f"{scores('AP')[first, topic]:.3f}",
    }
    shows = f"grades of the first 20 documents that {best_system()} ranks for topic {TOPIC}"
    return Example(document(shows, cells, WIDTH, 72), shows, numbers)


def pool() -> Example:
    judged = np.mean([[grade >= 0 for grade in grades_of(best_system(), topic)] for topic in panel().topics], axis=0)
    axes = Axes((1, 1000), (0, 1))
    parts = [axes.line(np.arange(5, 1000, 10), judged.reshape(-1, 10).mean(axis=1))]
    parts += axes.frame("rank", "share judged", (1, 200, 400, 600, 800, 1000), (0, 0.5, 1))
    numbers = {"judged_first": f"{judged[:100].mean():.0%}", "judged_last": f"{judged[900:].mean():.0%}"}
    shows = f"share of {best_system()}'s documents that are judged, by rank"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def topic_scores() -> Example:
    ordered = -np.sort(-scores("AP")[best_two()[0]])
    axes, mean = Axes((0, len(ordered)), (0, 1)), float(ordered.mean())
    parts = [axes.bar(place, place + 1, value) for place, value in enumerate(ordered.tolist())]
    parts += [*axes.frame(f"{len(ordered)} topics, the best first", "AP", (), (0, 0.5, 1)), *axes.level(mean, "mean")]
    numbers = {"mean": f"{mean:.3f}", "highest": f"{ordered[0]:.2f}", "lowest": f"{ordered[-1]:.2f}"}
    shows = f"AP of {best_system()} on every topic"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def paired_differences() -> Example:
    ordered = -np.sort(-difference())
    end = float(np.ceil(np.abs(ordered).max() * 10) / 10)
    axes = Axes((0, len(ordered)), (-end, end))
    parts = [axes.bar(place, place + 1, value) for place, value in enumerate(ordered.tolist())]
    parts += axes.frame(f"{len(ordered)} topics", "difference of AP", (), (-end, 0, end))
    numbers = {
        "second": panel().systems[best_two()[1]],
        "difference": f"{ordered.mean():.3f}",
        "won": str(int((ordered > 0).sum())),
        "lost": str(int((ordered < 0).sum())),
    }
    shows = f"AP of {best_system()} less that of {numbers['second']}, by topic"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def sampled_topics() -> Example:
    first, second = best_two()
    means = topic_samples().means[0]
    values = means[:, first] - means[:, second]
    numbers = {"sd": f"{values.std(ddof=1):.3f}", "reversed": f"{(values < 0).mean():.1%}"}
    shows = f"difference of the two means on {SAMPLES:,} samples of the topics"
    return Example(histogram(shows, values, "difference of mean AP", {"0": 0.0}), shows, numbers)


def no_difference() -> Example:
    z = difference()
    drawn = np.abs(resampled_t(z, TopicPlan(0, len(z), SAMPLES).counts().astype(float)))
    observed = abs(float(z.mean() / (z.std(ddof=1) / np.sqrt(len(z)))))
    extreme = int((drawn >= observed).sum())
    numbers = {"t": f"{observed:.2f}", "extreme": str(extreme), "asl": f"{extreme / SAMPLES:.3f}"}
    shows = f"|t| on {SAMPLES:,} samples as they would be without a difference"
    return Example(histogram(shows, drawn, "|t|", {f"observed: {observed:.2f}": observed}), shows, numbers)


def pairs_told_apart() -> Example:
    axes = Axes((0, 435), (0, 0.2))
    parts: list[str] = []
    numbers: dict[str, str] = {}
    compared = irassay.compare(panel(), measures="AP RR", correction="none")["pairs"]
    for measure, kind in (("AP", "line"), ("RR", "other")):
        chosen = np.array([name == measure for name in compared["measure"]])
        p = np.sort(np.asarray(compared["p_value"], dtype=float)[chosen])
        shown = p[p <= 0.2]
        parts.append(axes.line(range(1, len(shown) + 1), shown, kind))
        parts.append(text(axes.across(len(shown)) + 4, axes.up(0.19), measure, "start"))
        numbers |= {f"{measure.lower()}_share": f"{(p < 0.05).mean():.0%}", "pairs": str(len(p))}
    parts += axes.frame("pairs of systems, the smallest p first", "p", (0, 100, 200, 300, 400), (0, 0.1, 0.2))
    parts += axes.level(0.05, "")
    shows = "p-values of all pairs of systems by AP and, broken, by RR, with a line at 0.05"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def ranks() -> Example:
    bounds, order = rank_bounds(topic_samples(), 0), np.argsort(-scores("AP").mean(axis=1), kind="stable")
    n = len(order)
    axes = Axes((0, n + 1), (n, 1))
    parts = []
    for place, system in enumerate(order.tolist()):
        x, low, high = axes.across(place + 1), axes.up(bounds.low[system]), axes.up(bounds.high[system])
        parts += [f'<path class="line" d="M{x:.1f} {low - 1:.1f}V{high + 1:.1f}"/>', axes.dot(place + 1, place + 1)]
    parts += axes.frame("systems, the best first", "ranks", (1, 10, 20, 30), (1, 10, 20, 30))
    first = best_two()[0]
    numbers = {
        "rank_low": f"{bounds.low[first]:.0f}",
        "rank_high": f"{bounds.high[first]:.0f}",
        "share_first": f"{share_first(topic_samples(), 0)[first]:.0%}",
    }
    shows = "ranks of each system that the tests do not exclude; dots are observed ranks"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def reversed_pairs() -> Example:
    replicates = topic_samples()
    found = reversals(replicates.observed[0], replicates.means[0])
    axes = Axes((0, 0.1), (0, 0.6))
    near = found.difference <= 0.1
    parts = [axes.dot(x, y, 1.5) for x, y in zip(found.difference[near], found.rate[near], strict=True)]
    parts += axes.frame("observed difference of AP", "share reversed", (0, 0.02, 0.04, 0.06, 0.08, 0.1), (0, 0.3, 0.6))
    parts += [*axes.level(0.05, "5%"), *axes.mark(found.surviving_difference, f"{found.surviving_difference:.3f}")]
    numbers = {"resolved": f"{found.pairs_resolved:.0%}", "surviving": f"{found.surviving_difference:.3f}"}
    shows = f"for every pair of systems, in what share of {SAMPLES:,} samples of the topics its order is reversed"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


def other_corpora() -> Example:
    varied = Documents(replicates=CORPORA, corpus_size=demo.Model().documents)
    drawn = irassay.replicates(varied, irassay.Observed(panel().score("AP"), panel())).means[0, :, best_two()[0]]
    observed = float(scores("AP")[best_two()[0]].mean())
    numbers = {
        "corpora": str(CORPORA),
        "corpus_low": f"{np.quantile(drawn, 0.025):.3f}",
        "corpus_high": f"{np.quantile(drawn, 0.975):.3f}",
        "bias": f"{drawn.mean() - observed:+.3f}",
    }
    shows = f"mean AP of {best_system()} on {CORPORA} bootstrap corpora"
    return Example(histogram(shows, drawn, "mean AP", {"observed": observed}), shows, numbers)


def fewer_judgments() -> Example:
    rates = [rate for rate in KEPT if rate < 100]
    kept = irassay.incomplete(panel(), measures="AP AP'", rates=",".join(map(str, rates)), trials=1)["incomplete"]
    axes = Axes((100, 10), (0, 0.5))
    rate_of, score_of = np.asarray(kept["rate"], dtype=int), np.asarray(kept["mean_score"], dtype=float)
    parts: list[str] = []
    numbers: dict[str, str] = {}
    for measure, kind in (("AP", "line"), ("AP'", "other")):
        rows = [n for n, name in enumerate(kept["measure"]) if name == measure]
        by_rate = dict(zip(rate_of[rows].tolist(), score_of[rows].tolist(), strict=True))
        parts.append(axes.line(by_rate, by_rate.values(), kind))
        numbers |= {f"{kind}_{rate}": f"{value:.2f}" for rate, value in by_rate.items()}
        parts.append(text(axes.across(12), axes.up(by_rate[10]) - 6, measure, "end"))
    parts += axes.frame("per cent of the judgments", "mean score", KEPT, (0, 0.25, 0.5))
    shows = "mean AP and, broken, AP' of all systems as judgments are taken away at random"
    return Example(document(shows, parts, WIDTH, BASE + 38), shows, numbers)


EXAMPLES = {
    function.__name__: function
    for function in (
        ranked_list,
        pool,
        topic_scores,
        paired_differences,
        sampled_topics,
        no_difference,
        pairs_told_apart,
        ranks,
        reversed_pairs,
        other_corpora,
        fewer_judgments,
    )
}
