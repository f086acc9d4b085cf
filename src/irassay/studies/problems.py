"""What could bite, each with its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irassay.errors import IrassayWarning
from irassay.panel import Panel
from irassay.read.qrels import Qrels
from irassay.read.runs import Run, Runs
from irassay.read.vocabulary import text
from irassay.result import Table

Found = tuple[str, str, str]  # code, where, what
SHOWN = 20
# Told here line by line; the warning would only count them.
TOLD_HERE = ("duplicates", "missing-topics")


def find_problems(
    qrels: Qrels,
    runs: Runs,
    panel: Panel,
    groups: Mapping[str, str] | None,
    corpus_size: int | None,
    pool_depth: int | None,
    warnings: Sequence[IrassayWarning],
) -> Table:
    rows: list[Found] = [
        (w.code, w.where, w.what) for w in warnings if w.code not in TOLD_HERE or w.where == qrels.path
    ]
    rows += _collection(panel, groups, corpus_size)
    for system, run in enumerate(runs):
        rows += _run(run, runs, panel, system)
        if pool_depth:
            rows += _unjudged(run, panel, system, pool_depth)
    codes, places, whats = zip(*rows, strict=True) if rows else ((), (), ())
    caption = "Problems: what could bite" if rows else "Problems: none found"
    return Table("problems", {"code": codes, "where": places, "what": whats}, caption)


def _collection(panel: Panel, groups: Mapping[str, str] | None, corpus_size: int | None) -> Iterator[Found]:
    active = int(panel.document.max(initial=-1)) + 1
    if corpus_size is not None and active > corpus_size:
        yield (
            "corpus-size",
            "",
            f"{active} documents are retrieved or judged, more than the corpus of {corpus_size}",
        )
    if groups is not None:
        for name in panel.systems:
            if name not in groups:
                yield "groups", name, "the system has no group"
        unknown = [name for name in groups if name not in panel.systems]
        if unknown:
            yield (
                "groups",
                "",
                f"{len(unknown)} systems of the groups file have no run, the first {unknown[0]}",
            )


def _run(run: Run, runs: Runs, panel: Panel, system: int) -> Iterator[Found]:
    topics = [text(name) for name in runs.vocabulary.topics]
    for row in run.repeats[:SHOWN].tolist():
        entry = int(run.entry[row])
        first = run.first_row(row)
        name, topic = text(runs.vocabulary.name(entry)), topics[int(runs.vocabulary.topic[entry])]
        what = f"document {name} appears twice for topic {topic} (first at {run.unit} {run.line(first)})"
        yield "duplicates", run.where(row), what
    if len(run.repeats) > SHOWN:
        yield "duplicates", run.path, f"{len(run.repeats) - SHOWN} more repeated documents"
    lengths = np.diff(panel.offsets, axis=1)[:, system]
    missing = [panel.topics[t] for t in np.flatnonzero(lengths == 0).tolist()]
    if missing:
        listed = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
        yield "missing-topics", run.path, f"no documents for {len(missing)} topics, which score 0: {listed}"
    if run.tag is None and run.unit == "line":
        yield "tags", run.path, "the tag column is not constant"
    if run.bad_rank:
        yield "ranks", f"{run.path}:{run.bad_rank}", "the rank is not a whole number"
    yield from _orders(run, topics)
    yield from _made_up(run)


def _topic_of_rows(run: Run) -> NDArray[np.int32]:
    return np.repeat(run.segment_topic, np.diff(run.segment_row))


def _orders(run: Run, topics: list[str]) -> Iterator[Found]:
    """Where file order, score order and rank order contradict each other."""
    topic = _topic_of_rows(run)
    by_topic = np.argsort(topic, kind="stable")
    inside = topic[by_topic][1:] == topic[by_topic][:-1]
    rising = np.flatnonzero(inside & (np.diff(run.score[by_topic]) > 0))
    if len(rising):
        row = int(by_topic[rising + 1].min())
        what = f"the score rises down the file in {len(rising)} places, first in topic {topics[topic[row]]}"
        yield "file-order", run.where(row), f"{what}: file order is not score order"
    if run.rank is None or run.bad_rank:
        return
    falling = np.flatnonzero(inside & (np.diff(run.rank[by_topic]) <= 0))
    if len(falling):
        row = int(by_topic[falling + 1].min())
        what = f"the rank does not rise in {len(falling)} places, first in topic {topics[topic[row]]}"
        yield "rank-file-order", run.where(row), f"{what}: rank order is not file order"
    by_rank = np.lexsort((run.rank, topic))
    wrong = np.flatnonzero((topic[by_rank][1:] == topic[by_rank][:-1]) & (np.diff(run.score[by_rank]) > 0))
    if len(wrong):
        row = int(by_rank[wrong + 1].min())
        what = f"a worse rank has a better score in {len(wrong)} places, first in topic {topics[topic[row]]}"
        yield "rank-order", run.where(row), f"{what}: rank order is not score order"


def _made_up(run: Run) -> Iterator[Found]:
    """Scores that say no more than the rank: constant, or a function of the position in the list."""
    sizes = np.diff(run.segment_row)
    if not (sizes > 2).any():
        return
    if len(run) > 2 and (run.score == run.score[0]).all():
        yield "constant-scores", run.where(0), f"every score is {run.score[0]:g}: ties decide the whole order"
        return
    starts = run.segment_row[:-1]
    longest = int(np.argmax(sizes))
    pattern = run.score[starts[longest] : starts[longest] + sizes[longest]]
    position = np.arange(len(run)) - np.repeat(starts, sizes)
    repeated = len(sizes) > 1 and bool((run.score == pattern[position]).all())
    steps = np.diff(run.score)
    inside = np.ones(len(steps), dtype=np.bool_)
    inside[starts[1:] - 1] = False
    step = steps[inside]
    even = bool((np.abs(step - step[0]) <= 1e-9 * np.abs(step[0])).all()) and step[0] != 0
    if repeated or even:
        why = "every topic has the same scores" if repeated else "scores fall in equal steps"
        yield "rank-derived-scores", run.where(0), f"{why}: they say no more than the rank"


def _unjudged(run: Run, panel: Panel, system: int, depth: int) -> Iterator[Found]:
    """Documents above the pool's depth that nobody judged: the run did not contribute, or not so deep."""
    holes = total = 0
    for t in range(len(panel.topics)):
        first = int(panel.offsets[t, system])
        codes = panel.codes[first : min(first + depth, int(panel.offsets[t, system + 1]))]
        total += len(codes)
        holes += int(np.count_nonzero(panel.grade[panel.pool[t] + codes.astype(np.int64)] < 0))
    if holes:
        what = f"{holes} of {total} documents above rank {depth} are not judged: did this run contribute to the pool?"
        yield "outside-pool", run.path, what
