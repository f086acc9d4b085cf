"""Groups left out of the pool beside random halves of the judgments; docs/uncertainty.py writes it down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.ranks import ranks
from irassay.ask.spread import system_spread
from irassay.compute.threads import cores
from irassay.panel.panel import Panel
from irassay.vary.judgments import Judgments
from irassay.vary.pools import LeftOut
from irassay.vary.replicates import replicates
from irassay.vary.variation import Observed

MEASURES = ("AP", "nDCG@10", "RR")
REPLICATES, SEED = 1000, 0
POOL_DEPTH, KEEP = 100, 50

Array = NDArray[np.float64]


class Pooling(NamedTuple):
    """What it does to every system that its group is left out of the pool [measure, system]."""

    shift: Array
    relative: Array  # its shift less the mean shift of the other groups' systems
    ranks_lost: Array
    sd: Array  # over random halves of the judgments
    mean_shift: Array  # by random halves of the judgments


def left_out(panel: Panel, groups: dict[str, str]) -> Pooling:
    """Every system without its own group's contribution, beside random halves of the judgments."""
    observed = Observed(panel.score(list(MEASURES)), panel)
    members: dict[str, list[str]] = {}
    for name in panel.systems:
        members.setdefault(groups[name], []).append(name)
    pools = replicates(LeftOut(pool_depth=POOL_DEPTH, members=members), observed, jobs=cores())
    halves = replicates(Judgments(seed=SEED, replicates=REPLICATES, keep=KEEP), observed, jobs=cores())
    out = Pooling(*np.empty((5, len(MEASURES), len(panel.systems))))
    group = np.array([list(members).index(groups[name]) for name in panel.systems])
    for m in range(len(MEASURES)):
        before = ranks(pools.observed[m])
        for g, means in enumerate(pools.means[m]):
            shift, own = means - pools.observed[m], group == g
            out.shift[m, own] = shift[own]
            out.relative[m, own] = shift[own] - shift[~own].mean()
            out.ranks_lost[m, own] = (ranks(means) - before)[own]
        spread = system_spread(halves, m)
        out.sd[m], out.mean_shift[m] = spread.sd, spread.mean - halves.observed[m]
    return out


def pool_table(pooling: Pooling) -> str:
    lines = [
        "| | shift: median | 10% of systems below | worst | ranks lost: median | 90% | most "
        "| judgments 50%: sd, median | shift, median | own group / sd, median | beyond 2 sd |",
        "|---|" + "---|" * 10,
    ]
    for m, measure in enumerate(MEASURES):
        shift, lost, sd = pooling.shift[m], pooling.ranks_lost[m], pooling.sd[m]
        ratio = np.abs(shift) / sd
        numbers = [f"{v:.4f}" for v in (np.median(shift), np.quantile(shift, 0.1), shift.min())]
        numbers += [f"{v:g}" for v in (np.median(lost), np.quantile(lost, 0.9), lost.max())]
        numbers += [f"{np.median(sd):.4f}", f"{np.median(pooling.mean_shift[m]):.3f}", f"{np.median(ratio):.3f}"]
        lines.append(f"| {measure} | {' | '.join(numbers)} | {(ratio > 2).mean():.1%} |")
    return "\n".join(lines)
