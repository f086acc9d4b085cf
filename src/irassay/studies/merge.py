"""Results of several collections as one: tables with a column `collection`, figures with a panel for each.

What all collections share is said once; everything else names its collection. One result stays as it is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from irassay._version import __version__
from irassay.errors import IrassayWarning
from irassay.headers import Header
from irassay.result import (
    PLACES,
    QUESTIONS,
    Column,
    Concern,
    Figure,
    Headline,
    Mark,
    Result,
    Table,
    below_each_other,
    python_values,
)
from irassay.result.long_columns import constant, joined
from irassay.studies.phrases import join, safe
from irassay.studies.titles import merge_titles

COLUMN = "collection"  # the first of every table
ANSWERS = 3  # to a question that a first screen has room for
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=\S)")

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9.-]+")  # a figure's name is that of its files

Named = Mapping[str, Result]  # results by the names of their collections


def merge_results(results: Named) -> Result:
    """The results of one study as one result."""
    if len(results) == 1:
        return next(iter(results.values()))
    first = next(iter(results.values()))
    return replace(
        first,
        paste=None if first.paste is None else partial(_merged_paste, dict(results)),
        tables=tuple(merge_tables({name: result.tables for name, result in results.items()})),
        figures=tuple(_merge_figures(results)),
        findings=merge_findings({name: result.findings for name, result in results.items()}),
        warnings=merge_warnings({name: result.warnings for name, result in results.items()}),
        details=_union(result.details for result in results.values()),
        headline=merge_headlines({name: result.headline for name, result in results.items()}),
        provenance=_merge_provenance({name: result.provenance for name, result in results.items()}),
    )


def _merged_paste(results: Named, merged: Result, layout: str | None, digits: int | None) -> Table:
    """The main tables of all collections as one, laid out for a paper."""
    pasted = {name: [one.for_paper(layout=layout, digits=digits)] for name, one in results.items()}
    return merge_tables(pasted)[0]


def merge_tables(tables: Mapping[str, Sequence[Table]]) -> list[Table]:
    """Tables of one name as one table, in the order in which they first come."""
    if len(tables) == 1:
        return list(next(iter(tables.values())))
    parts: dict[tuple[str, str], dict[str, Table]] = {}
    for name, own in tables.items():
        names = [table.name for table in own]
        for table in own:
            # of several tables with one name, as a screen may show, the caption says which it is
            key = (table.name, table.caption if names.count(table.name) > 1 else "")
            parts.setdefault(key, {})[name] = table
    return [_merge_table(same) for same in parts.values()]


def _merge_table(tables: Mapping[str, Table]) -> Table:
    first = next(iter(tables.values()))
    caption = _merge_caption({name: table.caption for name, table in tables.items()})
    names = _union(table.columns for table in tables.values())
    if not names:  # a text
        return replace(first, caption=caption)
    columns: dict[str, Column] = {COLUMN: joined([constant(name, len(table)) for name, table in tables.items()])}
    # a column of that name, such as a measure's, gives way
    own = {name: f"{name} " if name == COLUMN else name for name in names}
    columns |= {own[name]: _merge_column(list(tables.values()), name) for name in names}
    digits: dict[str, int] = {}
    bold: dict[str, float] = {}
    headers: dict[str, Header] = {}
    for table in tables.values():
        for name, places in table.digits.items():
            digits[own[name]] = max(places, digits.get(own[name], 0))
        for name, limit in table.bold.items():
            bold.setdefault(own[name], limit)
        headers |= {own[name]: header for name, header in table.headers.items()}
    return replace(first, columns=columns, caption=caption, digits=digits, bold=bold, headers=headers)


def _merge_column(tables: Sequence[Table], name: str) -> Column:
    return below_each_other([table.columns.get(name, [None] * len(table)) for table in tables])


def _merge_figures(results: Named) -> list[Figure]:
    parts: dict[str, dict[str, Figure]] = {}
    for name, result in results.items():
        for figure in result.figures:
            parts.setdefault(figure.name, {})[name] = figure
    figures: list[Figure] = []
    for figure_name, same in parts.items():
        panels = _with_panels(same, results)
        figures += [panels] if panels is not None else _one_each(figure_name, same, results)
    return figures


def _with_panels(figures: Mapping[str, Figure], results: Named) -> Figure | None:
    """One figure with a small figure for each collection, where they draw alike and nothing else has small ones."""
    first = next(iter(figures.values()))
    # a histogram's series are small figures
    if first.facet is not None or (first.kind == "histogram" and first.series is not None):
        return None
    alike = {replace(figure, caption="-", alt="-", marks=()) for figure in figures.values()}
    tables = {name: result[first.table] for name, result in results.items() if first.table in result}
    if len(alike) > 1 or tables.keys() != figures.keys() or len(figures) == 1:
        return None
    if any(_names_differ(first, column, tables.values()) for column in (first.x, first.y, first.series) if column):
        return None
    return replace(
        first,
        facet=COLUMN,
        caption=_merge_caption({name: figure.caption for name, figure in figures.items()}),
        alt=f"{_merge_caption({name: figure.alt for name, figure in figures.items()}).rstrip('.')}; "
        "a small figure for each collection",
        marks=_merge_marks({name: figure.marks for name, figure in figures.items()}),
        where={_own(column): value for column, value in first.where.items()},
    )


def _names_differ(figure: Figure, column: str, tables: Iterable[Table]) -> bool:
    """Whether names along an axis or in a legend are not the same: side by side each panel would be half empty."""
    names = [{value for value in _drawn(figure, table, column) if isinstance(value, str)} for table in tables]
    return any(names) and any(own != names[0] for own in names)


def _drawn(figure: Figure, table: Table, column: str) -> Iterable[object]:
    """The values of a column in the rows that the figure shows."""
    conditions = [(python_values(table[name]), wanted) for name, wanted in figure.where.items()]
    for place, value in enumerate(python_values(table[column])):
        if all(values[place] == wanted for values, wanted in conditions):
            yield value


def _one_each(name: str, figures: Mapping[str, Figure], results: Named) -> list[Figure]:
    """A figure for each collection, which its name and caption tell apart."""
    separate: list[Figure] = []
    for collection, figure in figures.items():
        changes: dict[str, Any] = {
            "caption": f"{safe(collection)}: {figure.caption}",
            "alt": f"{safe(collection)}: {figure.alt}",
            "where": {_own(column): value for column, value in figure.where.items()} | {COLUMN: collection},
        }
        if sum(figure.table in result for result in results.values()) > 1:
            changes["name"] = _unique(f"{name}_{_NOT_PLAIN.sub('-', collection)}", separate)
        changes |= {channel: _own(column) for channel, column in figure.channels().items()}
        separate.append(replace(figure, **changes))
    return separate


def _unique(name: str, others: Sequence[Figure]) -> str:
    names = {figure.name for figure in others}
    return name if name not in names else f"{name}_{len(names) + 1}"


def _own(column: str) -> str:
    """The name in a merged table of a column of one collection's."""
    return f"{column} " if column == COLUMN else column


