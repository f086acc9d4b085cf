"""`irassay compare --topic-families`: tests, errors and intervals take families of topics for independent, no more."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irassay.ask.families import cluster_error, cluster_interval, cluster_t, wild_cluster
from irassay.ask.methods import CORRECTIONS
from irassay.cli import run
from irassay.errors import InputError
from irassay.vary.labels import LabelPlan
from tests.helpers.comparisons import SAMPLES, TOPICS, compared, values
from tests.helpers.sampled_studies import cells, of

FAMILY = np.array([t // 3 if t < 18 else 6 + t % 2 for t in range(TOPICS)])


@pytest.fixture
def at(comparison_place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(comparison_place)
    return comparison_place


def write(path: Path, families: list[Any]) -> str:
    path.write_text("".join(f"{t + 1} f{family}\n" for t, family in enumerate(families)))
    return str(path)


@pytest.fixture
def file(at: Path, tmp_path: Path) -> str:
    return write(tmp_path / "families.txt", FAMILY.tolist())


def differences() -> Any:
    return values()[[0, 1, 3, 4]] - values()[2]


def test_t_tests_errors_and_intervals_are_cluster_robust(file: str) -> None:
    result = compared(topic_families=file, baseline="s2")
    rows, z = of(result, "pairs"), differences()
    p = cluster_t(z, FAMILY)
    assert [row["p_value"] for row in rows] == pytest.approx(p.tolist(), rel=1e-9)
    assert [row["p_corrected"] for row in rows] == pytest.approx(CORRECTIONS["holm"].adjust(p).tolist(), rel=1e-9)
    assert [row["difference_error"] for row in rows] == pytest.approx(cluster_error(z, FAMILY).tolist(), rel=1e-9)
    low, high = cluster_interval(z, FAMILY, 0.05 / 4)
    assert [row["low"] for row in rows] == pytest.approx(low.tolist(), rel=1e-9)
    assert [row["high"] for row in rows] == pytest.approx(high.tolist(), rel=1e-9)
    means, bounds = of(result, "comparison", system="s3")[0], cluster_interval(values()[[3]], FAMILY, 0.05)
    assert [means["mean_low"], means["mean_high"]] == pytest.approx([bounds[0][0], bounds[1][0]], rel=1e-9)
    assert "CR2" in result["comparison"].caption
    assert "24 topics in 8 families" in result["comparison"].caption
    assert "24 topics in 8 families by AP" in " ".join(result.findings)
    assert "There are only 8 families of topics" in " ".join(result.findings)
    assert "anova" not in result


def test_the_wild_cluster_bootstrap_is_exact_with_few_families(file: str) -> None:
    result = compared(topic_families=file, baseline="s2", test="wild-cluster", correction="none")
    expected = wild_cluster(differences(), FAMILY, LabelPlan(0, 8, SAMPLES).signs(), exact=True)
    assert [row["p_value"] for row in of(result, "pairs")] == expected.tolist()
    assert result.provenance["exact"]
    assert "resamples" not in " ".join(result.findings)


def test_the_wild_cluster_bootstrap_draws_signs_of_many_families(at: Path, tmp_path: Path) -> None:
    family = np.minimum(np.arange(TOPICS), 20)
    file = write(tmp_path / "many.txt", family.tolist())
    result = compared(topic_families=file, baseline="s2", test="wild-cluster", seed=3)
    expected = wild_cluster(differences(), family, LabelPlan(3, 21, SAMPLES).signs(), exact=False)
    assert [row["p_value"] for row in of(result, "pairs")] == expected.tolist()


def test_families_of_one_topic_change_no_verdict(at: Path, tmp_path: Path) -> None:
    alone, plain = compared(topic_families=write(tmp_path / "one.txt", list(range(TOPICS)))), compared()
    for table in ("comparison", "pairs"):
        for one, other in zip(of(alone, table), of(plain, table), strict=True):
            numbers = [name for name, value in other.items() if isinstance(value, float)]
            expected = pytest.approx([other[name] for name in numbers], rel=1e-9, nan_ok=True)
            assert [one[name] for name in numbers] == expected
            assert all(one[name] == other[name] for name in other if name not in numbers)


def test_whole_families_are_resampled_from_twenty_on(at: Path, tmp_path: Path) -> None:
    for families, there in ((19, False), (20, True)):
        file = write(tmp_path / f"{families}.txt", [min(t, families - 1) for t in range(TOPICS)])
        result = compared(topic_families=file)
        shares = [row["share_first"] for row in of(result, "comparison")]
        assert [math.isnan(share) for share in shares] == [not there] * 5
        if there:
            assert sum(shares) == pytest.approx(1)
        said = "Whole families are sampled" if there else "undefined with fewer than 20 families"
        assert said in result["comparison"].caption
        assert ("of samples of these topics" in " ".join(result.findings)) == there


def test_the_order_of_the_lines_moves_no_number(at: Path, tmp_path: Path) -> None:
    file = Path(write(tmp_path / "many.txt", [min(t, 20) for t in range(TOPICS)]))
    settings: dict[str, Any] = {"topic_families": str(file), "test": "wild-cluster", "correction": "none"}
    expected = cells(compared(**settings))
    file.write_text("".join(reversed(file.read_text().splitlines(keepends=True))))
    assert cells(compared(**settings)) == expected


def test_the_names_of_families_and_threads_move_no_number(file: str, tmp_path: Path) -> None:
    other = write(tmp_path / "other.txt", [f"x{9 - family}" for family in FAMILY.tolist()])
    for test in ("t", "wild-cluster"):
        expected = cells(compared(topic_families=file, test=test, correction="none", jobs=1))
        assert cells(compared(topic_families=other, test=test, correction="none", jobs=2)) == expected


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"test": "wilcoxon"}, "--test wilcoxon takes topics for independent"),
        ({"test": "paired-bootstrap"}, "--test paired-bootstrap takes topics for independent"),
        ({"correction": "stepdown"}, "--correction stepdown takes topics"),
        ({"interval": "bca"}, "--interval bca takes topics"),
        ({"equivalence": 0.1}, "--equivalence takes topics"),
        ({"topic_groups": "x"}, "--topic-groups takes topics"),
        ({"test": "wild-cluster", "alpha": 0.05}, "8 families of topics are too few"),
        ({"test": "wild-cluster", "topic_families": None}, "is for topics in families"),
    ],
)
def test_what_takes_topics_for_independent_is_refused(settings: dict[str, Any], said: str, file: str) -> None:
    with pytest.raises(InputError) as caught:
        compared(**{"topic_families": file, **settings})
    assert said in str(caught.value)
    assert caught.value.hint


def test_a_file_of_one_family_or_without_a_topic_is_refused(at: Path, tmp_path: Path) -> None:
    for families, said in (([0] * TOPICS, "all topics are in one family"), ([0, 1], "topic 3 has no family")):
        with pytest.raises(InputError, match=said):
            compared(topic_families=write(tmp_path / "bad.txt", families))


def test_the_command_takes_families(file: str, capsys: Any) -> None:
    command = ["compare", "--scores", "scores.csv", "-m", "AP", "--baseline", "s0", "--topic-families", file]
    assert run([*command, "--test", "wild-cluster"]) == 0
    out = capsys.readouterr().out
    assert "Wild cluster bootstrap test on 24 topics in 8 families, exact" in out
    assert "the wild cluster bootstrap test" in out
