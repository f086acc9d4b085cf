"""What a result gives to the first screen of a report."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from irassay.errors import InputError
from irassay.result.table import Frozen, Table, python_values

# The questions that the verdict of a report answers, in this order, each by the first result that can.
QUESTIONS = ("first", "trust", "threat")
# What the first screen shows of tables, and what a reader can look into: each by the first result that has it.
PLACES = ("budget", "leaderboard", "topic_scores", "top_documents")


class Columns(NamedTuple):
    """What a table of a place must have: labels and numbers; and which numbers it may have."""

    labels: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    more_numbers: tuple[str, ...] = ()


COLUMNS = {
    "budget": Columns(
        ("measure", "variation", "kind"),
        more_numbers=(
            "pairs_resolved",
            "surviving_difference",
            *(f"verdicts_{way}" for way in ("lost", "gained", "opposite")),
        ),
    ),
    "leaderboard": Columns(
        ("measure", "system"),
        ("mean",),
        ("mean_low", "mean_high", "rank_low", "rank_high", "share_first", "judged_at_10"),
    ),
    "topic_scores": Columns(("measure", "system", "topic"), ("score",)),
    "top_documents": Columns(("system", "topic", "document"), ("rank", "grade")),
}


def fits(table: Table, place: str) -> bool:
    """Whether a table has what its place shows: a folder may name any of its tables."""
    labels, numbers, more = COLUMNS[place]
    present = [name for name in (*numbers, *more) if name in table.columns]
    return all(name in table.columns for name in (*labels, *numbers)) and all(
        value is None or (isinstance(value, int | float) and not math.isinf(value))
        for name in present
        for value in python_values(table[name])
    )


class Concern(NamedTuple):
    """One thing in the data that could mislead: how bad from 0 to 1, what it is, and a short title."""

    severity: float
    title: str
    text: str


@dataclass(frozen=True)
class Headline(Frozen):
    """What a result gives to the first screen of a report, where several results meet.

    `title` names the data. `verdict` has sentences that answer some of the `QUESTIONS`: who is first and how sure that
    is, which differences to trust, what threatens the conclusions. `tables` names tables for some of the `PLACES`.
    `concerns` are problems of the data.

    The tables of a place have these columns, and may have more; those in brackets may be missing. Of several
    collections all have a first column `collection`.

    - budget: measure, variation, kind (sampling, model or scenario), pairs_resolved, surviving_difference,
      verdicts_lost, verdicts_gained, verdicts_opposite
    - leaderboard: measure, system, mean, [mean_low, mean_high, letters, rank_low, rank_high, share_first, judged_at_10]
    - topic_scores: measure, system, topic, score
    - top_documents: system, topic, rank, document, grade (None where unjudged)
    """

    title: str = ""
    verdict: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    concerns: tuple[Concern, ...] = ()

    def __post_init__(self) -> None:
        for kind, known in (("verdict", QUESTIONS), ("tables", PLACES)):
            unknown = [key for key in getattr(self, kind) if key not in known]
            if unknown:
                raise InputError(f"a headline has {kind} {', '.join(unknown)}", hint=f"there are {', '.join(known)}")
        concerns = tuple(Concern(*concern) for concern in self.concerns)
        self._freeze(verdict=self.verdict, tables=self.tables, concerns=concerns)


def worst_first(headlines: Iterable[Headline]) -> list[Concern]:
    """The concerns of some results, each once: the worst of every title by severity, and then the others."""
    ordered = sorted((one for headline in headlines for one in headline.concerns), key=lambda one: -one.severity)
    worst: dict[str, Concern] = {}
    for one in ordered:
        worst.setdefault(one.title, one)
    return list(dict.fromkeys([*worst.values(), *ordered]))
