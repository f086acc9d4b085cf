"""Does a judge favour a group of systems: tables `groups` and `documents`."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask.corrections import holm
from irassay.ask.favouritism import (
    Shift,
    assignments,
    contrast,
    group_shift,
    mantel_haenszel,
    permutation_p_values,
    unadjusted,
)
from irassay.ask.pairs import Array
from irassay.compute.philox import words
from irassay.errors import InputError
from irassay.result import Table
from irassay.streams import TEAM_PERMUTATIONS
from irassay.studies.judges.label_tables import Strata
from irassay.studies.judges.settings import Judges
from irassay.studies.judges.systems import JudgedScores, Systems
from irassay.studies.selection import groups_of
from irassay.studies.tables import Rows, columns


class Case(NamedTuple):
    """One measure under one judge: scores by reference and judge [systems, topics]."""

    judged: JudgedScores
    measure: str
    reference: Array
    judge: Array

    @property
    def score(self) -> Array:
        return np.asarray(self.reference.mean(axis=1))

    @property
    def shift(self) -> Array:
        return np.asarray(self.judge.mean(axis=1) - self.score)

    def row(self, name: str, member: NDArray[np.bool_]) -> dict[str, Any]:
        """The group's shift, over topics."""
        weights = contrast(member, self.score)
        adjusted = group_shift(weights, self.judge, self.reference, paired=self.judged.paired)
        return {
            "measure": self.measure,
            "judge": self.judged.name,
            "group": name,
            "systems": int(member.sum()),
            "shift": adjusted.value,
            "low": adjusted.low,
            "high": adjusted.high,
            "unadjusted": float(unadjusted(member) @ self.shift),
            "p_value": adjusted.p_value,
        }


