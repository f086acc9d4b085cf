"""Columns under a header, separated by tabs, commas, semicolons or blanks: BEIR's and MS MARCO's TSV, and CSV."""

from collections.abc import Iterator

from irassay.errors import InputError
from irassay.read.columns import Columns, column_names, column_of
from irassay.read.constants import BLANKS
from irassay.read.files import Bytes
from irassay.read.lines import Layout, first_line, split_file
from irassay.read.registry import Holds, TableFile, TableFormat
from irassay.read.vocabulary import text

SEPARATORS = (ord("\t"), ord(","), ord(";"), BLANKS)


def _cells(line: bytes, separator: int) -> list[str]:
    cells = line.split(bytes([separator])) if separator else line.split()
    return [text(cell.strip().strip(b'"')) for cell in cells]


def _header(line: bytes) -> tuple[int, list[str]]:
    """What stands between the columns, and their names; no names where the line is no header."""
    for separator in SEPARATORS:
        names = _cells(line, separator)
        if len(names) > 2 and all(column_of(kind, names, "") is not None for kind in ("topic", "document")):
            return separator, names
    return BLANKS, []


def _recognise(data: Bytes, holds: Holds) -> bool:
    try:
        return bool(_header(first_line(data)[0])[1])
    except InputError:  # two columns with one name
        return True


def _read(file: TableFile) -> Iterator[Columns]:
    line, begin, number = first_line(file.data)
    place = f"{file.path}:{number}"
    separator, names = _header(line)
    columns = column_names(file.value, names, place)
    wanted = [names.index(name) for name in columns if name is not None]
    cells = split_file(file, begin, number, Layout(separator, len(names), wanted, " ".join(names)))
    at = iter(range(len(wanted)))
    topic, document, value, rank, system = (None if name is None else next(at) for name in columns)
    assert topic is not None
    assert document is not None
    yield Columns(
        topics=cells.names(topic, "topic"),
        documents=cells.names(document, "document"),
        values=None if value is None else cells.numbers(value, file.value),
        ranks=None if rank is None else cells.numbers(rank, "rank"),
        systems=None if system is None else cells.names(system, "system"),
        unit="line",
        skipped=cells.skipped,
        stats=cells.stats,
    )


SEPARATED = TableFormat("columns under a header", _read, recognise=_recognise)
