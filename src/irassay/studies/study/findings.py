"""The findings of `irassay study` itself: what failed."""

from typing import Any

from irassay.result import Concern, Headline, Result
from irassay.studies.phrases import join, rows_of, safe


def findings(result: Result) -> list[str]:
    """What failed, and why; or that nothing did."""
    rows = rows_of(result["parts"])
    failed = [_failure(row) for row in rows if not row["done"]]
    return failed or [f"All {len(rows)} parts were made." if len(rows) > 1 else f"{safe(rows[0]['part'])} was made."]


def headline(result: Result) -> Headline:
    """Only what failed is worth the first screen."""
    failed = [row for row in rows_of(result["parts"]) if not row["done"]]
    if not failed:
        return Headline()
    parts = join([safe(row["part"]) for row in failed])
    text = f"Nothing is known about what {parts} would have shown: {_failure(failed[0])}"
    return Headline(concerns=(Concern(0.6, "Parts that failed", text),))


def _failure(row: dict[str, Any]) -> str:
    return f"{safe(row['part'])} could not be made: {safe(row['problem']).rstrip('.')}."
