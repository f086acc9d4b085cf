"""The work of `irassay paper`: every item of a paper that the data can give, under its number."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from irassay.errors import InputError, IrassayWarning, UnavailableError, emit
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.collection_settings import StudyInput
from irassay.studies.execution import collect_warnings, each_collection, one_cluster, unique
from irassay.studies.inputs import read_inputs
from irassay.studies.kept_results import KeptResults
from irassay.studies.measure_names import names_in, renamed_figure, renamed_table
from irassay.studies.merge import merge_results
from irassay.studies.papers import KEYS, STUDY, paper_of
from irassay.studies.papers.beside_printed import printed_values
from irassay.studies.papers.record import Item, Paper, PaperContext
from irassay.studies.papers.settings import PaperStudy
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.registry import describe
from irassay.studies.saving import settings_record
from irassay.studies.tables import columns, grouped

SHOWN = ("curve",)  # other columns that hold names of measures
TableOrFigure = TypeVar("TableOrFigure", Table, Figure)


def run_paper(inputs: Sequence[StudyInput], key: str, execution: Execution) -> Result:
    """Table `contents`, and a table or figure for each item, named by its number.

    With `out` in `execution` finished studies are kept there, for the same paper of the same data given again; whoever
    calls this saves the result. Several inputs are collections: tables have a column `collection`, figures a panel for
    each, and items that the paper shows for its second collection are made for the second one.
    """
    paper = paper_of(key)
    numbers = {one.collection: number for number, one in enumerate(inputs, 1)}
    folder = Path(os.path.realpath(execution.out)) if execution.out else None
    kept = KeptResults(folder, settings_record(inputs, paper=key), {}, force=execution.force)
    try:
        with one_cluster(execution):
            return merge_results(
                each_collection(
                    inputs, lambda one: _run(paper, one, numbers[one.collection], len(inputs), execution, kept)
                )
            )
    except BaseException:
        kept.discard_if_empty()
        raise


def _run(
    paper: Paper, one: StudyInput, number: int, collections: int, execution: Execution, kept: KeptResults
) -> Result:
    """The paper for one of so many collections."""
    settings: PaperStudy = one.settings
    if settings.pair and (isinstance(settings.pair, str) or len(set(settings.pair)) != 2):
        raise InputError("a pair is two different systems", hint="give --pair twice, one system each")
    warnings: list[IrassayWarning] = []
    with collect_warnings(warnings):
        qrels, runs = read_inputs(settings, one.qrels, one.runs, jobs=execution.jobs)
    context = PaperContext(paper, settings, qrels, runs, execution, kept, warnings, collection=number)
    context.groups  # noqa: B018  # an unreadable file is reported before any work
    if paper.graded and len(context.grades) == 1:
        context.warn("binary", "the judgments have one relevant level only: graded measures have nothing to grade")
    tables, figures, failures = _items(context)
    used = names_in(tables)
    tables = [renamed_table(table, context.names, SHOWN) for table in tables]
    figures = [renamed_figure(figure, context.names, SHOWN) for figure in figures]
    beside = [one for table in tables for one in printed_values(context, table)]
    tables, printed = [table for table, _ in beside], sum(count for _, count in beside)
    if not tables:
        raise next(iter(failures.values()))
    all_warnings = unique(context.warnings)
    emit(all_warnings)
    # what is of a collection that is there stands in its contents, what is of none in those of the first
    items = [
        item for item in paper.items if item.collection in (1, number) or number == 1 < item.collection > collections
    ]
    contents = _contents(paper, items, tables, figures, failures)
    provenance = context.inputs.provenance | {
        "paper": paper.key,
        "reference": paper.reference,
        "gains": context.gains,
        "seed": settings.seed,
        "resamples": context.resamples,
        "studies": context.studies,
        "printed_values": printed,
    }
    listed = (contents, *tables, *_names(context, used))
    return describe(STUDY, Result(paper.key, listed, all_warnings, provenance, tuple(figures)))


def _names(context: PaperContext, used: set[str]) -> Iterable[Table]:
    """What the paper's names of measures stand for, of those that the tables have."""
    measures: dict[str, str] = {}
    for measure, name in context.names.items():
        if measure in used:
            measures.setdefault(name, measure)
    listed = {"name": list(measures), "measure": list(measures.values())}
    return [Table("names", listed, "The paper's names of measures, and irassay's")] if measures else []


