"""What `variance` says on the first screen: which systems it could not take."""

from irassay.result import Concern, Headline, Result
from irassay.studies.concerns import SCORES_FROM_RANKS, bounded
from irassay.studies.phrases import rows_of, safe


def headline(result: Result) -> Headline:
    return Headline(concerns=tuple(_left_out(result)))


def _left_out(result: Result) -> list[Concern]:
    """Systems whose retrieval scores give nothing to simulate from."""
    rows = rows_of(result["unusable"]) if "unusable" in result else []
    names = list(dict.fromkeys(row["system"] for row in rows))
    if not names:
        return []
    which = f"Of {len(names)} systems, such as {safe(names[0])}," if len(names) > 1 else f"Of {safe(names[0])}"
    text = f"{which} scores cannot be simulated as those of others: {safe(rows[0]['reason']).rstrip('.')}."
    return [Concern(bounded(0.2 + 0.02 * len(names)), SCORES_FROM_RANKS, text)]
