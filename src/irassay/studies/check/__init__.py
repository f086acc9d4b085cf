"""`irassay check`."""

from typing import Any

from irassay.studies.registry import Study


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: problems show in any measure, and topics without relevant documents are problems."""
    return {name: value for name, value in options.items() if name not in ("measures", "unanswerable")}


STUDY = Study(
    name="check",
    order=20,
    help="Describe judgments and runs, and list potential problems.",
    settings="irassay.studies.check.settings:Check",
    run="irassay.studies.check.run:run",
    question="What is in the data, and what are potential problems?",
    how="Judgments and runs were read, aligned and counted; nothing was estimated.",
    distrust="Nothing here says whether the judgments are right, only what they are.",
    findings="irassay.studies.check.findings:findings",
    headline="irassay.studies.check.headline:headline",
    view="irassay.studies.check.run:view",
    data="runs",
    execution="Threads",
    part=True,
    part_options=part_options,
)
