"""The uncertainty budget of a page: measures by sources of variation, which stand in groups by their kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from irassay.headers import Header
from irassay.report.html_parts import Panel, Record, Switches, escape, groups, heading_cell, scrolling
from irassay.report.text import undefined
from irassay.result import Table

FIRST_MEASURES = 6  # the first screen has no space for more
WAYS = ("lost", "gained", "opposite")  # in which a verdict changes
LEVELS = 4  # of colour above none
# Scenarios are no samples, and models are assumptions: nothing is compared across kinds, colours neither.
KINDS = {
    "sampling": Header("sampling", meaning="Another sample of the same kind; what changes is sampling error"),
    "model": Header(
        "model", meaning="Drawn from a model of what could have been; what changes depends on its assumptions"
    ),
    "scenario": Header(
        "scenario", meaning="What if the collection had been made in another way; no sample of anything"
    ),
}


class Quantity(NamedTuple):
    """What the cells of the budget can show: how much would change (from 0), the length of its bar, and its text."""

    header: Header
    column: str
    value: Callable[[Record], float | None]
    change: Callable[[float], float]
    text: Callable[[float], str]
    smallest: float  # below which no change is coloured
    full: float | None  # length of the bar of a whole; None: the largest value of its kind


def share(value: float) -> str:
    """A share in percent; nothing but 0 and 1 is rounded to them."""
    if 0.995 <= value < 1 - 1e-12:
        return ">99%"
    return "<1%" if 1e-12 < value < 0.005 else f"{100 * value:.0f}%"


def difference(value: float) -> str:
    """A difference of scores in three decimals."""
    return "<0.001" if 0 < value < 0.0005 else f"{value:.3f}"


def _verdicts(row: Record) -> float | None:
    parts = [row.get(f"verdicts_{way}") for way in WAYS]
    return None if all(undefined(part) for part in parts) else sum(part for part in parts if part is not None)


def _quantities(table: Table) -> list[Quantity]:
    meaning = "Share of pairs of systems whose verdict (better, worse, undecided) is lost, gained or opposite"
    return [
        Quantity(
            table.header("pairs_resolved"),
            "pairs_resolved",
            lambda row: row.get("pairs_resolved"),
            lambda value: 1 - value,
            share,
            0.02,
            1.0,
        ),
        Quantity(
            table.header("surviving_difference"),
            "surviving_difference",
            lambda row: row.get("surviving_difference"),
            lambda value: value,
            difference,
            0.001,
            None,
        ),
        Quantity(
            Header("verdicts that change", "verdicts", meaning), "", _verdicts, lambda value: value, share, 0.02, None
        ),
    ]


def budget(table: Table, rows: Sequence[Record], switches: Switches) -> str:
    """One table for each quantity, of which a switch shows one."""
    quantities = _quantities(table)
    # a total has standard errors only
    shown = [row for row in rows if any(quantity.value(row) is not None for quantity in quantities)]
    panels = []
    for quantity in quantities:
        if any(quantity.value(row) is not None for row in shown):
            content = _Budget(table, shown, quantity).html()
            label = f"All {len(groups(shown, 'measure'))} measures"
            panels.append(Panel(quantity.header.text, switches.more(label, content), quantity.header.brief))
    return switches.switch("What would change", panels, kind="part") if panels else ""


@dataclass(frozen=True)
class _Budget:
    """One quantity of all measures and sources of variation."""

    table: Table
    rows: Sequence[Record]
    quantity: Quantity

    @cached_property
    def _kinds(self) -> dict[str, list[str]]:
        """The sources of variation of each kind."""
        by_kind = groups(self.rows, "kind")
        order = [kind for kind in KINDS if kind in by_kind] + [kind for kind in by_kind if kind not in KINDS]
        return {kind: list(groups(by_kind[kind], "variation")) for kind in order}

    @cached_property
    def _values(self) -> dict[str, list[float]]:
        """The values of each kind, by which its colours and bars are scaled."""
        values = {kind: [self.quantity.value(row) for row in self.rows if row["kind"] == kind] for kind in self._kinds}
        return {kind: [value for value in some if value is not None] for kind, some in values.items()}

    def html(self) -> str:
        lines = []
        for place, (measure, rows) in enumerate(groups(self.rows, "measure").items()):
            by_source = groups(rows, "variation")
            cells = "".join(
                self._cell(by_source[name][0] if name in by_source else None, kind)
                for kind, names in self._kinds.items()
                for name in names
            )
            further = " class=further" if place >= FIRST_MEASURES else ""
            lines.append(f'<tr{further}><th scope="row">{escape(measure)}</th>{cells}</tr>')
        header = self.quantity.header
        caption = f"{header.meaning}. Stronger colour: more would change, scaled within its kind; sources do not add."
        return scrolling(
            f"Uncertainty budget: {header.text}",
            f'<table class="budget"><caption>{escape(caption)}</caption><thead>{self._head()}</thead>'
            f"<tbody>{''.join(lines)}</tbody></table>",
        )

    def _head(self) -> str:
        top = heading_cell(self.table.header("measure"), "measure", " rowspan=2")
        for kind, names in self._kinds.items():
            meaning = escape(KINDS[kind].meaning if kind in KINDS else "")
            top += f'<th scope="colgroup" class="kind" colspan="{len(names)}" title="{meaning}">{escape(kind)}</th>'
        sources = "".join(f'<th scope="col">{escape(name)}</th>' for names in self._kinds.values() for name in names)
        return f"<tr>{top}</tr><tr>{sources}</tr>"

    def _cell(self, row: Record | None, kind: str) -> str:
        value = None if row is None else self.quantity.value(row)
        if row is None or value is None:
            return "<td>-</td>"
        others = self._values[kind]
        largest = max(self.quantity.smallest, *map(self.quantity.change, others))
        level = round(LEVELS * (self.quantity.change(value) / largest))
        length = value / (self.quantity.full or max(others) or 1)
        return (
            f'<td class="{kind if kind in KINDS else "other"} level-{level}"{_ways(row, self.quantity)}>'
            f'{self.quantity.text(value)}<span class="bar" style="width:{100 * min(1.0, length):.1f}%"></span></td>'
        )


def _ways(row: Record, quantity: Quantity) -> str:
    """Which verdicts change, for those who point at a cell."""
    if quantity.value is not _verdicts:
        return ""
    parts = [(way, row.get(f"verdicts_{way}")) for way in WAYS]
    return f' title="{", ".join(f"{way} {100 * part:.1f}%" for way, part in parts if part is not None)}"'
