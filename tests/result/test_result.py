"""Tables, results and score matrices."""

from __future__ import annotations

import math
import pickle
import sys

import numpy as np
import pytest

from irassay.errors import InputError, IrassayWarning, MissingExtraError
from irassay.panel.topics import sorted_topics
from irassay.result import Figure, Mark, Result, Table, decimals
from irassay.scoring.scores import UNDEFINED_PER_TOPIC, ScoreMatrix, Scores

ODD = "caf\udce9"  # latin-1 bytes as they come out of a file


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (30.0, 2),
        (0.05, 2),
        (0.01, 2),
        (0.0099, 3),
        (0.001, 3),
        (0.0005, 4),
        (1e-9, 4),
        (0.0, 4),
        (math.nan, 4),
    ],
)
def test_decimals_follow_the_standard_error_between_two_and_four(error: float, shown: int) -> None:
    assert decimals(error) == shown


def test_a_table_gives_rows_of_python_values() -> None:
    table = Table("t", {"system": ("a", "b"), "n": np.array([1, 2]), "x": [np.float64(0.5), None]})
    assert list(table.rows()) == [("a", 1, 0.5), ("b", 2, None)]
    assert [type(cell) for cell in next(iter(table.rows()))] == [str, int, float]
    assert len(table) == 2


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(InputError, match="differ in length"):
        Table("t", {"a": [1, 2], "b": [1]})


def test_digits_of_an_unknown_column_are_refused() -> None:
    with pytest.raises(InputError, match="nope"):
        Table("t", {"a": [1]}, digits={"nope": 2})


def test_a_table_cannot_be_changed_through_the_arrays_it_was_made_from() -> None:
    source = np.array([1.0, 2.0])
    table = Table("t", {"x": source})
    source[0] = 9.0
    assert list(table.rows()) == [(1.0,), (2.0,)]
    with pytest.raises(ValueError, match="read-only"):
        table["x"][0] = 9.0  # type: ignore[index]
    with pytest.raises(TypeError):
        table.columns["y"] = ()  # type: ignore[index]


def test_a_table_without_columns_has_no_rows() -> None:
    assert len(Table("t", {})) == 0
    assert list(Table("t", {}).rows()) == []


@pytest.mark.parametrize("frame", ["to_pandas", "to_polars"])
def test_frames_hold_the_columns_of_the_table(frame: str) -> None:
    made = getattr(Table("t", {"system": ("a", "b"), "x": np.array([0.5, 0.25])}), frame)()
    assert list(made.columns) == ["system", "x"]
    assert made["system"].to_list() == ["a", "b"]
    assert made["x"].to_list() == [0.5, 0.25]


def test_names_that_are_not_utf8_survive_in_frames() -> None:
    table = Table("t", {"system": (ODD, "b")})
    assert table.to_pandas()["system"].to_list() == [ODD, "b"]
    assert table.to_polars()["system"].to_list() == [b"caf\xe9", b"b"]


@pytest.mark.parametrize(("package", "frame"), [("pandas", "to_pandas"), ("polars", "to_polars")])
def test_a_missing_frame_library_names_its_extra(monkeypatch: pytest.MonkeyPatch, package: str, frame: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"irassay\[frames\]"):
        getattr(Table("t", {"x": [1]}), frame)()


def test_a_result_gives_its_tables_by_name_and_names_them_for_a_wrong_one() -> None:
    result = Result("score", (Table("scores", {"x": [1]}),), (IrassayWarning("ties", "many"),), {"seed": 0})
    assert list(result["scores"].rows()) == [(1,)]
    with pytest.raises(KeyError, match="it has scores"):
        result["power"]
    assert repr(result) == "<Result of score: scores (1 rows); 1 warnings>"


@pytest.mark.parametrize("names", [("a", "a"), ("provenance",)])
def test_table_names_that_would_collide_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        Result("s", tuple(Table(name, {}) for name in names))


def test_results_travel_between_processes() -> None:
    result = Result("s", (Table("t", {"x": np.array([1.5])}, "c", {"x": 3}),), provenance={"seed": 1})
    copy = pickle.loads(pickle.dumps(result))
    assert list(copy["t"].rows()) == [(1.5,)]
    assert (copy["t"].caption, dict(copy["t"].digits), dict(copy.provenance)) == ("c", {"x": 3}, {"seed": 1})


def figure(**changes: object) -> Figure:
    parts = {"name": "f", "kind": "curve", "table": "t", "x": "a", "y": "b", "caption": "C.", "alt": "A."} | changes
    return Figure(**parts)  # type: ignore[arg-type]


def drawn(*figures: Figure) -> Result:
    return Result("s", (Table("t", {"a": [1], "b": [2], "c": ["x"]}),), figures=figures)


def test_a_figure_names_the_columns_it_draws_and_labels_them_by_name_where_nothing_is_said() -> None:
    made = figure(series="c", labels={"x": "Topics"}, marks=[("y", 1, "alpha")])
    assert drawn(made).figures == (made,)
    assert made.columns() == ("a", "b", "c")
    assert [made.label(channel) for channel in ("x", "y", "series", "value")] == ["Topics", "b", "c", ""]
    assert made.marks == (Mark("y", 1.0, "alpha"),)
    assert figure(kind="matrix", value="c").columns() == ("a", "b", "c")
    assert figure(kind="intervals", low="d", high="e", facet="c", where={"f": 1}).columns() == tuple("abdecf")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "pie"}, "no known kind: 'pie'"),
        ({"alt": " "}, "no alt"),
        ({"caption": "", "alt": ""}, "no caption and no alt"),
        ({"name": ""}, "no name"),
        ({"kind": "matrix"}, "channel value"),
        ({"value": "c"}, "channel value"),
        ({"kind": "intervals", "low": "a"}, "channel high"),
        ({"kind": "boxes", "low": "a", "high": "a", "lower": "a"}, "channel upper"),
        ({"low": "a"}, "channel low"),
        ({"labels": {"colour": "x"}}, "colour"),
        ({"labels": {"series": "x"}}, "series"),
        ({"marks": [("z", 0.05)]}, "no place on x or y"),
        ({"marks": [("y", math.nan)]}, "no place on x or y"),
    ],
)
def test_a_figure_that_cannot_be_drawn_or_told_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        figure(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table": "u"}, "not there: 'u'"),
        ({"x": "q", "series": "r"}, r"does not have: \['q', 'r'\]"),
    ],
)
def test_a_figure_of_what_the_tables_do_not_have_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        drawn(figure(**changes))


def test_two_figures_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="one name: f"):
        drawn(figure(), figure(kind="bars"))


def test_figures_travel_between_processes_and_can_be_compared_and_hashed() -> None:
    made = drawn(figure(labels={"x": "X"}, marks=(Mark("y", 0.05),)))
    (copy,) = pickle.loads(pickle.dumps(made)).figures
    assert copy == made.figures[0]
    assert hash(copy) == hash(made.figures[0])
    with pytest.raises(TypeError):
        copy.labels["y"] = "Y"


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


def test_topics_are_sorted_as_numbers_only_if_all_are_digits() -> None:
    assert sorted_topics(["10", "9", "009", "1" * 5000]) == ("009", "9", "10", "1" * 5000)
    assert sorted_topics(["10", "9", "a"]) == ("10", "9", "a")
    assert sorted_topics(["é", "z", ODD]) == (ODD, "z", "é")
