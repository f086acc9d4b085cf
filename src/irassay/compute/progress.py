"""Progress: studies say where they are, whoever listens decides whether to show it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
listener: ContextVar[Callable[[str, int, int], None] | None] = ContextVar("listener", default=None)


def track(what: str, items: Sequence[Item] | Iterable[Item]) -> Iterator[Item]:
    """The items, one after the other, each announced as (what, how many are done, of how many)."""
    found = list(items)
    for done, item in enumerate(found):
        announce(what, done, len(found))
        yield item


def announce(what: str, done: int, total: int) -> None:
    """Say that so many of a total are done."""
    if (tell := listener.get()) is not None:
        tell(what, done, total)
