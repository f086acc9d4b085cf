"""The work of `irassay design`."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from irassay.ask import design as ask
from irassay.ask.comparison import residual_variance
from irassay.errors import InputError, emit
from irassay.report.text import undefined
from irassay.result import Figure, Mark, Result, Table
from irassay.settings import Execution
from irassay.studies.design.settings import Design
from irassay.studies.inputs import load_scores, paired_values
from irassay.studies.phrases import few, rows_of, safe
from irassay.studies.tables import Rows, columns

NOTE = (
    "variance: of per-topic differences (2·V_E2) for the t test and the interval, V_E2 for the analysis of variance, "
    "V_E2 the two-way residual of the scores at hand. topics_needed: for power, or for the expected width. "
    "power_at_hand: the chance that the topics at hand show a true difference of min_difference; "
    "width_at_hand: the width to expect of its interval."
)


def run(study: Design, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `design`, `generalizability`, and `design_curve` and `d_study` for the figures."""
    _check(study)
    data = load_scores(study, qrels, runs, execution)
    values, warnings = paired_values(data.scores, "plan for the measure itself")
    emit(warnings)
    rows, curve, general, d_study = [], [], [], []
    topics, systems = len(data.topics), study.systems or len(data.systems)
    for measure, scores in values.items():
        variance = residual_variance(scores)
        components = ask.components(scores)
        rows += _rows(study, measure, variance, topics, systems)
        curve += _curve(study, measure, variance, systems, rows[-3:], topics)
        general.append(_generalizability(study, measure, components, scores.shape))
        d_study += _d_study(measure, components, topics)
    provenance = {
        **data.provenance,
        "min_difference": study.min_difference,
        "power": study.power,
        "alpha": study.alpha,
        "width": _width(study),
        "anova_systems": systems,
        "reliability": study.reliability,
    }
    tables = (
        Table("design", columns(rows), NOTE, {"variance": 4, "power_at_hand": 3, "width_at_hand": 3}),
        Table(
            "generalizability",
            columns(general),
            "How well the scores generalise: e_rho2 for differences between systems, phi for the scores themselves; "
            f"topics_for: so many give {study.reliability:g}. The systems at hand are taken for a random sample.",
            {"variance_system": 4, "variance_topic": 4, "variance_residual": 4, "e_rho2": 3, "phi": 3},
        ),
        Table("design_curve", columns(curve), "Power for the minimum difference by the number of topics"),
        Table("d_study", columns(d_study), "Generalisability by the number of topics"),
    )
    return Result("design", tables, (*data.warnings, *warnings), provenance, _figures(study, topics))


def _check(study: Design) -> None:
    for name, share in (("alpha", study.alpha), ("power", study.power), ("reliability", study.reliability)):
        if not 0 < share < 1:
            raise InputError(f"{name} is {share:g}", hint=f"{name} lies between 0 and 1")
    for name, size in (("--min-difference", study.min_difference), ("--width", _width(study))):
        if not 0 < size < math.inf:
            raise InputError(f"{name} is {size:g}", hint="it is a difference in score that matters, such as 0.05")
    if study.systems is not None and study.systems < 2:
        raise InputError(f"--systems is {study.systems}", hint="an analysis of variance needs at least two systems")


def _width(study: Design) -> float:
    return 2 * study.min_difference if study.width is None else study.width


def _powers(study: Design, variance: float, systems: int) -> dict[str, Callable[[int], float]]:
    """Power by the number of topics."""
    return {
        "t test": lambda n: ask.t_power(n, study.min_difference, 2 * variance, study.alpha),
        "one-way ANOVA": lambda n: ask.anova_power(n, systems, study.min_difference, variance, study.alpha),
    }


def _rows(study: Design, measure: str, variance: float, topics: int, systems: int) -> Rows:
    def row(design: str, needed: int | None, power: float, width: float, *, anova: bool = False) -> dict[str, Any]:
        return {
            "measure": measure,
            "design": design,
            "systems": systems if anova else 2,
            "min_difference": study.min_difference,
            "variance": variance if anova else 2 * variance,
            "topics_needed": needed,
            "topics": topics,
            "power_at_hand": power,
            "width_at_hand": width,
        }

    rows = []
    for design, power in _powers(study, variance, systems).items():
        needed = ask.fewest(lambda n, power=power: power(n) >= study.power)  # type: ignore[misc]
        rows.append(row(design, needed, power(topics), math.nan, anova=design != "t test"))
    limit = _width(study)
    needed = ask.fewest(lambda n: ask.expected_width(n, 2 * variance, study.alpha) <= limit)
    width = ask.expected_width(topics, 2 * variance, study.alpha)
    rows.append(row(f"interval of width {limit:g}", needed, math.nan, width))
    return rows


