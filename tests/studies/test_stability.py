"""`irassay stability`: the stability method on samples of topics."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.ask.stability import stability
from irassay.scoring.scores import Scores
from irassay.studies.stability.view import view
from irassay.vary.topics import TopicPlan
from tests.helpers.sampled_studies import SAMPLES, TOPICS, of, study, values


@pytest.mark.parametrize("measure", ["AP", "GM(AP)", "AREA(AP)"])
def test_stability_is_the_stability_method_on_the_samples(measure: str, at: Path) -> None:
    result = study("stability", measures=measure, fuzziness="0.01,0.05,0.1")
    x = values("AP")
    index = [np.repeat(np.arange(TOPICS), row) for row in TopicPlan(0, TOPICS, SAMPLES).counts()]
    (asked,) = irassay.parse(measure)
    means = np.stack([asked.summarise(x[:, sample]) for sample in index])
    found = stability(means, (0.01, 0.05, 0.1))
    assert [row["minority_rate"] for row in of(result, "stability")] == found.minority_rate.tolist()
    assert [row["proportion_of_ties"] for row in of(result, "stability")] == found.proportion_of_ties.tolist()


@pytest.mark.parametrize(
    ("fuzziness", "margins"),
    [
        ("0.01-0.20", [k / 100 for k in range(1, 21)]),
        ("0.05-0.07", [0.05, 0.06, 0.07]),
        ("0.1,0.02", [0.1, 0.02]),
        (0.25, [0.25]),
        ("1e-2", [0.01]),
        ((0.1, 0.2), [0.1, 0.2]),
    ],
)
def test_margins_are_a_list_or_a_range(fuzziness: Any, margins: list[float], at: Path) -> None:
    rows = of(study("stability", measures="AP", fuzziness=fuzziness), "stability")
    assert [row["fuzziness"] for row in rows] == margins


def test_a_screen_shows_a_few_margins_and_says_so(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(size=(1, 4, 12))
    ready = Scores(("AP",), tuple("abcd"), tuple(map(str, range(12))), values)
    many = irassay.stability(scores=ready, resamples=20)
    (shown,) = view(many, None)
    assert list(shown["fuzziness"]) == [0.01, 0.05, 0.1, 0.2]
    assert shown.caption.endswith("Shown are 4 of 20 margins.")
    few = irassay.stability(scores=ready, resamples=20, fuzziness="0.05,0.1")
    assert view(few, None) == [few["stability"]]
