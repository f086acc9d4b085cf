"""The same small run and the same judgments in every format that is not TREC's."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

LISTS = {"q2": {"d1": 2.5, "é b": -1.0}, "q1": {"d1": 1e-3}}
JUDGED = {"q1": {"d1": 2, "é b": 0}, "q2": {"d1": 1}}
ROWS = [(t, d, v) for t, docs in LISTS.items() for d, v in docs.items()]
GRADED = [(t, d, v) for t, docs in JUDGED.items() for d, v in docs.items()]


def lines(rows: list[tuple[Any, ...]], mark: str, *header: str) -> bytes:
    return "".join(mark.join(map(str, row)) + "\n" for row in [header, *rows] if row).encode()


def json_lines(rows: list[tuple[Any, ...]], *names: str) -> bytes:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


def parquet(rows: list[tuple[Any, ...]], *names: str) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), sink)
    return bytes(sink.getvalue())


BEIR = ("query-id", "corpus-id", "score")
NESTED = [{"qid": t, "hits": [{"docid": d, "score": v} for d, v in docs.items()]} for t, docs in LISTS.items()]
REQUESTS = [
    {"query": {"qid": t, "text": "what?"}, "candidates": [{"docid": d, "score": v, "doc": {}} for d, v in docs.items()]}
    for t, docs in LISTS.items()
]
MTEB = {"mteb_model_meta": {"model_name": "e5", "revision": "1"}, "default": {"test": LISTS}}
QUOTED = b'qid;"docno";text;score\n"q2";"d1";"a ""b"" c";2.5\nq2;"\xc3\xa9 b";"two\nlines";-1\n\nq1;d1;x;1e-3\n'
RUNS: dict[str, tuple[bytes, str, str | None]] = {  # content, format, name where it is not the file's
    "BEIR": (lines(ROWS, "\t", *BEIR), "columns under a header", None),
    "spelt otherwise": (lines(ROWS, "\t", "Query_ID", "Corpus-Id", "SCORE"), "columns under a header", None),
    "carriage returns": (lines(ROWS, "\t", *BEIR).replace(b"\n", b"\r\n"), "columns under a header", None),
    "no last line end": (lines(ROWS, "\t", *BEIR)[:-1], "columns under a header", None),
    "commas and blanks": (lines(ROWS, " , ", "qid", "docno", "score"), "columns under a header", None),
    "quotes": (QUOTED, "columns under a header", None),
    "a tag": (
        lines([(*row, "bm25") for row in ROWS], ",", "qid", "docid", "score", "tag"),
        "columns under a header",
        "bm25",
    ),
    "JSON": (json.dumps(LISTS).encode(), "JSON", None),
    "JSON over lines": (json.dumps(LISTS, indent=1).encode(), "JSON", None),
    "JSON of a system": (json.dumps({"e5": LISTS}).encode(), "JSON", "e5"),
    "MTEB": (json.dumps(MTEB).encode(), "JSON", "e5"),
    "JSON records": (json.dumps([dict(zip(BEIR, row, strict=True)) for row in ROWS]).encode(), "JSON", None),
    "JSONL": (json_lines(ROWS, *BEIR), "JSON", None),
    "JSONL with blank lines": (b"\n" + json_lines(ROWS, *BEIR).replace(b"\n", b"\n\n"), "JSON", None),
    "JSONL of dicts": (b"".join(json.dumps({t: d}).encode() + b"\n" for t, d in LISTS.items()), "JSON", None),
    "JSONL of lists": ("".join(json.dumps(item) + "\n" for item in NESTED).encode(), "JSON", None),
    "JSONL of requests": ("".join(json.dumps(item) + "\n" for item in REQUESTS).encode(), "JSON", None),
    "Parquet": (parquet(ROWS, *BEIR), "Parquet", None),
}
JUDGMENTS: dict[str, bytes] = {
    "BEIR": lines(GRADED, "\t", *BEIR),
    "MS MARCO": lines([(t, 0, d, g) for t, d, g in GRADED], "\t", "qid", "q0", "pid", "rel"),
    "pandas": lines([(n, t, d, float(g)) for n, (t, d, g) in enumerate(GRADED)], ",", "", "qid", "docno", "label"),
    "JSON": json.dumps(JUDGED).encode(),
    "JSONL": json_lines(GRADED, *BEIR),
    "Parquet": parquet(GRADED, "query_id", "doc_id", "relevance"),
}
