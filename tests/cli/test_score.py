"""`irassay score` in every format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irassay import align, read_qrels, read_runs
from tests.helpers.shell import FIRST, Done, Shell


def scored(*, per_topic: bool = False, measures: str = "AP nDCG@10 P@10 RR") -> list[tuple[Any, ...]]:
    panel = align(read_qrels("qrels.txt"), read_runs("runs"))
    return list(panel.score(measures).long(per_topic=per_topic).rows())


def test_csv_is_unrounded_and_equal_to_the_scores_in_python(shell: Shell) -> None:
    done = shell.score("--format", "csv")
    assert (done.status, done.err) == (0, "")
    assert done.rows[0] == ["system", "measure", "score"]
    assert [(s, m, float(x)) for s, m, x in done.rows[1:]] == scored()
    topical = shell.score("--format", "csv", "--per-topic", "-m", "AP Q")
    assert topical.rows[0] == ["system", "topic", "measure", "score"]
    expected = scored(per_topic=True, measures="AP Q")
    assert [(s, t, m, float(x)) for s, t, m, x in topical.rows[1:]] == expected


def test_wide_has_a_row_per_topic_and_a_column_per_system(shell: Shell) -> None:
    done = shell.score("--format", "csv", "--wide", "-m", "RR")
    assert done.rows == [["topic", "first", "second"], ["1", "0.5", "1.0"], ["2", "1.0", "0.5"]]
    done = shell.score("--wide", "-m", "RR", "-m", "P@1")
    assert done.out.decode().split()[:4] == ["topic", "measure", "first", "second"]
    assert shell.score("--wide", "--format", "trec").status == 2


def test_measures_may_be_given_in_several_options(shell: Shell) -> None:
    several = shell.score("-m", "AP", "-m", "P@10 RR", "--format", "csv")
    assert [row[1] for row in several.rows[1:]] == ["AP", "P@10", "RR"] * 2
    assert several == shell.score("-m", "AP P@10 RR", "--format", "csv")


def test_json_holds_the_scores_and_how_they_came_about(shell: Shell) -> None:
    content = json.loads(shell.score("--format", "json", "--depth", "7").out)
    assert [tuple(row.values()) for row in content["scores"]] == scored()
    assert content["provenance"]["depth"] == 7
    assert content["provenance"]["qrels"] == "qrels.txt"
    assert set(content) == {"provenance", "scores", "measures"}


def test_parquet_holds_the_same_rows_and_needs_a_file(shell: Shell) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert shell.score("--format", "parquet").status == 2
    assert shell.score("--format", "parquet", "-o", "s.parquet") == Done(0, b"", "")
    rows = parquet.read_table("s.parquet").to_pylist()
    assert [tuple(row.values()) for row in rows] == scored()


def test_trec_format_is_one_block_per_system_in_trec_evals_words(shell: Shell) -> None:
    done = shell.score("--format", "trec", "-m", "AP P@10 nDCG@10 RBP(p=0.5)")
    lines = [line.split("\t") for line in done.out.decode().splitlines()]
    assert [name.strip() for name, _, _ in lines] == ["runid", "map", "P_10", "ndcg_cut_10", "RBP(p=0.5)"] * 2
    assert [topic for _, topic, _ in lines] == ["all"] * 10
    assert lines[0] == ["runid".ljust(22), "all", "first"]
    assert lines[1] == ["map".ljust(22), "all", "0.6250"]
    topical = shell.score("--format", "trec", "-m", "AP GM(AP)", "--per-topic").out.decode().splitlines()
    assert [line.split("\t")[1] for line in topical] == ["all", "1", "2", "all", "all"] * 2


def test_the_table_is_for_people(shell: Shell) -> None:
    lines = shell.score("-m", "AP RR").out.decode().splitlines()
    assert lines[0] == "The highest score of 2 systems: AP first (0.625) and RR first (0.750)."
    assert lines[2].startswith("2 systems, 2 topics")
    alone = shell("score", "qrels.txt", "runs/first.txt", "-m", "AP RR").out.decode().splitlines()
    assert alone[0] == "The scores of first: AP 0.625 and RR 0.750."
    assert [line.split() for line in lines[6:]] == [["first", "0.62", "0.75"], ["second", "0.50", "0.75"]]
    topical = shell.score("-m", "AP RR", "--per-topic").out.decode().splitlines()
    assert [line.split()[:2] for line in topical[6:]] == [
        ["first", "1"],
        ["first", "2"],
        ["second", "1"],
        ["second", "2"],
    ]


def test_digits_are_as_many_as_asked_for(shell: Shell) -> None:
    lines = shell.score("-m", "AP RR", "--digits", "1").out.decode().splitlines()
    assert [line.split() for line in lines[6:]] == [["first", "0.6", "0.8"], ["second", "0.5", "0.8"]]


def test_names_that_hold_anything_survive_in_csv_and_do_no_harm_on_a_screen(shell: Shell) -> None:
    for name, cell in {
        b'co,m"ma': 'co,m"ma',
        b"=1+1": "'=1+1",
        b"[red]x[/red]": "[red]x[/red]",
        "\u009b31mred".encode(): "\u009b31mred",
        b"caf\xe9": "caf\udce9",
        "naïve-文".encode(): "naïve-文",
    }.items():
        shell.name(name)
        assert shell.score("--format", "csv", "-m", "AP").rows[1][0] == cell
        assert shell.score("-m", "AP").out.decode("utf-8", "surrogateescape").replace("\n", "").isprintable()
        assert (
            json.loads(shell.score("--format", "json", "-m", "AP").out)["scores"][0]["system"].encode(
                "utf-8", "surrogateescape"
            )
            == name
        )
    shell.name(b"[red]x[/red]")
    assert "[red]x[/red]" in shell.score("-m", "AP").out.decode()


def test_a_file_name_with_spaces_and_escapes_names_its_system(shell: Shell) -> None:
    odd = shell.folder / "runs" / "a b \x1b[2J.txt"
    odd.write_text(FIRST)
    done = shell.score("--format", "csv", "-m", "RR")
    assert [row[0] for row in done.rows[1:]] == ["a b \x1b[2J.txt", "first.txt", "second.txt"]
    odd.write_text("1 Q0 a\n")
    done = shell.score()
    assert done.status == 2
    assert "\x1b" not in done.err
    assert r"a b \x1b[2J.txt:1: expected 6 columns" in done.err
