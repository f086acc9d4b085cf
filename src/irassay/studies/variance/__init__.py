"""`irassay variance`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="variance",
    order=150,
    help="How much a topic's own variance moves a comparison: score simulation.",
    settings="irassay.studies.variance.settings:Variance",
    question="Would the comparison survive other scores of the same retrieval functions?",
    how=(
        "For every system and topic new lists are simulated from the scores of its relevant and nonrelevant "
        "documents, resampled (BST) or from a kernel density (KDE). Every system and topic is simulated "
        "independently, so these replicates are not paired across systems."
    ),
    distrust=(
        "Independent simulation makes differences noisier than in reality, where systems share topics and documents. "
        "The ASL of this method counts rejections: large means different. Its estimated difference is not centred and "
        "follows the largest difference between systems. Scores made from ranks say nothing here."
    ),
    findings="irassay.studies.variance.findings:findings",
    cites=("yang2018variance",),
    details=("stability", "ranks", "spread", "topics", "error_bars", "pairs", "short_lists"),
    data="runs",
    part=True,
    part_options="irassay.studies.variance.settings:part_options",
)
