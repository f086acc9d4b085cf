"""JSON and JSONL: {topic: {document: score}}, also of several systems or below MTEB's subset and split; records."""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate, islice
from typing import Any

from irassay.errors import InputError
from irassay.read.columns import ColumnNames, Columns, column_names, column_of
from irassay.read.files import Bytes
from irassay.read.formats.dicts import lists_as_columns
from irassay.read.registry import Holds, TableFile, TableFormat
from irassay.read.tokens import DECIMAL, QRELS, RUN, quoted, written_lines

START = re.compile(rb"\s*(\{\s*[\"}]|\[\s*[\]{])")
FIRST = 5  # lines that tell TREC's columns
META = "mteb_model_meta"  # beside MTEB's predictions: who made them
SHAPES = (
    'known are {"topic": {"document": score}}, a list of records, and one record in each line, such as '
    '{"qid": "1", "docid": "d7", "score": 2.5}'
)


def _recognise(data: Bytes, holds: Holds) -> bool:
    return START.match(data[:4096].tobytes()) is not None and not _is_trec(data)


def _is_trec(data: Bytes) -> bool:
    """Whether the first lines are TREC's all the same: a topic's name may begin as JSON does."""
    lines = list(islice(written_lines(data), FIRST))
    return any(
        all(len(words) == layout.columns and DECIMAL.fullmatch(words[layout.value]) for words in lines)
        for layout in (RUN, QRELS)
    )


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    items = dict(pairs)
    if len(items) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise InputError(f"the key {twice!r} appears twice in one object")
    return items


def _parsed(text: str, place: str, *, line: bool = False) -> Any:
    """The value in a text: a whole file, or one line that `place` names."""
    try:
        return json.loads(text, object_pairs_hook=_without_repetition)
    except json.JSONDecodeError as problem:
        where = place if line else f"{place}:{problem.lineno}"
        raise InputError(f"damaged JSON ({problem.msg})", where, "write or fetch the file again") from None
    except RecursionError:
        raise InputError("JSON nested too deeply", place, SHAPES) from None
    except InputError as error:
        raise InputError(error.what, place, "keep one of them") from None
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read ({problem})", place, SHAPES) from None


def _read(file: TableFile) -> Iterator[Columns]:
    text = file.data.tobytes().decode("utf-8", "surrogateescape").rstrip()
    place = str(file.path)
    first, _, rest = text.lstrip().partition("\n")
    if rest.strip() and _is_whole(first):
        yield _json_lines(text, file, place)
        return
    content = _parsed(text, place)
    if isinstance(content, list):
        yield _records([f"{place}, record {n}" for n in range(1, len(content) + 1)], content, file, place)
        return
    name, lists = _without_splits(content, place)
    if _is_record(lists, file):
        yield _records([f"{place}:1"], [lists], file, place)
    elif _depth(lists) == 3:
        if file.value == "grade":
            raise InputError(f"several sets of judgments: {', '.join(lists)}", place, "give one of them")
        for system, own in lists.items():
            yield _lists(own, place, file, system)
    else:
        yield _lists(lists, place, file, name)


