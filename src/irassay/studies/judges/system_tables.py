"""Tables of systems: scores, their order, and verdicts on pairs, by the reference and by each judge."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from irassay.ask import agreement
from irassay.ask.comparison import student
from irassay.ask.intervals import student_interval
from irassay.ask.judged_order import NAMES, Means, order_row
from irassay.ask.pairs import Array, all_pairs
from irassay.ask.ranks import ranks
from irassay.ask.t_statistic import required_difference
from irassay.ask.verdicts import verdicts
from irassay.result import Table, column_decimals
from irassay.scoring.scores import Scores
from irassay.studies.judges.labels import OTHERS
from irassay.studies.judges.settings import Judges
from irassay.studies.judges.systems import JudgedScores
from irassay.studies.tables import Rows, columns
from irassay.vary.topics import TopicPlan

WORDS = {-1: "worse", 0: "undecided", 1: "better"}
BOUNDS = ("_low", "_high")


@dataclass(frozen=True, eq=False)
class SystemTables:
    """What becomes of scores, orders and verdicts under each judge."""

    study: Judges
    judged: Sequence[JudgedScores]
    left_out: Sequence[JudgedScores]  # each against the majority of the others
    reference: str
    jobs: int

    def tables(self) -> tuple[Table, ...]:
        """Tables `order`, `verdicts`, `power`, `robustness`, `pairs` and `systems`."""
        everyone = [*self.judged, *self.left_out]
        order = self._with_human([row for one in everyone for row in self._order(one)])
        counts: Rows = []
        power: Rows = []
        pairs: Rows = []
        for one in everyone:
            for reference, judge in zip(one.reference.by_measure(), one.judge.by_measure(), strict=True):
                if reference.pairable:
                    tested = _Tested(self.study.alpha, one, reference, judge)
                    counts.append(tested.counts())
                    if one.against == self.reference:
                        power += tested.power()
                        pairs += tested.changed()
        systems = [row for one in everyone for row in self._systems(one)]
        against_reference = [self._against_reference(rows) for rows in (order, counts)]
        ends = ("", *BOUNDS, "_ceiling", "_ceiling_low", "_ceiling_high", "_on_draws", "_human")
        digits = {f"{name}{end}": 2 for name in NAMES for end in ends if f"{name}{end}" in order[0]}
        tables = [
            Table("order", columns(order), self._order_caption(), digits),
            Table("robustness", columns(_robustness(*against_reference)), ROBUSTNESS, dict.fromkeys(ROBUST_DIGITS, 3)),
        ]
        alpha = f"paired t-test at {self.study.alpha:g} per comparison, not corrected"
        if counts:
            tables += [
                Table(
                    "verdicts",
                    columns(counts),
                    f"Pairs of systems that are significantly different by reference and judge ({alpha}). Both: in the "
                    "same direction; opposite: in opposite directions. For these systems, over topics like these."
                    f"{self._left_out_caption()}",
                ),
                Table(
                    "power",
                    columns(power),
                    f"Pairs that are separated by the labels of each ({alpha}), and the difference that a pair needs: "
                    "the largest over pairs (enough for every pair), median and 95th percentile.",
                    {"discriminative_power": 2} | dict.fromkeys(("required_difference", "rd_median", "rd_p95"), 3),
                ),
            ]
        if pairs:
            caption = f"Pairs whose verdict the judge changes ({alpha}); differences are A - B"
            digits = {"reference_difference": 4, "judge_difference": 4, "p_reference": 4, "p_judge": 4}
            tables.append(Table("pairs", columns(pairs), caption, digits))
        places = column_decimals(error for one in self.judged for error in one.reference.standard_errors().ravel())
        shown = ("score", "reference_score", "label_effect", "label_effect_low", "label_effect_high", "coverage_effect")
        caption = (
            "Scores by all labels of the judge. Less the reference's they are the effect of labels, on the documents "
            "that both labelled, with its 95% interval over topics (Student's t), and the effect of further documents, "
            f"that only one of them labelled.{self._left_out_caption()}"
        )
        tables.append(Table("systems", columns(systems), caption, dict.fromkeys(shown, places)))
        caption = f"Ranks of the reference's {self.study.top_k} best systems among all, by all labels of each judge"
        return (*tables, Table("ranks", columns(self._ranks()), caption))

    def _ranks(self) -> Rows:
        """Where the reference's best systems stand under each judge, on the topics of the first judge."""
        rows: Rows = []
        first = self.judged[0]
        by_judge = {self.reference: first.reference_own} | {one.name: one.judge_own for one in self.judged}
        for measure in first.reference.measures:
            best = np.argsort(-first.reference_own[measure].means(), kind="stable")[: self.study.top_k]
            for name, scores in by_judge.items():
                place = ranks(scores[measure].means())
                row = {"measure": measure, "judge": name}
                rows += [row | {"system": scores.systems[s], "rank": float(place[s])} for s in best]
        return rows

    def _with_human(self, order: Rows) -> Rows:
        """Beside each coefficient that of a second person, whose labels are another ceiling."""
        if self.study.human is None:
            return order
        against = self._against_reference(order)
        by_measure = {row["measure"]: row for row in against if row["judge"] == self.study.human}
        return [
            row
            | {
                f"{name}_human": by_measure[row["measure"]][name] if row["reference"] == self.reference else None
                for name in NAMES
            }
            for row in order
        ]

    def _against_reference(self, rows: Rows) -> Rows:
        """Without the rows that compare a judge with the majority of the others."""
        return [row for row in rows if row["reference"] == self.reference]

    def _left_out_caption(self) -> str:
        return f" Reference '{OTHERS}': what most of the other judges say stands for it." if self.left_out else ""

    def _order_caption(self) -> str:
        human = "" if self.study.human is None else f" Human: {self.study.human} against the reference."
        return (
            "Agreement of the orders of systems by reference and judge, on documents that both labelled, with a "
            "conservative 95% interval over samples of the topics. Ceiling: the reference's order on samples of the "
            "topics against its own on all topics; on draws: the judge's order on the same samples against it. Judges "
            "without a common topic: the ceiling is of one judge on disjoint sets of topics. For these systems, over "
            f"topics like these. Tau of the best: among the reference's {self.study.top_k} best systems.{human}"
            f"{self._left_out_caption()}"
        )

    def _order(self, one: JudgedScores) -> Iterator[dict[str, Any]]:
        study = self.study
        drawn = _samples(study, one.reference, second=False)
        drawn_judge = drawn if one.paired else _samples(study, one.judge, second=True)
        for measure in one.reference.measures:
            reference, judge = one.reference[measure], one.judge[measure]
            row = order_row(
                Means(reference.means(), reference.resampled(drawn)),
                Means(judge.means(), judge.resampled(drawn_judge)),
                None if one.paired else _disjoint(study, reference, judge),
                top=study.top_k,
                p=study.rbo_p,
                jobs=self.jobs,
            )
            topics = {"topics": len(reference.topics), "judge_topics": len(judge.topics)}
            names = {"measure": measure, "reference": one.against, "judge": one.name}
            yield {**names, "systems": len(reference.systems), **topics, **row}

    def _systems(self, one: JudgedScores) -> Iterator[dict[str, Any]]:
        parts = (one.reference, one.judge, one.reference_own, one.judge_own)
        for reference, judge, reference_own, judge_own in zip(*(part.by_measure() for part in parts), strict=True):
            label = judge.means() - reference.means()
            total = judge_own.means() - reference_own.means()
            low = high = np.full(len(label), np.nan)
            if one.paired and reference.pairable and reference.tested()[0] == reference.name:
                low, high = student_interval(judge.tested()[1] - reference.tested()[1], 0.05)
            for s, system in enumerate(reference.systems):
                yield {
                    "measure": reference.name,
                    "reference": one.against,
                    "judge": one.name,
                    "system": system,
                    "score": float(judge_own.means()[s]),
                    "label_effect": float(label[s]),
                    "coverage_effect": float(total[s] - label[s]) if one.paired else None,
                    "label_effect_low": float(low[s]),
                    "label_effect_high": float(high[s]),
                    "reference_score": float(reference_own.means()[s]),
                }


