"""The uncertainty budget: replicates of five variations, all questions about them, and one of them beside pytrec_eval.

pytrec_eval scores one replicate of the judgments, with three measures where irassay has five, and is extrapolated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.harness import Row, Sample, below, command, faster, growth, probe, say, side_by_side, within
from benchmarks.sizes import TREC8

REPLICATES, SEED, THREADS = 1_000, 0, 2
MEASURES = "AP nDCG@10 Q RBP(p=0.95) RR"
COMMON = {"map": "AP", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR"}
VARY = "topics,documents,judgments,simulation,ties"
CORPUS = 528_155
TOLERANCE = 1e-9


def rows() -> list[Row]:
    gap = probe("uncertainty:judgments_gap").value
    if gap is None or not gap <= TOLERANCE:
        raise SystemExit(f"pytrec_eval and irassay differ by up to {gap} on a replicate: nothing was timed")
    say(f"pytrec_eval and irassay agree on a replicate of the judgments to {gap:.1e}")
    best = side_by_side(
        {
            "pytrec_eval": _extrapolated,
            **{name: partial(probe, "uncertainty:varied", name, REPLICATES) for name in VARY.split(",")},
            "half": partial(_command, REPLICATES // 2),
            "whole": partial(_command, REPLICATES),
        }
    )
    size = f"{REPLICATES:,} replicates x {TREC8.runs} systems x {TREC8.topics} topics"
    what = f"{size} x 5 measures of each of {VARY.replace(',', ', ')}, all questions, as a command"
    return [
        within(what, best["whole"], 30),
        below("peak memory of that", best["whole"], 2000),
        growth("replicates of that", REPLICATES // 2, REPLICATES, best["half"], best["whole"]),
        faster(
            f"{size} of judgments, with verdicts",
            "pytrec_eval, 3 measures (extrapolated)",
            best["pytrec_eval"],
            best["judgments"],
            None,
        ),
        *(
            Row(f"{size} of {name}, with verdicts", "", f"{best[name].seconds:.2f} s", "", "", None)
            for name in VARY.split(",")
        ),
    ]


def _command(replicates: int) -> Sample:
    options = ["-m", MEASURES, "--vary", VARY, "--corpus-size", CORPUS, "--replicates", replicates, "--jobs", THREADS]
    return command("-m", "irassay", "uncertainty", TREC8.qrels, TREC8.folder / "short", *options)


def _extrapolated() -> Sample:
    sample = probe("uncertainty:pytrec_eval_replicate")
    return replace(sample, seconds=sample.seconds * REPLICATES)


def observed() -> Any:
    import irassay
    from irassay.vary.variation import Observed

    panel = irassay.align(TREC8.qrels, TREC8.folder / "short", keep_scores=True, unanswerable="drop")
    return Observed(panel.score(MEASURES), panel)


def variation(name: str, replicates: int) -> Any:
    from importlib import import_module

    more = {"corpus_size": CORPUS} if name == "documents" else {}
    return getattr(import_module(f"irassay.vary.{name}"), name.capitalize())(replicates=replicates, seed=SEED, **more)


def varied(name: str, replicates: str) -> Callable[[], object]:
    from irassay.vary.replicates import replicates as make

    data = observed()
    make(variation(name, 2), data, jobs=THREADS)  # loads the kernels
    return lambda: make(variation(name, int(replicates)), data, jobs=THREADS)


def reduced() -> tuple[Any, Any, dict[str, dict[str, dict[str, float]]]]:
    """The evaluator of the first replicate's judgments, the observed data, and the runs as pytrec_eval takes them."""
    import pytrec_eval

    from irassay.vary.judgments import JudgmentLanes

    data = observed()
    panel = data.panel
    grade = JudgmentLanes(SEED, [(0, 50)]).grades(panel, 0)
    qrels = {
        topic: {
            name: int(g)
            for name, g in zip(panel.documents(topic), grade[panel.pool[t] : panel.pool[t + 1]], strict=True)
            if g >= 0
        }
        for t, topic in enumerate(panel.topics)
    }
    runs = {path.name: pytrec_eval.parse_run(path.open()) for path in sorted((TREC8.folder / "short").iterdir())}
    return pytrec_eval.RelevanceEvaluator(qrels, set(COMMON)), data, runs


def pytrec_eval_replicate() -> Callable[[], object]:
    evaluator, _, runs = reduced()
    return lambda: [evaluator.evaluate(run) for run in runs.values()]


def judgments_gap() -> Callable[[], object]:
    """The largest difference of a topic's score on the first replicate."""
    evaluator, data, runs = reduced()
    block = variation("judgments", 2).plan(data).block(range(1), THREADS).scores

    def gap() -> float:
        largest = 0.0
        for s, run in enumerate(runs.values()):
            theirs = evaluator.evaluate(run)
            for name, measure in COMMON.items():
                m = list(map(str, data.bases)).index(measure)
                for t, topic in enumerate(data.panel.topics):
                    largest = max(largest, abs(theirs[topic][name] - block[m, t, 0, s]))
        return largest

    return gap
