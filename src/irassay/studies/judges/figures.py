"""Figures of `irassay judges`."""

from collections.abc import Sequence

from irassay.result import Figure, Mark, Table
from irassay.studies.judges.label_tables import ALL


def figures(tables: Sequence[Table], reference: str) -> tuple[Figure, ...]:
    """The figures that the tables allow."""
    known = (_confusion(), _labels(reference), _order(reference), _ranks(), _groups(), _documents())
    names = {table.name for table in tables}
    return tuple(figure for figure in known if figure.table in names)


def _confusion() -> Figure:
    return Figure(
        name="confusion",
        kind="matrix",
        table="confusion",
        x="judged",
        y="grade",
        value="share",
        facet="judge",
        labels={"x": "the judge's grade", "y": "the reference's grade", "value": "share of documents"},
        caption="What each judge makes of the documents with each grade of the reference (rows sum to 1)",
        alt="One matrix for each judge: of each grade of the reference the shares that the judge gives each grade",
    )


def _labels(reference: str) -> Figure:
    return Figure(
        name="labels",
        kind="intervals",
        table="labels",
        x="judge",
        y="kappa_quadratic",
        low="kappa_quadratic_low",
        high="kappa_quadratic_high",
        where={"stratum": ALL, "reference": reference},
        labels={"y": "quadratic kappa"},
        caption="Agreement of labels with the reference, with 95% intervals over topics",
        alt="An interval of quadratic kappa for each judge",
    )


def _order(reference: str) -> Figure:
    return Figure(
        name="order",
        kind="intervals",
        table="order",
        x="judge",
        y="tau",
        low="tau_low",
        high="tau_high",
        facet="measure",
        where={"reference": reference},
        caption="Agreement of the order of systems with the reference's, with 95% intervals over samples of the topics",
        alt="An interval of tau for each judge, by measure",
    )


def _ranks() -> Figure:
    return Figure(
        name="ranks",
        kind="curve",
        table="ranks",
        x="judge",
        y="rank",
        series="system",
        facet="measure",
        labels={"y": "rank (1 is the best)"},
        caption="Where the reference's best systems stand under each judge",
        alt="A line for each system from judge to judge, at its rank",
    )


def _groups() -> Figure:
    return Figure(
        name="groups",
        kind="intervals",
        table="groups",
        x="group",
        y="shift",
        low="low",
        high="high",
        series="judge",
        facet="measure",
        labels={"y": "shift at equal reference scores"},
        caption="How far each judge moves a group against the other systems, with 95% intervals over topics",
        alt="An interval of the shift for each group and judge, by measure",
        marks=(Mark("y", 0.0),),
    )


def _documents() -> Figure:
    return Figure(
        name="documents",
        kind="intervals",
        table="documents",
        x="group",
        y="chance",
        low="chance_low",
        high="chance_high",
        series="judge",
        labels={"y": "difference of chances"},
        caption="Chance of being judged relevant of documents that one group alone ranks high, less that of others",
        alt="An interval of the difference for each group and judge",
        marks=(Mark("y", 0.0),),
    )
