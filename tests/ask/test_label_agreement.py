"""Coefficients of agreement against statsmodels, scikit-learn, krippendorff, irrCAC, NumPy and published examples."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from irassay.ask import label_agreement as ask

NAN = np.nan


def labels(seed: int, documents: int = 400, grades: int = 4) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    draws = np.random.default_rng(seed)
    reference = draws.integers(0, grades, documents)
    judge = np.clip(reference + draws.integers(-1, 2, documents), 0, grades - 1)
    return reference.astype(np.int8), judge.astype(np.int8)


def confusion(reference: NDArray[np.int8], judge: NDArray[np.int8], grades: int = 4) -> NDArray[np.float64]:
    one_topic = np.zeros(len(reference), dtype=np.int64)
    table: NDArray[np.float64] = ask.confusions(reference, judge, one_topic, 1, grades)[0]
    return table


def alpha_by_definition(values: NDArray[np.float64]) -> float:
    """Krippendorff's alpha from all pairs of values within and over units; values [judges, units], NaN missing."""
    units = [column[~np.isnan(column)] for column in values.T]
    units = [unit for unit in units if len(unit) > 1]
    everything = np.concatenate(units)
    grades, count = np.unique(everything, return_counts=True)

    def distance(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = count[(grades >= low) & (grades <= high)].sum()
        return float((between - (count[grades == a][0] + count[grades == b][0]) / 2) ** 2) if a != b else 0.0

    n = len(everything)
    observed = sum(
        sum(distance(a, b) for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1)
        for unit in units
    )
    expected = sum(distance(a, b) for i, a in enumerate(everything) for j, b in enumerate(everything) if i != j)
    return 1.0 - (observed / n) / (expected / (n * (n - 1)))


@pytest.mark.parametrize(("power", "weights"), [(0, None), (1, "linear"), (2, "quadratic")])
@pytest.mark.parametrize("seed", range(3))
def test_kappa_agrees_with_statsmodels(power: int, weights: str | None, seed: int) -> None:
    table = confusion(*labels(seed))
    assert ask.weighted_kappa(table, power) == pytest.approx(cohens_kappa(table, wt=weights, return_results=False))


@pytest.mark.parametrize(("power", "weights"), [(0, None), (1, "linear"), (2, "quadratic")])
@pytest.mark.parametrize("seed", range(3))
def test_kappa_agrees_with_scikit_learn_also_where_a_grade_is_never_given(
    power: int, weights: str | None, seed: int
) -> None:
    for given in (4, 3):
        pair = labels(seed, grades=given)
        expected = cohen_kappa_score(*pair, labels=range(4), weights=weights)
        assert ask.weighted_kappa(confusion(*pair), power) == pytest.approx(expected)


# irrCAC 0.4.4 on these labels, with categories 0 to 3: it demands scipy 1.12.0 exactly, so that it cannot be installed
# beside this package. By seed, documents and grades that are given: AC1, AC2 with quadratic weights
IRRCAC = {
    (0, 400, 4): (0.311011473434, 0.795343487614),
    (1, 400, 4): (0.380407898134, 0.814950230566),
    (2, 400, 4): (0.336789176444, 0.801286313304),
    (7, 200, 3): (0.363886077779, 0.846854720819),
}


@pytest.mark.parametrize("case", IRRCAC)
def test_ac1_and_ac2_are_those_of_irrcac(case: tuple[int, int, int]) -> None:
    table = confusion(*labels(*case))
    assert (ask.gwet(table, 0), ask.gwet(table, 2)) == pytest.approx(IRRCAC[case], abs=1e-11)


# Krippendorff, Computing Krippendorff's alpha-reliability (2011), data E: four observers, twelve units.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)


def together(values: NDArray[np.float64], grades: int) -> float:
    """The package's alpha of all judges."""
    given = np.where(np.isnan(values), -2, values).astype(np.int8)
    by_topic = ask.coincidences(given, np.arange(given.shape[1]) % 3, 3, grades)
    return float(ask.alpha_of_coincidences(by_topic.sum(axis=0)))


def test_alpha_of_four_observers_is_the_published_one() -> None:
    assert together(OBSERVERS, 6) == pytest.approx(0.815, abs=5e-4)
    assert together(OBSERVERS, 6) == pytest.approx(alpha_by_definition(OBSERVERS))


@pytest.mark.parametrize("seed", range(3))
def test_alpha_agrees_with_krippendorff(seed: int) -> None:
    pair = labels(seed)
    expected = krippendorff.alpha(np.stack(pair).astype(float), level_of_measurement="ordinal")
    assert ask.alpha_ordinal(confusion(*pair)) == pytest.approx(expected)
    draws = np.random.default_rng(seed)
    values = np.where(draws.random((5, 300)) < 0.4, NAN, np.clip(pair[0][:300] + draws.integers(-1, 2, (5, 300)), 0, 3))
    expected = krippendorff.alpha(values, level_of_measurement="ordinal")
    assert together(values, 4) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_alpha_follows_its_definition(seed: int) -> None:
    reference, judge = labels(seed, 60)
    values = np.stack([reference, judge]).astype(np.float64)
    assert ask.alpha_ordinal(confusion(reference, judge)) == pytest.approx(alpha_by_definition(values))
    third = np.where(np.random.default_rng(seed).random(60) < 0.4, NAN, reference[::-1].astype(np.float64))
    three = np.vstack([values, third])
    assert together(three, 4) == pytest.approx(alpha_by_definition(three))


def test_skewed_labels_give_the_published_kappa_and_ac1() -> None:
    # Gwet 2002: 125 subjects, 118 of them in one category for both raters
    table = np.array([[118.0, 5.0], [2.0, 0.0]])
    assert ask.weighted_kappa(table, 0) == pytest.approx(-0.0234, abs=5e-5)
    assert ask.gwet(table, 0) == pytest.approx(0.9408, abs=5e-5)


def test_ac2_follows_its_definition() -> None:
    table = confusion(*labels(3))
    share = table / table.sum()
    weight = 1 - (np.subtract.outer(np.arange(4), np.arange(4)) / 3.0) ** 2
    mean = (share.sum(axis=0) + share.sum(axis=1)) / 2
    chance = weight.sum() / (4 * 3) * (mean * (1 - mean)).sum()
    assert ask.gwet(table, 2) == pytest.approx(((weight * share).sum() - chance) / (1 - chance))


def test_one_grade_for_everything_has_no_kappa() -> None:
    table = np.zeros((3, 3))
    table[1, 1] = 20
    assert np.isnan(ask.weighted_kappa(table, 0))
    assert np.isnan(ask.alpha_ordinal(table))
    assert ask.agreement(table) == 1.0


def test_precision_and_recall_of_a_grade_nobody_gives_are_undefined() -> None:
    table = np.array([[3.0, 1.0, 0.0], [2.0, 4.0, 0.0], [0.0, 5.0, 0.0]])
    np.testing.assert_allclose(ask.precision(table), [3 / 5, 4 / 10, NAN])
    np.testing.assert_allclose(ask.recall(table), [3 / 4, 4 / 6, 0.0])


def test_bias_is_the_difference_of_mean_grades() -> None:
    reference, judge = labels(5)
    assert ask.mean_grade_bias(confusion(reference, judge)) == pytest.approx(judge.mean() - reference.mean())


def test_the_interval_of_a_mean_over_topics_of_one_size_is_students() -> None:
    draws = np.random.default_rng(7)
    shares = draws.integers(0, 11, 12)
    by_topic = np.zeros((12, 2, 2))
    by_topic[:, 0, 0], by_topic[:, 0, 1] = shares, 10 - shares
    estimate = ask.jackknife(by_topic, ask.agreement)
    interval = stats.ttest_1samp(shares / 10, 0.0).confidence_interval()
    assert (estimate.low, estimate.high) == pytest.approx((interval.low, interval.high))


def test_one_topic_has_no_interval_and_empty_topics_do_not_count() -> None:
    table = confusion(*labels(8))
    alone = ask.jackknife(np.stack([table, np.zeros_like(table)]), ask.agreement)
    assert alone.value == ask.agreement(table)
    assert np.isnan(alone.low)
    assert np.isnan(alone.high)


def test_the_majority_is_the_most_frequent_grade_and_ties_go_to_the_mean() -> None:
    given = np.array([[0, 3, 0, 1, -2], [0, 3, 2, 2, -2], [1, 0, 3, 2, 1], [2, -2, 1, 1, -2]], dtype=np.int8)
    # 0 twice; 3 twice; all once, mean 1.5: the lower of 1 and 2; 1 and 2 twice: the lower; one label of four
    assert ask.most_frequent(given, 3).tolist() == [0, 3, 1, 1, -2]


@pytest.mark.parametrize("shape", [(5,), (2, 3), (2, 1, 3)])
@pytest.mark.parametrize("name", [*ask.COEFFICIENTS, *ask.MORE_COEFFICIENTS, "precision", "recall"])
def test_a_coefficient_of_many_confusions_is_that_of_each(name: str, shape: tuple[int, ...]) -> None:
    tables = np.random.default_rng(3).integers(1, 20, (*shape, 4, 4)).astype(np.float64)
    own = {**ask.COEFFICIENTS, **ask.MORE_COEFFICIENTS, "precision": ask.precision, "recall": ask.recall}[name]
    together = own(tables)
    for place in np.ndindex(*shape):
        assert together[place] == pytest.approx(own(tables[place]))


def test_one_document_with_one_grade_is_agreement() -> None:
    table = np.array([[0.0, 0.0], [0.0, 1.0]])
    assert ask.agreement(table) == 1.0
    assert ask.precision(table).tolist() == pytest.approx([NAN, 1.0], nan_ok=True)
    assert ask.mean_grade_bias(np.array([[0.0, 1.0], [0.0, 0.0]])) == 1.0


def test_two_topics_have_an_interval_and_none_have_nothing() -> None:
    by_topic = np.array([[[3.0, 1.0], [0.0, 6.0]], [[5.0, 2.0], [1.0, 2.0]]])
    own = ask.jackknife(by_topic, ask.agreement)
    # left out in turn, 7 of 10 and 9 of 10 are left; t of one degree of freedom
    assert (own.high - own.low) / 2 == pytest.approx(np.sqrt(0.5 * 2 * 0.1**2) * stats.t.ppf(0.975, 1))
    nothing = ask.jackknife(np.zeros_like(by_topic), ask.agreement)
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()


def test_intervals_cover_the_truth_of_a_population_of_topics() -> None:
    """Topics differ in size, in how much is relevant and in the judge's errors; 25 of them, 300 sets, seed 11."""
    draws = np.random.default_rng(11)
    errors = np.array([[0.8, 0.15, 0.05], [0.3, 0.5, 0.2], [0.1, 0.3, 0.6]])

    def topics(number: int) -> NDArray[np.float64]:
        out = np.zeros((number, 3, 3))
        for topic in out:
            own = np.stack([draws.dirichlet(10 * row) for row in errors]) * draws.dirichlet([5.0, 2.0, 1.5])[:, None]
            topic[:] = draws.multinomial(int(np.exp(draws.normal(5, 0.5))), own.ravel() / own.sum()).reshape(3, 3)
        return out

    population = topics(20_000).sum(axis=0)
    covered = dict.fromkeys(ask.COEFFICIENTS, 0)
    for _ in range(300):
        sample = topics(25)
        for name, coefficient in ask.COEFFICIENTS.items():
            estimate = ask.jackknife(sample, coefficient)
            covered[name] += int(estimate.low <= coefficient(population) <= estimate.high)
    # of an interval that covers 92% fewer than 262 of 300 are seen once in 100 times
    least = int(stats.binom.ppf(0.01, 300, 0.92))
    assert all(count >= least for count in covered.values()), covered
