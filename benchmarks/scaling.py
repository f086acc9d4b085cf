"""How the cost of corpus images grows with images, systems, topics and depth: `python -m benchmarks.scaling`.

Measures a quarter, a half, three quarters and all of each on the generated TREC-8-sized set, and draws them
into docs/scaling.svg, with the table in docs/scaling.md.
"""

from __future__ import annotations

import platform
import time
from datetime import UTC, datetime
from typing import Any

import numpy as np

from benchmarks import memory
from benchmarks.harness import say
from benchmarks.sizes import ROOT, TREC8

SHARES = (0.25, 0.5, 0.75, 1.0)
WHOLE = {"images": 512, "systems": 129, "topics": 50, "depth": 1000}


def measured() -> dict[str, list[tuple[int, float]]]:
    """Seconds for each size of each dimension, the others whole; the best of three."""
    import irassay
    from irassay.measures import parse
    from irassay.studies.corpus.accumulate import corpus_statistics
    from irassay.studies.corpus.settings import PRESET
    from irassay.vary.documents import ImagePlan
    from irassay.vary.lane_scores import LaneScores

    qrels, runs = irassay.read_qrels(TREC8.qrels), irassay.read_runs(TREC8.folder / "short")
    measures = list(parse(PRESET))

    def seconds(images: int, systems: int, topics: int, depth: int) -> float:
        names = ",".join(whole.topics[:topics])
        panel = irassay.align(qrels, runs, topics=names, depth=depth)
        root = panel.score(measures)
        values = {m: np.ascontiguousarray(root[str(m)].values[:systems]) for m in measures}
        plan = ImagePlan(0, 528_155, int(panel.document.max()) + 1, images)
        corpus_scores = LaneScores(panel, range(systems), measures, plan, depth)
        best = np.inf
        for _ in range(3):
            start = time.perf_counter()
            corpus_statistics(corpus_scores, measures, values, memory_limit=2**30, intervals=("normal",), jobs=2)
            best = min(best, time.perf_counter() - start)
        return float(best)

    whole = irassay.align(qrels, runs)
    seconds(64, 129, 50, 1000)
    times: dict[str, list[tuple[int, float]]] = {}
    for name, size in WHOLE.items():
        for share in SHARES:
            sizes = WHOLE | {name: round(size * share)}
            times.setdefault(name, []).append((sizes[name], seconds(**sizes)))
            say(f"{name} {sizes[name]}: {times[name][-1][1]:.2f} s")
    return times


def picture(times: dict[str, list[tuple[int, float]]]) -> bytes:
    from irassay.report.render import pictures
    from irassay.result import Figure, Table

    rows = [(name, size / WHOLE[name], seconds) for name, points in times.items() for size, seconds in points]
    columns: dict[str, Any] = {
        "what": [row[0] for row in rows],
        "share": [row[1] for row in rows],
        "seconds": [row[2] for row in rows],
    }
    figure = Figure(
        "scaling",
        "curve",
        "scaling",
        x="share",
        y="seconds",
        series="what",
        labels={"x": "share of the whole size", "y": "seconds", "series": "what grows"},
        caption="Cost of corpus images",
        alt="Four nearly straight lines of seconds over sizes",
    )
    return pictures(figure, Table("scaling", columns))["svg"]


def page(times: dict[str, list[tuple[int, float]]]) -> str:
    when = datetime.now(UTC).date().isoformat()
    lines = [
        "# How cost grows",
        "",
        f"Made by `python -m benchmarks.scaling` on {when}: {platform.machine()}, 2 threads, the generated set of",
        "TREC-8's size (129 systems x 50 topics x 1000 documents), six measures, 512 bootstrap corpora. One size at",
        "a time is a quarter, a half, three quarters of that, the others whole: cost is linear in each, beside what",
        "every image costs once (drawing its documents).",
        "",
        "![seconds over sizes](scaling.svg)",
        "",
        "| what grows | sizes | seconds |",
        "|---|---|---|",
    ]
    for name, points in times.items():
        sizes = ", ".join(str(size) for size, _ in points)
        seconds = ", ".join(f"{second:.2f}" for _, second in points)
        lines.append(f"| {name} | {sizes} | {seconds} |")
    return "\n".join([*lines, "", *LARGE, "", memory.kept()])


LARGE = (
    "## MS MARCO's size",
    "",
    "`python -m benchmarks.large`: 6,980 topics x 50 systems x 1,000 documents, 349 million lines; 2 cores, 2026-11:",
    "",
    "| | read and aligned | six measures | peak memory |",
    "|---|---|---|---|",
    "| without retrieval scores | 39 s | 2.3 s | 3.68 GB (limit 4) |",
    "| with retrieval scores | 83 s | 0.8 s | 7.51 GB (limit 8) |",
    "",
    "Whole commands on the same files with AP and nDCG@10, 2 threads, from start to exit (limits 180 s and 8 GB):",
    "",
    "| command | time | peak memory |",
    "|---|---|---|",
    "| `compare`, all 1,225 pairs | 100 s | 4.32 GB |",
    "| `power`, 1,000 samples of topics | 78 s | 4.33 GB |",
    "| `uncertainty --vary topics,documents`, 1,000 replicates of each | 146 s | 5.20 GB |",
    "",
    "`power` of 5,000 systems x 50 topics, 12.5 million pairs, 1,000 samples: 92 s and 0.69 GB, and 31 s to save",
    "them (0.96 GB as CSV, 0.24 GB as Parquet).",
)


def main() -> None:
    times = measured()
    (ROOT / "docs" / "scaling.svg").write_bytes(picture(times))
    (ROOT / "docs" / "scaling.md").write_text(page(times), encoding="utf-8")


if __name__ == "__main__":
    main()
