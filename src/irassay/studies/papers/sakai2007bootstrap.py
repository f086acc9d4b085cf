"""Sakai 2007, Evaluating Information Retrieval Metrics Based on Bootstrap Hypothesis Tests."""

import math
from contextlib import suppress
from dataclasses import replace

from irassay.errors import InputError
from irassay.result import Mark, Table
from irassay.studies.agreement.settings import Agreement
from irassay.studies.papers._sakai import (
    ALPHA,
    POWER_BARS,
    TOP,
    correlations,
    data,
    discriminative_power,
    on_top_runs,
    sorted_means,
    swaps,
)
from irassay.studies.papers.record import Item, Make, Paper, PaperContext, Part, Run
from irassay.studies.papers.reshape import copied, figure_over, rows, table
from irassay.studies.power.settings import Power
from irassay.studies.stability.settings import Stability
from irassay.studies.swap.settings import Swap
from irassay.studies.tables import Rows

MEASURES = "AP Q nDCG(dcg='jk')@1000 nCG@1000 P@1000"
SUMMARIES = f"{MEASURES} GM(AP) GM(Q)"
NAMES = {
    "AP": "AveP",
    "Q": "Q-measure",
    "nDCG(dcg='jk')@1000": "nDCG_1000",
    "nCG@1000": "nCG_1000",
    "P@1000": "PDoc_1000",
    "GM(AP)": "G_AveP",
    "GM(Q)": "G_Q-measure",
    "AG(AP)": "AG_AveP",
    "AG(Q)": "AG_Q-measure",
}
# a paired test of a geometric mean is one of its logarithms
PAIRED = on_top_runs(Power, f"{MEASURES} AG(AP) AG(Q)", alpha=ALPHA, paired=True, other_tests="t,wilcoxon,sign")
UNPAIRED = on_top_runs(Power, SUMMARIES, alpha=ALPHA, unpaired=True)
SWAP = on_top_runs(Swap, SUMMARIES)
HALVES = on_top_runs(Swap, SUMMARIES, independent_halves=True)
STABILITY = on_top_runs(Stability, SUMMARIES, fuzziness="0.01-0.20")
# in the order of the paper's Table 5
CORRELATED = on_top_runs(Agreement, "Q nDCG(dcg='jk')@1000 nCG@1000 AP P@1000 GM(Q) GM(AP)")
MARGIN = 0.05  # at which the stability method is summed up


