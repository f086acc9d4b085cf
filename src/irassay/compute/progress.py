"""Progress: studies report how far they are; a listener decides whether to show it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str, int, int], None]  # of what, how many are done, of how many
listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

tell: list[Callable[[str], None]] = []  # who shows notices, from any thread


def notify(message: str) -> None:
    """What a user who waits should know, said where somebody shows it."""
    for show in tell:
        show(message)


def track(name: str, items: Sequence[Item] | Iterable[Item]) -> Iterator[Item]:
    """The items, one after the other, each reported before it is worked on."""
    all_items = list(items)
    for done, item in enumerate(all_items):
        if (report := listener.get()) is not None:
            report(name, done, len(all_items))
        yield item
