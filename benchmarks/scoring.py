"""Six measures for all runs, once the runs are read: ordering, joining with the judgments, scoring."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import Row, faster, once, probe, say, side_by_side
from benchmarks.reading import pytrec_eval as read_by_pytrec_eval
from benchmarks.reading import read_by_ranx
from benchmarks.sizes import SMALL, TREC8

# trec_eval's name and ours
MEASURES = {
    "map": "AP",
    "ndcg": "nDCG",
    "P_10": "P@10",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
}
RANX_MEASURES = ["map", "ndcg", "precision@10", "mrr", "r-precision", "bpref"]
TOLERANCE = 1e-9


def rows() -> list[Row]:
    gap = probe("scoring:largest_difference", TREC8.folder).value
    if gap is None or not gap <= TOLERANCE:
        raise SystemExit(f"pytrec_eval and irassay differ by up to {gap}: nothing was timed")
    say(f"pytrec_eval and irassay agree on all scores to {gap:.1e}")
    names = ("pytrec_eval", "ours", "ours_one_thread")
    best = side_by_side({name: partial(probe, f"scoring:{name}", TREC8.folder) for name in names})
    what, peer = "ordering, joining and scoring 6 measures", best["pytrec_eval"]
    ranx = once("ranx", partial(probe, "scoring:ranx", TREC8.folder))
    return [
        faster(what, "pytrec_eval", peer, best["ours"], 80),
        faster(f"{what}, 1 thread", "pytrec_eval", peer, best["ours_one_thread"], None),
        faster(what, "ranx", ranx, best["ours"], None),
    ]


def pytrec_eval(collection: str) -> Callable[[], object]:
    qrels, runs = parsed(collection)
    return lambda: evaluated(qrels, runs)


def ours(collection: str) -> Callable[[], object]:
    return _ours(collection, None)


def ours_one_thread(collection: str) -> Callable[[], object]:
    return _ours(collection, 1)


def _ours(collection: str, jobs: int | None) -> Callable[[], object]:
    import irassay

    warm_up(jobs)
    qrels, runs = (
        irassay.read_qrels(Path(collection, "qrels.txt")),
        irassay.read_runs(Path(collection, "short")),
    )
    return lambda: irassay.align(qrels, runs, jobs=jobs).score(" ".join(MEASURES.values()), jobs=jobs)


def ranx(collection: str) -> Callable[[], object]:
    evaluated_by_ranx(*parsed_by_ranx(str(SMALL.folder)))  # compiles
    qrels, runs = parsed_by_ranx(collection)
    return lambda: evaluated_by_ranx(qrels, runs)


def largest_difference(collection: str) -> Callable[[], float]:
    """Between any of our scores and pytrec_eval's; floats and doubles order scores of six digits alike."""

    def work() -> float:
        theirs = evaluated(*parsed(collection))
        scores: Any = _ours(collection, None)()
        gaps = (
            abs(value - theirs[system][topic][name])
            for name, matrix in zip(MEASURES, scores.by_measure(), strict=True)
            for system, row in zip(matrix.systems, matrix.values.tolist(), strict=True)
            for topic, value in zip(matrix.topics, row, strict=True)
        )
        return float(max(gaps))

    return work


def parsed(collection: str, variant: str = "short") -> tuple[Any, dict[str, Any]]:
    """Judgments and runs as pytrec_eval reads them."""
    import pytrec_eval as peer

    with Path(collection, "qrels.txt").open() as file:
        qrels = peer.parse_qrel(file)
    runs: Any = read_by_pytrec_eval(str(Path(collection, variant)))()
    return qrels, runs


def evaluated(qrels: Any, runs: Mapping[str, Any]) -> dict[str, Any]:
    """Every run's scores as pytrec_eval gives them."""
    import pytrec_eval as peer

    evaluator = peer.RelevanceEvaluator(qrels, set(MEASURES))
    return {name: evaluator.evaluate(run) for name, run in runs.items()}


def parsed_by_ranx(collection: str, variant: str = "short") -> tuple[Any, list[Any]]:
    """Judgments and runs as ranx reads them."""
    import ranx as peer

    qrels = peer.Qrels.from_file(str(Path(collection, "qrels.txt")), kind="trec")
    return qrels, read_by_ranx(str(Path(collection, variant)))


def evaluated_by_ranx(qrels: Any, runs: Iterable[Any]) -> list[Any]:
    """Every run's scores by topic as ranx gives them."""
    import ranx as peer

    return [peer.evaluate(qrels, run, RANX_MEASURES, return_mean=False) for run in runs]


def warm_up(jobs: int | None) -> None:
    """Load every kernel, as any second call in a session finds them."""
    import irassay

    qrels, runs = irassay.read_qrels(SMALL.qrels), irassay.read_runs(SMALL.folder / "short")
    irassay.align(qrels, runs, jobs=jobs).score(" ".join(MEASURES.values()), jobs=jobs)
