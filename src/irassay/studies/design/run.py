"""The work of `irassay design`."""

import math
from typing import Any

from irassay.ask import generalizability as ask
from irassay.ask.design import pair_variances
from irassay.ask.significance import rank_of
from irassay.errors import InputError, emit
from irassay.report.text import undefined
from irassay.result import Figure, Mark, Result, Table
from irassay.settings import Execution
from irassay.studies.design.by_size import FEWEST, rows_by_size
from irassay.studies.design.coverage import METHODS, WHERE, best_method, few_topics, in_words, measured
from irassay.studies.design.plans import PAIRED, plans
from irassay.studies.design.settings import Design
from irassay.studies.design.tables import CAPTIONS, DIGITS, coefficients, curve, d_study, generalizability
from irassay.studies.design.trusted import trusted_rows, two_judges
from irassay.studies.inputs import load_scores, paired_values
from irassay.studies.phrases import extremes, join, percent, rows_of, safe
from irassay.studies.tables import Rows, columns
from irassay.vary.topics import TopicPlan


def run(study: Design, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `design`, `topics_needed` (intervals), `across_pairs`, `generalizability` and `coefficients` (intervals).

    With --by-size also `by_size`, with --cheap `trusted_needed`; `design_curve`, `d_study` and `trusted_curve` are for
    the figures.
    """
    _check(study)
    data = load_scores(study, qrels, runs, execution)
    values, warnings = paired_values(data.scores, "plan for the measure itself")
    topics = len(data.topics)
    if study.by_size and topics < FEWEST:
        raise InputError(f"--by-size takes sets of the topics, and there are {topics}", hint=f"it needs {FEWEST}")
    warnings += few_topics(topics)
    emit(warnings)
    counts = TopicPlan(study.seed, topics, study.resamples).counts()
    rows: dict[str, Rows] = {name: [] for name in CAPTIONS}
    for measure, scores in values.items():
        designs = list(plans(study, measure, scores, counts))
        parts = ask.components(ask.mean_squares(scores), *scores.shape)
        rows["design"] += [plan.row(topics) for plan in designs]
        rows["topics_needed"] += [row for plan in designs for row in plan.intervals()]
        variances = pair_variances(scores)
        rows["across_pairs"] += [
            row for plan in designs if plan.kind in PAIRED for row in plan.across_pairs(variances, topics)
        ]
        rows["generalizability"].append(generalizability(study, measure, parts, scores.shape))
        rows["coefficients"] += coefficients(study, measure, scores, counts)
        rows["design_curve"] += curve([plan for plan in designs if plan.kind != "interval"], topics)
        rows["d_study"] += d_study(measure, parts, topics)
        if study.by_size:
            rows["by_size"] += rows_by_size(study, measure, scores, data.jobs)
    if study.cheap is not None:
        two = two_judges(study, qrels, runs, execution)
        emit(two.warnings)
        warnings += two.warnings
        for measure, judged in two.by_measure(data.systems)[0].items():
            for row, curves in trusted_rows(study, measure, judged, float(rows["design"][-1]["alpha"])):
                rows["trusted_needed"].append(row)
                rows["trusted_curve"] += curves
    systems = study.systems or len(data.systems)
    provenance = {
        **data.provenance,
        "min_difference": study.min_difference,
        "power": study.power,
        "alpha": study.alpha,
        "correction": study.correction,
        "comparisons": systems * (systems - 1) // 2,
        "width": study.full_width,
        "anova_systems": systems,
        "reliability": study.reliability,
        "cheap": None if study.cheap is None else two.labels.judges[1].qrels.path,
    }
    tables = [
        Table(
            name,
            columns(rows[name]),
            CAPTIONS[name].format(study=study, measured=in_words(topics)),
            DIGITS.get(name, {}),
        )
        for name in rows
        if rows[name]
    ]
    figures = _figures(study, topics, by_size=bool(rows["by_size"]))
    if study.cheap is not None:
        figures += (_trusted_figure(study, len(two.common)),)
    return Result("design", tuple(tables), (*data.warnings, *warnings), provenance, figures)


def _check(study: Design) -> None:
    for name, share in (("alpha", study.alpha), ("power", study.power), ("reliability", study.reliability)):
        if not 0 < share < 1:
            raise InputError(f"{name} is {share:g}", hint=f"{name} lies between 0 and 1")
    for name, size in (("--min-difference", study.min_difference), ("--width", study.full_width)):
        if not 0 < size < math.inf:
            raise InputError(f"{name} is {size:g}", hint="it is a difference in score that matters, such as 0.05")
    if study.systems is not None and study.systems < 2:
        raise InputError(f"--systems is {study.systems}", hint="an analysis of variance needs at least two systems")
    if study.by_size:
        rank_of(study.alpha, study.resamples)


def _figures(study: Design, topics: int, *, by_size: bool) -> tuple[Figure, ...]:
    here = Mark("x", topics, "at hand")
    figures = (
        Figure(
            name="design",
            kind="curve",
            table="design_curve",
            x="topics",
            y="power",
            series="design",
            facet="measure",
            labels={"x": "topics", "y": "power"},
            marks=(Mark("y", study.power, "wanted"), here),
            caption=f"Chance to find a true difference of {study.min_difference:g}, by the number of topics",
            alt="Rising curves of power over the number of topics, one per design, in a small figure for each measure",
        ),
        Figure(
            name="d_study",
            kind="curve",
            table="d_study",
            x="topics",
            y="value",
            series="coefficient",
            facet="measure",
            labels={"x": "topics", "y": "coefficient"},
            marks=(Mark("y", study.reliability, "wanted"), here),
            caption="How well scores would generalise with other numbers of topics (a D-study): E-rho² for differences "
            "between systems, Phi for the scores themselves",
            alt="Rising curves of generalisability coefficients over the number of topics, two per measure",
        ),
    )
    if not by_size:
        return figures
    curve = Figure(
        name="by_size",
        kind="curve",
        table="by_size",
        x="topics",
        y="value",
        series="curve",
        labels={"x": "topics", "y": "difference"},
        marks=(here,),
        caption="Estimated and required differences by the number of topics; beyond the topics at hand extrapolated",
        alt="Falling curves of differences over the number of topics, two per measure",
    )
    return (*figures, curve)


def _trusted_figure(study: Design, topics: int) -> Figure:
    return Figure(
        name="trusted_needed",
        kind="curve",
        table="trusted_curve",
        x="topics",
        y="width",
        series="curve",
        facet="measure",
        labels={"x": "trusted topics", "y": "expected width of the interval"},
        marks=(Mark("y", study.full_width, "wanted"), Mark("x", topics, "at hand")),
        caption="How narrow intervals are by the number of trusted topics, with the cheap judge and without",
        alt="Falling curves of widths over the number of trusted topics, with and without the cheap judge, by measure",
    )


def findings(result: Result) -> list[str]:
    tests = [row for row in rows_of(result["design"]) if row["design"] == "t test"]
    topics, settings = tests[0]["topics"], result.provenance
    method = best_method(topics)
    held = measured("t test", method, topics)
    spans = {
        row["measure"]: f"{_topics(row['topics_needed'])} topics ({_span(row)})"
        for row in rows_of(result["topics_needed"])
        if (row["design"], row["method"]) == ("t test", method)
    }
    level = f"alpha {settings['alpha']:g} per comparison, not corrected"
    if settings["correction"] == "bonferroni":
        level = f"alpha {settings['alpha']:g}, Bonferroni for {settings['comparisons']:,} comparisons"
    difference = f"a true difference of {settings['min_difference']:g}"
    # None: more than any collection has
    few, many, _ = ends = extremes(tests, lambda row: -_number(row["topics_needed"]))
    most = f", and {spans[many['measure']]} by {safe(many['measure'])}" if many else ""
    weak = many or few
    powers = f"{few['power_at_hand']:.2f} by {ends.by}"
    powers += f" and {weak['power_at_hand']:.2f} by {safe(weak['measure'])}" if many else ""
    sentences = [
        f"To find {difference} with a power of {settings['power']:g} it takes {spans[few['measure']]} by "
        f"{ends.by}{most} (paired t test, {level}).{ends.table('design')}",
        f"With the {topics:,} topics at hand the chance to find it is {powers}.",
        *_all_pairs(result),
        *_generalise(result, topics),
        f"In brackets are 95% intervals. Those of topics, by {METHODS[method]}, held the true number in at least "
        f"{percent(held.share)} of experiments with {held.topics:,} {WHERE}.",
    ]
    return sentences + _trusted(result) + _extrapolated(result, topics)


def _trusted(result: Result) -> list[str]:
    """How many trusted topics beside the cheap judge, for differences and for means."""
    if "trusted_needed" not in result:
        return []
    rows = rows_of(result["trusted_needed"])
    parts = []
    for row in rows:
        low, high, alone = (
            _topics(row[name]) for name in ("trusted_needed_low", "trusted_needed_high", "needed_alone")
        )
        rho = "undefined" if undefined(row["rho"]) else f"{row['rho']:.2f}"
        needed = f"{safe(row['measure'])} {_topics(row['trusted_needed'])} for a {row['of']}"
        parts.append(f"{needed} ({low} to {high}; without the cheap judge {alone}; correlation of the judges {rho})")
    return [
        f"Where the cheap judge has judged {rows[0]['total_topics']:,} topics, an interval no wider than "
        f"{rows[0]['width']:g} takes this many trusted topics: {join(parts)}."
    ]


def _all_pairs(result: Result) -> list[str]:
    """How many topics are enough for nearly all pairs."""
    rows = rows_of(result["across_pairs"])
    rows = [row for row in rows if (row["design"], row["share_of_pairs"]) == ("t test", 0.95)]
    if not rows:
        return []
    few, many, _ = ends = extremes(rows, lambda row: -_number(row["topics_needed"]))
    most = f" and {_topics(many['topics_needed'])} by {safe(many['measure'])}" if many else ""
    return [
        f"Some pairs need more: for 95% of them {_topics(few['topics_needed'])} topics are enough by {ends.by}{most}."
    ]


def _generalise(result: Result, topics: int) -> list[str]:
    """How well differences between systems would hold on other topics."""
    rows = [
        row
        for row in rows_of(result["coefficients"], "value", "low")
        if (row["coefficient"], row["method"]) == ("E-rho²", "topic bootstrap")
    ]
    if not rows:
        return []

    def value(row: dict[str, Any]) -> str:
        return f"{row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"

    best, worst, _ = ends = extremes(rows, lambda row: float(row["value"]))
    least = f" and {value(worst)} by {safe(worst['measure'])}" if worst else ""
    return [
        f"Differences between systems on {topics:,} topics generalise to topics like these with a coefficient of "
        f"{value(best)} by {ends.by}{least}; 1 would be perfect (E-rho²)."
    ]


def _extrapolated(result: Result, topics: int) -> list[str]:
    """Both differences with twice the topics."""
    if "by_size" not in result:
        return []
    rows = rows_of(result["by_size"])
    here = {row["curve"]: row["value"] for row in rows if (row["kind"], row["topics"]) == ("measured", topics)}
    parts: dict[str, list[str]] = {}
    for row in rows:
        if row["topics"] == 2 * topics:
            value = "not known"
            if not undefined(row["value"]):
                value = f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
            now = f", measured with {topics:,} topics {here[row['curve']]:.3f}" if row["curve"] in here else ""
            parts.setdefault(row["what"], []).append(f"{safe(row['measure'])} {value}{now}")
    level = f"largest over pairs, alpha {result.provenance['alpha']:g} per comparison, not corrected"
    meanings = {
        "estimated difference": f"the estimated difference ({level})",
        "swap's required difference": "the difference from which on at most 5% swap",
    }
    return [
        f"Extrapolated to {2 * topics:,} topics, {meanings[what]} would be: {'; '.join(listed)}."
        for what, listed in parts.items()
    ]


def _number(needed: int | None) -> float:
    return math.inf if needed is None or undefined(needed) else needed


def _topics(needed: int | None) -> str:
    return "more than any collection has" if undefined(needed) else f"{needed:,}"


def _span(row: dict[str, Any]) -> str:
    return f"{_topics(row['topics_needed_low'])} to {_topics(row['topics_needed_high'])}"
