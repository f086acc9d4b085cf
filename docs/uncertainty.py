"""Writes docs/uncertainty.md and docs/uncertainty.svg: `IRASSAY_DATA=DIR PYTHONPATH=. python docs/uncertainty.py`.

DIR has the folders trec8-adhoc, robust03 and dl2021; some minutes on two cores.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from docs.left_out import KEEP, MEASURES, POOL_DEPTH, REPLICATES, SEED, Array, Pooling, left_out, pool_table
from scipy.special import ndtr, ndtri

import irassay
from irassay.ask.pairs import all_pairs
from irassay.ask.reversals import reversals
from irassay.compute.threads import cores, parallel_for
from irassay.panel.panel import Panel
from irassay.read.groups import read_groups
from irassay.report.render import pictures
from irassay.result import Figure, Mark, Table
from irassay.tolerance import EQUAL
from irassay.vary.topics import TopicPlan

DOCS = Path(__file__).parent
COLLECTIONS = {
    "TREC-8": "trec8-adhoc/qrels.txt.gz",
    "Robust 2003": "robust03/qrels.txt.gz",
    "DL 2021": "dl2021/human.qrels.xz",
}
PREDICTIONS = ("replicate against observed", "replicate against replicate", "second sample")
EDGES = (0.0, 0.01, 0.05, 0.10, 0.20, 0.35)  # an upper edge belongs to its bin; the last bin is open
BINS = ("0–1", "1–5", "5–10", "10–20", "20–35", "35–50")
SPLITS = 200


def panel_of(collection: str) -> Panel:
    qrels = Path(os.environ["IRASSAY_DATA"]) / COLLECTIONS[collection]
    return irassay.align(qrels, qrels.parent / "runs", unanswerable="drop")


def predictions(values: Array, seed: int) -> tuple[Array, Array]:
    """Of scores [system, topic]: each pair's difference, and its reversal rates by each of `PREDICTIONS`."""
    topics = values.shape[1]
    plan = TopicPlan(seed, topics, REPLICATES)
    observed = values.mean(axis=1)
    first, second = (plan.counts(second=which) @ values.T / topics for which in (False, True))
    x, y = all_pairs(len(values))
    rate, other = (reversals(observed, means).rate for means in (first, second))
    swapped = rate * (1 - other) + other * (1 - rate)  # a replicate of one set against all of the other
    further = reversals(observed, first + second - observed).rate
    return observed[x] - observed[y], np.stack([rate, swapped, further])


def validated(values: Array, order: tuple[Array, Array], seed: int) -> Array:
    """One split, both ways: by prediction and bin the pairs, and sums of predicted and of actual reversals."""
    out = np.zeros((len(PREDICTIONS), len(EDGES), 3))
    halves = [values[:, half > 0] for half in order]
    for here, there in (halves, halves[::-1]):
        difference, rates = predictions(np.ascontiguousarray(here), seed)
        held_out = there.mean(axis=1)
        x, y = all_pairs(len(held_out))
        turned = held_out[x] - held_out[y]
        actual = np.where(np.abs(turned) <= EQUAL, 0.5, turned * difference < 0)
        known = np.abs(difference) > EQUAL
        for k, rate in enumerate(rates[:, known]):
            place = np.searchsorted(EDGES[1:], rate, side="left")  # 5% is still in the bin below
            for q, weight in enumerate((None, rate, actual[known])):
                out[k, :, q] += np.bincount(place, weight, minlength=len(EDGES))
    return out


def splits_of(panel: Panel) -> Array:
    """Random halves of the topics [split, measure, prediction, bin, 3]."""
    scores = panel.score(list(MEASURES)).values
    order = TopicPlan(SEED, len(panel.topics), SPLITS).halves()
    out = np.empty((SPLITS, len(MEASURES), len(PREDICTIONS), len(EDGES), 3))

    def one(split: int) -> None:
        for m, values in enumerate(scores):
            out[split, m] = validated(values, (order[0][split], order[1][split]), 1 + split)

    parallel_for(one, range(SPLITS), cores())
    return out


