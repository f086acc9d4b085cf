"""Which topics a user meant: 601-650, or 401,405, or @FILE."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from irassay.errors import InputError
from irassay.read.files import load
from irassay.read.vocabulary import raw, text


def select(known: Sequence[str], wanted: str | Sequence[str] | None) -> tuple[str, ...]:
    """The wanted ones among `known`, in the order of `known`; a topic that is not there is an error."""
    if wanted is None:
        return tuple(known)
    if isinstance(wanted, str):
        items = _from_file(wanted[1:]) if wanted.startswith("@") else [item.strip() for item in wanted.split(",")]
    else:
        items = list(map(str, wanted))
    names = set(known)
    chosen: set[str] = set()
    for item in filter(None, items):
        matches = [item] if item in names else _in_range(known, item)  # in this order: ids may look like a range
        if not matches:
            raise InputError(
                f"no judged topic {'in' if _bounds(item) else 'is called'} {item}",
                _place(wanted),
                "write 601-650, or 401,405, or @FILE with one topic per line",
            )
        chosen.update(matches)
    if not chosen:
        raise InputError("no topic was named", _place(wanted), "write 601-650, or 401,405, or @FILE")
    return tuple(name for name in known if name in chosen)


def _place(wanted: str | Sequence[str]) -> str:
    if isinstance(wanted, str):
        return wanted[1:] if wanted.startswith("@") else f"topics {wanted!r}"
    return "topics"


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdigit()


def _size(digits: str) -> tuple[int, str]:
    """Sorts as the number does; int() refuses very long ones."""
    significant = digits.lstrip("0")
    return len(significant), significant


def _bounds(item: str) -> tuple[str, str] | None:
    low, dash, high = (part.strip() for part in item.partition("-"))
    return (low, high) if dash and _is_number(low) and _is_number(high) else None


def _in_range(known: Sequence[str], item: str) -> list[str]:
    bounds = _bounds(item)
    if bounds is None:
        return []
    low, high = map(_size, bounds)
    return [name for name in known if _is_number(name) and low <= _size(name) <= high]


def _from_file(path: str) -> list[str]:
    lines = load(Path(path)).tobytes().split(b"\n")
    # as bytes: text would also be split and stripped at what is part of a name
    names = (text(line.strip(b" \t\r")) for line in lines)
    return [name for name in names if not name.startswith("#")]


def sorted_topics(topics: Iterable[str]) -> tuple[str, ...]:
    """Topics by number if all are digits, else by bytes."""
    names = list(topics)
    if all(map(_is_number, names)):
        return tuple(sorted(names, key=lambda name: (_size(name), name)))
    return tuple(sorted(names, key=raw))