def _generalizability(
    study: Design, measure: str, components: ask.Components, shape: tuple[int, ...]
) -> dict[str, Any]:
    systems, topics = shape
    return {
        "measure": measure,
        "systems": systems,
        "topics": topics,
        "variance_system": components.system,
        "variance_topic": components.topic,
        "variance_residual": components.residual,
        "e_rho2": ask.generalizability(components, topics),
        "phi": ask.dependability(components, topics),
        "topics_for_e_rho2": ask.topics_for(components, study.reliability, absolute=False),
        "topics_for_phi": ask.topics_for(components, study.reliability, absolute=True),
    }


def _curve(study: Design, measure: str, variance: float, systems: int, rows: Rows, topics: int) -> Rows:
    """From 5 topics to well beyond what is needed or at hand, in about forty steps."""
    last = max([topics, *(row["topics_needed"] or 0 for row in rows[:2])])
    steps = sorted({round(n) for n in np.geomspace(5, max(10, 1.5 * last), 40).tolist()})
    return [
        {"measure": measure, "design": name, "curve": f"{measure}, {name}", "topics": n, "power": power(n)}
        for name, power in _powers(study, variance, systems).items()
        for n in steps
    ]


def _d_study(measure: str, components: ask.Components, topics: int) -> Rows:
    steps = sorted({topics, *(round(n) for n in np.geomspace(5, 4 * max(topics, 50), 40).tolist())})
    return [
        {
            "measure": measure,
            "coefficient": name,
            "curve": f"{measure}, {name}",
            "topics": n,
            "value": coefficient(components, n),
        }
        for name, coefficient in (("E-rho²", ask.generalizability), ("Phi", ask.dependability))
        for n in steps
    ]


def _figures(study: Design, topics: int) -> tuple[Figure, ...]:
    here = Mark("x", topics, "at hand")
    return (
        Figure(
            name="design",
            kind="curve",
            table="design_curve",
            x="topics",
            y="power",
            series="curve",
            labels={"x": "topics", "y": "power"},
            marks=(Mark("y", study.power, "wanted"), here),
            caption=f"Chance to find a true difference of {study.min_difference:g}, by the number of topics",
            alt="Rising curves of power over the number of topics, one per measure and design",
        ),
        Figure(
            name="d_study",
            kind="curve",
            table="d_study",
            x="topics",
            y="value",
            series="curve",
            labels={"x": "topics", "y": "coefficient"},
            marks=(Mark("y", study.reliability, "wanted"), here),
            caption="D-study: how well scores would generalise with other numbers of topics",
            alt="Rising curves of generalisability coefficients over the number of topics, two per measure",
        ),
    )


def findings(result: Result) -> list[str]:
    tests = [row for row in rows_of(result["design"]) if row["design"] == "t test"]
    parts = [f"{safe(row['measure'])} {_topics(row['topics_needed'])}" for row in tests]
    power = [f"{safe(row['measure'])} {row['power_at_hand']:.2f}" for row in tests]
    coefficients = [
        f"{safe(row['measure'])} {row['e_rho2']:.2f}" for row in rows_of(result["generalizability"], "e_rho2")
    ]
    settings = result.provenance
    topics = tests[0]["topics"]
    sentences = [
        f"To find a true difference of {settings['min_difference']:g} with a power of {settings['power']:g} (paired t "
        f"test, alpha {settings['alpha']:g}) it takes this many topics: {few(parts)}.",
        f"With the {topics:,} topics at hand the power is: {few(power)}.",
    ]
    if coefficients:
        sentences.append(
            f"Differences between systems on {topics:,} topics generalise to other topics with a coefficient (E-rho²) "
            f"of: {few(coefficients)}."
        )
    return sentences


def _topics(needed: int | None) -> str:
    return "more than any collection has" if undefined(needed) else f"{needed:,}"
