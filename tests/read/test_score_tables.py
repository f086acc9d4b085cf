"""Ready-made score tables in every format that people have them in."""

from __future__ import annotations

import gzip
import math
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irassay.errors import InputError, IrassayWarning
from irassay.report.csv_text import to_csv
from irassay.report.parquet import to_parquet
from irassay.report.trec import to_trec
from irassay.scoring.score_tables import read_scores
from irassay.scoring.scores import Scores

# What trec_eval -q prints: per-topic rows, then runid first among the `all` rows.
TREC = """\
map                   \t9\t0.2000
P_10                  \t9\t0.5000
num_ret               \t9\t1000
map                   \t10\t0.4001
P_10                  \t10\t0.1000
num_ret               \t10\t900
runid                 \tall\tbm25
num_q                 \tall\t2
num_ret               \tall\t1900
map                   \tall\t0.3001
gm_map                \tall\t0.2829
P_10                  \tall\t0.3000
"""


def file(folder: Path, text: str | bytes, name: str = "scores.txt") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
    return path


def refusal(*paths: Path, **options: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read_scores(*paths, **options)
    return caught.value


def test_trec_eval_output_is_read_by_topic_and_named_by_its_runid(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, TREC))
    assert scores.systems == ("bm25",)
    assert scores.topics == ("9", "10")
    assert scores.measures == ("map", "P_10", "num_ret")
    assert scores["map"].values.tolist() == [[0.2, 0.4001]]


def test_runs_may_follow_each_other_in_trec_evals_order(tmp_path: Path) -> None:
    both = TREC + TREC.replace("bm25", "a run of blanks").replace("0.2000", "0.2001")
    scores = read_scores(file(tmp_path, both))
    assert scores.systems == ("bm25", "a run of blanks")
    assert scores["map"].values.tolist() == [[0.2, 0.4001], [0.2001, 0.4001]]


def test_runs_may_follow_each_other_in_irassays_order(tmp_path: Path) -> None:
    rows: list[tuple[str, str | None, str, float]] = [
        (system, topic, "map", value)
        for system, values in (("a", (0.1, 0.3)), ("b", (0.2, 0.6)))
        for topic, value in (("1", values[0]), ("2", values[1]), (None, sum(values) / 2))
    ]
    scores = read_scores(file(tmp_path, to_trec(rows)))
    assert scores.systems == ("a", "b")
    assert scores["map"].values.tolist() == [[0.1, 0.3], [0.2, 0.6]]


def test_runs_in_irassays_order_need_no_all_rows(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, to_trec([("a", "1", "map", 0.1), ("b", "1", "map", 0.2)])))
    assert scores["map"].values.tolist() == [[0.1], [0.2]]


def test_runs_in_trec_evals_order_may_have_the_runid_as_their_only_all_row(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, "map\t1\t0.1\nrunid\tall\ta\nmap\t1\t0.2\nrunid\tall\tb\n"))
    assert scores.systems == ("a", "b")
    assert scores["map"].values.tolist() == [[0.1], [0.2]]


def test_a_run_without_runid_is_called_by_its_file(tmp_path: Path) -> None:
    packed = file(
        tmp_path, gzip.compress(b"# made by hand\r\nmap  1  0.1\r\n\r\nmap all 0.1\r\n", mtime=0), "bm25.v2.gz"
    )
    other = file(tmp_path, "map 1 0.3\n", "ql")
    scores = read_scores(packed, other)
    assert scores.systems == ("bm25.v2", "ql")
    assert scores["map"].values.tolist() == [[0.1], [0.3]]


def test_a_second_run_without_a_runid_is_an_error(tmp_path: Path) -> None:
    error = refusal(file(tmp_path, "map\t1\t0.1\nmap\tall\t0.1\nmap\t1\t0.2\nmap\tall\t0.2\n"))
    assert [problem.where for problem in error.problems] == [f"{tmp_path}/scores.txt:{n}" for n in (1, 3)]
    assert "runid" in error.hint


def test_averages_alone_are_no_scores(tmp_path: Path) -> None:
    error = refusal(file(tmp_path, "runid\tall\tbm25\nmap\tall\t0.25\n"))
    assert "bm25 has no per-topic rows" in error.what
    assert "-q" in error.hint


