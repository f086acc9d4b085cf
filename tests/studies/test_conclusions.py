"""Findings conclude what the data can give, in words that match what was computed, and refuse the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import irassay
from irassay.studies.phrases import too_few_pairs
from irassay.studies.registry import studies
from tests.helpers.sampled_studies import of

TOPICS = 12
OTHERS = {"compare", "corpus", "variance", "pools", "uncertainty"}
ALL_WARNINGS = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
ONE, THREE = "There is 1 pair of systems", "There are 3 pairs of systems"


def scores(systems: int, *, gap: float = 0.03, noise: float = 0.1, topics: int = TOPICS) -> irassay.Scores:
    """Two measures of systems that are a gap apart, seed 1."""
    rng = np.random.default_rng(1)
    values = 0.3 + gap * np.arange(systems)[:, None] + noise * rng.uniform(-1, 1, (2, systems, topics))
    names = tuple(f"s{k}" for k in range(systems))
    return irassay.Scores(("AP", "RR"), names, tuple(map(str, range(topics))), values)


@pytest.mark.parametrize("name", ["power", "agreement"])
@pytest.mark.parametrize(("systems", "refusal"), [(2, ONE), (3, THREE), (4, None)])
def test_fewer_than_five_pairs_compare_no_measures(name: str, systems: int, refusal: str | None) -> None:
    result = getattr(irassay, name)(scores(systems), resamples=100)
    text = " ".join(result.findings)
    if refusal is None:
        assert "of systems: too few" not in text
        assert "tau" in text or "apart" in text
    else:
        assert result.findings == (too_few_pairs(systems * (systems - 1) // 2),)
        assert text.startswith(refusal)


def test_the_test_and_the_missing_correction_are_named() -> None:
    level = "paired bootstrap test, alpha 0.1 per comparison, not corrected"
    for study, options in ((irassay.power, {"alpha": "0.1"}), (irassay.agreement, {"alpha": 0.1})):
        assert level in " ".join(study(scores(5), resamples=100, **options).findings)


def test_the_estimated_difference_is_called_the_largest_over_pairs() -> None:
    result = irassay.power(scores(5), resamples=100)
    assert "(estimated differences: largest over pairs, alpha per comparison)" in result.findings[2]
    assert "enough for every pair" not in " ".join((*result.findings, *(table.caption for table in result.tables)))


def test_agreement_tells_the_share_of_resolved_pairs_on_which_measures_agree() -> None:
    clear = scores(5, gap=0.1, noise=0.02)
    assert "In all of them they agree on the better one." in irassay.agreement(clear, resamples=200).findings
    against = irassay.Scores(clear.measures, clear.systems, clear.topics, clear.values * [[[1.0]], [[-1.0]]])
    assert irassay.agreement(against, resamples=200).findings[-2:] == (
        "In 0% of them they agree on the better one.",
        "They disagree most often in AP and RR.",
    )
    for few in (scores(5, gap=0.0, noise=0.0), scores(5, gap=0.02, noise=0.08)):
        result = irassay.agreement(few, resamples=200)
        (both,) = (row["both"] for row in of(result, "verdicts"))
        assert both < 5
        assert "No two measures both tell 5 pairs of systems or more apart" in result.findings[1]
        assert "%" not in result.findings[1]
    assert both > 0  # of the second


@pytest.mark.parametrize(("systems", "empty"), [(2, True), (3, True), (4, False)])
def test_agreement_has_no_test_and_no_interval_of_tau_below_five_pairs(systems: int, empty: bool) -> None:
    result = irassay.agreement(scores(systems), resamples=100)
    cells = [*result["agreement"]["z0"], *result["agreement"]["p_value"]]
    cells += [*result["intervals"]["tau_low"], *result["intervals"]["tau_high"]]
    assert np.isnan(np.array(cells, dtype=np.float64)).all() == empty
    assert np.isnan(np.array(cells, dtype=np.float64)).any() == empty
    assert not np.isnan(np.array(result["agreement"]["tau"], dtype=np.float64)).any()


@pytest.mark.parametrize(("systems", "refusal"), [(2, ONE), (3, THREE), (4, None)])
def test_pools_conclude_nothing_from_the_tau_of_fewer_than_five_pairs(systems: int, refusal: str | None) -> None:
    options: dict[str, Any] = {"measures": ("AP",), "depths": "3", "resamples": 50}
    result = irassay.pools(*collection(systems, 8), **options)
    if refusal is None:
        assert "the ranking agrees with that of the full pool at a tau of" in " ".join(result.findings)
    else:
        assert refusal in " ".join(result.findings)
        assert "a tau of" not in " ".join(result.findings)


@ALL_WARNINGS
@pytest.mark.parametrize(("systems", "refusal"), [(2, ONE), (4, None)])
def test_simulation_concludes_nothing_from_fewer_than_five_pairs(systems: int, refusal: str | None) -> None:
    result = irassay.variance(*collection(systems, 8), samples=40, measures=("AP",))
    if refusal is None:
        assert "told apart on average" in result.findings[0]
        assert "(paired t test, not corrected)" in result.findings[0]
    else:
        (finding,) = result.findings
        assert finding.startswith(refusal)


@ALL_WARNINGS
def test_captions_of_levels_say_that_they_are_not_corrected() -> None:
    result = irassay.power(scores(5), resamples=100)
    for name in ("power", "pairs", "power_bars", "asl_curves"):
        assert "not corrected" in result[name].caption
    simulated = irassay.variance(*collection(4, 8), samples=40, measures=("AP",))
    for name in ("variance", "estimated_difference", "pairs"):
        assert "not corrected" in simulated[name].caption


# uncertainty of judgments


def uncertain(relevant: int, measures: str, vary: str) -> irassay.Result:
    return irassay.uncertainty(*collection(5, relevant), measures=measures, vary=vary, replicates=40)


@ALL_WARNINGS
def test_judgments_vary_only_where_a_relevant_document_would_lose_its_own() -> None:
    with pytest.raises(irassay.InputError, match="judgments cannot vary: no relevant document would lose its judgment"):
        uncertain(1, "AP RR", "judgments")
    result = irassay.uncertainty(*collection(5, 1), measures="AP", replicates=40)
    reasons = dict(zip(result["left_out"]["variation"], result["left_out"]["reason"], strict=True))
    assert "every topic keeps at least one" in reasons["judgments"]
    assert not any("judgments" in str(name) for name in result["budget"]["variation"])
    assert "judgments" not in " ".join(result.findings)


@ALL_WARNINGS
def test_one_measure_alone_does_not_agree_least() -> None:
    one, two = (" ".join(uncertain(8, measures, "judgments").findings) for measures in ("AP", "AP RR"))
    assert "With 50% of the judgments the order of systems agrees with the observed one at a tau b of " in one
    assert "With 50% of the judgments the order of systems agrees least with the observed one by" in two


@ALL_WARNINGS
def test_judgments_and_topics_together_are_put_in_words() -> None:
    text = " ".join(uncertain(8, "AP RR", "judgments+topics").findings)
    assert "With 50% of the judgments, on topic samples, the order of systems agrees" in text


# swap


def test_a_required_difference_needs_comparisons_below_it() -> None:
    far = irassay.swap(scores(3, gap=0.1, noise=0.005), resamples=100)
    (finding,) = far.findings
    assert finding.startswith("No difference can be told from which on comparisons rarely swap, because at most 5% do")
    assert "AP (from 0.09 on)" in finding or "AP (from 0.10 on)" in finding
    mixed = irassay.swap(scores(6, gap=0.02), resamples=200)
    assert re.match(
        r"From a difference of 0\.\d\d in \w+ on, at most 5% of comparisons change their", mixed.findings[0]
    )
    assert "No difference can be told" not in " ".join(mixed.findings)


def test_systems_that_only_swap_have_no_required_difference() -> None:
    equal = irassay.swap(scores(3, gap=0.0, noise=0.0), resamples=100)
    assert equal.findings == ("For AP and RR no difference was large enough.",)


def test_the_swap_rate_asked_for_is_the_one_told() -> None:
    assert "at most 20% of" in irassay.swap(scores(6, gap=0.02), resamples=200, swap_rate=0.2).findings[0]


def test_stability_speaks_of_samples_of_these_topics() -> None:
    assert "samples of these topics contradict" in irassay.stability(scores(4), resamples=100).findings[0]


# fewer judgments, other gains


def collection(systems: int, relevant: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Topics with so many relevant of 40 judged documents, and systems of different quality, seed 2."""
    rng = np.random.default_rng(2)
    qrels = {str(t): {f"d{d}": int(d < relevant) * (1 + d % 2) for d in range(40)} for t in range(TOPICS)}

    def run(strength: float) -> dict[str, dict[str, float]]:
        def order(grades: NDArray[np.int64]) -> NDArray[np.float64]:
            return np.asarray(strength * grades + rng.normal(0, 1, 40))

        return {t: dict(zip(q, order(np.array(list(q.values()))).tolist(), strict=True)) for t, q in qrels.items()}

    return qrels, {f"s{k}": run(0.3 * k) for k in range(systems)}


