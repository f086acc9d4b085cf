"""The studies on TREC-8 and Robust 2003 against slow plain Python on the same samples: counts exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import Result, Runs
from irassay.vary.topics import TopicPlan

pytestmark = pytest.mark.data
SETS = ("trec8-adhoc", "robust03")
SAMPLES = 500
PAIRS = 40
MEASURES = ("AP", "Q", "nDCG@10", "RR")
List = Sequence[float]


class Collection:
    """Judgments, runs and their scores as plain lists."""

    def __init__(self, folder: Path) -> None:
        self.qrels = irassay.read_qrels(folder / "qrels.txt.gz")
        self.runs: Runs = irassay.read_runs(folder / "runs")
        panel = irassay.align(self.qrels, self.runs, unanswerable="drop")
        self.systems, self.topics = panel.systems, len(panel.topics)
        found = panel.score(" ".join(MEASURES))
        self.scores: dict[str, list[list[float]]] = {name: found[name].values.tolist() for name in found}
        plan = TopicPlan(0, self.topics, SAMPLES)
        self.first, self.second = (_indices(plan.counts(second=second).tolist()) for second in (False, True))
        self.positions: list[list[int]] = plan.unpaired().tolist()

    def pairs(self) -> list[tuple[int, int]]:
        """Some pairs of systems, spread over all of them."""
        every = [(x, y) for x in range(len(self.systems)) for y in range(x + 1, len(self.systems))]
        return every[:: max(1, len(every) // PAIRS)]


@pytest.fixture(scope="module", params=SETS)
def collection(request: pytest.FixtureRequest, data_dir: Path) -> Collection:
    return Collection(data_dir / request.param)


def _indices(counts: list[list[int]]) -> list[list[int]]:
    return [[t for t, times in enumerate(row) for _ in range(times)] for row in counts]


def _mean(values: List) -> float:
    return math.fsum(values) / len(values)


def _t(values: List) -> float:
    """Student's t of differences; a sample without spread is infinite, or 0 where its mean is 0."""
    n, mean = len(values), _mean(values)
    spread = math.fsum((v - mean) ** 2 for v in values) / (n - 1)
    if spread <= 1e-24 * max(abs(v) for v in values) ** 2 or not any(values):
        return 0.0 if abs(mean) < 1e-15 else math.copysign(math.inf, mean)
    return mean / math.sqrt(spread / n)


def _rows(result: Result, measure: str) -> dict[tuple[str, str], dict[str, Any]]:
    columns = tuple(result["pairs"].columns)
    rows = [dict(zip(columns, row, strict=True)) for row in result["pairs"].rows()]
    return {(str(r["system_x"]), str(r["system_y"])): r for r in rows if r["measure"] == measure}


def test_paired_tests_count_as_plain_python_does(collection: Collection) -> None:
    result = irassay.power(collection.qrels, collection.runs, measures=MEASURES, resamples=SAMPLES)
    for measure, scores in collection.scores.items():
        told = _rows(result, measure)
        assert len(told) == math.comb(len(collection.systems), 2)
        for x, y in collection.pairs():
            z = [a - b for a, b in zip(scores[x], scores[y], strict=True)]
            mean, t = _mean(z), _t(z)
            w = [v - mean for v in z]
            count = sum(abs(_t([w[i] for i in sample])) >= abs(t) * (1 - 1e-10) for sample in collection.first)
            row = told[collection.systems[x], collection.systems[y]]
            assert round(row["asl"] * SAMPLES) == count
            assert row["statistic"] == pytest.approx(t, rel=1e-9, abs=1e-12)
            assert row["mean_difference"] == pytest.approx(mean, abs=1e-14)


def test_unpaired_tests_count_as_plain_python_does(collection: Collection) -> None:
    result = irassay.power(
        collection.qrels, collection.runs, measures=("AP", "GM(AP)", "RR"), resamples=SAMPLES, unpaired=True
    )
    n = collection.topics

    def geometric(values: List) -> float:
        return math.exp(_mean([math.log(v + 1e-5) for v in values])) - 1e-5

    for measure, scores, summary in (
        ("AP", collection.scores["AP"], _mean),
        ("GM(AP)", collection.scores["AP"], geometric),
        ("RR", collection.scores["RR"], _mean),
    ):
        told = _rows(result, measure)
        for x, y in collection.pairs()[::3]:
            both = scores[x] + scores[y]
            d = summary(scores[x]) - summary(scores[y])
            count = 0
            for sample in collection.positions:
                drawn = [both[i] for i in sample]
                count += abs(summary(drawn[:n]) - summary(drawn[n:])) >= abs(d) - 1e-10
            row = told[collection.systems[x], collection.systems[y]]
            assert round(row["asl"] * SAMPLES) == count
            assert row["mean_difference"] == pytest.approx(d, abs=1e-13)


