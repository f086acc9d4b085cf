"""Sakai & Kando 2008, On IR Metrics Designed for Evaluation with Incomplete Relevance Assessments."""

from collections.abc import Callable, Mapping
from typing import Any

from irassay.result import Figure, Result
from irassay.studies.execution import run_study
from irassay.studies.incomplete.settings import PRESET, Incomplete
from irassay.studies.papers._sakai import DIGITS, POWER
from irassay.studies.papers.record import Item, Make, Paper, PaperContext, Part, Run
from irassay.studies.papers.reshape import averaged, copied, descending, pivot, rows, select, table, triangle
from irassay.studies.shape.settings import Shape
from irassay.studies.tables import Rows

RATES = "90,70,50,30,10"
FULL, LEAST = 100, 10
RUNS = 30  # drawn for rank correlation
PERSISTENCES = "RBP(p=0.5) RBP RBP(p=0.95)"  # p is 0.8 by default


def _shape(measures: str, relevant: str) -> Run:
    return lambda context: run_study(Shape(measures=(measures,), relevant=relevant, ranks=20))


def _incomplete(context: PaperContext) -> Result:
    """The study: power on one run of each team, tau on 30 runs of all."""
    if context.groups is None:
        context.warn("no-groups", "there are no groups (--groups): every run counts as a team of its own")
    return context.run(
        Incomplete,
        measures=(PRESET,),
        rates=RATES,
        trials=context.settings.trials,
        resamples=context.resamples,
        groups=context.settings.groups,
        one_per_group=context.groups is not None,
        sample_systems=context.top,
    )


def _averaged(all_rows: Rows) -> Rows:
    """Means over reductions of the judgments."""
    without_trial = [{name: value for name, value in row.items() if name != "trial"} for row in all_rows]
    return averaged(without_trial, ("rate", "measure"))


def _statistics(context: PaperContext, number: str) -> Part:
    result = _incomplete(context)
    systems = rows(result["systems"])
    counts = {row["what"]: row for row in rows(result["statistics"], {"rate": FULL})}
    values: dict[str, Any] = {
        "topics": len(context.panel.topics),
        "documents in the corpus": context.settings.corpus_size,
        "pool depth": context.settings.pool_depth,
    }
    values |= {
        f"{name}, {label}": counts[what][column]
        for what, name in (("N", "N (judged nonrelevant)"), ("R", "R (relevant)"))
        for column, label in (("mean", "mean"), ("min", "least"), ("max", "most"))
    }
    for grade in reversed(context.panel.grades):
        level = context.levels.get(grade)
        values[f"grade {grade}{f' ({level}-relevant)' if level else ''}, mean"] = counts[f"grade {grade}"]["mean"]
    groups = context.groups
    values |= {
        "teams": None if groups is None else len({groups[row["system"]] for row in systems}),
        "runs": len(systems),
        "runs used for discriminative power": sum(row["in_power"] for row in systems),
        "runs used for rank correlation": sum(row["in_tau"] for row in systems),
    }
    listed: Rows = [{"what": what, "value": value} for what, value in values.items()]
    return Part((table(number, listed, "What was not given is empty", {"value": 1}),))


def _teams(context: PaperContext, number: str) -> Part:
    used = {row["system"] for row in rows(_incomplete(context)["systems"], {"in_power": True})}
    groups = context.groups or {name: name for name in context.panel.systems}
    means = [{"team": groups[name], "system": name, "AP": mean} for name, mean in context.ranked("AP") if name in used]
    figure = Figure(
        number,
        "bars",
        number,
        x="team",
        y="AP",
        labels={"x": "team", "y": "mean AP"},
        caption="One run of each team, drawn at random" if context.groups else "Every run, as no teams were given",
        alt="Bars of mean AP, one per team, falling",
    )
    return Part((table(number, means, digits={"AP": 4}),), (figure,))


def _curve(column: str, label: str) -> Make:
    def make(context: PaperContext, number: str) -> Part:
        means = _averaged(rows(_incomplete(context)["incomplete"]))
        values = table(number, select(means, "measure", "rate", column), digits={column: 3})
        figure = Figure(
            number,
            "curve",
            number,
            x="rate",
            y=column,
            series="measure",
            labels={"x": "per cent of the judgments", "y": label},
            caption="The mean over reductions" if context.settings.trials > 1 else "One reduction of the judgments",
            alt=f"Curves of {label} over rates, one per measure",
        )
        return Part((values,), (figure,))

    return make


