"""Findings of `irassay judges`: plain sentences, the most important first."""

from math import comb
from typing import Any, cast

from irassay.report.text import undefined
from irassay.result import Result
from irassay.studies.judges.label_tables import ALL
from irassay.studies.judges.labels import MAJORITY, OTHERS
from irassay.studies.phrases import FEWEST_PAIRS, few, percent, rows_of, safe, too_few_pairs


def findings(result: Result) -> list[str]:
    """Orders and verdicts, favouritism, measures, then labels."""
    sentences: list[str] = []
    if "order" in result:
        systems = rows_of(result["order"])[0]["systems"]
        if (pairs := comb(systems, 2)) < FEWEST_PAIRS:
            sentences.append(too_few_pairs(pairs))
        else:
            sentences += [
                *_order(result),
                *_others(result),
                *_verdicts(result),
                *_favour(result),
                *_documents(result),
                *_measures(result),
            ]
    sentences += _labels(result) if "labels" in result else []
    return [f"The{each[3:]}" if each.startswith(f"the {MAJORITY}") else each for each in sentences]


def taken_for(result: Result) -> list[str]:
    """Which files were taken for judgments, and which for runs."""
    reference, *judges = map(str, result["judges"]["file"])
    files = [safe(file) for file, name in zip(judges, result["judges"]["judge"][1:], strict=True) if name != MAJORITY]
    runs = [safe(run) for run in cast("list[str]", result.provenance["runs"])]
    return [f"Reference: {safe(reference)}. Judges: {few(files)}. Runs: {few(runs) if runs else 'none'}."]


def _order(result: Result) -> list[str]:
    """Whose order is most and least like the reference's, in the first measure, beside the ceiling."""
    reference = safe(result["judges"]["judge"][0])
    everything = [row for row in rows_of(result["order"]) if row["reference"] != OTHERS]
    measure = everything[0]["measure"]
    rows = sorted((row for row in everything if row["measure"] == measure), key=lambda row: -row["tau"])
    common = [row for row in rows if not undefined(row["tau_on_draws"])]
    sentences = []
    if common:
        best, worst = common[0], common[-1]
        least = f", {_name(worst)} least ({worst['tau']:.2f})" if len(common) > 1 else ""
        how = f"tau {best['tau']:.2f}, {best['tau_low']:.2f} to {best['tau_high']:.2f}"
        sentences.append(
            f"In {safe(measure)} {_name(best)} orders the {best['systems']} systems {'most ' if least else ''}like "
            f"{reference} ({how}){least}. On samples of the topics {reference} agrees with its own order at "
            f"{best['tau_ceiling']:.2f}, and {_name(best)} with it at {best['tau_on_draws']:.2f}."
        )
    for row in (row for row in rows if undefined(row["tau_on_draws"])):
        low, high = row["tau_ceiling_low"], row["tau_ceiling_high"]
        as_topics = "no less than" if row["tau"] >= low else "less than"
        sentences.append(
            f"In {safe(measure)} {_name(row)} on {row['judge_topics']} topics orders the {row['systems']} systems like "
            f"{reference} on {row['topics']} others at a tau of {_interval(row, 'tau')}: {as_topics} disjoint sets of "
            f"topics of one judge agree ({row['tau_ceiling']:.2f}, mostly {low:.2f} to {high:.2f})."
        )
    return sentences


def _others(result: Result) -> list[str]:
    """The judge whose order is least like that of the majority of the others, in the first measure."""
    rows = [row for row in rows_of(result["order"]) if row["reference"] == OTHERS]
    rows = [row for row in rows if row["measure"] == rows[0]["measure"] and not undefined(row["tau"])]
    if len(rows) < 2:
        return []
    least, most = (choose(rows, key=lambda row: row["tau"]) for choose in (min, max))
    return [
        f"Each judge against the {OTHERS}: in {safe(least['measure'])} {_name(least)} orders the systems least like it "
        f"(tau {least['tau']:.2f}, {least['tau_low']:.2f} to {least['tau_high']:.2f}), {_name(most)} most "
        f"({most['tau']:.2f})."
    ]


def _verdicts(result: Result) -> list[str]:
    """How many verdicts the judges change, in the first measure."""
    if "verdicts" not in result:
        return []
    everything = [row for row in rows_of(result["verdicts"]) if row["reference"] != OTHERS]
    rows = [row for row in everything if row["measure"] == everything[0]["measure"]]

    def changed(row: dict[str, Any]) -> int:
        return int(row["only_reference"] + row["only_judge"] + row["opposite"])

    least = min(rows, key=changed)
    reversed_pairs = sum(row["opposite"] for row in everything)
    where = "over all judges and measures" if len(everything) > 1 else "in all"
    number = f"{changed(least)} of {least['pairs']:,}"
    fewest = f", the fewest of {len(rows)} judges" if len(rows) > 1 else ""
    return [
        f"In {safe(least['measure'])} {_name(least)} changes the verdict on {number} pairs of systems{fewest}: "
        f"{least['only_reference']} are significant by the reference only, {least['only_judge']} by the judge only "
        f"(paired t-test at {result.provenance['alpha']:g} per comparison, not corrected). "
        f"{reversed_pairs or 'No'} verdict{' is' if reversed_pairs == 1 else 's are'} reversed {where}."
    ]


