"""Every file that cannot be used is refused with its place, what is wrong and a way out."""

from __future__ import annotations

import gzip
import lzma
import random
import re
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from irassay import read_qrels, read_runs
from irassay.errors import InputError, IrassayWarning, MissingExtraError
from irassay.read import files, tokens
from irassay.read.groups import read_groups
from tests.helpers.files import PACKERS, RUN, file, grades_of, lines_of, refusal

QRELS = b"401 0 FT911-3 1\n401 0 FT911-1 0\n"
Reader = Callable[[Path], Any]
READERS: list[Reader] = [read_runs, read_qrels]


BAD_SCORES = ["abc", "1_000", "0x10", "1e", "1e+", "--1", "+-1", ".", "-", "e5", "1.2.3", "1,5", "१", "1e1.5", "infi"]


@pytest.mark.parametrize("score", BAD_SCORES)
def test_a_score_that_is_no_number_is_refused_and_quoted(tmp_path: Path, score: str) -> None:
    path = file(tmp_path, RUN + f"# fine\n\n402 Q0 d 3 {score} bm25\n".encode())
    error = refusal(read_runs, path)
    assert str(error).splitlines()[0] == f"{path}:6: score {score!r} is not a number"
    assert "topic Q0 document rank score tag" in error.hint


@pytest.mark.parametrize("score", ["nan", "NaN", "-nan", "+NAN"])
def test_a_score_that_is_not_a_number_is_refused_as_such(tmp_path: Path, score: str) -> None:
    path = file(tmp_path, RUN + f"402 Q0 d 3 {score} bm25\n".encode())
    error = refusal(read_runs, path)
    assert (error.where, error.what) == (f"{path}:4", "the score is NaN")
    assert "drop the line" in error.hint


BAD_GRADES = {
    "1.0": "not a whole number between -127 and 127",
    "1.5": "not a whole number between -127 and 127",
    "x": "not a whole number between -127 and 127",
    "-": "not a whole number between -127 and 127",
    "1e0": "not a whole number between -127 and 127",
    "nan": "not a whole number between -127 and 127",
    "1000": "not between -127 and 127",
    "128": "not between -127 and 127",
    "-128": "not between -127 and 127",
    "99999999999": "not between -127 and 127",
    "-2147483648": "not between -127 and 127",
}


@pytest.mark.parametrize("grade", BAD_GRADES)
def test_a_grade_that_is_not_a_small_whole_number_is_refused_as_it_was_written(tmp_path: Path, grade: str) -> None:
    path = file(tmp_path, QRELS + f"\n402 0 d {grade}\n402 0 e 1\n".encode())
    error = refusal(read_qrels, path)
    assert str(error).splitlines()[0] == f"{path}:4: grade {grade!r} is {BAD_GRADES[grade]}"
    assert "topic 0 document grade" in error.hint


@pytest.mark.parametrize("block", [1, 40, 1 << 23])
def test_all_malformed_lines_are_reported_together_in_the_order_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    path = file(tmp_path, b"1 Q0 a 1 x t\n# y\n1 Q0 b\n1 Q0 c 3 1 t\n1 Q0 d 4 NaN t\n\n1\n1 Q0 e 5 1 t\n1 Q0 f 6 z t\n")
    error = refusal(read_runs, path)
    assert lines_of(error) == [1, 3, 5, 7, 9]
    assert [problem.what for problem in error.problems] == [
        "score 'x' is not a number",
        "expected 6 columns (topic Q0 document rank score tag), found 3",
        "the score is NaN",
        "expected 6 columns (topic Q0 document rank score tag), found 1",
        "score 'z' is not a number",
    ]
    other = file(tmp_path, b"1 0 a 1\n1 0 b\n1 0 c x\n\n1 0 d 300\n", "qrels")
    assert lines_of(refusal(read_qrels, other)) == [2, 3, 5]


@pytest.mark.parametrize("block", [1, 400, 1 << 23])
@pytest.mark.parametrize("line", [b"1 Q0 d%d 1 x t\n", b"1 Q0 d%d\n", b"1 Q0 d%d x\n"])
def test_twenty_malformed_lines_are_shown_and_the_others_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, line: bytes
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    read, good = (read_qrels, b"1 Q0 d 1\n") if line.endswith(b"d x\n") else (read_runs, b"1 Q0 d 1 2 t\n")
    path = file(tmp_path, good + b"".join(line % n for n in range(1000)))
    error = refusal(read, path)
    assert lines_of(InputError.of(error.problems[:-1])) == list(range(2, 22))
    assert str(error.problems[-1]) == f"{path}: 980 more malformed lines"
    what = error.problems[0].what
    assert str(error).splitlines()[:2] == [
        f"{path}:2: {what} (and in 19 more places, the next at {path}:3)",
        f"{path}: 980 more malformed lines",
    ]


