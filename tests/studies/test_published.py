"""Printed numbers beside ours: shown where the data are the paper's, each with its source."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import irassay
from irassay import Result, demo
from irassay.result import Table
from irassay.studies.papers import KEYS, paper_of
from irassay.studies.papers.beside_printed import for_screen, printed_values
from irassay.studies.papers.published import PUBLISHED
from irassay.studies.papers.reshape import rows

MODEL = demo.Model(systems=5, groups=2, null_pairs=1, depth=40, documents=2000, pool_depth=20, seed=2)
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


def data(folder: Path, topics: range) -> Any:
    """The demo collection with other names of topics."""
    demo.write(MODEL, folder, topics=range(len(topics)))
    names = {str(k): str(topic) for k, topic in zip(demo_topics(folder), topics, strict=True)}
    for path in (folder / "qrels.txt", *(folder / "runs").iterdir()):
        lines = [line.split(maxsplit=1) for line in path.read_text().splitlines()]
        path.write_text("".join(f"{names[topic]} {rest}\n" for topic, rest in lines))
    return folder / "qrels.txt", folder / "runs"


def demo_topics(folder: Path) -> list[str]:
    return sorted({line.split()[0] for line in (folder / "qrels.txt").read_text().splitlines()}, key=int)


def context(key: str, topics: range, systems: int, corpus_size: int | None = None) -> Any:
    """As much of a `PaperContext` as the recognition of collections looks at."""
    panel = SimpleNamespace(topics=[str(topic) for topic in topics], systems=[f"s{k}" for k in range(systems)])
    return SimpleNamespace(paper=paper_of(key), panel=panel, settings=SimpleNamespace(corpus_size=corpus_size))


def test_every_printed_number_has_a_paper_a_table_and_a_source() -> None:
    assert {one.paper for one in PUBLISHED} <= set(KEYS)
    assert len({(one.paper, one.table) for one in PUBLISHED}) == len(PUBLISHED)
    for one in PUBLISHED:
        items = {item.number for item in paper_of(one.paper).items}
        assert one.table.partition("_")[0] in items
        assert one.source.startswith("Table ")
        assert all(np.isfinite(value) for column in one.values.values() for value in column.values())
        assert len({len(column) for column in one.values.values()}) == 1 or one.table == "T6"


@pytest.mark.parametrize(
    ("key", "topics", "systems", "corpus_size", "shown"),
    [
        ("zobel2020corpus", range(401, 451), 129, 528_155, True),
        ("zobel2020corpus", range(401, 451), 129, None, False),
        ("zobel2020corpus", range(401, 451), 128, 528_155, False),
        ("zobel2020corpus", range(351, 401), 129, 528_155, False),
        ("yang2018variance", range(401, 451), 129, None, True),
        ("yang2018variance", range(401, 450), 129, None, False),
        ("sakai2008incomplete", range(601, 651), 5, None, True),
        ("sakai2008incomplete", range(401, 451), 129, None, False),
    ],
)
def test_a_collection_is_recognised_by_what_it_is(
    key: str, topics: range, systems: int, corpus_size: int | None, shown: bool
) -> None:
    number, column, row = {
        "zobel2020corpus": ("T3", "mean_sd", "AP"),
        "yang2018variance": ("T1", "krcc", "bst"),
        "sakai2008incomplete": ("T3", "discriminative_power", "Q"),
    }[key]
    name = "model" if key == "yang2018variance" else "measure"
    table = Table(number, {name: [row, "another"], column: [0.5, 0.25]}, "A caption", {column: 3})
    ((beside, count),) = printed_values(context(key, topics, systems, corpus_size), table)
    assert (f"{column}_printed" in beside.columns) == shown
    assert count == shown
    if shown:
        (value, other), (difference, no_difference) = beside[f"{column}_printed"], beside[f"{column}_difference"]
        assert difference == 0.5 - float(str(value))
        assert (other, no_difference) == (None, None)
        assert beside.digits[f"{column}_printed"] == 3
        assert "from the paper's Table" in beside.caption


def test_ideal_lists_need_no_data_and_stand_beside_the_printed_ones(tmp_path: Path) -> None:
    result = irassay.paper("sakai2008incomplete", *data(tmp_path / "c", range(1, 7)), resamples=20)
    table = rows(result["T1"])
    for row in table:
        for name in ("RBP.5", "RBP.8", "RBP.95"):
            assert row[f"{name}_difference"] == pytest.approx(0, abs=0.00005)  # four decimals are printed
    assert result.provenance["printed_values"] == 12
    assert all("_printed" not in name for name in result["T3"].columns)
    assert "T6_printed" not in {one.name for one in result.tables}


def test_on_a_screen_each_printed_number_has_a_line() -> None:
    table = Table(
        "T3", {"measure": ["Q", "AP"], "mean_sd": [0.1, 0.2], "sd_sd": [0.3, 0.4]}, "A caption", {"mean_sd": 3}
    )
    ((beside, _),) = printed_values(context("zobel2020corpus", range(401, 451), 129, 528_155), table)
    own, lines = for_screen(beside)
    assert (dict(own.columns), own.caption, dict(own.digits)) == (dict(table.columns), "A caption.", {"mean_sd": 3})
    assert rows(lines) == [
        {"measure": "AP", "of": "mean_sd", "ours": 0.2, "printed": 0.046, "difference": 0.2 - 0.046},
        {"measure": "AP", "of": "sd_sd", "ours": 0.4, "printed": 0.035, "difference": 0.4 - 0.035},
    ]
    assert "Table 3 (TREC-8 ad hoc); difference is ours less that" in lines.caption
    assert for_screen(table) == [table]


def test_the_new_topics_of_robust_2003_have_the_printed_numbers_and_a_caution(tmp_path: Path) -> None:
    result: Result = irassay.paper("sakai2008incomplete", *data(tmp_path / "c", range(601, 651)), resamples=20)
    statistics = {row["what"]: row for row in rows(result["T2"])}
    assert statistics["R (relevant), mean"]["value_printed"] == 33.2
    assert statistics["topics"]["value_difference"] == 0
    power = {row["measure"]: row for row in rows(result["T3"])}
    assert power["Q"]["discriminative_power_printed"] == 0.667  # 80 of 120
    assert power["Q"]["discriminative_power_difference"] == pytest.approx(power["Q"]["discriminative_power"] - 0.667)
    assert "other runs differ" in result["T3"].caption
    assert "Table 3 (a), p. 459" in result["T3"].caption
    pairs = {(row["measure_a"], row["measure_b"]): row for row in rows(result["T6_printed"])}
    assert len(pairs) == 9 * 8 / 2
    assert pairs["Q", "Q'"]["tau_printed"] == 0.991
    assert pairs["bpref_R", "AP'"]["tau_printed"] == 0.913
    triangle = {row["measure"]: row for row in rows(result["T6"])}
    assert pairs["AP", "nDCG'"]["tau"] == triangle["AP"]["nDCG'"]
    assert any("the paper prints" in sentence for sentence in result.findings)
