"""`irassay score`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="score",
    order=10,
    help="Score runs with any measures.",
    settings="irassay.studies.score.settings:Score",
    run="irassay.studies.score.run:run",
    question="What does every system score?",
    how=(
        "Every list was scored against the judgments; a system's score is the mean over topics unless the measure "
        "says otherwise."
    ),
    distrust=(
        "A score without its interval says little: `irassay compare` has them. Unjudged documents count as "
        "nonrelevant unless the measure says otherwise."
    ),
    findings="irassay.studies.score.run:findings",
    paste="scores",
    layouts="irassay.studies.score.run:layouts",
    data="runs",
    execution="Threads",
)
