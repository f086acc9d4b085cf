"""Tables with the numbers that a paper prints beside ours."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from irassay.result import Table
from irassay.studies.papers.published import MATRIX, NO_DATA, PUBLISHED, Printed
from irassay.studies.papers.record import PaperContext

# columns that say what a row is
LABELS = ("collection", "measure", "model", "length", "relevant", "R", "number", "system", "what", "corpus_size")


def printed_values(context: PaperContext, table: Table) -> Iterator[tuple[Table, int]]:
    """The table with the printed numbers and the differences from them, or a table of these, and how many there are.

    A matrix stays as it is: its printed numbers stand in a table of pairs.
    """
    known = [one for one in PUBLISHED if (one.paper, one.table) == (context.paper.key, table.name)]
    matching = [one for one in known if one.collection.matches(context)]
    if not matching:
        yield table, 0
        return
    (printed,) = matching
    if printed.key == MATRIX:
        yield table, 0
        yield _pairs(table, printed)
    else:
        yield _beside(table, printed)


def _beside(table: Table, printed: Printed) -> tuple[Table, int]:
    keys: list[Any] = [tuple(map(str, row)) for row in zip(*(table[name] for name in printed.key), strict=True)]
    if len(printed.key) == 1:
        keys = [key for (key,) in keys]
    content: dict[str, Any] = {}
    digits = dict(table.digits)
    count = 0
    for name, column in table.columns.items():
        content[name] = column
        if name not in printed.values:
            continue
        numbers = [printed.values[name].get(key) for key in keys]
        count += sum(number is not None for number in numbers)
        content[f"{name}_printed"] = numbers
        content[f"{name}_difference"] = [
            _difference(value, number) for value, number in zip(column, numbers, strict=True)
        ]
        places = table.digits.get(name)
        if places is not None:
            digits |= {f"{name}_printed": places, f"{name}_difference": places}
    return replace(table, columns=content, digits=digits, caption=_captioned(table.caption, printed)), count


def _pairs(table: Table, printed: Printed) -> tuple[Table, int]:
    """A matrix's printed numbers, a row for each cell."""
    names = list(table["measure"])
    cells = [(row, column) for row in names for column in printed.values if row in printed.values[column]]
    ours = {(row, column): table[column][names.index(row)] for row, column in cells if column in table.columns}
    content = {
        "measure_a": [row for row, _ in ours],
        "measure_b": [column for _, column in ours],
        "tau": list(ours.values()),
        "tau_printed": [printed.values[column][row] for row, column in ours],
    }
    content["tau_difference"] = [
        _difference(*both) for both in zip(content["tau"], content["tau_printed"], strict=True)
    ]
    digits = dict.fromkeys(("tau", "tau_printed", "tau_difference"), 3)
    caption = _captioned(f"{table.name} beside the printed numbers", printed)
    return Table(f"{table.name}_printed", content, caption, digits), len(ours)


def _difference(value: Any, number: Any) -> float | None:
    return None if value is None or number is None else float(value) - float(number)


def _captioned(caption: str, printed: Printed) -> str:
    of = "" if printed.collection is NO_DATA else f" ({printed.collection.name})"
    source = f"Columns _printed are from the paper's {printed.source}{of}, and _difference is ours less that."
    caution = f" {printed.collection.caution}." if printed.collection.caution else ""
    return f"{caption.rstrip('.')}. {source}{caution}" if caption else source + caution


def for_screen(table: Table) -> list[Table]:
    """A table with printed numbers as two that fit a line: our own columns, and a line for each of these numbers."""
    published = [name for name in table.columns if f"{name}_printed" in table.columns]
    if not published:
        return [table]
    extra = {f"{name}{end}" for name in published for end in ("_printed", "_difference")}
    own = {name: column for name, column in table.columns.items() if name not in extra}
    labels = [name for name in own if name in LABELS]
    content: dict[str, list[Any]] = {name: [] for name in (*labels, "of", "ours", "printed", "difference")}
    for place in range(len(table)):
        for name in published:
            if table[f"{name}_printed"][place] is None:
                continue
            values = (table[name][place], table[f"{name}_printed"][place], table[f"{name}_difference"][place])
            for column, value in zip(content, (*(table[label][place] for label in labels), name, *values), strict=True):
                content[column].append(value)
    places = max((table.digits.get(name, 4) for name in published), default=4)
    caption, _, source = table.caption.partition(" Columns _printed are")
    digits = {name: n for name, n in table.digits.items() if name in own}
    return [
        replace(table, columns=own, digits=digits, caption=caption),
        Table(
            f"{table.name}_beside",
            content,
            f"{table.name}: printed numbers are{source.replace(', and _difference is', '; difference is')}",
            dict.fromkeys(("ours", "printed", "difference"), places),
        ),
    ]
