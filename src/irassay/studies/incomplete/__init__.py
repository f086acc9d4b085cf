"""`irassay incomplete`."""

from typing import Any

from irassay.studies.registry import Study


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: power on one system of each group, where groups are known."""
    return {**options, "one_per_group": options["groups"] is not None}


STUDY = Study(
    name="incomplete",
    order=120,
    help="What fewer judgments do to measures.",
    settings="irassay.studies.incomplete.settings:Incomplete",
    run="irassay.studies.incomplete.run:run",
    question="What do fewer judgments do to measures?",
    how=(
        "At each rate a random part of every topic's judgments remains, relevant and nonrelevant ones apart, smaller "
        "sets inside larger ones. Scores, discriminative power and the ranking of systems are then compared with "
        "those on all judgments."
    ),
    distrust=(
        "Judgments are removed at random, which pooling never does: shallow pools lose the documents that few systems "
        "found. One reduction says little; use several trials. All judgments stand for the truth here, though they "
        "are incomplete themselves."
    ),
    findings="irassay.studies.incomplete.findings:findings",
    cites=("sakai2008incomplete",),
    details=("agreement", "statistics", "systems", "groups"),
    data="runs",
    part=True,
    part_options=part_options,
)
