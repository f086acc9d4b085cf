"""`irassay compare`."""

from typing import Any

from irassay.studies.registry import Study

COMPARED = 20  # systems whose pairs somebody can still look at: all of them are in `power`


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: without a baseline only the best systems, because all pairs are compared."""
    chosen = {name: value for name, value in options.items() if name != "groups"}
    return chosen | ({"top": COMPARED} if not options["baseline"] and systems > COMPARED else {})


STUDY = Study(
    name="compare",
    order=30,
    help="Compare systems: differences with intervals, tests, effect sizes; a table for a paper.",
    settings="irassay.studies.compare.settings:Compare",
    run="irassay.studies.compare.run:run",
    question="Is the difference between these systems real?",
    how="Paired tests on per-topic scores, corrected for how many comparisons there are where the tables say so.",
    distrust=(
        "A test answers for topics like these. A significant difference can be too small to matter, and a missing one "
        "may only want more topics."
    ),
    findings="irassay.studies.compare.verdict:findings",
    headline="irassay.studies.compare.headline:headline",
    details=("pairs", "topic_differences", "anova", "group_differences"),
    view="irassay.studies.compare.view:view",
    paste="comparison",
    layouts="irassay.studies.compare.paper_table:layouts",
    section=6,
    part=True,
    part_options=part_options,
)
