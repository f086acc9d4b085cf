"""The first screen of a page: the verdict, the uncertainty budget, the best systems, and what to watch out for."""

from collections.abc import Iterable, Sequence

from irassay.report.figure_rows import text_of
from irassay.report.html_budget import budget
from irassay.report.html_leaderboard import leaderboard
from irassay.report.html_parts import Panel, Record, Switches, escape, groups, plural, records
from irassay.report.html_table import MAX_ROWS
from irassay.result import QUESTIONS, Result, Table, python_values, worst_first
from irassay.result.headline import fits

CONCERNS = 3  # that are seen at once
SENTENCES = 4  # of results without a verdict
SEVERITIES = ((0.66, "severe", "▲"), (0.33, "moderate", "◆"), (0.0, "slight", "●"))

Named = Sequence[tuple[str, Result]]


class FirstScreen:
    """What the headlines of some results show together, each place filled by the first result that can."""

    def __init__(self, results: Named) -> None:
        self.results = results
        self.switches = Switches()

    @property
    def title(self) -> str:
        """What the data are called; empty where no result says it."""
        return next((result.headline.title for _, result in self.results if result.headline.title), "")

    def place(self, name: str) -> tuple[int, int] | None:
        """The number of the result and of the table that fill a place."""
        for number, (_, result) in enumerate(self.results, 1):
            table = result.headline.tables.get(name)
            if table is not None and len(result[table]) and fits(result[table], name):
                return number, [one.name for one in result.tables].index(table)
        return None

    def table(self, name: str) -> Table | None:
        """The table that fills a place."""
        place = self.place(name)
        return None if place is None else self.results[place[0] - 1][1].tables[place[1]]

    @property
    def systems(self) -> list[str]:
        """The systems whose topics one can look into, as text: those with scores among the rows in the page."""
        table = self.table("topic_scores")
        names = [] if table is None else python_values(table["system"])[:MAX_ROWS]
        return list(dict.fromkeys(map(text_of, names)))

    def html(self) -> str:
        """The verdict and all that stands below it; parts without data are left out."""
        panels = self._panels()
        concerns = self._concerns()
        several = self.switches.switch("Collection", panels, kind="collections", heading=False) if panels else ""
        parts = panels[0].content if len(panels) == 1 else several
        return f'<div class="first-screen">{self._verdict()}<div class="parts">{parts}{concerns}</div></div>'

    def _verdict(self) -> str:
        sentences = []
        for question in QUESTIONS:
            answers = (result.headline.verdict.get(question, "") for _, result in self.results)
            sentences.append(next((answer for answer in answers if answer), ""))
        if not any(sentences) and len(self.results) > 1:  # the findings of one result follow at once
            sentences = [sentence for _, result in self.results for sentence in result.summary[: self._share]][
                :SENTENCES
            ]
        shown = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences if sentence)
        return f'<div class="verdict">{shown}</div>' if shown else ""

    @property
    def _share(self) -> int:
        """How many sentences each result has in a verdict that no headline gives."""
        return max(1, SENTENCES // max(1, len(self.results)))

    def _panels(self) -> list[Panel]:
        """Budget and leaderboard of each collection."""
        tables = {name: self.table(name) for name in ("budget", "leaderboard")}
        rows = {name: _by_collection(table) for name, table in tables.items() if table is not None}
        collections = dict.fromkeys(one for parts in rows.values() for one in parts)
        panels = []
        for collection in collections:
            content = ""
            if (table := tables["budget"]) is not None and (cells := rows["budget"].get(collection)):
                content += budget(table, cells, self.switches)
            if (table := tables["leaderboard"]) is not None and (cells := rows["leaderboard"].get(collection)):
                content += leaderboard(table, cells, self.switches, set(self.systems), collection or None)
            panels.append(Panel(collection, content))
        return panels

    def _concerns(self) -> str:
        concerns = worst_first([result.headline for _, result in self.results])
        items = [_concern(*concern) for concern in dict.fromkeys(concerns)]
        if not items:
            return ""
        rest = items[CONCERNS:]
        more = f"<details><summary>{plural(len(rest), 'more concern')}</summary><ul>{''.join(rest)}</ul></details>"
        content = f"<ul>{''.join(items[:CONCERNS])}</ul>{more if rest else ''}"
        return f'<div class="watch"><h2>Watch out</h2>{content}</div>'


def _by_collection(table: Table) -> dict[str, list[Record]]:
    rows: Iterable[Record] = records(table)
    return groups(rows, "collection") if "collection" in table.columns else {"": list(rows)}


def _concern(severity: float, title: str, text: str) -> str:
    name, symbol = next((name, symbol) for least, name, symbol in SEVERITIES if severity >= least)
    return (
        f'<li class="{name}"><span aria-hidden="true">{symbol}</span> <strong>{escape(title)}.</strong> '
        f'<span class="hidden">({name})</span> {escape(text)}</li>'
    )
