"""The work of `irassay score`."""

from dataclasses import replace
from typing import Any

from irassay.headers import Header
from irassay.measures import parse
from irassay.panel.coverage import count
from irassay.report import wide
from irassay.result import Result, Table, column_decimals
from irassay.scoring.scores import Scores
from irassay.settings import Execution, check_digits
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import few, rows_of, safe
from irassay.studies.score.settings import Score
from irassay.studies.tables import grouped


def run(study: Score, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `scores`, long or wide; `overview`, systems by measures for the screen; `measures`, their names."""
    check_digits(study.digits)
    measures = parse(study.measures)
    data = load_panel(study, qrels, runs, execution)
    scores = data.panel.score(measures, jobs=data.jobs)
    trec_names = [measure.trec_name or str(measure) for measure in measures]
    tables = [
        scores.wide() if study.wide else scores.long(per_topic=study.per_topic),
        Table("measures", {"measure": scores.measures, "trec_eval": trec_names}),
    ]
    if not study.wide:
        tables.append(overview(scores, study.per_topic, study.digits))
        if study.per_topic:
            tables.append(replace(scores.long(per_topic=False), name="means"))
    return Result("score", tuple(tables), data.warnings, {"measures": list(scores.measures), **data.provenance})


def overview(scores: Scores, per_topic: bool, decimals: int | None = None) -> Table:
    """Systems (and topics) by measures, with two digits of the error over topics, or so many decimals."""
    systems, topics = scores.systems, scores.topics
    columns: dict[str, Any] = {"system": [s for s in systems for _ in topics] if per_topic else systems}
    if per_topic:
        columns["topic"] = topics * len(systems)
    digits = {}
    for one in scores.by_measure():
        name = one.name if one.name not in columns else f"{one.name} "
        columns[name] = one.topic_values().ravel() if per_topic else one.means()
        shown = 4 if per_topic else column_decimals(one.standard_errors().tolist())
        digits[name] = shown if decimals is None else decimals
    caption = f"{count(len(systems), 'system')}, {count(len(topics), 'topic')}"
    if not per_topic and decimals is None:
        caption += " (two digits of the standard error over topics are shown; csv and json keep all)"
    return Table("overview", columns, caption, digits, headers={name: Header(name.strip()) for name in digits})


def layouts(result: Result, table: Table, layout: str | None) -> Table:
    """The scores over all topics for a paper: systems by measures, unless the long table is asked for."""
    if layout == "long" or "system" not in table.columns:
        return table
    means = replace(result["means"], digits=table.digits) if "means" in result else table
    topics = result.provenance["topics"]
    caption = f"Scores over {len(topics)} topics. Best in bold." if isinstance(topics, list) else "Best in bold."
    return wide(means, caption)


def trec_rows(result: Result) -> list[tuple[str, str | None, str, float]]:
    """The scores as trec_eval's rows: per topic where asked for, and always the `all` rows."""
    names = dict(zip(*result["measures"].columns.values(), strict=True))
    return [
        (row["system"], row.get("topic"), str(names[row["measure"]]), row["score"])
        for table in result.tables
        if table.name in ("scores", "means")
        for row in rows_of(table)
    ]


def findings(result: Result) -> list[str]:
    scores = result["scores"]
    if "system" not in scores.columns:  # wide: a column for each system
        systems_shown = len(scores.columns) - len({"topic", "measure"} & set(scores.columns))
        return [f"Scores of {systems_shown} system{'s' * (systems_shown != 1)}."]
    means = rows_of(result["means"] if "topic" in scores.columns else scores, "score")
    best = [max(rows, key=lambda row: row["score"]) for rows in grouped(means, "measure").values()]
    systems = {row["system"] for row in means}
    if len(systems) == 1:
        scores_of = few([f"{safe(row['measure'])} {row['score']:.3f}" for row in best])
        return [f"The scores of {safe(*systems)}: {scores_of}."]
    parts = [f"{safe(row['measure'])} {safe(row['system'])} ({row['score']:.3f})" for row in best]
    return [f"The highest score of {len(systems)} systems: {few(parts)}."]