def _at(rate: int, change: Callable[[Rows], Rows], caption: str, digits: Mapping[str, int]) -> Make:
    """The measures with one rate of the judgments, their rows changed."""
    return copied(
        _incomplete,
        "incomplete",
        where={"rate": rate},
        change=lambda measures: change(_averaged(measures)),
        caption=caption,
        digits=digits,
    )


def _power(rate: int) -> Make:
    return _at(
        rate,
        lambda measures: select(descending(measures, "discriminative_power"), *POWER),
        "alpha 0.05, per comparison, not corrected",
        DIGITS,
    )


def _inconsistent(measures: Rows) -> Rows:
    return [
        {**row, "share": row["inconsistent"] / row["significant"] if row["significant"] else None}
        for row in select(measures, "measure", "significant", "inconsistent")
    ]


def _robustness(measures: Rows) -> Rows:
    return select(descending(measures, "tau_with_full"), "measure", "tau_with_full")


def _correlations(context: PaperContext, number: str) -> Part:
    taus = rows(_incomplete(context)["agreement"], {"rate": FULL})
    return Part((triangle(number, taus, "tau", "Over 0.9 it is bold", bold=0.9),))


PAPER = Paper(
    "sakai2008incomplete",
    "T. Sakai, N. Kando. On information retrieval metrics designed for evaluation with incomplete relevance "
    "assessments. Information Retrieval 11(5), 2008.",
    "90, 70, 50, 30 and 10% of the judgments; power on one random run of each team (`--groups`), mean scores "
    "and tau on 30 random runs; B = 1000, alpha 0.05. The paper drops RBP(p=0.5) after T3; here it stays. "
    "`--trials N` averages over N reductions. `--corpus-size` and `--pool-depth` are only shown in T2.",
    (
        Item(
            "T1",
            "RBP of an ideal ranked list",
            "shape",
            copied(
                _shape(PERSISTENCES, "1,10,100,1000"),
                "ideal",
                change=lambda scores: pivot(scores, "R", "measure", "score"),
                caption="No data: binary relevance",
                digits=dict.fromkeys(PERSISTENCES.split(), 4),
            ),
        ),
        Item(
            "F1",
            "top-heaviness: one relevant document at each rank",
            "shape",
            copied(
                _shape(f"AP Q nDCG(dcg='jk')@1000 {PERSISTENCES}", "10,100"),
                "shape",
                "shape",
                caption="No data: binary relevance",
                digits={"score": 4},
                redraw={"facet": "R"},
            ),
        ),
        Item("T2", "statistics of the data", "incomplete", _statistics),
        Item("F2", "AP of the participating teams", "incomplete", _teams),
        Item("F3", "mean score against the rate of judgments", "incomplete", _curve("mean_score", "mean score")),
        Item("F4", "mean score against the rate of judgments, second pair of collections", same_as="F3", collection=2),
        Item("T3", "discriminative power with 100% of the judgments", "incomplete", _power(FULL)),
        Item("T4", "discriminative power with 10% of the judgments", "incomplete", _power(LEAST)),
        Item(
            "F5",
            "discriminative power against the rate of judgments",
            "incomplete",
            _curve("discriminative_power", "discriminative power"),
        ),
        Item(
            "F6",
            "discriminative power against the rate of judgments, second pair of collections",
            same_as="F5",
            collection=2,
        ),
        Item(
            "T5",
            "differences significant with 10% of the judgments but not with 100%",
            "incomplete",
            _at(LEAST, _inconsistent, "Whatever their direction", {"share": 3}),
        ),
        Item(
            "T6", "Kendall's rank correlations between measures with 100% of the judgments", "incomplete", _correlations
        ),
        Item(
            "F7",
            "tau with the full ranking against the rate of judgments",
            "incomplete",
            _curve("tau_with_full", "tau with the full ranking"),
        ),
        Item(
            "F8",
            "tau with the full ranking against the rate of judgments, second pair of collections",
            same_as="F7",
            collection=2,
        ),
        Item(
            "T7",
            "measures sorted by tau with the full ranking, 10% of the judgments",
            "incomplete",
            _at(LEAST, _robustness, "", {"tau_with_full": 4}),
        ),
    ),
    top=RUNS,
    graded=True,
)
