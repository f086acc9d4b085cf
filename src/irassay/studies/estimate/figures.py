"""The figures of `irassay estimate`."""

from collections.abc import Sequence

from irassay.result import Figure, Mark, Table


def figures(tables: Sequence[Table]) -> tuple[Figure, ...]:
    names = {table.name for table in tables}
    return tuple(figure for figure in (_estimates(), _bias()) if figure.table in names)


def _estimates() -> Figure:
    return Figure(
        name="estimates",
        kind="intervals",
        table="estimates",
        x="system",
        y="mean",
        low="low",
        high="high",
        series="method",
        facet="measure",
        labels={"y": "estimated mean"},
        caption="Estimated means of the trusted judge's scores, from its topics only and with the cheap judge's",
        alt="Intervals of each system's mean by each method side by side, by measure",
    )


def _bias() -> Figure:
    return Figure(
        name="bias",
        kind="intervals",
        table="cheap",
        x="system",
        y="bias",
        low="bias_low",
        high="bias_high",
        facet="measure",
        labels={"y": "cheap less trusted score"},
        caption="How far the cheap judge is off, on the topics that both judged",
        alt="An interval of the cheap judge's bias for each system, by measure",
        marks=(Mark("y", 0.0),),
    )
