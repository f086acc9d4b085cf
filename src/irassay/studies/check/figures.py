"""The figures of `irassay check`."""

from collections.abc import Sequence

from irassay.result import Figure, Table, python_values

MOST = 30  # systems that a reader looks at
JUDGED = "judged@10"
SEEN = 0.001  # a smaller range is a point
FULLY = 0.9995  # the share from which on three digits show 1


def figures(systems: Table, ties: Table, measures: Sequence[str]) -> tuple[Figure, ...]:
    """The systems that ties move most, by the first measure, and those with the fewest judged documents.

    None of ties that hardly move anything, nor of systems that are all judged.
    """
    drawn = []
    for measure in measures[:1]:
        low, high = (map(float, map(str, ties[f"{measure} {end}"])) for end in ("worst", "best"))
        moved = sum(best - worst >= SEEN for worst, best in zip(low, high, strict=True))
        drawn += [_ties(measure, min(moved, MOST))] if moved else []
    if any(float(str(share)) < FULLY for share in python_values(systems[JUDGED])):
        drawn.append(_judged())
    return tuple(drawn)


def _ties(measure: str, most: int) -> Figure:
    return Figure(
        "ties",
        "intervals",
        "ties",
        x=measure,
        y="system",
        low=f"{measure} worst",
        high=f"{measure} best",
        order="table",
        most=most,
        labels={"x": measure},
        caption=f"{measure} over all orders of tied documents: the score as evaluated, between the worst and the best "
        f"order. The systems that ties move most are on top, without those that move by less than {SEEN:g}",
        alt=f"For each system the range of its {measure} over all orders of its tied documents, the widest on top",
    )


def _judged() -> Figure:
    return Figure(
        "judged",
        "points",
        "systems",
        x=JUDGED,
        y="system",
        order="rising",
        most=MOST,
        labels={"x": "share of the first 10 documents that are judged"},
        caption="Systems with the fewest judged documents among their first 10",
        alt="For each system the share of its first 10 documents that have a judgment, the smallest on top",
    )
