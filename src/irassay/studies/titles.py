"""What the data of a result are called: "TREC-8: 129 systems, 41 groups, 50 topics".

The name is what the user calls the collection, else what tells its files from those of other collections.
"""

import re
from collections.abc import Mapping, Sequence, Sized
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from irassay.files import IR_DATASETS
from irassay.result import Result
from irassay.studies.phrases import few, safe

MOST = 3  # collections that a title has room for
# Words in names of files and folders that say what is in them, not of which collection.
_GENERIC = re.compile(
    "(?i)(qrel|judg(e)?ment|rel|relevance|label|truth|gold|reference|human|llm|nist|official|final|all|test|dev|train|"
    "valid|validation|data|dataset|collection|corpus|run|input|eval|evaluation|result|output|score|table|experiment|ir|"
    "tmp|temp|work|home|root|user|src|project|download|document|desktop|doc|pass|passage|part|txt|text|trec|tsv|csv|"
    "json|jsonl|parquet|gz|bz2|xz|zst|zip|tar)s?"
)
_FORMAT = re.compile(r"(?i)(\.(txt|text|trec|qrels?|tsv|csv|jsonl?|parquet|gz|bz2|xz|zst))+$")
_QRELS = re.compile(r"(?i)(^|[._ -]+)(qrels?|judg(e)?ments?|scores?)(?=[._ -]|$)")


def with_title(result: Result, title: str) -> Result:
    """The result with another title."""
    return replace(result, headline=replace(result.headline, title=title))


def title_of(provenance: Mapping[str, Any], name: str = "") -> str:
    """The name of the data and how much they are; empty where a result does not say of which systems it is."""
    systems, topics, groups = (_size(provenance.get(key)) for key in ("systems", "topics", "groups"))
    if not systems:
        return ""
    counts = [(systems, "system"), (groups, "group"), (topics, "topic")]
    sizes = ", ".join(f"{size:,} {what}{'s' * (size != 1)}" for size, what in counts if size)
    name = safe(name) or safe(name_of(provenance))
    return f"{name}: {sizes}" if name else sizes


def merge_titles(titles: Mapping[str, str]) -> str:
    """One title of several collections, which their own names begin."""
    known = list(dict.fromkeys(title for title in titles.values() if title))
    if len(known) <= MOST:
        return "; ".join(known)
    return f"{len(known)} collections: {few([safe(name) for name, title in titles.items() if title])}"


def name_of(provenance: Mapping[str, Any]) -> str:
    """What the files of judgments, or of scores, and their folders call the collection."""
    tables = provenance.get("scores") or ()
    source = provenance.get("qrels") or (tables[0] if isinstance(tables, Sequence) and len(tables) == 1 else "")
    if not isinstance(source, str):
        return ""
    if source.startswith(IR_DATASETS):
        return source.removeprefix(IR_DATASETS)
    path = Path(source)
    if not path.is_file():  # judgments in memory
        return ""
    return next((name for name in _candidates(path.resolve()) if name), "")


def _candidates(path: Path) -> Sequence[str]:
    """The name without what all files of its kind have in theirs, and then those of the two folders around it."""
    bare = _QRELS.sub("", _FORMAT.sub("", path.name)).strip("._- ")
    return [name if _telling(name) else "" for name in (bare, *(folder.name for folder in islice(path.parents, 2)))]


def _telling(name: str) -> bool:
    """Whether a name has a word of its own: not only numbers, and words that any collection may have."""
    words = re.findall(r"(?i)trec-?\d+|[^\W\d_]+", name)
    return any(len(word) > 1 and not _GENERIC.fullmatch(word) for word in words)


def _size(value: object) -> int:
    if isinstance(value, int):
        return value
    return len(value) if isinstance(value, Sized) and not isinstance(value, str) else 0
