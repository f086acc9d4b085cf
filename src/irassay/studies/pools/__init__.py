"""`irassay pools`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="pools",
    order=130,
    help="What shallow pools do, and pools that a system did not contribute to.",
    settings="irassay.studies.pools.settings:Pools",
    run="irassay.studies.pools.run:run",
    question="What do shallow pools do, and would a system that never contributed be treated fairly?",
    how=(
        "Judgments are restricted to the first k documents of the contributing runs; and for each system (or group) "
        "the documents that it alone put into the pool become unjudged. Scores, ranks and verdicts are compared "
        "before and after."
    ),
    distrust=(
        "A system that is left out still has relatives in the pool: a truly new kind of system can lose more. "
        "Judgments that no contributing list explains stay."
    ),
    findings="irassay.studies.pools.run:findings",
    cites=("zobel1998reliable",),
    details=("pools", "left_out"),
    view="irassay.studies.pools.view:view",
    data="runs",
)
