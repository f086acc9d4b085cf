"""Tables of labels: coefficients of agreement, precision and recall of grades, confusion."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irassay.ask import label_agreement as ask
from irassay.ask.label_agreement import COEFFICIENTS, MORE_COEFFICIENTS, Estimate
from irassay.ask.pairs import Array
from irassay.errors import IrassayWarning
from irassay.result import Table
from irassay.studies.judges.labels import MAJORITY, OTHERS, Labels, few_names
from irassay.studies.tables import Rows, columns

ALL, LEFT_OUT = "all", "one judge left out"
IN_NO_LIST = "in no list"
MISLEADING = 0.2  # kappa and AC1 this far apart, and one of them misleads
ESTIMAND = (
    "These judges on topics like these: 95% intervals leave out one topic after the other (jackknife, Student's t)."
)


class Strata(NamedTuple):
    """Parts of the documents, such as those that some list ranks among its first ten."""

    names: tuple[str, ...]
    members: NDArray[np.bool_]  # [strata, documents]


@dataclass(frozen=True, eq=False)
class LabelTables:
    """What labels say, before any system is looked at."""

    labels: Labels
    coefficients: str
    strata: Sequence[Strata]

    @property
    def functions(self) -> Mapping[str, ask.Coefficient]:
        return COEFFICIENTS | MORE_COEFFICIENTS if self.coefficients == "all" else COEFFICIENTS

    def confusion(self, reference: NDArray[np.int8], judge: NDArray[np.int8], among: NDArray[np.bool_]) -> Array:
        """Confusions by topic, on documents of a stratum that both labelled."""
        labels = self.labels
        both = among & (reference >= 0) & (judge >= 0)
        return ask.confusions(reference[both], judge[both], labels.topic[both], len(labels.topics), labels.grades)

    def tables(self) -> tuple[Table, ...]:
        """Tables `labels`, `grades`, `confusion`, and `together` where there are several judges."""
        labels = self.labels
        reference, everything = labels.grade[0], np.ones(len(labels.topic), dtype=np.bool_)
        by_judge = [self.confusion(reference, grade, everything) for grade in labels.grade[1:]]
        rows: Rows = []
        grades: Rows = []
        counts: Rows = []
        for judge, (name, by_topic) in enumerate(zip(labels.names[1:], by_judge, strict=True), start=1):
            if not by_topic.any():
                continue
            pair = {"reference": labels.names[0], "judge": name}
            rows.append(pair | {"stratum": ALL} | self._row(by_topic))
            for strata in self.strata:
                for stratum, members in zip(*strata, strict=True):
                    part = self.confusion(reference, labels.grade[judge], members)
                    if part.any():
                        rows.append(pair | {"stratum": stratum} | self._row(part))
            rows += [pair | row for row in self._by_topic(by_topic)]
            grades += [{"judge": name} | row for row in _grades(by_topic)]
            counts += [pair | row for row in _cells(by_topic.sum(axis=0))]
        rows += self._left_out()
        digits = {f"{name}{end}": 2 for name in self.functions for end in ("", "_low", "_high")}
        tables = [
            Table("labels", columns(rows), f"Agreement of labels, on documents that both labelled. {ESTIMAND}", digits),
            Table(
                "grades",
                columns(grades),
                "Of the documents that the judge gives a grade, the share that the reference gives it too (precision), "
                f"and the other way round (recall). {ESTIMAND}",
                {f"{name}{end}": 2 for name in ("precision", "recall") for end in ("", "_low", "_high")},
            ),
            Table(
                "confusion",
                columns(counts),
                "Documents by the reference's grade and the judge's; share: of those with the reference's grade",
                {"share": 3},
            ),
        ]
        if together := self._together():
            tables.append(together)
        return tuple(tables)

    def _row(self, by_topic: Array) -> dict[str, float]:
        row: dict[str, float] = {"n": int(by_topic.sum())}
        for name, function in self.functions.items():
            row |= _bounds(name, ask.jackknife(by_topic, function))
        return row

    def _by_topic(self, by_topic: Array) -> Iterator[dict[str, object]]:
        """Each topic alone, which has no interval."""
        values = {name: function(by_topic) for name, function in self.functions.items()}
        for place, topic in enumerate(self.labels.topics):
            if by_topic[place].any():
                row: dict[str, object] = {"stratum": f"topic {topic}", "n": int(by_topic[place].sum())}
                for name, value in values.items():
                    row |= {name: float(value[place]), f"{name}_low": None, f"{name}_high": None}
                yield row

    def _left_out(self) -> Rows:
        """Each judge against the majority of the others, and the reference against that majority."""
        labels, rows = self.labels.with_others(), []
        everything = np.ones(len(labels.topic), dtype=np.bool_)
        for place, majority in labels.left_out:
            name, others = labels.names[place], labels.grade[majority]
            against = self.confusion(others, labels.grade[place], everything)
            without = self.confusion(labels.grade[0], others, everything)
            for reference, judge, by_topic in (
                (OTHERS, name, against),
                (labels.names[0], f"{MAJORITY} without {name}", without),
            ):
                if by_topic.any():
                    rows.append({"reference": reference, "judge": judge, "stratum": LEFT_OUT} | self._row(by_topic))
        return rows

    def _together(self) -> Table | None:
        """Krippendorff's alpha of all judges at once, with the reference and without it."""
        labels = self.labels
        judges = labels.grade[: -1 if MAJORITY in labels.names else None]
        if len(judges) < 3:
            return None
        rows = []
        for what, grade in (("reference and judges", judges), ("judges alone", judges[1:])):
            by_topic = ask.coincidences(grade, labels.topic, len(labels.topics), labels.grades)
            if by_topic.any():
                documents = int(((grade >= 0).sum(axis=0) > 1).sum())
                row = {"judges": what, "number": len(grade), "n": documents}
                rows.append(row | _bounds("alpha_ordinal", ask.jackknife(by_topic, ask.alpha_of_coincidences)))
        if not rows:
            return None
        digits = dict.fromkeys(("alpha_ordinal", "alpha_ordinal_low", "alpha_ordinal_high"), 2)
        return Table(
            "together", columns(rows), f"Krippendorff's ordinal alpha of all judges at once. {ESTIMAND}", digits
        )