@pytest.mark.parametrize("line", [b"1 Q0 d%d 1 x t\n", b"1 Q0 d%d\n", b"word%d\n"])
def test_a_file_without_one_good_line_is_one_problem(tmp_path: Path, line: bytes) -> None:
    path = file(tmp_path, b"\n" + b"".join(line % n for n in range(1000)))
    error = refusal(read_runs, path)
    assert [problem.where for problem in error.problems] == [str(path)]
    assert error.what.startswith("no line is as it should be; of line 2: ")


def test_bad_files_are_reported_together_with_one_hint(tmp_path: Path) -> None:
    paths = [file(tmp_path, RUN + b"402\n" * 30, f"bad{n}") for n in range(9)] + [tmp_path / "missing"]
    error = refusal(read_runs, *paths, jobs=2)
    assert [p.where for p in error.problems[19:22]] == [f"{paths[0]}:23", str(paths[0]), f"{paths[1]}:4"]
    assert len(error.problems) == 101
    assert error.problems[-1].what == "90 more problems in 10 files"
    assert refusal(read_runs, tmp_path / "a", tmp_path / "b").problems == (
        ("no such file", str(tmp_path / "a")),
        ("no such file", str(tmp_path / "b")),
    )


def test_a_message_shows_the_beginning_of_a_long_word_only(tmp_path: Path) -> None:
    error = refusal(read_runs, file(tmp_path, b"1 Q0 d 1 %s t\n" % (b"9" * 1_000_000 + b"\xffx")))
    assert error.what == f"score '{'9' * 59}…' is not a number"
    assert refusal(read_runs, file(tmp_path, b"1 Q0 d 1 \xffx t\n")).what == r"score '\udcffx' is not a number"


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("content", "what", "hint"),
    [
        (b"", "the file is empty", "give the file that was meant"),
        (gzip.compress(b"", mtime=0), "the file is empty", "give the file that was meant"),
        (b"# only\n\n \t\n#comments", "the file holds only blank and comment lines", "one line"),
        (b"\xef\xbb\xbf", "the file holds only blank and comment lines", "one line"),
        (b"\n", "the file holds only blank and comment lines", "one line"),
        (b"401 Q0 d\0 1 1 t\n", "this is a binary file, not text", "text file"),
        (gzip.compress(b"\x7fELF\0\0", mtime=0), "this is a binary file, not text", "text file"),
        (RUN.decode().encode("utf-16"), "this is UTF-16 text", "UTF-8"),
        (b"\xfe\xff" + RUN.decode().encode("utf-16-be"), "this is UTF-16 text", "UTF-8"),
        (b"PK\x03\x04rest", "this is a zip file", "gzip, xz or zstd"),
        (b"BZh91AY&SY\x01\x02", "this is a bzip2 file", "gzip, xz or zstd"),
        (gzip.compress(RUN, mtime=0) + b"x", "the gzip data is followed by something else", "again"),
        (gzip.compress(RUN, mtime=0) + RUN, "the gzip data is followed by something else", "again"),
        (lzma.compress(RUN) + RUN, "the xz data is followed by something else", "again"),
        (zstd.compress(RUN) + RUN, "the zstd data is followed by something else", "again"),
        (gzip.compress(RUN, mtime=0)[:-8] + bytes(8), "damaged gzip data \\(.*incorrect data check\\)", "again"),
    ],
)
def test_a_file_that_is_no_text_of_lines_is_refused(
    tmp_path: Path, read: Reader, content: bytes, what: str, hint: str
) -> None:
    path = file(tmp_path, content)
    error = refusal(read, path)
    assert error.where == str(path)
    assert re.fullmatch(what, error.what)
    assert hint in error.hint


@pytest.mark.parametrize("packing", [name for name in PACKERS if name != "plain" and "padding" not in name])
def test_a_packed_file_that_was_cut_anywhere_is_never_read_in_part(tmp_path: Path, packing: str) -> None:
    whole = PACKERS[packing](RUN)
    truncated = 0
    for size in range(10, len(whole)):
        try:
            runs = read_runs(file(tmp_path, whole[:size]))
        except InputError as error:
            truncated += "truncated" in error.what
        else:  # only where a member ends, which nobody can tell from a whole file
            assert " " in packing
            assert len(runs.runs[0]) <= 3
    assert truncated > 10


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: lzma.compress(data, preset=0), zstd.compress])
def test_a_decompression_bomb_is_left_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(files, "BOMB_SIZE", 16 << 20)
    monkeypatch.setattr(files, "BOMB_RATIO", 50)
    path = file(tmp_path, pack(RUN * 2_000_000))  # 160 MB
    tracemalloc.start()
    try:
        error = refusal(read_runs, path)
        assert tracemalloc.get_traced_memory()[1] < 60 << 20
    finally:
        tracemalloc.stop()
    assert "a decompression bomb?" in error.what
    assert error.where == str(path)


