"""One page from results: a file that needs no network, opens from a disk, prints, and reads aloud.

The page is whole without JavaScript: findings, pictures and the first rows of every table stand in it. Scripts add
hovering, sorting, searching and filtering. They are ours and Vega's, named by their hashes in the page's
Content-Security-Policy, so that no name in the data can ever run.
"""

import base64
import hashlib
import html
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from irassay.report.figure_rows import MEASURES, SYSTEMS, text_of
from irassay.report.html_table import MAX_ROWS, escape, plain_table, script_json, table_data
from irassay.report.render import available, to_svg
from irassay.report.text import visible
from irassay.report.vega import vega_figure
from irassay.result import Result, Table, python_values

STATIC_ROWS = 60  # rows that the page itself holds, for readers without scripts
OPEN_ROWS = 30  # a longer table is closed at first
# Files of the folder page: in a page the styles are one, and the scripts are one, in this order.
STYLES = ("page.css", "figures.css")
SCRIPTS = ("filters.js", "tables.js", "names.js", "figures.js", "page.js")

Named = Sequence[tuple[str, Result]]  # with the names of their folders, or with their titles in HTML


def to_html(results: Named, title: str = "irassay report") -> str:
    """The page for some results, each with the name of its folder."""
    style, script = _page_files(STYLES), _page_files(SCRIPTS)
    vega = available().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    if "</script" in vega.lower() or "<!--" in vega:
        raise ValueError("Vega's own code cannot stand in a page")
    studies = Counter(result.study for _, result in results)
    titled = [
        (escape(result.study) + (f" ({escape(name)})" if studies[result.study] > 1 else ""), result)
        for name, result in results
    ]
    sections = [_section(number, *study) for number, study in enumerate(titled, 1)]
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {_hash(vega)} {_hash(script)}"
    )
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="icon" href="data:,">',
        f"<title>{escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        '<a class="skip" href="#main">Skip to the findings</a>',
        f"<header><h1>{escape(title)}</h1>{_summary(results)}{_contents(titled)}</header>",
        _filters(results),
        f'<main id="main">{"".join(sections)}{_provenance(titled)}</main>',
        "<footer><p>Made by irassay; it needs no network. The files of each result have every digit.</p></footer>",
        f'<script type="module">{vega}</script>',
        f'<script type="module">{script}</script>',
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _page_files(names: Iterable[str]) -> str:
    return "\n".join(files("irassay.report").joinpath("page", name).read_text("utf-8") for name in names)


