"""What `irassay variance` finds, in plain sentences."""

from __future__ import annotations

from typing import Any

from irassay.result import Result
from irassay.studies.phrases import name, percent, rows_of


def findings(result: Result) -> list[str]:
    return [
        f"Simulated by {name(row['model'])}{_measure(row)}, the ranking of systems agrees with the raw one at a tau of "
        f"{row['krcc']:.2f}; a pair is called different in {percent(row['mean_rejection_rate'])} of replicates on "
        f"average, against {percent(row['raw_significant_share'])} of pairs on the raw scores."
        for row in rows_of(result["variance"], "mean_rejection_rate")
    ]


def _measure(row: dict[str, Any]) -> str:
    """The measure, where there are several."""
    return f" in {name(row['measure'])}" if "measure" in row else ""