class _Tested:
    """Verdicts on all pairs by reference and judge, on one measure."""

    def __init__(self, alpha: float, one: JudgedScores, reference: Scores, judge: Scores) -> None:
        self.alpha, self.one, self.measure = alpha, one, reference.name
        self.systems = reference.systems
        self.values = [reference.tested()[1], judge.tested()[1]]
        self.signs = [verdicts(np.ascontiguousarray(values.T), alpha) for values in self.values]
        self.first, self.second = all_pairs(len(self.systems))

    def counts(self) -> dict[str, Any]:
        both = agreement.verdicts(*self.signs)
        counts = asdict(both)
        names: dict[str, Any] = {"measure": self.measure, "reference": self.one.against, "judge": self.one.name}
        names |= {"pairs": both.pairs, "both": counts["same"]}
        only = {"only_reference": counts["only_a"], "only_judge": counts["only_b"]}
        return names | only | {"opposite": counts["opposite"], "neither": counts["neither"]}

    def power(self) -> Rows:
        rows = []
        for labels, values, signs in zip(("reference", self.one.name), self.values, self.signs, strict=True):
            required = required_difference(self._differences(values), self.alpha)
            rows.append(
                {
                    "measure": self.measure,
                    "judge": self.one.name,
                    "labels": labels,
                    "topics": values.shape[1],
                    "significant": int(np.count_nonzero(signs)),
                    "pairs": len(signs),
                    "discriminative_power": float(np.mean(signs != 0)),
                    "required_difference": float(required.max()),
                    "rd_median": float(np.median(required)),
                    "rd_p95": float(np.quantile(required, 0.95)),
                }
            )
        return rows

    def changed(self) -> Rows:
        """The pairs whose verdict is another one."""
        places = np.flatnonzero(self.signs[0] != self.signs[1])
        by_reference, by_judge = (self._differences(values, places) for values in self.values)
        return [
            {
                "measure": self.measure,
                "judge": self.one.name,
                "system_x": self.systems[self.first[pair]],
                "system_y": self.systems[self.second[pair]],
                "reference": WORDS[int(self.signs[0][pair])],
                "judged": WORDS[int(self.signs[1][pair])],
                "reference_difference": float(d),
                "judge_difference": float(e),
                "p_reference": float(p),
                "p_judge": float(q),
            }
            for pair, d, e, p, q in zip(
                places.tolist(),
                by_reference.mean(axis=1),
                by_judge.mean(axis=1),
                student(by_reference),
                student(by_judge),
                strict=True,
            )
        ]

    def _differences(self, values: Array, pairs: Any = slice(None)) -> Array:
        return np.asarray(values[self.first[pairs]] - values[self.second[pairs]])


