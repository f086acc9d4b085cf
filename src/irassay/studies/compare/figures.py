"""The figures of `irassay compare`."""

from dataclasses import replace
from typing import Any

from irassay.ask.methods import ANY_TEST, CORRECTIONS
from irassay.result import VERDICTS, Figure, Mark, interval_around
from irassay.studies.compare.settings import Compare
from irassay.studies.compare.tables import LETTERS_NOTE, MEANS_NOTE

MOST_TOPICS = 25  # that a reader looks at
MOST_IN_TIERS = 30  # systems whose names fit beside a critical-difference diagram
MEANS = Figure(
    "means",
    "intervals",
    "comparison",
    **interval_around("mean"),
    y="system",
    facet="measure",
    labels={"x": "mean score"},
    caption=f"Means with their intervals. {MEANS_NOTE}",
    alt="Each system's mean score with its interval, the best system on top, one small figure for each measure",
)
TOPICS = Figure(
    "topics",
    "intervals",
    "topics",
    x="mean",
    y="topic",
    low="worst",
    high="best",
    facet="measure",
    order="table",
    most=MOST_TOPICS,
    labels={"x": "score"},
    caption="Topics where systems differ most, the largest range on top: mean over systems, worst and best system",
    alt="Each topic's mean score with its worst and best system, one small figure for each measure",
)
# What a test that is not one of means says of a difference.
NO_DIRECTION = ("different", "different", "undecided")


def figures(study: Compare, systems: int) -> tuple[Figure, ...]:
    """Of so many systems."""
    names = study.baselines
    if not names:
        means = replace(
            MEANS,
            text="letters",
            caption=f"Means with their intervals, and the letters of their tiers. {LETTERS_NOTE} {MEANS_NOTE}",
        )
        return (means, *([_tiers(study)] if systems <= MOST_IN_TIERS else []), TOPICS, _pairs(study))
    means = MEANS if len(names) == 1 else replace(MEANS, where={"against": names[0]})
    forests = [_forest(study, number) for number in range(len(names))]
    if len(names) > 1:
        return (*forests, means, TOPICS)
    return (*forests, means, _topic_differences(names[0], study.losses, systems - 1), TOPICS)


def _tested(study: Compare) -> str:
    """By what pairs are told apart."""
    plan = study.plan
    test, correction = ANY_TEST[plan.test], CORRECTIONS[plan.correction]
    corrected = f"corrected {correction.label}" if correction.label else "not corrected"
    text = f"{test.label}, {'for all at once' if test.simultaneous else corrected}, alpha {study.alpha:g}"
    return f"{text}. {test.note}" if test.note else text


def _verdicts(study: Compare) -> tuple[str, str, str]:
    return NO_DIRECTION if ANY_TEST[study.plan.test].note else VERDICTS


def _pairs(study: Compare) -> Figure:
    return Figure(
        "pairs",
        "pairs",
        "pairs",
        x="system_y",
        y="system_x",
        value="difference",
        level="p_corrected",
        alpha=study.alpha,
        facet="measure",
        verdicts=_verdicts(study),
        caption=f"Differences of all pairs of systems, in colour where they are significant ({_tested(study)})",
        alt="A matrix of differences with a row and a column for each system from the best on: blue where the row's "
        "system is significantly better, orange where it is worse, grey where nothing is decided",
    )


def _tiers(study: Compare) -> Figure:
    return Figure(
        "tiers",
        "tiers",
        "comparison",
        x="mean",
        y="system",
        text="letters",
        facet="measure",
        labels={"x": "mean score"},
        caption="Systems by their means; a bar joins systems of which no two are told apart, at its points "
        f"({_tested(study)})",
        alt="A critical-difference diagram: systems along a line of mean scores, with bars that join those that the "
        "tests do not tell apart",
    )


def _forest(study: Compare, number: int) -> Figure:
    names = study.baselines
    baseline = names[number]
    return Figure(
        "differences" if len(names) == 1 else f"differences_{number + 1}",
        "forest",
        "pairs",
        x="difference",
        y="system_x",
        low="low",
        high="high",
        level="p_corrected",
        alpha=study.alpha,
        facet="measure",
        where={} if len(names) == 1 else {"system_y": baseline},
        labels={"x": f"difference to {baseline}"},
        verdicts=_verdicts(study),
        caption=f"Mean differences to {baseline} with their intervals; coloured by the test ({_tested(study)})",
        alt="A forest plot: each system's mean difference to the baseline with its interval, better, worse or "
        "undecided, and the numbers at the right edge",
    )


def _topic_differences(baseline: str, losses: float | None, systems: int) -> Figure:
    lost = () if losses is None else (Mark("x", -losses, f"lost by {losses:g}"),)
    common: dict[str, Any] = {"x": "difference", "facet": "measure", "labels": {"x": f"difference to {baseline}"}}
    if systems == 1:
        return Figure(
            "topic_differences",
            "bars",
            "topic_differences",
            y="topic",
            **common,
            marks=lost,
            caption=f"Differences to {baseline} by topic: below 0 a topic is lost",
            alt="A bar for each topic, from the largest gain on top to the largest loss",
        )
    return Figure(
        "topic_differences",
        "strip",
        "topic_differences",
        y="system",
        text="topic",
        **common,
        marks=(Mark("x", 0.0), *lost),
        caption=f"Differences to {baseline} by topic: below 0 a topic is lost. Topics far from the others are named",
        alt="For each system a line of short strokes, one for each topic; the topics lost and won by most are named",
    )
