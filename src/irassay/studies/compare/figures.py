"""The figures of `irassay compare`."""

from dataclasses import replace

from irassay.ask.methods import ANY_TEST, CORRECTIONS
from irassay.result import Figure, Mark
from irassay.studies.compare.settings import Compare
from irassay.studies.compare.tables import MEANS_NOTE

ALWAYS = (
    Figure(
        name="means",
        kind="intervals",
        table="comparison",
        x="system",
        y="mean",
        low="mean_low",
        high="mean_high",
        facet="measure",
        labels={"y": "mean score"},
        caption=f"Means with their intervals. {MEANS_NOTE}",
        alt="Each system's mean score with its interval, one panel a measure",
    ),
    Figure(
        name="topics",
        kind="intervals",
        table="topics",
        x="topic",
        y="mean",
        low="worst",
        high="best",
        facet="measure",
        labels={"x": "topic, by range", "y": "score"},
        caption="Topics where systems differ most: mean over systems, worst and best system",
        alt="Each topic's mean score with its worst and best system, one panel a measure",
    ),
)


def figures(study: Compare) -> tuple[Figure, ...]:
    names = study.baselines
    if not names:
        return (*ALWAYS, _pairs(study))
    if len(names) == 1:
        return (*ALWAYS, *_to_baseline(names[0], study.losses))
    means, topics = ALWAYS
    return replace(means, where={"against": names[0]}), topics, _to_baselines()


def _pairs(study: Compare) -> Figure:
    plan = study.plan
    test, correction = ANY_TEST[plan.test], CORRECTIONS[plan.correction]
    corrected = f"corrected {correction.label}" if correction.label else "not corrected"
    caption = f"p-values of all pairs ({test.label}), {'for all at once' if test.simultaneous else corrected}"
    return Figure(
        name="pairs",
        kind="matrix",
        table="pairs",
        x="system_y",
        y="system_x",
        value="p_corrected",
        facet="measure",
        labels={"value": "p-value"},
        caption=f"{caption}. {test.note}" if test.note else caption,
        alt="A matrix of p-values, one cell for each pair of systems, one panel a measure",
    )


def _to_baselines() -> Figure:
    return Figure(
        name="differences",
        kind="intervals",
        table="pairs",
        x="system_x",
        y="difference",
        low="low",
        high="high",
        series="system_y",
        facet="measure",
        labels={"x": "system", "y": "difference", "series": "to"},
        marks=(Mark("y", 0.0, "baseline"),),
        caption="Mean differences to each baseline with their intervals",
        alt="Each system's mean differences to the baselines with their intervals, one colour a baseline",
    )


def _to_baseline(baseline: str, losses: float | None) -> tuple[Figure, Figure]:
    equal = Mark("y", 0.0, baseline)
    lost = () if losses is None else (Mark("y", -losses, f"lost by {losses:g}"),)
    return (
        Figure(
            name="differences",
            kind="intervals",
            table="pairs",
            x="system_x",
            y="difference",
            low="low",
            high="high",
            facet="measure",
            labels={"x": "system", "y": f"difference to {baseline}"},
            marks=(equal,),
            caption=f"Mean differences to {baseline} with their intervals",
            alt="Each system's mean difference to the baseline with its interval, one panel a measure",
        ),
        Figure(
            name="topic_differences",
            kind="points",
            table="topic_differences",
            x="topic",
            y="difference",
            series="system",
            facet="measure",
            labels={"y": f"difference to {baseline}"},
            marks=(equal, *lost),
            caption=f"Differences to {baseline} by topic: below 0 a topic is lost",
            alt="Per-topic differences to the baseline, one colour a system, one panel a measure",
        ),
    )
