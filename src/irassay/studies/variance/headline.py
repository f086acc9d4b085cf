"""What `variance` says on the first screen: which systems have scores that it cannot use."""

from irassay.result import Concern, Headline, Result
from irassay.studies.concerns import SCORES_FROM_RANKS
from irassay.studies.phrases import rows_of, safe


def headline(result: Result) -> Headline:
    return Headline(concerns=tuple(_unusable(result)))


def _unusable(result: Result) -> list[Concern]:
    """Systems to whose scores no density can be fitted."""
    rows = rows_of(result["unusable"]) if "unusable" in result else []
    names = list(dict.fromkeys(row["system"] for row in rows))
    if not names:
        return []
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    text = f"No density can be fitted to the scores of {safe(names[0])}{more}: {safe(rows[0]['reason']).rstrip('.')}."
    return [Concern(0.2, SCORES_FROM_RANKS, text)]
