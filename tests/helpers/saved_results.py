"""A result with everything that a folder has to keep, and its content to the last bit."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np

from irassay.errors import IrassayWarning
from irassay.headers import Header
from irassay.result import Column, Concern, Figure, Headline, Mark, Notes, Result, Table

ODD = "caf\udce9"

FIGURE = Figure(
    "asl",
    "curve",
    "pairs",
    x="n",
    y="asl",
    series="system",
    labels={"x": "pairs, sorted"},
    caption="ASL curves.",
    alt=f"One curve for {ODD}.",
    marks=(Mark("y", 0.05, "alpha"),),
)

BOXES = Figure(
    "boxes",
    "boxes",
    "pairs",
    x="system",
    y="asl",
    low="asl",
    lower="asl",
    upper="asl",
    high="asl",
    facet="n",
    where={"n": 1, "system": ODD},
    caption="Boxes.",
    alt="One box.",
)


def result(asl: float = 0.1 + 0.2) -> Result:
    columns: dict[str, Column] = {"system": (ODD, '=a,"b"\n'), "n": np.array([1, 2]), "asl": np.array([asl, np.nan])}
    pairs = Table("pairs", columns, "All pairs.", {"asl": 3}, headers={"n": Header("pair", "p", f"Not {ODD}.")})
    found = (IrassayWarning("ties", "many", "run:3"), IrassayWarning("other", ODD))
    provenance = {"seed": 0, "gains": {1: 1.0, 2: 3.0}, "limit": math.inf, "runs": [ODD, {"$": None}], "none": None}
    return Result(
        "power",
        (pairs, Table("empty", {})),
        found,
        provenance,
        (FIGURE, BOXES),
        findings=("AP separates 56%.", f"Not {ODD}."),
        notes=Notes("Which measures?", "By tests.", "Always.", ("T. Sakai. 2007.",)),
        details=("pairs",),
        order=60,
        headline=Headline(
            "TREC-8: 129 systems",
            {"first": f"{ODD} is first.", "trust": "Differences from 0.1 on."},
            {"leaderboard": "pairs"},
            (Concern(0.5, "Ties", f"{ODD} moves."), Concern(1.0, "Few judgments", "10%.")),
        ),
    )


def of(number: int) -> Result:
    """A result that says the same number in its record and in each of its tables."""
    return Result("power", tuple(Table(f"t{k}", {"n": [number]}) for k in range(8)), provenance={"n": number})


def content(made: Result) -> object:
    """All a result holds, in a form in which only the same bits are equal."""

    def bits(value: object) -> object:
        return (type(value), struct.pack("d", value) if isinstance(value, float) else value)

    def cells(column: Column) -> object:
        if not isinstance(column, np.ndarray):
            return type(column), list(map(bits, column))
        plain = list(map(bits, column.tolist())) if column.dtype.kind in "OU" else column.tobytes()
        return column.dtype.str, column.flags.writeable, plain

    tables = [
        (
            t.name,
            t.caption,
            dict(t.digits),
            dict(t.headers),
            [(name, cells(column)) for name, column in t.columns.items()],
        )
        for t in made.tables
    ]
    found = [(w.code, w.what, w.where, str(w)) for w in made.warnings]
    described = (made.findings, made.notes, made.details, made.order, made.headline)
    return made.study, tables, found, dict(made.provenance), made.figures, made.numerics, described


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
