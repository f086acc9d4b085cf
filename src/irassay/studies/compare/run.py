"""The work of `irassay compare`: tests and intervals, measure by measure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask import comparison as tests
from irassay.ask import intervals
from irassay.ask.corrections import check_reachable, corrected, critical_rank, interval_level
from irassay.ask.letters import firsts
from irassay.ask.significance import all_pairs
from irassay.compute.progress import track
from irassay.compute.threads import cores
from irassay.errors import InputError, IrassayWarning, emit
from irassay.result import Result
from irassay.studies.compare import tables as comparing_tables
from irassay.studies.subjects import Subjects, compared, subjects
from irassay.tolerance import EQUAL
from irassay.vary.labels import CHUNK, LabelPlan
from irassay.vary.topics import TopicPlan

if TYPE_CHECKING:
    from irassay.settings import Execution
    from irassay.studies.compare.settings import Compare

Array = NDArray[np.float64]
JUDGED = "Judged@10"
CLEARLY = 0.1  # of the first ten documents, one on average


@dataclass(frozen=True)
class Compared:
    """One measure's comparisons; pairs are (x, y), differences x - y. `level`: the error of one interval."""

    measure: str
    values: Array
    pairs: tests.Pairs
    z: Array
    p: Array  # uncorrected; undefined where the test is for all pairs at once
    corrected: Array
    significant: NDArray[np.bool_]
    bounds: intervals.Bounds
    mean_bounds: intervals.Bounds
    effect: Array
    level: float
    share_first: Array | None = None
    equivalence: tuple[Array, Array] | None = None  # p-values, uncorrected and corrected

    @property
    def means(self) -> Array:
        return np.asarray(self.values.mean(axis=1))


@dataclass(frozen=True)
class Plan:
    """What a comparison does, with every default filled in."""

    test: str
    correction: str
    interval: str
    difference_interval: str  # 'tukey' where the test has its own
    alpha: float
    error: float  # 1 - confidence


def plan_of(study: Compare) -> Plan:
    """The defaults that depend on each other; options that cannot stand together are errors, before any work."""
    test = study.test or ("t" if study.baseline else "tukey")
    if not 0 < study.alpha < 1:
        raise InputError(f"alpha is {study.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
    confidence = 1 - study.alpha if study.confidence is None else study.confidence
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence:g}", hint="it lies between 0 and 1, such as 0.95")
    if test not in tests.TESTS:
        raise InputError(f"there is no test {test!r}", hint=f"there are {', '.join(tests.TESTS)}")
    if test == "tukey" and study.correction not in (None, "none"):
        hint = "leave out --correction, or take another --test"
        raise InputError("Tukey's test is for all pairs at once and takes no further correction", hint=hint)
    correction = "none" if test == "tukey" else study.correction or "holm"
    for what, given, known in (
        ("correction", correction, ("holm", "bonferroni", "bh", "none")),
        ("interval", study.interval or "t", intervals.INTERVALS),
    ):
        if given not in known:
            raise InputError(f"there is no {what} {given!r}", hint=f"there are {', '.join(known)}")
    if study.losses is not None and study.baseline is None:
        raise InputError("--losses are topics lost to a baseline", hint="add --baseline SYSTEM")
    for name, number in (("--losses", study.losses), ("--equivalence", study.equivalence)):
        if number is not None and not (0 <= number < math.inf):
            raise InputError(f"{name} is {number:g}", hint="it is a difference in score, such as 0.1")
    if study.equivalence == 0:
        raise InputError("no two systems are equivalent within a margin of 0", hint="--equivalence 0.05, for example")
    own = "tukey" if test == "tukey" and study.interval is None else study.interval or "t"
    return Plan(test, correction, study.interval or "t", own, study.alpha, 1 - confidence)


