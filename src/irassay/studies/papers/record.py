"""What a paper is here: its numbered tables and figures, and the steps that make them from a user's data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from irassay.result import Figure, Table
    from irassay.studies.papers.run import Workbench

DEPTH = 1000  # of every list in the five papers


class Item(NamedTuple):
    """A table or figure by the paper's own number, such as T2 or F10.

    `same_as`: the paper shows the same there for another of its collections; one user's data gives it once.
    """

    number: str
    what: str
    same_as: str = ""

    @property
    def label(self) -> str:
        return f"{'Table' if self.number[0] == 'T' else 'Figure'} {self.number[1:]}"


class Part(NamedTuple):
    """Tables and figures of one step; those named by an item's number are that item."""

    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()


class Step(NamedTuple):
    """Makes some items together, from what a study says.

    What the data cannot give is an `InputError`, and the other steps go on.
    """

    items: tuple[str, ...]
    study: str
    make: Callable[[Workbench], Part]


@dataclass(frozen=True)
class Paper:
    """A paper: key, reference, and everything it shows."""

    key: str
    reference: str
    items: tuple[Item, ...]
    steps: tuple[Step, ...]
    resamples: int = 1000  # samples of topics, or of lists
    graded: bool = False  # gains and penalties go by the levels S, A, B of the judgments

    def item(self, number: str) -> Item | None:
        return next((item for item in self.items if item.number == number), None)

    def study(self, item: Item) -> str:
        """The command that has an item's numbers."""
        number = item.same_as or item.number
        return next(step.study for step in self.steps if number in step.items)
