"""CSV: all digits, undefined cells empty, and no name that a spreadsheet would run."""

from __future__ import annotations

import re

from irassay.report.text import encoded, undefined
from irassay.result import Table

# A spreadsheet runs text that begins like this; a leading apostrophe makes it text. Names that already begin
# with apostrophes and then this get one more, so that the reader can take exactly one away.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")

_QUOTED = re.compile(r'[",\r\n]')


def to_csv(table: Table) -> bytes:
    """The table as CSV with a header line; floats in their shortest exact form."""
    lines = [table.columns, *table.rows()]
    return encoded("".join(",".join(map(_cell, line)) + "\n" for line in lines))


def _cell(value: object) -> str:
    if undefined(value):
        return ""
    if isinstance(value, str):
        text = f"'{value}" if _FORMULA.match(value) else value
        # by hand: Python's csv module before 3.13 leaves a lone carriage return bare
        return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text
    return repr(value) if isinstance(value, float) else str(value)