def _hash(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def _summary(results: Named) -> str:
    figures = sum(len(result.figures) for _, result in results)
    count = f"{len(results)} stud{'ies' if len(results) != 1 else 'y'}, {figures} figure{'s' * (figures != 1)}"
    return f'<p class="summary">How far to trust an evaluation: {count}.</p>'


def _contents(titled: Named) -> str:
    links = []
    for number, (title, result) in enumerate(titled, 1):
        question = f": {escape(result.notes.question)}" if result.notes.question else ""
        links.append(f'<li><a href="#study-{number}">{title}</a>{question}</li>')
    links.append('<li><a href="#provenance">provenance</a>: How to get these numbers again</li>')
    return f'<nav aria-label="Studies"><ul>{"".join(links)}</ul></nav>'


def _filters(results: Named) -> str:
    measures, systems = _values(results, MEASURES), _values(results, SYSTEMS)
    parts = ""
    if measures:
        boxes = "".join(
            f'<label><input type="checkbox" name="measure" value="{escape(one)}" checked> {escape(one)}</label>'
            for one in measures
        )
        parts += (
            f"<details><summary>Measures: <span data-count>all {len(measures)}</span></summary>"
            f"<fieldset><legend>Measures to show</legend>{boxes}</fieldset>"
            '<p><button type="button" data-all>All</button> <button type="button" data-none>None</button></p></details>'
        )
    if systems:
        parts += (
            '<label class="systems">Systems whose name contains <input type="search" name="system" '
            f'placeholder="any of {len(systems)}" autocomplete="off" spellcheck="false"></label>'
        )
    form = '<form id="filters" role="search" aria-label="Filter all figures and tables" hidden>'
    return f"{form}{parts}</form>" if parts else ""


def _values(results: Named, columns: Iterable[str]) -> list[str]:
    tables = [table for _, result in results for table in result.tables]
    cells = [python_values(table[column]) for table in tables for column in columns if column in table.columns]
    return list(dict.fromkeys(text_of(value) for values in cells for value in values if value is not None))


def _section(number: int, title: str, result: Result) -> str:
    notes = result.notes
    cites = "".join(f"<li>{escape(reference)}</li>" for reference in notes.references)
    parts = [
        f'<section id="study-{number}" aria-labelledby="title-{number}">',
        f'<h2 id="title-{number}">{title}</h2>',
        f'<p class="question">{escape(notes.question)}</p>' if notes.question else "",
        '<div class="finding">' + "".join(f"<p>{escape(sentence)}</p>" for sentence in result.summary) + "</div>",
        _warnings(result),
        *(_figure(f"{number}-{place}", result, place) for place in range(len(result.figures))),
        "<h3>Tables</h3>" if result.tables else "",
        *(_table(f"{number}-{place}", table, result, opened) for place, (table, opened) in enumerate(_opened(result))),
        f"<h3>How it was computed</h3><p>{escape(notes.how)}</p>",
        f"<h3>When to distrust it</h3><p>{escape(notes.distrust)}</p>",
        f'<h3>To cite</h3><ul class="cite">{cites}</ul>' if cites else "",
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _warnings(result: Result) -> str:
    items = "".join(f"<li>{escape(str(warning))}</li>" for warning in result.warnings)
    summary = f"<summary>Warnings: {len(result.warnings)}</summary>"
    return f'<details class="warnings">{summary}<ul>{items}</ul></details>' if items else ""


def _figure(place: str, result: Result, number: int) -> str:
    figure = result.figures[number]
    table = result[figure.table]
    still = vega_figure(figure, table)
    still.spec["config"]["background"] = "transparent"
    live = vega_figure(figure, table, hover=True)
    file = f"{result.study}-{figure.name}"
    return (
        f'<figure id="figure-{place}" data-file="{escape(file)}">'
        f'<div class="drawing" role="img" aria-label="{html.escape(live.alt)}">'
        f"{to_svg(still.spec)}</div>"
        f"<figcaption>{html.escape(live.caption)}</figcaption>"
        f'<script type="application/json">{script_json(live.spec)}</script></figure>'
    )


def _opened(result: Result) -> list[tuple[Table, bool]]:
    """The tables, and which are open: the first, and short main ones that no figure above has drawn."""
    folded = {figure.table for figure in result.figures} | set(result.details)
    return [
        (table, len(table) <= STATIC_ROWS if place == 0 else len(table) <= OPEN_ROWS and table.name not in folded)
        for place, table in enumerate(result.tables)
    ]


def _table(place: str, table: Table, result: Result, opened: bool) -> str:
    rest, name = len(table) - STATIC_ROWS, escape(table.name)
    cut = f" The page has the first {MAX_ROWS:,} rows; the file has all." if len(table) > MAX_ROWS else ""
    caption = f'<p class="caption" id="caption-{place}">{escape(table.caption) or name}{cut}</p>'
    shown = plain_table(table, STATIC_ROWS, result, f' aria-labelledby="caption-{place}"')
    more = f'<p class="rest">{rest:,} more rows are in the file of this table.</p>' if rest > 0 else ""
    return (
        f'<details class="table" id="table-{place}"{" open" if opened else ""}><summary><h4>{name}</h4> '
        f"<span>{len(table):,} row{'s' * (len(table) != 1)}</span></summary>"
        f'<div class="tools" hidden><label>Search {name} <input type="search" autocomplete="off" '
        'spellcheck="false"></label><p role="status"></p><button type="button" data-step="-1">Previous</button>'
        '<button type="button" data-step="1">Next</button></div>'
        f'{caption}<div class="scroll" role="region" tabindex="0" aria-label="Table {name}">{shown}</div>{more}'
        f'<script type="application/json">{script_json(table_data(table, result))}</script></details>'
    )


def _provenance(titled: Named) -> str:
    parts = ['<section id="provenance" aria-labelledby="title-provenance"><h2 id="title-provenance">Provenance</h2>']
    for title, result in titled:
        provenance = {**result.provenance, "numerics": result.numerics}
        command = provenance.pop("command", None)
        origin = (
            f"<pre><code>{escape(str(command))}</code></pre>"
            if command
            else "<p>Made in Python; the settings are below.</p>"
        )
        details = f"<details><summary>Inputs, policies and versions of {title}</summary>{_list(provenance)}</details>"
        parts += [f"<h3>{title}</h3>", origin, details]
    return "\n".join([*parts, "</section>"])


def _list(values: Mapping[str, object]) -> str:
    return f"<dl>{''.join(f'<dt>{escape(key)}</dt><dd>{_value(value)}</dd>' for key, value in values.items())}</dl>"


def _value(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"{len(value):,}: {', '.join(map(escape, value))}" if value else "none"
    if isinstance(value, Mapping):
        if any(isinstance(inner, (Mapping, list, tuple)) for inner in value.values()):
            return _list(value)
        return ", ".join(f"{escape(key)} = {escape(inner)}" for key, inner in value.items()) or "none"
    return "none" if value is None else escape(value if isinstance(value, (str, float)) else visible(str(value)))
