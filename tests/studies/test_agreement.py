"""`irassay agreement`: rank correlations of measures, their intervals and verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.ask import agreement as ranks
from irassay.vary.topics import TopicPlan
from tests.helpers.sampled_studies import MEASURES, SAMPLES, TOPICS, command, of, study, values


def test_agreement_lists_every_ordered_pair_of_measures(at: Path) -> None:
    result = study("agreement", rbo_p=0.8)
    names = MEASURES.split()
    means = {name: values(name).mean(axis=1) for name in names}
    rows = of(result, "agreement")
    assert [(r["measure_a"], r["measure_b"]) for r in rows] == [(a, b) for a in names for b in names if a != b]
    for row in rows:
        a, b = means[row["measure_a"]], means[row["measure_b"]]
        tau = ranks.tau(a, b)
        assert (row["tau"], row["tau_b"], row["tau_ap"]) == (tau, ranks.tau_b(a, b), ranks.tau_ap(a, b))
        assert row["rbo"] == ranks.rbo(a, b, p=0.8)
        assert row["systems"] == 6
        assert row["z0"] == ranks.z0(tau, 6)
        assert row["p_value"] == ranks.p_value(row["z0"])


def test_the_interval_on_tau_is_over_the_shared_samples(at: Path) -> None:
    counts = TopicPlan(0, TOPICS, SAMPLES).counts() / TOPICS
    replicates = ranks.all_tau_replicates([counts @ values("AP").T, counts @ values("Q").T])
    (row,) = of(study("agreement"), "intervals", measure_a="AP", measure_b="Q")
    low, high = np.quantile(replicates, [0.025, 0.975])
    tau = row["tau"]
    hull = (max(-1, min(low, 2 * tau - high)), min(1, max(high, 2 * tau - low)))
    assert (row["tau_low"], row["tau_high"]) == pytest.approx(hull, abs=1e-12)
    assert "conservative" in study("agreement")["intervals"].caption


def test_verdicts_count_every_pair_of_systems_once(at: Path) -> None:
    result = study("agreement", alpha=0.1)
    tested = {name: of(study("power"), "pairs", measure=name) for name in ("AP", "Q")}
    a, b = ([(r["asl"] < 0.1) * np.sign(r["mean_difference"]) for r in tested[name]] for name in ("AP", "Q"))
    (row,) = of(result, "verdicts", measure_a="AP", measure_b="Q")
    assert row["pairs"] == 15
    assert row["same"] == sum(x == y != 0 for x, y in zip(a, b, strict=True))
    assert row["opposite"] == sum(x * y < 0 for x, y in zip(a, b, strict=True))
    assert row["only_a"] == sum(x != 0 == y for x, y in zip(a, b, strict=True))
    assert row["only_b"] == sum(y != 0 == x for x, y in zip(a, b, strict=True))
    assert row["both"] == row["same"] + row["opposite"]
    assert row["share_agreed"] == row["same"] / row["both"]
    assert row["neither"] == sum(x == y == 0 for x, y in zip(a, b, strict=True))


def test_a_summary_without_topic_values_agrees_but_has_no_verdicts(at: Path) -> None:
    result = study("agreement", measures="AP AREA(AP) NumRelRet")
    assert len(of(result, "agreement")) == 6
    assert {(r["measure_a"], r["measure_b"]) for r in of(result, "verdicts")} == {("AP", "NumRelRet")}


def test_small_p_values_are_shown_as_below_what_is_shown(at: Path, capsys: Any) -> None:
    rows = [f"s{s},{t},{m},{(s + t / 9) / 40}\n" for s in range(30) for t in (1, 2, 3) for m in ("AP", "Q")]
    (at / "many.csv").write_text("system,topic,measure,score\n" + "".join(rows))
    out, _ = command(capsys, "agreement", "--scores", "many.csv", "--resamples", "100")
    assert "< 0.0001" in out
