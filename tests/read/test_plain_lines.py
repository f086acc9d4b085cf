"""Reading without kernels gives what kernels give: rows, numbers, line numbers, names, order, errors."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irassay import Qrels, Runs, read_qrels, read_runs
from irassay.read import constants
from irassay.read import tokens as reading
from irassay.read.files import padded
from irassay.read.lines import Layout, split_file
from irassay.read.registry import TableFile
from tests.helpers.compilation import both_ways, equal
from tests.helpers.random_collections import random_collection

NUMBERS = ["0", "1", "2", "-3", "+4", "1.5", "2e-3", "1e400", "inf", "nan", "1_0", "0x1", "999999999", "1000000000"]
NAMES = [
    "401",
    "402",
    "d1",
    "d2",
    "D" * 30,
    "D" * 29 + "e",
    "Q0",
    "é",
    "#",
    "#c",
    "t",
    "-",
    ".",
    "1.2.3",
    "\x1c",
    "1\0",
]
WORDS = st.sampled_from([*NUMBERS, *NAMES, "1\0"])
BLANKS = st.sampled_from([" ", "\t", "  ", " \t ", "\v", "\f"])
LINES = st.lists(
    st.lists(st.tuples(BLANKS, WORDS), max_size=8).map(lambda cells: "".join(blank + word for blank, word in cells)),
    min_size=1,
    max_size=12,
)
ROWS = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.sampled_from(["d", "e", "f" * 25]), st.sampled_from("1234"), st.sampled_from("123")
    ).map(lambda row: "{} Q0 {} {} {} t".format(*row)),
    max_size=12,
)


def columns(block: reading.Block) -> list[Any]:
    """All that is in a block, but for hashes and for how many numbers were slow to read."""
    values = {field.name: getattr(block, field.name) for field in dataclasses.fields(block)}
    stats = values.pop("stats").copy()
    stats[constants.SLOW] = 0
    del values["doc_hash"], values["data"]
    return [*values.values(), stats]


@given(lines=st.one_of(LINES, ROWS), end=st.sampled_from(["\n", "\r\n"]), wide=st.booleans())
def test_any_lines_become_the_same_columns(lines: list[str], end: str, wide: bool) -> None:
    data = padded("".join(line + end for line in lines).encode())
    layout = reading.RUN if wide else reading.QRELS
    plain, compiled = both_ways(lambda: columns(reading.tokenise(data, 0, len(data), layout)))
    assert equal(plain, compiled), (plain, compiled)


def test_lines_of_a_later_block_become_the_same_columns() -> None:
    first, second = b"1 Q0 d 1 2 t\n", b"# c\n1 Q0 e 1 1 u\n1 Q0\n2 Q0 f 2 x u more\n"
    data = padded(first + second)
    plain, compiled = both_ways(lambda: columns(reading.tokenise(data, len(first), len(data), reading.RUN)))
    assert equal(plain, compiled), (plain, compiled)


CELLS = st.sampled_from(["a", " a ", '"a"', '"a,b" ', ' " a"', '"', '"a""b"', "", " ", "1.5", "x\ty", '"a"b', '"\t"'])


@given(
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=6),
    separator=st.sampled_from([",", "\t", "\x1f", " "]),
    skipped=st.lists(st.sampled_from(["", "# c", " \t", "  #"]), max_size=2),
)
def test_any_cells_stand_in_the_same_places(rows: list[list[str]], separator: str, skipped: list[str]) -> None:
    data = padded("".join(line + "\n" for line in [*skipped, *map(separator.join, rows)]).encode())
    mark = constants.BLANKS if separator == " " else ord(separator)

    def cells() -> Any:
        split = split_file(TableFile(Path("f"), data, "score"), 0, 0, Layout(mark, 3, (2, 0), "a b c"))
        return [names.words() for names in split.cells], split.skipped, split.stats

    plain, compiled = both_ways(cells)
    assert equal(plain, compiled), (plain, compiled)


@pytest.mark.parametrize("word", ["1", "-0.0", "1e5", "+.5", "5.", "inf", "-Infinity", "1e-400", "0." + "3" * 40])
@pytest.mark.parametrize("bad", ["", "x", "nan", "1_0", "1e", "e5", ".", "--1", "1..2", "0x10"])
def test_the_same_words_are_numbers(word: str, bad: str) -> None:
    lines = padded(f"1,{word}\n1,{bad}\n".encode())

    def numbers(wanted: slice) -> Any:
        split = split_file(TableFile(Path("f"), lines, "score"), 0, 0, Layout(ord(","), 2, (1,), "a b"))
        split = split._replace(cells=[split.cells[0].take(np.arange(2)[wanted])])
        return split.numbers(0, "score")

    plain, compiled = both_ways(lambda: numbers(slice(1)))
    assert equal(plain, compiled)
    assert isinstance(plain, np.ndarray)
    plain, compiled = both_ways(lambda: numbers(slice(2)))
    assert plain == compiled
    assert "is not a number" in plain[1] or "NaN" in plain[1]


def content(qrels: Qrels, runs: Runs) -> list[Any]:
    """All that was read."""
    vocabularies = [
        [list(one.topics.items()), one.topic, one.names(np.arange(len(one))), one.record, one.sizes]
        for one in (qrels.vocabulary, runs.vocabulary)
    ]
    fields = [
        [getattr(run, field.name) for field in dataclasses.fields(run) if field.name != "survey"]
        + [getattr(run.survey, field) for field in run.survey._fields]
        for run in runs
    ]
    return [*vocabularies, qrels.grade, qrels.order, fields, runs.vocabulary.find(qrels.vocabulary)]


@pytest.mark.parametrize("spacing", ["tied", "distinct", "close"])
@pytest.mark.parametrize("block", [60, 1 << 23])
def test_random_collections_are_read_alike(
    spacing: Any, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    qrels, runs = random_collection(3, spacing=spacing).write(tmp_path)
    long_names = qrels.read_text().replace("D0", "D" * 30)
    qrels.write_text(long_names)
    for run in runs.iterdir():
        run.write_text(run.read_text().replace("D0", "D" * 30))
    plain, compiled = both_ways(lambda: content(read_qrels(qrels), read_runs(runs)))
    assert equal(plain, compiled)


def test_documents_that_a_list_repeats_are_the_same_rows_in_any_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{n % 3} Q0 d{n * 7 % 11} {n} {-n} t\n" for n in range(40)]
    (tmp_path / "run").write_text("".join(rows))
    for block in (50, 1 << 23):
        monkeypatch.setattr(reading, "BLOCK", block)
        plain, compiled = both_ways(lambda: read_runs(tmp_path / "run")["t"].repeats.tolist())
        assert plain == compiled
        assert len(plain) > 5


def test_judgments_read_without_kernels_go_with_runs_read_by_them_and_the_other_way_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = random_collection(5).write(tmp_path)

    def entries(first: str, second: str) -> Any:
        monkeypatch.setenv("IRASSAY_COMPILE", first)
        judgments = read_qrels(qrels)
        monkeypatch.setenv("IRASSAY_COMPILE", second)
        vocabulary = read_runs(runs).vocabulary
        monkeypatch.setenv("IRASSAY_COMPILE", "always")
        return vocabulary.find(judgments.vocabulary).tolist(), judgments.vocabulary.find(vocabulary).tolist()

    expected = entries("always", "always")
    assert max(expected[0]) > 0
    for first, second in (("never", "never"), ("never", "always"), ("always", "never")):
        assert entries(first, second) == expected
