"""Separated columns are read as Python's csv reads them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irassay import read_runs
from tests.helpers.files import file, rows_of

LETTERS = st.characters(codec="utf-8", exclude_characters="\0\r\n\x1f\ufeff")
# blanks at the ends of a name are no part of it, and a line that begins with # is a comment
NAMES = st.text(LETTERS, min_size=1, max_size=12).filter(lambda name: name.strip() == name and name[:1] not in '#"')
BLANKS = "\t\v\f\x1c\x1d\x1e\x85\xa0 "
PLAIN = NAMES.filter(lambda name: not set(name) & set(BLANKS))
SCORES = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(
    rows=st.lists(st.tuples(PLAIN, PLAIN, SCORES, NAMES), min_size=1, max_size=20, unique_by=lambda row: row[:2]),
    separator=st.sampled_from(",;\t"),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    ending=st.sampled_from(["\n", "\r\n"]),
)
def test_cells_are_those_of_pythons_csv(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, float, str]],
    separator: str,
    quoting: int,
    ending: str,
) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=ending)  # type: ignore[arg-type]
    writer.writerow(("qid", "docno", "score", "text"))
    writer.writerows((topic, document, repr(score), text) for topic, document, score, text in rows)
    path = file(tmp_path_factory.getbasetemp(), out.getvalue().encode())
    wanted = [(t.encode(), d.encode(), s, n) for n, (t, d, s, _) in enumerate(rows, start=2)]
    assert rows_of(read_runs(path)) == wanted


def test_wide_spaces_are_part_of_a_name_where_python_reads_the_cells(tmp_path: Path) -> None:
    content = 'qid,docno,score,text\nq1,d\u3000 1,2,"a ""b"""\n'
    assert rows_of(read_runs(file(tmp_path, content.encode()))) == [(b"q1", "d\u3000 1".encode(), 2.0, 2)]


def test_quoted_cells_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    text = b'text,qid,docno,score\n"a, ""b""\nover two lines",q1,"d,1",2\n"",q1,"d ""2""",1\n'
    assert rows_of(read_runs(file(tmp_path, text))) == [(b"q1", b"d,1", 2.0, 3), (b"q1", b'd "2"', 1.0, 4)]
