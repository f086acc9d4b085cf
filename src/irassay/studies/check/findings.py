"""The findings of `irassay check`: what the data are, and what in them could mislead, from the worst on."""

from irassay.result import Result
from irassay.studies.check.headline import concerns
from irassay.studies.phrases import join, rows_of

WORST = 3  # problems in sentences; the table has all
SEVERE = 0.15  # from which on a problem is worth a sentence


def findings(result: Result) -> list[str]:
    counts = {row["what"]: row["value"] for row in rows_of(result["collection"])}
    relevant = next(row for row in rows_of(result["judgments"]) if str(row["per_topic"]).startswith("R "))
    data = (
        f"{counts['runs']:,} runs on {counts['topics evaluated']:,} topics, with {relevant['mean']:.1f} relevant "
        f"documents a topic ({relevant['min']:,} to {relevant['max']:,})."
    )
    listed = concerns(result)
    if not listed:
        return [data, "No problem was found." if not len(result["problems"]) else "Only harmless problems were found."]
    worst = [one for one in listed if one.severity >= SEVERE][:WORST]
    named = {one.title for one in worst}
    rest = list(dict.fromkeys(one.title.lower() for one in listed if one.title not in named))
    more = [f"{'Also' if worst else 'Minor problems'}: {join(rest)}."] if rest else []
    return [data, *(one.text for one in worst), *more]