def _items(context: PaperContext) -> tuple[list[Table], list[Figure], dict[str, InputError]]:
    """The tables and figures with the paper's captions, and what is wrong with the items that could not be made."""
    tables: list[Table] = []
    figures: list[Figure] = []
    failures: dict[str, InputError] = {}
    for item in context.paper.items:
        make = context.paper.make(item)
        if make is None or item.collection not in (1, context.collection):
            continue
        try:
            part = make(context, item.number)
        except UnavailableError:  # given again it goes on
            raise
        except InputError as problem:
            failures[item.number] = problem
            continue
        tables += [_titled(context.paper, table) for table in part.tables]
        figures += [_titled(context.paper, figure) for figure in part.figures]
    for message in dict.fromkeys(problem.what for problem in failures.values()):
        numbers = [number for number, problem in failures.items() if problem.what == message]
        context.warn("paper-item", f"{', '.join(numbers)} cannot be made: {message}")
    return tables, figures, failures


def _contents(
    paper: Paper,
    items: Iterable[Item],
    tables: Iterable[Table],
    figures: Iterable[Figure],
    failures: dict[str, InputError],
) -> Table:
    names = {"T": {table.name for table in tables}, "F": {figure.name for figure in figures}}
    rows = []
    for item in items:
        delivered = item.number in names[item.number[0]]
        note = failures[item.number].what if item.number in failures else ""
        if item.collection > 1:
            note = "of the second collection" if delivered else note or "needs a second collection"
        elif delivered and item.deviates:
            note = f"deviates: {item.deviates}"
        rows.append(
            {
                "item": item.number,
                "what": item.what,
                "study": paper.study(item),
                "delivered": delivered,
                "as": item.number if delivered else None,
                "note": note,
            }
        )
    count = sum(row["delivered"] is True for row in rows)
    return Table("contents", columns(rows), f"{count} of the paper's {len(rows)} tables and figures from these data")


def _titled(paper: Paper, part: TableOrFigure) -> TableOrFigure:
    """With the paper's title before the caption; a table of a figure's number has the numbers of the figure."""
    item = next((item for item in paper.items if item.number == part.name), None)
    if item is None:
        return part
    kind = "Table" if part.name[0] == "T" else "Figure"
    its_numbers = " (its numbers)" if isinstance(part, Table) and kind == "Figure" else ""
    title = f"{kind} {item.number[1:]}{its_numbers}: {item.what}"
    return replace(part, caption=f"{title}. {part.caption}" if part.caption else title)


def listing() -> list[Table]:
    """Every paper's tables and figures, one table each."""
    tables = []
    for key in KEYS:
        paper = paper_of(key)
        rows = [{"item": item.number, "study": paper.study(item), "what": item.what} for item in paper.items]
        tables.append(Table(key, columns(rows), f"{key}: {paper.reference}"))
    return tables


def checklist(key: str) -> Table:
    """A paper's items, and of each whether it is delivered, what it needs, or why it deviates."""
    paper = paper_of(key)
    listed: dict[str, list[str]] = {
        "item": [item.number for item in paper.items],
        "status": [item.status for item in paper.items],
        "study": [paper.study(item) for item in paper.items],
        "what": [item.what for item in paper.items],
    }
    return Table(key, listed, f"{key}: {paper.reference}")


def findings(result: Result) -> list[str]:
    rows = rows_of(result["contents"])
    missing = [f"{safe(row['item'])} ({safe(row['note'])})" for row in rows if not row["delivered"]]
    sentences = [
        f"{len(rows) - len(missing)} of the {len(rows)} tables and figures of {safe(result.study)} were made from "
        "these data; each has the paper's number.",
        *_headline(result),
    ]
    if printed := result.provenance.get("printed_values"):
        sentences.append(
            f"Beside {printed} of the numbers stand those that the paper prints (columns _printed) and differences; "
            "captions name the paper's table."
        )
    if missing:
        sentences.append(f"Could not be made: {'; '.join(missing)}.")
    return sentences


def _headline(result: Result) -> Iterable[str]:
    """What the first table shows that compares measures by their power or deviation."""
    for table in result.tables:
        if "measure" not in table.columns or "system" in table.columns or not table.name.startswith("T"):
            continue
        for column, label, show in (
            ("discriminative_power", "share of pairs that it separates (not corrected)", percent),
            ("mean_sd", "deviation of a difference on one topic", "{:.3f}".format),
        ):
            if column in table.columns:
                by_measure = grouped(rows_of(table, column), "measure")  # the first level of several
                parts = [f"{safe(measure)} {show(rows[0][column])}" for (measure,), rows in by_measure.items()]
                return [f"Table {table.name[1:]}, {label}: {few(parts)}."] if parts else []
    return []
