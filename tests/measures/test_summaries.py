"""Summaries over topics: means, sums, geometric means and the mean of the worst topics."""

from __future__ import annotations

import numpy as np
import pytest

from irassay.measures import parse, records


def test_summaries_work_on_the_last_axis_of_any_array() -> None:
    values = np.array([[0.0, 0.5, 1.0], [0.2, 0.2, 0.2]])
    mean, gm, trec, ag = parse("AP GM(AP) gm_map AG(AP)")
    assert mean.summarise(values) == pytest.approx(values.mean(axis=1))
    logs = np.log(values + 1e-5)
    assert ag.summarise(values) == pytest.approx(logs.mean(axis=1))
    assert ag.per_topic(values) == pytest.approx(logs)
    assert gm.summarise(values) == pytest.approx(np.exp(logs.mean(axis=1)) - 1e-5)
    assert trec.summarise(values) == pytest.approx(np.exp(np.log(np.maximum(values, 1e-5)).mean(axis=1)))
    assert gm.per_topic(values) is None
    assert mean.per_topic(values) == pytest.approx(values)
    assert gm.forward(values) == pytest.approx(logs)


def test_area_is_the_mean_of_the_means_of_the_worst_topics() -> None:
    values = np.array([[0.5, 0.1, 0.9, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6], [0.2] * 9])
    quarter, three, all_of_them, short = parse("AREA(AP) AREA(AP,k=3) AREA(AP,k=9) AREA(AP,k=100)")
    assert quarter.summarise(values) == pytest.approx([(0.1 + 0.15) / 2, 0.2])
    assert three.summarise(values) == pytest.approx([(0.1 + 0.15 + 0.2) / 3, 0.2])
    by_hand = np.mean([np.sort(values[0])[:x].mean() for x in range(1, 10)])
    assert all_of_them.summarise(values[0]) == pytest.approx(by_hand)
    assert np.array_equal(short.summarise(values), all_of_them.summarise(values))
    assert quarter.summarise(values[:, :3]) == pytest.approx([0.1, 0.2]), "fewer than four topics: the worst one"
    assert quarter.per_topic(values) is None
    values[0, 4] = np.nan
    assert np.isnan(quarter.summarise(values)).tolist() == [True, False]


def test_counts_are_summed_over_topics_and_everything_else_is_averaged() -> None:
    summed = {name for name, record in records().items() if record.summary == "sum"}
    assert summed == {"NumRet", "NumRel", "NumRelRet", "NumNonrelRet"}
    assert {record.summary for record in records().values()} == {"mean", "sum"}
    assert parse("NumRet")[0].summarise([[3.0, 4.0]]).tolist() == [7.0]
