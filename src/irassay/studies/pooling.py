"""The work of `irassay pools`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.agreement import tau
from irassay.ask.significance import PairTests, paired, rank_of
from irassay.errors import InputError
from irassay.matrix import Scores
from irassay.measures import parse
from irassay.panel import Panel
from irassay.progress import following
from irassay.read.files import load
from irassay.read.groups import read_groups
from irassay.read.runs import cores
from irassay.read.vocabulary import text
from irassay.result import Figure, Mark, Result, Table
from irassay.studies.loading import aligned
from irassay.studies.provenance import provenance
from irassay.studies.subjects import tested_values
from irassay.studies.tables import columns
from irassay.vary.pools import PoolPlan
from irassay.vary.topics import TopicPlan

if TYPE_CHECKING:
    from irassay.settings import Execution
    from irassay.studies.pools import Pools

Rows = list[dict[str, Any]]


def pools_result(study: Pools, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    rank_of(study.alpha, study.resamples)
    levels, asked = study.levels, parse(study.measures)
    groups = read_groups(Path(study.groups)) if study.groups else None
    jobs = (execution.jobs if execution else None) or cores()
    qrels, runs, panel = aligned(study, qrels, runs, jobs)
    if len(panel.systems) < 2 or len(panel.topics) < 2:
        raise InputError("a comparison needs at least two systems and two topics")
    plan = PoolPlan(panel, _contributors(study, panel))
    counts = TopicPlan(study.seed, len(panel.topics), study.resamples).counts()
    full = panel.score(asked, jobs=jobs)
    verdicts = {m: paired(tested_values(full, m), counts, (study.alpha,), jobs=jobs) for m in full}

    rows, summary = _shallow(panel, full, verdicts, "full", study.alpha, full, verdicts), []
    summary += _summary("full", panel, full, full, verdicts, verdicts, study.alpha)
    for depth in following("pools", levels):
        reduced = replace(panel, grade=plan.within(depth))
        scores = reduced.score(asked, jobs=jobs)
        after = {m: paired(tested_values(scores, m), counts, (study.alpha,), jobs=jobs) for m in full}
        rows += _shallow(panel, scores, after, f"depth {depth}", study.alpha, full, verdicts)
        summary += _summary(f"depth {depth}", reduced, scores, full, after, verdicts, study.alpha)

    left: Rows = []
    uniques: Rows = []
    for name, members in following("left out", list(_units(panel, plan, groups).items())):
        grade, unique = plan.without(members)
        uniques.append({"system_or_group": name, "unique_relevant": unique})
        scores = replace(panel, grade=grade).score(asked, jobs=jobs)
        for m in full:
            left += [_before_and_after(panel, name, s, m, full, scores, counts, study.alpha, jobs) for s in members]
    uniques.sort(key=lambda row: -row["unique_relevant"])
    tables = (
        Table("summary", columns(summary), "Pools: judgments left, and agreement with the full ones", {"tau": 3}),
        Table("uniques", columns(uniques), "Relevant documents that nobody else put into the pool"),
        Table("left_out", columns(left), "Each system when its own contributions are not judged", {"change": 4}),
        Table("pools", columns(rows), "Scores with judgments of shallower pools"),
    )
    figure = Figure(
        name="left_out", kind="points", table="left_out", x="score_before", y="score_after", series="measure",
        labels={"x": "score with its contributions", "y": "score without them"},
        caption="Leave one out: systems below the diagonal lose", alt="Points near the diagonal, one per system",
        marks=(Mark("diagonal", 0.0, "no change"),),
    )  # fmt: skip
    made = {**provenance(qrels, runs, panel), "seed": study.seed, "pool_depth": study.pool_depth}
    return Result("pools", tables, panel.warnings, made, (figure,))


def _contributors(study: Pools, panel: Panel) -> dict[int, int]:
    """Contributing systems and their depths, from --pooled or all."""
    if study.pooled is None:
        return dict.fromkeys(range(len(panel.systems)), study.pool_depth)
    found: dict[int, int] = {}
    path = Path(study.pooled)
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        parts = [text(word) for word in line.split()]
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) > 2 or (len(parts) == 2 and not (parts[1].isdecimal() and int(parts[1]) > 0)):
            raise InputError("expected 'system' or 'system depth'", f"{path}:{number}")
        if parts[0] not in panel.systems:
            raise InputError(f"there is no run {parts[0]!r}", f"{path}:{number}", "name runs that are given")
        found[panel.systems.index(parts[0])] = int(parts[1]) if len(parts) == 2 else study.pool_depth
    if not found:
        raise InputError("the file names no run", str(path))
    return found


def _units(panel: Panel, plan: PoolPlan, groups: dict[str, str] | None) -> dict[str, list[int]]:
    """What is left out together: contributing systems, or all of a group's."""
    units: dict[str, list[int]] = {}
    for system in plan.depths:
        name = panel.systems[system]
        if groups is not None and name not in groups:
            raise InputError(f"the system {name!r} has no group", "--groups")
        units.setdefault(groups[name] if groups is not None else name, []).append(system)
    return units


