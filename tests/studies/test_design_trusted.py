"""`irassay design --cheap`: how many topics a trusted judge needs beside a cheap one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.ask.pairs import all_pairs
from irassay.ask.prediction_powered import Covariances, expected_width, fewest_trusted
from irassay.errors import InputError
from irassay.result import Result
from irassay.studies.phrases import rows_of
from tests.helpers.judged import read, write, write_judged

COMMON = tuple(str(topic) for topic in range(1, 9))
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`trusted.qrels` judges 8 of the 12 topics."""
    folder = tmp_path_factory.mktemp("trusted") / "collection"
    write_judged(folder)
    write(folder / "trusted.qrels", [line for line in read(folder / "qrels.txt") if line[0] in COMMON])
    return folder


def designed(place: Path, cheap: str = "noisy.qrels", trusted: str = "trusted.qrels", **options: Any) -> Result:
    settings: dict[str, Any] = {"measures": "AP", "resamples": 200} | options
    return irassay.design(place / trusted, place / "runs", cheap=place / cheap, **settings)


def test_variances_are_those_of_the_average_pair_and_of_the_average_system(place: Path) -> None:
    result = designed(place, width=0.2, alpha=0.1)
    runs = irassay.read_runs(place / "runs")
    trusted, cheap = (
        irassay.align(place / name, runs, topics=",".join(COMMON)).score("AP")["AP"].values
        for name in ("trusted.qrels", "noisy.qrels")
    )
    first, second = all_pairs(len(trusted))
    for row, (y, f) in zip(
        rows_of(result["trusted_needed"]),
        ((trusted[first] - trusted[second], cheap[first] - cheap[second]), (trusted, cheap)),
        strict=True,
    ):
        covariance = np.mean([np.cov(one, other) for one, other in zip(y, f, strict=True)], axis=0)
        parts = Covariances(*(np.array([covariance[k]]) for k in ((0, 0), (1, 1), (0, 1))))
        assert row["rho"] == pytest.approx(float(parts.rho[0]))
        assert row["width_at_hand"] == pytest.approx(expected_width(np.array([8.0]), 12, parts, 0.1)[0])
        assert row["trusted_needed"] == fewest_trusted(0.2, 12, parts, 0.1)[0]
        assert row["trusted_needed_low"] <= row["trusted_needed_high"]
        assert (row["trusted_topics"], row["total_topics"]) == (8, 12)


def test_without_topics_of_the_cheap_judge_alone_nothing_is_saved(place: Path) -> None:
    for row in rows_of(designed(place, trusted="qrels.txt", width=0.1)["trusted_needed"]):
        assert row["trusted_topics"] == row["total_topics"] == 12
        assert row["trusted_needed"] == row["needed_alone"] > 12


def test_the_finding_says_how_many_and_the_curve_reaches_the_width_there(place: Path) -> None:
    result = designed(place, width=0.3)
    (finding,) = [one for one in result.findings if one.startswith("Where the cheap judge has judged 12 topics")]
    row = rows_of(result["trusted_needed"])[0]
    assert f"AP {row['trusted_needed']} for a difference" in finding
    curve = {one["topics"]: one["width"] for one in rows_of(result["trusted_curve"]) if one["of"] == "difference"}
    assert all(width <= 0.3 for topics, width in curve.items() if topics >= row["needed_alone"])
    assert "trusted_needed" in {figure.name for figure in result.figures}


def test_other_tables_are_as_without_the_cheap_judge(place: Path) -> None:
    plain = irassay.design(place / "trusted.qrels", place / "runs", measures="AP", resamples=200)
    more = designed(place)
    for table in plain.tables:
        assert list(table.rows()) == list(more[table.name].rows())


def test_it_needs_judgments_of_both_on_one_scale(place: Path, tmp_path: Path) -> None:
    panel = irassay.align(place / "trusted.qrels", place / "runs")
    with pytest.raises(InputError, match="--cheap needs judgments of both judges"):
        irassay.design(panel, cheap=place / "noisy.qrels", measures="AP", resamples=200)
    write(tmp_path / "binary.qrels", [(t, d, min(g, 1)) for t, d, g in read(place / "trusted.qrels")])
    with pytest.raises(InputError, match="outside the scale") as caught:
        designed(place, trusted=str(tmp_path / "binary.qrels"))
    assert caught.value.hint == "bring both judges to one scale of grades first"
    with pytest.raises(InputError, match="no topic is judged in both"):
        designed(place, "elsewhere.qrels")
