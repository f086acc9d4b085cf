"""Other gains: the same lists and judgments, with grades worth something else."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from irassay.compute.executor import Plan
from irassay.errors import InputError
from irassay.measures import Measure
from irassay.measures.core.param import SIZES, has_size
from irassay.panel.panel import Panel
from irassay.vary.blocks import Block
from irassay.vary.variation import Observed, Variation


def parse_schemes(text: str) -> dict[str, dict[int, float]]:
    """Schemes by their text without spaces: `{1:1,2:3} {1:1,2:1}`."""
    hint = "write {1:1,2:3} {1:1,2:1}: a gain for each grade, one {…} a scheme"
    schemes: dict[str, dict[int, float]] = {}
    if not re.fullmatch(r"\s*(\{[^{}]*\}[\s,;]*)+", text):
        raise InputError(f"schemes are {text!r}", hint=hint)
    for inside in re.findall(r"\{([^{}]*)\}", text):
        scheme = "{" + "".join(inside.split()) + "}"
        try:
            pairs = [item.split(":") for item in scheme[1:-1].split(",")]
            table = {int(grade): float(gain) for grade, gain in pairs}
        except ValueError:
            raise InputError(f"{scheme} is no gain scheme", hint=hint) from None
        if len(table) < len(pairs) or not all(g >= 1 and v >= 0 and has_size(v) for g, v in table.items()):
            raise InputError(f"{scheme} is no gain scheme", hint=f"grades are 1 or more, each once; gains are {SIZES}")
        schemes[scheme] = table
    return schemes


def gain_table(text: str, scheme: Mapping[int, float], grades: Sequence[int]) -> tuple[tuple[int, float], ...]:
    """A scheme as a measure's table; grades that do not occur are left out."""
    missing = [grade for grade in grades if grade not in scheme]
    if missing:
        raise InputError(
            f"{text} has no gain for grade {missing[0]}",
            hint=f"the judgments have the grades {', '.join(map(str, grades))}: give each a gain with --schemes",
        )
    return tuple(sorted((grade, gain) for grade, gain in scheme.items() if grade in grades))


@dataclass(frozen=True, eq=False)
class GainScenarios(Plan):
    """Scores under one gain scheme after the other."""

    panel: Panel
    systems: Sequence[int]
    measures: Sequence[Measure]
    schemes: Sequence[tuple[tuple[int, float], ...]]
    threads_inside = True

    @property
    def units(self) -> int:
        return len(self.schemes)

    def block(self, part: range, jobs: int) -> Block:
        panel = replace(self.panel, gains=dict(self.schemes[part.start]))
        values = panel.score(self.measures, jobs=jobs).values[:, list(self.systems)]
        return Block(np.swapaxes(values, 1, 2)[:, :, None])


@dataclass(frozen=True, kw_only=True)
class Gains(Variation):
    """Grades are worth something else, in listed schemes."""

    schemes: str | None = None  # None: binary, linear and exponential gains
    name = "gains"
    kind = "scenario"
    random = False
    mechanism = "each gain scheme in turn"
    limits = "Measures that take no gains do not change."

    def __post_init__(self) -> None:
        if self.schemes is not None:
            parse_schemes(self.schemes)  # a slip in them is an error before any work

    def _tables(self, observed: Observed) -> dict[str, dict[int, float]]:
        if self.schemes is not None:
            return parse_schemes(self.schemes)
        functions: tuple[Callable[[int], float], ...] = (lambda g: 1.0, float, lambda g: 2.0**g - 1.0)
        tables = [{grade: gain(grade) for grade in observed.lists.grades} for gain in functions]
        return {"{" + ",".join(f"{grade}:{gain:g}" for grade, gain in table.items()) + "}": table for table in tables}

    def scenarios(self, observed: Observed) -> tuple[str, ...]:
        return tuple(self._tables(observed))

    def unusable(self, observed: Observed) -> str:
        if len(observed.lists.grades) < 2:
            return "the judgments have one relevant grade only"
        if all(measure.binary or measure.gains is not None for measure in observed.bases):
            return "no measure here takes gains"
        return ""

    def plan(self, observed: Observed, *, independent: int = 0) -> Plan:
        grades = observed.lists.grades
        schemes = [gain_table(text, table, grades) for text, table in self._tables(observed).items()]
        return GainScenarios(observed.lists.minimal, observed.systems, observed.bases, schemes)