def _ranks(means: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank 1 is the best; equal scores share the better rank."""
    return np.asarray((means[None, :] > means[:, None] + 1e-10).sum(axis=1) + 1)


def _shallow(
    panel: Panel,
    scores: Scores,
    after: dict[str, PairTests],
    pool: str,
    alpha: float,
    full: Scores,
    before: dict[str, PairTests],
) -> Rows:
    rows: Rows = []
    for m in full:
        means = scores[m].means()
        ranks, old = _ranks(means), _ranks(full[m].means())
        one, two = before[m].asl < alpha, after[m].asl < alpha
        for s, name in enumerate(panel.systems):
            mine = (before[m].first == s) | (before[m].second == s)
            rows.append(
                {
                    "pool": pool, "measure": m, "system": name, "score": float(means[s]), "rank": int(ranks[s]),
                    "rank_full": int(old[s]), "significant": int((two & mine).sum()),
                    "significant_full": int((one & mine).sum()), "significant_with_full": int((one & two & mine).sum()),
                }
            )  # fmt: skip
    return rows


def _summary(
    pool: str,
    panel: Panel,
    scores: Scores,
    full: Scores,
    after: dict[str, PairTests],
    before: dict[str, PairTests],
    alpha: float,
) -> Rows:
    supply = panel.supply()
    return [
        {
            "pool": pool, "measure": m, "judged": int((panel.grade >= 0).sum()), "relevant": int(supply[:, 1:].sum()),
            "tau": tau(scores[m].means(), full[m].means()), "significant": int((after[m].asl < alpha).sum()),
            "significant_full": int((before[m].asl < alpha).sum()),
            "significant_with_full": int(((after[m].asl < alpha) & (before[m].asl < alpha)).sum()),
        }
        for m in full
    ]  # fmt: skip


def _before_and_after(
    panel: Panel,
    name: str,
    system: int,
    measure: str,
    full: Scores,
    scores: Scores,
    counts: NDArray[np.int32],
    alpha: float,
    jobs: int,
) -> dict[str, Any]:
    others = np.array([s for s in range(len(panel.systems)) if s != system], dtype=np.int64)
    pairs = (np.full(len(others), system, dtype=np.int64), others)
    old, new = full[measure], scores[measure]
    before = paired(tested_values(full, measure), counts, (alpha,), pairs=pairs, jobs=jobs).asl < alpha
    after = paired(tested_values(scores, measure), counts, (alpha,), pairs=pairs, jobs=jobs).asl < alpha
    return {
        "left_out": name, "measure": measure, "system": panel.systems[system],
        "score_before": float(old.means()[system]), "score_after": float(new.means()[system]),
        "change": float(new.means()[system] - old.means()[system]), "rank_before": int(_ranks(old.means())[system]),
        "rank_after": int(_ranks(new.means())[system]), "significant_before": int(before.sum()),
        "significant_after": int(after.sum()), "verdicts_changed": int((before != after).sum()),
    }  # fmt: skip