@dataclass(frozen=True, eq=False)
class GroupTables:
    """Shifts of groups, and their documents, under each judge."""

    study: Judges
    systems: Systems
    judged: Sequence[JudgedScores]

    @cached_property
    def group(self) -> dict[str, str]:
        """The group of each compared system."""
        return groups_of(self.systems.selected[0], Path(str(self.study.groups)), aliases=self.systems.panel.aliases)

    @cached_property
    def members(self) -> dict[str, NDArray[np.bool_]]:
        """Which systems are in each group, of the groups that have others to be compared with."""
        own = np.array([self.group[system] for system in self.systems.selected[0]])
        groups = {name: own == name for name in dict.fromkeys(own.tolist())}
        if len(groups) < 2:
            raise InputError("all systems are in one group", str(self.study.groups), "favouritism needs two groups")
        return groups

    @cached_property
    def blocks(self) -> tuple[NDArray[np.int64], list[tuple[str, str]]]:
        """Each system's block, the systems of one team in one group, and the blocks."""
        systems = self.systems.selected[0]
        teams = dict(zip(systems, systems, strict=True))
        if self.study.teams:
            teams = groups_of(systems, Path(self.study.teams), "team", aliases=self.systems.panel.aliases)
        pairs = [(teams[system], self.group[system]) for system in systems]
        unique = list(dict.fromkeys(pairs))
        return np.array([unique.index(pair) for pair in pairs], dtype=np.int64), unique

    @cached_property
    def other_groups(self) -> dict[str, tuple[NDArray[np.bool_], bool]]:
        """For each group the groups of as many other blocks."""
        blocks, pairs = self.blocks
        shape = self.study.permutations, len(pairs)
        keys = words(shape[0] * shape[1], seed=self.study.seed, stream=TEAM_PERMUTATIONS).reshape(shape)
        orders = np.argsort(keys, axis=1, kind="stable")
        own = {name: np.array([k for k, (_, group) in enumerate(pairs) if group == name]) for name in self.members}
        return {name: assignments(blocks, places, orders) for name, places in own.items()}

    def tables(self) -> list[Table]:
        rows = self._shifts()
        digits = dict.fromkeys(("shift", "low", "high", "unadjusted"), 3)
        tables = []
        if rows:
            caption = (
                "How far a judge moves a group's mean score against the other systems, at equal reference scores. "
                "Interval and p: for these systems, over topics like these (Student's t). p (teams): the group "
                f"against groups of other teams ({'given' if self.study.teams else 'each system its own team'}), for "
                "judging systems that are not here. Corrected: by Holm, for the number of groups. Unadjusted: without "
                "regard to reference scores."
            )
            tables.append(Table("groups", columns(rows), caption, digits))
        documents = [row for one in self.judged if one.paired for row in self._documents(one)]
        if documents:
            caption = (
                f"Documents that one group alone ranks among its first {self.study.group_depth}, against those that "
                "only others rank so high, of the same topic and reference grade (Mantel and Haenszel): the odds of "
                "being judged relevant, and the difference of chances, with 95% intervals over topics like these."
            )
            digits = dict.fromkeys((name for name in documents[0] if name.startswith(("odds", "chance"))), 2)
            tables.append(Table("documents", columns(documents), caption, digits))
        return tables

    @cached_property
    def cases(self) -> list[Case]:
        """Every measure under every judge, as far as paired tests know it."""
        cases = []
        for one in self.judged:
            for reference, judge in zip(one.reference.by_measure(), one.judge.by_measure(), strict=True):
                if reference.pairable:
                    measure, by_reference = reference.tested()
                    cases.append(Case(one, measure, by_reference, judge.tested()[1]))
        return cases

    def _shifts(self) -> Rows:
        cases = self.cases
        if not cases:
            return []
        scores = np.stack([case.score for case in cases])
        shifts = np.stack([case.shift for case in cases])
        over_teams = {
            name: permutation_p_values(
                member, shifts, scores, self.other_groups[name][0], exact=self.other_groups[name][1]
            )
            for name, member in self.members.items()
        }
        rows: Rows = []
        for k, case in enumerate(cases):
            own = [case.row(name, member) for name, member in self.members.items()]
            for row in own:
                row["teams"] = sum(group == row["group"] for _, group in self.blocks[1])
                row["p_teams"] = float(over_teams[row["group"]][k])
            rows += _corrected(own, "p_value", "p_teams")
        return rows

    def _documents(self, one: JudgedScores) -> Rows:
        labels = self.systems.labels
        common = labels.common(one.place)
        relevant = labels.grade[one.place] >= self.study.relevant
        grade = np.maximum(labels.grade[0], 0).astype(np.int64)
        rows: Rows = []
        for name, high in zip(self.members, self.high, strict=True):
            others = np.delete(self.high, list(self.members).index(name), axis=0).any(axis=0)
            result = mantel_haenszel(common & high & ~others, common & others & ~high, relevant, labels.topic, grade)
            rows.append(
                {
                    "judge": one.name,
                    "group": name,
                    "documents": result.documents,
                    "topics": result.topics,
                    **_named("odds_ratio", result.odds_ratio),
                    **_named("chance", result.chance),
                    "p_value": result.chance.p_value,
                }
            )
        return _corrected(rows, "p_value")

    @cached_property
    def high(self) -> NDArray[np.bool_]:
        """The documents that some system of each group ranks high [groups, documents]."""
        place = {name: k for k, name in enumerate(self.systems.panel.systems)}
        names = self.systems.selected[0]
        members = [[place[names[s]] for s in np.flatnonzero(member)] for member in self.members.values()]
        best = self.systems.best_ranks(members)
        return np.asarray((best > 0) & (best <= self.study.group_depth))

    def strata(self) -> Strata:
        """The documents that some system of each group ranks high."""
        return Strata(tuple(f"group {name}" for name in self.members), self.high)


def _corrected(rows: Rows, *names: str) -> Rows:
    """The rows with p-values corrected over groups, of those that have one."""
    for name in names:
        values = np.array([row[name] for row in rows], dtype=np.float64)
        known = ~np.isnan(values)
        corrected = np.full(len(values), np.nan)
        corrected[known] = holm(values[known])
        for row, value in zip(rows, corrected.tolist(), strict=True):
            row[f"{name}_holm"] = value
    return rows


def _named(name: str, shift: Shift) -> dict[str, Any]:
    return {name: shift.value, f"{name}_low": shift.low, f"{name}_high": shift.high}
