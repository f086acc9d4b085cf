"""Sakai & Kando 2008, On IR Metrics Designed for Evaluation with Incomplete Relevance Assessments."""

from __future__ import annotations

from typing import Any

from irassay.result import Figure
from irassay.studies.incomplete.settings import PRESET, Incomplete
from irassay.studies.papers._sakai import DIGITS
from irassay.studies.papers.record import Item, Paper, Part, Step
from irassay.studies.papers.reshape import Rows, averaged, drawn, falling, kept, redrawn, rows, table, triangle
from irassay.studies.papers.run import Workbench
from irassay.studies.shape.settings import Shape

RATES = "90,70,50,30,10"
FULL, LEAST = 100, 10
RUNS = 30  # drawn for rank correlation
PERSISTENCES = "RBP(p=0.5) RBP(p=0.8) RBP(p=0.95)"
CURVES = {
    "F3": ("mean_score", "mean score"),
    "F5": ("discriminative_power", "discriminative power"),
    "F7": ("tau_with_full", "tau with the full ranking"),
}


def _ideal(bench: Workbench) -> Part:
    found = Shape(measures=(PERSISTENCES,), relevant="1,10,100,1000").run()
    by_supply: dict[int, dict[str, Any]] = {}
    for row in rows(found["ideal"]):
        by_supply.setdefault(row["R"], {"R": row["R"]})[row["measure"]] = row["score"]
    made = list(by_supply.values())
    return Part((table("T1", made, "No data: binary relevance", dict.fromkeys(list(made[0])[1:], 4)),))


def _heaviness(bench: Workbench) -> Part:
    found = Shape(measures=(f"AP Q nDCG(dcg='jk')@1000 {PERSISTENCES}",), relevant="10,100", ranks=20).run()
    figure = redrawn(drawn(found.figures, "shape"), "F1", "F1", facet="R")
    return Part((table("F1", rows(found["shape"]), "No data: binary relevance", {"score": 4}),), (figure,))


def incomplete(bench: Workbench) -> Any:
    """The study: power on one run of each team, tau on 30 runs of all."""
    teams = bench.groups is not None
    if not teams:
        what = "no groups were given (--groups): every run is taken for a team of its own, not one run of each team"
        bench.note("no-groups", what)
    return bench.run(
        Incomplete, measures=(PRESET,), rates=RATES, trials=bench.settings.trials, resamples=bench.resamples,
        groups=bench.settings.groups, one_per_group=teams, sample_systems=bench.settings.top or RUNS,
    )  # fmt: skip


def _at(bench: Workbench, rate: int | None = None) -> Rows:
    """What the study found at a rate or at all of them, the mean over reductions."""
    found = rows(incomplete(bench)["incomplete"], None if rate is None else {"rate": rate})
    without = [{name: value for name, value in row.items() if name != "trial"} for row in found]
    return averaged(without, ("rate", "measure"))


def _statistics(bench: Workbench) -> Part:
    found = incomplete(bench)
    drew = rows(found["systems"])
    counts = {row["what"]: row for row in rows(found["statistics"], {"rate": FULL})}
    teams = None if bench.groups is None else len({bench.groups[row["system"]] for row in drew})
    made: dict[str, Any] = {
        "topics": len(bench.panel.topics), "documents in the corpus": bench.settings.corpus_size,
        "pool depth": bench.settings.pool_depth,
    }  # fmt: skip
    for what, name in (("N", "N (judged nonrelevant)"), ("R", "R (relevant)")):
        made |= {f"{name}, mean": counts[what]["mean"]}
        made |= {f"{name}, least": counts[what]["min"], f"{name}, most": counts[what]["max"]}
    for grade in reversed(bench.panel.grades):
        level = bench.levels.get(grade)
        made[f"grade {grade}{f' ({level}-relevant)' if level else ''}, mean"] = counts[f"grade {grade}"]["mean"]
    made |= {
        "teams": teams, "runs": len(drew), "runs used for discriminative power": sum(row["in_power"] for row in drew),
        "runs used for rank correlation": sum(row["in_tau"] for row in drew),
    }  # fmt: skip
    listed: Rows = [{"what": what, "value": value} for what, value in made.items()]
    return Part((table("T2", listed, "What was not given is empty", {"value": 1}),))