def _is_whole(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _json_lines(text: str, file: TableFile, place: str) -> Columns:
    """One record in each line."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        # at once, and without looking for repeated keys: a call for each line would take most of the time
        records = json.loads(f"[{','.join(line for _, line in lines)}]")
    except json.JSONDecodeError as problem:
        # the line where it stops and the one before it are looked at first: parsing each line takes long
        ends = list(accumulate(len(line) + 1 for _, line in lines))
        at = bisect_right(ends, problem.pos - 1)
        for number, line in lines[max(at - 1, 0) : at + 1]:
            _parsed(line, f"{place}:{number}", line=True)
        records = []
    except (RecursionError, ValueError):
        records = []
    if len(records) == len(lines) and (columns := _flat_columns(records, file, place)):
        return _of_records(columns)
    places = [f"{place}:{number}" for number, _ in lines]
    records = [_parsed(line, where, line=True) for (_, line), where in zip(lines, places, strict=True)]
    return _of_records(_nested_columns(places, records, file))


def _depth(value: Any) -> int:
    """How many dicts stand in each other; the first value counts."""
    return 1 + _depth(next(iter(value.values()), None)) if isinstance(value, Mapping) else 0


def _without_splits(content: Any, place: str) -> tuple[str | None, Any]:
    """What stands below the subset and the split of MTEB's predictions, and the model's name."""
    if isinstance(content, Mapping) and "task_name" in content and "scores" in content:
        hint = "run MTEB with prediction_folder= and give its predictions"
        raise InputError("these are MTEB's results, which hold no lists", place, hint)
    if not isinstance(content, Mapping) or META not in content:
        return None, content
    meta = content[META]
    lists = {key: value for key, value in content.items() if key != META}
    for level in ("subset", "split"):
        if not isinstance(lists, Mapping) or len(lists) != 1:
            names = ", ".join(lists) if isinstance(lists, Mapping) else ""
            raise InputError(f"MTEB's predictions with several {level}s: {names}", place, f"keep one {level}")
        (lists,) = lists.values()
    name = meta.get("model_name") if isinstance(meta, Mapping) else None
    return (name if isinstance(name, str) else None), lists


def _lists(lists: Any, place: str, file: TableFile, name: str | None) -> Columns:
    """{topic: {document: value}}, or {topic: [document, …]} of a run."""
    inner = list(lists.values()) if isinstance(lists, Mapping) else []
    if inner and all(isinstance(item, Mapping) for item in inner):
        return lists_as_columns(lists, place)._replace(unit="record", name=name)
    if inner and file.value == "score" and all(_is_ranking(item) for item in inner):
        documents = [document for item in inner for document in item]
        topics = [topic for topic, item in lists.items() for _ in item]
        ranks = [rank for item in inner for rank in range(1, len(item) + 1)]
        return Columns(topics, documents, None, ranks, unit="record", name=name)
    raise InputError(f"this JSON holds no {'lists' if file.value == 'score' else 'judgments'}", place, SHAPES)


def _is_ranking(item: Any) -> bool:
    return isinstance(item, list) and all(isinstance(document, (str, int)) for document in item)


def _is_record(value: Any, file: TableFile) -> bool:
    return isinstance(value, Mapping) and column_of("topic", list(value), str(file.path)) is not None


def _records(places: list[str], records: list[Any], file: TableFile, place: str) -> Columns:
    """Records of one document each, of one list each, or with a list below them."""
    return _of_records(_flat_columns(records, file, place) or _nested_columns(places, records, file))


def _of_records(columns: list[list[Any] | None]) -> Columns:
    topics, documents, values, ranks, systems = columns
    if values is None and ranks is None:
        values = []
    return Columns(topics or [], documents or [], values, ranks, systems, unit="record")


def _flat_columns(records: list[Any], file: TableFile, place: str) -> list[list[Any] | None] | None:
    """The cells of records that all have the columns of the first one, and no lists; None if they have not."""
    first = records[0] if records else None
    if not isinstance(first, Mapping) or any(isinstance(value, (Mapping, list)) for value in first.values()):
        return None
    try:
        names = column_names(file.value, first, place)
        return [None if name is None else [record[name] for record in records] for name in names]
    except (InputError, KeyError, TypeError, IndexError):
        return None  # whoever reads the records one by one says where


def _nested_columns(places: list[str], records: list[Any], file: TableFile) -> list[list[Any] | None]:
    rows: list[tuple[Any, ...]] = []
    known: dict[tuple[str, ...], ColumnNames] = {}
    for where, record in zip(places, records, strict=True):
        if not isinstance(record, Mapping):
            raise InputError(f"{quoted(json.dumps(record).encode())} is no record", where, SHAPES)
        for flat in _flat(record):
            keys = tuple(flat)
            if keys not in known:
                try:
                    known[keys] = column_names(file.value, keys, where)
                except InputError as error:
                    raise InputError(error.what, where, f"{error.hint}; {SHAPES}") from None
            rows.append(tuple(None if name is None else flat[name] for name in known[keys]))
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [column if any(cell is not None for cell in column) else None for column in columns] or [None] * 5


def _flat(record: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The documents of a record as records that name their topic."""
    if all(isinstance(value, Mapping) for value in record.values()) and not _is_request(record):
        for topic, documents in record.items():
            yield from ({"topic": topic, "document": key, "score": value} for key, value in documents.items())
        return
    lists = [key for key, value in record.items() if isinstance(value, list)]
    nested = [key for key in lists if all(isinstance(item, Mapping) for item in record[key])]
    if len(nested) != 1:
        yield record
        return
    about = {key: value for key, value in record.items() if key not in lists and not isinstance(value, Mapping)}
    for value in record.values():
        about |= value if isinstance(value, Mapping) else {}
    for rank, item in enumerate(record[nested[0]], start=1):
        yield {"rank": rank, **about, **item}


def _is_request(record: Mapping[str, Any]) -> bool:
    return column_of("topic", list(record), "") is not None


JSON = TableFormat("JSON", _read, recognise=_recognise)
