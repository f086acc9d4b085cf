"""`irassay preferred-ranks`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="preferred-ranks",
    order=110,
    help="How far down the first document of the highest level stands.",
    settings="irassay.studies.preferred_ranks.settings:PreferredRanks",
    run="irassay.studies.preferred_ranks.run:run",
    question="How far down the list must a user go who wants one document of the highest level?",
    how=(
        "For each topic the largest preferred rank over runs, which is the rank of the first document of the highest "
        "level that a run retrieves, and how many documents of each level stand at or above it."
    ),
    distrust="It is a maximum over runs: one bad run sets it.",
    findings="irassay.studies.preferred_ranks.run:findings",
    cites=("sakai2007one",),
    data="runs",
    execution="Saved",
)
