"""Tables, figures and results."""

from __future__ import annotations

import math
import pickle
import sys

import numpy as np
import pytest

from irassay.errors import InputError, IrassayWarning, MissingExtraError
from irassay.result import (
    Column,
    Concern,
    Figure,
    Headline,
    Mark,
    Result,
    Table,
    column_decimals,
    decimals,
    worst_first,
)

ODD = "caf\udce9"  # latin-1 bytes as they come out of a file


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (30.0, 2),
        (0.12, 2),
        (0.0996, 2),  # two digits of it are 0.10
        (0.05, 3),
        (0.01, 3),
        (0.0099, 4),
        (0.001, 4),
        (0.0005, 5),
        (1e-9, 5),
        (0.0, 4),
        (math.nan, 4),
    ],
)
def test_decimals_are_two_digits_of_the_standard_error_between_two_and_five(error: float, shown: int) -> None:
    assert decimals(error) == shown


@pytest.mark.parametrize(
    ("errors", "bounds", "shown"),
    [
        ([0.05, 0.2], [], 3),
        ([0.0, math.nan, 0.2], [], 2),
        ([], [], 4),
        ([0.2], [0.004, 0.9], 3),  # it would be 0.00
        ([0.2], [0.005, -0.9], 2),
        ([0.2], [0.0, 1e-12, math.inf, math.nan], 2),  # 0 is 0
        ([1e-6], [-1e-6], 6),
    ],
)
def test_a_column_goes_by_its_smallest_error_and_shows_no_bound_as_0(
    errors: list[float], bounds: list[float], shown: int
) -> None:
    assert column_decimals(errors, bounds) == shown


def test_columns_and_rows_are_selected_and_look_as_before() -> None:
    columns: dict[str, Column] = {"system": ("a", "b", "a"), "n": np.array([1, 2, 3]), "x": [0.5, None, 0.25]}
    table = Table("t", columns, "A caption", digits={"x": 2, "n": 0})
    part = table.select("x", "system", system="a")
    assert list(part.columns) == ["x", "system"]
    assert list(part.rows()) == [(0.5, "a"), (0.25, "a")]
    assert (part.name, part.caption, dict(part.digits)) == ("t", "A caption", {"x": 2})
    assert list(table.select(system="a", n=3).rows()) == [("a", 3, 0.25)]
    assert list(table.select("n").rows()) == [(1,), (2,), (3,)]
    assert not len(table.select(system="c"))
    with pytest.raises(InputError, match="no column 'y'") as error:
        table.select("x", y=1)
    assert error.value.hint == "it has system, n, x"


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


def test_a_figure_names_the_columns_it_draws_and_labels_them_by_name_by_default() -> None:
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
def test_a_figure_that_cannot_be_drawn_or_described_is_refused(changes: dict[str, object], message: str) -> None:
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


def test_concerns_go_from_the_worst_on_and_those_of_one_kind_after_the_worst_of_it() -> None:
    ties, more_ties, few = Concern(0.9, "Ties", "a"), Concern(0.8, "Ties", "b"), Concern(0.5, "Few topics", "c")
    headlines = [Headline(concerns=(few, more_ties)), Headline(concerns=(few, ties)), Headline()]
    assert worst_first(headlines) == [ties, few, more_ties]
