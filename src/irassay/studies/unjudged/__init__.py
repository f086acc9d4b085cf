"""`irassay unjudged`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="unjudged",
    order=135,
    help="How much of a conclusion hangs on documents that nobody judged.",
    settings="irassay.studies.unjudged.settings:Unjudged",
    run="irassay.studies.unjudged.run:run",
    question="How much of this evaluation hangs on documents that nobody judged?",
    how=(
        "Bounds: scores and differences where the unjudged documents are relevant in whatever way is best or worst for "
        "them. They are exact for measures that depend on the list and its grades alone (P@k, RBP, RR and their like); "
        "in a difference a document counts once, wherever both lists have it. Where R or the ideal list matters (AP, "
        "nDCG, Q, recall) the smallest and largest of scenarios stand instead: nobody's unjudged documents are "
        "relevant, everybody's, or those of one system. Probabilities: logistic regression of relevance on the log of "
        "the best rank, the log of how many runs retrieve the document, the log of the sum of 1/(10 + rank) over these "
        "runs, how good these runs are (their share of relevant documents), and the share of relevant ones among the "
        "judged documents within 5 ranks, learned from the documents that were judged because they were pooled; of at "
        "least a higher grade likewise. Draws: every unjudged document has a grade by its probabilities. Documents of "
        "a topic share a normal shift of their log odds, so do those that one group ranks best, a larger one where no "
        "other group has them up to twice that rank; these deviations are measured on judgments hidden from the "
        "regression. To judge next: p(1-p) times the squared change of the differences, for the pair asked for or all "
        "pairs whose order more than 5% of the draws reverse."
    ),
    distrust=(
        "Probabilities come from documents that were judged: those of a new kind of system can be anything, and "
        "where a group alone found documents they can be far off (table groups). Documents that no run retrieves are "
        "not drawn, so R stays too small. Intervals are too narrow, most of all those of AP (docs/unjudged.md). "
        "Scenarios are no bounds. Judgments chosen by what they are worth are no "
        "random sample: scores on them are right, but nothing may be learned from them about unjudged documents. "
        "Condensed lists (AP') leave unjudged documents out, so their observed score can lie outside the bounds."
    ),
    findings="irassay.studies.unjudged.findings:findings",
    cites=(
        "moffat2008rbp",
        "carterette2006minimal",
        "carterette2007robust",
        "zobel1998reliable",
        "brier1950verification",
    ),
    details=("pairs", "judge_next", "coefficients", "groups"),
    view="irassay.studies.unjudged.view:view",
    data="runs",
)