def rate_and_error(sums: Array, what: int) -> tuple[float, float]:
    """In per cent, of sums [split, 3]: mean predicted (1) or actual (2) reversals, and its error over splits."""
    pairs, value = sums[:, 0], sums[:, what]
    rate = value.sum() / pairs.sum()
    residual = value - rate * pairs
    error = np.sqrt((residual**2).sum() * len(pairs) / (len(pairs) - 1)) / pairs.sum()
    return 100 * float(rate), 100 * float(error)


def cell(sums: Array) -> str:
    """Predicted, and actual with its error."""
    if not sums[:, 0].sum():
        return "no pairs"
    (predicted, _), (actual, error) = rate_and_error(sums, 1), rate_and_error(sums, 2)
    return f"{predicted:.1f} → {actual:.1f} ± {error:.1f}"


def table(splits: dict[str, Array], prediction: int) -> str:
    """One line per collection and measure, bins and all pairs as columns."""
    lines = [f"| | | {' | '.join(f'{name}%' for name in BINS)} | all |", "|---|---|" + "---|" * (len(BINS) + 1)]
    for collection, sums in splits.items():
        for m, measure in enumerate(MEASURES):
            part = sums[:, m, prediction]
            cells = [cell(part[:, b]) for b in range(len(BINS))] + [cell(part.sum(axis=1))]
            lines.append(f"| {collection} | {measure} | {' | '.join(cells)} |")
    return "\n".join(lines)


def shares(splits: dict[str, Array]) -> str:
    """Share of pairs in each bin of the first prediction, and how many of the resolved ones were reversed."""
    lines = [
        f"| | | {' | '.join(f'{name}%' for name in BINS)} | resolved: predicted → reversed |",
        "|---|---|" + "---|" * (len(BINS) + 1),
    ]
    for collection, sums in splits.items():
        for m, measure in enumerate(MEASURES):
            part = sums[:, m, 0]
            share = 100 * part[..., 0].sum(axis=0) / part[..., 0].sum()
            cells = [f"{one:.0f}%" for one in share] + [cell(part[:, :2].sum(axis=1))]
            lines.append(f"| {collection} | {measure} | {' | '.join(cells)} |")
    return "\n".join(lines)


def figure(splits: dict[str, Array]) -> dict[str, bytes]:
    """Actual over predicted reversals."""
    columns: dict[str, list[str] | list[float]] = {"prediction": [], "where": [], "predicted": [], "actual": []}
    for collection, sums in splits.items():
        for m, measure in enumerate(MEASURES):
            for k, name in enumerate(PREDICTIONS):
                for b in range(len(BINS)):
                    part = sums[:, m, k, b]
                    values = (name, f"{collection}, {measure}", *(rate_and_error(part, q)[0] / 100 for q in (1, 2)))
                    for column, value in zip(columns.values(), values, strict=True):
                        column.append(value)  # type: ignore[arg-type]
    drawn = Figure(
        "uncertainty",
        "curve",
        "validation",
        x="predicted",
        y="actual",
        series="prediction",
        facet="where",
        labels={"x": "predicted share reversed", "y": "share reversed on the other half", "series": "prediction"},
        caption="Reversals of pairs on held-out topics over what was predicted",
        alt="Curves of actual over predicted reversals: a second sample lies near the diagonal, the others above it",
        marks=(Mark("diagonal", 0.0, "as predicted"),),
    )
    return pictures(drawn, Table("validation", columns))


def conversions() -> str:
    """What a reversal rate means for a second sample, if differences are normal."""
    rates = (0.001, 0.01, 0.05, 0.10, 0.20, 0.35)
    further = ndtr(ndtri(rates) / np.sqrt(2))
    cells = (" | ".join(f"{100 * rate:.3g}%" for rate in row) for row in (rates, further))
    first, second = cells
    return (
        f"| reversed in replicates | {first} |\n|---|{'---|' * len(rates)}\n| reversed by a second sample | {second} |"
    )


