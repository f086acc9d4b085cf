"""Score matrices: labels, summaries, standard errors and tables."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from irassay.errors import InputError
from irassay.scoring.scores import UNDEFINED_PER_TOPIC, ScoreMatrix, Scores


def matrix(measure: str = "AP", **options: object) -> ScoreMatrix:
    values = np.array([[0.1, 0.2, 0.6], [0.5, 0.5, 0.5]])
    return ScoreMatrix(measure, ("bm25", "ql"), ("1", "2", "3"), values, **options)  # type: ignore[arg-type]


def geometric(values: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(np.log(values).mean(axis=-1)))


def test_score_matrices_are_read_only_copies_also_after_a_pickle() -> None:
    source = np.ones((1, 2), order="F")
    made = ScoreMatrix("AP", ("a",), ("1", "2"), source)
    source[:] = 0
    for one in (made, pickle.loads(pickle.dumps(made))):
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
        ScoreMatrix("AP", systems, topics, np.zeros((2, 2)))


def test_the_mean_and_its_standard_error_are_those_of_the_textbook() -> None:
    assert matrix().means() == pytest.approx([0.3, 0.5])
    # sd of .1 .2 .6 with n - 1 is sqrt(.07), over sqrt(3)
    assert matrix().standard_errors() == pytest.approx([math.sqrt(0.07 / 3), 0.0])


def test_another_summary_replaces_the_mean() -> None:
    assert matrix(summarise=geometric).means()[0] == pytest.approx((0.1 * 0.2 * 0.6) ** (1 / 3))


def test_the_jackknife_of_the_mean_is_its_standard_error() -> None:
    written_out = matrix(summarise=lambda values: values.mean(axis=-1))
    assert written_out.standard_errors() == pytest.approx(matrix().standard_errors())


def test_one_topic_has_no_standard_error() -> None:
    assert np.isnan(ScoreMatrix("AP", ("a",), ("1",), np.ones((1, 1))).standard_errors()).all()


def test_a_missing_score_leaves_the_mean_undefined() -> None:
    made = ScoreMatrix("AP", ("a", "b"), ("1", "2"), np.array([[0.5, np.nan], [0.5, 1.0]]))
    assert np.isnan(made.means()[0])
    assert made.means()[1] == 0.75


def test_per_topic_values_are_transformed_or_undefined() -> None:
    assert matrix(per_topic=np.log).topic_values()[1, 0] == math.log(0.5)
    assert np.isnan(matrix(per_topic=UNDEFINED_PER_TOPIC).topic_values()).all()


def test_a_matrix_becomes_a_long_frame() -> None:
    frame = matrix().to_pandas()
    assert list(frame.columns) == ["system", "topic", "measure", "score"]
    assert frame.iloc[2].to_list() == ["bm25", "3", "AP", 0.6]
    assert matrix().to_polars().row(5) == ("ql", "3", "AP", 0.5)


def test_scores_go_by_measure_and_stack() -> None:
    scores = Scores([matrix("AP"), matrix("GM(AP)", summarise=geometric, per_topic=UNDEFINED_PER_TOPIC)])
    assert scores["AP"].measure == "AP"
    assert scores.measures == tuple(scores) == ("AP", "GM(AP)")
    assert scores.values.shape == (2, 2, 3)
    assert scores.means()[1, 0] == pytest.approx(geometric(np.array([0.1, 0.2, 0.6])))
    with pytest.raises(KeyError, match=r"there are AP, GM\(AP\)"):
        scores["RBP"]
    assert repr(scores) == "<Scores of 2 systems x 3 topics: AP, GM(AP)>"


def test_scores_become_long_tables_with_and_without_topics() -> None:
    scores = Scores([matrix("AP"), matrix("GM(AP)", summarise=geometric, per_topic=UNDEFINED_PER_TOPIC)])
    rows = list(scores.long().rows())
    assert rows[:1] == [("bm25", "1", "AP", 0.1)]
    assert rows[1][:3] == ("bm25", "1", "GM(AP)")
    assert math.isnan(rows[1][3])  # type: ignore[arg-type]
    assert rows[6][:3] == ("ql", "1", "AP")
    means = scores.to_pandas(per_topic=False)
    assert means[["system", "measure"]].to_numpy().tolist()[1] == ["bm25", "GM(AP)"]
    assert means["score"].to_list() == pytest.approx(scores.means().T.ravel().tolist())


def test_wide_tables_have_a_row_per_topic_and_a_column_per_system() -> None:
    assert list(matrix().wide().rows()) == [("1", 0.1, 0.5), ("2", 0.2, 0.5), ("3", 0.6, 0.5)]
    both = Scores([matrix("AP"), matrix("Q")]).wide()
    assert tuple(both.columns) == ("topic", "measure", "bm25", "ql")
    assert next(iter(both.rows())) == ("1", "AP", 0.1, 0.5)


def test_a_system_called_topic_fits_no_wide_table() -> None:
    made = ScoreMatrix("AP", ("topic",), ("1",), np.ones((1, 1)))
    with pytest.raises(InputError, match="'topic'"):
        made.wide()


def test_matrices_over_different_topics_do_not_make_scores() -> None:
    other = ScoreMatrix("Q", ("bm25", "ql"), ("1", "2", "4"), np.zeros((2, 3)))
    with pytest.raises(InputError, match="Q and AP"):
        Scores([matrix(), other])
    with pytest.raises(InputError, match="measure 'AP' appears twice"):
        Scores([matrix(), matrix()])
