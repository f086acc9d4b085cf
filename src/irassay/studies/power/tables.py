"""The tables and figures of `irassay power`."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from irassay.ask.comparison import sign, student, wilcoxon
from irassay.ask.methods import TESTS
from irassay.report.pair_rows import MOST_SYSTEMS
from irassay.result import Figure, Mark, Table, column_decimals, long_columns
from irassay.result.long_columns import joined
from irassay.scoring.scores import Array, Scores
from irassay.studies.power.pair_tests import MeasureTests
from irassay.studies.power.settings import Power
from irassay.studies.tables import columns, records

Rows = list[dict[str, Any]]
P_VALUES = {"t": student, "wilcoxon": wilcoxon, "sign": sign}
UNCORRECTED = "not corrected for the number of pairs"
ASL = "ASL (achieved significance level) is the share of samples of the topics with a statistic at least as large"
NOTE = (
    "Share of pairs of systems that the test calls different at alpha, per comparison, not corrected. The estimated "
    "difference is what a pair needs to be called different, by the bootstrap test: the largest over pairs, their "
    "median, and the difference that is enough for 95% of them."
)
LARGEST_ASL = 0.2  # that ASL curves show: no test tells pairs of a larger one apart


def tables_and_figures(
    study: Power, scores: Scores, results: list[MeasureTests], histogram: Rows, tested_pairs: Rows
) -> tuple[tuple[Table, ...], tuple[Figure, ...]]:
    tables: tuple[Table, ...] = (
        _power(results, len(scores.topics), study),
        _pairs(results, scores.systems),
        _means(scores),
        _bars(results),
        _curves(results, several=len(study.tests) > 1),
    )
    figures = _figures(study)
    if tables[1].long:
        tables = (*tables, _best_pairs(results, tables[1]))
        figures = _with_best_pairs(figures, len(scores.systems))
    if not study.histogram:
        return tables, figures
    tables = (
        *tables,
        Table(
            "histogram",
            columns(histogram),
            "How the statistic of one pair varies where its systems do not differ; t is the observed one",
        ),
        Table(
            "pair",
            columns(tested_pairs),
            f"One pair: its difference A - B, the paired statistic t, and ASL. {ASL}, {UNCORRECTED}.",
            {"mean_difference": 4, "t": 2, "asl": min(4, max(2, math.ceil(math.log10(study.resamples))))},
        ),
    )
    return tables, (*figures, _histogram_figure(tested_pairs))


def other_tests(values: Mapping[str, Array], names: Sequence[str], alphas: Sequence[float]) -> Table:
    """How many pairs other paired tests call different, on what the bootstrap tests."""
    rows: Rows = []
    for measure, scores in values.items():
        for name in names:
            # one system against all that follow it: pairs x topics need not fit into memory
            parts = [P_VALUES[name](scores[x] - scores[x + 1 :]) for x in range(len(scores) - 1)]
            p = np.concatenate(parts)
            rows += [
                {
                    "measure": measure,
                    "test": name,
                    "alpha": alpha,
                    "significant": int((p < alpha).sum()),
                    "pairs": len(p),
                    "discriminative_power": float((p < alpha).mean()),
                }
                for alpha in alphas
            ]
    rows.sort(key=lambda row: (names.index(row["test"]), alphas.index(row["alpha"]), -row["discriminative_power"]))
    notes = " ".join(TESTS[name].note for name in names if TESTS[name].note)
    return Table(
        "other_tests",
        columns(rows),
        f"Discriminative power by other paired tests, per comparison at alpha, not corrected. {notes}".rstrip(),
        {"alpha": 2, "discriminative_power": 3},
    )


def _note(study: Power) -> str:
    """What else a reader of the tests must know."""
    notes = [NOTE]
    if study.one_tailed:
        notes.append("One-tailed: is the system given first better?")
    if "unpaired" in study.tests:
        notes.append("The unpaired test's null hypothesis is that both systems' scores have one distribution.")
    if study.second_topics is not None:
        notes.append("In it the second system of a pair answers other topics than the first (--second-topics).")
    return " ".join(notes)


def _power(results: list[MeasureTests], topics: int, study: Power) -> Table:
    rows: Rows = []
    for result in results:
        for alpha, significant, required in zip(result.alphas, result.significant, result.required, strict=True):
            largest, median, most = required
            rows.append(
                {
                    "measure": result.measure,
                    "test": result.test,
                    "alpha": alpha,
                    "topics": topics,
                    "resamples": result.samples,
                    "significant": significant,
                    "pairs": result.pairs,
                    "discriminative_power": significant / result.pairs,
                    "estimated_difference": largest,
                    "ed_median": median,
                    "ed_p95": most,
                }
            )
    alphas = results[0].alphas
    rows.sort(key=lambda row: (row["test"], alphas.index(row["alpha"]), -row["discriminative_power"]))
    return Table(
        "power",
        columns(rows),
        f"Discriminative power. {_note(study)}",
        {"alpha": 2, "discriminative_power": 3, "estimated_difference": 2, "ed_median": 2, "ed_p95": 2},
    )


def _pairs(results: list[MeasureTests], systems: tuple[str, ...]) -> Table:
    parts = [result.columns(systems) for result in results]
    whole = {name: joined([part[name] for part in parts]) for name in parts[0]}
    return Table(
        "pairs", whole, f"Every test: the mean difference A - B, its statistic, and ASL. {ASL}, {UNCORRECTED}."
    )


def _best_pairs(results: list[MeasureTests], pairs: Table) -> Table:
    """What a matrix can show of a table with too many pairs."""
    before = np.cumsum([0, *(result.pairs for result in results)])
    places = [start + result.pairs_among(MOST_SYSTEMS) for start, result in zip(before, results, strict=False)]
    chosen = np.concatenate(places).tolist()
    columns = {name: [column[place] for place in chosen] for name, column in pairs.columns.items()}
    return replace(
        pairs, name="best_pairs", columns=columns, caption=f"The {MOST_SYSTEMS} best systems: {pairs.caption}"
    )


def _with_best_pairs(figures: tuple[Figure, ...], systems: int) -> tuple[Figure, ...]:
    note = f" The {MOST_SYSTEMS} best of {systems:,} systems by each measure are drawn."
    return tuple(
        replace(figure, table="best_pairs", caption=f"{figure.caption}.{note}") if figure.table == "pairs" else figure
        for figure in figures
    )


def _means(scores: Scores) -> Table:
    rows: Rows = []
    errors = []
    for one in scores.by_measure():
        means = one.means()
        order = np.argsort(-means, kind="stable")
        systems = [scores.systems[i] for i in order.tolist()]
        rows += records(measure=[one.name] * len(systems), system=systems, mean=means[order])
        errors.append(float(one.values.std(axis=1, ddof=1).min()) / len(scores.topics) ** 0.5)
    return Table(
        "system_means", columns(rows), "Systems by their scores over all topics", {"mean": column_decimals(errors)}
    )


def _bars(results: list[MeasureTests]) -> Table:
    rows = [
        {
            "measure": result.measure,
            "bar": f"{result.test}, alpha {alpha:g}",
            "discriminative_power": significant / result.pairs,
        }
        for result in results
        for alpha, significant in zip(result.alphas, result.significant, strict=True)
    ]
    return Table("power_bars", columns(rows), f"Discriminative power by test and level, {UNCORRECTED}")


def _curves(results: list[MeasureTests], *, several: bool) -> Table:
    rows = [
        {
            "measure": result.measure,
            "test": result.test,
            "curve": f"{result.measure}, {result.test}" if several else result.measure,
            "pair": rank,
            "asl": asl,
        }
        for result in results
        for rank, asl in _curve(result)
    ]
    ends = (
        " Of each level the first and the last pair."
        if any(result.pairs > long_columns.MOST for result in results)
        else ""
    )
    return Table("asl_curves", columns(rows), f"ASL of all pairs from the lowest on. {ASL}, {UNCORRECTED}.{ends}")


def _curve(result: MeasureTests) -> Iterable[tuple[int, float]]:
    """The pairs by their ASL; of very many the ends of each level, which make the same line."""
    if result.pairs <= long_columns.MOST:
        return enumerate(result.sorted_levels.tolist(), start=1)
    last = np.cumsum(result.pairs_by_count)
    counts = np.flatnonzero(result.pairs_by_count)
    ends = ((count, pair) for count in counts.tolist() for pair in {last[count - 1] + 1 if count else 1, last[count]})
    return sorted((int(pair), count / result.samples) for count, pair in ends)


def _figures(study: Power) -> tuple[Figure, ...]:
    shown = max(LARGEST_ASL, *study.alphas)
    return (
        Figure(
            name="asl_curves",
            kind="curve",
            table="asl_curves",
            x="pair",
            y="asl",
            series="curve",
            labels={"x": "system pair, sorted by ASL", "y": "achieved significance level"},
            limits={"y": (0.0, shown)},
            caption="ASL of all pairs, sorted: the farther to the right a measure's curve rises, the more pairs it "
            f"tells apart. {ASL}, {UNCORRECTED}. The axis ends at {shown:g}: pairs of larger ASL, which no test tells "
            "apart, are not drawn",
            alt="Curves of achieved significance levels over system pairs, one per measure and test",
            marks=tuple(Mark("y", alpha, f"alpha {alpha:g}") for alpha in study.alphas),
        ),
        Figure(
            name="power",
            kind="bars",
            table="power_bars",
            x="measure",
            y="discriminative_power",
            series="bar",
            labels={"x": "measure", "y": "discriminative power"},
            caption="Discriminative power at each significance level, per comparison, not corrected",
            alt="Bars of the share of significantly different pairs, one per measure, test and level",
        ),
        Figure(
            name="system_means",
            kind="points",
            table="system_means",
            x="mean",
            y="system",
            facet="measure",
            labels={"x": "score"},
            caption="Systems by their scores",
            alt="Scores of all systems, the best on top, one small figure for each measure",
        ),
        *_matrices(study),
    )


def _matrices(study: Power) -> list[Figure]:
    alpha = min(study.alphas, key=lambda level: abs(level - 0.05))
    several = len(study.tests) > 1
    return [
        Figure(
            name=f"pairs_{test}" if several else "pairs",
            kind="pairs",
            table="pairs",
            x="system_y",
            y="system_x",
            value="mean_difference",
            level="asl",
            alpha=alpha,
            facet="measure",
            where={"test": test},
            labels={"value": "difference"},
            caption=f"Differences of all pairs of systems, in colour where they are significant ({test} bootstrap test "
            f"at alpha {alpha:g}, per comparison, not corrected)",
            alt="A matrix of differences with a row and a column for each system from the best on: blue where the "
            "row's system is significantly better, orange where it is worse, grey where nothing is decided",
        )
        for test in study.tests
    ]


def _histogram_figure(tested_pairs: Rows) -> Figure:
    observed = {row["measure"]: row["t"] for row in tested_pairs if np.isfinite(row["t"])}
    return Figure(
        name="histogram",
        kind="histogram",
        table="histogram",
        x="bin_low",
        y="samples",
        facet="measure",
        labels={"x": "t*", "y": "samples"},
        caption="How the statistic of one pair varies where its systems do not differ, and the observed one",
        alt="Histogram of bootstrap statistics with the observed one",
        marks=tuple(Mark("x", t, f"t = {t:.2f}", measure) for measure, t in observed.items()),
    )