def _teams(bench: Workbench) -> Part:
    used = {row["system"] for row in rows(incomplete(bench)["systems"], {"in_power": True})}
    groups = bench.groups or {name: name for name in bench.panel.systems}
    made = [
        {"team": groups[name], "system": name, "AP": mean} for name, mean in bench.ranked("AP") if name in used
    ]  # fmt: skip
    figure = Figure(
        "F2", "bars", "F2", x="team", y="AP", labels={"x": "team", "y": "mean AP"},
        caption="One run of each team, drawn at random" if bench.groups else "Every run, as no teams were given",
        alt="Bars of mean AP, one per team, falling",
    )  # fmt: skip
    return Part((table("F2", made, digits={"AP": 4}),), (figure,))


def _curve(number: str) -> Step:
    column, label = CURVES[number]

    def make(bench: Workbench) -> Part:
        made = table(number, kept(_at(bench), "measure", "rate", column), digits={column: 3})
        figure = Figure(
            number, "curve", number, x="rate", y=column, series="measure",
            labels={"x": "per cent of the judgments", "y": label},
            caption="The mean over reductions" if bench.settings.trials > 1 else "One reduction of the judgments",
            alt=f"Curves of {label} over rates, one per measure",
        )  # fmt: skip
        return Part((made,), (figure,))

    return Step((number,), "incomplete", make)


def _power(number: str, rate: int) -> Step:
    names = ("measure", "significant", "pairs", "discriminative_power", "estimated_difference")

    def make(bench: Workbench) -> Part:
        made = kept(falling(_at(bench, rate), "discriminative_power"), *names)
        return Part((table(number, made, "alpha 0.05, per comparison, not corrected", DIGITS),))

    return Step((number,), "incomplete", make)


def _inconsistent(bench: Workbench) -> Part:
    made: Rows = [
        {**row, "share": row["inconsistent"] / row["significant"] if row["significant"] else None}
        for row in kept(_at(bench, LEAST), "measure", "significant", "inconsistent")
    ]
    return Part((table("T5", made, "Whatever their direction", {"share": 3}),))


def _correlations(bench: Workbench) -> Part:
    found = rows(incomplete(bench)["agreement"], {"rate": FULL})
    return Part((triangle("T6", found, "tau", "Over 0.9 it is bold", bold=0.9),))


def _robust(bench: Workbench) -> Part:
    made = kept(falling(_at(bench, LEAST), "tau_with_full"), "measure", "tau_with_full")
    return Part((table("T7", made, digits={"tau_with_full": 4}),))


PAPER = Paper(
    "sakai2008incomplete",
    "T. Sakai, N. Kando. On information retrieval metrics designed for evaluation with incomplete relevance "
    "assessments. Information Retrieval 11(5), 2008.",
    (
        Item("T1", "RBP of an ideal ranked list"),
        Item("F1", "top-heaviness: one relevant document at each rank"),
        Item("T2", "statistics of the data"),
        Item("F2", "AP of the participating teams"),
        Item("F3", "mean score against the rate of judgments"),
        Item("F4", "mean score against the rate of judgments, second pair of collections", "F3"),
        Item("T3", "discriminative power with 100% of the judgments"),
        Item("T4", "discriminative power with 10% of the judgments"),
        Item("F5", "discriminative power against the rate of judgments"),
        Item("F6", "discriminative power against the rate of judgments, second pair of collections", "F5"),
        Item("T5", "differences significant with 10% of the judgments but not with 100%"),
        Item("T6", "Kendall's rank correlations between measures with 100% of the judgments"),
        Item("F7", "tau with the full ranking against the rate of judgments"),
        Item("F8", "tau with the full ranking against the rate of judgments, second pair of collections", "F7"),
        Item("T7", "measures sorted by tau with the full ranking, 10% of the judgments"),
    ),
    (
        Step(("T1",), "shape", _ideal),
        Step(("F1",), "shape", _heaviness),
        Step(("T2",), "incomplete", _statistics),
        Step(("F2",), "incomplete", _teams),
        _curve("F3"),
        _power("T3", FULL),
        _power("T4", LEAST),
        _curve("F5"),
        Step(("T5",), "incomplete", _inconsistent),
        Step(("T6",), "incomplete", _correlations),
        _curve("F7"),
        Step(("T7",), "incomplete", _robust),
    ),
    graded=True,
)
