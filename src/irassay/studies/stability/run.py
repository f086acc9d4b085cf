"""The work of `irassay stability`."""

from typing import Any

from irassay.ask.stability import stability
from irassay.progress import track
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.inputs import load_scores, refuse_unbounded
from irassay.studies.phrases import extremes, percent, rows_of, safe
from irassay.studies.stability.settings import Stability
from irassay.studies.tables import columns, records
from irassay.vary.topics import TopicPlan

RATES = (
    "Minority rate (MR): share of samples of the topics that contradict the usual order of a pair. Proportion of ties "
    "(PT): share of samples in which the pair counts as tied."
)


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
    caption = (
        f"{RATES} Fuzziness is the margin, as a share of the better score, within which a pair counts as tied. A "
        "measure is the better the lower both rates are."
    )
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
        caption="Stability at all margins, which stand beside the points: the nearer a measure's curve comes to 0, the "
        f"better. {RATES}",
        alt="Curves of proportion of ties against minority rate, one per measure",
    )
    table = Table("stability", columns(rows), caption, digits)
    return Result("stability", (table,), data.warnings, data.provenance, (figure,))


def findings(result: Result) -> list[str]:
    rows = rows_of(result["stability"])
    margin = min((row["fuzziness"] for row in rows), key=lambda fuzziness: abs(fuzziness - 0.05))
    rows = [row for row in rows if row["fuzziness"] == margin]
    worst, best, _ = ends = extremes(rows, lambda row: float(row["minority_rate"]))
    best = best or worst
    sentences = [
        f"By {safe(best['measure'])} {percent(best['minority_rate'])} of samples of these topics contradict the usual "
        f"order of a pair, and {percent(best['proportion_of_ties'])} leave it undecided."
    ]
    if percent(best["minority_rate"]) != percent(worst["minority_rate"]):
        sentences.append(
            f"Most contradict it by {safe(worst['measure'])}, {percent(worst['minority_rate'])} "
            f"({percent(worst['proportion_of_ties'])} undecided).{ends.table('stability')}"
        )
    undecided = f"differ by less than {percent(margin)} of the better score" if margin else "have the same score"
    return [*sentences, f"Undecided is a pair whose scores {undecided}."]
