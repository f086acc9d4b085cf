"""Figures of `irassay judges`."""

from collections.abc import Sequence

from irassay.result import Figure, Table


def figures(tables: Sequence[Table]) -> tuple[Figure, ...]:
    """The figures that the tables allow."""
    names = {table.name for table in tables}
    out = []
    if "confusion" in names:
        out.append(
            Figure(
                name="confusion",
                kind="matrix",
                table="confusion",
                x="judged",
                y="grade",
                value="n",
                facet="judge",
                labels={"x": "the judge's grade", "y": "the reference's grade", "value": "documents"},
                caption="Documents by the reference's grade and each judge's",
                alt="One matrix for each judge, with the numbers of documents by both grades",
            )
        )
    return tuple(out)
