"""What a study found, in plain sentences: one small function per study, from its tables alone.

A finding that cannot be made (a table or a value is not there) is left out; a study without one says what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from irassay.report.notes import PAPERS
from irassay.report.text import undefined, visible
from irassay.result import Result, Table

Rows = list[dict[str, Any]]
SHOWN = 4  # measures that one sentence can hold


def findings(result: Result) -> list[str]:
    """Plain sentences about a result, the most important first."""
    make = FINDINGS.get(result.study)
    if make is not None:
        try:
            return [sentence for sentence in make(result) if sentence]
        except (KeyError, ValueError, TypeError, IndexError, ZeroDivisionError):
            pass  # another version's tables: what they hold is still shown
    sizes = [f"{visible(table.name)} ({len(table):,} row{'s' * (len(table) != 1)})" for table in result.tables]
    return [f"This study made {_and(sizes)}." if sizes else "This study made no tables."]


def _rows(table: Table, *needed: str) -> Rows:
    """The rows as dictionaries, without those that have no value in a needed column."""
    names = tuple(table.columns)
    rows = [dict(zip(names, row, strict=True)) for row in table.rows()]
    return [row for row in rows if not any(undefined(row[name]) for name in needed)]


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _few(parts: Sequence[str]) -> str:
    """All of a few parts; of many the first and the last ones."""
    if len(parts) <= SHOWN + 2:
        return _and(parts)
    return f"{', '.join(parts[:SHOWN])}, … and last {parts[-1]}"


def percent(share: float) -> str:
    """A share as per cent: whole where that says enough."""
    value = 100 * share
    return f"{value:.0f}%" if value == 0 or 1 <= value <= 99 or value == 100 else f"{value:.1f}%"


def _name(value: object) -> str:
    return visible(str(value))


def _power(result: Result) -> list[str]:
    rows = _rows(result["power"], "discriminative_power")
    first = rows[0]
    alpha = max(row["alpha"] for row in rows)
    test = "paired" if any(row["test"] == "paired" for row in rows) else first["test"]
    rows = [row for row in rows if row["alpha"] == alpha and row["test"] == test]
    rows.sort(key=lambda row: -row["discriminative_power"])
    shares = [f"{_name(row['measure'])} {percent(row['discriminative_power'])}" for row in rows]
    shares[0] = f"{_name(rows[0]['measure'])} separates {percent(rows[0]['discriminative_power'])}"
    shares[0] += f" of the {rows[0]['pairs']:,} pair{'s' * (rows[0]['pairs'] != 1)} of systems"
    best = rows[0]
    return [
        f"{_few(shares)} (bootstrap test, {test}, alpha {alpha:g} per comparison, {best['topics']} topics).",
        f"In {_name(best['measure'])} a difference of {best['estimated_difference']:.2f} was enough for every pair, "
        f"{best['ed_median']:.2f} for half of them."
        if not undefined(best["estimated_difference"])
        else "",
    ]


def _swap(result: Result) -> list[str]:
    rows = _rows(result["swap"])
    able = [row for row in rows if not undefined(row["required_difference"])]
    able.sort(key=lambda row: -row["share_satisfied"])
    told = [
        f"{row['required_difference']:.2f} in {_name(row['measure'])} ({percent(row['share_satisfied'])}"
        + (" of comparisons reach it)" if row is able[0] else ")")
        for row in able
    ]
    never = [_name(row["measure"]) for row in rows if undefined(row["required_difference"])]
    return [
        f"So that other topics rarely turn it round, a difference must be at least {_few(told)}." if told else "",
        f"For {_and(never)} no difference was large enough." if never else "",
    ]


def _stability(result: Result) -> list[str]:
    rows = _rows(result["stability"], "minority_rate", "proportion_of_ties")
    margin = min((row["fuzziness"] for row in rows), key=lambda f: abs(f - 0.05))
    rows = sorted((row for row in rows if row["fuzziness"] == margin), key=lambda row: row["minority_rate"])
    told = [
        f"{_name(row['measure'])} {percent(row['minority_rate'])} ({percent(row['proportion_of_ties'])} undecided)"
        for row in rows
    ]
    return [f"With a margin of {percent(margin)}, other topics contradict the usual order of a pair in: {_few(told)}."]


def _agreement(result: Result) -> list[str]:
    rows = sorted(_rows(result["agreement"], "tau"), key=lambda row: -row["tau"])
    most, least = rows[0], rows[-1]
    told = [
        f"{_name(most['measure_a'])} and {_name(most['measure_b'])} rank systems most alike (tau {most['tau']:.2f})"
    ]
    if most["tau"] > least["tau"]:
        told.append(f"{_name(least['measure_a'])} and {_name(least['measure_b'])} least (tau {least['tau']:.2f})")
    found = [f"{_and(told)}, over {most['systems']} systems."]
    if any(table.name == "verdicts" for table in result.tables):
        verdicts = _rows(result["verdicts"])
        opposite = sum(row["opposite"] for row in verdicts)
        pairs = sum(row["pairs"] for row in verdicts)
        if opposite:
            worst = max(verdicts, key=lambda row: row["opposite"])
            found.append(
                f"In {opposite:,} of {pairs:,} cases two measures are both significant in opposite ways, most often "
                f"{_name(worst['measure_a'])} and {_name(worst['measure_b'])} ({worst['opposite']:,})."
            )
        else:
            found.append("No two measures are ever both significant in opposite ways.")
    return found


def _gains(result: Result) -> list[str]:
    rows = _rows(result["gains"], "tau_with_default")
    default = rows[0]["scheme"]
    others = [row for row in rows if row["scheme"] != default]
    if not others:
        return [f"There is one gain scheme only, {_name(default)}."]
    least = min(others, key=lambda row: row["tau_with_default"])
    by_measure: dict[str, list[float]] = {}
    for row in rows:
        by_measure.setdefault(row["measure"], []).append(row["discriminative_power"])
    name, shares = max(by_measure.items(), key=lambda item: max(item[1]) - min(item[1]))
    return [
        f"The ranking of systems agrees with that by {_name(default)} at a tau of at least "
        f"{least['tau_with_default']:.2f} ({_name(least['measure'])} with {_name(least['scheme'])}).",
        f"The share of pairs that {_name(name)} separates varies most with the gains, from {percent(min(shares))} to "
        f"{percent(max(shares))}.",
    ]


def _preferred_ranks(result: Result) -> list[str]:
    ranks = {row["topic"]: row["max_rank"] for row in _rows(result["preferred_ranks"], "max_rank")}
    topic = max(ranks, key=lambda one: ranks[one])
    return [
        "In the median topic the run that makes users wait longest has its first document of the highest level at "
        f"rank {median(ranks.values()):g}; at worst at rank {ranks[topic]:,} (topic {_name(topic)})."
    ]


def _incomplete(result: Result) -> list[str]:
    rows = _rows(result["incomplete"], "tau_with_full")
    least = min(row["rate"] for row in rows)
    trials = len({row["trial"] for row in rows})
    measures = list(dict.fromkeys(row["measure"] for row in rows))

    def mean(measure: str, rate: int, what: str) -> float:
        values = [float(row[what]) for row in rows if row["measure"] == measure and row["rate"] == rate]
        return sum(values) / len(values)

    by_tau = sorted(measures, key=lambda one: -mean(one, least, "tau_with_full"))
    told = [f"{_name(one)} (tau {mean(one, least, 'tau_with_full'):.2f})" for one in by_tau]
    lost = {m: (mean(m, 100, "discriminative_power"), mean(m, least, "discriminative_power")) for m in measures}
    steady = min(measures, key=lambda one: lost[one][0] - lost[one][1])
    worst = max(measures, key=lambda one: lost[one][0] - lost[one][1])
    over = f", mean of {trials} reductions" if trials > 1 else ", one reduction"

    def fall(one: str) -> str:
        return f"{_name(one)} (from {percent(lost[one][0])} to {percent(lost[one][1])})"

    several = len(measures) > 1
    return [
        f"With {least}% of the judgments the order of systems survives best in {told[0]}"
        f"{f' and worst in {told[-1]}' if several else ''}{over}.",
        f"The share of pairs that a measure separates falls least in {fall(steady)}"
        f"{f' and most in {fall(worst)}' if several else ''}.",
    ]


def _pools(result: Result) -> list[str]:
    found = []
    shallow = [row for row in _rows(result["summary"], "tau") if row["pool"] != "full"]
    if shallow:
        pool = shallow[0]["pool"]
        told = sorted((row for row in shallow if row["pool"] == pool), key=lambda row: -row["tau"])
        parts = [f"{_name(row['measure'])} {row['tau']:.2f}" for row in told]
        found.append(
            f"With a pool of {_name(pool)} the ranking agrees with that of the full pool at a tau of: {_few(parts)}."
        )
    left = _rows(result["left_out"], "change")
    if left:
        worst = max(left, key=lambda row: abs(row["change"]))
        changed = sum(1 for row in left if row["rank_before"] != row["rank_after"])
        found.append(
            f"A system whose own contributions are not judged changes its score by at most {abs(worst['change']):.3f} "
            f"({_name(worst['system'])}, {_name(worst['measure'])}); in {changed:,} of {len(left):,} cases its rank "
            "changes."
        )
    return found


def _shape(result: Result) -> list[str]:
    rows = _rows(result["shape"], "score")
    judged_counts = sorted({row["R"] for row in rows})
    chosen = 10 if 10 in judged_counts else judged_counts[0]
    kept = {}
    for measure in dict.fromkeys(row["measure"] for row in rows):
        scores = {row["rank"]: row["score"] for row in rows if row["measure"] == measure and row["R"] == chosen}
        last = 10 if 10 in scores else max(scores)
        if scores[1] > 0 and last > 1:
            kept[measure] = (last, scores[last] / scores[1])
    order = sorted(kept, key=lambda one: kept[one][1])
    parts = [f"{_name(one)} {percent(kept[one][1])}" for one in order]
    if not parts:
        return []
    return [
        f"A relevant document at rank {kept[order[0]][0]} is worth this share of one at rank 1 (R = {chosen}): "
        f"{_few(parts)}. The less, the more top-heavy."
    ]


def _corpus(result: Result) -> list[str]:
    rows = _rows(result["systems"], "sd", "rank_q2.5", "rank_q97.5")
    spread = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        mine = [row for row in rows if row["measure"] == measure]
        places = median(row["rank_q97.5"] - row["rank_q2.5"] for row in mine)
        spread.append((median(row["sd"] for row in mine), _name(measure), places))
    told = [f"{name} {sd:.3f} (95% of its ranks lie within {places:.0f} places)" for sd, name, places in sorted(spread)]
    found = []
    if told:
        found.append(
            f"Over images of the corpus the mean score of the median system has a standard deviation of: {_few(told)}."
        )
    if any(table.name == "triples" for table in result.tables):
        pairs = sorted(_rows(result["triples"], "mean_sd"), key=lambda row: float(row["mean_sd"]))
        parts = _few([f"{_name(row['measure'])} {row['mean_sd']:.3f}" for row in pairs])
        found.append(f"On a single topic the difference of two systems has a standard deviation of: {parts}.")
    return found


def _variance(result: Result) -> list[str]:
    found = []
    for row in _rows(result["variance"], "krcc", "mean_rejection_rate"):
        found.append(
            f"Simulated by {_name(row['model'])}, the ranking of systems agrees with the raw one at a tau of "
            f"{row['krcc']:.2f}; a pair is called different in {percent(row['mean_rejection_rate'])} of replicates on "
            f"average, against {percent(row['raw_significant_share'])} of pairs on the raw scores."
        )
    return found


def _check(result: Result) -> list[str]:
    told = {row["what"]: row["value"] for row in _rows(result["collection"])}
    relevant = next(row for row in _rows(result["judgments"]) if str(row["per_topic"]).startswith("R "))
    problems: dict[str, int] = {}
    for row in _rows(result["problems"]):
        problems[_name(row["code"])] = problems.get(_name(row["code"]), 0) + 1
    listed = [f"{code} ({count:,})" for code, count in sorted(problems.items(), key=lambda item: -item[1])]
    return [
        f"{told['runs']:,} runs on {told['topics evaluated']:,} topics, with {relevant['mean']:.1f} relevant documents "
        f"a topic ({relevant['min']:,} to {relevant['max']:,}).",
        f"What could bite: {_few(listed)}." if listed else "No problem was found.",
    ]


def _compare(result: Result) -> list[str]:
    level = result.provenance.get("alpha", 0.05)
    alpha = float(level) if isinstance(level, (int, float)) else 0.05
    rows = _rows(result["pairs"], "p_corrected")
    found = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        mine = [row for row in rows if row["measure"] == measure]
        different = sum(row["p_corrected"] < alpha for row in mine)
        found.append(f"{_name(measure)} {different:,} of {len(mine):,}")
    best = _rows(result["comparison"])[0]
    first = best.get("share_first")
    return [
        f"Comparisons with a significant difference (alpha {alpha:g}, corrected for their number): {_few(found)}.",
        f"In {_name(best['measure'])} {_name(best['system'])} is first in {percent(first)} of the samples of topics."
        if isinstance(first, float)
        else "",
    ]


def _study(result: Result) -> list[str]:
    rows = _rows(result["parts"])
    failed = [f"{_name(row['part'])} ({_name(row['problem'])})" for row in rows if not row["done"]]
    made = _and([_name(row["part"]) for row in rows if row["done"]] or ["nothing"])
    return [f"Made: {made}.", f"Could not be made: {'; '.join(failed)}." if failed else ""]


def _paper(result: Result) -> list[str]:
    rows = _rows(result["contents"])
    missing = [f"{_name(row['item'])} ({_name(row['note'])})" for row in rows if not row["delivered"]]
    return [
        f"{len(rows) - len(missing)} of the {len(rows)} tables and figures of {_name(result.study)} were made from "
        "these data; each has the paper's number.",
        _headline(result),
        f"Could not be made: {'; '.join(missing)}." if missing else "",
    ]


def _headline(result: Result) -> str:
    """What the first table says that compares measures by their power, deviation or agreement."""
    for table in result.tables:
        if "measure" not in table.columns or "system" in table.columns or not table.name.startswith("T"):
            continue
        for column, begin, show in (
            ("discriminative_power", "share of pairs that it separates", percent),
            ("mean_sd", "deviation of a difference on one topic", "{:.3f}".format),
        ):
            if column in table.columns:
                best: dict[str, float] = {}
                for row in _rows(table, column):
                    best.setdefault(_name(row["measure"]), float(row[column]))  # the first level of several
                return f"Table {table.name[1:]}, {begin}: {_few([f'{m} {show(v)}' for m, v in best.items()])}."
    return ""


FINDINGS: dict[str, Callable[[Result], list[str]]] = {
    "check": _check,
    "compare": _compare,
    "power": _power,
    "swap": _swap,
    "stability": _stability,
    "agreement": _agreement,
    "gains": _gains,
    "preferred-ranks": _preferred_ranks,
    "incomplete": _incomplete,
    "pools": _pools,
    "shape": _shape,
    "corpus": _corpus,
    "variance": _variance,
    "study": _study,
    **dict.fromkeys(PAPERS, _paper),
}
