"""Which topics a user meant: 601-650, or 401,405, or @FILE."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from irassay.errors import InputError


def select(known: Sequence[str], wanted: str | Sequence[str] | None) -> tuple[str, ...]:
    """The wanted ones among `known`, in the order of `known`; a topic that is not there is an error."""
    if wanted is None:
        return tuple(known)
    items = _from_file(wanted[1:]) if isinstance(wanted, str) and wanted.startswith("@") else wanted
    if isinstance(items, str):
        items = [item.strip() for item in items.split(",") if item.strip()]
    there = set(known)
    found: set[str] = set()
    for item in map(str, items):
        if item in there:  # first, because ids may look like a range
            found.add(item)
            continue
        low, dash, high = item.partition("-")
        inside = []
        if dash and low.isdecimal() and high.isdecimal():
            inside = [name for name in known if name.isdecimal() and int(low) <= int(name) <= int(high)]
        if not inside:
            raise InputError(
                f"no judged topic {'in' if dash and low.isdecimal() else 'is'} {item}",
                f"topics {wanted!r}",
                "write 601-650, or 401,405, or @FILE with one topic per line",
            )
        found.update(inside)
    if not found:
        raise InputError("no topic was named", f"topics {wanted!r}")
    return tuple(name for name in known if name in found)


def _from_file(path: str) -> list[str]:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path) from None
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
