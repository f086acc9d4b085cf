"""Columns of judgments and runs, under the names that other packages give them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError

# BEIR, ir_datasets, ir_measures, MS MARCO, PyTerrier, ranx and trectools name the same columns differently.
ALIASES = {
    "topic": ("topic", "query_id", "qid", "q_id", "topic_id", "query"),
    "document": ("document", "doc_id", "docno", "docid", "corpus_id", "document_id", "pid", "passage_id"),
    "score": ("score",),
    "grade": ("grade", "relevance", "label", "rel", "score"),
    "rank": ("rank",),
    "system": ("system", "run", "name", "run_id", "runid", "tag"),
}

ORDER = "QRELS comes first, then the runs"


class Columns(NamedTuple):
    """Rows of judgments or of runs; ranks and systems are None where there are none.

    Topics, documents and systems are `Names`, or text, bytes and whole numbers one by one. Of a file of lines,
    `skipped` has the lines without a row and `stats` what `_tokens` counts; `unit` says what rows are there.
    """

    topics: Iterable[Any]
    documents: Iterable[Any]
    values: Any  # None where a run has ranks only
    ranks: Any = None
    systems: Iterable[Any] | None = None
    name: str | None = None  # of the only run
    unit: str = "row"
    skipped: NDArray[np.int64] | None = None
    stats: NDArray[np.int64] | None = None


class ColumnNames(NamedTuple):
    """What the columns are called in a source; None for one that it has not."""

    topic: Any
    document: Any
    value: Any
    rank: Any
    system: Any


def known_name(name: Any) -> str:
    """A column's name in the spelling of `ALIASES`: `Query-ID` is query_id."""
    return name.strip().lower().replace("-", "_") if isinstance(name, str) else ""


def column_of(kind: str, names: Sequence[Any], place: str) -> Any:
    """Which of the columns holds topics, documents, …; None where none does."""
    known = [known_name(name) for name in names]
    alias = next((alias for alias in ALIASES[kind] if alias in known), None)
    if alias is None:
        return None
    if known.count(alias) > 1:
        raise InputError(f"two columns are called {alias}", place, "rename one of them")
    return names[known.index(alias)]


def column_names(value: str, names: Iterable[Any], place: str) -> ColumnNames:
    """The columns among `names` of topics, documents and values, and those of ranks and systems; a run needs no
    scores where it has ranks."""
    names = list(names)
    columns = {kind: column_of(kind, names, place) for kind in ("topic", "document", value, "rank", "system")}
    needed = ["topic", "document"] + ([value] if value == "grade" or columns["rank"] is None else [])
    missing = [kind for kind in needed if columns[kind] is None]
    if missing:
        known = "; ".join(f"{kind} is {' or '.join(ALIASES[kind])}" for kind in missing)
        listed = ", ".join(map(str, names)) or "no columns"
        raise InputError(f"no column for {' and '.join(missing)} among {listed}", place, f"known names: {known}")
    if value == "grade" and columns["rank"] is not None and known_name(columns["grade"]) == "score":
        raise InputError("the columns rank and score are those of a run, not of judgments", place, ORDER)
    if value == "grade":  # several judges are several qrels, and a rank among judgments means nothing
        columns["rank"] = columns["system"] = None
    return ColumnNames(columns["topic"], columns["document"], columns[value], columns["rank"], columns["system"])
