"""How speed grows with threads: 1, 2, 4, 8, 16 of them, as far as the machine has cores.

Reading, scoring a panel, and replicates with all that a study keeps of them (bootstrap corpora, simulated lists). From
all counts together comes the serial share s of Amdahl's law, T(n) = T(1) (s + (1 - s) / n): what more cores could give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from benchmarks.harness import Row, Sample, probe, seconds, side_by_side
from benchmarks.sizes import SMALL, TREC8

COUNTS = (1, 2, 4, 8, 16)
SHARE = 0.75  # of as many times faster as there are threads
TIMES = 10  # the topics of the panel that is scored, one after the other: of TREC-8's alone it takes milliseconds


class Work(NamedTuple):
    """What is done, and how much of it."""

    words: str
    amount: int
    unit: str


WORK = {
    "images": Work("bootstrap corpora, six measures, and their statistics", 2048, "images"),
    "bst": Work("resampled lists, AP, and all questions", 1024, "samples"),
    "kde": Work("lists from fitted densities, AP, and all questions", 256, "samples"),
    "reading": Work(f"reading {TREC8.runs} run files", TREC8.runs, "files"),
    "scoring": Work("six measures of a panel", TREC8.runs * TREC8.topics * TIMES, "lists"),
}


def rows() -> list[Row]:
    return [row for name in WORK for row in curve(name)]


def curve(name: str) -> list[Row]:
    """A row for each number of threads, and one of the serial share."""
    counts = threads_here()
    contestants = {str(n): partial(probe, f"threads:{name}", n) for n in counts}
    best = {int(n): sample for n, sample in side_by_side(contestants).items()}
    work, one = WORK[name], best[1]
    listed = []
    for n, sample in best.items():
        ratio, last = one.seconds / sample.seconds, n == max(best) > 1
        listed.append(
            Row(
                f"{work.words}, {n} thread{'s' * (n > 1)}",
                f"1 thread: {seconds(one.seconds)}" if n > 1 else "",
                f"{seconds(sample.seconds)}, {work.amount / sample.seconds:,.0f} {work.unit}/s",
                f"{ratio:.2f}x" if n > 1 else "",
                f"at least {SHARE * n:g}x" if last else "",
                ratio >= SHARE * n if last else None,
            )
        )
    if len(best) > 1:
        share = serial_share(best)
        predicted = 1 / (share + (1 - share) / COUNTS[-1])
        fitted = f"{share:.1%} serial, so {predicted:.1f}x with {COUNTS[-1]} threads"
        listed.append(Row(f"{work.words}, fitted", "", fitted, "", "", None))
    return listed


def threads_here() -> list[int]:
    from irassay.compute.threads import cores

    return [n for n in COUNTS if n <= cores()]


def serial_share(best: Mapping[int, Sample]) -> float:
    """By least squares over all numbers of threads; no less than none."""
    x = [1 - 1 / n for n in best]
    y = [sample.seconds / best[1].seconds - 1 / n for n, sample in best.items()]
    return max(0.0, sum(a * b for a, b in zip(x, y, strict=True)) / sum(a * a for a in x))


def images(jobs: str) -> Callable[[], object]:
    from benchmarks.corpus import ready, study

    study(ready(SMALL), 33, 1, 3)  # loads the kernels
    panel = ready(TREC8)
    return lambda: study(panel, WORK["images"].amount, int(jobs), TREC8.runs)


def bst(jobs: str) -> Callable[[], object]:
    return _simulated("bst", int(jobs))


def kde(jobs: str) -> Callable[[], object]:
    return _simulated("kde", int(jobs))


def _simulated(model: str, jobs: int) -> Callable[[], object]:
    from benchmarks.variance import simulation
    from irassay.studies.variance.run import simulate
    from irassay.studies.variance.tables import tables

    lists, scores = simulation(model)
    lists = replace(lists, samples=WORK[model].amount)
    topics = [str(t) for t in range(lists.topics)]

    def work() -> object:
        return tables(simulate(lists, model, [scores], 0.05, jobs), topics, 0.05, scores.systems[:1], (), [], jobs)

    return work


def reading(jobs: str) -> Callable[[], object]:
    import irassay

    irassay.read_runs(SMALL.folder / "short")
    return lambda: irassay.read_runs(TREC8.folder / "short", jobs=int(jobs))


def scoring(jobs: str) -> Callable[[], object]:
    from benchmarks.corpus import ready
    from irassay.studies.corpus.settings import PRESET

    panel = ready(TREC8)
    panel = panel.select(panel.topics * TIMES)
    panel = replace(panel, topics=tuple(str(t) for t in range(len(panel.topics))))
    panel.score(PRESET, jobs=1)
    return lambda: panel.score(PRESET, jobs=int(jobs))
