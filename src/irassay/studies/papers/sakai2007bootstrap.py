"""Sakai 2007, Evaluating Information Retrieval Metrics Based on Bootstrap Hypothesis Tests."""

import math

from irassay.result import Mark
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
from irassay.studies.papers.reshape import copied, figure_over, rows
from irassay.studies.power.settings import Power
from irassay.studies.stability.settings import Stability
from irassay.studies.swap.settings import Swap

MEASURES = "AP Q nDCG(dcg='jk')@1000 nCG@1000 P@1000"
SUMMARIES = f"{MEASURES} GM(AP) GM(Q)"
# a paired test of a geometric mean is one of its logarithms
PAIRED = on_top_runs(Power, f"{MEASURES} AG(AP) AG(Q)", alpha=ALPHA, paired=True)
UNPAIRED = on_top_runs(Power, SUMMARIES, alpha=ALPHA, unpaired=True)
SWAP = on_top_runs(Swap, SUMMARIES)
STABILITY = on_top_runs(Stability, SUMMARIES, fuzziness="0.01-0.20")


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
        caption = f"{measure} of {pair[0]} less {pair[1]}: t(z) = {test['t']:.3f}, {asl}"
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


PAPER = Paper(
    "sakai2007bootstrap",
    "T. Sakai. Evaluating information retrieval metrics based on bootstrap hypothesis tests. IPSJ Transactions on "
    "Databases 48(SIG 9), 2007.",
    "Top 30 runs by mean AP, B = 1000, alpha 0.05 and 0.01; 21 bins; f from 0.01 to 0.20. Paired tests "
    "compare AG(AP) and AG(Q), everything else GM(AP) and GM(Q). F4 and F5 show the best and the median run "
    "(`--pair`). `T5_pairs` has Z0 and p-value of every tau.",
    (
        Item("T1", "statistics of the data", "check", data),
        Item("F1", "distribution of mean AP over the runs used", "score", sorted_means),
        Item("F4", "histogram of t(w*) for one pair of runs, AP", "power", _histogram("AP")),
        Item("F5", "histogram of t(w*) for one pair of runs, P@1000", "power", _histogram("P@1000")),
        Item("F10", "ASL curves of the paired test", "power", _curves(PAIRED)),
        Item("F11", "ASL curves of the unpaired test", "power", _curves(UNPAIRED)),
        Item("F12", "ASL curves of the paired test, second collection", same_as="F10", collection=2),
        Item("F13", "ASL curves of the unpaired test, second collection", same_as="F11", collection=2),
        Item(
            "T2",
            "discriminative power and estimated difference, paired test",
            "power",
            discriminative_power(PAIRED, "paired"),
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
        Item("T4", "swap method", "swap", swaps(SWAP)),
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
            correlations(on_top_runs(Agreement, SUMMARIES), bold=0.8),
        ),
    ),
    top=TOP,
    graded=True,
)