def _samples(study: Judges, scores: Scores, *, second: bool) -> Any:
    return TopicPlan(study.seed, len(scores.topics), study.resamples).counts(second=second)


def _disjoint(study: Judges, reference: Scores, judge: Scores) -> tuple[Array, Array]:
    """Scores of one judge on disjoint sets of its topics, of the judge with more of them.

    The sets are as large as those of the two judges together, or halves where there are not enough topics for that.
    """
    larger, smaller = (judge, reference) if len(judge.topics) > len(reference.topics) else (reference, judge)
    topics = len(larger.topics)
    size = min(len(smaller.topics), topics // 2)
    first = TopicPlan(study.seed, topics, study.resamples, max(2, size), replacement=False).counts()
    return larger.resampled(first), larger.resampled(np.asarray(1 - first, dtype=np.int32))


ROBUSTNESS = (
    "Measures, the most robust to other judges first (mean over judges): what a judge costs in tau b on samples of the "
    "topics (ceiling less on draws), and shares of pairs whose verdict is kept and reversed"
)
ROBUST_DIGITS = ("tau_b", "tau_b_cost", "verdicts_kept", "verdicts_opposite")


def _robustness(order: Rows, counts: Rows) -> Rows:
    rows = []
    for measure in dict.fromkeys(row["measure"] for row in order):
        own = [row for row in order if row["measure"] == measure]
        pairs = [row for row in counts if row["measure"] == measure]
        kept = [(row["both"] + row["neither"]) / row["pairs"] for row in pairs]
        opposite = [row["opposite"] / row["pairs"] for row in pairs]
        rows.append(
            {
                "measure": measure,
                "judges": len(own),
                "tau_b": float(np.mean([row["tau_b"] for row in own])),
                "tau_b_cost": float(np.mean([row["tau_b_ceiling"] - row["tau_b_on_draws"] for row in own])),
                "verdicts_kept": float(np.mean(kept)) if kept else None,
                "verdicts_opposite": float(np.mean(opposite)) if opposite else None,
            }
        )
    return sorted(rows, key=lambda row: (np.isnan(row["tau_b_cost"]), row["tau_b_cost"], -row["tau_b"]))
