"""The verdict of a comparison in words: who is better, whom the tests do not tell apart, and how that was tested."""

from typing import Any

import numpy as np

from irassay.ask.methods import ANY_TEST, CORRECTIONS
from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.compare import calibration
from irassay.studies.compare.cautions import CLEARLY
from irassay.studies.compare.method_section import method_section
from irassay.studies.compare.settings import baselines
from irassay.studies.phrases import SHOWN, join, percent, rows_of, safe
from irassay.studies.tables import Row, Rows, grouped
from irassay.tolerance import EQUAL

MANY = 10  # systems above which the step-down test is offered
BRIEF = ("{0} {2} better than {1}", "{0} {2} worse than {1}", "{0} {2} not told from {1}")
BRIEF_NO_MEAN = ("{0} {2} told from {1} with a higher mean", "{0} {2} told from {1} with a lower mean", BRIEF[2])
FEW_TOPICS = 10  # or families of them, below which a verdict says how few there are


def findings(result: Result) -> list[str]:
    """The first measure in full, the others briefly; then the sentence for a paper, and what else could be asked."""
    provenance: dict[str, Any] = dict(result.provenance)
    verdict = _Verdict(result, provenance)
    first, *others = verdict.measures
    sentences = [*verdict.in_full(first), *verdict.in_brief(others)]
    sentences += verdict.equivalent(first, provenance)
    sentences += _depend_on_group(result, provenance) if "group_interaction" in result else []
    untested = sum(undefined(row["p_corrected"]) for rows in verdict.pairs.values() for row in rows)
    if untested:
        are = "1 comparison is" if untested == 1 else f"{untested:,} comparisons are"
        sentences.append(f"{are} not testable, because too few topics differ.")
    families = provenance.get("topic_families")
    units, name = (len(provenance["topics"]), "topics") if families is None else (families, "families of topics")
    if units < FEW_TOPICS:
        sentences.append(f"There are only {units} {name}: a difference must be large to be found.")
    test = ANY_TEST[provenance["test"]]
    sentences += [test.note] if test.note else []
    return [*sentences, method_section(provenance), *advice(provenance)]


def advice(provenance: dict[str, Any]) -> list[str]:
    """The step-down test, with many systems or where the correction used was measured to fail."""
    systems, family, correction = len(provenance["systems"]), provenance["comparisons"], provenance["correction"]
    stepdown_works = provenance["test"] == "t" and "topic_families" not in provenance
    if not CORRECTIONS[correction].multiplies or not stepdown_works:
        return []
    alpha, topics, holm = float(provenance["alpha"]), len(provenance["topics"]), CORRECTIONS["holm"].label
    name = CORRECTIONS[correction].label[3:]
    measured = {method: calibration.false_positives(f"t, {method}", topics, systems) for method in ("holm", "stepdown")}
    worst = measured["holm"]
    fails = provenance["baseline"] is None and worst.share > calibration.TOO_OFTEN
    if systems <= MANY and not fails:
        return []
    sentence = (
        f"{name} over {family:,} comparisons of {systems} systems wants a p-value below {alpha / family:.1g}; "
        "`--correction stepdown` takes account of how comparisons hang together"
    )
    if not fails:
        return [f"{sentence} (docs/comparison.md)."]
    return [
        f"{sentence}. In experiments with systems of equal means ({worst.population}, {worst.topics:,} topics, level "
        f"{calibration.LEVEL:g}) t tests corrected {holm} called some different in {percent(worst.share)}, the "
        f"step-down test in {percent(measured['stepdown'].share)} at most (docs/comparison.md)."
    ]


def how_tested(provenance: dict[str, Any]) -> str:
    """The test, the correction by its name or that there is none, and the level."""
    test, correction = ANY_TEST[provenance["test"]], CORRECTIONS[provenance["correction"]]
    if test.simultaneous:
        corrected = "for all pairs at once"
    elif provenance["comparisons"] == 1 and correction.joint is None:
        corrected = "one comparison"
    else:
        corrected = f"corrected {correction.label}" if correction.label else "not corrected"
    return f"{test.label}, {corrected}, alpha {provenance['alpha']:g}"


