"""The work of `irassay stability`."""

from typing import Any

from irassay.ask.stability import stability
from irassay.compute.progress import track
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.inputs import load_scores, refuse_unbounded
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.stability.settings import Stability
from irassay.studies.tables import columns, records
from irassay.vary.topics import TopicPlan


def run(study: Stability, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Table: `stability`."""
    margins = study.margins
    data = load_scores(study, qrels, runs, execution)
    refuse_unbounded(data.scores, "margins")
    counts = TopicPlan(study.seed, len(data.topics), study.resamples).counts()
    rows = []
    for scores in track("stability", data.scores.by_measure()):
        rates = stability(scores.resampled(counts), margins, jobs=data.jobs)
        rows += records(
            measure=[scores.name] * len(margins),
            fuzziness=margins,
            minority_rate=rates.minority_rate,
            proportion_of_ties=rates.proportion_of_ties,
        )
    caption = "Minority rate and proportion of ties: the lower both the better"
    digits = {"fuzziness": 2, "minority_rate": 4, "proportion_of_ties": 4}
    figure = Figure(
        name="stability",
        kind="curve",
        table="stability",
        x="minority_rate",
        y="proportion_of_ties",
        series="measure",
        point_label="fuzziness",
        labels={"x": "minority rate", "y": "proportion of ties"},
        caption="Minority rate against ties for growing margins, which stand beside the points: the nearer to 0 a "
        "measure's curve, the better",
        alt="Curves of proportion of ties against minority rate, one per measure",
    )
    table = Table("stability", columns(rows), caption, digits)
    return Result("stability", (table,), data.warnings, data.provenance, (figure,))


def findings(result: Result) -> list[str]:
    rows = rows_of(result["stability"])
    margin = min((row["fuzziness"] for row in rows), key=lambda fuzziness: abs(fuzziness - 0.05))
    rows = sorted((row for row in rows if row["fuzziness"] == margin), key=lambda row: row["minority_rate"])
    parts = [
        f"{safe(row['measure'])} {percent(row['minority_rate'])} ({percent(row['proportion_of_ties'])} undecided)"
        for row in rows
    ]
    return [
        f"With a margin of {percent(margin)}, samples of these topics contradict the usual order of a pair in: "
        f"{few(parts)}."
    ]