def _merge_marks(marks: Mapping[str, tuple[Mark, ...]]) -> tuple[Mark, ...]:
    """Lines that all have stand in every small figure, others in that of their collection."""
    shared = [mark for mark in next(iter(marks.values())) if all(mark in own for own in marks.values())]
    others = [
        mark._replace(facet=collection) for collection, own in marks.items() for mark in own if mark not in shared
    ]
    return (*shared, *others)


def merge_findings(findings: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Collection after collection, each sentence with its name; what is found in all comes last, once."""
    if len(findings) == 1:
        return tuple(next(iter(findings.values())))
    shared = _in_all(findings.values())
    named: dict[str, list[str]] = {}
    for collection, sentences in findings.items():
        for sentence in sentences:
            if sentence not in shared:
                named.setdefault(sentence, []).append(safe(collection))
    return (*(f"{join(names)}: {sentence}" for sentence, names in named.items()), *shared)


def merge_headlines(headlines: Mapping[str, Headline]) -> Headline:
    """Titles and verdicts of all collections, with their names; tables that the merged result has."""
    if len(headlines) == 1:
        return next(iter(headlines.values()))
    verdict = {question: text for question in QUESTIONS if (text := _merge_answers(headlines, question))}
    tables = {
        place: one.tables[place]
        for place in PLACES
        for one in reversed(list(headlines.values()))
        if place in one.tables
    }
    concerns = [
        Concern(concern.severity, concern.title, f"{safe(name)}: {concern.text}")
        for name, one in headlines.items()
        for concern in one.concerns
    ]
    titles = merge_titles({name: one.title for name, one in headlines.items()})
    return Headline(titles, verdict, tables, tuple(concerns))


def _merge_answers(headlines: Mapping[str, Headline], question: str) -> str:
    """The answers of all collections; of many the first ones, because a screen has no room for more."""
    answers = {name: (one.verdict[question],) for name, one in headlines.items() if question in one.verdict}
    if not answers:
        return ""
    shown = merge_findings({name: answers.get(name, ()) for name in headlines})
    more = f"The findings have {len(shown) - ANSWERS} more collections." if len(shown) > ANSWERS + 1 else ""
    return " ".join([*shown[:ANSWERS], more] if more else shown)


def merge_warnings(warnings: Mapping[str, Sequence[IrassayWarning]]) -> tuple[IrassayWarning, ...]:
    """Each with the name of its collection, before the place where it comes from; what is true of all, once."""
    if len(warnings) == 1:
        return tuple(next(iter(warnings.values())))
    texts = {name: {str(warning): warning for warning in own} for name, own in warnings.items()}
    shared = _in_all(texts.values())
    first = next(iter(texts.values()))
    named = [
        IrassayWarning(warning.code, warning.what, f"{name}: {warning.where}" if warning.where else name)
        for name, own in texts.items()
        for text, warning in own.items()
        if text not in shared
    ]
    return (*(first[text] for text in shared), *named)


def _merge_caption(captions: Mapping[str, str]) -> str:
    """What all captions say, and then what those of single collections say beside it."""
    first = next(iter(captions.values()))
    if all(caption == first for caption in captions.values()):
        return first
    sentences = {name: _SENTENCE_END.split(caption) for name, caption in captions.items() if caption}
    shared = _in_all(sentences.values()) if len(sentences) == len(captions) else []
    named: dict[str, list[str]] = {}
    for collection, own in sentences.items():
        rest = " ".join(sentence for sentence in own if sentence not in shared)
        if rest:
            named.setdefault(rest, []).append(safe(collection))
    parts = [*shared, *(f"{join(names)}: {rest}" for rest, names in named.items())]
    return " ".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in parts)


def _in_all(texts: Iterable[Iterable[str]]) -> list[str]:
    """What stands in all of them, in the order of the first."""
    first, *others = map(list, texts)
    return [text for text in dict.fromkeys(first) if all(text in other for other in others)]


def _union(names: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(names)))


def _merge_provenance(provenances: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """What is the same for all collections, and under `collections` what each has beside it."""
    first, *others = provenances.values()
    shared = {
        key: value
        for key, value in first.items()
        if all(key in other and _equal(value, other[key]) for other in others)
    }
    own = {name: {key: value for key, value in one.items() if key not in shared} for name, one in provenances.items()}
    return {"irassay": __version__, **shared, "collections": own}


def _equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(np.asarray(one), np.asarray(other))
    return one == other
