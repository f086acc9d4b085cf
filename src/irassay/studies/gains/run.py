"""The work of `irassay gains`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from irassay.ask.agreement import tau
from irassay.ask.significance import rank_of
from irassay.errors import InputError, emit
from irassay.measures import Measure, parse
from irassay.progress import track
from irassay.result import Result, Table
from irassay.settings import Execution
from irassay.studies.gains.settings import Gains
from irassay.studies.inputs import PanelInput, check_size, load_panel
from irassay.studies.phrases import FEWEST_PAIRS, per_comparison, percent, rows_of, safe, too_few_pairs
from irassay.studies.scenario_tests import ScenarioTests
from irassay.studies.selection import Selected, select_systems
from irassay.studies.tables import columns, grouped
from irassay.vary.gains import GainScenarios, gain_table, parse_schemes
from irassay.vary.topics import TopicPlan
from irassay.vary.variation import Observed


def run(study: Gains, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Table: `gains`."""
    rank_of(study.alpha, study.resamples)
    if study.scores:
        raise InputError("other gains need judgments and runs", hint="give QRELS and runs, not --scores")
    measures = parse(study.measures)
    for measure in measures:
        if measure.binary or measure.gains is not None or measure.summary is not None:
            raise InputError(
                f"{measure} does not take other gains",
                hint="name graded measures without gains=, rel= and summaries, such as Q or nDCG@10",
            )
    schemes = parse_schemes(study.schemes)
    if study.gains is not None:
        raise InputError("--gains and --schemes say different things", hint="give all gains with --schemes")
    data = load_panel(study, qrels, runs, execution, comparison=True)
    rows, systems, selected = _rows(study, data, measures, schemes)
    caption = (
        f"Other gains: tau with the ranking by {next(iter(schemes))}, and the share of pairs told apart at alpha "
        f"{study.alpha:g}, per comparison, not corrected. The estimated difference is the largest over pairs."
    )
    digits = {"tau_with_default": 3, "discriminative_power": 3, "estimated_difference": 2}
    provenance = data.provenance | {
        "measures": [str(measure) for measure in measures],
        "systems": systems,
        "restrictions": [*data.restrictions, *selected.restrictions],
        "schemes": list(schemes),
        "alpha": study.alpha,
        "resamples": study.resamples,
        "seed": study.seed,
    }
    table = Table("gains", columns(rows), caption, digits)
    return Result("gains", (table,), (*data.warnings, *selected.warnings), provenance)


def _rows(
    study: Gains, data: PanelInput, measures: Sequence[Measure], schemes: Mapping[str, Mapping[int, float]]
) -> tuple[list[dict[str, Any]], list[str], Selected]:
    """The rows of the table, the systems compared, and how they were selected."""
    panel = data.panel
    tables = [gain_table(text, scheme, panel.grades) for text, scheme in schemes.items()]
    scores = replace(panel, gains=dict(tables[0])).score(measures, jobs=data.jobs)
    selected = select_systems(
        study, panel.systems, {one.name: one.means() for one in scores.by_measure()}, aliases=panel.aliases
    )
    kept = selected.places
    check_size(kept, panel.topics)
    emit(selected.warnings)
    observed = Observed(scores.select(systems=[panel.systems[place] for place in kept]), panel)
    scenarios = GainScenarios(panel.minimal, kept, observed.bases, tables)
    samples = TopicPlan(study.seed, len(panel.topics), study.resamples)
    tests = ScenarioTests(scenarios, observed.scores, observed.places, range(len(kept)), samples, study.alpha)
    # not as one plan: few schemes, whose tests of pairs are better shared out and saved in parts
    by_scheme = [tests.statistics(unit, data.jobs) for unit in track("gains", range(tests.units))]
    rows = [
        {
            "measure": str(measure),
            "scheme": text,
            "tau_with_default": tau(by_scheme[0]["means"][k], scenario["means"][k]),
            "significant": int(scenario["significant"][k].sum()),
            "pairs": len(scenario["significant"][k]),
            "discriminative_power": float(scenario["significant"][k].mean()),
            "estimated_difference": float(scenario["required"][k]),
        }
        for k, measure in enumerate(measures)
        for text, scenario in zip(schemes, by_scheme, strict=True)
    ]
    return rows, list(observed.scores.systems), selected


def findings(result: Result) -> list[str]:
    rows = rows_of(result["gains"])
    default = rows[0]["scheme"]
    others = [row for row in rows if row["scheme"] != default]
    if not others:
        return [f"There is one gain scheme only, {safe(default)}."]
    if rows[0]["pairs"] < FEWEST_PAIRS:
        return [too_few_pairs(rows[0]["pairs"])]
    least = min(others, key=lambda row: row["tau_with_default"])
    by_measure = grouped(rows, "measure").items()
    powers = [(measure, [row["discriminative_power"] for row in same]) for (measure,), same in by_measure]
    measure, shares = max(powers, key=lambda item: max(item[1]) - min(item[1]))
    if percent(min(shares)) == percent(max(shares)):
        apart = f"Whatever the gains, {safe(measure)} tells {percent(max(shares))} of pairs apart"
        apart = apart if len(powers) == 1 else "The gains hardly change how many pairs a measure tells apart"
    else:
        apart = (
            f"{safe(measure)} depends most on the gains in how many pairs it tells apart: {percent(min(shares))} to "
            f"{percent(max(shares))}"
        )
    return [
        f"With every gain scheme the ranking of systems agrees with that by {safe(default)} at a tau of at least "
        f"{least['tau_with_default']:.2f}; it is lowest by {safe(least['measure'])} with {safe(least['scheme'])}.",
        f"{apart} ({per_comparison(result.provenance['alpha'])}).",
    ]
