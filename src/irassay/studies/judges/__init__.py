"""`irassay judges`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="judges",
    order=95,
    help="Which conclusions survive other judgments, by people or by language models.",
    settings="irassay.studies.judges.settings:Judges",
    run="irassay.studies.judges.run:run",
    question="Would other judges have led to the same conclusions?",
    how=(
        "Labels are compared on the documents that the reference and a judge both labelled: agreement, Cohen's kappa, "
        "Krippendorff's ordinal alpha, precision and recall of each grade. Intervals leave out one topic after the "
        "other (jackknife, Student's t), so they are about topics like these, judged by the same judges. "
        "Systems are scored by both on these common documents only (label_effect); what the documents add that only "
        "one of them labelled stands apart (coverage_effect). Agreement of the orders of systems stands beside its "
        "ceiling, the reference's order on samples of the topics against its own on all. Verdicts are paired t-tests. "
        "Favouritism is a group's mean shift less that of the other systems with equal reference scores, with an "
        "interval over topics and a permutation of teams, and for documents that only one group ranks high the odds of "
        "being judged relevant, given reference grade and topic (Mantel and Haenszel, clustered by topic)."
    ),
    distrust=(
        "The reference is taken for the truth: what both get wrong does not show. The common documents are those that "
        "were pooled and labelled; a system that finds others is judged on what is left. Low kappa need not change an "
        "order of systems, and high kappa need not keep it: errors that favour one group matter, errors that all "
        "systems share do not. A group can be favoured because the reference treats it badly. Agreement on one "
        "collection says nothing about another one or about another version of the model."
    ),
    findings="irassay.studies.judges.findings:findings",
    cites=(
        "cohen1960coefficient",
        "cohen1968weighted",
        "krippendorff2019content",
        "gwet2008computing",
        "efron1981jackknife",
        "mantel1959statistical",
        "yilmaz2008tauap",
        "webber2010rbo",
    ),
    details=("confusion", "systems", "pairs", "ranks"),
    view="irassay.studies.judges.view:view",
    advice="irassay.studies.judges.findings:taken_for",
    data="judgments",
    execution="Saved",
)
