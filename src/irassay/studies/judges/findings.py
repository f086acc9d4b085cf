"""Findings of `irassay judges`: plain sentences, the most important first."""

from typing import Any

from irassay.result import Result
from irassay.studies.judges.label_tables import ALL
from irassay.studies.judges.labels import MAJORITY
from irassay.studies.phrases import percent, rows_of, safe


def findings(result: Result) -> list[str]:
    return _labels(result) if "labels" in result else []


def _labels(result: Result) -> list[str]:
    """Which judge is nearest to the reference, how far judges agree, and who is lenient."""
    reference = result["judges"]["judge"][0]
    rows = [row for row in rows_of(result["labels"]) if row["stratum"] == ALL and row["reference"] == reference]
    rows = [row for row in rows if not str(row["judge"]).startswith(f"{MAJORITY} without")]
    known = sorted((row for row in rows if row["kappa"] == row["kappa"]), key=lambda row: -row["kappa_quadratic"])
    sentences = []
    if known:
        best = known[0]
        nearest = f"; of {len(known)} judges it is the nearest by quadratic kappa" if len(known) > 1 else ""
        sentences.append(
            f"{_name(best)} and the reference {safe(reference)} give the same grade to {percent(best['agreement'])} of "
            f"{best['n']:,} documents: kappa {_interval(best, 'kappa')}, quadratic kappa "
            f"{_interval(best, 'kappa_quadratic')} (95%, other topics like these){nearest}."
        )
    biased = max(rows, key=lambda row: abs(row["mean_grade_bias"]))
    if abs(biased["mean_grade_bias"]) > 0 and not biased["mean_grade_bias_low"] <= 0 <= biased["mean_grade_bias_high"]:
        what = "higher" if biased["mean_grade_bias"] > 0 else "lower"
        by = f"{abs(biased['mean_grade_bias']):.2f} grades {what} than the reference"
        sentences.append(f"{safe(biased['judge'])} judges {by} on average, the largest shift.")
    return sentences


def _name(row: dict[str, Any]) -> str:
    return f"The {MAJORITY}" if row["judge"] == MAJORITY else safe(row["judge"])


def _interval(row: dict[str, Any], name: str) -> str:
    value = f"{row[name]:.2f}"
    if row[f"{name}_low"] != row[f"{name}_low"]:
        return value
    return f"{value} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"
