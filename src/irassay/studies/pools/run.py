"""The work of `irassay pools`: scores and tests with the judgments of other pools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.agreement import tau
from irassay.ask.pairs import all_pairs
from irassay.ask.significance import paired, rank_of
from irassay.compute.executor import State
from irassay.compute.philox import words
from irassay.errors import InputError, emit
from irassay.headers import Header
from irassay.measures import parse
from irassay.panel.panel import Panel
from irassay.panel.pool_depth import PoolDepth, pool_depth
from irassay.read.files import load
from irassay.read.groups import groups_by_system, read_members
from irassay.read.vocabulary import text
from irassay.result import Figure, Mark, Result, Table
from irassay.scoring.lanes import LANES
from irassay.settings import TOP_RANK, Execution
from irassay.streams import POOL_TEAMS
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import join, per_comparison
from irassay.studies.pools.settings import Pools
from irassay.studies.scenario_tests import ScenarioTests
from irassay.studies.tables import columns
from irassay.tolerance import EQUAL
from irassay.vary.blocks import LanePlan
from irassay.vary.pools import ALL, PoolPlan
from irassay.vary.topics import TopicPlan
from irassay.vary.variation import Observed

TableRows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class LeftOut(ScenarioTests):
    """Systems when what only they, or their group, put into the pool is not judged."""

    groups: Sequence[Sequence[int]]  # the systems that are left out together
    significant: NDArray[np.bool_]  # all pairs with the full pool [measures, pairs]
    chunk = LANES  # tests of a few pairs are soon done

    def statistics(self, unit: int, jobs: int) -> State:
        """All systems' scores without the group's contributions.

        And for each of its members the significant differences before and after, and how many of them changed
        [members, measures, 3].
        """
        scores, _ = self.scores(unit, jobs)
        members, counts = self.groups[unit], self.samples.counts()
        own = [pairs_of(system, len(scores.systems)) for system in members]
        tested = np.flatnonzero(np.any(own, axis=0))
        first, second = (systems[tested] for systems in all_pairs(len(scores.systems)))
        verdicts = np.zeros((max(map(len, self.groups)), len(scores), 3), dtype=np.int64)
        for k, one in enumerate(scores.by_measure()):
            tests = paired(one.tested()[1], counts, (self.alpha,), pairs=(first, second), jobs=jobs)
            old, new = self.significant[k, tested], tests.asl < self.alpha
            for i, mine in enumerate(own):
                verdicts[i, k] = [(differ & mine[tested]).sum() for differ in (old, new, old != new)]
        return {"means": scores.means(), "verdicts": verdicts}


def pairs_of(system: int, systems: int) -> NDArray[np.bool_]:
    """Which of all pairs a system is in."""
    first, second = all_pairs(systems)
    return np.asarray((first == system) | (second == system))


def run(study: Pools, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `pools` (shallow pools), `left_out` (before and after), `uniques`, `summary`."""
    rank_of(study.alpha, study.resamples)
    levels, teams, measures = study.levels, study.team_counts, parse(study.measures)
    named = read_members(Path(study.groups), "system") if study.groups else None
    data = load_panel(study, qrels, runs, execution, comparison=True)
    panel, jobs = data.panel, data.jobs
    groups = None if named is None else groups_by_system(named, Path(str(study.groups)), panel.aliases)
    pools, depth = _pooled(study, panel)
    emit(depth.warnings)
    contributors = _contributors_by_group(panel, pools, groups)
    observed = Observed(panel.score(measures, jobs=jobs), pools.panel)
    samples, names = TopicPlan(study.seed, len(panel.topics), study.resamples), list(observed.scores)
    tested = observed.scores, observed.places, observed.systems, samples, study.alpha

    rows: TableRows = []
    summary: TableRows = []
    shallow = {level: pools.below(level) for level in levels}
    whole = [level for level, lost in shallow.items() if not lost.any()]
    shallow = {level: lost for level, lost in shallow.items() if lost.any()}
    depths = LanePlan.of(observed, pools.lanes([pools.below(ALL), *shallow.values()]))
    by_depth = ScenarioTests(depths, *tested).run("pools", jobs)
    full = by_depth[0]
    pool_names = ["full", *(f"depth {level}" for level in shallow)]
    if teams:
        fewer = _fewer_teams(study, contributors)
        plan = LanePlan.of(observed, pools.lanes([pools.only_from(others) for others in fewer.values()]))
        by_depth += ScenarioTests(plan, *tested).run("pools of fewer teams", jobs)
        pool_names += fewer
    for pool, statistics in zip(pool_names, by_depth, strict=True):
        rows += _shallow(panel, names, pool, statistics, full)
        summary += _summary(names, pool, statistics, full)

    left_out: TableRows = []
    members_of = list(contributors.values())
    lost = [pools.only_from(members) for members in members_of]
    by_group = LeftOut(LanePlan.of(observed, pools.lanes(lost)), *tested, members_of, full["significant"])
    without = by_group.run("left out", jobs)
    relevant = pools.panel.grade[pools.judged] >= 1
    uniques: TableRows = [
        {"system_or_group": name, "unique_relevant": int((alone & relevant).sum())}
        for name, alone in zip(contributors, lost, strict=True)
    ]
    for g, (name, members) in enumerate(contributors.items()):
        for k, measure in enumerate(names):
            for i, system in enumerate(members):
                label = {"left_out": name, "measure": measure, "system": panel.systems[system]}
                verdicts = without[g]["verdicts"][i, k].tolist()
                scores = _before_and_after(system, full["means"][k], without[g]["means"][k], verdicts)
                left_out.append(label | scores)
    uniques.sort(key=lambda row: -row["unique_relevant"])
    left = {"judged": Header("judged documents", "judged", "Judgments that are left")}
    tests = f"how many pairs of systems are told apart ({per_comparison(study.alpha)})"
    to_depth = f", down to rank {depth.depth} ({'given' if depth.given else 'inferred' if depth.known else 'assumed'})"
    tables = (
        Table(
            "summary",
            columns(summary),
            f"Other pools: the judgments that are left, tau with the ranking by all judgments, and "
            f"{tests}{_whole(whole)}",
            {"tau": 3},
            headers=left,
        ),
        Table("uniques", columns(uniques), f"Relevant documents that nobody else put into the pool{to_depth}"),
        Table(
            "left_out",
            columns(left_out),
            f"Each system with all judgments, and without those of documents that only it (or its group) put into the "
            f"pool{to_depth}: its score, its rank, and {tests}",
            {"change": 4},
        ),
        Table(
            "pools",
            columns(rows),
            f"Scores and ranks with judgments of shallower pools{', and of pools of fewer teams' if teams else ''}; "
            f"{tests}",
        ),
    )
    figure = Figure(
        name="left_out",
        kind="strip",
        table="left_out",
        x="change",
        y="measure",
        text="system",
        order="table",
        labels={"x": "change of score without its own contributions"},
        caption="How each system's score changes when its own contributions are not judged; systems that change far "
        "more than the others are named",
        alt="For each measure a line of short strokes, one for each system, at the change of its score; the systems "
        "that lose or gain most are named",
        marks=(Mark("x", 0.0),),
    )
    return Result(
        "pools",
        tables,
        (*panel.warnings, *depth.warnings),
        {
            **data.provenance,
            "seed": study.seed,
            "alpha": study.alpha,
            "resamples": study.resamples,
            "pool_depth": depth.depth,
            "pool_depth_origin": depth.origin,
        },
        (figure,),
    )