def test_all_rows_that_contradict_the_topics_are_reported(tmp_path: Path) -> None:
    path = file(tmp_path, TREC.replace("all\t0.3001", "all\t0.3003"))
    with pytest.warns(IrassayWarning, match=r"scores.txt:10: map of bm25 is 0.3003 .* give 0.3001") as caught:
        read_scores(path)
    assert len(caught) == 1


def test_topics_that_count_as_zero_without_a_row_do_not_contradict(tmp_path: Path) -> None:
    # trec_eval -c divides by all judged topics
    path = file(tmp_path, "map\t1\t0.3\nrunid\tall\ta\nnum_q\tall\t3\nmap\tall\t0.1\n")
    assert read_scores(path)["map"].values.tolist() == [[0.3]]


def test_relstring_rows_are_counted_and_ignored(tmp_path: Path) -> None:
    path = file(tmp_path, "relstring_10\t1\t'0110'\nmap\t1\t0.5\n")
    with pytest.warns(IrassayWarning, match="1 relstring rows"):
        assert read_scores(path).measures == ("map",)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_long_tables_are_read_with_any_separator(tmp_path: Path, separator: str) -> None:
    text = "system,topic,measure,score\nb,2,AP,0.5\nb,1,AP,1e-3\na,1,AP,-0.25\na,2,AP,1\n"
    scores = read_scores(file(tmp_path, text.replace(",", separator)))
    assert (scores.systems, scores.topics, scores.measures) == (("b", "a"), ("1", "2"), ("AP",))
    assert scores["AP"].values.tolist() == [[1e-3, 0.5], [-0.25, 1.0]]


@pytest.mark.parametrize(
    "header",
    [
        "run,query,metric,value",
        "Name,query_id,Measure,Score",
        "system,qid,metric,score",
        "run,q_id,measure,value",
    ],
)
def test_long_tables_may_use_the_names_of_other_tools(tmp_path: Path, header: str) -> None:
    scores = read_scores(file(tmp_path, f"{header}\nbm25,401,AP,0.5\n"))
    assert scores["AP"].values.tolist() == [[0.5]]


def test_columns_of_a_long_table_may_stand_in_any_order_and_others_are_reported(tmp_path: Path) -> None:
    path = file(tmp_path, "score,when,topic,system\n0.5,now,1,a\n")
    with pytest.warns(IrassayWarning, match="unused columns: when"):
        scores = read_scores(path)
    assert scores["score"].values.tolist() == [[0.5]]


def test_a_measure_without_a_name_is_called_score_or_as_asked(tmp_path: Path) -> None:
    path = file(tmp_path, "run,topic,score\na,1,0.5\n")
    assert read_scores(path).measures == ("score",)
    assert read_scores(path, measures="AP").measures == ("AP",)


def test_wide_tables_have_a_column_per_system_and_the_measure_of_their_file(tmp_path: Path) -> None:
    path = file(tmp_path, "topic,bm25,ql\n10,0.1,0.2\n9,0.3,0.4\n", "nDCG@10.csv")
    scores = read_scores(path)
    assert (scores.systems, scores.topics, scores.measures) == (("bm25", "ql"), ("9", "10"), ("nDCG@10",))
    assert scores["nDCG@10"].values.tolist() == [[0.3, 0.1], [0.4, 0.2]]
    assert read_scores(path, measures=["AP"]).measures == ("AP",)


@pytest.mark.parametrize("header", ["", "Unnamed: 0", "qid", '\ufeff"topic"'])
def test_the_topics_of_a_wide_table_may_have_other_names_or_none(tmp_path: Path, header: str) -> None:
    scores = read_scores(file(tmp_path, f"{header},1,2\n401,0.1,0.2\n", "AP.csv"))
    assert (scores.systems, scores.topics) == (("1", "2"), ("401",))


def test_a_wide_table_of_numbered_runs_is_not_taken_for_trec_eval(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, "topic\t1\t2\n401\t0.1\t0.2\n", "AP.tsv"))
    assert (scores.systems, scores.measures) == (("1", "2"), ("AP",))


def test_several_wide_tables_take_a_name_each(tmp_path: Path) -> None:
    one = file(tmp_path, "topic,a\n1,0.1\n", "x.csv")
    two = file(tmp_path, "topic,a\n1,0.2\n", "y.csv")
    scores = read_scores(one, two, measures=["AP", "Q"])
    assert (scores["AP"].values.item(), scores["Q"].values.item()) == (0.1, 0.2)
    three = file(tmp_path, "topic,a\n1,0.3\n", "z.csv")
    with pytest.raises(InputError, match="no name left"):
        read_scores(one, two, three, measures=["AP", "Q"])


