"""`irassay compare`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="compare",
    order=30,
    help="Compare systems: differences with intervals, tests, effect sizes; a table for a paper.",
    settings="irassay.studies.compare.settings:Compare",
    question="Is the difference between these systems real?",
    how="Paired tests on per-topic scores, corrected for how many comparisons there are where the tables say so.",
    distrust=(
        "A test answers for topics like these. A significant difference can be too small to matter, and a missing one "
        "may only want more topics."
    ),
    findings="irassay.studies.compare.findings:findings",
    details=("pairs", "topic_differences"),
    view="irassay.studies.compare.view:view",
    paste="comparison",
    section=165,
    part=True,
    part_options="irassay.studies.compare.settings:part_options",
)
