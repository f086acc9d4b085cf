"""Names may hold anything: what makes them safe in text."""

import math
import re
from collections.abc import Iterable

# What surrogateescape cannot turn back into a byte; only a name made in memory can hold it.
_NOT_A_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f]")


def encode(text: str) -> bytes:
    """UTF-8; the bytes of names that were not UTF-8 stay as they were."""
    return _NOT_A_BYTE.sub(lambda match: _escape(match[0]), text).encode("utf-8", "surrogateescape")


def undefined(value: object) -> bool:
    """Whether a cell has no value."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def all_integers(values: Iterable[object]) -> bool:
    """Whether all values that are defined are whole numbers."""
    return all(isinstance(value, int) or undefined(value) for value in values)


def in_words(value: object) -> str:
    """A value as people read it: yes or no, never True or False."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def one_line(text: str) -> str:
    """The name with control characters written out, so that it cannot break a line-based format."""
    return _CONTROL.sub(lambda match: _escape(match[0]), text)


def visible(text: str) -> str:
    """The name with all that a terminal would not print (control, bidi, stray bytes) written out."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
