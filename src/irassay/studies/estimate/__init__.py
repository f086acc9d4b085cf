"""`irassay estimate`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="estimate",
    order=97,
    help="What few trusted and many cheap judgments say together: means and differences with their intervals.",
    settings="irassay.studies.estimate.settings:Estimate",
    run="irassay.studies.estimate.run:run",
    question="What would the trusted judge have said of all topics?",
    how=(
        "The estimate is about the mean score that the trusted judge would give on topics like these, all of them a "
        "sample. PPI is the mean by the cheap judge on the topics that only it judged, less its mean error on the "
        "topics that both judged. PPI++ counts the cheap judge with a weight λ from 0 (the trusted topics alone) to 1 "
        "(PPI). The λ of each topic comes from all others that both judged, so it is no better than on new topics. "
        "Intervals are Student's, with Welch's degrees of freedom. Differences of two systems are taken topic "
        "by topic and have a λ of their own. With --probabilities the trusted topics are weighted by one over the "
        "chance that each had to be among them."
    ),
    distrust=(
        "The topics of the trusted judge must be a random sample of all, or have known probabilities; topics chosen "
        "because they looked interesting bias every number here. On both kinds of topics it must be the same cheap "
        "judge (model, prompt and version), the same pool depth and the same runs. No prompt may have been tuned on "
        "the trusted topics: the cheap judge would err less there than elsewhere, and intervals would be too short. "
        "The trusted judge is taken for the truth. R, ideal lists and unjudged documents are each judge's own, so a "
        "measure can differ because one of them looked at fewer documents; grades must be on one scale, whose highest "
        "grade counts for both. With some ten trusted topics intervals of skewed scores hold the truth too seldom, "
        "those of the trusted topics alone too."
    ),
    findings="irassay.studies.estimate.findings:findings",
    cites=("angelopoulos2023prediction", "angelopoulos2023ppi", "oosterhuis2024reliable", "welch1947generalization"),
    details=("differences", "cheap", "parts"),
    view="irassay.studies.estimate.view:view",
    paste="estimates",
    data="runs",
    execution="Saved",
)
