"""Which systems a study takes: the best, one of each group, or a sample."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.compute.philox import words
from irassay.errors import IrassayWarning
from irassay.streams import GROUP_SYSTEMS, SAMPLED_SYSTEMS
from irassay.studies.selection import one_per_group, sample_systems
from tests.helpers.sampled_studies import MEASURES, command, of, study, values


def test_the_best_systems_are_chosen_by_a_measure_and_stay_in_input_order(at: Path, capsys: Any) -> None:
    order = np.argsort(-values("Q").mean(axis=1), kind="stable")
    best = [f"s{i}" for i in sorted(order[:3].tolist())]
    for scores in (False, True):
        result = study("power", scores=scores, top=3, by="Q")
        assert result.provenance["systems"] == best
        assert [r["system_y"] for r in of(result, "pairs", measure="AP")] == [best[1], best[2], best[2]]
    out, _ = command(
        capsys, "power", "qrels.txt", "runs", "-m", MEASURES, "--top", "3", "--by", "Q-measure", "--resamples", "100",
        "--format", "json",
    )  # fmt: skip
    assert json.loads(out)["provenance"]["systems"] == best
    assert study("gains", top=3, by="Q").provenance["systems"] == best


def test_selecting_systems_does_not_move_the_tests_of_those_kept(at: Path) -> None:
    result = study("power", top=3)
    for row in of(result, "pairs"):
        where = {key: row[key] for key in ("measure", "system_x", "system_y")}
        assert of(study("power"), "pairs", **where) == [row]


@pytest.mark.parametrize("scores", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_system_of_each_group_is_drawn_by_the_seed(scores: bool, seed: int, at: Path) -> None:
    key = words(6, seed=seed, stream=GROUP_SYSTEMS).tolist()
    drawn = [f"s{min(2 * g, 2 * g + 1, key=lambda i: key[i])}" for g in range(3)]
    options: dict[str, Any] = {"scores": scores, "seed": seed, "groups": "groups.txt", "one_per_group": True}
    assert study("power", **options).provenance["systems"] == drawn
    means = dict(zip([f"s{s}" for s in range(6)], values("AP").mean(axis=1), strict=True))
    worst = min(drawn, key=lambda name: means[name])
    assert study("power", top=2, **options).provenance["systems"] == [name for name in drawn if name != worst]


@pytest.mark.parametrize("seed", [0, 1, 2**63])
def test_a_sample_of_systems_is_drawn_by_the_seed(seed: int, at: Path, capsys: Any) -> None:
    order = np.argsort(words(6, seed=seed, stream=SAMPLED_SYSTEMS), kind="stable")
    drawn = [f"s{i}" for i in sorted(order[:4].tolist())]
    assert study("swap", sample_systems=4, seed=seed).provenance["systems"] == drawn
    out, _ = command(
        capsys, "swap", "--scores", "ap.csv", "--sample-systems", "4", "--seed", str(seed), "--format", "json"
    )
    assert json.loads(out)["provenance"]["systems"] == drawn


def test_samples_of_systems_differ_between_seeds(at: Path) -> None:
    found = {str(study("swap", sample_systems=3, seed=s, resamples=2).provenance["systems"]) for s in range(12)}
    assert len(found) > 5


@pytest.mark.parametrize("option", ["sample_systems", "top"])
def test_fewer_systems_than_requested_are_all_taken_with_a_warning(option: str, at: Path) -> None:
    asked: dict[str, Any] = {option: 9}
    with pytest.warns(IrassayWarning, match="there are 6 systems, and all of them are taken"):
        result = study("power", **asked)
    assert len(result.provenance["systems"]) == 6  # type: ignore[arg-type]
    assert [w.code for w in result.warnings] == ["fewer-systems"]


def test_the_order_of_the_input_does_not_choose_systems(tmp_path: Path) -> None:
    names = ["b", "a", "d", "c", "f", "e"]
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"{name} {'xyz'[k // 2]}\n" for k, name in enumerate("abcdef")))
    for seed in range(5):
        chosen = {names[k] for k in sample_systems(3, names, seed)[0]}
        assert {"abcdef"[k] for k in sample_systems(3, "abcdef", seed)[0]} == chosen
        of_groups = {names[k] for k in one_per_group(seed, tuple(names), groups)}
        assert {"abcdef"[k] for k in one_per_group(seed, tuple("abcdef"), groups)} == of_groups


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"top": 3, "by": "Q"}, "Compared are the 3 best of 6 systems by Q."),
        ({"sample_systems": 4}, "Compared are 4 of 6 systems, drawn at random."),
        (
            {"groups": "groups.txt", "one_per_group": True},
            "Compared are one system, drawn at random, of each of the 3 groups (6 systems).",
        ),
        (
            {"groups": "groups.txt", "one_per_group": True, "top": 2},
            "Compared are one system, drawn at random, of each of the 3 groups, and of these the 2 best by AP "
            "(6 systems).",
        ),
    ],
)
@pytest.mark.parametrize("name", ["power", "swap", "gains"])
def test_what_is_compared_stands_in_findings_and_in_every_caption(
    name: str, options: dict[str, Any], sentence: str, at: Path
) -> None:
    result = study(name, **options)
    expected = sentence.replace("by AP", "by Q") if name == "gains" else sentence  # the first of its measures
    assert result.findings[-1] == expected
    captions = [*(table.caption for table in result.tables), *(figure.caption for figure in result.figures)]
    assert all(caption.endswith(f" {expected}") for caption in captions)
    assert result.provenance["restrictions"] == [expected]


def test_where_all_systems_and_topics_are_taken_nothing_is_said(at: Path) -> None:
    result = study("power")
    assert result.provenance["restrictions"] == []
    assert "Compared are" not in " ".join((*result.findings, *(table.caption for table in result.tables)))


def test_a_baseline_that_is_not_among_the_best_is_named(at: Path, capsys: Any) -> None:
    worst = f"s{int(np.argmin(values('AP').mean(axis=1)))}"
    result = irassay.compare("qrels.txt", "runs", measures="AP", top=2, baseline=worst)
    assert result.findings[-1] == f"Compared are the 2 best of 6 systems by AP, and {worst}."
    out, _ = command(capsys, "compare", "qrels.txt", "runs", "-m", "AP", "--top", "2", "--baseline", worst)
    assert f"\nCompared are the 2 best of 6 systems by AP, and {worst}.\n" in out  # a sentence beside the verdict


def test_topics_that_are_not_evaluated_are_counted_with_the_reasons(at: Path) -> None:
    runs = {name: {str(t): {f"d{t}": 1.0} for t in range(4)} for name in "xy"}
    judged = {str(t): {f"d{t}": int(t < 2)} for t in range(5)}
    with pytest.warns(IrassayWarning):
        result = irassay.swap(judged, runs, measures="AP", resamples=20)
    assert result.findings[-1] == (
        "Evaluated are 2 of 5 judged topics: the others have no relevant document or are answered by no run."
    )
    chosen = study("swap", topics="1,2")
    assert " judged topics: the others are not among --topics." in chosen.findings[-1]
    assert chosen["swap"].caption.endswith(chosen.findings[-1])


def test_topics_that_are_taken_of_ready_made_scores_are_counted(at: Path) -> None:
    ready = irassay.align(irassay.read_qrels("qrels.txt"), irassay.read_runs("runs")).score("AP")
    result = irassay.swap(scores=ready, topics="1,2", resamples=20)
    assert result.findings[-1] == (
        f"Evaluated are 2 of {len(ready.topics)} topics with scores: the others are not among --topics."
    )
    assert result["swap"].caption.endswith(result.findings[-1])
