"""`irassay shape`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="shape",
    order=160,
    help="What a measure rewards, without any data.",
    settings="irassay.studies.shape.settings:Shape",
    run="irassay.studies.shape.run:run",
    question="What does a measure reward?",
    how=(
        "No data: the score of a list with a single relevant document at each rank, for a given number R of relevant "
        "documents, and of lists that begin with all of them. Relevance is binary."
    ),
    distrust="The steepness of a curve is a property of the definition, not of what users want.",
    findings="irassay.studies.shape.run:findings",
    cites=("sakai2008incomplete",),
    data="none",
    execution="Saved",
)
