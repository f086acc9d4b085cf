"""What a paper is here: its numbered tables and figures, and how each is made from a user's data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from irassay.result import Figure, Result, Table
    from irassay.studies.papers.context import PaperContext


class Part(NamedTuple):
    """The tables and figures made for one item; the one with the item's number as its name is the item."""

    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


# Makes an item, given its number. An item that the data cannot give is an `InputError`; the others are still made.
Make = Callable[["PaperContext", str], Part]
Run = Callable[["PaperContext"], "Result"]  # a study with the paper's settings


class Item(NamedTuple):
    """A table or figure by the paper's own number, such as T2 or F10, and the command that has its numbers.

    `same_as`: the paper shows the same there for another of its collections; one user's data gives it once.
    """

    number: str
    what: str
    study: str = ""
    make: Make | None = None
    same_as: str = ""

    @property
    def source(self) -> str:
        """The number of the item that is shown for this one."""
        return self.same_as or self.number


@dataclass(frozen=True)
class Paper:
    """A paper: key, reference, its parameters in words (for the documentation), and everything it shows."""

    key: str
    reference: str
    notes: str
    items: tuple[Item, ...]
    top: int | None = None  # systems it takes; None: all
    resamples: int = 1000  # samples of topics, or of lists
    graded: bool = False  # gains and penalties depend on the levels S, A, B of the judgments

    def item(self, number: str) -> Item | None:
        return next((item for item in self.items if item.number == number), None)

    def study(self, item: Item) -> str:
        """The command that has an item's numbers."""
        return next(other.study for other in self.items if other.number == item.source)
