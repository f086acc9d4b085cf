"""Reading one run from JSON, JSONL and Parquet: ranx and pyarrow as people call them, and ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness import Row, faster, probe, side_by_side
from benchmarks.sizes import ROOT, SMALL, TREC8

RUNS = 10  # of the collection, one after the other as other topics
NAMES = ("q_id", "doc_id", "score")
PATHS = {form: ROOT / ".benchmarks" / f"formats-1.{form}" for form in ("json", "jsonl", "parquet")}


def rows() -> list[Row]:
    # in its own process: what this one holds counts for all that it starts
    subprocess.run([sys.executable, "-m", "benchmarks.formats"], cwd=ROOT, check=True)
    lines = f"{RUNS * TREC8.topics * TREC8.depth:,} rows"
    results = []
    for form, peer, name, target in (
        ("json", "ranx", "ranx", 1),
        ("jsonl", "pandas", "pandas to dict", 1),
        ("parquet", "ranx", "ranx", 1),
        ("parquet", "pyarrow", "pyarrow to dict", 1),
        ("parquet", "pyarrow_table", "pyarrow to its table", None),
    ):
        names = {"peer": f"{peer}_{form}", "ours": f"ours_{form}"}
        best = side_by_side({key: partial(probe, f"formats:{function}") for key, function in names.items()})
        results.append(faster(f"reading {form}, {lines}", name, best["peer"], best["ours"], target))
    return results


def write() -> None:
    if all(path.exists() for path in PATHS.values()):
        return
    import pyarrow
    from pyarrow import parquet

    lists: dict[str, dict[str, float]] = {}
    for number, path in enumerate(sorted((TREC8.folder / "short").iterdir())[:RUNS]):
        for line in path.read_text().splitlines():
            topic, _, document, _, score, _ = line.split()
            lists.setdefault(f"{topic}-{number}", {})[document] = float(score)
    cells = [(topic, document, score) for topic, docs in lists.items() for document, score in docs.items()]
    PATHS["json"].write_text(json.dumps(lists))
    records = (json.dumps(dict(zip(NAMES, row, strict=True))) for row in cells)
    PATHS["jsonl"].write_text("".join(f"{record}\n" for record in records))
    columns: dict[str, list[Any]] = dict(zip(NAMES, map(list, zip(*cells, strict=True)), strict=True))
    parquet.write_table(pyarrow.table(columns), PATHS["parquet"])


def ranx_json() -> Callable[[], object]:
    import ranx

    ranx.Run({"1": {"d": 1.0}})  # compiled before it is timed, as ours is
    return lambda: ranx.Run.from_file(str(PATHS["json"]))


def ranx_parquet() -> Callable[[], object]:
    import pandas as pd
    import ranx

    ranx.Run({"1": {"d": 1.0}})
    # ranx.Run.from_parquet wants columns of objects, which pandas 3 does not read any more
    text = dict.fromkeys(NAMES[:2], object)
    return lambda: ranx.Run.from_df(pd.read_parquet(PATHS["parquet"]).astype(text))


def pandas_jsonl() -> Callable[[], object]:
    import pandas as pd

    return lambda: _lists(pd.read_json(PATHS["jsonl"], lines=True, dtype=dict.fromkeys(NAMES[:2], str)))


def pyarrow_parquet() -> Callable[[], object]:
    from pyarrow import parquet

    return lambda: _lists(parquet.read_table(PATHS["parquet"]).to_pandas())


def pyarrow_table_parquet() -> Callable[[], object]:
    from pyarrow import parquet

    return lambda: parquet.read_table(PATHS["parquet"])


def _lists(frame: Any) -> dict[str, dict[str, float]]:
    """{topic: {document: score}}, as trec_eval's Python packages take it."""
    topic, document, score = NAMES
    return {name: dict(zip(rows[document], rows[score], strict=True)) for name, rows in frame.groupby(topic)}


def _ours(path: Path) -> Callable[[], object]:
    import irassay

    irassay.read_runs(SMALL.folder / "short")
    irassay.read_runs({"a": {"1": {"d": 1.0}}})
    return lambda: irassay.read_runs(path)


ours_json = partial(_ours, PATHS["json"])
ours_jsonl = partial(_ours, PATHS["jsonl"])
ours_parquet = partial(_ours, PATHS["parquet"])


if __name__ == "__main__":
    write()
