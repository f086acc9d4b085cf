"""Runs and judgments come out of any file as they were put in: packing, line ends, names, blocks, formats."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay import align, read_qrels, read_runs
from irassay.errors import IrassayWarning
from irassay.read import tokens
from irassay.read.vocabulary import text
from tests.helpers.files import PACKERS, RUN, Row, file, grades_of, rows_of

ROWS = [(b"401", b"FT911-3", 2.5, 1), (b"402", b"FT911-1", 1.5, 2), (b"402", b"FT911-3", 0.5, 3)]


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("name", ["run", "run.txt", "run.gz", "run.xz", "run.zst"])
def test_the_content_tells_how_a_file_is_packed_whatever_its_name(tmp_path: Path, packing: str, name: str) -> None:
    assert rows_of(read_runs(file(tmp_path, PACKERS[packing](RUN), name))) == ROWS


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: lzma.compress(data, preset=0), zstd.compress])
def test_a_packed_file_longer_than_one_piece_is_unpacked_whole(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    lines = [b"%d Q0 doc%d 1 %d t\n" % (n % 7, n, 9 * n) for n in range(200_000)]  # 4 MB
    run = read_runs(file(tmp_path, pack(b"".join(lines))))["t"]
    assert run.score.tolist() == [9.0 * n for n in range(200_000)]


def test_a_topic_that_begins_like_a_bzip2_file_is_text(tmp_path: Path) -> None:
    assert rows_of(read_runs(file(tmp_path, b"BZh91 Q0 d 1 1 t\n"))) == [(b"BZh91", b"d", 1.0, 1)]


BLANKS = st.lists(st.sampled_from([b" ", b"\t"]), min_size=1, max_size=3).map(b"".join)
# any bytes but blanks, control characters and what opens a comment or a byte-order mark
LETTERS = [chr(c) for c in range(36, 256) if c not in (0x7F, 0xEF)]
WORDS = st.text(alphabet=LETTERS, min_size=1, max_size=40).map(lambda word: word.encode("latin-1"))
BETWEEN = st.lists(st.sampled_from([b"", b"  \t", b"# 1 Q0 d 1 1 t", b"\t#x"]), max_size=2)


@st.composite
def written(draw: st.DrawFn) -> tuple[bytes, list[Row]]:
    """A run as someone could have written it, and its rows."""
    topics = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    documents = draw(st.lists(WORDS, min_size=1, max_size=8, unique=True))
    pairs = draw(st.lists(st.sampled_from([(t, d) for t in topics for d in documents]), min_size=1, unique=True))
    end = draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    lines: list[bytes] = []
    rows: list[Row] = []
    for n, (topic, document) in enumerate(pairs):
        lines += draw(BETWEEN)
        line = draw(st.sampled_from([b"", b" ", b"\t "])) + topic
        for word in (b"Q0", document, b"%d" % n, b"%d.25" % n, b"tag"):
            line += draw(BLANKS) + word
        lines.append(line + draw(st.sampled_from([b"", b" "])))
        rows.append((topic, document, n + 0.25, len(lines)))
    bom, last = draw(st.sampled_from([b"", b"\xef\xbb\xbf"])), draw(st.sampled_from([b"", end]))
    return bom + end.join(lines) + last, rows


@given(written(), st.sampled_from([1, 13, 64, 1 << 20]), st.sampled_from([1, 2, 4]))
@settings(max_examples=200, deadline=None)
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_any_blanks_line_ends_and_bytes_give_the_same_rows_and_lines_for_any_block_size_and_jobs(
    tmp_path_factory: pytest.TempPathFactory, case: tuple[bytes, list[Row]], block: int, jobs: int
) -> None:
    content, rows = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "BLOCK", block)
        path = file(tmp_path_factory.getbasetemp(), content)
        assert rows_of(read_runs(path, jobs=jobs)) == rows


def test_lines_far_down_a_file_of_several_real_blocks_are_right(tmp_path: Path) -> None:
    lines = [b"%d Q0 doc-%07d 1 %d.5 tag\n" % (n % 50, n, n) for n in range(400_000)]  # 10 MB, two blocks
    for place in (0, 100, 399_000):
        lines.insert(place, b"# here\n\n")
    with pytest.warns(IrassayWarning, match="ignored 3 comment lines"):
        run = read_runs(file(tmp_path, b"".join(lines)))["tag"]
    assert run.score.tolist() == [n + 0.5 for n in range(400_000)]
    assert [run.line(n) for n in (0, 97, 98, 99, 398_997, 398_998, 399_999)] == [
        3, 100, 101, 104, 399_002, 399_005, 400_006
    ]  # fmt: skip
    assert run.where(99).endswith("run.txt:104")


def test_thousands_of_topics_interleaved_line_by_line_score_as_if_they_stood_together(tmp_path: Path) -> None:
    cells = [(t, d) for d in range(6) for t in range(3000)]
    line = "{0} Q0 d{1} {1} {2} t\n"
    mixed = file(tmp_path, "".join(line.format(t, d, -d) for t, d in cells).encode(), "mixed")
    together = file(tmp_path, "".join(line.format(t, d, -d) for t, d in sorted(cells)).encode(), "together")
    qrels = {str(t): {"d0": t % 2, f"d{t % 6}": 1} for t in range(3000)}
    runs = read_runs(mixed, together, names="file")
    assert sorted(r[:3] for r in rows_of(runs, "mixed")) == sorted(r[:3] for r in rows_of(runs, "together"))
    one, other = align(qrels, runs, order="rank").score("AP")["AP"].values
    assert one.tolist() == other.tolist()
    assert (one > 0).all()


def test_a_topic_may_have_more_than_65535_documents(tmp_path: Path) -> None:
    n = 70_000
    path = file(tmp_path, b"".join(b"1 Q0 d%d %d %d t\n" % (k, k, n - k) for k in range(n)))
    runs = read_runs(path)
    assert [row[1] for row in rows_of(runs)] == [b"d%d" % k for k in range(n)]
    panel = align({"1": {f"d{n - 1}": 1}}, runs)
    assert panel.score("RR")["RR"].values[0, 0] == 1 / n


PREFIX = b"clueweb12-0000wb-00-0000"  # 24 bytes, what a record holds of a name
NAMES = [PREFIX, PREFIX[:23], PREFIX + b"1", PREFIX + b"2", PREFIX + b"12", PREFIX[:16], PREFIX[:17], PREFIX[:8]]
NAMES += [PREFIX[:7], b"x" * 10_000, b"x" * 10_000 + b"y", b"x" * 9_999 + b"y", b"x", b"xx", b"\xff" * 30, b"\xfe" * 30]


@pytest.mark.parametrize("block", [1, 500, 1 << 23])
def test_long_names_and_names_that_begin_alike_are_distinguished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    run = b"".join(b"7 Q0 %s 1 0 a\n8 Q0 %s 1 0 a\n" % (name, name) for name in NAMES)
    runs = read_runs(file(tmp_path, run))
    assert [row[:2] for row in rows_of(runs)] == [(t, name) for name in NAMES for t in (b"7", b"8")]
    assert not len(runs["a"].repeats)
    qrels = read_qrels(file(tmp_path, b"".join(b"7 0 %s %d\n" % (name, k) for k, name in enumerate(NAMES)), "qrels"))
    assert grades_of(qrels) == {(b"7", name): k for k, name in enumerate(NAMES)}
    assert [NAMES[e] for e in qrels.order] == sorted(NAMES)
    entries = runs.vocabulary.find(qrels.vocabulary)
    assert runs.vocabulary.names(entries) == NAMES


def test_topics_are_text_and_may_be_long_and_alike(tmp_path: Path) -> None:
    topics = [b"1", b"01", b"001", PREFIX, PREFIX + b"1", PREFIX + b"2", b"t" * 10_000, b"t\xe9"]
    runs = read_runs(file(tmp_path, b"".join(b"%s Q0 d 1 0 a\n" % topic for topic in topics)))
    assert list(runs.vocabulary.topics) == topics
    assert text(topics[-1]) == "t\udce9"


def test_extra_columns_are_counted_and_change_nothing(tmp_path: Path) -> None:
    wide = RUN.replace(b"bm25\n", b"bm25 and more\n", 2)
    with pytest.warns(IrassayWarning, match=r"run.txt: ignored extra columns on 2 lines \[ignored\]"):
        runs = read_runs(file(tmp_path, wide))
    assert rows_of(runs, "bm25") == ROWS
    with pytest.warns(IrassayWarning, match=r"ignored extra columns on 1 lines"):
        qrels = read_qrels(file(tmp_path, b"1 0 a 1 2 3 4\n1 0 b 0\n", "qrels"))
    assert grades_of(qrels) == {(b"1", b"a"): 1, (b"1", b"b"): 0}


@pytest.mark.parametrize(
    "content",
    [
        b"# made by hand\r\n9\tQ0  \td1\t-2\r\n\r\n 10 0 d1 +3 \r\n9 0 d2 007",
        b"# made by hand\r9 0 d1 -2\r\r10 0 d1 3\r9 0 d2 7\r",
        b"\xef\xbb\xbf# made by hand\n9 0 d1 -2\n10 0 d1 3\n9 0 d2 7\n",
    ],
)
def test_judgments_may_be_written_in_as_many_ways(tmp_path: Path, content: bytes) -> None:
    with pytest.warns(IrassayWarning, match="ignored 1 comment lines"):
        qrels = read_qrels(file(tmp_path, content))
    assert grades_of(qrels) == {(b"9", b"d1"): -2, (b"10", b"d1"): 3, (b"9", b"d2"): 7}
    assert (qrels.run_order, qrels.topics, len(qrels)) == ("trec", ("9", "10"), 3)


@pytest.mark.parametrize("block", [1, 30, 1 << 23])
def test_a_repeated_document_is_known_by_its_row_and_its_first_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    lines = [b"1 Q0 a 1 9 t\n", b"1 Q0 b 2 8 t\n", b"2 Q0 a 1 9 t\n", b"\n", b"1 Q0 a 3 7 t\n", b"2 Q0 a 2 8 t\n"]
    path, other = file(tmp_path, b"".join(lines)), file(tmp_path, lines[0].replace(b"t", b"u"), "other")
    runs = read_runs(path, other)
    run = runs["t"]
    assert run.repeats.tolist() == [3, 4]
    assert [run.first_row(row) for row in (3, 4)] == [0, 2]
    assert run.where(3) == f"{path}:5"
    assert not len(runs["u"].repeats)


def test_control_characters_that_are_no_blanks_belong_to_names(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(b"1 Q0 d\x1b[31m 1 0.5 a\x01b\n1\x0bQ0\x0cd2 2 0.25 a\x01b\n")
    (run,) = read_runs(path)
    assert run.tag == "a\x01b"
    runs = read_runs(path)
    assert runs.vocabulary.names(run.entry) == [b"d\x1b[31m", b"d2"]