def test_measures_select_and_order(tmp_path: Path) -> None:
    path = file(tmp_path, TREC)
    assert read_scores(path, measures=["P_10", "map"]).measures == ("P_10", "map")
    error = refusal(path, measures="AP")
    assert "'AP'" in error.what
    assert "map, P_10, num_ret" in error.hint


def example() -> Scores:
    systems, topics = ("=cmd", "'=cmd", 'a,"b', "caf\udce9", "-1"), ("1", "2", "10")
    values = np.random.default_rng(0).random((2, len(systems), len(topics)))
    return Scores(("AP", "Q"), systems, topics, values)


@pytest.mark.parametrize("shape", ["long", "wide"])
@pytest.mark.parametrize("report", [to_csv, to_parquet])
def test_what_irassay_writes_it_reads_back_bit_for_bit(tmp_path: Path, shape: str, report: object) -> None:
    scores = example()
    if report is to_parquet and shape == "wide":  # a column's name must be UTF-8 there
        scores = replace(scores, systems=(*scores.systems[:3], "café", "-1"))
    read = read_scores(file(tmp_path, report(getattr(scores, shape)())))  # type: ignore[operator]
    assert (read.systems, read.topics, read.measures) == (scores.systems, scores.topics, scores.measures)
    assert np.array_equal(read.values, scores.values)


@pytest.mark.parametrize("topics", [[402, 401, 9], [11, 10, 9]])  # the second is a range to pandas
@pytest.mark.parametrize("index", ["none", "topic", "unnamed", "other"])
def test_wide_parquet_of_pandas_is_read_with_any_index(tmp_path: Path, topics: list[int], index: str) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"topic": topics, "bm25": [0.1, 0.2, 0.3], "ql": [0.4, 0.5, 0.6]})
    if index in ("topic", "unnamed"):
        frame = frame.set_index("topic")
    if index == "unnamed":
        frame.index = pandas.Index(list(map(str, topics)))
    if index == "other":
        frame.index = [5, 8, 7]
    path = tmp_path / "AP.parquet"
    frame.to_parquet(path)
    scores = read_scores(path)
    assert (scores.systems, scores.measures) == (("bm25", "ql"), ("AP",))
    assert scores.topics == tuple(map(str, topics[::-1]))
    assert scores["AP"].values.tolist() == [[0.3, 0.2, 0.1], [0.6, 0.5, 0.4]]


