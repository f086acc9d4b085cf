"""Columns of judgments and runs in memory, under the names that other packages give them."""

from collections.abc import Iterable
from numbers import Integral
from typing import Any, NamedTuple

from irassay.errors import InputError
from irassay.read.vocabulary import raw

# ir_measures, PyTerrier, ranx and trectools name the same columns differently.
ALIASES = {
    "topic": ("topic", "query_id", "qid", "q_id", "query"),
    "document": ("document", "doc_id", "docno", "docid"),
    "score": ("score",),
    "grade": ("grade", "relevance", "label", "rel", "score"),
    "rank": ("rank",),
    "system": ("system", "run", "name", "run_id", "tag"),
}


class Columns(NamedTuple):
    """One source as columns, as they are in memory; ranks are None where there are none."""

    topics: Iterable[Any]
    documents: Iterable[Any]
    values: Any
    ranks: Any = None


def column_of(kind: str, names: Iterable[Any], place: str) -> str | None:
    """Which of the columns holds topics, documents, …; None where none does."""
    columns = [name for name in names if isinstance(name, str)]
    column = next((alias for alias in ALIASES[kind] if alias in columns), None)
    if column is not None and columns.count(column) > 1:
        raise InputError(f"two columns are called {column}", place, "rename one of them")
    return column


def required_columns(value: str, names: Iterable[Any], place: str) -> list[str]:
    """The columns of topics, documents and values among `names`."""
    names = list(names)
    columns = {kind: column_of(kind, names, place) for kind in ("topic", "document", value)}
    missing = [kind for kind, column in columns.items() if column is None]
    if missing:
        known = "; ".join(f"{kind} is {' or '.join(ALIASES[kind])}" for kind in missing)
        listed = ", ".join(map(str, names)) or "no columns"
        raise InputError(f"no column for {' and '.join(missing)} among {listed}", place, f"known names: {known}")
    return [column for column in columns.values() if column is not None]


def identifiers(values: Iterable[Any], kind: str, place: str) -> list[bytes]:
    """Topics, documents or systems as bytes."""
    names: list[bytes] = []
    for value in values:
        try:
            names.append(identifier(value, kind))
        except InputError as error:
            raise InputError(error.what, f"{place}, row {len(names) + 1}", error.hint) from None
    return names


def identifier(value: Any, kind: str) -> bytes:
    """Text, bytes or a whole number. A column of numbers with a gap is one of floats: 301.0 is no topic."""
    if isinstance(value, str):
        try:
            return raw(value)
        except UnicodeEncodeError:
            raise InputError(f"{kind} {value!r} is not text", hint="it holds half of a surrogate pair") from None
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return b"%d" % int(value)
    raise InputError(f"{kind} {value!r} is not text", hint="ids are text, bytes or whole numbers")
