"""Progress: studies report how far they are; a listener decides whether to show it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Listener(Protocol):
    """Is called with how much of some work is done; from any thread, and as often as there is something to report."""

    def __call__(self, what: str, done: int, total: int, item: str = "") -> None:
        """So many of all are done, and `item` is worked on; work inside other work is reported in between."""


listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def track(
    name: str, items: Sequence[Item] | Iterable[Item], label: Callable[[Item], str] = lambda item: ""
) -> Iterator[Item]:
    """The items, one after the other, each reported before it is worked on, and the end of them all.

    `label` is what a reader sees of an item.
    """
    all_items = list(items)
    report = listener.get()
    if report is None:
        yield from all_items
        return
    try:
        for done, item in enumerate(all_items):
            report(name, done, len(all_items), label(item))
            yield item
    finally:  # also of work that is left early
        report(name, len(all_items), len(all_items))


def counted(name: str, work: Callable[[Item], object], total: int) -> Callable[[Item], object]:
    """The same work, which reports how many parts of it are done; several threads may share it."""
    report = listener.get()  # threads have no context of their own
    if report is None:
        return work
    import threading

    lock, done = threading.Lock(), 0

    def count(item: Item) -> object:
        nonlocal done
        result = work(item)
        with lock:
            done += 1
            report(name, done, total)
        return result

    report(name, 0, total)
    return count
