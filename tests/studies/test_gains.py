"""`irassay gains`: other gain values for the same grades."""

from __future__ import annotations

from pathlib import Path

import pytest

from irassay.ask import agreement as ranks
from tests.helpers.sampled_studies import of, study, values


def test_equal_gains_make_a_graded_measure_binary(at: Path) -> None:
    schemes = "{1:1,2:2,3:3} {1:1,2:1,3:1} {1:10,2:20,3:30}"
    result = study("gains", schemes=schemes, measures="Q nDCG@10")
    power = study("power", measures="Q Q(rel=1) nDCG@10 nDCG(rel=1)@10", alpha=0.05)
    for measure, binary in {"Q": "Q(rel=1)", "nDCG@10": "nDCG(rel=1)@10"}.items():
        default, equal, _ = of(result, "gains", measure=measure)
        for row, name in ((default, measure), (equal, binary)):
            (told,) = of(power, "power", measure=name)
            for column in ("significant", "pairs", "discriminative_power", "estimated_difference"):
                assert row[column] == pytest.approx(told[column], abs=1e-12)
        assert equal["tau_with_default"] == ranks.tau(values(measure).mean(axis=1), values(binary).mean(axis=1))
        assert default["tau_with_default"] == 1.0


def test_gains_ten_times_as_large_change_nothing_in_a_ratio_of_gains(at: Path) -> None:
    result = study("gains", schemes="{1:1, 2:2, 3:3}  {1:10,2:20,3:30}", measures="nDCG@10")
    one, ten = of(result, "gains")
    assert (one["scheme"], ten["scheme"]) == ("{1:1,2:2,3:3}", "{1:10,2:20,3:30}")
    assert ten["tau_with_default"] == 1.0
    assert one["significant"] == ten["significant"]


def test_schemes_may_name_grades_that_do_not_occur(at: Path) -> None:
    one = study("gains", schemes="{1:1,2:2,3:3}", measures="Q")
    assert (
        of(study("gains", schemes="{1:1,2:2,3:3,4:9}", measures="Q"), "gains")[0]["significant"]
        == of(one, "gains")[0]["significant"]
    )
