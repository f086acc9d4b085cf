"""What other pools do, in sentences: first whether a system that comes later would be treated fairly."""

from math import comb
from statistics import median

from irassay.result import Result
from irassay.studies.phrases import FEWEST_PAIRS, extremes, rows_of, safe, too_few_pairs


def findings(result: Result) -> list[str]:
    """Who is left out first: whether a system that comes later would be treated fairly."""
    provenance = result.provenance
    sentences = [*_left_out(result), *_shallowest(result)]
    if "pool_depth" in provenance:
        sentences.append(f"Pool depth {provenance['pool_depth']}, {provenance['pool_depth_origin']}.")
    return sentences


def _left_out(result: Result) -> list[str]:
    """What changes for a system when its own contributions are not judged."""
    rows = rows_of(result["left_out"])
    worst = max(rows, key=lambda row: abs(row["change"]))
    whose = "a system" if all(row["left_out"] == row["system"] for row in rows) else "a system's group"
    if worst["change"] == 0:
        return [f"Had {whose} not contributed to the pool, its score would be the same."]
    changes = [abs(row["rank_after"] - row["rank_before"]) for row in rows]
    changed = sum(1 for change in changes if change)
    ranks = "1 rank" if max(changes) == 1 else f"{max(changes):,} ranks"
    typical = median(abs(row["change"]) for row in rows)
    by = f"by {typical:.3f}" if typical >= 0.0005 else "by less than 0.001"
    return [
        f"Had {whose} not contributed to the pool, its score would differ {by} in the median case and by "
        f"{abs(worst['change']):.3f} at worst ({safe(worst['system'])}, {safe(worst['measure'])}).",
        f"Its rank would change in {changed:,} of {len(rows):,} cases, by up to {ranks}."
        if changed
        else "No rank would change.",
    ]


def _shallowest(result: Result) -> list[str]:
    """How much of the ranking the shallowest pool keeps."""
    shallow = [row for row in rows_of(result["summary"]) if row["pool"] != "full"]
    pairs = comb(len(set(result["pools"]["system"])), 2)
    if not shallow:
        return []
    if pairs < FEWEST_PAIRS:
        return [too_few_pairs(pairs)]
    pool = shallow[0]["pool"]
    best, worst, _ = ends = extremes([row for row in shallow if row["pool"] == pool], lambda row: float(row["tau"]))
    if worst is None:
        return [
            f"With a pool of {safe(pool)} the ranking agrees with that of the full pool at a tau of {best['tau']:.2f} "
            f"by {ends.by}."
        ]
    return [
        f"With a pool of {safe(pool)} {ends.by} keeps the ranking of the full pool best (tau {best['tau']:.2f}) and "
        f"{safe(worst['measure'])} worst (tau {worst['tau']:.2f}).{ends.table('summary')}"
    ]
