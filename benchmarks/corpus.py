"""Images of the corpus: all systems and topics of the generated collection, six measures.

Our images are drawn, scored and summarised (quantiles, ranks, deviations of all pairs) from a panel that is ready. The
peers get ready-made multiplicities and only expand lists and score them, one image each; pytrec_eval knows four of the
six measures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.harness import Row, Sample, below, growth, probe, say, seconds, side_by_side
from benchmarks.sizes import SMALL, TREC8, Size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irassay.panel.panel import Panel

    Values = NDArray[np.float64]  # [measures, systems, topics]

DOCUMENTS = 528_155  # of TREC-8's corpus
DEPTH, THREADS, TOLERANCE = 1000, 2, 1e-9
IMAGES, MANY = 1024, 10_000
HALF_SYSTEMS, HALF_TOPICS = TREC8.runs // 2, TREC8.topics // 2
PEERS = {"plain_python": ("plain Python", 2_000), "pytrec_eval": ("expanding runs for pytrec_eval", 3_000)}
SHARED = {"map": 0, "ndcg_cut_1000": 2, "P_10": 3, "recip_rank": 5}  # trec_eval's measures among our six


def rows() -> list[Row]:
    for name in PEERS:
        gap = probe(f"corpus:{name}_gap").value
        if gap is None or not gap <= TOLERANCE:
            raise SystemExit(f"{name} and irassay differ by up to {gap}: nothing was timed")
        say(f"{name} and irassay agree on an image to {gap:.1e}")
    best = side_by_side(
        {
            **{name: partial(probe, f"corpus:{name}") for name in PEERS},
            "1 thread": partial(_ours, IMAGES, jobs=1),
            "2 threads": partial(_ours, IMAGES),
            "half the images": partial(_ours, IMAGES // 2),
            "half the systems": partial(_ours, IMAGES, systems=HALF_SYSTEMS),
            "half the topics": partial(_ours, IMAGES, topics=HALF_TOPICS),
        }
    )
    ours = best["2 threads"]
    results = [_rate("2 threads", ours, 700), _rate("1 thread", best["1 thread"], None)]
    results += [_peer(peer, best[name], ours, target) for name, (peer, target) in PEERS.items()]
    results += [
        growth("images", IMAGES // 2, IMAGES, best["half the images"], ours),
        growth("systems", HALF_SYSTEMS, TREC8.runs, best["half the systems"], ours),
        growth("topics", HALF_TOPICS, TREC8.topics, best["half the topics"], ours),
    ]
    many = _ours(MANY)
    return [*results, below(f"peak memory of {MANY:,} images of all systems, {seconds(many.seconds)}", many, 2000)]


def _ours(images: int, *, jobs: int = THREADS, systems: int = TREC8.runs, topics: int = TREC8.topics) -> Sample:
    return probe("corpus:ours", images, jobs, systems, topics)


def _rate(how: str, ours: Sample, at_least: float | None) -> Row:
    rate = IMAGES / ours.seconds
    what = f"{IMAGES:,} images x {TREC8.runs} systems x {TREC8.topics} topics x 6 measures, {how}"
    target = "" if at_least is None else f"at least {at_least:g} images/s"
    return Row(what, "", f"{rate:.0f} images/s", "", target, None if at_least is None else rate >= at_least)


def _peer(peer: str, theirs: Sample, ours: Sample, at_least: float) -> Row:
    each = ours.seconds / IMAGES
    ratio = theirs.seconds / each
    return Row(
        "one image",
        f"{peer}: {seconds(theirs.seconds)}",
        seconds(each),
        f"{ratio:,.0f}x",
        f"at least {at_least:,}x faster",
        ratio >= at_least,
    )


def ready(size: Size, topics: int | None = None) -> Panel:
    """The panel of a collection, documents numbered."""
    import irassay

    qrels, runs = irassay.read_qrels(size.qrels), irassay.read_runs(size.folder / "short")
    panel = irassay.align(qrels, runs, depth=DEPTH, unanswerable="drop")
    if topics is not None and topics < len(panel.topics):
        panel = irassay.align(qrels, runs, depth=DEPTH, unanswerable="drop", topics=panel.topics[:topics])
    panel.document  # noqa: B018  # cached from here on
    return panel


def study(panel: Panel, images: int, jobs: int, systems: int) -> object:
    """All of `irassay corpus` but reading and the root scores: images and the tables made of them."""
    from irassay.measures import parse
    from irassay.studies.corpus.accumulate import corpus_statistics
    from irassay.studies.corpus.settings import PRESET, Corpus
    from irassay.studies.corpus.tables import Studied, tables
    from irassay.vary.documents import ImagePlan
    from irassay.vary.lane_scores import LaneScores

    measures, kept = list(parse(PRESET)), list(range(min(systems, len(panel.systems))))
    root = panel.score(measures, jobs=jobs)
    plan = ImagePlan(0, DOCUMENTS, int(panel.document.max()) + 1, images)
    corpus_scores = LaneScores(panel, kept, measures, plan, DEPTH)
    values = {measure: root[str(measure)].values[kept] for measure in measures}
    settings = Corpus(corpus_size=DOCUMENTS, images=images)
    statistics = corpus_statistics(
        corpus_scores, measures, values, memory_limit=settings.memory_limit, intervals=settings.intervals, jobs=jobs
    )
    return tables(Studied(settings, panel, plan, kept, measures, root, statistics, None, [0]))


def ours(images: str, jobs: str, systems: str, topics: str) -> Callable[[], object]:
    study(ready(SMALL), 33, int(jobs), 3)  # loads the kernels
    panel = ready(TREC8, int(topics))
    return lambda: study(panel, int(images), int(jobs), int(systems))


def our_image() -> tuple[Panel, list[int], Values]:
    """The panel, how often the first image holds each document, and its scores."""
    import numpy as np

    from irassay.measures import parse
    from irassay.studies.corpus.settings import PRESET
    from irassay.vary.documents import ImagePlan
    from irassay.vary.lane_scores import LaneScores

    panel, measures = ready(TREC8), list(parse(PRESET))
    plan = ImagePlan(0, DOCUMENTS, int(panel.document.max()) + 1, 1)
    out = np.empty((len(measures), len(panel.topics), 32, len(panel.systems)))
    LaneScores(panel, range(len(panel.systems)), measures, plan, DEPTH).score(0, range(len(panel.topics)), out)
    return panel, plan.multiplicities(0, 1)[0].tolist(), np.moveaxis(out[:, :, 0], 1, 2)


def plain_python() -> Callable[[], object]:
    return _plain(ready_for_plain(*our_image()[:2]))


def plain_python_gap() -> Callable[[], float]:
    import numpy as np

    panel, copies, expected = our_image()
    work = _plain(ready_for_plain(panel, copies))
    return lambda: float(np.abs(np.moveaxis(np.array(work()), -1, 0) - expected).max())


def ready_for_plain(panel: Panel, copies: Sequence[int]) -> tuple[Any, ...]:
    """Lists of documents, judgments and multiplicities as plain lists and dicts."""
    document, grade = panel.document.tolist(), panel.grade.tolist()
    pools = [range(panel.pool[t], panel.pool[t + 1]) for t in range(len(panel.topics))]
    qrels = [{document[place]: grade[place] for place in pool if grade[place] >= 0} for pool in pools]
    runs = [
        [
            [document[pools[t][code]] for code in panel.codes[panel.offsets[t, s] : panel.offsets[t, s + 1]].tolist()]
            for t in range(len(panel.topics))
        ]
        for s in range(len(panel.systems))
    ]
    return qrels, runs, copies


def _plain(ready_made: tuple[Any, ...]) -> Callable[[], list[list[tuple[float, ...]]]]:
    """Every list expanded, every document looked at, all six measures in one loop [systems, topics]."""
    qrels, runs, copies = ready_made
    total = math.fsum(1 / (r + 9) ** 2 for r in range(1, 10**6)) + 1 / (10**6 + 8.5)
    insq = [0.0, *(1 / (r + 9) ** 2 / total for r in range(1, DEPTH + 1))]
    log = [0.0, *(1 / math.log2(r + 1) for r in range(1, DEPTH + 1))]
    rbp = [0.0, *(0.05 * 0.95 ** (r - 1) for r in range(1, DEPTH + 1))]
    ideal = [0.0]
    for r in range(1, DEPTH + 1):
        ideal.append(ideal[-1] + log[r])

    def one(run: list[int], qrel: dict[int, int]) -> tuple[float, ...]:
        relevant = sum(copies[document] for document, grade in qrel.items() if grade > 0)
        if relevant == 0:
            return (0.0,) * 6
        expanded = [document for document in run for _ in range(copies[document])]
        ap = sq = dcg = p10 = biased = rr = 0.0
        seen = 0
        for r, document in enumerate(expanded[:DEPTH], 1):
            if qrel.get(document, 0) > 0:
                seen += 1
                ap += seen / r
                sq += insq[r]
                dcg += log[r]
                biased += rbp[r]
                p10 += r <= 10
                rr = rr or 1 / r
        return ap / relevant, sq, dcg / ideal[min(relevant, DEPTH)], p10 / 10, biased, rr

    return lambda: [[one(run, qrel) for run, qrel in zip(lists, qrels, strict=True)] for lists in runs]


def pytrec_eval() -> Callable[[], object]:
    return _expanded(*our_image()[:2])


def pytrec_eval_gap() -> Callable[[], float]:
    panel, copies, expected = our_image()
    work = _expanded(panel, copies)

    def gap() -> float:
        return max(
            abs(float(values[t][name]) - float(expected[k, s, int(t)]))
            for s, values in enumerate(work())
            for t in values
            for name, k in SHARED.items()
        )

    return gap


def _expanded(panel: Panel, copies: Sequence[int]) -> Callable[[], list[Any]]:
    """Copies become documents of their own in dicts of runs and judgments."""
    import pytrec_eval as peer

    # what pytrec_eval's own readers give, and how often the image holds each document
    qrels, runs, _ = ready_for_plain(panel, copies)
    judged = {str(t): {str(document): grade for document, grade in qrel.items()} for t, qrel in enumerate(qrels)}
    submitted = [
        {str(t): {str(document): -float(r) for r, document in enumerate(run)} for t, run in enumerate(system)}
        for system in runs
    ]
    times = {str(document): number for document, number in enumerate(copies)}

    def expanded(run: dict[str, float]) -> dict[str, float]:
        ranked = sorted(run, key=run.__getitem__, reverse=True)
        names = [f"{document}#{k}" for document in ranked for k in range(times[document])][:DEPTH]
        return {name: -float(r) for r, name in enumerate(names)}

    def work() -> list[Any]:
        image = {
            t: {f"{document}#{k}": grade for document, grade in qrel.items() for k in range(times[document])}
            for t, qrel in judged.items()
        }
        evaluator = peer.RelevanceEvaluator(image, set(SHARED))
        return [evaluator.evaluate({t: expanded(run) for t, run in lists.items()}) for lists in submitted]

    return work
