"""`irassay agreement`: do measures rank systems alike, and do their verdicts agree?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.settings import Execution, Resampling, option
from irassay.studies.execution import managed_run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irassay.result import Result


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
        import numpy as np

        from irassay.ask import agreement as ask
        from irassay.ask.significance import paired, rank_of
        from irassay.compute.progress import track
        from irassay.compute.threads import cores
        from irassay.errors import InputError
        from irassay.result import Figure, Result, Table
        from irassay.studies.subjects import subjects
        from irassay.studies.tables import columns
        from irassay.vary.topics import TopicPlan

        rank_of(self.alpha, self.resamples)
        if not 0 < self.rbo_p < 1:
            raise InputError(f"p of RBO is {self.rbo_p:g}", hint="p lies between 0 and 1, such as 0.9")
        data = subjects(self, qrels, runs, execution)
        if len(data.subjects) < 2:
            raise InputError("there is one measure only", hint="name at least two with -m")
        jobs = (execution.jobs if execution else None) or cores()
        counts = TopicPlan(self.seed, len(data.topics), self.resamples).counts()
        means = [s.means() for s in data.subjects]
        sampled = [s.sampled(counts) for s in data.subjects]
        signs: list[NDArray[np.int64] | None] = []
        for subject in track("agreement", data.subjects):
            if subject.pairable:
                tests = paired(subject.tested()[1], counts, (self.alpha,), jobs=jobs)
                signs.append(np.where(tests.asl < self.alpha, np.sign(tests.difference), 0).astype(np.int64))
            else:
                signs.append(None)  # no value per topic, so no paired verdict
        taus = iter(ask.all_tau_replicates(sampled, jobs=jobs))
        rows, intervals, verdicts = [], [], []
        n = len(data.systems)
        for i, a in enumerate(data.subjects):
            for j, b in enumerate(data.subjects):
                if i == j:
                    continue
                tau = ask.tau(means[i], means[j])
                z = ask.z0(tau, n)
                rows.append(
                    {
                        "measure_a": a.name, "measure_b": b.name, "systems": n, "tau": tau,
                        "tau_b": ask.tau_b(means[i], means[j]), "tau_ap": ask.tau_ap(means[i], means[j]),
                        "rbo": ask.rbo(means[i], means[j], p=self.rbo_p), "z0": z, "p_value": ask.p_value(z),
                    }
                )  # fmt: skip
                if i < j:
                    low, high = ask.interval(next(taus))
                    intervals.append(
                        {"measure_a": a.name, "measure_b": b.name, "tau": tau, "tau_low": low, "tau_high": high}
                    )
                    one, two = signs[i], signs[j]
                    if one is not None and two is not None:
                        found = ask.verdicts(one, two)
                        verdicts.append(
                            {
                                "measure_a": a.name, "measure_b": b.name, "pairs": found.pairs, "same": found.same,
                                "opposite": found.opposite, "only_a": found.only_a, "only_b": found.only_b,
                                "neither": found.neither,
                            }
                        )  # fmt: skip
        names = ("tau", "tau_b", "tau_ap", "rbo")
        tables = [
            Table(
                "agreement", columns(rows), "Agreement of rankings; tau_ap takes measure_a as reference",
                {**dict.fromkeys(names, 3), "z0": 2, "p_value": 4},
            ),
            Table(
                "intervals", columns(intervals), "tau with its 95% interval over samples of the topics",
                {"tau": 3, "tau_low": 3, "tau_high": 3},
            ),
        ]  # fmt: skip
        if verdicts:
            what = f"Pairs of systems called significantly different (paired, alpha {self.alpha:g}, not corrected)"
            tables.append(Table("verdicts", columns(verdicts), what))
        figure = Figure(
            name="agreement", kind="matrix", table="agreement", x="measure_a", y="measure_b", value="tau",
            labels={"x": "measure", "y": "measure"}, caption="Kendall's tau between measures",
            alt="Matrix of tau values between measures",
        )  # fmt: skip
        return Result("agreement", tuple(tables), data.warnings, data.provenance, (figure,))
