"""What a reader can look into: scores of single topics, and the first documents of the best systems' lists."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from irassay.panel.panel import Panel
from irassay.result import Column, Table
from irassay.scoring.scores import Array, Scores, places_of

TOP = 20  # documents of a list
MOST_TOPICS = 100  # a page holds 20 systems x 100 topics x 20 documents


def detail_tables(scores: Scores, panel: Panel | None, best: int) -> tuple[Table, ...]:
    """`topic_scores` and, where there are lists, `top_documents` of the best systems; nothing for 0 of them."""
    if best == 0:
        return ()
    first = scores.by_measure()[0]
    systems = [scores.systems[s] for s in np.argsort(-first.means(), kind="stable").tolist()[:best]]
    chosen = scores.select(systems=systems, topics=_topics(first, systems))
    limits = _limits(chosen, scores)
    tables = [topic_scores(chosen, limits)]
    if panel is not None and panel.document_names is not None:
        tables.append(top_documents(panel, systems, chosen.topics, limits))
    return tuple(tables)


def _topics(first: Scores, systems: Sequence[str]) -> Sequence[str]:
    """All topics, or of more than a page can hold those on which these systems differ most."""
    if len(first.topics) <= MOST_TOPICS:
        return first.topics
    spread = np.ptp(first.select(systems=systems).values.reshape(len(systems), -1), axis=0)
    kept = np.sort(np.argsort(-spread, kind="stable")[:MOST_TOPICS])
    return [first.topics[t] for t in kept.tolist()]


def _limits(chosen: Scores, scores: Scores) -> str:
    """What is left out, for captions."""
    name, texts = scores.measures[0], []
    if len(chosen.systems) < len(scores.systems):
        texts.append(f"Only the {len(chosen.systems)} best of {len(scores.systems):,} systems by {name} (--details N).")
    if len(chosen.topics) < len(scores.topics):
        texts.append(
            f"Only the {len(chosen.topics)} of {len(scores.topics):,} topics on which their {name} differs most."
        )
    return "".join(f" {text}" for text in texts)


def topic_scores(scores: Scores, limits: str = "") -> Table:
    """What each system scores on each topic; in place of a measure without such scores, as GM(AP), its base."""
    by_name: dict[str, Array] = {}
    for one in scores.by_measure():
        measure = one.measure
        if measure is None or measure.per_topic(one.values) is not None:
            by_name.setdefault(one.name, one.topic_values())
        else:
            by_name.setdefault(str(measure.base), one.values)
    measures, systems, topics = list(by_name), scores.systems, scores.topics
    columns: dict[str, Column] = {
        "measure": [measure for measure in measures for _ in range(len(systems) * len(topics))],
        "system": [system for system in systems for _ in topics] * len(measures),
        "topic": list(topics) * (len(measures) * len(systems)),
        "score": np.concatenate([values.ravel() for values in by_name.values()]),
    }
    return Table("topic_scores", columns, f"Scores on single topics.{limits}", {"score": 4})


def top_documents(panel: Panel, systems: Sequence[str], topics: Sequence[str], limits: str = "") -> Table:
    """The first documents of every list with their grades; one without a judgment has none."""
    s, t = (np.array(places) for places in (places_of(systems, panel.systems), places_of(topics, panel.topics)))
    starts = panel.offsets[np.ix_(t, s)].T.ravel()
    lengths = np.minimum(panel.offsets[np.ix_(t, s + 1)].T.ravel() - starts, TOP)
    rank: NDArray[np.int64] = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    place = np.repeat(starts, lengths) + rank
    entries = np.repeat(np.tile(panel.pool[t], len(s)), lengths) + panel.codes[place].astype(np.int64)
    known, back = np.unique(entries, return_inverse=True)
    names = panel.documents_of(known)
    columns: dict[str, Column] = {
        "system": np.repeat(np.array(systems, dtype=object).repeat(len(t)), lengths).tolist(),
        "topic": np.repeat(np.array(list(topics) * len(s), dtype=object), lengths).tolist(),
        "rank": rank + 1,
        "document": [names[k] for k in back.tolist()],
        "grade": [grade if grade >= 0 else None for grade in panel.grade[entries].tolist()],
    }
    caption = f"The first {TOP} documents of each list; without a grade: not judged.{limits}"
    return Table("top_documents", columns, caption)
