"""One page from results: a file that needs no network, opens from a disk, prints, and reads aloud.

The page is whole without JavaScript: the first screen with its switches, findings, pictures and the first rows of every
table stand in it. Scripts add hovering, sorting, searching, filtering, export and looking into systems and topics. They
are ours and Vega's, named by their hashes in the page's Content-Security-Policy, so that no name in the data can ever
run.
"""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files

from irassay.report.figure_rows import MEASURES, SYSTEMS, text_of
from irassay.report.html_first_screen import FirstScreen, Named
from irassay.report.html_notes import notes
from irassay.report.html_parts import escape, words
from irassay.report.html_section import section
from irassay.report.html_table import data_script
from irassay.report.render import converter
from irassay.result import Column, python_values
from irassay.result.long_columns import LongColumn

# Files of the folder page: in a page the styles are one, and the scripts are one, in this order.
STYLES = ("page.css", "tables.css", "figures.css", "first_screen.css", "look_into.css", "print.css")
SCRIPTS = (
    "filters.js",
    "data.js",
    "explain.js",
    "csv.js",
    "tables.js",
    "names.js",
    "figures.js",
    "contents.js",
    "charts.js",
    "ranked_lists.js",
    "look_into.js",
    "page.js",
)
END = (("methods", "How it was computed"), ("glossary", "Terms"), ("provenance", "Provenance"))


def to_html(results: Named, title: str = "irassay report") -> str:
    """The page for some results, each with the name of its folder; `title` where no result names the data."""
    style, script = _page_files(STYLES), _page_files(SCRIPTS)
    vega = converter().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    if "</script" in vega.lower() or "<!--" in vega:
        raise ValueError("Vega's own code cannot stand in a page")
    studies = Counter(result.study for _, result in results)
    titled = [
        (escape(words(result.study)) + (f" ({escape(name)})" if studies[result.study] > 1 else ""), result)
        for name, result in results
    ]
    first = FirstScreen(results)
    title = first.title or title
    sections = [section(number, *study) for number, study in enumerate(titled, 1)]
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {_hash(script)} {_hash(vega)}"
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
        _contents(titled),
        f'<header id="top"><h1>{escape(title)}</h1></header>',
        f'<main id="main">{first.html()}{_filters(results)}',
        "".join(sections),
        notes(titled),
        "</main>",
        "<footer><p>Made by irassay; it needs no network. The files of each result have every digit.</p></footer>",
        _places(first),
        # in this order: the page works before Vega's code, the largest part, has been read
        f'<script type="module">{script}</script>',
        f'<script type="module">{vega}</script>',
        "</body>",
        "</html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _page_files(names: Iterable[str]) -> str:
    return "\n".join(files("irassay.report").joinpath("page", name).read_text("utf-8") for name in names)


def _hash(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def _contents(titled: Named) -> str:
    """The contents twice: at the side of a wide page, and in a menu that opens above a narrow one."""
    links = ['<li><a href="#top">Overview</a></li>']
    for number, (title, result) in enumerate(titled, 1):
        question = f"<span>{escape(result.notes.question)}</span>" if result.notes.question else ""
        links.append(f'<li><a href="#study-{number}">{title}{question}</a></li>')
    links += [f'<li><a href="#{place}">{title}</a></li>' for place, title in END]
    items = f"<ul>{''.join(links)}</ul>"
    menu = f'<details class="menu"><summary>Contents</summary>{items}</details>'
    return f'<nav aria-label="Contents" id="contents">{menu}<div class="side">{items}</div></nav>'


def _places(first: FirstScreen) -> str:
    """Which tables look_into.js reads, and the systems that they have."""
    places = {name: first.place(name) for name in ("topic_scores", "top_documents")}
    if places["topic_scores"] is None:
        return ""
    tables = {name: f"table-{place[0]}-{place[1]}" for name, place in places.items() if place is not None}
    script = data_script({**tables, "systems": first.systems})
    return f'<div id="places" hidden>{script}</div>'


def _filters(results: Named) -> str:
    measures = _values(results, MEASURES)
    systems = _values(results, [column for column in SYSTEMS if column != "system_or_group"])
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
    form = '<form id="filters" role="search" aria-label="Filter all figures and tables below" hidden>'
    return f"{form}{parts}</form>" if parts else ""


def _values(results: Named, columns: Iterable[str]) -> list[str]:
    tables = [table for _, result in results for table in result.tables]
    cells = [_texts(table[column]) for table in tables for column in columns if column in table.columns]
    return list(dict.fromkeys(text_of(value) for values in cells for value in values if value is not None))


def _texts(column: Column) -> Sequence[object]:
    """What stands in a column; of a long one each text once."""
    return column.labels or () if isinstance(column, LongColumn) else python_values(column)
