"""Text that a spreadsheet would run: written with an apostrophe before it, and read without."""

import re

# What spreadsheets take for the beginning of a formula, also in full width, as East Asian keyboards have it.
# Names that already begin with apostrophes and then this get one more, so that a reader can take exactly one away.
_FORMULA = re.compile(r"'*[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]")
_GUARDED = re.compile(rf"'(?={_FORMULA.pattern})")


def guarded(text: str) -> str:
    """The text as a spreadsheet shows it and never runs it."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if _GUARDED.match(text) else text
