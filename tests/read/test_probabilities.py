"""Files of probabilities of relevance."""

from __future__ import annotations

from pathlib import Path

import pytest

from irassay.errors import InputError
from irassay.read.probabilities import read_probabilities


def test_a_file_has_a_probability_for_each_topic_and_document(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_bytes("# mine\n401 d1 0.25\n401 d2 1\n\n402 d\xff1 1e-3\n401 d1 0.25\n".encode("latin-1"))
    assert read_probabilities(path) == {"401": {"d1": 0.25, "d2": 1.0}, "402": {"d\udcff1": 0.001}}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("401 d1", r"p\.txt:2: expected 3 columns \(topic document probability\), found 2"),
        ("401 d1 0.5 x", r"p\.txt:2: expected 3 columns"),
        ("401 d1 1.5", r"p\.txt:2: '1\.5' is no probability"),
        ("401 d1 -0.1", r"p\.txt:2: '-0\.1' is no probability"),
        ("401 d1 nan", r"p\.txt:2: 'nan' is no probability"),
        ("401 d1 often", r"p\.txt:2: 'often' is no probability"),
        ("401 d0 0.5", r"p\.txt:2: document d0 of topic 401 has 0\.25 in line 1"),
    ],
)
def test_a_line_that_is_no_probability_is_an_error_with_its_place(line: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text(f"401 d0 0.25\n{line}\n")
    with pytest.raises(InputError, match=what) as error:
        read_probabilities(path)
    assert "one line per document: topic document probability" in error.value.hint


def test_a_file_without_a_document_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("# nothing\n")
    with pytest.raises(InputError, match="the file names no document"):
        read_probabilities(path)
