"""An input format is one file in `read/formats`, recognised by content."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from irassay import read_qrels
from irassay.read import formats, registry

COMMAS = """
from irassay.read.files import padded
from irassay.read.registry import TextFormat
from irassay.read.tokens import written_lines


def _rewrite(data, path):
    rows = (line.split(b",") for line in data.tobytes().splitlines())
    return padded(b"".join(b"%s 0 %s %s\\n" % tuple(row) for row in rows))


COMMAS = TextFormat("judgments", lambda data: next(written_lines(data))[0].count(b",") == 2, _rewrite, run_order="rank")
"""


@pytest.fixture
def with_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "formats"
    folder.mkdir()
    (folder / "commas.py").write_text(COMMAS)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    registry.formats.cache_clear()
    yield
    registry.formats.cache_clear()
    sys.modules.pop("irassay.read.formats.commas", None)


@pytest.mark.usefixtures("with_commas")
def test_a_format_in_a_file_of_its_own_is_found_and_recognised(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    path.write_text("1,a,2\n1,b,0\n")
    qrels = read_qrels(path)
    assert (qrels.grade.tolist(), qrels.topics, qrels.run_order) == ([2, 0], ("1",), "rank")
    path.write_text("1 0 a 2\n")
    assert read_qrels(path).run_order == "trec"
