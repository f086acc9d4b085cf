"""What of `irassay corpus` fits a screen: the best systems for each measure, and those that were named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irassay.result import Result, Table

BEST = 10
FEW = 20  # systems that are all shown
LEFT_OUT = ("q25", "q50", "q75", "rank_q50")  # columns that would not fit a line


def brief(result: Result, named: Sequence[str]) -> list[Table]:
    """The tables; those of systems by rank, without some columns, and with the first rows alone where there are many.

    `named` systems are always among them.
    """
    systems = result["systems"]
    place = {
        (measure, system): rank
        for measure, system, rank in zip(
            systems["measure"], systems["system"], systems["rank_root"], strict=True
        )
    }  # fmt: skip
    best: dict[object, list[object]] = {}
    for measure, system in sorted(place, key=lambda key: float(str(place[key]))):
        best.setdefault(measure, []).append(system)
    return [_brief(table, best, named) for table in result.tables]


def _brief(table: Table, best: dict[object, list[object]], named: Sequence[str]) -> Table:
    if table.name == "unanswered":
        counts = list(table["images"])
        most = sorted(range(len(table)), key=lambda row: -int(str(counts[row])))[:BEST]
        return _rows(
            table, most, "", table.caption + (f" ({BEST} of {len(counts)} topics)" if len(counts) > BEST else "")
        )
    if table.name not in ("systems", "variation"):
        return table
    row = {key: n for n, key in enumerate(zip(table["measure"], table["system"], strict=True))}
    several = any(len(systems) > FEW for systems in best.values())
    kept = [
        row[measure, system]
        for measure, systems in best.items()
        for n, system in enumerate(systems)
        if not several or n < BEST or system in named
    ]
    caption = table.caption
    if several:
        others = " and those named" if named else ""
        caption += f" (the {BEST} best of {max(map(len, best.values()))} systems for each measure{others})"
    return _rows(table, kept, LEFT_OUT, caption)


def _rows(table: Table, rows: Sequence[int], without: Sequence[str], caption: str) -> Table:
    columns = {name: [column[n] for n in rows] for name, column in table.columns.items() if name not in without}
    return replace(
        table, columns=columns, caption=caption, digits={k: v for k, v in table.digits.items() if k in columns}
    )
