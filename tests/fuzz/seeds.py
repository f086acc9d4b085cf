"""The valid files that are damaged, by what they are: made once in a process."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path

from irassay.cli import run
from irassay.report.folder import save_result
from irassay.result import Result
from tests.helpers import figures, formats, saved_results
from tests.helpers.bad_input import HEADER, ROWS, write_small_collection

Files = dict[str, bytes]
NTCIR = b"1 d1 L2\n1 d2 L0\n2 d1 S\n2 d3 L1\n"
EARLY = b"1 S d1 1\n1 C d2 1\n2 A d1 1\n"
NTCIR_RUN = b"<SYSDESC>one\ntwo</SYSDESC>\n1 0 d1 1 2.5 one\n1 0 d2 2 1.5 one\n2 0 d3 1 1 one\n"
TREC_RUN = b"# a comment\nq1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 2.5 a\nq2 Q0 d1 1 -1e-3 a\n\nq2 Q0 d3 2 -2 a extra\n"
TREC_QRELS = b"q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 -1\nq2 0 d3 1\nq2 0 d9 3\n"
THREE = {
    "MS MARCO": b"q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n",
    "scores": b"q1 d1 0.5\nq1 d2 0.25\nq2 d1 9\n",
    "grades": b"q1 d1 1\nq1 d2 0\nq2 d1 3\n",
}
RUNS = {"TREC": TREC_RUN, "NTCIR": NTCIR_RUN, **THREE} | {name: data for name, (data, *_) in formats.RUNS.items()}
JUDGMENTS = {"TREC": TREC_QRELS, "NTCIR": NTCIR, "early NTCIR": EARLY, "grades": THREE["grades"], **formats.JUDGMENTS}

CELLS = [row.split(",") for row in ROWS]
WIDE = "topic,measure,a,b\n1,AP,0.5,0.25\n2,AP,0.75,\n1,RR,1,0.5\n2,RR,0.1,0.2\n"
SCORES = {
    "long": "\n".join([HEADER, *ROWS, ""]).encode(),
    "wide": WIDE.encode(),
    "measures as columns": b"system,topic,AP,RR\na,1,0.5,1\na,2,0.25,0.5\nb,1,0.1,0.3\nb,2,0.2,0.4\n",
    "trec_eval": b"runid all a\nmap 1 0.5\nmap 2 0.25\nmap all 0.375\nP_10 1 0.1\nP_10 2 0.2\n",
    "ir_measures": b"a.run\t1\tAP\t0.5\na.run\t2\tAP\t0.25\nb.run\t1\tAP\t0.1\nb.run\t2\tAP\t0.2\n",
    "JSONL": formats.json_lines([(s, t, m, float(v)) for s, t, m, v in CELLS], *HEADER.split(",")),
    "Parquet": formats.parquet([(s, t, m, float(v)) for s, t, m, v in CELLS], *HEADER.split(",")),
}
GROUPS = {"groups": b"a one\nb two\n# c three\nc two\n"}
TOPICS = {"topics": b"1\n2\n# 3\n4\n", "ranges": b"1-3\n5\n", "commas": b"1,2\n"}
MEASURES = (
    *("AP", "nDCG@10", "nDCG(dcg='jk',base=3)@10", "Q(beta=10)", "RBP(p=0.8)", "GM(AP)", "AG(AP)", "AREA(AP,k=2)"),
    *("AP'", "nDCG'(gains={1:1,2:3})@5", "ERR(stop='linear',max_grade=4)@3", "NWRR(penalties={1:4,2:2})", "P(rel=2)@5"),
    *("IPrec@0.5", "NumRel", "Bpref", "infAP", "P-plus", "map", "ndcg_cut_10", "P_10", "gm_map", "mrr@10", "hit@3"),
)
TOML = b"""measures = "AP nDCG@10"
resamples = 20

[[collection]]
name = "one"
qrels = "qrels.txt"
runs = "runs"
topics = "1-4"

[[collection]]
name = "two"
qrels = 'qrels.txt'
runs = ["runs/a", "runs/b"]
groups = "groups.txt"
"""


def files_below(folder: Path) -> Files:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@cache
def collection() -> Files:
    """Judgments, runs, score table and groups that belong together."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_small_collection()
        return files_below(Path(folder))


@cache
def results() -> dict[str, Files]:
    """Result folders: of studies, of a figure of every kind, and one with odd names."""
    every = {"odd": saved_results.result()} | {
        kind: Result("power", (table,), (), {"seed": 0}, (figure,), findings=("It is so.",))
        for kind, (figure, table) in figures.kinds().items()
    }
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "collection")  # results have the name of the folder of their data
        folder.mkdir()
        return _saved(folder, every)


def _saved(folder: Path, every: dict[str, Result]) -> dict[str, Files]:
    folders: dict[str, Files] = {}
    with contextlib.chdir(folder):
        for name, result in every.items():
            save_result(result, Path(name))
            folders[name] = files_below(folder / name)
        write_small_collection()
        commands = {
            "compare": ["compare", "qrels.txt", "runs", "-m", "AP"],
            "uncertainty": ["uncertainty", "--scores", "scores.csv", "--replicates", "50"],
        }
        for name, arguments in commands.items():
            nowhere = io.TextIOWrapper(io.BytesIO())
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                assert run([*arguments, "--out", name]) == 0
            folders[name] = files_below(folder / name)
    return folders


@cache
def words_of(name: str) -> tuple[str, ...]:
    """What has a meaning in a result: names of its columns, tables and files, kinds and channels of figures."""
    content = json.loads(results()[name]["result.json"])
    columns = [column["name"] for table in content["tables"] for column in table["columns"]]
    tables = [table[key] for table in content["tables"] for key in ("name", "file")]
    return (*columns, *tables, *figures.kinds(), "x", "y", "diagonal", "series", "facet", "value", "rule", "<f8", "|O")