def _bounds(name: str, estimate: Estimate) -> dict[str, float]:
    return {
        name: float(estimate.value),
        f"{name}_low": float(estimate.low),
        f"{name}_high": float(estimate.high),
    }


def _grades(by_topic: Array) -> Rows:
    precision, recall = ask.jackknife(by_topic, ask.precision), ask.jackknife(by_topic, ask.recall)
    rows: Rows = []
    for grade in range(by_topic.shape[-1]):
        row: dict[str, float] = {"grade": grade}
        for name, estimate in (("precision", precision), ("recall", recall)):
            row |= _bounds(name, Estimate(estimate.value[grade], estimate.low[grade], estimate.high[grade]))
        rows.append(row)
    return rows


def _cells(confusion: Array) -> Rows:
    size = range(len(confusion))
    share = confusion / np.maximum(confusion.sum(axis=1, keepdims=True), 1)
    return [
        {"grade": g, "judged": h, "n": int(confusion[g, h]), "share": float(share[g, h])} for g in size for h in size
    ]


def warn_of_labels(labels: Labels) -> list[IrassayWarning]:
    """Where skew makes kappa misleading, where a scale may be another one, and where little is in common."""
    warnings: list[IrassayWarning] = []
    reference = labels.grade[0]
    skewed, coarse = [], []
    for judge, name in enumerate(labels.names[1:], start=1):
        both = labels.common(judge)
        if not both.any():
            continue
        one, other = reference[both], labels.grade[judge][both]
        confusion = ask.confusions(one, other, np.zeros(len(one), dtype=np.int64), 1, labels.grades)[0]
        kappa, ac1 = float(ask.weighted_kappa(confusion, 0)), float(ask.gwet(confusion, 0))
        if np.isnan(kappa) or abs(ac1 - kappa) >= MISLEADING:
            skewed.append((name, kappa, ac1, np.bincount(np.concatenate([one, other])) / (2 * len(one))))
        if other.max() < labels.highest and name != MAJORITY:
            coarse.append(f"{name} (up to {other.max()})")
    if skewed:
        name, kappa, ac1, shares = skewed[0]
        grade = int(np.argmax(shares))
        more = f"; the same for {few_names(name for name, *_ in skewed[1:])}" if len(skewed) > 1 else ""
        what = (
            f"{shares[grade]:.0%} of the labels of {name} and the reference are grade {grade}, so coefficients "
            f"mislead: kappa is {kappa:.2f}, AC1 {ac1:.2f}; read precision and recall of each grade{more}"
        )
        warnings.append(IrassayWarning("skewed-labels", what))
    if coarse:
        what = (
            f"never as high as the reference's highest grade, {labels.highest}: {few_names(coarse)}; if that is "
            "another scale, map grades with --map"
        )
        warnings.append(IrassayWarning("scale", what))
    return warnings
