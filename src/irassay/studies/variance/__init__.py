"""`irassay variance`."""

from typing import Any

from irassay.studies.registry import Study


def part_options(options: dict[str, Any], systems: int) -> dict[str, Any]:
    """Of `irassay study`: the first measure only, because every list is simulated for each."""
    from irassay.measures import parse

    chosen = {name: value for name, value in options.items() if name != "groups"}
    return {**chosen, "measures": (str(parse(options["measures"])[0]),)}


STUDY = Study(
    name="variance",
    order=150,
    help="How much a topic's own variance moves a comparison: score simulation.",
    settings="irassay.studies.variance.settings:Variance",
    run="irassay.studies.variance.run:run",
    question="Would the comparison survive other scores of the same retrieval functions?",
    how=(
        "For every system and topic new lists are simulated from the scores of its relevant and nonrelevant "
        "documents, resampled (BST) or from a kernel density (KDE). Every system and topic is simulated "
        "independently, so these replicates are not paired across systems. What is drawn depends on the seed and on "
        "the names of system and topic: under another name a system has other draws."
    ),
    distrust=(
        "Independent simulation makes differences noisier than in reality, where systems share topics and documents. "
        "The ASL of this method counts rejections: large means different. Its estimated difference is not centred and "
        "follows the largest difference between systems. Densities fitted to scores made from ranks say nothing."
    ),
    findings="irassay.studies.variance.run:findings",
    headline="irassay.studies.variance.headline:headline",
    cites=("yang2018variance",),
    details=("stability", "ranks", "spread", "topics", "error_bars", "pairs", "short_lists"),
    data="runs",
    part=True,
    part_options=part_options,
)
