"""The work of `irassay compare`: tests and intervals, measure by measure."""

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import comparison, intervals
from irassay.ask.corrections import check_reachable, critical_rank
from irassay.ask.families import LEAST_TO_RESAMPLE, cluster_error
from irassay.ask.methods import ANY_INTERVAL, ANY_TEST, CORRECTIONS, JOINT_INTERVALS, Comparisons
from irassay.ask.pairs import Pairs, against, all_pairs
from irassay.ask.stepdown import stepdown
from irassay.ask.t_statistic import moments
from irassay.compute.memory import require
from irassay.errors import InputError, IrassayWarning, emit
from irassay.progress import track
from irassay.result import Result
from irassay.scoring.scores import Array, Scores
from irassay.settings import Execution
from irassay.studies.compare.anova import anova_table
from irassay.studies.compare.cautions import JUDGED, cautions, short_intervals
from irassay.studies.compare.figures import figures
from irassay.studies.compare.settings import Compare, ComparePlan
from irassay.studies.compare.tables import Comparison, comparison_tables, equivalence_correction
from irassay.studies.compare.topic_groups import LEFT_OUT, TopicGroups, group_tables, read_topic_groups
from irassay.studies.compare.topic_samples import TopicSamples
from irassay.studies.inputs import ScoreInput, load_scores, paired_values
from irassay.studies.selection import with_names
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

ARRAYS, ROW = 4, 1500  # of a pair in memory at once: numbers for each topic; bytes of its row in a table, about


