"""Merged results: what all collections share is said once, and figures have panels where panels can be compared."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from irassay.errors import IrassayWarning
from irassay.report.terminal import to_terminal
from irassay.report.vega import vega_figure
from irassay.result import Concern, Figure, Headline, Mark, Result, Table
from irassay.studies.merge import merge_findings, merge_results, merge_tables, merge_warnings


def result(systems: str = "xy", scale: float = 1.0, **more: Any) -> Result:
    scores = Table(
        "scores",
        {"system": list(systems), "n": np.arange(len(systems)), "score": np.arange(len(systems)) * scale},
        "Scores.",
        {"score": 2},
    )
    return Result("demo", (scores,), **more)


def bars(**more: Any) -> Figure:
    options: dict[str, Any] = {"x": "system", "y": "score", "caption": "Scores", "alt": "Bars of scores", **more}
    return Figure("bars", "bars", "scores", **options)


def merged_figures(first: Result, second: Result) -> dict[str, Figure]:
    return {figure.name: figure for figure in merge_results({"A": first, "B 2": second}).figures}


def test_a_single_result_is_returned_itself() -> None:
    one = result()
    assert merge_results({"A": one}) is one


def test_tables_are_joined_below_each_other_with_their_collection() -> None:
    (table,) = merge_results({"A": result(), "B": result("z", 2.0)}).tables
    assert list(table.rows()) == [("A", "x", 0, 0.0), ("A", "y", 1, 1.0), ("B", "z", 0, 0.0)]
    assert list(table.columns) == ["collection", "system", "n", "score"]
    assert isinstance(table["score"], np.ndarray)
    assert table.digits == {"score": 2}


def test_a_column_or_a_table_that_one_collection_lacks_is_empty_for_it() -> None:
    first = [Table("t", {"a": [1]}, digits={"a": 1}), Table("own", {"c": [True]})]
    second = [Table("t", {"a": [2], "b": ["text"]}, digits={"a": 3}, bold={"a": 1.5})]
    table, own = merge_tables({"A": first, "B": second})
    assert list(table.rows()) == [("A", 1, None), ("B", 2, "text")]
    assert (table.digits, table.bold) == ({"a": 3}, {"a": 1.5})
    assert list(own.rows()) == [("A", True)]


def test_a_column_that_is_called_collection_gives_way() -> None:
    table = Table("t", {"collection": [0.5], "y": [1.0]}, digits={"collection": 1})
    figure = Figure("f", "points", "t", x="collection", y="y", facet="y", caption="c", alt="a")
    merged = merge_results({name: Result("demo", (table,), figures=(figure,)) for name in "AB"})
    assert list(merged["t"].rows()) == [("A", 0.5, 1.0), ("B", 0.5, 1.0)]
    assert list(merged["t"].columns) == ["collection", "collection ", "y"]
    assert merged["t"].digits == {"collection ": 1}
    assert [dict(one.where) for one in merged.figures] == [{"collection": "A"}, {"collection": "B"}]
    assert [one.x for one in merged.figures] == ["collection ", "collection "]


def test_captions_say_once_what_all_say() -> None:
    def table(topics: int, more: str = "") -> list[Table]:
        return [Table("t", {"a": [1]}, f"A test on {topics} topics. Level 0.05{more}")]

    def caption(*own: list[Table]) -> str:
        return merge_tables(dict(zip("ABC", own, strict=False)))[0].caption

    assert caption(table(50), table(50)) == "A test on 50 topics. Level 0.05"
    assert caption(table(50), table(60)) == "Level 0.05. A: A test on 50 topics. B: A test on 60 topics."
    assert (
        caption(table(50), table(60), table(60)) == "Level 0.05. A: A test on 50 topics. B and C: A test on 60 topics."
    )
    assert caption(table(50), table(50, " of each")) == ("A test on 50 topics. A: Level 0.05. B: Level 0.05 of each.")


def test_findings_name_their_collection_and_are_said_once() -> None:
    findings = {"A": ["Best: x.", "All agree."], "B": ["Best: y.", "All agree."], "C": ["Best: y.", "All agree."]}
    assert merge_findings(findings) == ("A: Best: x.", "B and C: Best: y.", "All agree.")


def test_headlines_name_their_collections_and_keep_the_tables_of_the_merged_result() -> None:
    a = Headline("A, 2 systems", {"first": "x leads."}, {"leaderboard": "scores"}, (Concern(0.5, "Ties", "Many."),))
    b = Headline("B, 1 system", {"first": "z leads.", "trust": "All."}, {"leaderboard": "scores"})
    merged = merge_results({"A": result(headline=a), "B": result("z", headline=b)}).headline
    assert merged.title == "A, 2 systems; B, 1 system"
    assert merged.verdict == {"first": "A: x leads. B: z leads.", "trust": "B: All."}
    assert merged.tables == {"leaderboard": "scores"}
    assert merged.concerns == (Concern(0.5, "Ties", "A: Many."),)


def test_of_many_collections_a_verdict_has_the_first_answers_and_says_where_the_others_are() -> None:
    def merged(number: int) -> str:
        results = {f"C{k}": result(headline=Headline(verdict={"first": f"s{k} leads."})) for k in range(number)}
        return merge_results(results).headline.verdict["first"]

    assert merged(4) == "C0: s0 leads. C1: s1 leads. C2: s2 leads. C3: s3 leads."
    assert merged(6) == "C0: s0 leads. C1: s1 leads. C2: s2 leads. The findings have 3 more collections."


def test_warnings_name_their_collection_before_the_place() -> None:
    first = [IrassayWarning("code", "what", "runs/x:3"), IrassayWarning("few", "too few")]
    second = [IrassayWarning("few", "too few"), IrassayWarning("own", "this one")]
    merged = merge_warnings({"A": first, "B": second})
    assert [str(one) for one in merged] == ["too few [few]", "A: runs/x:3: what [code]", "B: this one [own]"]


def test_the_provenance_has_once_what_all_share() -> None:
    first = result(provenance={"seed": 0, "topics": ["1"], "weights": np.arange(3)})
    second = result(provenance={"seed": 0, "topics": ["2"], "weights": np.arange(3)})
    provenance = dict(merge_results({"A": first, "B": second}).provenance)
    assert provenance.pop("irassay")
    assert list(provenance.pop("weights")) == [0, 1, 2]  # type: ignore[call-overload]
    assert provenance == {"seed": 0, "collections": {"A": {"topics": ["1"]}, "B": {"topics": ["2"]}}}


def test_figures_with_the_same_names_have_a_panel_for_each_collection() -> None:
    both = [result(figures=(bars(marks=marks),)) for marks in ((Mark("y", 0.5), Mark("y", 1)), (Mark("y", 0.5),))]
    figures = merged_figures(*both)
    assert list(figures) == ["bars"]
    assert figures["bars"].facet == "collection"
    assert figures["bars"].marks == (Mark("y", 0.5), Mark("y", 1.0, "", "A"))
    merged = merge_results(dict(zip(("A", "B 2"), both, strict=True)))
    spec = vega_figure(figures["bars"], merged["scores"]).spec
    assert [panel["title"]["text"] for panel in spec["concat"]] == ["A", "B 2"]


@pytest.mark.parametrize(
    "second",
    [
        result("xz", figures=(bars(),)),  # other names on the axis
        result(figures=(bars(where={"system": "x"}),)),  # another choice of rows
    ],
)
def test_figures_that_cannot_be_compared_side_by_side_are_one_for_each_collection(second: Result) -> None:
    figures = merged_figures(result(figures=(bars(),)), second)
    assert list(figures) == ["bars_A", "bars_B-2"]
    assert figures["bars_B-2"].where == {**second.figures[0].where, "collection": "B 2"}
    assert figures["bars_B-2"].caption == "B 2: Scores"
    assert figures["bars_B-2"].facet is None


def test_figures_with_small_figures_already_are_one_for_each_collection() -> None:
    both = [replace(result(), figures=(bars(facet="n"),)), replace(result(), figures=(bars(facet="n"),))]
    assert list(merged_figures(*both)) == ["bars_A", "bars_B-2"]


def test_only_the_rows_that_a_figure_shows_decide_whether_names_are_the_same() -> None:
    figure = bars(where={"n": 0})
    assert merged_figures(result("xy", figures=(figure,)), result("xz", figures=(figure,)))["bars"].facet


def test_a_figure_of_a_table_that_one_collection_has_keeps_its_name() -> None:
    own = Table("own", {"system": ["x"], "score": [1.0]})
    first = replace(result(), tables=(*result().tables, own), figures=(replace(bars(), name="F", table="own"),))
    figures = merged_figures(first, result())
    assert list(figures) == ["F"]
    assert figures["F"].caption == "A: Scores"


def test_collections_of_similar_names_have_figures_of_their_own() -> None:
    both = {"A 1": result(figures=(bars(),)), "A-1": result("z", figures=(bars(),))}
    names = [figure.name for figure in merge_results(both).figures]
    assert names[0] == "bars_A-1"
    assert len(set(names)) == 2


def test_texts_and_tables_of_one_name_are_told_apart_by_their_captions() -> None:
    def screen(kinds: str) -> list[Table]:
        return [Table("budget", {}, "What it means"), *(Table("budget", {"x": [1]}, f"Kind {kind}") for kind in kinds)]

    text, *tables = merge_tables({"A": screen("st"), "B": screen("t")})
    assert (text.caption, len(text.columns)) == ("What it means", 0)
    assert [(table.caption, list(table["collection"])) for table in tables] == [
        ("Kind s", ["A"]),
        ("Kind t", ["A", "B"]),
    ]


def test_merged_tables_fit_a_terminal_of_80_columns() -> None:
    numbers = {f"quite_a_long_name_{n}": [0.5, 0.25] for n in range(8)}
    one = Table("t", {"measure": ["AP", "nDCG@10"], "system": ["a", "b"], **numbers})
    (table,) = merge_tables({"Robust 2003": [one], "TREC-8": [one]})
    text = re.sub(r"\x1b\[[0-9;]*m", "", to_terminal([table], tty=True, width=80))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("0.5000") == text.count("0.2500") == 16
