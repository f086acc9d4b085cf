"""Sakai 2007, On the Properties of Evaluation Metrics for Finding One Highly Relevant Document."""

from dataclasses import replace

from irassay.errors import InputError
from irassay.read import Runs
from irassay.studies.agreement.settings import Agreement
from irassay.studies.gains.settings import Gains
from irassay.studies.papers._sakai import (
    DIGITS,
    POWER,
    POWER_BARS,
    TOP,
    correlations,
    data,
    discriminative_power,
    on_top_runs,
    sorted_means,
    swaps,
)
from irassay.studies.papers.record import Item, Paper, PaperContext, Part
from irassay.studies.papers.reshape import figure_over, pivot, rows, select, table
from irassay.studies.power.settings import Power
from irassay.studies.preferred_ranks.settings import PreferredRanks
from irassay.studies.swap.settings import Swap
from irassay.studies.tables import Rows, grouped

# gains of S, A and B; the first is the paper's own
SCHEMES = ((3, 2, 1), (30, 20, 10), (0.3, 0.2, 0.1), (1, 1, 1), (10, 5, 1))
GRADED = "PPlus PMeasure O"


def _measures(context: PaperContext) -> str:
    """The paper's measures; NWRR's penalties depend on the levels in the judgments."""
    nwrr = "NWRR" if context.grades == (1, 2, 3) else f"NWRR(penalties={context.penalties})"
    return f"RR {nwrr} O PMeasure PPlus AP Q"


SWAP = on_top_runs(Swap, _measures)
PAIRED = on_top_runs(Power, _measures, alpha="0.05", paired=True)


def _schemes(context: PaperContext) -> dict[str, str]:
    """Gain schemes of the levels that the judgments have, as `gains` takes them, with the paper's names for them."""
    if not context.levels:
        raise InputError(
            f"the paper's gains are for three levels, the judgments have {len(context.grades)}",
            hint="map them to at most three",
        )
    names: dict[str, str] = {}
    for scheme in SCHEMES:
        gains = dict(zip("SAB", scheme, strict=True))
        option = "{" + ",".join(f"{grade}:{gains[level]:g}" for grade, level in context.levels.items()) + "}"
        names.setdefault(option, ":".join(f"{gain:g}" for gain in scheme))  # with fewer levels some are the same
    return names


def _top_runs(context: PaperContext) -> Runs:
    """The paper's runs by name: the study of gains takes graded measures only, and these are chosen by AP."""
    best = {name for name, _ in context.ranked("AP")[: context.top]}
    return replace(context.runs, runs=tuple(run for run in context.runs if run.name in best))


def _by_gains(context: PaperContext) -> Rows:
    """Every graded measure with every gain scheme, under the paper's names of the schemes."""
    names = _schemes(context)
    result = context.run(
        Gains,
        measures=(GRADED,),
        schemes=" ".join(names),
        gains=None,
        alpha=0.05,
        runs=_top_runs(context),
        resamples=context.resamples,
    )
    return [{**row, "gains": names[row["scheme"]]} for row in rows(result["gains"])]


def _tau_by_gains(context: PaperContext, number: str) -> Part:
    taus = pivot(_by_gains(context), "measure", "gains", "tau_with_default")
    others = list(_schemes(context).values())[1:]
    matrix = table(
        number,
        select(taus, "measure", *others),
        "Against the first scheme, 3:2:1; over 0.8 it is bold",
        dict.fromkeys(others, 4),
    )
    return Part((replace(matrix, bold=dict.fromkeys(others, 0.8)),))


def _power_by_gains(context: PaperContext, number: str) -> Part:
    order = GRADED.split()
    powers = sorted(_by_gains(context), key=lambda row: (order.index(row["measure"]), -row["discriminative_power"]))
    selected = select(powers, "measure", "gains", *POWER[1:])
    return Part((table(number, selected, "alpha 0.05, per comparison, not corrected", DIGITS),))


def _preferred_ranks(context: PaperContext, number: str) -> Part:
    result = context.run(PreferredRanks, runs=_top_runs(context))
    topics: Rows = []
    for same in grouped(rows(result["preferred_ranks"]), "topic").values():
        topics += select(same[:1], "topic", "max_rank", "system")
        for row in same:
            level = context.levels.get(row["level"], f"grade {row['level']}")
            topics[-1] |= {f"{level}_found": row["found"], f"{level}_total": row["total"]}
    return Part((table(number, topics, "found: how many of a level's documents rank at or above it"),))


PAPER = Paper(
    "sakai2007one",
    "T. Sakai. On the properties of evaluation metrics for finding one highly relevant document. IPSJ Transactions on "
    "Databases 48(SIG 9), 2007.",
    "Top 30 runs by mean AP, B = 1000, alpha 0.05; gains 3:2:1, 30:20:10, 0.3:0.2:0.1, 1:1:1 and 10:5:1.",
    (
        Item("T1", "statistics of the data", "check", data),
        Item("F8", "distribution of mean AP over the runs used", "score", sorted_means),
        Item(
            "T2",
            "Kendall's rank correlations between measures",
            "agreement",
            correlations(on_top_runs(Agreement, _measures), bold=0.8),
        ),
        Item("T3", "swap method", "swap", swaps(SWAP)),
        Item(
            "F9",
            "swap method: comparisons that satisfy the required difference",
            "swap",
            figure_over("T3", SWAP, "swap"),
        ),
        Item("T4", "discriminative power and estimated difference", "power", discriminative_power(PAIRED, "paired")),
        Item("F10", "discriminative power", "power", figure_over("T4", PAIRED, POWER_BARS)),
        Item("T5", "Kendall's rank correlations of the default gains with others", "gains", _tau_by_gains),
        Item("T6", "discriminative power and estimated difference by gains", "gains", _power_by_gains),
        Item(
            "T7",
            "the largest preferred rank over runs, and relevant documents at or above it",
            "preferred-ranks",
            _preferred_ranks,
        ),
        Item("T8", "the same for the second collection, part I", same_as="T7", collection=2),
        Item("T9", "the same for the second collection, part II", same_as="T7", collection=2),
    ),
    top=TOP,
    graded=True,
)
