"""The section of one study in a page: its answer, one figure and one table; the rest is folded."""

import html
import re
from collections.abc import Sequence

from irassay.errors import IrassayWarning, by_kind
from irassay.report.html_parts import escape, plural
from irassay.report.html_table import script_json, whole_table
from irassay.report.render import to_svg
from irassay.report.vega import vega_figure
from irassay.result import Result

# A third of a picture's size: decimals of coordinates that nobody can see, and descriptions of single marks, which a
# reader of the whole picture never meets. Text stays as it is.
_TAG = re.compile(r"<[^<>]*>")
_LONG_NUMBER = re.compile(r"(\d\.\d\d)\d+")
_DESCRIPTION = re.compile(r' (?:aria-[a-z]+|role)="[^"]*"')


def section(number: int, title: str, result: Result) -> str:
    """One study; `title` is HTML."""
    question = f'<span class="question">{escape(result.notes.question)}</span>' if result.notes.question else ""
    main = next((place for place, table in enumerate(result.tables) if table.name not in result.details), 0)
    others = [place for place in range(len(result.tables)) if place != main]
    parts = [
        f'<section id="study-{number}" aria-labelledby="title-{number}">',
        f'<h2 id="title-{number}"><span class="study">{title}</span> {question}</h2>',
        '<div class="finding">' + "".join(f"<p>{escape(sentence)}</p>" for sentence in result.summary) + "</div>",
        _warnings(result),
        *(figure(f"{number}-{place}", result, place) for place in range(len(result.figures[:1]))),
        whole_table(f"{number}-{main}", result.tables[main], result, main=True) if result.tables else "",
        _more(number, result, others),
        f'<p class="see"><a href="#method-{number}">How it was computed, when to distrust it, what to cite</a> '
        f'<a href="#provenance-{number}">Command, inputs, versions</a></p>',
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _warnings(result: Result) -> str:
    items = "".join(map(_kind, by_kind(result.warnings)))
    summary = f"<summary>{plural(len(result.warnings), 'warning')}</summary>"
    return f'<details class="warnings">{summary}<ul>{items}</ul></details>' if items else ""


def _kind(kind: IrassayWarning) -> str:
    """A warning, or those of one kind below the first."""
    first, *others = (f"<li>{escape(str(warning))}</li>" for warning in kind.messages)
    if not others:
        return first
    count = f"{len(others)} more of this kind ({escape(kind.code)})"
    more = f"<details><summary>{count}</summary><ul>{''.join(others)}</ul></details>"
    return f"{first.removesuffix('</li>')}{more}</li>"


def _more(number: int, result: Result, tables: Sequence[int]) -> str:
    """Figures but the first and tables but the main one."""
    figures = range(1, len(result.figures))
    if not figures and not tables:
        return ""
    counts = [plural(len(some), what) for some, what in ((figures, "figure"), (tables, "table")) if some]
    content = [figure(f"{number}-{place}", result, place) for place in figures]
    content += [whole_table(f"{number}-{place}", result.tables[place], result, main=False) for place in tables]
    kinds = " and ".join(what for some, what in ((figures, "figures"), (tables, "tables")) if some)
    return (
        f'<details class="more"><summary><h3>More {kinds}</h3> <span>{", ".join(counts)}</span></summary>'
        f"{''.join(content)}</details>"
    )


def figure(place: str, result: Result, number: int) -> str:
    """A picture, its caption, and the data from which a script draws it again with tooltips."""
    record = result.figures[number]
    table = result[record.table]
    still = vega_figure(record, table)
    still.spec["config"]["background"] = "transparent"
    live = vega_figure(record, table, hover=True)
    svg = _TAG.sub(lambda tag: _LONG_NUMBER.sub(r"\1", _DESCRIPTION.sub("", tag[0])), to_svg(still.spec))
    return (
        f'<figure id="figure-{place}" data-file="{escape(result.study)}-{escape(record.name)}">'
        f'<div class="drawing" role="img" aria-label="{html.escape(live.alt)}">{svg}</div>'
        f'<div class="export"></div><figcaption>{html.escape(live.caption)}</figcaption>'
        f'<script type="application/json">{script_json(live.spec)}</script></figure>'
    )
