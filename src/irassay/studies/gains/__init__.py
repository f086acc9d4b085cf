"""`irassay gains`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="gains",
    order=100,
    help="What other gains do to graded measures.",
    settings="irassay.studies.gains.settings:Gains",
    run="irassay.studies.gains.run:run",
    question="Does the choice of gains matter?",
    how=(
        "Every measure was computed with every gain scheme; tau compares the ranking of systems with that of the "
        "first scheme, and the paired bootstrap test gives the discriminative power, per comparison, not "
        "corrected."
    ),
    distrust=(
        "Schemes that differ by a factor only change nothing in measures that normalise. Where few documents have the "
        "higher grades, no scheme can matter much."
    ),
    findings="irassay.studies.gains.run:findings",
    cites=("sakai2007one",),
)
