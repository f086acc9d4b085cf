"""`irassay design`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="design",
    order=40,
    help="How many topics a difference needs, and how well scores generalise.",
    settings="irassay.studies.design.settings:Design",
    run="irassay.studies.design.run:run",
    question="How many topics would it take?",
    how=(
        "The variance of per-topic differences comes from the scores at hand. From it follow the topics that a t test "
        "or an analysis of variance needs to find the smallest difference that matters, and that an interval needs to "
        "be narrow enough. Generalisability coefficients come from a two-way analysis of variance."
    ),
    distrust=(
        "It assumes that new topics vary like those at hand, and that differences are about normal. The systems at "
        "hand are taken for a random sample of systems."
    ),
    findings="irassay.studies.design.run:findings",
    cites=("sakai2016topic",),
    details=("design_curve", "d_study"),
    paste="design",
    execution="Saved",
    section=166,
)
