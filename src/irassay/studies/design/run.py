"""The work of `irassay design`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import design as ask
from irassay.ask.comparison import residual_variance
from irassay.errors import InputError, emit
from irassay.result import Figure, Mark, Result, Table
from irassay.studies.subjects import compared, subjects
from irassay.studies.tables import columns

if TYPE_CHECKING:
    from irassay.settings import Execution
    from irassay.studies.design.settings import Design

Array = NDArray[np.float64]
NOTE = (
    "variance: of per-topic differences (2·V_E2) for the t test and the interval, V_E2 for the analysis of variance, "
    "V_E2 the two-way residual of the scores at hand. topics_needed: for power, or for the expected width. "
    "power_at_hand: the chance that the topics at hand show a true difference of min_difference; "
    "width_at_hand: the width to expect of its interval."
)


def design_result(study: Design, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    _check(study)
    data = subjects(study, qrels, runs, execution)
    values, warnings = compared(data.subjects, "plan for the measure itself")
    emit(warnings)
    rows, curve, general, d_study = [], [], [], []
    topics, systems = len(data.topics), study.systems or len(data.systems)
    for measure, scores in values.items():
        variance = residual_variance(scores)
        rows += _rows(study, measure, variance, topics, systems)
        curve += _curve(study, measure, variance, systems, rows[-3:], topics)
        found = ask.components(scores)
        general.append(
            {
                "measure": measure, "systems": len(data.systems), "topics": topics, "variance_system": found.system,
                "variance_topic": found.topic, "variance_residual": found.residual,
                "e_rho2": ask.generalizability(found, topics), "phi": ask.dependability(found, topics),
                "topics_for_e_rho2": ask.topics_for(found, study.reliability, absolute=False),
                "topics_for_phi": ask.topics_for(found, study.reliability, absolute=True),
            }
        )  # fmt: skip
        d_study += _d_study(measure, found, topics)
    made = {
        **data.provenance, "min_difference": study.min_difference, "power": study.power, "alpha": study.alpha,
        "width": _width(study), "anova_systems": systems, "reliability": study.reliability,
    }  # fmt: skip
    tables = (
        Table("design", columns(rows), NOTE, {"variance": 4, "power_at_hand": 3, "width_at_hand": 3}),
        Table(
            "generalizability", columns(general),
            f"How well the scores generalise: e_rho2 for differences between systems, phi for the scores themselves; "
            f"topics_for: so many give {study.reliability:g}. The systems at hand are taken for a random sample.",
            {"variance_system": 4, "variance_topic": 4, "variance_residual": 4, "e_rho2": 3, "phi": 3},
        ),
        Table("design_curve", columns(curve), "Power for the minimum difference by the number of topics"),
        Table("d_study", columns(d_study), "Generalisability by the number of topics"),
    )  # fmt: skip
    return Result("design", tables, (*data.warnings, *warnings), made, _figures(study, topics))


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


def _ways(study: Design, variance: float, systems: int) -> dict[str, Callable[[int], float]]:
    """Power by the number of topics."""
    return {
        "t test": lambda n: ask.t_power(n, study.min_difference, 2 * variance, study.alpha),
        "one-way ANOVA": lambda n: ask.anova_power(n, systems, study.min_difference, variance, study.alpha),
    }


def _rows(study: Design, measure: str, variance: float, topics: int, systems: int) -> list[dict[str, Any]]:
    rows = []
    for name, power in _ways(study, variance, systems).items():
        needed = ask.fewest(lambda n, power=power: power(n) >= study.power)  # type: ignore[misc]
        anova = name != "t test"
        rows.append(
            {
                "measure": measure, "design": name, "systems": systems if anova else 2,
                "min_difference": study.min_difference, "variance": variance if anova else 2 * variance,
                "topics_needed": needed, "topics": topics, "power_at_hand": power(topics), "width_at_hand": math.nan,
            }
        )  # fmt: skip
    width = _width(study)
    rows.append(
        {
            "measure": measure, "design": f"interval of width {width:g}", "systems": 2,
            "min_difference": study.min_difference, "variance": 2 * variance,
            "topics_needed": ask.fewest(lambda n: ask.expected_width(n, 2 * variance, study.alpha) <= width),
            "topics": topics, "power_at_hand": math.nan,
            "width_at_hand": ask.expected_width(topics, 2 * variance, study.alpha),
        }
    )  # fmt: skip
    return rows


def _curve(
    study: Design, measure: str, variance: float, systems: int, rows: list[dict[str, Any]], topics: int
) -> list[dict[str, Any]]:
    """From 5 topics to well beyond what is needed or at hand, in about forty steps."""
    last = max([topics, *(row["topics_needed"] or 0 for row in rows[:2])])
    steps = sorted({round(n) for n in np.geomspace(5, max(10, 1.5 * last), 40).tolist()})
    return [
        {"measure": measure, "design": name, "curve": f"{measure}, {name}", "topics": n, "power": power(n)}
        for name, power in _ways(study, variance, systems).items()
        for n in steps
    ]


def _d_study(measure: str, found: ask.Components, topics: int) -> list[dict[str, Any]]:
    steps = sorted({topics, *(round(n) for n in np.geomspace(5, 4 * max(topics, 50), 40).tolist())})
    return [
        {"measure": measure, "coefficient": name, "curve": f"{measure}, {name}", "topics": n, "value": value(found, n)}
        for name, value in (("E-rho²", ask.generalizability), ("Phi", ask.dependability))
        for n in steps
    ]


def _figures(study: Design, topics: int) -> tuple[Figure, ...]:
    here = Mark("x", topics, "at hand")
    return (
        Figure(
            name="design", kind="curve", table="design_curve", x="topics", y="power", series="curve",
            labels={"x": "topics", "y": "power"}, marks=(Mark("y", study.power, "wanted"), here),
            caption=f"Chance to find a true difference of {study.min_difference:g}, by the number of topics",
            alt="Rising curves of power over the number of topics, one per measure and design",
        ),
        Figure(
            name="d_study", kind="curve", table="d_study", x="topics", y="value", series="curve",
            labels={"x": "topics", "y": "coefficient"}, marks=(Mark("y", study.reliability, "wanted"), here),
            caption="D-study: how well scores would generalise with other numbers of topics",
            alt="Rising curves of generalisability coefficients over the number of topics, two per measure",
        ),
    )  # fmt: skip
