"""Results to make pages of: real studies of a small collection, every kind of figure, and names that hold anything."""

from __future__ import annotations

import base64
import html.parser
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import irassay
from irassay import demo
from irassay.errors import IrassayWarning
from irassay.result import Column, Result, Table
from tests.helpers.figures import NASTY, kinds

MODEL = demo.Model(systems=6, groups=3, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)
MEASURES = ("AP Q nDCG@10 RR",)
LONG = 1234


class Reader(html.parser.HTMLParser):
    """What a browser would find: elements with their attributes, text, and the content of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[tuple[dict[str, str], str]] = []
        self.text = ""
        self.within: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag == "script":
            self.scripts.append((attributes, ""))
        if tag not in ("meta", "link", "input", "wbr", "br"):
            self.within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.within.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.within and self.within[-1] == "script":
            attributes, content = self.scripts[-1]
            self.scripts[-1] = (attributes, content + data)
        elif self.within and self.within[-1] != "style":
            self.text += data

    def data(self) -> list[Any]:
        """What the scripts with data hold."""
        contents = []
        for attributes, content in self.scripts:
            if attributes.get("data-encoding") == "deflate":
                content = zlib.decompress(base64.b64decode(content)).decode()
            if attributes.get("type") == "application/json":
                contents.append(json.loads(content))
        return contents

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def real(folder: Path) -> list[tuple[str, Result]]:
    """Results of real studies, on files written into a new folder."""
    demo.write(MODEL, folder, topics=range(12))
    data = (folder / "qrels.txt", folder / "runs")
    few: dict[str, Any] = {"measures": MEASURES, "resamples": 60}
    return [
        ("power", irassay.power(*data, **few, histogram=True, alpha="0.05,0.02")),
        ("swap", irassay.swap(*data, **few)),
        ("stability", irassay.stability(*data, **few)),
        ("agreement", irassay.agreement(*data, **few)),
        ("gains", irassay.gains(*data, schemes="{1:1,2:2,3:3} {1:1,2:1,3:1}", resamples=60)),
        ("preferred-ranks", irassay.preferred_ranks(*data)),
        ("incomplete", irassay.incomplete(*data, measures=("AP AP'",), rates="50,10", resamples=60)),
        ("pools", irassay.pools(*data, measures=("AP",), depths="5", pool_depth=30, resamples=60)),
        ("shape", irassay.shape(measures=("AP RBP(p=0.5)",), relevant="1,10")),
    ]


def strange() -> Result:
    """A result of no known study in which every text holds anything, with every kind of figure and a long table."""
    text = " ".join(NASTY)
    tables, figures = [], []
    for kind, (figure, table) in kinds(30).items():
        columns = {
            name: [NASTY[i % len(NASTY)] for i in range(30)] if isinstance(column[0], str) else column
            for name, column in table.columns.items()
        }
        tables.append(Table(f"{kind} {NASTY[0]}", columns, text))
        # a mark in a facet has the facet's name
        marks = tuple(mark._replace(label=text, facet=mark.facet and NASTY[0]) for mark in figure.marks)
        figures.append(
            replace(figure, name=f"{kind}/../{text}", table=tables[-1].name, caption=text, alt=text, marks=marks)
        )
    system = [f"s{i % 7}" for i in range(LONG)]
    long: dict[str, Column] = {NASTY[3]: list(range(LONG)), "system": system, "measure": ["AP", "RR"] * (LONG // 2)}
    tables.append(Table("long", long))
    warnings = (IrassayWarning("odd", text, text),)
    return Result(NASTY[0], tuple(tables), warnings, {NASTY[0]: NASTY, "command": text}, tuple(figures))
