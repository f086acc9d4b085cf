"""Cutting a user's text at the separators that stand outside brackets and quotes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from irassay.errors import InputError

_PAIRS = {")": "(", "}": "{"}


def unquoted(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, open brackets after it) of everything that is not inside a quoted text.

    A quote opens a text only after `=`; anywhere else it is the prime of a condensed list, as in GM(AP').
    """
    stack: list[str] = []
    before, quote, opened = "", "", 0
    for at, char in enumerate(text):
        if quote:
            if char == quote:
                quote = ""
            continue
        if char in "'\"" and before == "=":
            quote, opened = char, at
        elif char in _PAIRS.values():
            stack.append(char)
        elif char in _PAIRS and (not stack or stack.pop() != _PAIRS[char]):
            hint = f"remove it or open {_PAIRS[char]}"
            raise InputError(f"{char} closes nothing", f"measure {text!r}", hint)
        if not char.isspace():
            before = char
        yield at, char, len(stack)
    if quote:
        raise InputError(f"the text {text[opened:]} is not closed", f"measure {text!r}", f"end it with {quote}")
    if stack:
        missing = {opener: closer for closer, opener in _PAIRS.items()}[stack[-1]]
        raise InputError(f"{stack[-1]} is not closed", f"measure {text!r}", f"close it with {missing}")


def split(text: str, separator: str = " ") -> list[str]:
    """The parts between separators (" ": any run of white space, no empty parts)."""
    cuts = [
        at
        for at, char, depth in unquoted(text)
        if depth == 0 and (char.isspace() if separator == " " else char == separator)
    ]
    edges = [-1, *cuts, len(text)]
    parts = [text[left + 1 : right] for left, right in pairwise(edges)]
    if separator == " ":
        return [part for part in parts if part]
    return parts if text.strip() else []


def bracket_end(text: str) -> int:
    """The position after the bracket that closes the one at the start of the text."""
    return next(at + 1 for at, char, depth in unquoted(text) if depth == 0 and char == ")")
