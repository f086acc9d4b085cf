"""The worked examples that the papers print, through the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.helpers.panels import Topic, missing, panel_of

# levels as the papers name them
B, A, S = 1, 2, 3


def scored(ranked: Sequence[int | None], judged: Mapping[int, int], measures: str) -> list[float]:
    """The measures of one list; `judged` says how many documents of each level the topic has."""
    values: list[float] = (
        panel_of({"1": Topic(ranked, missing(ranked, judged))}).score(measures).values[:, 0, 0].tolist()
    )
    return values


@pytest.mark.parametrize(("highly_relevant", "expected"), [(1, 2 / 3), (3, 1 / 3), (9, 1 / 3)])
def test_o_measure_depends_on_how_much_is_relevant_and_nwrr_does_not(highly_relevant: int, expected: float) -> None:
    # sakai2007one, Fig. 2: an S-relevant document at rank 3
    o, nwrr = scored([0, None, S], {S: highly_relevant}, "O NWRR")
    assert (o, nwrr) == pytest.approx((expected, 1 / 5))


FIGURE_3 = {"X": [B], "Y": [0, S], "Z": [B, S]}


def test_p_measure_rewards_the_system_that_has_both_documents() -> None:
    # sakai2007one, Fig. 3: one S-, one A- and one B-relevant document
    p, o, plus = zip(*(scored(x, {S: 1, A: 1, B: 1}, "PMeasure O PPlus") for x in FIGURE_3.values()), strict=True)
    assert p == pytest.approx((2 / 4, 4 / 7, 6 / 7))
    assert [f"{value:.2f}" for value in p] == ["0.50", "0.57", "0.86"]
    assert o == pytest.approx((2 / 4, 4 / 7, 2 / 4))
    assert plus == pytest.approx((2 / 4, 4 / 7, (2 / 4 + 6 / 7) / 2)), "PPlus is PMeasure where r_p = r_1"


@pytest.mark.parametrize("penalties", ["{1:4,2:3,3:2}", "{1:1e9,2:1e9,3:1.000001}", "{1:2,2:2,3:2}"])
def test_nwrr_prefers_any_relevant_document_to_a_highly_relevant_one_below_it(penalties: str) -> None:
    judged = {S: 1, A: 1, B: 1}
    x, y, z = (scored(ranked, judged, f"NWRR(penalties={penalties})")[0] for ranked in FIGURE_3.values())
    assert x > y
    assert x == z


def test_other_gains_reverse_the_preference_of_o_measure() -> None:
    judged = {S: 1, A: 1, B: 1}
    gains = "O(gains={1:1,2:1.5,3:2})"
    assert scored([B], judged, "O")[0] < scored([0, S], judged, "O")[0]
    assert scored([B], judged, gains)[0] > scored([0, S], judged, gains)[0]


def test_p_measure_forgives_the_inverse_of_the_ideal_list_and_p_plus_does_not() -> None:
    p, plus = scored([B, A, S], {S: 1, A: 1, B: 1}, "PMeasure PPlus")
    assert p == 1
    assert plus == pytest.approx((2 / 4 + 5 / 7 + 1) / 3)
    assert f"{plus:.2f}" == "0.74"


def test_topic_020_has_its_only_relevant_document_at_rank_913() -> None:
    # sakai2007one prints (3+1)/(48+913): the ideal gain is 78, and both are .004
    judged = {S: 10, A: 6, B: 36}
    assert scored([None] * 912 + [S], judged, "PPlus PMeasure O") == pytest.approx([4 / 991] * 3)
    assert f"{4 / 991:.3f}" == f"{4 / 961:.3f}" == "0.004"


def test_topic_034_has_its_preferred_rank_at_424() -> None:
    # 137 A- and 29 B-relevant documents above the S-relevant one, the first of them B-relevant at rank 2
    above: list[int | None] = [None, B, *[A] * 137, *[B] * 28]
    ranked = [*above, *[None] * (423 - len(above)), S]
    p, o = scored(ranked, {S: 5, A: 288, B: 61}, "PMeasure O")
    assert p == pytest.approx((306 + 167) / (652 + 424))
    assert (f"{p:.3f}", f"{o:.3f}") == ("0.440", "0.250")


def test_p_plus_of_topic_034_can_be_what_is_printed() -> None:
    # .454: the paper does not give the ranks; lists that agree with all it gives lie on either side of it
    early = [None, B, *[A] * 137, *[B] * 28, *[None] * 257, S]
    late = [None, B, *[None] * 256, *[A] * 137, *[B] * 28, S]
    judged = {S: 5, A: 288, B: 61}
    low, high = (scored(ranked, judged, "PPlus")[0] for ranked in (late, early))
    assert low < 0.454 < high


@pytest.mark.parametrize(
    ("relevant", "printed"),
    [
        (1, [".5000", ".2000", ".0500"]),
        (10, [".9990", ".8926", ".4013"]),
        (100, ["1.0000", "1.0000", ".9941"]),
        (1000, ["1.0000", "1.0000", "1.0000"]),
    ],
)
def test_ideal_lists_have_the_rbp_of_table_1(relevant: int, printed: list[str]) -> None:
    # sakai2008incomplete, Table 1
    values = scored([1] * relevant, {1: relevant}, "RBP(p=0.5) RBP(p=0.8) RBP(p=0.95)")
    assert [f"{value:.4f}".removeprefix("0") for value in values] == printed


def test_bpref_hardly_sees_a_nonrelevant_document_at_the_top_and_average_precision_does() -> None:
    # sakai2008incomplete, section 3.2: judged nonrelevant at rank 1, relevant at rank 2
    share = {name: value * 100 for name, value in zip(
        ("AP'", "BprefR", "BprefN"), scored([0, 1], {1: 100, 0: 900}, "AP' BprefR BprefN"), strict=True
    )}  # fmt: skip
    assert share == pytest.approx({"AP'": 1 / 2, "BprefR": 1 - 1 / 100, "BprefN": 1 - 1 / 900})
