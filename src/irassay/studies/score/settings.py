"""`irassay score`: what every system scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from irassay.settings import Execution, Inputs, option
from irassay.studies.execution import described_run

if TYPE_CHECKING:
    from irassay.result import Result, Table
    from irassay.scoring.scores import Scores


@dataclass(frozen=True, kw_only=True)
class Score(Inputs):
    """Score runs: a number for every system and measure, or for every topic as well.

    QRELS are relevance judgments; RUN is a run file, a directory of them, or a glob. `irassay measures` lists what
    can be measured.

    \b
    Examples:
      irassay score qrels.txt runs/ -m "AP nDCG@10 RBP(p=0.95)"
      irassay score qrels.txt 'runs/*.gz' -m AP --per-topic --format csv -o scores.csv
    """

    measures: tuple[str, ...] = option(
        ("AP nDCG@10 P@10 RR",),
        "measures, separated by spaces; may be repeated",
        flag="-m",
        many=True,
        metavar="LIST",
    )
    per_topic: bool = option(False, "a row for every topic, instead of one over all topics")
    wide: bool = option(False, "a row for every topic and a column for every system")

    @described_run
    def run(self, qrels: Any, runs: Any, *, execution: Execution | None = None) -> Result:
        """Tables: `scores`, long or wide; `overview`, systems by measures for the screen; `measures`, their names."""
        from irassay.measures import parse
        from irassay.result import Result, Table
        from irassay.studies.inputs import load_panel

        measures = parse(self.measures)
        data = load_panel(self, qrels, runs, execution)
        scores = data.panel.score(measures, jobs=data.jobs)
        trec_names = [measure.trec_name or str(measure) for measure in measures]
        tables = [
            scores.wide() if self.wide else scores.long(per_topic=self.per_topic),
            Table("measures", {"measure": scores.measures, "trec_eval": trec_names}),
        ]
        if not self.wide:
            tables.append(overview(scores, self.per_topic))
            if self.per_topic:
                tables.append(replace(scores.long(per_topic=False), name="means"))
        provenance = {"measures": list(scores.measures), **data.provenance}
        return Result("score", tuple(tables), data.warnings, provenance)


def overview(scores: Scores, per_topic: bool) -> Table:
    """Systems (and topics) by measures, with as many decimals as the error over topics allows."""
    from irassay.result import Table, decimals

    systems, topics = scores.systems, scores.topics
    columns: dict[str, Any] = {"system": [s for s in systems for _ in topics] if per_topic else systems}
    if per_topic:
        columns["topic"] = topics * len(systems)
    digits = {}
    for one in scores.by_measure():
        name = one.name if one.name not in columns else f"{one.name} "
        columns[name] = one.topic_values().ravel() if per_topic else one.means()
        digits[name] = 4 if per_topic else max(map(decimals, one.standard_errors().tolist()))
    caption = f"{_count(len(systems), 'system')}, {_count(len(topics), 'topic')}"
    if not per_topic:
        caption += " (as many decimals as the standard error over topics allows; csv and json keep all)"
    return Table("overview", columns, caption, digits)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def trec_rows(result: Result) -> list[tuple[str, str | None, str, float]]:
    """The scores as trec_eval's rows: per topic where asked for, and always the `all` rows."""
    names = dict(zip(*result["measures"].columns.values(), strict=True))
    rows: list[tuple[str, str | None, str, float]] = []
    for table in result.tables:
        if table.name not in ("scores", "means"):
            continue
        topical = "topic" in table.columns
        for row in table.rows():
            system, topic, measure, value = row if topical else (row[0], None, *row[1:])
            rows.append((system, topic, names[measure], value))  # type: ignore[arg-type]
    return rows