def test_judgments_that_were_not_removed_conclude_nothing() -> None:
    options: dict[str, Any] = {"measures": ("AP RR",), "rates": "50", "resamples": 50}
    none = irassay.incomplete(*collection(5, 1), **options)
    assert none.findings == (
        "No relevant document lost its judgment, also with 50%: every topic keeps at least one. So nothing can be said "
        "about fewer judgments.",
    )
    some = irassay.incomplete(*collection(5, 8), **options)
    assert re.match(r"With 50% of the judgments (AP|RR) keeps the order of systems best \(tau", some.findings[0])


def test_shares_of_pairs_are_told_before_and_after_whichever_way_they_go() -> None:
    result = irassay.incomplete(*collection(5, 8), measures=("AP RR",), rates="50,20", resamples=100, trials=2)
    before, after = (
        [
            float(np.mean([row["discriminative_power"] for row in rows(result, "incomplete", rate=rate, measure=name)]))
            for name in ("AP", "RR")
        ]
        for rate in (100, 20)
    )
    shares = sorted(zip(("AP", "RR"), before, after, strict=True), key=lambda one: one[1] - one[2])
    (least, first, last), (most, most_first, most_last) = shares
    assert result.findings[1:3] == (
        f"{least} changes least: it tells {100 * first:.0f}% of pairs apart with all judgments and {100 * last:.0f}% "
        "with 20% (paired bootstrap test, alpha 0.05 per comparison, not corrected).",
        f"{most} changes most: {100 * most_first:.0f}% before and {100 * most_last:.0f}% after.",
    )
    assert "fall" not in " ".join(result.findings)


