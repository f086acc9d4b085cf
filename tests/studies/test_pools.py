"""Shallow pools and systems left out of the pool, on a collection small enough to do by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay import demo
from irassay.compute.philox import words
from irassay.panel.grades import UNPOOLED
from irassay.streams import POOL_TEAMS
from irassay.studies.execution import run_study
from irassay.studies.pools.settings import Pools
from irassay.vary.pools import PoolPlan

QRELS = {"1": {"a": 1, "b": 0, "c": 1, "d": 2}, "2": {"a": 1, "e": 1}}
RUNS = {
    "x": {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0}},
    "y": {"1": {"b": 3.0, "c": 2.0, "d": 1.0}, "2": {"a": 2.0, "e": 1.0}},
    "z": {"1": {"q": 3.0, "a": 2.0}, "2": {"q": 1.0}},
}


@pytest.fixture
def plan() -> PoolPlan:
    panel = irassay.align(QRELS, RUNS)
    return PoolPlan(panel, {0: 2, 1: 3, 2: 1})


def judged(plan: PoolPlan, lost: NDArray[np.bool_], topic: str) -> set[str]:
    t = plan.panel.topics.index(topic)
    grade = plan.panel.grade.copy()
    grade[plan.judged[lost]] = UNPOOLED
    inside = grade[plan.panel.pool[t] : plan.panel.pool[t + 1]]
    return {d for d, g in zip(plan.panel.documents(topic), inside, strict=True) if g != UNPOOLED}


def unique(plan: PoolPlan, lost: NDArray[np.bool_]) -> int:
    return int((plan.panel.grade[plan.judged[lost]] >= 1).sum())


def test_a_shallow_pool_keeps_what_stands_at_the_top_of_some_list(plan: PoolPlan) -> None:
    assert judged(plan, plan.below(1), "1") == {"a", "b"}
    assert judged(plan, plan.below(2), "1") == {"a", "b", "c"}
    assert judged(plan, plan.below(3), "1") == {"a", "b", "c", "d"}
    assert judged(plan, plan.below(1), "2") == {"a"}


def test_leaving_a_system_out_takes_away_what_only_it_contributed(plan: PoolPlan) -> None:
    lost = plan.only_from([1])
    assert judged(plan, lost, "1") == {"a", "b"}  # c and d came from y alone: x was pooled to depth 2
    assert judged(plan, lost, "2") == {"a"}
    assert unique(plan, lost) == 3
    lost = plan.only_from([2])
    assert (judged(plan, lost, "1"), unique(plan, lost)) == ({"a", "b", "c", "d"}, 0)


def test_leaving_a_group_out_takes_away_what_only_its_systems_contributed(plan: PoolPlan) -> None:
    lost = plan.only_from([0, 1])
    assert judged(plan, lost, "1") == set()
    assert unique(plan, lost) == 5


def test_judgments_that_no_pool_explains_stay() -> None:
    panel = irassay.align(
        {"1": {**QRELS["1"], "elsewhere": 1}}, {"x": {"1": RUNS["x"]["1"]}, "y": {"1": RUNS["y"]["1"]}}
    )
    plan = PoolPlan(panel, {0: 3, 1: 3})
    assert "elsewhere" in judged(plan, plan.only_from([0, 1]), "1")


MODEL = demo.Model(systems=6, groups=3, null_pairs=1, depth=100, documents=5000, pool_depth=50, seed=2)


def test_the_study_shows_every_pool_and_every_system_left_out(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(8))
    study = Pools(measures=("AP AP'",), depths="5,49,50", pool_depth=50, resamples=100)
    result = run_study(study, tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs")
    assert set(result["pools"]["pool"]) == {"full", "depth 5", "depth 49"}
    # the pool was made at depth 50 of all systems, so depth 50 is the full pool again
    assert result["summary"].caption.endswith("A pool of depth 50 holds all judgments, and is left out")
    counts = {row[0]: int(str(row[2])) for row in result["summary"].rows()}
    assert counts["depth 5"] < counts["depth 49"] < counts["full"]
    left = list(result["left_out"].rows())
    assert len(left) == 2 * len(MODEL.names)
    assert all(
        float(str(row[5])) <= 1e-12 for row in left if row[1] == "AP"
    )  # losing relevant documents of one's own never helps AP
    assert {name for name, _ in result["uniques"].rows()} == set(MODEL.names)
    study = Pools(measures=("AP",), depths="5", pool_depth=50, resamples=50, groups=str(tmp_path / "c" / "groups.txt"))
    by_group = run_study(study, tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs")
    assert all(str(name).startswith("group") for name, _ in by_group["uniques"].rows())


def test_a_file_says_who_contributed_and_how_deep(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(4))
    (tmp_path / "pooled").write_text("# who\nsys1 10\nsys2\n")
    study = Pools(measures=("AP",), depths="5", pool_depth=50, resamples=50, pooled=str(tmp_path / "pooled"))
    result = run_study(study, tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs")
    assert {name for name, _ in result["uniques"].rows()} == {"sys1", "sys2"}
    for content, what in (
        ("nobody\n", "no run 'nobody'"),
        ("sys1 x\n", "expected"),
        (f"sys1 {2**31}\n", "expected"),
        (f"sys1 {'9' * 5000}\n", "expected"),
        ("", "empty"),
        ("#\n", "no run"),
    ):
        (tmp_path / "pooled").write_text(content)
        with pytest.raises(irassay.InputError, match=what):
            run_study(study, tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs")


def test_pools_of_fewer_teams_keep_what_these_put_into_them(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(6))
    data = tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs"
    settings: dict[str, Any] = {"measures": ("AP",), "depths": "5", "pool_depth": 50, "resamples": 50, "seed": 3}
    result = run_study(Pools(**settings, teams="1,3", trials=2), *data)
    summary = {row[0]: row for row in result["summary"].rows()}
    assert set(summary) == {"full", "depth 5", "1 team, draw 1", "3 teams, draw 1", "1 team, draw 2", "3 teams, draw 2"}
    panel = irassay.align(*data, unanswerable="drop")
    pooled: dict[str, set[tuple[str, str]]] = {
        name: {(t, d) for t in panel.topics for d in panel.ranking(name, t)[:50]} for name in panel.systems
    }
    qrels = [line.split() for line in (tmp_path / "c" / "qrels.txt").read_text().splitlines()]
    judged = {(topic, document) for topic, _, document, grade in qrels if int(grade) >= 0 and topic in panel.topics}
    for trial in range(2):
        order = np.argsort(words(len(panel.systems), seed=3, stream=POOL_TEAMS, replicate=trial), kind="stable")
        names = [panel.systems[s] for s in order]
        for count in (1, 3):
            chosen, others = ([pooled[name] for name in part] for part in (names[:count], names[count:]))
            lost: set[tuple[str, str]] = set().union(*others) - set().union(*chosen)
            pool = f"{count} team{'s' * (count > 1)}, draw {trial + 1}"
            assert summary[pool][2] == len(judged - lost)  # column judged
    groups = str(tmp_path / "c" / "groups.txt")
    by_group = run_study(Pools(**settings, teams="1", groups=groups), *data)
    assert "1 team" in by_group["summary"]["pool"]
    with pytest.raises(irassay.InputError, match="groups contributed"):
        run_study(Pools(**settings, teams="99"), *data)
    with pytest.raises(irassay.InputError, match="teams"):
        run_study(Pools(**settings, teams="half"), *data)


def test_the_depth_of_the_pool_is_inferred_used_and_said(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(8))
    data = tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs"
    settings: dict[str, Any] = {"measures": ("AP",), "depths": "5", "resamples": 50}
    inferred, given = irassay.pools(*data, **settings), irassay.pools(*data, **settings, pool_depth=50)
    assert inferred.provenance["pool_depth"] == 50
    assert inferred.findings[-1].startswith("Pool depth 50, inferred: 6 of 6 runs have")
    assert "down to rank 50 (inferred)" in inferred["left_out"].caption
    assert list(inferred["left_out"].rows()) == list(given["left_out"].rows())
    assert given.findings[-1] == "Pool depth 50, as given with --pool-depth."
    with pytest.warns(irassay.IrassayWarning, match="--pool-depth is 20, and the judgments show a pool of depth 50"):
        other = irassay.pools(*data, **settings, pool_depth=20)
    assert [warning.code for warning in other.warnings] == ["pool-depth"]
    assert list(other["uniques"].rows()) != list(given["uniques"].rows())


def test_uncertainty_leaves_groups_out_of_the_pool_that_the_judgments_show(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(8))
    data = irassay.align(tmp_path / "c" / "qrels.txt", tmp_path / "c" / "runs", unanswerable="drop")
    settings: dict[str, Any] = {"measures": "AP", "vary": "pools", "replicates": 1000}
    inferred, given = irassay.uncertainty(data, **settings), irassay.uncertainty(data, **settings, pool_depth=50)
    assert inferred.provenance["pool_depth"] == 50
    assert list(inferred["scenarios"].rows()) == list(given["scenarios"].rows())
    with pytest.warns(irassay.IrassayWarning, match="pool-depth"):
        irassay.uncertainty(data, **settings, pool_depth=20)


def test_check_looks_for_unjudged_documents_down_to_the_depth_that_the_judgments_show(tmp_path: Path) -> None:
    demo.write(MODEL, tmp_path / "c", topics=range(8))
    runs = sorted((tmp_path / "c" / "runs").iterdir())
    late = tmp_path / "late.txt"
    topics = {line.split()[0] for line in runs[0].read_text().splitlines()}
    late.write_text("".join(f"{t} Q0 new{d} {d} {-d} late\n" for t in sorted(topics) for d in range(1, 60)))
    result = irassay.check(tmp_path / "c" / "qrels.txt", [*runs, late])
    assert "judged@50" in result["systems"].columns
    value = dict(zip(result["collection"]["what"], result["collection"]["value"], strict=True))["pool depth"]
    assert value == "50 (inferred: 6 of 7 runs have (nearly) all documents judged down to rank 50)"
    (where,) = (row[1] for row in result["problems"].rows() if row[0] == "outside-pool")
    assert str(where).startswith(str(late))
