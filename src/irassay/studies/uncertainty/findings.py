"""What the budget means, in sentences."""

import math
from typing import Any

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.tables import grouped
from irassay.studies.uncertainty.scenarios import DRAWN, OWN_GROUP

Rows = list[dict[str, Any]]
HARDLY_ANY = 0.98  # pairs resolved from which on a source of variation hardly matters
WHAT = {
    "topics": "Samples of these topics",
    "documents": "Bootstrap corpora",
    "simulation": "Lists simulated from their scores",
    "ties": "Random orders of tied documents",
    "unjudged": "Draws of the missing judgments",
}


def findings(result: Result) -> list[str]:
    budget = rows_of(result["budget"])
    measured = [row for row in budget if not undefined(row["pairs_resolved"])]
    if not measured:
        return ["There are too few systems for shares of pairs: the table pairs has each difference and its spread."]
    sentences = _first(result)
    for name, what in WHAT.items():
        rows = [row for row in measured if row["variation"] == name]
        if rows:
            sentences.append(_resolved(rows, what))
    return sentences + _sources(budget) + _scenarios(result)


def _resolved(rows: Rows, what: str) -> str:
    """Which measures keep their order, and what difference is safe."""
    least = min(rows, key=lambda row: row["pairs_resolved"])
    if least["pairs_resolved"] >= HARDLY_ANY:
        share = f"at least {percent(least['pairs_resolved'])} of" if least["pairs_resolved"] < 1 else "all"
        return f"{what} hardly matter: {share} pairs keep their order."
    parts = []
    for row in sorted(rows, key=lambda row: -row["pairs_resolved"]):
        least_safe = row["surviving_difference"]
        bound = "at no difference" if undefined(least_safe) else f"from a difference of {least_safe:.3f} on"
        parts.append(f"{safe(row['measure'])} {percent(row['pairs_resolved'])} ({bound})")
    return f"{what} leave the order of these shares of pairs as it is, in at least 95% of replicates: {few(parts)}."


def _sources(budget: Rows) -> list[str]:
    """Topics against documents: both are samples, so their deviations compare."""
    ratios = []
    for row in budget:
        if row["variation"] == "topics":
            for other in budget:
                same = other["variation"] == "documents" and other["measure"] == row["measure"]
                if same and row["sd_difference"] > 0 and not undefined(other["sd_difference"]):
                    ratios.append((safe(row["measure"]), other["sd_difference"] / row["sd_difference"]))
    if not ratios:
        return []
    parts = [f"{measure} {ratio:.2f}" for measure, ratio in ratios if math.isfinite(ratio)]
    return [
        "The standard error of a difference over bootstrap corpora, as a multiple of that over samples of these topics "
        f"(median pair), is: {few(parts)}."
    ]


def _scenarios(result: Result) -> list[str]:
    if "scenarios" not in result:
        return []
    sentences = []
    for (name,), rows in grouped(rows_of(result["scenarios"]), "variation").items():
        known = [row for row in rows if not undefined(row["smallest_tau"])]
        if rows[0]["scenario"] == OWN_GROUP:
            sentences.append(_own_group(rows))
        elif known:
            sentences.append(_least_agreement(name, known))
    return sentences


def _least_agreement(variation: str, rows: Rows) -> str:
    """The scenario and the measure with the lowest tau, where there is another one to compare them with."""
    least, most = (extreme(rows, key=lambda row: row["smallest_tau"]) for extreme in (min, max))
    alone = len({row["measure"] for row in rows}) == 1
    differ = not alone and least["smallest_tau"] < most["smallest_tau"]
    by = f"by {safe(least['measure'])}" if alone or differ else "by every measure"
    return (
        f"With {_scenario(variation, least['scenario'])} the order of systems agrees {'least ' if differ else ''}with "
        f"the observed one {by} (tau_b {least['smallest_tau']:.2f}"
        f"{', the lowest of all replicates' if least['scenario'] == DRAWN else ''})."
    )


def _scenario(variation: str, scenario: str) -> str:
    """A scenario in words: "50% of the judgments", "pools of depth 5", "gains {1:1,2:3}"."""
    name, _, topics = variation.partition("+")
    sampled = ", on samples of these topics," if topics else ""
    if name.startswith("judgments"):
        return f"{name.removeprefix('judgments ')} of the judgments{sampled}"
    return f"{'pools of' if name == 'pools' else safe(name)} {safe(scenario)}{sampled}"


def _own_group(rows: Rows) -> str:
    worst = max(rows, key=lambda row: abs(row["largest_shift"]))
    if worst["largest_shift"] == 0:
        return "No score of a system would change if its own group had not contributed to the pool."
    lost = max(row["ranks_lost_most"] for row in rows)
    ranks = f"lose up to {lost:g} {'rank' if lost == 1 else 'ranks'}" if lost > 0 else "lose no rank"
    return (
        "A system whose own group had not contributed to the pool would change its score by at most "
        f"{abs(worst['largest_shift']):.3f} ({safe(worst['system'])}, {safe(worst['measure'])}) and {ranks}."
    )


def _first(result: Result) -> list[str]:
    """Who is first, and how far down the tests would let it stand."""
    if "systems" not in result:
        return []
    rows = rows_of(result["systems"], "rank_high")
    parts = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        mine = [row for row in rows if row["measure"] == measure and row["variation"] == "topics"]
        if mine:
            least = min(row["rank"] for row in mine)
            best = [row for row in mine if row["rank"] == least]  # several share the first place where they are tied
            low, high = min(row["rank_low"] for row in best), max(row["rank_high"] for row in best)
            names = " = ".join(safe(row["system"]) for row in best)
            parts.append(f"{safe(measure)} {names} (ranks {low:.0f} to {high:.0f})")
    return (
        [f"First, with the ranks that familywise t tests over topics (Holm) do not exclude: {few(parts)}."]
        if parts
        else []
    )
