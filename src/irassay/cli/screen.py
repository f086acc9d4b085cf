"""What a command shows: findings first, then tables on stdout; what is not shown on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from irassay.cli.talk import talk

if TYPE_CHECKING:
    from irassay.result import Result, Table
    from irassay.studies.study.run import FullStudyResults

MOST_FINDINGS = 8  # that a terminal shows at once
MOST_OF_A_PART = 2  # of those of each part of a full study, and of each collection


def screen(tables: Sequence[Table], result: Result, output: str | None = None, out: str | None = None) -> str:
    """Findings and tables, for the terminal or, to a file or a pipe, plain and whole."""
    import irassay.report as report
    from irassay.report.cells import show_bounds

    tty = False if output else None
    shown = [
        # a table without rows is a sentence: its caption
        report.to_terminal([show_bounds(table, result)], tty=tty)
        if len(table)
        else report.paragraph(table.caption, tty=tty)
        for table in tables
    ]
    return "\n".join([*findings(result, tty=sys.stdout.isatty() if tty is None else tty, out=out), *shown])


def findings(result: Result, *, tty: bool, out: str | None) -> list[str]:
    """The sentences that say what the tables mean; of many the first ones, on a terminal."""
    import irassay.report as report

    where = f"irassay report {out} shows them" if out else "saved with --out DIR"
    sentences = _first(result.findings, MOST_FINDINGS, f"({where})") if tty else result.findings
    text = "".join(report.paragraph(sentence, tty=tty, indent="  ") for sentence in sentences)
    return [text] if text else []


def _first(sentences: Sequence[str], most: int, where: str) -> Sequence[str]:
    """The first sentences, and how many more there are; a single one more takes no more space."""
    if len(sentences) <= most + 1:
        return sentences
    return [*sentences[:most], f"… and {len(sentences) - most} more findings {where}"]


def full_study_text(results: FullStudyResults, collections: int) -> str:
    """Every part with its question and first findings; the table of parts only where one failed."""
    import irassay.report as report

    tty = sys.stdout.isatty()
    texts = []
    for part, result in results.items():
        sentences = _first(result.summary, MOST_OF_A_PART * collections, "in the report") if tty else result.summary
        text = report.paragraph(f"{part}: {result.notes.question}", tty=tty, indent="  ")
        texts.append(text + "".join(report.paragraph(one, tty=tty, first="  - ", indent="    ") for one in sentences))
    if results.failures:
        return "\n".join([*texts, report.to_terminal(results.overview.tables, tty=tty)])
    return "\n".join([*texts, f"All {len(results)} parts were made.\n"])


def talk_of_hidden(tables: Sequence[Table], result: Result) -> None:
    """Say which tables, or rows of them, the terminal does not show."""
    shown = {table.name: table for table in tables}
    hidden = [table.name for table in result.tables if table.name not in shown]
    hidden += [f"more of {name}" for name, table in shown.items() if len(table) < len(result[name])]
    if hidden:
        talk(f"Not shown: {', '.join(hidden)} (saved with --out DIR, printed with --format json)")
