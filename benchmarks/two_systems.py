"""`irassay compare` of two systems on many topics, from start to exit: every test and every interval.

The peer is the script people write: ir_measures for the scores, scipy for a test of the differences. It is timed once:
most of its time is reading and scoring, which does not depend on the test.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from benchmarks.harness import Row, command, faster, once, side_by_side, within
from benchmarks.sizes import LONG

SECONDS, RESAMPLES = 2, 10_000
MEASURES = "AP nDCG@10"
OPTIONS = {
    "t": (),
    "wilcoxon": ("--test", "wilcoxon"),
    "sign": ("--test", "sign"),
    "randomisation": ("--test", "randomization"),
    "paired bootstrap": ("--test", "paired-bootstrap"),
    "Tukey": ("--test", "tukey"),
    "step-down": ("--correction", "stepdown"),
    **{f"{kind} intervals": ("--interval", kind) for kind in ("bca", "percentile", "bootstrap-t")},
}
PEERS = {
    "t": "scipy.stats.ttest_rel",
    "randomisation": "scipy.stats.permutation_test",
    "bca intervals": "scipy.stats.bootstrap",
}


def rows() -> list[Row]:
    best = side_by_side(
        {
            name: partial(command, "-m", "irassay", "compare", LONG.qrels, LONG.folder / "short", "-m", MEASURES, *more)
            for name, more in OPTIONS.items()
        }
    )
    what = f"irassay compare of {LONG.runs} systems on {LONG.topics:,} topics, {LONG.depth} documents each"
    results = [within(f"{what}, {name}", sample, SECONDS) for name, sample in best.items()]
    for name, peer in PEERS.items():
        script = partial(command, "-m", "benchmarks.two_systems", LONG.qrels, LONG.folder / "short", name)
        results.append(faster(f"{what}, {name}", f"ir_measures, {peer}", once(peer, script), best[name], None))
    return results


def script(qrels: str, folder: str, name: str) -> None:
    """The peer's test of every measure."""
    import ir_measures
    import numpy as np
    from scipy import stats

    measures = [ir_measures.parse_measure(measure) for measure in MEASURES.split()]
    judgments = list(ir_measures.read_trec_qrels(qrels))
    scores = []
    for path in sorted(Path(folder).iterdir()):
        calculated = ir_measures.iter_calc(measures, judgments, ir_measures.read_trec_run(str(path)))
        scores.append({(str(one.measure), one.query_id): one.value for one in calculated})
    for measure in map(str, measures):
        topics = sorted(topic for of, topic in scores[0] if of == measure)
        x, y = (np.array([of[measure, topic] for topic in topics]) for of in scores)
        if name == "t":
            print(stats.ttest_rel(x, y))
        elif name == "randomisation":
            samples = {"permutation_type": "samples", "n_resamples": RESAMPLES, "batch": 100, "rng": 0}
            print(stats.permutation_test((x - y,), np.mean, vectorized=True, **samples).pvalue)
        else:
            print(stats.bootstrap((x - y,), np.mean, n_resamples=RESAMPLES, batch=100, rng=0).confidence_interval)


if __name__ == "__main__":
    script(*sys.argv[1:])
