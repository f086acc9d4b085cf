"""What of `irassay stability` fits a screen: a few margins of each measure."""

from dataclasses import replace

from irassay.result import Result, Table
from irassay.studies.phrases import add_sentences, rows_of
from irassay.studies.tables import columns

MOST = 5  # margins that are all shown
SHOWN = (0.01, 0.05, 0.1, 0.2)  # of more


def view(result: Result, settings: object) -> list[Table]:
    """The rates at a few margins, from a small one to a large one."""
    table = result["stability"]
    rows = rows_of(table)
    margins = list(dict.fromkeys(row["fuzziness"] for row in rows))
    if len(margins) <= MOST:
        return [table]
    nearest = {min(margins, key=lambda margin: abs(margin - wanted)) for wanted in SHOWN}
    kept = columns([row for row in rows if row["fuzziness"] in nearest])
    part = f"Shown are {len(nearest)} of {len(margins)} margins."
    return [replace(table, columns=kept, caption=add_sentences(table.caption, [part]))]
