"""Parts of a page that work without scripts: text, rows of tables, and switches between panels."""

import html
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from irassay.headers import Header
from irassay.report.figure_rows import text_of
from irassay.report.text import undefined
from irassay.result import Table

Record = dict[str, Any]


def escape(value: object) -> str:
    """The value as text that is safe in an element and in a quoted attribute."""
    return html.escape(text_of(value))


def records(table: Table) -> list[Record]:
    """The rows by column name; an undefined cell is None."""
    names = list(table.columns)
    return [
        {name: None if undefined(value) else value for name, value in zip(names, row, strict=True)}
        for row in table.rows()
    ]


def groups(rows: Iterable[Record], column: str) -> dict[str, list[Record]]:
    """The rows by the text of a column, in order of appearance."""
    parts: dict[str, list[Record]] = {}
    for row in rows:
        parts.setdefault(text_of(row[column]), []).append(row)
    return parts


def words(name: str) -> str:
    """The name of a study, a table or a column as a title."""
    text = name.replace("_", " ").replace("-", " ").strip()
    return text[:1].upper() + text[1:]


def heading_cell(header: Header, name: str = "", attributes: str = "", *, brief: bool = False) -> str:
    """A header with its meaning, and with its name in files, where people look for it."""
    text = header.brief if brief else header.text
    in_files = f"In files: {name}" if name and name != text else ""
    full = header.text if text != header.text else ""
    meaning = ". ".join(part.rstrip(".") for part in (full, header.meaning, in_files) if part)
    title = f' title="{escape(meaning)}"' if meaning else ""
    return f'<th scope="col"{title}{attributes}>{escape(text)}</th>'


def plural(count: int, one: str, many: str = "") -> str:
    """A number of things in words."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def link(**places: str | None) -> str:
    """Where a reader can look into something, as the address that drill_down.js reads."""
    return "#" + "&amp;".join(f"{key}={quote(text, safe='')}" for key, text in places.items() if text)


def scrolling(label: str, content: str) -> str:
    """Content that may be larger than its place, which a keyboard can scroll."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(label)}">{content}</div>'


class Panel(NamedTuple):
    """One of several contents that a switch shows: its label, a shorter one for a phone, and the HTML."""

    label: str
    content: str
    brief: str = ""


class Switches:
    """Makes switches between panels from radio buttons, which need no script; only one panel is seen at a time."""

    def __init__(self) -> None:
        self.switches = 0
        self.boxes = 0

    def switch(self, title: str, panels: Sequence[Panel], *, kind: str, heading: bool = True) -> str:
        """A titled switch between panels; one panel alone needs none."""
        shown = f"<h2>{escape(title)}</h2>" if heading else escape(title)
        if len(panels) == 1:
            content = f'<div class="panel">{panels[0].content}</div>'
            return f'<div class="{kind} switch">{shown if heading else ""}{content}</div>'
        self.switches += 1
        name = f"switch-{self.switches}"
        parts = "".join(
            f'<input type="radio" name="{name}" id="{name}-{place}"{" checked" * (place == 0)}>'
            f'<label for="{name}-{place}">{_label(panel)}</label><div class="panel">{panel.content}</div>'
            for place, panel in enumerate(panels)
        )
        return f'<fieldset class="{kind} switch"><legend>{shown}</legend>{parts}</fieldset>'

    def more(self, label: str, content: str) -> str:
        """Content of which the rows of class `further` are seen only when a box is ticked."""
        self.boxes += 1
        name = f"more-{self.boxes}"
        return (
            f'<div class="list"><input type="checkbox" id="{name}"><label for="{name}">{escape(label)}</label>'
            f"{content}</div>"
        )


def _label(panel: Panel) -> str:
    if not panel.brief or panel.brief == panel.label:
        return escape(panel.label)
    return f'<span class="full">{escape(panel.label)}</span><span class="brief">{escape(panel.brief)}</span>'
