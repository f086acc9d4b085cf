"""What could have been different: each variation makes a plan of replicates, in blocks of scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from irassay.compute.executor import Plan
from irassay.measures import Measure
from irassay.panel.panel import Panel
from irassay.scoring.scores import Scores

Kind = Literal["sampling", "model", "scenario"]
Need = Literal["scores", "panel", "retrieval_scores"]


@dataclass(frozen=True, eq=False)
class Observed:
    """The collection as it is: scores of some systems, and the panel of all of them where there is one."""

    scores: Scores
    panel: Panel | None = None

    @property
    def lists(self) -> Panel:
        """The panel, where a variation said that it needs one."""
        assert self.panel is not None
        return self.panel

    @cached_property
    def systems(self) -> list[int]:
        """The places of the systems in the panel."""
        return [self.lists.systems.index(name) for name in self.scores.systems]

    @cached_property
    def topics(self) -> list[int]:
        """The places of the topics in what a plan's blocks hold."""
        topics = self.scores.topics if self.panel is None else self.panel.topics
        return [topics.index(name) for name in self.scores.topics]

    @cached_property
    def bases(self) -> tuple[Measure, ...]:
        """The measures under any summary: what blocks hold, in their order."""
        return tuple(dict.fromkeys(measure.base for measure in self.scores.known if measure is not None))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The place of each measure's base in a block; 0 for a column of a score table."""
        return tuple(0 if measure is None else self.bases.index(measure.base) for measure in self.scores.known)


@dataclass(frozen=True, kw_only=True)
class Variation(ABC):
    """One way in which a collection could have been different; its fields are options of `irassay uncertainty`."""

    seed: int = 0
    replicates: int = 1000
    name: ClassVar[str]
    kind: ClassVar[Kind]
    needs: ClassVar[Need] = "panel"
    mechanism: ClassVar[str]  # what is drawn, for people
    limits: ClassVar[str] = ""  # what it does not show, for people
    paired: ClassVar[bool] = True  # whether all systems share the draws
    shared: ClassVar[bool] = False  # whether topics share the draws
    random: ClassVar[bool] = True  # whether replicates are drawn; else they are listed

    @property
    def label(self) -> str:
        """Its name in tables, with what must be known to read them."""
        return self.name

    def scenarios(self, observed: Observed) -> tuple[str, ...]:
        """What the replicates are called, where they are listed."""
        return ()

    def sd_scale(self, topics: int) -> float:
        """What standard deviations over replicates are multiplied by."""
        return 1.0

    def unusable(self, observed: Observed) -> str:
        """Why these data do not allow it; empty where they do."""
        return ""

    def left_out(self, observed: Observed) -> dict[str, str]:
        """The systems that it cannot take, and why."""
        return {}

    @abstractmethod
    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        """The replicates, in blocks [base measure, topic, replicate, system]; `independent` numbers further sets."""
