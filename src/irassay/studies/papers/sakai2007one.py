"""Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irassay.errors import InputError
from irassay.studies.gains.settings import Gains
from irassay.studies.papers._sakai import DIGITS, TOP, correlations, data, power, sorted_means, swaps
from irassay.studies.papers.record import Item, Paper, Part, Step
from irassay.studies.papers.reshape import Rows, kept, rows, table
from irassay.studies.papers.run import Workbench
from irassay.studies.preferred_ranks.settings import PreferredRanks

# gains of S, A and B; the first is the paper's own
SCHEMES = ((3, 2, 1), (30, 20, 10), (0.3, 0.2, 0.1), (1, 1, 1), (10, 5, 1))
GRADED = "PPlus PMeasure O"


def measures(bench: Workbench) -> str:
    """The paper's measures; NWRR's penalties go by the levels in the judgments."""
    nwrr = "NWRR" if len(bench.grades) == 3 and bench.grades == (1, 2, 3) else f"NWRR(penalties={bench.penalties})"
    return f"RR {nwrr} O PMeasure PPlus AP Q"


def schemes(bench: Workbench) -> dict[str, str]:
    """Gain schemes of the levels that the judgments have, as `gains` takes them, with the paper's names for them."""
    if not bench.levels:
        hint = "map them to at most three"
        raise InputError(f"the paper's gains are for three levels, the judgments have {len(bench.grades)}", hint=hint)
    found: dict[str, str] = {}
    for scheme in SCHEMES:
        gains = dict(zip("SAB", scheme, strict=True))
        spelled = "{" + ",".join(f"{grade}:{gains[level]:g}" for grade, level in bench.levels.items()) + "}"
        found.setdefault(spelled, ":".join(f"{gain:g}" for gain in scheme))  # with fewer levels some are the same
    return found


def _gains(bench: Workbench) -> tuple[Rows, list[str]]:
    named = schemes(bench)
    found = bench.run(Gains, measures=(GRADED,), schemes=" ".join(named), gains=None, alpha=0.05, **top_by_ap(bench))
    made = [{**row, "gains": named[row["scheme"]]} for row in rows(found["gains"])]
    return made, list(named.values())


def top_by_ap(bench: Workbench) -> dict[str, Any]:
    """The paper's runs by name: the study of gains knows graded measures only, and these are chosen by AP."""
    best = {name for name, _ in bench.ranked("AP")[: bench.settings.top or TOP]}
    chosen = replace(bench.runs, runs=tuple(run for run in bench.runs if run.name in best))
    return {"runs": chosen, "resamples": bench.resamples}


def _tau_by_gains(bench: Workbench) -> Part:
    found, names = _gains(bench)
    made: Rows = []
    for measure in dict.fromkeys(row["measure"] for row in found):
        taus = {row["gains"]: row["tau_with_default"] for row in found if row["measure"] == measure}
        made.append({"measure": measure, **{name: taus[name] for name in names[1:]}})
    source = table("T5", made, "Against the first scheme, 3:2:1; over 0.8 it is bold", dict.fromkeys(names, 4))
    return Part((replace(source, bold=dict.fromkeys(names[1:], 0.8)),))


def _power_by_gains(bench: Workbench) -> Part:
    found, _ = _gains(bench)
    found.sort(key=lambda row: -row["discriminative_power"])
    order = GRADED.split()
    found.sort(key=lambda row: order.index(row["measure"]))  # by measure, then by power
    names = ("measure", "gains", "significant", "pairs", "discriminative_power", "estimated_difference")
    return Part((table("T6", kept(found, *names), "alpha 0.05, per comparison, not corrected", DIGITS),))


def _preferred(bench: Workbench) -> Part:
    best = top_by_ap(bench)["runs"]
    found = bench.run(PreferredRanks, runs=best)
    made: dict[str, dict[str, Any]] = {}
    for row in rows(found["preferred_ranks"]):
        start = {"topic": row["topic"], "max_rank": row["max_rank"], "system": row["system"]}
        one = made.setdefault(row["topic"], start)
        level = bench.levels.get(row["level"], f"grade {row['level']}")
        one |= {f"{level}_found": row["found"], f"{level}_total": row["total"]}
    return Part((table("T7", list(made.values()), "found: how many of a level's documents stand at or above it"),))


PAPER = Paper(
    "sakai2007one",
    "T. Sakai. On the properties of evaluation metrics for finding one highly relevant document. IPSJ Transactions on "
    "Databases 48(SIG 9), 2007.",
    (
        Item("T1", "statistics of the data"),
        Item("F8", "distribution of mean AP over the runs used"),
        Item("T2", "Kendall's rank correlations between measures"),
        Item("T3", "swap method"),
        Item("F9", "swap method: comparisons that satisfy the required difference"),
        Item("T4", "discriminative power and estimated difference"),
        Item("F10", "discriminative power"),
        Item("T5", "Kendall's rank correlations of the default gains with others"),
        Item("T6", "discriminative power and estimated difference by gains"),
        Item("T7", "the largest preferred rank over runs, and relevant documents at or above it"),
        Item("T8", "the same for the second collection, part I", "T7"),
        Item("T9", "the same for the second collection, part II", "T7"),
    ),
    (
        Step(("T1",), "check", data("T1")),
        Step(("F8",), "score", sorted_means("F8")),
        Step(("T2",), "agreement", correlations("T2", measures, bold=0.8)),
        Step(("T3", "F9"), "swap", swaps(("T3", "F9"), measures)),
        Step(("T4", "F10"), "power", power(("T4", "F10"), measures, "paired", alpha="0.05")),
        Step(("T5",), "gains", _tau_by_gains),
        Step(("T6",), "gains", _power_by_gains),
        Step(("T7",), "preferred-ranks", _preferred),
    ),
    graded=True,
)
