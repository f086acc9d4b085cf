"""The work of `irassay compare`: tests and intervals, measure by measure."""

import math
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import comparison, intervals
from irassay.ask.corrections import check_reachable, critical_rank
from irassay.ask.letters import firsts
from irassay.ask.methods import CORRECTIONS, INTERVALS, TESTS, Comparisons
from irassay.ask.pairs import Pairs, all_pairs
from irassay.compute.executor import CHUNK
from irassay.compute.progress import track
from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures.core.summaries import summarise
from irassay.result import Result
from irassay.scoring.scores import Array, Scores
from irassay.settings import Execution
from irassay.studies.compare.figures import figures
from irassay.studies.compare.settings import Compare, ComparePlan
from irassay.studies.compare.tables import Comparison, comparison_tables
from irassay.studies.inputs import ScoreInput, load_scores, paired_values
from irassay.studies.phrases import few, percent, rows_of, safe
from irassay.studies.tables import grouped
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

JUDGED = "Judged@10"
CLEARLY = 0.1  # of the first ten documents, one on average


def run(study: Compare, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `comparison`, one row a measure and system; `pairs`, one row a comparison; `topics`.

    With a baseline also `topic_differences`, with --losses also `losses`. `irassay.studies.compare.view.paper` lays
    the comparison out for a paper.
    """
    plan = study.plan
    data = load_scores(study, qrels, runs, execution, keep=study.baseline)
    values, warnings = paired_values(data.scores, "compare the measure itself, or see `irassay power --unpaired`")
    warnings += _sums(data.scores)
    work = _Work(study, plan, data.scores, data.jobs)
    work.check()
    emit(warnings)
    comparisons = [work(name, scores) for name, scores in track("comparisons", list(values.items()))]
    judged = _judged(data)
    late = _judged_less(comparisons, data.systems, judged) if judged is not None else []
    emit(late)
    provenance = {
        **data.provenance,
        "baseline": study.baseline,
        "test": plan.test,
        "correction": plan.correction,
        "interval": plan.interval,
        "difference_interval": plan.difference_interval,
        "alpha": study.alpha,
        "confidence": 1 - plan.error,
        "comparisons": len(work.pairs[0]),
        "exact": work.exact,
        "equivalence": study.equivalence,
        "losses": study.losses,
        "measures": list(values),
    }
    tables = comparison_tables(study, comparisons, data.scores, judged, provenance)
    return Result("compare", tables, (*data.warnings, *warnings, *late), provenance, figures(study))


def _judged(data: ScoreInput) -> Array | None:
    """The share of judged documents in each system's first ten; None where there are no lists."""
    if data.panel is None:
        return None
    judged = data.panel.score(JUDGED, jobs=data.jobs)[JUDGED]
    return judged.select(systems=data.systems, topics=data.topics).means()


class _Work:
    """Compares the systems by one measure after another, on draws that all measures share."""

    def __init__(self, study: Compare, plan: ComparePlan, scores: Scores, jobs: int) -> None:
        self.study, self.plan, self.jobs = study, plan, jobs
        self.topics, systems = len(scores.topics), len(scores.systems)
        if study.baseline is None:
            self.pairs = all_pairs(systems)
        else:
            base = scores.systems.index(study.baseline)
            others = np.array([s for s in range(systems) if s != base], dtype=np.int64)
            self.pairs = others, np.full(len(others), base, dtype=np.int64)
        self.labels = LabelPlan(study.seed, self.topics, study.resamples)
        self.samples = TopicPlan(study.seed, self.topics, study.resamples)

    @property
    def exact(self) -> bool:
        return self.plan.test == "randomization" and self.labels.exact

    @cached_property
    def counts(self) -> NDArray[np.int32]:
        return self.samples.counts()

    def check(self) -> None:
        """Whether so many resamples can say anything, before any work."""
        plan, family = self.plan, len(self.pairs[0])
        many = family if CORRECTIONS[plan.correction].multiplies else 1
        if self.exact:
            least = 2.0 ** (1 - self.topics)
            if many * least >= self.study.alpha:
                what = f"{self.topics} topics are too few: no sign flips have a p-value below {least:.2g}"
                raise InputError(
                    f"{what}, and there are {many} comparisons" if many > 1 else what,
                    hint="a randomisation test needs more topics, or fewer comparisons; or take another --test",
                )
        elif TESTS[plan.test].resampling:
            test = plan.test if plan.correction == "none" else f"{plan.test}, {plan.correction}"
            check_reachable(self.study.alpha, many, self.study.resamples, test)
        if plan.difference_interval == "tukey":
            if critical_rank(plan.error, self.study.resamples) < 1:
                check_reachable(plan.error, 1, self.study.resamples, "intervals")
        elif sides := INTERVALS[plan.difference_interval].sides:
            level = self.level(plan.error, 0) / sides
            intervals.check_samples(level, self.study.resamples, plan.difference_interval)

    def level(self, error: float, significant: int) -> float:
        """The error of one interval of a difference, so that all of a measure hold together."""
        # Student's t or the bootstrap beside Tukey's test: simultaneous, as the test is
        correction = "bonferroni" if self.plan.test == "tukey" else self.plan.correction
        return CORRECTIONS[correction].interval_level(error, len(self.pairs[0]), significant)

    def __call__(self, measure: str, values: Array) -> Comparison:
        study, plan = self.study, self.plan
        data = self._comparisons(values, self.pairs)
        z = data.differences
        p = TESTS[plan.test].p_values(data)
        fixed = CORRECTIONS[plan.correction].adjust(p)
        significant = fixed < study.alpha
        if plan.difference_interval == "tukey":
            bounds = comparison.tukey_interval(z.mean(axis=1), data.ranges, plan.error)
        else:
            level = self.level(plan.error, int(significant.sum()))
            bounds = INTERVALS[plan.difference_interval].bounds(data, level)
        spread = math.sqrt(comparison.residual_variance(values)) if plan.test == "tukey" else None
        equivalence = None
        if study.equivalence is not None:
            alone = comparison.equivalence(z, study.equivalence)
            correction = "holm" if plan.test == "tukey" else plan.correction
            equivalence = alone, CORRECTIONS[correction].adjust(alone)
        return Comparison(
            measure=measure,
            values=values,
            pairs=self.pairs,
            z=z,
            p=np.full(len(p), np.nan) if plan.test == "tukey" else p,
            corrected=fixed,
            significant=significant,
            bounds=bounds,
            mean_bounds=self._mean_interval(values),
            effect=comparison.effect(z, spread),
            share_first=self._share_first(values) if study.baseline is None else None,
            equivalence=equivalence,
        )

    def _comparisons(self, values: Array, pairs: Pairs) -> Comparisons:
        return Comparisons(
            scores=values,
            pairs=pairs,
            topic_samples=lambda: self.counts,
            sign_flips=self.labels.signs,
            all_flips=self.exact,
            permuted_ranges=partial(self.labels.ranges, values, jobs=self.jobs),
            jobs=self.jobs,
        )

    def _mean_interval(self, values: Array) -> intervals.Bounds:
        """A mean is the difference to a system that scores 0 everywhere."""
        systems, topics = values.shape
        beside = np.vstack([values, np.zeros(topics)])
        pairs = np.arange(systems), np.full(systems, systems)
        return INTERVALS[self.plan.interval].bounds(self._comparisons(beside, pairs), self.plan.error)

    def _share_first(self, values: Array) -> Array:
        total = np.zeros(len(values))
        for low in range(0, self.study.resamples, CHUNK):
            total += firsts(summarise(values, self.samples.counts(low=low, high=low + CHUNK)))
        return total / self.study.resamples


def _sums(scores: Scores) -> list[IrassayWarning]:
    """Counts are summed elsewhere; a comparison is of their means."""
    return [
        IrassayWarning("tested-as", f"{one.name} is compared by its mean over topics, not by its sum")
        for one in scores.by_measure()
        if one.measure is not None and one.measure.summary_with_params()[0].name == "sum"
    ]


def _judged_less(comparisons: list[Comparison], systems: tuple[str, ...], judged: Array) -> list[IrassayWarning]:
    """Significant differences between systems of which one has clearly fewer judged documents."""
    warnings = []
    for one in comparisons:
        first, second = one.pairs
        winner = np.where(one.z.mean(axis=1) > 0, first, second)
        loser = first + second - winner
        gap = judged[loser] - judged[winner]
        for less, who, why in (
            (one.significant & (gap >= CLEARLY), winner, "wins"),
            (one.significant & (gap <= -CLEARLY), loser, "loses"),
        ):
            if not less.any():
                continue
            k = int(np.flatnonzero(less)[np.argmax(np.abs(gap[less]))])
            few, other = int(who[k]), int(first[k] + second[k] - who[k])
            message = (
                f"{one.measure}: {systems[few]} {why} against {systems[other]} with fewer judged documents "
                f"({JUDGED} {judged[few]:.2f} and {judged[other]:.2f}); unjudged ones count as not relevant"
            )
            more = int(less.sum()) - 1
            message += f"; so it is with {more} more pair{'s' * (more > 1)}" if more else ""
            warnings.append(IrassayWarning("judged-less", message))
    return warnings


def findings(result: Result) -> list[str]:
    alpha = float(str(result.provenance["alpha"]))
    parts = [
        f"{safe(measure)} {sum(row['p_corrected'] < alpha for row in rows):,} of {len(rows):,}"
        for (measure,), rows in grouped(rows_of(result["pairs"]), "measure").items()
    ]
    sentences = [
        f"Comparisons with a significant difference (alpha {alpha:g}, corrected for their number): {few(parts)}."
    ]
    best = rows_of(result["comparison"])[0]
    if isinstance(best.get("share_first"), float):  # without a baseline
        share = percent(best["share_first"])
        sentences.append(
            f"In {safe(best['measure'])} {safe(best['system'])} is first in {share} of the samples of topics."
        )
    return sentences