def _histogram(measure: str) -> Make:
    """The best and the median run by AP (Run 1 and Run 16 of 30)."""

    def make(context: PaperContext, number: str) -> Part:
        pair = tuple(context.settings.pair)
        if not pair:
            best = [name for name, _ in context.ranked("AP")[: context.top]]
            pair = (best[0], best[len(best) // 2])
        run = on_top_runs(Power, "AP P@1000", alpha=ALPHA, histogram=True, pair=pair, paired=True)
        test = rows(run(context)["pair"], {"measure": measure})[0]
        asl = f"ASL {test['asl']:.3f}" if test["asl"] else f"ASL below {1 / context.resamples:g}"
        caption = f"{context.name(measure)} of {pair[0]} less {pair[1]}: t(z) = {test['t']:.3f}, {asl}"
        # t is infinite where the difference is the same on every topic
        marks = (Mark("x", test["t"], "t(z)"),) if math.isfinite(test["t"]) else ()
        return copied(
            run,
            "histogram",
            "histogram",
            where={"measure": measure},
            caption=caption,
            digits={"t": 3, "asl": 3},
            redraw={"caption": caption, "marks": marks, "series": None, "facet": None},
        )(context, number)

    return make


def _curves(run: Run) -> Make:
    return copied(run, "asl_curves", "asl_curves", caption="", digits={})


def _paired_power(context: PaperContext, number: str) -> Part:
    """The paper's table, and what t, Wilcoxon's and the sign test decide of the same pairs."""
    (tables, figures), other = discriminative_power(PAIRED, "paired")(context, number), PAIRED(context)["other_tests"]
    return Part((*tables, replace(other, name=f"{number}_tests", caption=f"{number}: {other.caption}")), figures)


def _swaps(context: PaperContext, number: str) -> Part:
    """The paper's table; the same with Sanderson and Zobel's samples; and how the three methods order the measures."""
    (tables, figures), halves = swaps(SWAP)(context, number), swaps(HALVES)(context, f"{number}_halves").tables[0]
    caption = f"{number} with two halves of the topics, drawn independently without replacement. {halves.caption}"
    conclusions: tuple[Table, ...] = ()
    with suppress(InputError):  # too few samples for the tests, which T2 and T3 say
        conclusions = (_conclusions(context, f"{number}_conclusions"),)
    return Part((*tables, replace(halves, caption=caption), *conclusions), figures)


def _conclusions(context: PaperContext, name: str) -> Table:
    """Section 7's conclusions: the measures by discriminative power, by the swap and by the stability method."""
    powers = {
        test: {row["measure"].replace("AG(", "GM("): row["discriminative_power"] for row in of_test}
        for test, run in (("paired", PAIRED), ("unpaired", UNPAIRED))
        for of_test in [rows(run(context)["power"], {"test": test, "alpha": 0.05})]
    }
    satisfied = {row["measure"]: row["share_satisfied"] for row in rows(SWAP(context)["swap"])}
    stable = {row["measure"]: row for row in rows(STABILITY(context)["stability"], {"fuzziness": MARGIN})}
    measures = sorted(powers["paired"], key=lambda measure: -powers["paired"][measure])
    values = {
        "power_paired": powers["paired"],
        "power_unpaired": powers["unpaired"],
        "swap_share_satisfied": satisfied,
        "minority_rate": {measure: row["minority_rate"] for measure, row in stable.items()},
        "proportion_of_ties": {measure: row["proportion_of_ties"] for measure, row in stable.items()},
    }
    lines: Rows = [{"measure": measure, **{what: of[measure] for what, of in values.items()}} for measure in measures]
    return table(
        name,
        lines,
        "How power, swap and stability order the measures: discriminative power at alpha 0.05 (per comparison, not "
        "corrected), comparisons that reach the swap method's required difference, and the stability method at a "
        f"margin of {MARGIN:g} (the lower both the better); a geometric mean is tested by its logarithms in paired "
        "tests",
        dict.fromkeys(values, 3),
    )


PAPER = Paper(
    "sakai2007bootstrap",
    "T. Sakai. Evaluating information retrieval metrics based on bootstrap hypothesis tests. IPSJ Transactions on "
    "Databases 48(SIG 9), 2007.",
    "Top 30 runs by mean AveP, B = 1000, alpha 0.05 and 0.01; 21 bins; f from 0.01 to 0.20. Paired tests compare "
    "AG_AveP and AG_Q-measure, everything else G_AveP and G_Q-measure. F4 and F5 show the best and the median run "
    "(`--pair`). `T5_pairs` has Z0 and p-value of every tau. Beyond the paper's tables: `T2_tests`, what t, Wilcoxon's "
    "and the sign test decide of the same pairs; `T4_halves`, the swap method with Sanderson and Zobel's halves; "
    "`T4_conclusions`, which brings Section 7's comparison of power, swap and stability together. Geometric means of "
    "scores rounded to four significant figures (eq. 7) are `GM(AP,figures=4)`; `irassay power` takes `--one-tailed` "
    "and topic sets of different sizes (`--unpaired --second-topics`).",
    (
        Item("T1", "statistics of the data", "check", data),
        Item("F1", "distribution of mean AveP over the runs used", "score", sorted_means),
        Item("F4", "histogram of t(w*) for one pair of runs, AveP", "power", _histogram("AP")),
        Item("F5", "histogram of t(w*) for one pair of runs, PDoc_1000", "power", _histogram("P@1000")),
        Item("F10", "ASL curves of the paired test", "power", _curves(PAIRED)),
        Item("F11", "ASL curves of the unpaired test", "power", _curves(UNPAIRED)),
        Item("F12", "ASL curves of the paired test, second collection", same_as="F10", collection=2),
        Item("F13", "ASL curves of the unpaired test, second collection", same_as="F11", collection=2),
        Item(
            "T2",
            "discriminative power and estimated difference, paired test",
            "power",
            _paired_power,
        ),
        Item(
            "T3",
            "discriminative power and estimated difference, unpaired test",
            "power",
            discriminative_power(UNPAIRED, "unpaired"),
        ),
        Item("F14", "discriminative power, paired test", "power", figure_over("T2", PAIRED, POWER_BARS)),
        Item("F15", "discriminative power, unpaired test", "power", figure_over("T3", UNPAIRED, POWER_BARS)),
        Item("F17", "MR-PT curves of the stability method", "stability", copied(STABILITY, "stability", "stability")),
        Item("F18", "MR-PT curves of the stability method, second collection", same_as="F17", collection=2),
        Item("T4", "swap method", "swap", _swaps),
        Item(
            "F20",
            "swap method: comparisons that satisfy the required difference",
            "swap",
            figure_over("T4", SWAP, "swap"),
        ),
        Item(
            "T5",
            "Kendall's rank correlations between measures",
            "agreement",
            correlations(CORRELATED, bold=0.8),
        ),
    ),
    top=TOP,
    graded=True,
    names=NAMES,
)