def test_a_zst_file_without_the_extra_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'irassay\[zstd\]'"):
        read_runs(file(tmp_path, zstd.compress(RUN)))


def test_a_run_is_not_taken_for_judgments_nor_judgments_for_a_run(tmp_path: Path) -> None:
    error = refusal(read_runs, file(tmp_path, QRELS))
    assert error.what.endswith("of line 1: expected 6 columns (topic Q0 document rank score tag), found 4")
    assert error.hint == "this looks like relevance judgments; QRELS comes first, then the runs"
    long = b"".join(b"401 %s FT911-%d %d %d bm25 x\n" % (b"%s", n, n, -n) for n in range(1, 200))
    for run in (RUN, b"# a comment\n\n" + RUN, long.replace(b"%s", b"q0"), long.replace(b"%s", b"0")):
        path = file(tmp_path, run)
        error = refusal(read_qrels, path)
        assert (error.where, error.what) == (str(path), "this looks like a run, not relevance judgments")
        assert error.hint == "QRELS comes first, then the runs"


def test_line_ends_of_two_kinds_do_not_join_lines(tmp_path: Path) -> None:
    path = file(tmp_path, b"# made on two machines\n" + RUN.replace(b"\n", b"\r") + RUN.replace(b"402", b"403"))
    error = refusal(read_runs, path)
    assert (error.where, error.what) == (
        f"{path}:2",
        "a carriage return stands inside the line: the line ends are mixed",
    )
    assert error.hint == "save the file with one kind of line ends"
    error = refusal(read_qrels, file(tmp_path, b"1 0 a 1\n" + QRELS.replace(b"\n", b"\r"), "qrels"))
    assert lines_of(error) == [2]


@pytest.mark.parametrize("block", [1, 1 << 23])
def test_repeated_judgments_are_counted_and_contradicting_ones_refused_unless_the_first_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    path = file(tmp_path, b"1 0 a 1\n2 0 a 0\n# x\n1 0 a 1\n1 0 b 2\n")
    with pytest.warns(IrassayWarning) as caught:
        assert grades_of(read_qrels(path)) == {(b"1", b"a"): 1, (b"2", b"a"): 0, (b"1", b"b"): 2}
    assert f"{path}: ignored 1 judgments that repeat another [repeated-judgments]" in [str(w.message) for w in caught]
    path = file(tmp_path, path.read_bytes() + b"\n2 0 a 3\n1 0 b 2\n1 0 b -1\n")
    error = refusal(read_qrels, path)
    assert lines_of(error) == [7, 9]
    assert error.what == "document a of topic 2 is judged twice: grade 0, then 3"
    assert error.hint == "keep the first with --duplicates first"
    with pytest.warns(IrassayWarning) as caught:
        assert grades_of(read_qrels(path, duplicates="first"))[b"2", b"a"] == 0
    assert {w.message.code for w in caught if isinstance(w.message, IrassayWarning)} == {
        "ignored", "repeated-judgments", "duplicates"
    }  # fmt: skip


FRAGMENTS = [
    b"",
    b"\x1f\x8b\x08\0",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"<SYSDESC>",
    b"1 d L1\n",
    b"1 S d 1\n",
    RUN,
    QRELS,
    b'{"1": {"d": 1',
    b'[{"qid": "1", "docid": "d", "score": 1',
    b'{"qid": "1", "docid": "d", "score": 1}\n{"qid": ',
    b"query-id\tcorpus-id\tscore\n",
    b'qid,docno,score\n1,"',
    b"1 d 1\n",
    b"PAR1",
]
ALPHABETS = [bytes(range(256)), bytes(range(1, 256)), b"1 Q0dLSB\t.-+e\n\r#", b"12  \n", b'{}[]":,1\n', b'1d,"\t\n']


@pytest.mark.parametrize("read", [lambda path: read_runs(path, jobs=1), read_qrels, read_groups])
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_random_bytes_give_a_result_or_an_input_error_and_nothing_else(tmp_path: Path, read: Reader) -> None:
    rng = random.Random(7)
    places = set()
    for _ in range(1500):
        noise = bytes(rng.choices(rng.choice(ALPHABETS), k=rng.randrange(120)))
        path = file(tmp_path, rng.choice(FRAGMENTS) + noise)
        try:
            read(path)
            places.add("")
        except InputError as error:
            places.add(str(path) if error.where.startswith(str(path)) else error.where)
    assert places == {"", str(path)}