@pytest.mark.parametrize(("systems", "refusal"), [(2, ONE), (3, THREE)])
def test_tau_and_power_of_few_systems_are_refused_with_fewer_judgments_and_other_gains(
    systems: int, refusal: str
) -> None:
    data = collection(systems, 8)
    for result in (
        irassay.incomplete(*data, measures=("AP",), rates="50", resamples=50),
        irassay.gains(*data, schemes="{1:1,2:2} {1:1,2:9}", resamples=50),
    ):
        (finding,) = result.findings
        assert finding.startswith(refusal)


def test_power_on_few_systems_does_not_silence_tau_on_many(tmp_path: Path) -> None:
    groups = tmp_path / "groups.txt"
    groups.write_text("".join(f"s{k} g{k % 2}\n" for k in range(6)))
    result = irassay.incomplete(
        *collection(6, 8), measures=("AP",), rates="50", resamples=50, groups=str(groups), one_per_group=True
    )
    assert "the order of systems agrees with that by all judgments" in result.findings[0]
    assert result.findings[1].startswith(ONE)


def rows(result: irassay.Result, table: str, **where: object) -> list[dict[str, Any]]:
    columns = result[table].columns
    found = [dict(zip(columns, row, strict=True)) for row in result[table].rows()]
    return [row for row in found if all(row[key] == value for key, value in where.items())]


def test_notes_promise_no_other_topics_and_nothing_for_every_pair() -> None:
    for name, study in studies().items():
        text = " ".join((study.help, study.question, study.how, study.distrust))
        if name not in OTHERS:
            assert "other topics" not in text, name
            assert "every pair" not in text.replace("For every pair", ""), name