def test_a_bad_cell_of_parquet_names_its_row(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "AP.parquet"
    pandas.DataFrame({"topic": [1.5, 2.5], "bm25": [0.1, math.inf]}).to_parquet(path)
    problems = [str(problem) for problem in refusal(path).problems]
    assert problems == [f"{path} row {n}: {n}.5 is not the name of a topic" for n in (1, 2)]
    pandas.DataFrame({"topic": [1, 2], "bm25": [0.1, math.inf]}).to_parquet(path)
    assert str(refusal(path).problems[0]) == f"{path} row 2: the score inf is not finite"


def test_damaged_parquet_is_an_input_error(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    assert "damaged Parquet" in refusal(file(tmp_path, b"PAR1 and no more")).what


def test_missing_cells_are_undefined_and_counted_once(tmp_path: Path) -> None:
    path = file(tmp_path, "topic,a,b\n1,0.5,\n2,,0.25\n", "AP.csv")
    with pytest.warns(IrassayWarning) as caught:
        scores = read_scores(path)
    warning = caught[0].message
    assert isinstance(warning, IrassayWarning)
    assert (len(caught), warning.code) == (1, "missing-cells")
    assert "2 of 4 scores are missing" in warning.what
    assert "AP of a on topic 2" in warning.what
    assert np.isnan(scores["AP"].values).tolist() == [[False, True], [True, False]]


def test_a_topic_that_one_run_lacks_is_a_missing_cell(tmp_path: Path) -> None:
    path = file(tmp_path, "system,topic,measure,score\na,1,AP,0.5\na,2,AP,0.5\nb,1,AP,0.5\n")
    with pytest.warns(IrassayWarning, match="1 of 4 scores are missing .* AP of b on topic 2"):
        read_scores(path)


def test_names_are_bytes_in_and_the_same_bytes_out(tmp_path: Path) -> None:
    scores = read_scores(file(tmp_path, b"topic,caf\xe9,\xc3\xa9\n\xff,1,0\n", "AP.csv"))
    assert scores.systems == ("caf\udce9", "é")
    assert scores.topics == ("\udcff",)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("system,topic,measure,score\na,1,AP,0.5\na,2,AP,high\n", 3, "'high' is not a number"),
        ("system,topic,measure,score\na,1,AP,nan\n", 2, "not finite"),
        ("system,topic,measure,score\na,1,AP,-inf\n", 2, "not finite"),
        ("system,topic,measure,score\na,1,AP,1_0\n", 2, "'1_0' is not a number"),
        ("system,topic,measure,score\na,1,AP\n", 2, "3 cells under a header of 4"),
        ("system,topic,measure,score\n,1,AP,0.5\n", 2, "no system"),
        ("system,topic,measure,score\na,,AP,0.5\n", 2, "no topic"),
        ("system,topic,measure,score\na,1,,0.5\n", 2, "no measure"),
        ("# made by\n\ntopic;a\n1;0,5\n", 4, "'0,5' is not a number"),
        ('topic,a\n1,"0.5\n', 2, "not CSV"),
        ("map\t1\t0.5\nmap\t2\n", 2, "not a line of trec_eval's output"),
        ("map\t1\t0.5\nmap\t2\thigh\n", 2, "'high' is not a number"),
        ("map\t1\t0.5\nmap\t2\tinf\n", 2, "not finite"),
        ("id\t1\t2\n401\t0.1\t0.2\n", 2, "not a line of trec_eval's output"),
    ],
)
def test_malformed_lines_are_named_by_file_and_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = file(tmp_path, text)
    error = refusal(path)
    assert error.where == f"{path}:{line}"
    assert what in error.what
    assert error.hint


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("\n# nothing\n", "holds no scores"),
        (b"\x7fELF\x00\x01", "binary"),
        ("system,topic,measure,score\n", "header without rows"),
        ("topic,a,a\n1,0.5,0.5\n", "two columns have one name"),
        ("just some text\n", "not a score table"),
        ("system,measure,score\na,AP,0.5\n", "no score table"),
        ("topic,measure\n1,AP\n", "no score table"),
        ("401 Q0 doc 1 0.5 tag\n", "not a score table"),
    ],
)
def test_files_that_hold_no_scores_are_refused_with_their_name(tmp_path: Path, text: str | bytes, what: str) -> None:
    path = file(tmp_path, text)
    error = refusal(path)
    assert error.where == str(path)
    assert what in error.what
    assert error.hint


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nothing.csv").where == str(tmp_path / "nothing.csv")
    assert "no score table" in refusal().what


def test_a_score_given_twice_names_both_lines(tmp_path: Path) -> None:
    one = file(tmp_path, "map\t1\t0.5\nrunid\tall\ta\n", "one")
    two = file(tmp_path, "map\t2\t0.5\nmap\t1\t0.6\nrunid\tall\ta\n", "two")
    error = refusal(one, two)
    assert str(error.problems[0]) == f"{two}:2: map of a on topic 1 appears twice (first at {one}:1)"


def test_one_run_may_have_its_measures_in_two_files(tmp_path: Path) -> None:
    one = file(tmp_path, "map\t1\t0.5\nrunid\tall\ta\n", "one")
    two = file(tmp_path, "P_5\t1\t0.6\nrunid\tall\ta\n", "two")
    assert read_scores(one, two).measures == ("map", "P_5")


def test_problems_are_collected_and_stop_at_twenty(tmp_path: Path) -> None:
    header = "system,topic,measure,score\n"
    few = file(tmp_path, header + "a,1,AP,x\na,2,AP,0.5\na,3,AP,y\n", "few.csv")
    many = file(tmp_path, header + "".join(f"a,{n},AP,x\n" for n in range(100)), "many.csv")
    assert [problem.where for problem in refusal(few).problems] == [f"{few}:2", f"{few}:4"]
    assert len(refusal(many).problems) == 20


def test_a_clean_table_gives_no_warning(tmp_path: Path) -> None:
    path = file(tmp_path, TREC)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_scores(path)