def _few(collection: Collection) -> tuple[Runs, list[int]]:
    places = list(range(0, len(collection.systems), max(1, len(collection.systems) // 7)))[:7]
    return replace(collection.runs, runs=tuple(collection.runs.runs[i] for i in places)), places


def _sampled(scores: list[list[float]], samples: list[list[int]]) -> list[list[float]]:
    return [[_mean([row[t] for t in sample]) for row in scores] for sample in samples]


@pytest.mark.parametrize("measure", ["AP", "RR"])
def test_stability_counts_as_plain_python_does(measure: str, collection: Collection) -> None:
    runs, places = _few(collection)
    result = irassay.stability(collection.qrels, runs, measures=measure, resamples=SAMPLES, fuzziness="0.01,0.05,0.2")
    means = _sampled([collection.scores[measure][i] for i in places], collection.first)
    systems = len(places)
    for _, f, minority, ties in result["stability"].rows():
        minor = tied = 0
        for x in range(systems):
            for y in range(x + 1, systems):
                wins = [0, 0]
                for row in means:
                    gap = row[x] - row[y]
                    if abs(gap) <= 1e-10 or abs(gap) < float(str(f)) * max(row[x], row[y]) - 1e-10:
                        tied += 1
                    else:
                        wins[gap > 0] += 1
                minor += min(wins)
        comparisons = SAMPLES * math.comb(systems, 2)
        assert round(float(str(minority)) * comparisons) == minor
        assert round(float(str(ties)) * comparisons) == tied


@pytest.mark.parametrize("measure", ["AP", "RR"])
def test_swaps_count_as_plain_python_does(measure: str, collection: Collection) -> None:
    runs, places = _few(collection)
    result = irassay.swap(collection.qrels, runs, measures=measure, resamples=SAMPLES)
    scores = [collection.scores[measure][i] for i in places]
    first, second = _sampled(scores, collection.first), _sampled(scores, collection.second)
    comparisons, swaps = [0] * 21, [0] * 21
    for a, b in zip(first, second, strict=True):
        for x in range(len(places)):
            for y in range(x + 1, len(places)):
                d, other = (v[x] - v[y] if abs(v[x] - v[y]) > 1e-10 else 0.0 for v in (a, b))
                k = min(20, math.floor(Fraction(abs(d) + 1e-10) * 100))
                comparisons[k] += 1
                swaps[k] += not d * other > 0
    rows = list(result["swap_bins"].rows())
    assert [row[2] for row in rows] == comparisons
    assert [row[3] for row in rows] == swaps
    observed = [k for k in range(21) if comparisons[k]]
    enough = [k for k in observed if all(swaps[j] <= 0.05 * comparisons[j] for j in observed if j >= k)]
    ((_, difference, top, _, share),) = result["swap"].rows()
    assert top == pytest.approx(max(map(max, first + second)), abs=1e-14)
    assert difference == enough[0] / 100
    assert share == sum(comparisons[enough[0] :]) / sum(comparisons)


def test_tests_do_not_depend_on_threads_on_real_runs(collection: Collection) -> None:
    runs, _ = _few(collection)
    one, three = (
        irassay.power(
            collection.qrels, runs, measures="AP RR", resamples=SAMPLES, paired=True, unpaired=True, jobs=jobs
        )
        for jobs in (1, 3)
    )
    assert list(one["pairs"].rows()) == list(three["pairs"].rows())
    assert list(one["power"].rows()) == list(three["power"].rows())


def test_one_system_of_each_trec8_group(data_dir: Path) -> None:
    folder = data_dir / "trec8-adhoc"
    groups = dict(line.split() for line in (folder / "groups.txt").read_text().splitlines() if line.strip())
    result = irassay.power(
        folder / "qrels.txt.gz", folder / "runs", measures="AP", resamples=100, groups=str(folder / "groups.txt"),
        one_per_group=True, top=30,
    )  # fmt: skip
    systems = result.provenance["systems"]
    assert isinstance(systems, list)
    assert len({groups[name] for name in systems}) == len(systems) == 30


@pytest.mark.filterwarnings("ignore:.*judged-less")
def test_comparisons_agree_with_scipy(collection: Collection) -> None:
    from scipy import stats

    best = sorted(range(len(collection.systems)), key=lambda s: -_mean(collection.scores["AP"][s]))
    base = collection.systems[best[3]]
    result = irassay.compare(collection.qrels, collection.runs, measures="AP", baseline=base, resamples=SAMPLES)
    place = {name: s for s, name in enumerate(collection.systems)}
    rows: list[dict[str, Any]] = [
        dict(zip(result["pairs"].columns, row, strict=True)) for row in result["pairs"].rows()
    ]
    assert len(rows) == len(collection.systems) - 1
    for row in rows[:: max(1, len(rows) // PAIRS)]:
        x, y = (collection.scores["AP"][place[row[side]]] for side in ("system_x", "system_y"))
        expected = stats.ttest_rel(x, y)
        assert row["p_value"] == pytest.approx(expected.pvalue, rel=1e-9)
        assert row["difference"] == pytest.approx(_mean(x) - _mean(y), rel=1e-9, abs=1e-12)


@pytest.mark.filterwarnings("ignore:.*(judged-less|tied-topics)")
def test_all_pairs_of_a_campaign_are_compared_at_once(collection: Collection) -> None:
    result = irassay.compare(collection.qrels, collection.runs, measures="AP", resamples=SAMPLES)
    rows: list[dict[str, Any]] = [
        dict(zip(result["comparison"].columns, row, strict=True)) for row in result["comparison"].rows()
    ]
    assert math.isclose(sum(row["share_first"] for row in rows), 1.0)
    assert all(1 <= row["rank_low"] <= place <= row["rank_high"] <= len(rows) for place, row in enumerate(rows, 1))
    assert all(row["letters"] for row in rows)
