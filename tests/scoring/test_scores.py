"""Labelled scores: read-only, by measure, resampled, and as tables."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from irassay.errors import InputError
from irassay.measures import parse
from irassay.scoring.scores import Scores


def scores_of(*measures: str) -> Scores:
    values = np.array([[0.1, 0.2, 0.6], [0.5, 0.5, 0.5]])
    scores = Scores(measures, ("bm25", "ql"), ("1", "2", "3"), np.stack([values] * len(measures)), parse(measures))
    return scores if len(measures) > 1 else scores[measures[0]]


def test_scores_are_read_only_copies_also_after_a_pickle() -> None:
    source = np.ones((1, 2), order="F")
    result = Scores(("AP",), ("a",), ("1", "2"), source)
    source[:] = 0
    for one in (result, pickle.loads(pickle.dumps(result))):
        assert one.values.tolist() == [[1.0, 1.0]]
        with pytest.raises(ValueError, match="read-only"):
            one.values[0, 0] = 0


@pytest.mark.parametrize(
    ("systems", "topics", "message"),
    [
        (("a",), ("1", "2"), "shape"),
        (("a", "a"), ("1", "2"), "system 'a' appears twice"),
        (("a", "b"), ("1", "1"), "topic '1' appears twice"),
        ((), ("1",), "without any system"),
        (("a",), (), "without any topic"),
    ],
)
def test_labels_must_fit_and_be_unique(systems: tuple[str, ...], topics: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Scores(("AP",), systems, topics, np.zeros((2, 2)))


def test_the_mean_and_its_standard_error_are_those_of_the_textbook() -> None:
    assert scores_of("AP").means() == pytest.approx([0.3, 0.5])
    # sd of .1 .2 .6 with n - 1 is sqrt(.07), over sqrt(3)
    assert scores_of("AP").standard_errors() == pytest.approx([math.sqrt(0.07 / 3), 0.0])


def test_another_summary_replaces_the_mean() -> None:
    assert scores_of("GM(AP,variant='trec')").means()[0] == pytest.approx((0.1 * 0.2 * 0.6) ** (1 / 3))


def test_the_standard_error_of_another_summary_is_the_jackknife_s() -> None:
    # of a sum of n topics it is n times that of their mean
    assert scores_of("NumRet").standard_errors()[0] == pytest.approx(2 * math.sqrt(0.07 / 3))
    assert scores_of("AG(AP)").standard_errors() == pytest.approx([0.5, 0.0], abs=0.1)


def test_one_topic_has_no_standard_error() -> None:
    assert np.isnan(Scores(("AP",), ("a",), ("1",), np.ones((1, 1))).standard_errors()).all()


def test_a_missing_score_leaves_the_mean_undefined() -> None:
    result = Scores(("AP",), ("a", "b"), ("1", "2"), np.array([[0.5, np.nan], [0.5, 1.0]]))
    assert np.isnan(result.means()[0])
    assert result.means()[1] == 0.75


def test_per_topic_values_are_transformed_or_undefined() -> None:
    assert scores_of("AG(AP)").topic_values()[1, 0] == math.log(0.5 + 1e-5)
    assert np.isnan(scores_of("GM(AP)").topic_values()).all()


def test_scores_of_one_measure_become_a_long_frame() -> None:
    frame = scores_of("AP").to_pandas()
    assert list(frame.columns) == ["system", "topic", "measure", "score"]
    assert frame.iloc[2].to_list() == ["bm25", "3", "AP", 0.6]
    assert scores_of("AP").to_polars().row(5) == ("ql", "3", "AP", 0.5)


def test_scores_go_by_measure_and_stack() -> None:
    scores = scores_of("AP", "GM(AP)")
    assert scores["AP"].name == "AP"
    assert scores["AP"].measure == parse("AP")[0]
    assert scores["AP"].values.shape == (2, 3)
    assert scores.measures == tuple(scores) == ("AP", "GM(AP)")
    assert scores.values.shape == (2, 2, 3)
    assert scores.means()[1, 0] == scores["GM(AP)"].means()[0]
    with pytest.raises(ValueError, match=r"take one, as in scores\['AP'\]"):
        scores.tested()
    with pytest.raises(KeyError, match=r"there are AP, GM\(AP\)"):
        scores["RBP"]
    assert repr(scores) == "<Scores of 2 systems x 3 topics: AP, GM(AP)>"


def test_scores_become_long_tables_with_and_without_topics() -> None:
    scores = scores_of("AP", "GM(AP)")
    rows = list(scores.long().rows())
    assert rows[:1] == [("bm25", "1", "AP", 0.1)]
    assert rows[1][:3] == ("bm25", "1", "GM(AP)")
    assert math.isnan(rows[1][3])  # type: ignore[arg-type]
    assert rows[6][:3] == ("ql", "1", "AP")
    means = scores.to_pandas(per_topic=False)
    assert means[["system", "measure"]].to_numpy().tolist()[1] == ["bm25", "GM(AP)"]
    assert means["score"].to_list() == pytest.approx(scores.means().T.ravel().tolist())


def test_wide_tables_have_a_row_per_topic_and_a_column_per_system() -> None:
    assert list(scores_of("AP").wide().rows()) == [("1", 0.1, 0.5), ("2", 0.2, 0.5), ("3", 0.6, 0.5)]
    both = scores_of("AP", "Q").wide()
    assert tuple(both.columns) == ("topic", "measure", "bm25", "ql")
    assert next(iter(both.rows())) == ("1", "AP", 0.1, 0.5)


def test_a_system_called_topic_fits_no_wide_table() -> None:
    result = Scores(("AP",), ("topic",), ("1",), np.ones((1, 1)))
    with pytest.raises(InputError, match="'topic'"):
        result.wide()


def test_scores_of_a_measure_appear_once() -> None:
    with pytest.raises(InputError, match="measure 'AP' appears twice"):
        scores_of("AP", "AP")


def test_selected_systems_and_topics_keep_their_scores() -> None:
    part = scores_of("AP", "GM(AP)").select(systems=["ql", "bm25"], topics=["3", "1"])
    assert (part.systems, part.topics, part.known) == (("ql", "bm25"), ("3", "1"), parse("AP GM(AP)"))
    assert part["AP"].values.tolist() == [[0.5, 0.5], [0.6, 0.1]]


@pytest.mark.parametrize("measure", ["AP", "GM(AP)", "AG(AP)", "AREA(AP)", "NumRet"])
def test_resampled_scores_are_those_of_the_topics_drawn(measure: str) -> None:
    scores = scores_of(measure)
    counts = np.array([[1, 1, 1], [2, 0, 1], [0, 3, 0]], dtype=np.int32)
    drawn = [[0, 1, 2], [0, 0, 2], [1, 1, 1]]
    expected = [scores.measure.summarise(scores.values[:, topics]) for topics in drawn]  # type: ignore[union-attr]
    assert scores.resampled(counts) == pytest.approx(np.array(expected))


def test_a_paired_test_compares_topic_values_or_their_logarithms() -> None:
    assert scores_of("AP").tested()[0] == "AP"
    name, values = scores_of("GM(AP)").tested()
    assert (name, values[1, 0]) == ("AG(AP)", math.log(0.5 + 1e-5))
    assert not scores_of("AP", "AREA(AP)").pairable
    with pytest.raises(InputError, match="no value per topic"):
        scores_of("AREA(AP)").tested()
