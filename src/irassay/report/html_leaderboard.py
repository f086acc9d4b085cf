"""The best systems of a page: for each measure a table with intervals, tiers and ranks; all systems on demand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from irassay.headers import Header
from irassay.report.figure_rows import text_of
from irassay.report.html_budget import share
from irassay.report.html_parts import Panel, Record, Switches, escape, groups, heading_cell, link, plural, scrolling
from irassay.result import Table

FIRST_SYSTEMS = 10  # the first screen has no space for more
MAX_SYSTEMS = 300  # for each measure; the table in its section has all
LONG_NAME = 24  # letters of a name; the middle of a longer one is left out
WIDTH = 100  # of the drawing of an interval, in its own units
SHARES = ("share_first", "judged_at_10")


def leaderboard(
    table: Table, rows: Sequence[Record], switches: Switches, within: Collection[str], collection: str | None
) -> str:
    """One table for each measure, of which a switch shows one; `within` are the systems one can look into."""
    panels = []
    for measure, cells in groups((row for row in rows if row["mean"] is not None), "measure").items():
        ordered = sorted(cells, key=lambda row: -row["mean"])
        content = _Leaderboard(table, ordered, within, measure, collection).html()
        label = f"All {plural(len(ordered), 'system')}"
        if len(ordered) > MAX_SYSTEMS:
            label = f"The best {MAX_SYSTEMS} of {len(ordered):,} systems"
        panels.append(Panel(measure, switches.more(label, content)))
    return switches.switch("Best systems", panels, kind="part") if panels else ""


@dataclass(frozen=True)
class _Leaderboard:
    """The systems of one measure, the best first."""

    table: Table
    rows: Sequence[Record]
    within: Collection[str]
    measure: str
    collection: str | None

    def html(self) -> str:
        lines, place = [], 1
        for number, row in enumerate(self.rows[:MAX_SYSTEMS], 1):
            if row["mean"] != self.rows[place - 1]["mean"]:
                place = number
            lines.append(f"<tr{' class=further' if number > FIRST_SYSTEMS else ''}>{self._cells(row, place)}</tr>")
        caption = f"Systems by mean {self.measure}"
        return scrolling(
            caption,
            f'<table class="leaderboard"><caption class="hidden">{escape(caption)}</caption>'
            f"<thead><tr>{self._head()}</tr></thead><tbody>{''.join(lines)}</tbody></table>",
        )

    @cached_property
    def _short_names(self) -> dict[str, str]:
        """Long names without their middle, where that leaves them different."""
        names = {text_of(row["system"]) for row in self.rows}
        half = LONG_NAME // 2
        short = {name: f"{name[:half]}…{name[-half:]}" if len(name) > LONG_NAME else name for name in names}
        if len(set(short.values())) < len(names):
            return {}
        return {name: text for name, text in short.items() if name != text}

    def _has(self, column: str) -> bool:
        return column in self.table.columns

    def _head(self) -> str:
        number = ' class="number"'
        interval = "95% interval of the mean" if self._has("mean_low") else ""
        cells = [
            heading_cell(Header("#", meaning="Place by mean score"), "", number),
            heading_cell(self.table.header("system"), "system"),
            heading_cell(self.table.header("mean"), "mean", number),
            heading_cell(Header("interval" if interval else "drawn", meaning=interval or "The mean, drawn"), ""),
        ]
        if self._has("letters"):
            cells.append(heading_cell(self.table.header("letters"), "letters"))
        if self._has("rank_low"):
            ranks = Header("ranks", meaning="The ranks that the tests do not exclude")
            cells.append(heading_cell(ranks, "rank_low, rank_high"))
        cells += [
            heading_cell(self.table.header(name), name, ' class="number wide"') for name in SHARES if self._has(name)
        ]
        return "".join(cells)

    def _cells(self, row: Record, place: int) -> str:
        name = text_of(row["system"])
        shown = escape(self._short_names.get(name, name))
        if name in self.within:
            address = link(system=name, measure=self.measure, collection=self.collection)
            shown = f'<a href="{address}">{shown}</a>'
        full = f' title="{escape(name)}"' if name in self._short_names else ""
        digits = self.table.digits.get("mean", 4)
        low, high = row.get("mean_low"), row.get("mean_high")
        ends = f"{low:.{digits}f} to {high:.{digits}f}" if low is not None and high is not None else ""
        cells = [
            f'<td class="number">{place}</td><th scope="row"{full}>{shown}</th>',
            f'<td class="number">{row["mean"]:.{digits}f}</td>',
            f'<td class="interval" title="{ends}">{self._drawing(row)}<span class="hidden">{ends}</span></td>',
        ]
        if self._has("letters"):
            letters = escape(row["letters"] or "")
            cells.append(f'<td class="letters" title="{letters}">{letters}</td>')
        if self._has("rank_low"):
            cells.append(f'<td class="ranks">{_ranks(row)}</td>')
        for name in SHARES:
            if self._has(name):
                cells.append(f'<td class="number wide">{"-" if row[name] is None else share(row[name])}</td>')
        return "".join(cells)

    @cached_property
    def _scale(self) -> tuple[float, float]:
        columns = ("mean", "mean_low", "mean_high")
        ends = [row[name] for row in self.rows for name in columns if row.get(name) is not None]
        return min(0.0, *ends), max(0.0, *ends)

    def _drawing(self, row: Record) -> str:
        """A line from one end of the interval to the other, and a dot at the mean; all rows share a scale from 0."""
        least, most = self._scale

        def at(value: float) -> str:
            return f"{WIDTH * (value - least) / ((most - least) or 1):.1f}"

        low, high = row.get("mean_low"), row.get("mean_high")
        line = f'<path d="M{at(low)} 5H{at(high)}"/>' if low is not None and high is not None else ""
        return (
            f'<svg viewBox="-3 0 {WIDTH + 6} 10" aria-hidden="true"><path class="axis" d="M0 5H{WIDTH}"/>{line}'
            f'<circle cx="{at(row["mean"])}" cy="5" r="3"/></svg>'
        )


def _ranks(row: Record) -> str:
    low, high = row["rank_low"], row.get("rank_high")
    if low is None or high is None:
        return "-"
    return f"{low:g}" if low == high else f"{low:g}–{high:g}"