def _favour(result: Result) -> list[str]:
    """The group that each judge moves most, where it is more than noise over topics."""
    if "groups" not in result:
        return []
    alpha = result.provenance["alpha"]
    rows = [row for row in rows_of(result["groups"], "p_value_holm") if row["p_value_holm"] < alpha]
    if not rows:
        return [f"No judge is shown to favour a group (alpha {alpha:g}, Holm over groups, over topics)."]
    sentences = []
    for judge in dict.fromkeys(row["judge"] for row in rows):
        row = max((row for row in rows if row["judge"] == judge), key=lambda row: abs(row["shift"]))
        what = "favours" if row["shift"] > 0 else "is harder on"
        teams = row["p_teams_holm"]
        general = "" if undefined(teams) else f"; over teams p is {teams:.3f}"
        interval = f"{row['low']:+.3f} to {row['high']:+.3f}"
        sentences.append(
            f"{_name(row)} {what} {safe(row['group'])}: {row['shift']:+.3f} in {safe(row['measure'])} ({interval}) "
            f"against other systems of equal reference scores (for these systems, over topics{general}; Holm)."
        )
    return sentences


def _documents(result: Result) -> list[str]:
    """The group whose own documents a judge likes most."""
    if "documents" not in result:
        return []
    alpha = result.provenance["alpha"]
    rows = [row for row in rows_of(result["documents"], "p_value_holm") if row["p_value_holm"] < alpha]
    if not rows:
        return []
    row = max(rows, key=lambda row: abs(row["chance"]))
    often = "more" if row["chance"] > 0 else "less"
    points = f"{abs(100 * row['chance']):.0f} points {often} often"
    return [
        f"{_name(row)} calls documents that {safe(row['group'])} alone ranks high relevant {points} than other "
        "systems' documents of the same topic and reference grade."
    ]


def _measures(result: Result) -> list[str]:
    """The measures that a judge moves least and most."""
    rows = rows_of(result["robustness"], "tau_b_cost")
    if len(rows) < 2:
        return []
    best, worst = rows[0], rows[-1]
    return [
        f"{safe(best['measure'])} is the most robust to the judge (it costs {best['tau_b_cost']:.2f} of tau b on "
        f"average), {safe(worst['measure'])} the least ({worst['tau_b_cost']:.2f})."
    ]


def _labels(result: Result) -> list[str]:
    """Which judge is nearest to the reference, how far judges agree, and who is lenient."""
    reference = result["judges"]["judge"][0]
    rows = [row for row in rows_of(result["labels"]) if row["stratum"] == ALL and row["reference"] == reference]
    best = max(rows, key=lambda row: -2.0 if undefined(row["kappa_quadratic"]) else row["kappa_quadratic"])
    same = f"give the same grade to {percent(best['agreement'])} of {best['n']:,} documents"
    if undefined(best["kappa"]) or undefined(best["kappa_quadratic"]):
        return [f"{_name(best)} and the reference {safe(reference)} {same}; kappa is undefined, for one grade is all."]
    nearest = f"; of {len(rows)} judges it is the nearest by quadratic kappa" if len(rows) > 1 else ""
    sentences = [
        f"{_name(best)} and the reference {safe(reference)} {same}: kappa {_interval(best, 'kappa')}, quadratic kappa "
        f"{_interval(best, 'kappa_quadratic')} (95%, over topics like these){nearest}."
    ]
    biased = max(rows, key=lambda row: abs(row["mean_grade_bias"]))
    if biased["mean_grade_bias_low"] > 0 or biased["mean_grade_bias_high"] < 0:
        what = "higher" if biased["mean_grade_bias"] > 0 else "lower"
        by = f"{abs(biased['mean_grade_bias']):.2f} grades {what} than the reference"
        sentences.append(f"{_name(biased)} judges {by} on average, the largest shift.")
    return sentences


def _name(row: dict[str, Any]) -> str:
    return f"the {MAJORITY}" if row["judge"] == MAJORITY else safe(row["judge"])


def _interval(row: dict[str, Any], name: str) -> str:
    value = f"{row[name]:.2f}"
    if undefined(row[f"{name}_low"]):
        return value
    return f"{value} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"