def compare_result(study: Compare, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    plan = plan_of(study)
    data = subjects(study, qrels, runs, execution, also=(JUDGED,), keep=study.baseline)
    values, warnings = compared(data.subjects, "compare the measure itself, or see `irassay power --unpaired`")
    warnings += _sums(data)
    work = _Work(study, plan, data, (execution.jobs if execution else None) or cores())
    work.check()
    emit(warnings)
    found = [work(name, scores) for name, scores in track("comparisons", list(values.items()))]
    judged = data.also[0].values.mean(axis=1) if data.also else None
    late = _judged_less(found, data, judged)
    emit(late)
    made = {
        **data.provenance, "baseline": study.baseline, "test": plan.test, "correction": plan.correction,
        "interval": plan.interval, "difference_interval": plan.difference_interval, "alpha": plan.alpha,
        "confidence": 1 - plan.error, "comparisons": len(work.pairs[0]), "exact": work.exact,
        "equivalence": study.equivalence, "losses": study.losses, "measures": [c.measure for c in found],
    }  # fmt: skip
    tables, figures = comparing_tables.tables_and_figures(study, found, data, judged, made)
    return Result("compare", tables, (*data.warnings, *warnings, *late), made, figures)


class _Work:
    """Compares the systems by one measure after another, on draws that all measures share."""

    def __init__(self, study: Compare, plan: Plan, data: Subjects, jobs: int) -> None:
        self.study, self.plan, self.jobs = study, plan, jobs
        self.topics, systems = len(data.topics), len(data.systems)
        if study.baseline is None:
            self.pairs = all_pairs(systems)
        else:
            base = data.systems.index(study.baseline)
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
        many = family if plan.correction in ("holm", "bonferroni") else 1
        if self.exact:
            least = 2.0 ** (1 - self.topics)
            if many * least >= plan.alpha:
                what = f"{self.topics} topics are too few: no sign flips have a p-value below {least:.2g}"
                hint = "a randomisation test needs more topics, or fewer comparisons; or take another --test"
                raise InputError(f"{what}, and there are {many} comparisons" if many > 1 else what, hint=hint)
        elif plan.test in tests.RESAMPLING:
            said = plan.test if plan.correction == "none" else f"{plan.test}, {plan.correction}"
            check_reachable(plan.alpha, many, self.study.resamples, said)
        level = self.level(plan.error, 0)
        if plan.difference_interval == "tukey" and critical_rank(plan.error, self.study.resamples) < 1:
            check_reachable(plan.error, 1, self.study.resamples, "intervals")
        if plan.difference_interval in ("bca", "percentile", "bootstrap-t"):
            side = level if plan.difference_interval == "bootstrap-t" else level / 2
            intervals.check_samples(side, self.study.resamples, plan.difference_interval)

    def level(self, error: float, significant: int) -> float:
        """The error of one interval of a difference, so that all of a measure hold together."""
        # Student's t or the bootstrap beside Tukey's test: simultaneous, as the test is
        correction = "bonferroni" if self.plan.test == "tukey" else self.plan.correction
        return interval_level(error, correction, len(self.pairs[0]), significant)

    def __call__(self, measure: str, values: Array) -> Compared:
        study, plan = self.study, self.plan
        first, second = self.pairs
        z = values[first] - values[second]
        ranges = self.labels.ranges(values, jobs=self.jobs) if plan.test == "tukey" else None
        p = self._p_values(values, z, ranges)
        fixed = corrected(p, plan.correction)
        significant = fixed < plan.alpha
        level = self.level(plan.error, int(significant.sum()))
        if plan.difference_interval == "tukey" and ranges is not None:
            level = plan.error
            half = np.sort(ranges)[::-1][critical_rank(plan.error, len(ranges)) - 1]
            middle = z.mean(axis=1)
            # a tie counts, so its interval ends at 0
            half = np.where(np.isclose(half, np.abs(middle), rtol=EQUAL, atol=0.0), np.abs(middle), half)
            bounds = middle - half, middle + half
        else:
            bounds = self._interval(values, self.pairs, level, plan.difference_interval)
        spread = math.sqrt(tests.residual_variance(values)) if plan.test == "tukey" else None
        found = Compared(
            measure, values, self.pairs, z, np.full(len(p), np.nan) if plan.test == "tukey" else p, fixed, significant,
            bounds, self._mean_interval(values), tests.effect(z, spread), level,
        )  # fmt: skip
        if study.baseline is None:
            found = replace(found, share_first=self._share_first(values))
        if study.equivalence is not None:
            one = tests.equivalence(z, study.equivalence)
            found = replace(
                found, equivalence=(one, corrected(one, "holm" if plan.test == "tukey" else plan.correction))
            )
        return found

    def _p_values(self, values: Array, z: Array, ranges: Array | None) -> Array:
        test = self.plan.test
        if test == "paired-bootstrap":
            return tests.bootstrap(values, self.counts, self.pairs, jobs=self.jobs)
        if test == "randomization":
            return tests.randomization(z, self.labels.signs(), exact=self.exact, jobs=self.jobs)
        if ranges is not None:
            return tests.tukey(z.mean(axis=1), ranges)
        simple = {"t": tests.student, "wilcoxon": tests.wilcoxon, "sign": tests.sign}
        return simple[test](z)

    def _interval(self, values: Array, pairs: tests.Pairs, level: float, kind: str) -> intervals.Bounds:
        if kind == "t":
            return intervals.student_interval(values[pairs[0]] - values[pairs[1]], level)
        if kind == "bootstrap-t":
            return intervals.bootstrap_t_interval(values, self.counts, pairs, level, jobs=self.jobs)
        return intervals.resampled_interval(values, self.counts, pairs, level, kind, jobs=self.jobs)

    def _mean_interval(self, values: Array) -> intervals.Bounds:
        """A mean is the difference to a system that scores 0 everywhere."""
        systems, topics = values.shape
        beside = np.vstack([values, np.zeros(topics)])
        pairs = np.arange(systems), np.full(systems, systems)
        return self._interval(beside, pairs, self.plan.error, self.plan.interval)

    def _share_first(self, values: Array) -> Array:
        by_topic = np.ascontiguousarray(values.T)
        total = np.zeros(len(values))
        for low in range(0, self.study.resamples, CHUNK):
            total += firsts(self.samples.counts(low=low, high=low + CHUNK) @ by_topic / self.topics)
        return total / self.study.resamples


def _sums(data: Subjects) -> list[IrassayWarning]:
    """Counts are summed elsewhere; a comparison is of their means."""
    return [
        IrassayWarning("tested-as", f"{subject.name} is compared by its mean over topics, not by its sum")
        for subject in data.subjects
        if subject.measure is not None and subject.measure.summary_with_params()[0].name == "sum"
    ]


def _judged_less(found: list[Compared], data: Subjects, judged: Array | None) -> list[IrassayWarning]:
    """Significant differences between systems of which one has clearly fewer judged documents."""
    if judged is None:
        return []
    said = []
    for one in found:
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
            what = (
                f"{one.measure}: {data.systems[few]} {why} against {data.systems[other]} with fewer judged documents "
                f"({JUDGED} {judged[few]:.2f} and {judged[other]:.2f}); unjudged ones count as not relevant"
            )
            more = int(less.sum()) - 1
            what += f"; so it is with {more} more pair{'s' * (more > 1)}" if more else ""
            said.append(IrassayWarning("judged-less", what))
    return said
