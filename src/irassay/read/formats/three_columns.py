"""Three columns without a header: MS MARCO's runs `topic document rank`, runs `topic document score`, and judgments
`topic document grade`."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError
from irassay.read.columns import ORDER, Columns
from irassay.read.constants import BLANKS
from irassay.read.files import Bytes
from irassay.read.lines import Layout, split_file
from irassay.read.names import Names
from irassay.read.registry import Holds, TableFile, TableFormat
from irassay.read.tokens import DECIMAL, written_lines

FIRST = 5  # lines by which the format is recognised, and documents in the mean list that tell ranks from grades


def _recognise(data: Bytes, holds: Holds) -> bool:
    lines = list(islice(written_lines(data), FIRST))
    return bool(lines) and all(len(words) == 3 and DECIMAL.fullmatch(words[2]) for words in lines)


def _read(file: TableFile) -> Iterator[Columns]:
    kind = "rank or score" if file.value == "score" else "grade"
    cells = split_file(file, 0, 0, Layout(BLANKS, 3, (0, 1, 2), f"topic document {kind}"))
    topics, documents, values = cells.names(0, "topic"), cells.names(1, "document"), cells.numbers(2, kind)
    counts = _counts_lists(topics, values)
    ranks = None
    if file.value == "grade":
        if counts and len(values) >= FIRST * len(topics.numbered()[0]):
            raise InputError("this looks like an MS MARCO run, not relevance judgments", str(file.path), ORDER)
    elif counts:
        ranks = values
    elif (values == np.round(values)).all() and (np.diff(values) >= 0).all():
        what = "the third column is neither a rank nor a score: it does not count the documents of each topic"
        raise InputError(what, str(file.path), f"MS MARCO's runs are topic document rank; {ORDER}")
    yield Columns(
        topics,
        documents,
        values if ranks is None else None,
        ranks,
        unit="line",
        skipped=cells.skipped,
        stats=cells.stats,
    )


def _counts_lists(topics: Names, values: NDArray[np.float64]) -> bool:
    """Whether the values of every topic are 1, 2, 3, … or 0, 1, 2, … in some order."""
    _, number, first = topics.numbered()
    topic = np.repeat(number, np.diff(np.append(first, len(values))))
    order = np.lexsort((values, topic))
    starts = np.flatnonzero(np.diff(topic[order], prepend=-1))
    sizes = np.diff(np.append(starts, len(values)))
    lowest = values[order][starts]
    counted = np.arange(len(values)) - np.repeat(starts - lowest, sizes)
    return bool(np.isin(lowest, (0, 1)).all() and (values[order] == counted).all())


THREE_COLUMNS = TableFormat("three columns (MS MARCO)", _read, recognise=_recognise)
