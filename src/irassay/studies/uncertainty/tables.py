"""The tables of `irassay uncertainty`: the budget, and an answer to every question that was asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from irassay.ask.agreement import all_tau_replicates
from irassay.ask.budget import QUANTITIES, budget_row, total_row
from irassay.ask.order import order_row
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.ranks import rank_bounds, ranks, share_first
from irassay.ask.replicates import Replicates
from irassay.ask.reversals import BIN_WIDTH, reversal_bins, reversals
from irassay.ask.spread import pair_spread, replicate_quantiles, system_spread
from irassay.compute.memory import require
from irassay.result import Column, Table, decimals
from irassay.studies.tables import columns, records
from irassay.studies.uncertainty.scenarios import scenario_rows
from irassay.vary.variation import Variation

PAIR = 150  # bytes of a row of `pairs` in memory, about
TOTAL = "total"  # of topics and the part of documents that topics share
# what each row is about
ESTIMAND = (
    "For these systems. topics: over topics like these, corpus and judgments fixed; documents: over corpora like this "
    "one, topics fixed; total: topics and what all topics share of documents; simulation, ties and unjudged: under "
    "their mechanism, all else fixed; judgments, pools and gains: these scenarios, not a sample."
)


class Varied(NamedTuple):
    """A variation, its replicates, their names where they are listed, and a second set where one is needed."""

    variation: Variation
    replicates: Replicates
    scenarios: tuple[str, ...]
    second: Replicates | None


@dataclass(frozen=True)
class Answers:
    """What the tables are made of."""

    varied: Sequence[Varied]
    left_out: Varied | None  # each system without its own group
    reasons: dict[str, str]  # why a variation is not there
    jobs: int

    @property
    def all(self) -> list[Replicates]:
        return [one.replicates for one in self.varied]

    @property
    def measures(self) -> tuple[str, ...]:
        return self.varied[0].replicates.measures

    @property
    def enough(self) -> bool:
        """Whether there are so many systems that shares of pairs mean something."""
        return len(self.varied[0].replicates.systems) >= 5

    def tables(self, questions: Sequence[str]) -> tuple[Table, ...]:
        makers = {
            "spread": (self.pairs,),
            "ranks": (self.systems, self.scenario_systems),
            "order": (self.order, self.between_measures),
            "reversals": (self.reversals,),
            "verdicts": (self.verdicts, self.pairs),
            "swap": (self.swap,),
            "stability": (self.stability,),
        }
        wanted = dict.fromkeys(maker for question in questions for maker in makers[question])
        if not self.enough:  # pairs are all that is known
            wanted = {self.pairs: None}
        listed = [self.budget(), self.scenarios(), *(maker() for maker in wanted), self.unavailable()]
        return tuple(table for table in listed if table is not None)

    def budget(self) -> Table | None:
        rows = []
        named = {one.variation: one for one in self.all}
        for m, measure in enumerate(self.measures):
            for one in self.all:
                row = budget_row(one, m, jobs=self.jobs)
                rows.append(_label(one, measure) | {"kind": one.kind, "replicates": one.replicates} | row)
            if {"topics", "documents"} <= set(named) and named["documents"].topic_covariance is not None:
                start = {"measure": measure, "variation": TOTAL, "kind": "sampling", "replicates": None}
                rows.append(start | total_row(named["topics"], named["documents"], m))
        digits: dict[str, int] = {}
        for name in QUANTITIES:
            errors = [row[f"{name}_mc"] for row in rows if row[f"{name}_mc"] > 0]
            digits |= {name: decimals(float(np.median(errors)) if errors else 0.01), f"{name}_mc": 4}
        return Table("budget", columns(rows), f"The uncertainty budget. {ESTIMAND}", digits)

    def scenarios(self) -> Table | None:
        listed = [one for one in (*self.varied, self.left_out) if one is not None and one.replicates.kind == "scenario"]
        rows = [
            {"measure": measure, **row}
            for m, measure in enumerate(self.measures)
            for one in listed
            for row in scenario_rows(one.replicates, one.scenarios, m, getattr(one.variation, "members", None))
        ]
        caption = (
            "Scenarios: how far systems' scores shift (own group: each system when what only its group contributed is "
            "not judged), the lowest agreement with the observed order (tau b), and shares of verdicts that change"
        )
        digits = dict.fromkeys(("mean_shift", "median_shift", "largest_shift"), 4) | {"smallest_tau": 3}
        return Table("scenarios", columns(rows), caption, digits) if rows else None

    def systems(self) -> Table:
        rows: list[dict[str, Any]] = []
        for one in self.all:
            for m, measure in enumerate(self.measures):
                spread, bounds = system_spread(one, m), rank_bounds(one, m)
                values = {
                    "observed": one.observed[m],
                    "mean": spread.mean,
                    "sd": spread.sd,
                    "q2.5": spread.low,
                    "q97.5": spread.high,
                    "rank": ranks(one.observed[m]),
                    "rank_low": bounds.low,
                    "rank_high": bounds.high,
                    "share_first": share_first(one, m),
                }
                rows += [_label(one, measure) | row for row in records(system=one.systems, **values)]
        caption = (
            "Systems: scores over replicates, ranks not excluded by familywise t tests (Holm), and the share of "
            "replicates in which the system is first (no probability of being best). For these systems, all "
            "else as observed."
        )
        return Table("systems", columns(rows), caption, dict.fromkeys(("observed", "mean", "q2.5", "q97.5"), 3))

    def scenario_systems(self) -> Table | None:
        rows: list[dict[str, Any]] = []
        for one in self.varied:
            for m, measure in enumerate(self.measures):
                for k, scenario in enumerate(one.scenarios):
                    observed, score = one.replicates.observed[m], one.replicates.means[m, k]
                    start = _label(one.replicates, measure) | {"scenario": scenario}
                    values = {"observed": observed, "score": score, "rank": ranks(observed), "rank_here": ranks(score)}
                    rows += [start | row for row in records(system=one.replicates.systems, **values)]
        caption = "Systems in each listed scenario: score and rank beside the observed ones"
        return Table("scenario_systems", columns(rows), caption, {"observed": 3, "score": 3}) if rows else None

    def verdicts(self) -> Table | None:
        rows = []
        for m, measure in enumerate(self.measures):
            for one in self.all:
                if one.tested[m] and self.enough:
                    pairs = one.verdicts.shape[1]
                    lost, gained, opposite = (one.changed[m].mean(axis=0) / pairs).tolist()
                    rows.append(
                        _label(one, measure)
                        | {
                            "significant_observed": float((one.verdicts[m] != 0).mean()),
                            "significant": float((one.better[m] + one.worse[m]).sum() / (one.replicates * pairs)),
                            "lost": lost,
                            "gained": gained,
                            "opposite": opposite,
                        }
                    )
        caption = (
            "Discriminative power over replicates: the share of pairs that a paired t-test at .05 (not corrected) "
            "calls different, as observed and on average over replicates, and the shares of verdicts that change"
        )
        return Table("verdicts", columns(rows), caption) if rows else None

    def order(self) -> Table:
        rows = [
            _label(one, measure) | order_row(one, m, jobs=self.jobs)
            for m, measure in enumerate(self.measures)
            for one in self.all
        ]
        caption = (
            "Agreement of replicates with the observed order of these systems: means over replicates and their "
            "quantiles; an index of stability, optimistic as agreement with the truth"
        )
        return Table("order", columns(rows), caption, dict.fromkeys(("tau", "tau_b", "tau_ap", "rbo"), 3))

    def between_measures(self) -> Table | None:
        rows = []
        a, b = all_pairs(len(self.measures))
        for one in self.all:
            if len(a) == 0 or not one.random:
                continue
            taus = all_tau_replicates(list(one.means), jobs=self.jobs)
            low, high = replicate_quantiles(one, taus.T)
            rows += [
                {
                    "variation": one.variation,
                    "measure_a": self.measures[a[k]],
                    "measure_b": self.measures[b[k]],
                    "tau": float(taus[k].mean()),
                    "tau_q2.5": float(low[k]),
                    "tau_q97.5": float(high[k]),
                }
                for k in range(len(a))
            ]
        caption = "Agreement of two measures on the same replicate (tau): mean and quantiles over replicates"
        return Table("between_measures", columns(rows), caption, {"tau": 3}) if rows else None

    def reversals(self) -> Table | None:
        rows: list[dict[str, Any]] = []
        equal: list[str] = []
        for m, measure in enumerate(self.measures):
            turned = [(one, reversals(one.observed[m], one.means[m])) for one in self.all]
            equal += [f"{turned[0][1].equal} by {measure}"] if turned[0][1].equal else []
            bins = [(one, reversal_bins(of_pairs)) for one, of_pairs in turned]
            # up to the largest difference that any replicate reverses
            last = max(float(b.difference[b.reversal_rate > 0].max(initial=0.0)) for _, b in bins) + 2 * BIN_WIDTH
            for one, b in bins:
                names = ("difference", "pairs", "reversal_rate", "fitted")
                values = {name: getattr(b, name)[b.difference <= last] for name in names}
                rows += [_label(one, measure) | row for row in records(**values)]
        caption = (
            "How often replicates reverse a pair, by its observed difference (bins of 0.01, by their lower edge); "
            "larger ones are never reversed. A replicate is compared with the observed order; the swap method compares "
            "two replicates, and its threshold is about the square root of 2 larger."
            + (f" Left out are pairs with equal scores: {', '.join(equal)}." if equal else "")
        )
        digits = {"reversal_rate": 3, "fitted": 3}
        return Table("reversals", columns(rows), caption, digits) if rows and self.enough else None

    def pairs(self) -> Table:
        parts: dict[str, list[Array]] = {}
        labels: dict[str, list[str]] = {"measure": [], "variation": [], "system_x": [], "system_y": []}
        rows = sum(len(one.systems) * (len(one.systems) - 1) // 2 for one in self.all) * len(self.measures)
        require(rows * PAIR, "pairs of systems")
        for one in self.all:
            x, y = all_pairs(len(one.systems))
            for m, measure in enumerate(self.measures):
                spread, turned = pair_spread(one, m), reversals(one.observed[m], one.means[m])
                n, tested = float(one.replicates), 1.0 if one.tested[m] else np.nan
                values = {
                    "observed_difference": spread.difference,
                    "bias": spread.bias,
                    "sd": spread.sd,
                    "reversed": turned.rate,
                    "better": tested * one.better[m] / n,
                    "worse": tested * one.worse[m] / n,
                    "undecided": tested * (n - one.better[m] - one.worse[m]) / n,
                }
                for name, column in values.items():
                    parts.setdefault(name, []).append(column)
                labels["measure"] += [measure] * len(x)
                labels["variation"] += [one.variation] * len(x)
                labels["system_x"] += [one.systems[place] for place in x]
                labels["system_y"] += [one.systems[place] for place in y]
        joined: dict[str, Column] = {**labels, **{name: np.concatenate(arrays) for name, arrays in parts.items()}}
        caption = (
            "Pairs of systems: the difference A - B, its bias and standard deviation over replicates, and shares of "
            "replicates that reverse it or call A better, worse or neither (paired t at .05, not corrected)"
        )
        return Table("pairs", joined, caption)

    def swap(self) -> Table | None:
        from irassay.ask.swap import swap_of

        rows = []
        for m, measure in enumerate(self.measures):
            for one in self.varied:
                if one.second is not None:
                    rates = swap_of(one.replicates, one.second, m, jobs=self.jobs)
                    names = ("required_difference", "max_score", "ratio", "share_satisfied")
                    rows.append(_label(one.replicates, measure) | {name: getattr(rates, name) for name in names})
        caption = "Swap method on two independent sets of replicates: the difference from which on at most 5% swap"
        return Table("swap", columns(rows), caption) if rows else None

    def stability(self) -> Table | None:
        from irassay.ask.stability import stability_of

        rows: list[dict[str, Any]] = []
        for m, measure in enumerate(self.measures):
            for one in self.varied:
                if one.second is not None:
                    rates = stability_of(one.replicates, m, jobs=self.jobs)
                    rows += [
                        _label(one.replicates, measure) | row
                        for row in records(
                            fuzziness=rates.fuzziness,
                            minority_rate=rates.minority_rate,
                            proportion_of_ties=rates.proportion_of_ties,
                        )
                    ]
        caption = "Stability method on replicates: minority rate and proportion of ties for each fuzziness"
        return Table("stability", columns(rows), caption) if rows else None

    def unavailable(self) -> Table | None:
        rows = [{"variation": name, "reason": reason} for name, reason in self.reasons.items()]
        return Table("left_out", columns(rows), "What could not vary, and why") if rows else None


def _label(one: Replicates, measure: str) -> dict[str, Any]:
    return {"measure": measure, "variation": one.variation}
