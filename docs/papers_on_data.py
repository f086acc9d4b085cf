"""Writes docs/papers and docs/img/papers: every paper on the shared runs, its numbers beside the printed ones.

    IRASSAY_DATA=DIR .venv/bin/python docs/papers_on_data.py [KEY…]

DIR has `trec8-adhoc` and `robust03` as in CONTRIBUTING.md. Only numbers and pictures are written, no run and no
judgment. It takes about ten minutes on two cores; docs/papers.py shows what it wrote.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import irassay
from irassay.report.markdown import to_markdown
from irassay.result import Result, Table
from irassay.studies.papers import KEYS

DOCS = Path(__file__).parent
NUMBERS, PICTURES = DOCS / "papers", DOCS / "img" / "papers"
TREC8 = "TREC-8 ad hoc (129 runs, topics 401-450)"
ROBUST03 = "TREC 2003 robust (17 of the 78 runs, topics 601-650)"
# What each paper is shown on: the nearest of the shared collections to its own.
DATA: dict[str, tuple[str, str, dict[str, Any]]] = {
    "yang2018variance": ("trec8-adhoc", f"{TREC8}, 1,000 samples", {"resamples": 1000}),
    "zobel2020corpus": ("trec8-adhoc", f"{TREC8}, a corpus of 528,155 documents", {"corpus_size": 528_155}),
    "sakai2008incomplete": ("robust03", ROBUST03, {"topics": "601-650"}),
    "sakai2007bootstrap": ("robust03", f"{ROBUST03}; the paper has NTCIR data", {"topics": "601-650"}),
    "sakai2007one": ("robust03", f"{ROBUST03}; the paper has NTCIR data", {"topics": "601-650"}),
}


def write(key: str, data: Path) -> None:
    """A paper's page of numbers, and its pictures."""
    folder, what, settings = DATA[key]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", irassay.IrassayWarning)
        result = irassay.paper(key, data / folder / "qrels.txt.gz", data / folder / "runs", **settings)
    NUMBERS.mkdir(exist_ok=True)
    (NUMBERS / f"{key}.md").write_text(_page(key, what, result), encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for figure in result.figures:
        (PICTURES / f"{key}-{figure.name}.svg").write_bytes(result.picture(figure.name).content("svg"))


def _page(key: str, what: str, result: Result) -> str:
    lines = [
        f"# {key} on {what}",
        "",
        "Made by `docs/papers_on_data.py` from the shared runs. What the items are and how",
        "they are made: [papers](../papers.md).",
        "",
    ]
    lines += [f"- {sentence}" for sentence in result.findings]
    figures = {figure.name: figure for figure in result.figures}
    drawn = {figure.table for figure in result.figures}
    for row in result["contents"].rows():
        number = str(row[0])
        lines += ["", f"## {number}: {row[1]}", ""]
        if figure := figures.get(number):
            lines += [f"![{figure.alt}](../img/papers/{key}-{number}.svg)", "", figure.caption, ""]
        tables = [table for table in result.tables if table.name.split("_")[0] == number and table.name not in drawn]
        lines += [text for table in tables for text in (_table(table), "")]
        if number not in figures and not tables:
            lines += [str(row[-1]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _table(table: Table) -> str:
    return to_markdown(table).rstrip()


if __name__ == "__main__":
    for one in sys.argv[1:] or KEYS:
        write(one, Path(os.environ["IRASSAY_DATA"]))
