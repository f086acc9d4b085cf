"""`irassay agreement`: do measures rank systems alike, and do their verdicts agree?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from irassay.errors import InputError
from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irassay.result import Result, Table
    from irassay.studies.inputs import ScoreInput


@dataclass(frozen=True, kw_only=True)
class Agreement(Resampling):
    """Agreement between measures: Kendall's tau with its test, tau_b, tau_AP and RBO, and verdicts on pairs.

    The interval on tau is over samples of the topics, the same ones for both measures.

    \b
    irassay agreement qrels.txt runs/ -m "AP Q nDCG@10 RR"
    """

    alpha: float = option(0.05, "significance level of the verdicts", low=0, metavar="A")
    rbo_p: float = option(0.9, "persistence of rank-biased overlap", low=0, metavar="P")

    @managed_run
    def run(self, qrels: Any = None, runs: Any = None, *, execution: Execution | None = None) -> Result:
        """Tables: `agreement` (every ordered pair of measures), `intervals` and `verdicts`."""
        from irassay.ask.significance import rank_of
        from irassay.result import Figure, Result
        from irassay.studies.inputs import load_scores

        rank_of(self.alpha, self.resamples)
        if not 0 < self.rbo_p < 1:
            raise InputError(f"p of RBO is {self.rbo_p:g}", hint="p lies between 0 and 1, such as 0.9")
        data = load_scores(self, qrels, runs, execution)
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
            caption="Kendall's tau between measures",
            alt="Matrix of tau values between measures",
        )
        return Result("agreement", _tables(self, data), data.warnings, data.provenance, (figure,))


def _tables(study: Agreement, data: ScoreInput) -> tuple[Table, ...]:
    from irassay.ask import agreement as ask
    from irassay.result import Table
    from irassay.studies.tables import columns
    from irassay.vary.topics import TopicPlan

    counts = TopicPlan(study.seed, len(data.topics), study.resamples).counts()
    measures, systems = data.scores.measures, len(data.systems)
    means = data.scores.means()
    signs = _signs(study, data, counts)
    taus = iter(ask.all_tau_replicates(list(data.scores.resampled(counts)), jobs=data.jobs))
    rows, intervals, verdicts = [], [], []
    for i, a in enumerate(measures):
        for j, b in enumerate(measures):
            if i == j:
                continue
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
                    "z0": z,
                    "p_value": ask.p_value(z),
                }
            )
            if i > j:
                continue
            low, high = ask.interval(next(taus))
            intervals.append({**names, "tau": tau, "tau_low": low, "tau_high": high})
            first, second = signs[i], signs[j]
            if first is not None and second is not None:
                agreed = ask.verdicts(first, second)
                verdicts.append({**names, "pairs": agreed.pairs, **asdict(agreed)})
    digits = {"tau": 3, "tau_b": 3, "tau_ap": 3, "rbo": 3, "z0": 2, "p_value": 4}
    caption = "tau with its 95% interval over samples of the topics"
    tables = (
        Table("agreement", columns(rows), "Agreement of rankings; tau_ap takes measure_a as reference", digits),
        Table("intervals", columns(intervals), caption, {"tau": 3, "tau_low": 3, "tau_high": 3}),
    )
    if not verdicts:
        return tables
    caption = f"Pairs of systems called significantly different (paired, alpha {study.alpha:g}, not corrected)"
    return (*tables, Table("verdicts", columns(verdicts), caption))


def _signs(study: Agreement, data: ScoreInput, counts: NDArray[np.int32]) -> list[NDArray[np.int64] | None]:
    """For every measure the sign of each significant difference, 0 for others; None without paired tests."""
    import numpy as np

    from irassay.ask.significance import paired
    from irassay.compute.progress import track

    signs: list[NDArray[np.int64] | None] = []
    for scores in track("agreement", data.scores.by_measure()):
        if scores.pairable:
            tests = paired(scores.tested()[1], counts, (study.alpha,), jobs=data.jobs)
            signs.append(np.where(tests.asl < study.alpha, np.sign(tests.difference), 0).astype(np.int64))
        else:
            signs.append(None)
    return signs