def _whole(levels: Sequence[int]) -> str:
    """Which pools are not in the table, because they are the full one."""
    if not levels:
        return ""
    pools = "A pool" if len(levels) == 1 else "Pools"
    holds = "holds all judgments, and is" if len(levels) == 1 else "hold all judgments, and are"
    return f". {pools} of depth {join([str(level) for level in levels])} {holds} left out"


def _pooled(study: Pools, panel: Panel) -> tuple[PoolPlan, PoolDepth]:
    """Who contributed to the pool and how deep, and where the depth comes from."""
    contributors = _contributors(study, panel)
    depth = pool_depth(panel, study.pool_depth, list(contributors))
    return PoolPlan(panel.minimal, {system: own or depth.depth for system, own in contributors.items()}), depth


def _contributors(study: Pools, panel: Panel) -> dict[int, int | None]:
    """Contributing systems, from --pooled or all, with the depths of their own that --pooled gives."""
    if study.pooled is None:
        return dict.fromkeys(range(len(panel.systems)))
    depths: dict[int, int | None] = {}
    path = Path(study.pooled)
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        parts = [text(word) for word in line.split()]
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) > 2 or (len(parts) == 2 and not (parts[1].isdecimal() and 0 < int(parts[1][:11]) <= TOP_RANK)):
            raise InputError("expected 'system' or 'system depth'", f"{path}:{number}")
        name = panel.aliases.get(parts[0], parts[0])
        if name not in panel.systems:
            raise InputError(f"there is no run {parts[0]!r}", f"{path}:{number}", "name runs that are given")
        depths[panel.systems.index(name)] = int(parts[1]) if len(parts) == 2 else None
    if not depths:
        raise InputError("the file names no run", str(path))
    return depths


