"""Figures of `irassay judges`."""

from collections.abc import Sequence

from irassay.result import Figure, Mark, Table, figures_of, interval_around
from irassay.studies.judges.label_tables import ALL

AT_0 = (Mark("x", 0.0),)


def figures(tables: Sequence[Table], reference: str) -> tuple[Figure, ...]:
    """The figures that the tables allow."""
    known = (
        CONFUSION,
        Figure(
            "labels",
            "intervals",
            "labels",
            **interval_around("kappa_quadratic"),
            y="judge",
            where={"stratum": ALL, "reference": reference},
            labels={"x": "quadratic kappa"},
            caption="Agreement of labels with the reference, with 95% intervals over topics",
            alt="An interval of quadratic kappa for each judge, the one that agrees most on top",
        ),
        Figure(
            "order",
            "intervals",
            "order",
            **interval_around("tau"),
            y="judge",
            facet="measure",
            where={"reference": reference},
            caption="Agreement of the order of systems with the reference's, with 95% intervals over samples of the "
            "topics",
            alt="An interval of tau for each judge, the one that agrees most on top, by measure",
        ),
        RANKS,
        GROUPS,
        DOCUMENTS,
    )
    return figures_of(tables, known)


CONFUSION = Figure(
    "confusion",
    "matrix",
    "confusion",
    x="judged",
    y="grade",
    value="share",
    facet="judge",
    labels={"x": "the judge's grade", "y": "the reference's grade", "value": "share of documents"},
    caption="What each judge makes of the documents with each grade of the reference (rows sum to 1)",
    alt="One matrix for each judge: of each grade of the reference the shares that the judge gives each grade",
)
RANKS = Figure(
    "ranks",
    "curve",
    "ranks",
    x="judge",
    y="rank",
    series="system",
    facet="measure",
    labels={"y": "rank (1 is the best)"},
    caption="Where the reference's best systems stand under each judge",
    alt="A line for each system from judge to judge, at its rank",
)
GROUPS = Figure(
    "groups",
    "intervals",
    "groups",
    x="shift",
    y="group",
    low="low",
    high="high",
    series="judge",
    facet="measure",
    labels={"x": "shift at equal reference scores"},
    caption="How far each judge moves a group against the other systems, with 95% intervals over topics",
    alt="An interval of the shift for each group and judge, the group that gains most on top, by measure",
    marks=AT_0,
)
DOCUMENTS = Figure(
    "documents",
    "intervals",
    "documents",
    **interval_around("chance"),
    y="group",
    series="judge",
    labels={"x": "difference of chances"},
    caption="Chance of being judged relevant of documents that one group alone ranks high, less that of others",
    alt="An interval of the difference for each group and judge, the group that gains most on top",
    marks=AT_0,
)
