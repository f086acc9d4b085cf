"""`irassay study`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="study",
    order=170,
    help="Many studies at once, and one report of them.",
    settings="irassay.studies.study.settings:FullStudy",
    run="irassay.studies.study.run:run_full_study",
    question="Was every part made?",
    how="Several studies were run on the same judgments and runs with the same seed; each section below is one.",
    distrust=(
        "Sizes are small so that it is quick; run a study alone for more. A part that failed is named above; nothing "
        "is known about its question."
    ),
    findings="irassay.studies.study.findings:findings",
    headline="irassay.studies.study.findings:headline",
    data="runs",
    call="irassay.studies.study.run:run_from_python",
    returns="FullStudyResults",
    section=900,  # what was done and what failed comes after what was found
)