def run(study: Compare, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `comparison`, one row a measure and system; `pairs`, one row a comparison; `topics`; `anova`.

    With a baseline also `topic_differences`, with --losses also `losses`, with --topic-groups also `groups`,
    `group_differences` and `group_interaction`. `irassay.studies.compare.view.paper` lays the comparison out for a
    paper.
    """
    plan = study.plan
    data = load_scores(study, qrels, runs, execution, keep=study.baselines)
    study = with_names(study, data.panel)
    values, warnings = paired_values(data.scores, "compare the measure itself, or see `irassay power --unpaired`")
    warnings += _sums(data.scores)
    groups = _topic_file(study.topic_groups, study, data)
    families = _topic_file(study.topic_families, study, data, "family")
    work = _Work(study, plan, data.scores, values, data.jobs, None if families is None else families.of_topic)
    work.check()
    require(len(work.pairs[0]) * (ARRAYS * 8 * work.topics + ROW * len(values)), "comparisons of pairs")
    emit(warnings)
    comparisons = [work(name, scores) for name, scores in track("comparisons", list(values.items()))]
    judged = _judged(data)
    late = list(short_intervals(plan, work.topics))
    late += [caution for one in comparisons for caution in cautions(one, study, plan, data.systems, judged)]
    emit(late)
    provenance = {
        **data.provenance,
        "baseline": list(study.baselines) if len(study.baselines) > 1 else next(iter(study.baselines), None),
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
        **({} if groups is None else {"topic_groups": list(groups.names), "topic_file": study.topic_groups}),
        **({} if families is None else {"topic_families": len(families.names), "topic_file": study.topic_families}),
        "measures": list(values),
    }
    tables = comparison_tables(study, comparisons, data.scores, judged, provenance)
    if families is None:
        tables += (anova_table(list(values.items()), data.scores),)
    if groups is not None:
        tables += group_tables(study, plan, comparisons, data.scores, groups)
    return Result("compare", tables, (*data.warnings, *warnings, *late), provenance, figures(study, len(data.systems)))


def _topic_file(path: str | None, study: Compare, data: ScoreInput, what: str = "group") -> TopicGroups | None:
    if path is None:
        return None
    all_known = study.topics is None and not any(warning.code in LEFT_OUT for warning in data.warnings)
    return read_topic_groups(Path(path), data.topics, all_known=all_known, what=what)


def _judged(data: ScoreInput) -> Array | None:
    """The share of judged documents in each system's first ten; None where there are no lists."""
    if data.panel is None:
        return None
    judged = data.panel.score(JUDGED, jobs=data.jobs)[JUDGED]
    return judged.select(systems=data.systems, topics=data.topics).means()


class _Work:
    """Compares the systems by one measure after another, on draws that all measures share.

    Draws see the systems in the order of their names, and pairs with the lower name first: the order of the run files
    moves no number.
    """

    def __init__(
        self,
        study: Compare,
        plan: ComparePlan,
        scores: Scores,
        values: dict[str, Array],
        jobs: int,
        families: NDArray[np.int64] | None = None,
    ) -> None:
        self.study, self.plan, self.jobs, self.families = study, plan, jobs, families
        self.topics, systems = len(scores.topics), len(scores.systems)
        bases = [scores.systems.index(name) for name in study.baselines]
        self.pairs = against(systems, bases) if bases else all_pairs(systems)
        self.by_name = np.array(sorted(range(systems), key=lambda s: scores.systems[s]), dtype=np.int64)
        self.place = np.argsort(self.by_name)
        first, second = self.place[self.pairs[0]], self.place[self.pairs[1]]
        self.turned = first > second
        low, high = np.minimum(first, second), np.maximum(first, second)
        drawn = np.lexsort((high, low))
        self.drawn_pairs, self.of_drawn = (low[drawn], high[drawn]), np.argsort(drawn)
        self.units = self.topics if families is None else int(families.max()) + 1  # what is drawn and turned whole
        self.labels = LabelPlan(study.seed, self.units, study.resamples)
        units = np.stack(list(values.values()))[:, self.by_name]
        if families is not None:
            units = units @ np.eye(self.units)[families]
        self.samples = TopicSamples(TopicPlan(study.seed, self.units, study.resamples), units, jobs)
        self.measures = list(values)

    @property
    def exact(self) -> bool:
        return self.plan.test in ("randomization", "wild-cluster") and self.labels.exact

    def check(self) -> None:
        """Whether so many resamples can say anything, before any work."""
        plan, family = self.plan, len(self.pairs[0])
        correction = CORRECTIONS[plan.correction]
        many = family if correction.multiplies else 1
        if self.exact:
            least = 2.0 ** (1 - self.units)
            if many * least >= self.study.alpha:
                units = "topics" if self.families is None else "families of topics"
                what = f"{self.units} {units} are too few: no sign flips have a p-value below {least:.2g}"
                raise InputError(
                    f"{what}, and there are {many} comparisons" if many > 1 else what,
                    hint="a randomisation test needs more topics, or fewer comparisons; or take another --test",
                )
        elif ANY_TEST[plan.test].resampling or correction.joint is not None:
            test = plan.test if plan.correction == "none" else f"{plan.test}, {plan.correction}"
            check_reachable(self.study.alpha, many, self.study.resamples, test)
        if plan.difference_interval in JOINT_INTERVALS:
            if critical_rank(plan.error, self.study.resamples) < 1:
                check_reachable(plan.error, 1, self.study.resamples, "intervals")
        elif sides := ANY_INTERVAL[plan.difference_interval].sides:
            level = self.level(plan.error, 0) / sides
            intervals.check_samples(level, self.study.resamples, plan.difference_interval)

    def level(self, error: float, significant: int) -> float:
        """The error of one interval of a difference, so that all of a measure hold together."""
        # Student's t or the bootstrap beside Tukey's test: simultaneous, as the test is
        correction = "bonferroni" if self.plan.test == "tukey" else self.plan.correction
        return CORRECTIONS[correction].interval_level(error, len(self.pairs[0]), significant)

    def __call__(self, measure: str, values: Array) -> Comparison:
        study, plan = self.study, self.plan
        by_name = values[self.by_name]
        data = self._comparisons(by_name, self.drawn_pairs, measure)
        alone = ANY_TEST[plan.test].p_values(data)
        correction = CORRECTIONS[plan.correction]
        p, corrected = (
            drawn[self.of_drawn]
            for drawn in (alone, correction.joint(data) if correction.joint else correction.adjust(alone))
        )
        significant = corrected < study.alpha
        critical = self._last_critical(by_name, significant | np.isnan(corrected)) if correction.joint else math.nan
        if plan.difference_interval in JOINT_INTERVALS:
            bounds = JOINT_INTERVALS[plan.difference_interval].bounds(data, plan.error)
        else:
            level = self.level(plan.error, int(significant.sum()))
            bounds = ANY_INTERVAL[plan.difference_interval].bounds(data, level)
        spread = math.sqrt(comparison.residual_variance(by_name)) if plan.test == "tukey" else None
        z = values[self.pairs[0]] - values[self.pairs[1]]
        return Comparison(
            measure=measure,
            of_means=not ANY_TEST[plan.test].note,
            values=values,
            pairs=self.pairs,
            z=z,
            p=np.full(len(p), np.nan) if plan.test == "tukey" else p,
            corrected=corrected,
            significant=significant,
            critical=critical,
            errors=self._errors(z),
            mean_errors=self._errors(values),
            bounds=self._as_given(bounds),
            mean_bounds=self._mean_interval(by_name, measure),
            effect=comparison.effect(z, spread),
            share_first=self._share_first(measure) if not study.baselines else None,
            equivalence=None if study.equivalence is None else self._equivalence(z, study.equivalence),
        )

    def _last_critical(self, by_name: Array, decided: NDArray[np.bool_]) -> float:
        """The |t| above which the last step of the step-down test rejects; nan where no pair is left to it."""
        left = np.empty(len(decided), dtype=np.bool_)
        left[self.of_drawn] = ~decided
        if not left.any():
            return math.nan
        first, second = (side[left] for side in self.drawn_pairs)
        test = stepdown(by_name, (first, second), self.samples.plan, jobs=self.jobs)
        return test.critical(self.study.alpha)

    def _as_given(self, bounds: intervals.Bounds) -> intervals.Bounds:
        """Bounds of the drawn pairs for the pairs as they are called; 0.0 makes -0 a plain 0."""
        low, high = (bound[self.of_drawn] for bound in bounds)
        return np.where(self.turned, -high, low) + 0.0, np.where(self.turned, -low, high) + 0.0

    def _equivalence(self, z: Array, margin: float) -> tuple[Array, ...]:
        """p-values of two one-sided tests, alone and corrected, and bounds at 1 - 2·alpha that go with the former."""
        alone = comparison.equivalence(z, margin)
        name = equivalence_correction({"test": self.plan.test, "correction": self.plan.correction})
        bounds = intervals.student_interval(z, 2 * self.study.alpha)
        return alone, CORRECTIONS[name].adjust(alone), *bounds

    def _comparisons(self, values: Array, pairs: Pairs, measure: str) -> Comparisons:
        def sums() -> Array:
            """With a 0 for each system that `values` has beyond those of the samples."""
            drawn = self.samples.sums[self.measures.index(measure)]
            return np.pad(drawn, ((0, 0), (0, len(values) - drawn.shape[1])))

        return Comparisons(
            scores=values,
            pairs=pairs,
            topic_samples=self.samples.plan,
            sample_sums=sums,
            sign_flips=self.labels.signs,
            all_flips=self.exact,
            permuted_ranges=partial(self.labels.ranges, values, jobs=self.jobs),
            max_t=lambda: stepdown(values, pairs, self.samples.plan, jobs=self.jobs),
            families=self.families,
            jobs=self.jobs,
        )

    def _errors(self, rows: Array) -> Array:
        """Standard errors of the means of rows [..., topics]."""
        if self.families is None:
            return moments(rows).sd / math.sqrt(self.topics)
        return cluster_error(rows, self.families)

    def _mean_interval(self, by_name: Array, measure: str) -> intervals.Bounds:
        """A mean is the difference to a system that scores 0 everywhere."""
        systems, topics = by_name.shape
        beside = np.vstack([by_name, np.zeros(topics)])
        pairs = np.arange(systems), np.full(systems, systems)
        low, high = ANY_INTERVAL[self.plan.interval].bounds(self._comparisons(beside, pairs, measure), self.plan.error)
        return low[self.place], high[self.place]

    def _share_first(self, measure: str) -> Array:
        if self.families is not None and self.units < LEAST_TO_RESAMPLE:
            return np.full(len(self.place), np.nan)
        shares: Array = self.samples.shares_first[self.measures.index(measure)]
        return shares[self.place]


def _sums(scores: Scores) -> list[IrassayWarning]:
    """Counts are summed elsewhere; a comparison is of their means."""
    return [
        IrassayWarning("tested-as", f"{one.name} is compared by its mean over topics, not by its sum")
        for one in scores.by_measure()
        if one.measure is not None and one.measure.summary_with_params()[0].name == "sum"
    ]
