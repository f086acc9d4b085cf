"""What a file holds, judgments or a run, whatever its format; for whoever looks through folders."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from irassay.errors import InputError
from irassay.read.files import Bytes, beginning, load
from irassay.read.memory import judgment_block, run_blocks
from irassay.read.recognition import NO_BYTES, VALUES
from irassay.read.registry import Holds, TableFile, TableFormat, TextFormat, binary_format, formats
from irassay.read.tokens import DECIMAL, QRELS, RUN, written_lines

WHOLE = re.compile(rb"-?[0-9]+")
LARGEST = 64 << 20  # bytes of a file that is read to its end where its beginning alone cannot be understood


def contents_of(path: Path) -> Holds | None:
    """What the beginning of a file holds, and None of what is neither.

    What could be both is judgments where all values are grades and there are no ranks.
    """
    try:
        binary = binary_format(formats(TableFormat), path)
        if binary is not None:
            return _of_table(binary, path, NO_BYTES)
        data = beginning(path)
        for table in formats(TableFormat):
            if table.recognise(data, "judgments"):
                kinds = (_of_table(table, path, part) for part in _parts(path, data))
                return next(filter(None, kinds), None)
    except InputError:  # no reader's business yet: it is neither judgments nor runs
        return None
    for lines in formats(TextFormat):
        if lines.recognise(data):
            holds: Holds = lines.holds
            return holds
    words = next(written_lines(data), [])
    if len(words) == RUN.columns and DECIMAL.fullmatch(words[RUN.value]):
        return "run"
    return "judgments" if len(words) == QRELS.columns and WHOLE.fullmatch(words[QRELS.value]) else None


def _parts(path: Path, data: Bytes) -> Iterator[Bytes]:
    """The beginning of a file, and all of it: one JSON value cannot be cut."""
    yield data
    if path.stat().st_size <= LARGEST:
        yield load(path)


def _of_table(table: TableFormat, path: Path, data: Bytes) -> Holds | None:
    if _is_read(lambda: [judgment_block(part, "") for part in table.read(TableFile(path, data, VALUES["judgments"]))]):
        return "judgments"
    if _is_read(lambda: [list(run_blocks(part, "")) for part in table.read(TableFile(path, data, VALUES["run"]))]):
        return "run"
    return None


def _is_read(read: Callable[[], object]) -> bool:
    try:
        read()
    except InputError:
        return False
    return True
