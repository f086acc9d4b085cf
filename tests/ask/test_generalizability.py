"""Variance components against statsmodels; the intervals of the coefficients cover on systems whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from irassay.ask import generalizability as general
from irassay.vary.topics import TopicPlan
from tests.helpers.paired_scores import scores_with_effects

Array = NDArray[np.float64]
PARTS = general.Components(system=0.01, topic=0.03, residual=0.02)


def test_mean_squares_are_those_of_a_two_way_analysis_of_variance() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("statsmodels")
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    x = scores_with_effects()
    counts = TopicPlan(3, 15, 1).counts()
    sample = np.repeat(x, counts[0], axis=1)
    for scores, squares in ((x, general.mean_squares(x)), (sample, general.mean_squares(x, counts))):
        rows = [(s, t, scores[s, t]) for s in range(6) for t in range(15)]
        table = anova_lm(ols("y ~ C(s) + C(t)", pandas.DataFrame(rows, columns=["s", "t", "y"])).fit())
        expected = [table["mean_sq"][name] for name in ("C(s)", "C(t)", "Residual")]
        assert [float(np.ravel(square)[0]) for square in squares] == pytest.approx(expected, rel=1e-9)
    of_s, of_t, rest = (float(square) for square in general.mean_squares(x))
    parts = general.components(general.mean_squares(x), 6, 15)
    assert parts == pytest.approx(((of_s - rest) / 15, (of_t - rest) / 6, rest), rel=1e-9)
    # E-rho² of the scores at hand is Cronbach's alpha, (MS_s - MS_e) / MS_s
    assert general.coefficient(general.signal(parts, absolute=False), 15) == pytest.approx((of_s - rest) / of_s)


def test_coefficients_by_hand() -> None:
    relative, absolute = (general.signal(PARTS, absolute=kind) for kind in (False, True))
    assert general.coefficient(relative, 10) == pytest.approx(0.01 / 0.012)
    assert general.coefficient(absolute, 10) == pytest.approx(0.01 / 0.015)
    assert general.topics_for(relative, 0.95) == 38
    assert general.topics_for(absolute, 0.95) == 95
    assert general.coefficient(relative, 38) >= 0.95 > general.coefficient(relative, 37)
    assert general.topics_for(0.0, 0.9) is None


def test_scores_without_any_error_generalise_fully_and_equal_scores_not_at_all() -> None:
    for absolute, x in (
        (False, np.arange(6.0)[:, None] / 8 + np.arange(8.0)),
        (True, np.arange(6.0)[:, None] / 8 + np.zeros(8)),
    ):
        squares = general.mean_squares(x)
        random = general.arteaga_interval if absolute else general.feldt_interval
        counts = TopicPlan(0, 8, 50).counts()
        for low, high in (random(squares, 6, 8), general.topic_interval(x, counts, absolute=absolute)):
            assert general.coefficient(low, 8) == general.coefficient(high, 8) == 1.0
    equal = general.mean_squares(np.ones((3, 4)))
    assert math.isnan(general.signal(general.components(equal, 3, 4), absolute=False))
    assert all(map(math.isnan, general.feldt_interval(equal, 3, 4)))


def test_feldts_interval_is_the_textbook_one() -> None:
    # 1 - (1 - rho) F, with the .975 and the .025 point of F of 5 and 70 degrees of freedom
    x = scores_with_effects()
    squares = general.mean_squares(x)
    rho = general.coefficient(general.signal(general.components(squares, 6, 15), absolute=False), 15)
    low, high = (general.coefficient(bound, 15) for bound in general.feldt_interval(squares, 6, 15))
    assert (low, high) == pytest.approx((1 - (1 - rho) * 2.7537, 1 - (1 - rho) * 0.16349), abs=2e-4)


def test_shifts_of_all_scores_and_of_systems_cost_no_digits() -> None:
    x = scores_with_effects()
    far = np.round(x * 2**20) / 2**20  # sums with whole numbers are exact
    squares = general.mean_squares(far)
    assert general.mean_squares(far + 2**20) == pytest.approx(squares, rel=1e-6)
    apart = general.mean_squares(far + 2.0**20 * np.arange(6)[:, None])
    assert apart[1:] == pytest.approx(squares[1:], rel=1e-6)


def test_signals_without_error_are_infinite_or_none() -> None:
    for absolute in (False, True):
        assert general.signal(general.Components(0.01, 0.0, 0.0), absolute=absolute) == math.inf
        assert math.isnan(general.signal(general.Components(0.0, 0.0, 0.0), absolute=absolute))
    assert general.topics_for(100.0, 0.9) == 1


def test_arteagas_interval_is_its_formula() -> None:
    x = scores_with_effects()
    system, topic, rest = (float(square) for square in general.mean_squares(x))
    m, n = x.shape
    bounds = []
    for point in (0.975, 0.025):
        endless, of_rest, of_topics = (stats.f.ppf(point, m - 1, below) for below in (1e9, (m - 1) * (n - 1), n - 1))
        above = system**2 - endless * system * rest + (endless - of_rest) * of_rest * rest**2
        bounds.append(m / n * above / ((m - 1) * endless * system * rest + of_topics * system * topic))
    assert general.arteaga_interval(general.mean_squares(x), m, n) == pytest.approx(tuple(bounds), rel=1e-6)


@pytest.mark.parametrize(
    ("squares", "kind"),
    [((0.01, 0.0, 0.0), "infinite"), ((0.0, 0.1, 0.1), "none"), ((0.0, 0.0, 0.0), "none"), ((0.01, 0.3, 0.0), "finite"),
     ((0.01, 0.0, 0.02), "zero"), ((0.5, 1.0, 1.0), "zero"), ((9.0, 0.0, 1.0), "finite")],
)  # fmt: skip
def test_arteagas_interval_at_the_edges(squares: tuple[float, float, float], kind: str) -> None:
    low, high = general.arteaga_interval(general.MeanSquares(*np.array(squares)), 6, 8)
    assert {
        "infinite": low == high == math.inf, "none": math.isnan(low) and math.isnan(high),
        "finite": 0 < low < high < math.inf, "zero": low == 0 <= high < 1,
    }[kind]  # fmt: skip


def plain_topic_interval(x: Array, counts: NDArray[np.int32], *, absolute: bool) -> tuple[float, float]:
    m, n = x.shape

    def parts(scores: Array) -> tuple[float, float]:
        rows, columns = scores.mean(axis=1, keepdims=True), scores.mean(axis=0)
        system = n * rows.var(ddof=1)
        residual = ((scores - rows - columns + scores.mean()) ** 2).sum() / ((m - 1) * (n - 1))
        topic = m * columns.var(ddof=1)
        return float(system - residual) / n, float((topic + (m - 1) * residual) / m if absolute else residual)

    signals = [system / error for system, error in (parts(np.repeat(x, row, axis=1)) for row in counts)]
    system, error = parts(x)
    of_samples = n * x.mean(axis=1).var(ddof=1) / n / (error * (n - 1) / n)
    bounds = np.quantile(signals, [0.025, 0.975]) - (of_samples - system / error)
    return max(0.0, float(bounds[0])), max(0.0, float(bounds[1]))


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("effect", [0.0, 0.3, 1.0, 3.0])
def test_the_topic_interval_is_that_of_plain_samples(effect: float, absolute: bool) -> None:
    x = scores_with_effects()
    x = x - (1 - effect) * x.mean(axis=1, keepdims=True)
    counts = TopicPlan(5, 15, 60).counts()
    expected = plain_topic_interval(x, counts, absolute=absolute)
    assert general.topic_interval(x, counts, absolute=absolute) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    # samples of the first topics only, which differ little: even the upper bound may be below 0
    few = np.zeros((5, 15), dtype=np.int32)
    few[:, 0], few[:, 1] = [14, 13, 12, 11, 10], [1, 2, 3, 4, 5]
    assert general.topic_interval(x, few, absolute=absolute) == pytest.approx(
        plain_topic_interval(x, few, absolute=absolute), rel=1e-9, abs=1e-12
    )


EXPERIMENTS = 1000
BOUND = 4 * math.sqrt(0.05 * 0.95 / EXPERIMENTS)  # four binomial errors of a coverage of .95: .028


def coverage(bounds: list[tuple[float, float]], truth: float) -> float:
    return float(np.mean([low <= truth <= high for low, high in bounds]))


@pytest.mark.parametrize(("systems", "topics"), [(6, 20), (25, 40)])
def test_feldt_and_arteaga_cover_for_random_normal_systems(systems: int, topics: int) -> None:
    rng = np.random.default_rng(0)
    relative, absolute = [], []
    for _ in range(EXPERIMENTS):
        squares = general.mean_squares(
            rng.normal(0, 0.1, (systems, 1))
            + rng.normal(0, math.sqrt(0.03), (1, topics))
            + rng.normal(0, math.sqrt(0.02), (systems, topics))
        )
        relative.append(general.feldt_interval(squares, systems, topics))
        absolute.append(general.arteaga_interval(squares, systems, topics))
    assert coverage(relative, general.signal(PARTS, absolute=False)) == pytest.approx(0.95, abs=BOUND)
    assert coverage(absolute, general.signal(PARTS, absolute=True)) == pytest.approx(0.95, abs=BOUND)


def test_the_topic_bootstrap_covers_for_the_same_systems_on_fresh_topics() -> None:
    systems, topics, experiments = 12, 40, 500
    rng = np.random.default_rng(1)
    strength = np.linspace(0.2, 0.4, systems)[:, None]

    def draw(n: int) -> Array:
        hard = rng.beta(1, 2, (1, n))  # skewed topics, and noise that grows with them: nothing is normal
        return np.asarray(3 * strength * hard + rng.exponential(0.1, (systems, n)) * hard)

    many = general.components(general.mean_squares(draw(200_000)), systems, 200_000)
    bounds: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for k in range(experiments):
        x = draw(topics)
        counts = TopicPlan(k, topics, 500).counts()
        for absolute, found in bounds.items():
            found.append(general.topic_interval(x, counts, absolute=absolute))
    for absolute, found in bounds.items():
        # 40 skewed topics: somewhat below .95 is expected of a percentile method; .91 less three binomial errors
        error = math.sqrt(0.91 * 0.09 / experiments)
        assert coverage(found, general.signal(many, absolute=absolute)) > 0.91 - 3 * error


@pytest.mark.parametrize("absolute", [False, True])
def test_samples_without_error_have_an_infinite_signal_and_an_interval_all_the_same(absolute: bool) -> None:
    # two topics: half of the samples hold one of them twice, and systems differ by the same on both
    x = np.array([[0.1, 0.5], [0.2, 0.9], [0.3, 0.4]])
    counts = np.array([[2, 0], [0, 2], [1, 1], [1, 1]], dtype=np.int32)
    low, high = general.topic_interval(x, counts, absolute=absolute)
    assert 0 <= low < math.inf
    assert high == math.inf


def test_where_all_samples_are_constant_there_is_no_interval() -> None:
    x = np.array([[0.1, 0.5], [0.1, 0.7]])
    counts = np.array([[2, 0]] * 3, dtype=np.int32)
    assert all(map(math.isnan, general.topic_interval(x, counts, absolute=False)))