def page(splits: dict[str, Array], sizes: dict[str, tuple[int, int]], pooling: Pooling) -> str:
    data = ", ".join(f"{name} ({systems} systems, {topics} topics)" for name, (systems, topics) in sizes.items())
    return f"""# Do the reversals that `uncertainty` predicts happen?

Written by `IRASSAY_DATA=DIR PYTHONPATH=. python docs/uncertainty.py`; do not edit. [coverage.md](coverage.md) has what
its standard deviations and ranks are worth where the truth is known.

## Held-out topics

The topics are split into random halves, {SPLITS} times. One half predicts how often each pair of systems is reversed;
the other half shows whether it is; then the halves change places. Data: {data};
an odd topic is left out. Topics are sampled with replacement, as many as the half has, in {REPLICATES:,} replicates.
Three predictions:

- **replicate against observed**: the share of replicates that reverse the observed order. This is what the study
  reports (`reversed`, `reversal_rate`, `pairs_resolved`).
- **replicate against replicate**: the share of pairs of independent replicates that disagree, as in the swap method.
- **second sample**: the deviations of two independent replicates are added to the observed difference, because the
  observed half and the other half are both samples.

Cells say: mean predicted → actual reversals in per cent, ± the Monte-Carlo error over splits. The error leaves out that
the splits share one set of topics and one set of systems: another collection gives other numbers, most of all with the
136 pairs of Robust 2003. Bins are those of the prediction, the last one open. Pairs that are equal on the first half
are left out; equal ones on the other half count as half a reversal.

![actual over predicted reversals](uncertainty.svg)

### Replicate against observed

{table(splits, 0)}

**It is not a forecast of a second set of topics.** It says how firm the observed order is if the observed means were
the truth. The other half is as uncertain as the first, so there are more reversals in all bins but two: pairs with
1–5% predicted are reversed three to five times as often, with RR five to nine times. Share of pairs by bin, and what
became of the pairs that the first half calls resolved (at most 5% of replicates reverse them):

{shares(splits)}

Resolved pairs keep their order on the other half in 94% of cases or more, except by RR on Robust 2003 and DL 2021.

### Replicate against replicate

{table(splits, 1)}

Nearer on average in most rows, but wrong in the bins: too low for clear pairs and too high for close ones. It compares
two replicates of the same observed half, and the error of that half is in both.

### Second sample

{table(splits, 2)}

**This one predicts held-out reversals best.** It is within three points of what happened for AP on TREC-8 and DL 2021
and for nDCG@10 on DL 2021. It is too low for nDCG@10 on TREC-8 and for RR everywhere, and too high for close pairs by
AP on Robust 2003. A likely reason where it is too low: if true scores lie close together compared with the noise,
observed differences are on average too large, and nothing here shrinks them.

For normal differences a reversal rate p of the study becomes Φ(Φ⁻¹(p)/√2) for a second sample of the same size:

{conversions()}

So a pair that should hold on 95% of second samples of the same size may be reversed by 1% of the replicates, not by 5%.

## Groups left out of the pool

TREC-8: each system's change of score when the documents that only its own group put into the pool (depth {POOL_DEPTH})
are not judged, and the ranks it loses by that. Beside it what `judgments {KEEP}%` says of the same systems: the sd over
{REPLICATES:,} random halves of the judgments (Monte-Carlo error 2%), and their shift. Own group / sd is the
median of |shift| / sd; the last column has the share of systems whose shift is beyond two sds. Nothing is drawn in the
columns of left-out groups, so they have no Monte-Carlo error.

{pool_table(pooling)}

**The two do not measure the same.** Leaving a group out moves nearly all systems by far less than the sd of
`judgments {KEEP}%`, because other groups found the same documents. A few systems that found what no other group
found lose more than two sds by AP and nDCG@10. A random half of the judgments, which takes from all systems alike, does
not show which. So `judgments` is no substitute for `left out`, and neither is an error bar. All runs are taken to have
been pooled down to depth {POOL_DEPTH}; TREC-8 pooled a part of them, and the others lose nothing here.

## Settings

Seed {SEED}; split k has the seed k for its replicates. `docs/uncertainty.py` has the rest. No run and no judgment is
part of this project.
"""


def main() -> None:
    panels = {name: panel_of(name) for name in COLLECTIONS}
    splits = {name: splits_of(panel) for name, panel in panels.items()}
    sizes = {name: (len(panel.systems), len(panel.topics)) for name, panel in panels.items()}
    groups = read_groups(Path(os.environ["IRASSAY_DATA"]) / "trec8-adhoc" / "groups.txt")
    pooling = left_out(panels["TREC-8"], groups)
    (DOCS / "uncertainty.svg").write_bytes(figure(splits)["svg"])
    (DOCS / "uncertainty.md").write_text(page(splits, sizes, pooling), encoding="utf-8")


if __name__ == "__main__":
    main()
