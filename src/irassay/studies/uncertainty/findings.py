"""The findings of `irassay uncertainty`: the verdict, and what scenarios and documents add to it."""

import math
from typing import Any

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.phrases import FEWEST_PAIRS, rows_of, safe
from irassay.studies.tables import grouped
from irassay.studies.uncertainty.headline import first, threat, trust
from irassay.studies.uncertainty.scenarios import DRAWN, OWN_GROUP, SOURCES

Rows = list[dict[str, Any]]


def findings(result: Result) -> list[str]:
    """The most important first, about the first measure where measures differ: the budget has them all."""
    budget = rows_of(result["budget"])
    sentences = [first(result), trust(result), threat(result)]
    if not rows_of(result["budget"], "pairs_resolved"):
        sentences.append(_too_few(result))
    return [sentence for sentence in [*sentences, *_scenarios(result), _documents(budget)] if sentence]


def _too_few(result: Result) -> str:
    systems = len({row["system"] for row in rows_of(result["leaderboard"])})
    if systems >= FEWEST_PAIRS:
        return ""
    return "There are too few systems for shares of pairs: the table pairs has each difference and its spread."


def _documents(budget: Rows) -> str:
    """Documents against topics: both are samples, so their deviations compare."""
    sds = {(row["measure"], row["variation"]): row["sd_difference"] for row in budget}
    measure = budget[0]["measure"]
    topics, documents = (sds.get((measure, name), math.nan) for name in ("topics", "documents"))
    if undefined(topics) or undefined(documents) or topics <= 0:
        return ""
    return (
        f"By {safe(measure)} the standard error of a difference over bootstrap corpora is "
        f"{documents / topics:.2f} times that over samples of these topics (median pair)."
    )


def _scenarios(result: Result) -> list[str]:
    if "scenarios" not in result:
        return []
    sentences = []
    for (name,), rows in grouped(rows_of(result["scenarios"]), "variation").items():
        known = [row for row in rows if not undefined(row["smallest_tau"])]
        if rows[0]["scenario"] == OWN_GROUP:
            sentences.append(_own_group(rows) + _pool_depth(result))
        elif known:
            sentences.append(_least_agreement(name, known))
    return sentences


def _least_agreement(variation: str, rows: Rows) -> str:
    """The scenario and the measure with the lowest tau, where there is another one to compare them with."""
    least, most = (extreme(rows, key=lambda row: row["smallest_tau"]) for extreme in (min, max))
    alone = len({row["measure"] for row in rows}) == 1
    differ = not alone and least["smallest_tau"] < most["smallest_tau"]
    by = f"by {safe(least['measure'])}" if alone or differ else "by every measure"
    start = f"With {_scenario(variation, least['scenario'])} the order of systems agrees"
    tau, lowest = f"{least['smallest_tau']:.2f}", "the lowest of all replicates" if least["scenario"] == DRAWN else ""
    if differ:
        return f"{start} least with the observed one {by} (tau b {tau}{', ' if lowest else ''}{lowest})."
    return f"{start} with the observed one at a tau b of {tau} {by}{f' ({lowest})' if lowest else ''}."


def _scenario(variation: str, scenario: str) -> str:
    """A scenario in words: "50% of the judgments", "pools of depth 5", "gains {1:1,2:3}"."""
    name, _, topics = variation.partition("+")
    sampled = f", on {SOURCES['topics']}," if topics else ""
    if name.startswith("judgments"):
        return f"{name.removeprefix('judgments ')} of the judgments{sampled}"
    return f"{'pools of' if name == 'pools' else safe(name)} {safe(scenario)}{sampled}"


def _pool_depth(result: Result) -> str:
    """How deep the pool is taken to be, on which it rests what only one group contributed."""
    if "pool_depth" not in result.provenance:
        return ""
    return f" Pool depth {result.provenance['pool_depth']}, {result.provenance['pool_depth_origin']}."


def _own_group(rows: Rows) -> str:
    worst = max(rows, key=lambda row: abs(row["largest_shift"]))
    if worst["largest_shift"] == 0:
        return "No score of a system would change if its own group had not contributed to the pool."
    lowest = max(rows, key=lambda row: row["ranks_lost_most"])
    lost = lowest["ranks_lost_most"]
    most = f"lose up to {lost:g} {'rank' if lost == 1 else 'ranks'} ({safe(lowest['measure'])})"
    ranks = most if lost > 0 else "lose no rank"
    return (
        "A system whose own group had not contributed to the pool would change its score by at most "
        f"{abs(worst['largest_shift']):.3f} ({safe(worst['system'])}, {safe(worst['measure'])}) and {ranks}."
    )
