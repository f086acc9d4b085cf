"""`irassay check`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="check",
    order=20,
    help="Describe judgments and runs, and list potential problems.",
    settings="irassay.studies.check.settings:Check",
    question="What is in the data, and what are potential problems?",
    how="Judgments and runs were read, aligned and counted; nothing was estimated.",
    distrust="Nothing here says whether the judgments are right, only what they are.",
    findings="irassay.studies.check.findings:findings",
    view="irassay.studies.check.describe:view",
    data="runs",
    execution="Threads",
    part=True,
    part_options="irassay.studies.check.settings:part_options",
)
