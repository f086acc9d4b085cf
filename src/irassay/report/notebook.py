"""Results, tables and figures as a notebook shows them."""

from dataclasses import dataclass

from irassay.report.html_parts import escape
from irassay.report.html_table import plain_table
from irassay.report.render import pictures, to_svg
from irassay.report.vega import vega_figure
from irassay.result import Figure, Result, Table

ROWS = 20


def table_html(table: Table, result: Result | None = None) -> str:
    """The first rows of a table, of a result or alone, under its caption."""
    rest = len(table) - ROWS
    more = f"<p>{rest:,} more rows; <code>.to_pandas()</code> has all.</p>" if rest > 0 else ""
    return f"<p>{escape(table.caption or table.name)}</p>{plain_table(table, ROWS, result)}{more}"


def result_html(result: Result) -> str:
    """The findings and warnings of a study, its figures where they can be drawn, and its tables."""
    parts = [f"<h3>{escape(result.study)}</h3>", *(f"<p>{escape(sentence)}</p>" for sentence in result.summary)]
    parts += [f"<p><b>Warning:</b> {escape(str(warning))}</p>" for warning in result.warnings]
    parts += [Picture(figure, result[figure.table])._repr_html_() for figure in result.figures]
    for place, table in enumerate(result.tables):
        summary = f"<summary>{escape(table.name)}, {len(table):,} rows</summary>"
        parts.append(f"<details{' open' * (place == 0)}>{summary}{table_html(table, result)}</details>")
    return "\n".join(parts)


@dataclass(frozen=True)
class Picture:
    """A figure with the table it draws: a notebook shows it, `content` has it for a file."""

    figure: Figure
    table: Table

    def __repr__(self) -> str:
        return f"<Picture {self.figure.name}: {self.figure.kind} of {self.table.name}>"

    def _repr_html_(self) -> str:
        vega = vega_figure(self.figure, self.table)
        # text is wider than planned in browsers without the figure's fonts: let it stand out, do not cut it off
        svg = to_svg(vega.spec).replace("<svg ", '<svg style="overflow: visible" ', 1)
        return (
            f'<figure><div role="img" aria-label="{escape(vega.alt)}">{svg}</div>'
            f"<figcaption>{escape(vega.caption)}</figcaption></figure>"
        )

    def content(self, form: str = "svg") -> bytes:
        """The picture as `svg`, `pdf` or `png`."""
        return pictures(self.figure, self.table)[form]
