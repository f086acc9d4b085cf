"""`irassay corpus`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="corpus",
    order=140,
    help="How sure scores and ranks are when the corpus could have been another.",
    settings="irassay.studies.corpus.settings:Corpus",
    run="irassay.studies.corpus.run:run",
    question="How much of a score is due to the particular documents in the corpus?",
    how=(
        "Each bootstrap corpus (image) draws as many documents as the corpus has, with replacement; all systems and "
        "topics share it. Documents of a run are repeated as often as they were drawn, or drop out; relevant ones are "
        "counted again. Differences between systems are paired over bootstrap corpora."
    ),
    distrust=(
        "Copies of a document are no new documents: bootstrap corpora show the sensitivity to single documents, not "
        "what another crawl would hold. Documents below the depth of a run cannot rise into it. Adding a run changes "
        "the bootstrap corpora."
    ),
    findings="irassay.studies.corpus.run:findings",
    cites=("zobel2020corpus",),
    details=("ranks", "topic_sd", "topics", "topic_scores", "pools", "pool_topics", "pool_spread", "all_pairs"),
    view="irassay.studies.corpus.view:view",
    data="runs",
    part=True,
)
