"""The work of `irassay agreement`."""

from dataclasses import asdict
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import agreement as ask
from irassay.ask.significance import paired, rank_of
from irassay.errors import InputError
from irassay.progress import track
from irassay.result import Figure, Result, Table
from irassay.settings import Execution
from irassay.studies.agreement.settings import Agreement
from irassay.studies.inputs import ScoreInput, load_scores
from irassay.studies.phrases import FEWEST_PAIRS, per_comparison, percent, rows_of, safe, too_few_pairs
from irassay.studies.tables import columns
from irassay.vary.topics import TopicPlan

AGREEMENT = (
    "How alike two measures rank the systems: 1 is the same order, 0 no relation, -1 the reverse. Tau AP takes the "
    f"first measure as reference. z and p test whether tau is 0, from {FEWEST_PAIRS} pairs of systems on."
)


def run(study: Agreement, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `agreement` (every ordered pair of measures), `intervals` and `verdicts`."""
    rank_of(study.alpha, study.resamples)
    if not 0 < study.rbo_p < 1:
        raise InputError(f"p of RBO is {study.rbo_p:g}", hint="p lies between 0 and 1, such as 0.9")
    data = load_scores(study, qrels, runs, execution)
    if len(data.scores) < 2:
        raise InputError("there is one measure only", hint="name at least two with -m")
    figure = Figure(
        name="agreement",
        kind="matrix",
        table="agreement",
        x="measure_a",
        y="measure_b",
        value="tau",
        labels={"x": "measure", "y": "measure"},
        caption="Kendall's tau between measures: 1 is the same order of systems, 0 no relation",
        alt="Matrix of tau values between measures",
    )
    return Result(
        "agreement", _tables(study, data), data.warnings, {**data.provenance, "alpha": study.alpha}, (figure,)
    )


def _tables(study: Agreement, data: ScoreInput) -> tuple[Table, ...]:
    counts = TopicPlan(study.seed, len(data.topics), study.resamples).counts()
    means, systems = data.scores.means(), len(data.systems)
    signs = _signs(study, data, counts)
    taus = iter(ask.all_tau_replicates(list(data.scores.resampled(counts)), jobs=data.jobs))
    enough = comb(systems, 2) >= FEWEST_PAIRS  # else tau has a few values only, and nothing is about normal
    rows, intervals, verdicts = [], [], []
    for (i, a), (j, b) in permutations(enumerate(data.scores.measures), 2):
        names = {"measure_a": a, "measure_b": b}
        tau = ask.tau(means[i], means[j])
        z = ask.z0(tau, systems)
        rows.append(
            {
                **names,
                "systems": systems,
                "tau": tau,
                "tau_b": ask.tau_b(means[i], means[j]),
                "tau_ap": ask.tau_ap(means[i], means[j]),
                "rbo": ask.rbo(means[i], means[j], p=study.rbo_p),
                "z0": z if enough else np.nan,
                "p_value": ask.p_value(z) if enough else np.nan,
            }
        )
        if i > j:
            continue
        replicates = next(taus)
        low, high = ask.conservative_interval(tau, replicates) if enough else (np.nan, np.nan)
        intervals.append({**names, "tau": tau, "tau_low": low, "tau_high": high})
        first, second = signs[i], signs[j]
        if first is not None and second is not None:
            agreed = ask.verdicts(first, second)
            shares = {"both": agreed.both, "share_agreed": agreed.share_agreed}
            verdicts.append({**names, "pairs": agreed.pairs, **asdict(agreed), **shares})
    digits = {"tau": 3, "tau_b": 3, "tau_ap": 3, "rbo": 3, "z0": 2, "p_value": 4}
    caption = (
        "Kendall's tau with a conservative 95% interval: it spans the percentile interval over samples of the topics "
        f"and its reflection at tau; none below {FEWEST_PAIRS} pairs of systems"
    )
    tables = (
        Table("agreement", columns(rows), AGREEMENT, digits),
        Table("intervals", columns(intervals), caption, {"tau": 3, "tau_low": 3, "tau_high": 3}),
    )
    if not verdicts:
        return tables
    caption = (
        f"Pairs of systems called significantly different (paired bootstrap test, alpha {study.alpha:g} per "
        "comparison, not corrected), by which of the two measures, and of those by both the share in the same direction"
    )
    return (*tables, Table("verdicts", columns(verdicts), caption, {"share_agreed": 3}))


def _signs(study: Agreement, data: ScoreInput, counts: NDArray[np.int32]) -> list[NDArray[np.int64] | None]:
    """For every measure the sign of each significant difference, 0 for others; None without paired tests."""
    signs: list[NDArray[np.int64] | None] = []
    for scores in track("agreement", data.scores.by_measure()):
        if scores.pairable:
            tests = paired(scores.tested()[1], counts, (study.alpha,), jobs=data.jobs)
            signs.append(np.where(tests.asl < study.alpha, np.sign(tests.difference), 0).astype(np.int64))
        else:
            signs.append(None)
    return signs


def findings(result: Result) -> list[str]:
    rows = sorted(rows_of(result["agreement"]), key=lambda row: -row["tau"])
    most, least = rows[0], rows[-1]
    if (pairs := comb(most["systems"], 2)) < FEWEST_PAIRS:
        return [too_few_pairs(pairs)]
    only = len(rows) == 2  # both directions of one pair of measures
    sentences = [
        f"{safe(most['measure_a'])} and {safe(most['measure_b'])} rank the {most['systems']} systems "
        f"{'' if only else 'most '}alike with a tau of {most['tau']:.2f}, where 1 is the same order and 0 no relation."
    ]
    if most["tau"] > least["tau"]:
        sentences.append(
            f"Least alike are {safe(least['measure_a'])} and {safe(least['measure_b'])} (tau {least['tau']:.2f})."
        )
    return sentences + (_verdicts(result) if "verdicts" in result else [])


def _verdicts(result: Result) -> list[str]:
    """How often two measures that both tell a pair of systems apart agree on the better one."""
    verdicts = [row for row in rows_of(result["verdicts"]) if row["both"] >= FEWEST_PAIRS]
    both, same = (sum(row[column] for row in verdicts) for column in ("both", "same"))
    test = per_comparison(result.provenance["alpha"])
    if not verdicts:
        return [
            f"No two measures both tell {FEWEST_PAIRS} pairs of systems or more apart ({test}): too few to say how "
            "often verdicts agree."
        ]
    agreed = "all" if same == both else percent(same / both)
    sentences = [
        f"In {both:,} cases two measures both tell a pair of systems apart ({test}).",
        f"In {agreed} of them they agree on the better one.",
    ]
    worst = max(verdicts, key=lambda row: row["opposite"])
    if worst["opposite"]:
        sentences.append(f"They disagree most often in {safe(worst['measure_a'])} and {safe(worst['measure_b'])}.")
    return sentences