def _depend_on_group(result: Result, provenance: dict[str, Any]) -> list[str]:
    """Whether differences between systems depend on the group of a topic, measure by measure."""
    alpha, parts = float(provenance["alpha"]), []
    for (measure,), rows in grouped(rows_of(result["group_interaction"]), "measure").items():
        row = rows[0]  # all systems
        f = "" if undefined(row["f"]) else f"F({row['df']}, {row['df_error']}) = {row['f']:.2f}, "
        p = "p < 0.0001" if row["p_value"] < 0.00005 else f"p = {row['p_value']:.4f}"
        parts.append(f"{safe(measure)} {'yes' if row['p_value'] < alpha else 'not shown'} ({f}{p})")
    how = f"F test of systems by {len(provenance['topic_groups'])} groups, alpha {alpha:g}, not corrected over measures"
    return [f"Do differences depend on the group of topics ({how})? {join(parts)}."]


class _Verdict:
    """Sentences from the tables `pairs` and `comparison`."""

    def __init__(self, result: Result, provenance: dict[str, Any]) -> None:
        self.alpha = float(provenance["alpha"])
        self.how = how_tested(provenance)
        self.baselines = baselines(provenance["baseline"])
        self.of_means = not ANY_TEST[provenance["test"]].note
        self.places = result["pairs"].digits["difference"]
        self.pairs = {measure: rows for (measure,), rows in grouped(rows_of(result["pairs"]), "measure").items()}
        means = grouped(rows_of(result["comparison"]), "measure").items()
        self.means = {measure: {row["system"]: row for row in rows} for (measure,), rows in means}

    @property
    def measures(self) -> list[str]:
        return list(self.pairs)

    def in_full(self, measure: str) -> list[str]:
        if not self.baselines:
            return self._first(measure)
        sentences = []
        for baseline in self.baselines:
            rows = self._rows_against(measure, baseline)
            sentences += self._against(measure, baseline, rows) if rows else []
        return sentences

    def in_brief(self, measures: list[str]) -> list[str]:
        """One line a measure; without a baseline one for all measures with the same system first."""
        if self.baselines:
            return [f"{safe(measure)}: {self._brief(measure)}." for measure in measures]
        leaders: dict[str, list[str]] = {}
        for measure in measures:
            leaders.setdefault(next(iter(self.means[measure])), []).append(measure)
        return [self._same_leader(leader, same) for leader, same in leaders.items()]

    def _same_leader(self, leader: str, measures: list[str]) -> str:
        """By which measures a system is first, and from how many others the tests do not tell it."""
        rivals = {measure: len(self._from(measure, leader)[1]) for measure in measures}
        pairs = {measure: sum(map(self._significant, self.pairs[measure])) for measure in measures}
        also = " as well" if leader == next(iter(self.means[self.measures[0]])) else ""
        start = f"By {join([safe(measure) for measure in measures])} {safe(leader)} is first{also}; the tests"
        if len(self.means[measures[0]]) == 2:
            significant = [safe(measure) for measure in measures if pairs[measure]]
            by = f" by {join(significant)} only" if 0 < len(significant) < len(measures) else ""
            return f"{start} {'tell' if significant else 'do not tell'} it from the other system{by}."
        total, others = len(self.pairs[measures[0]]), f"{len(self.means[measures[0]]) - 1:,} other systems"
        verdict = (
            f"do not tell it from {_range(rivals)} of {others}"
            if any(rivals.values())
            else f"tell it from all {others}"
        )
        are = _are(1 if set(pairs.values()) == {1} else 2)
        return f"{start} {verdict}, and {_range(pairs)} of {total:,} comparisons {are} significant."

    def _against(self, measure: str, baseline: str, rows: Rows) -> list[str]:
        """Who is better and worse than a baseline."""
        better, worse, rest = self._sides(rows)
        base, start = safe(baseline), safe(measure)
        if not better and not worse:
            sentence = f"{start}: the tests tell no system from {base} ({self.how})"
            return [f"{sentence}; that does not show that they are equal{self._reach(rows)}."]
        clauses: list[str] = []
        for side, word, sign in ((better, "better", 1), (worse, "worse", -1)):
            if side:
                how = "" if clauses else f" ({self.how})"
                than = f"{'' if self.of_means else ' from'} {base}" if not clauses else ""
                clauses.append(self._clause(side, word, sign, than, how) + self._judged(measure, side, baseline, sign))
        sentences = [f"{start}: {'; '.join(clauses)}."]
        if rest:
            sentence = f"The tests do not tell {_names([row['system_x'] for row in rest])} from {base}"
            sentences.append(f"{sentence}, which does not show that they are equal.")
        return sentences

    def _clause(self, side: Rows, word: str, sign: int, than: str, how: str) -> str:
        names, one = _names([row["system_x"] for row in side]), len(side) == 1
        sizes = [f"{sign * row['difference']:.{self.places}f}" for row in side]
        by = join(sizes) if len(sizes) <= SHOWN else f"{sizes[-1]} to {sizes[0]}"
        if self.of_means:
            than = f" than{than}" if than else ""
            return f"{names} {'is' if one else 'are'} {word}{than} by {by}{how}"
        mean = "a mean" if one else "means"
        return f"{names} differ{'s' * one}{than} with {mean} {'higher' if sign > 0 else 'lower'} by {by}{how}"

    def _first(self, measure: str) -> list[str]:
        """Who is first, and which systems the tests do not tell from it."""
        rows = self.means[measure]
        leader, *others = rows
        same = [name for name in others if rows[leader]["mean"] - rows[name]["mean"] <= EQUAL]
        worse, rest = self._from(measure, leader)
        leads = f"{safe(measure)}: {_names([leader, *same])} {'are first with the same mean' if same else 'is first'}"
        name = safe(leader)
        if not rest:
            are = "the other system" if len(worse) == 1 else f"all {len(worse)} other systems"
            text = f"{leads}, and the tests tell {are} from {name} ({self.how})"
        elif not worse:
            any_other = "the other system" if len(rest) == 1 else "any other system"
            text = f"{leads}, but the tests do not tell {any_other} from {name} ({self.how})"
        else:
            tell = "the other one" if len(worse) == 1 else f"the other {len(worse)}"
            text = f"{leads}; the tests do not tell {_names(rest)} from {name}, but they do tell {tell} ({self.how})"
        rows_worse = [{"system_x": system} for system in worse]
        sentences = [f"{text}{self._judged(measure, rows_worse, leader, -1)}."]
        significant, pairs = sum(map(self._significant, self.pairs[measure])), len(self.pairs[measure])
        if not significant:
            reach = self._reach(self.pairs[measure])
            sentences.append(f"No comparison is significant, which does not show that systems are equal{reach}.")
        elif pairs > 1:
            sentences.append(f"Of {pairs:,} comparisons {significant:,} {_are(significant)} significant.")
        share = rows[leader]["share_first"]
        if not undefined(share):
            sentences.append(f"In {percent(share)} of samples of these topics {name} is first.")
        return sentences

    def _brief(self, measure: str) -> str:
        """Who is better and worse than each baseline, and who not told from it."""
        parts: list[str] = []
        for baseline in self.baselines:
            sides = self._sides(self._rows_against(measure, baseline))
            texts = zip(BRIEF if self.of_means else BRIEF_NO_MEAN, sides, strict=True)
            named = ((text, [row["system_x"] for row in side]) for text, side in texts if side)
            parts += [
                text.format(_names(systems), safe(baseline), "is" if len(systems) == 1 else "are")
                for text, systems in named
            ]
        return "; ".join(parts)

    def _rows_against(self, measure: str, baseline: str) -> Rows:
        """The comparisons with a baseline, turned round where they stand among those of another one."""
        rows = self.pairs[measure]
        own = [row for row in rows if row["system_y"] == baseline]
        turned = [row for row in rows if row["system_x"] == baseline and row["system_y"] in self.baselines]
        return own and own + [
            row
            | {"system_x": row["system_y"], "system_y": baseline}
            | {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
            for row in turned
        ]

    def _significant(self, row: Row) -> bool:
        return not undefined(row["p_corrected"]) and bool(row["p_corrected"] < self.alpha)

    def _sides(self, rows: Rows) -> tuple[Rows, Rows, Rows]:
        """The significantly better rows, the worse ones and the others, from the largest difference on."""
        sides: tuple[Rows, Rows, Rows] = ([], [], [])
        for row in sorted(rows, key=lambda row: -abs(row["difference"])):
            sides[(0 if row["difference"] > 0 else 1) if self._significant(row) else 2].append(row)
        return sides

    def _from(self, measure: str, leader: str) -> tuple[list[str], list[str]]:
        """The systems that the tests tell from the first one, and the others, from the best on."""
        different = {
            row["system_y"] if row["system_x"] == leader else row["system_x"]
            for row in self.pairs[measure]
            if leader in (row["system_x"], row["system_y"]) and self._significant(row)
        }
        others = [system for system in self.means[measure] if system != leader]
        return [s for s in others if s in different], [s for s in others if s not in different]

    def _judged(self, measure: str, side: Rows, other: str, sign: int) -> str:
        """Fewer judged documents of the losers, which may be why they lose; `sign`: of `side` against `other`."""
        judged = {system: row["judged_at_10"] for system, row in self.means[measure].items()}
        if undefined(judged[other]):
            return ""
        systems = [row["system_x"] for row in side]
        few = [system for system in systems if sign * (judged[system] - judged[other]) >= CLEARLY]
        if not few:
            return ""
        shares = f"{percent(judged[few[0]])} of its first 10 against {percent(judged[other])}"
        if sign < 0 and len(systems) == 1 and self.baselines:
            return f", but fewer of its documents are judged ({shares})"
        named = [f"{safe(system)} ({percent(judged[system])})" for system in few]
        listed = join(named) if len(named) <= SHOWN else f"{len(named)} of them"
        base = f"{safe(other)} ({percent(judged[other])})"
        fewer, more = (base, listed) if sign > 0 else (listed, base)
        return f", though fewer of the first 10 documents are judged of {fewer} than of {more}"

    def equivalent(self, measure: str, provenance: dict[str, Any]) -> list[str]:
        """Which pairs two one-sided tests show to be within the margin."""
        margin = provenance["equivalence"]
        if margin is None:
            return []
        rows = [row for row in self.pairs[measure] if row["p_equivalence_corrected"] < self.alpha]
        within, many = f"within ±{margin:g} by {safe(measure)}", len(self.pairs[measure])
        if not rows:
            return [f"No comparison shows equivalence {within}."]
        if len(self.baselines) == 1:
            names = [row["system_x"] for row in rows]
            return [f"{_names(names)} {_are(len(names))} equivalent to {safe(self.baselines[0])} {within}."]
        return [f"Of {many:,} comparisons {len(rows):,} {'show' if len(rows) > 1 else 'shows'} equivalence {within}."]

    def _reach(self, rows: Rows) -> str:
        """How far the intervals of differences reach, where they have ends."""
        halves = [(row["high"] - row["low"]) / 2 for row in rows if np.isfinite([row["low"], row["high"]]).all()]
        if not halves:
            return ""
        middle = f"{float(np.median(halves)):.{self.places}f}"
        return f": the interval of {'the' if len(rows) == 1 else 'a'} difference is ±{middle}" + (
            " (median)" if len(rows) > 1 else ""
        )


def _names(systems: list[str]) -> str:
    names = [safe(system) for system in systems]
    return join(names) if len(names) <= SHOWN else f"{len(names)} systems ({', '.join(names[: SHOWN - 1])}, …)"


def _range(counts: dict[str, int]) -> str:
    """A count for each measure: the fewest and the most, with their measures where these differ."""
    fewest, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    if counts[fewest] == counts[most]:
        return f"{counts[most]:,}" if counts[most] else "none"
    return f"{counts[fewest]:,} ({safe(fewest)}) to {counts[most]:,} ({safe(most)})"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