def _contributors_by_group(panel: Panel, plan: PoolPlan, groups: dict[str, str] | None) -> dict[str, list[int]]:
    """What is left out together: contributing systems, or all of a group's."""
    contributors: dict[str, list[int]] = {}
    for system in plan.depths:
        name = panel.systems[system]
        if groups is not None and name not in groups:
            raise InputError(f"the system {name!r} has no group", "--groups")
        contributors.setdefault(groups[name] if groups is not None else name, []).append(system)
    return contributors


def _fewer_teams(study: Pools, contributors: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    """The systems that do not contribute where only so many groups do; the smaller sets are inside the larger ones."""
    groups = list(contributors.values())
    too_many = [count for count in study.team_counts if count >= len(groups)]
    if too_many:
        raise InputError(
            f"--teams {too_many[0]}: {len(groups)} groups contributed",
            hint="give numbers below that, or other --groups",
        )
    pools: dict[str, list[int]] = {}
    for trial in range(study.trials):
        order = np.argsort(words(len(groups), seed=study.seed, stream=POOL_TEAMS, replicate=trial), kind="stable")
        for count in study.team_counts:
            name = f"{count} team{'s' * (count != 1)}" + (f", draw {trial + 1}" if study.trials > 1 else "")
            pools[name] = sorted(system for place in order[count:].tolist() for system in groups[place])
    return pools


def _ranks(means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank 1 is the best; equal scores share the better rank."""
    return np.asarray((means[None, :] > means[:, None] + EQUAL).sum(axis=1) + 1)


def _shallow(panel: Panel, names: list[str], pool: str, statistics: State, full: State) -> TableRows:
    rows: TableRows = []
    for k, measure in enumerate(names):
        means = statistics["means"][k]
        ranks, ranks_full = _ranks(means), _ranks(full["means"][k])
        with_full, here = full["significant"][k], statistics["significant"][k]
        for s, name in enumerate(panel.systems):
            own = pairs_of(s, len(panel.systems))
            rows.append(
                {
                    "pool": pool,
                    "measure": measure,
                    "system": name,
                    "score": float(means[s]),
                    "rank": int(ranks[s]),
                    "rank_full": int(ranks_full[s]),
                    "significant": int((here & own).sum()),
                    "significant_full": int((with_full & own).sum()),
                    "significant_with_full": int((with_full & here & own).sum()),
                }
            )
    return rows


def _summary(names: list[str], pool: str, statistics: State, full: State) -> TableRows:
    counts = statistics["judged_counts"]
    return [
        {
            "pool": pool,
            "measure": measure,
            "judged": int(counts.sum()),
            "relevant": int(counts[:, 1:].sum()),
            "tau": tau(statistics["means"][k], full["means"][k]),
            "significant": int(statistics["significant"][k].sum()),
            "significant_full": int(full["significant"][k].sum()),
            "significant_with_full": int((statistics["significant"][k] & full["significant"][k]).sum()),
        }
        for k, measure in enumerate(names)
    ]


def _before_and_after(
    system: int, old: NDArray[np.float64], new: NDArray[np.float64], verdicts: list[int]
) -> dict[str, Any]:
    before, after, changed = verdicts
    return {
        "score_before": float(old[system]),
        "score_after": float(new[system]),
        "change": float(new[system] - old[system]),
        "rank_before": int(_ranks(old)[system]),
        "rank_after": int(_ranks(new)[system]),
        "significant_before": before,
        "significant_after": after,
        "verdicts_changed": changed,
    }
