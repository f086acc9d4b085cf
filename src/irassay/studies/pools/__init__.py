"""`irassay pools`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="pools",
    order=130,
    section=118,
    help="What shallow pools do, and pools that a system did not contribute to.",
    settings="irassay.studies.pools.settings:Pools",
    run="irassay.studies.pools.run:run",
    question="What do shallow pools do, and would a system that never contributed be treated fairly?",
    how=(
        "Judgments are restricted to the first k documents of the contributing runs; and for each system (or group) "
        "the documents that it alone put into the pool become unjudged. Scores, ranks and verdicts are compared "
        "before and after. How deep the runs were pooled is given, or inferred from the judgments: the rank that many "
        "runs share as the last one down to which (nearly) all of their documents are judged; where none shows, it is "
        "taken to be 100."
    ),
    distrust=(
        "A system that is left out still has relatives in the pool: a truly new kind of system can lose more. "
        "Judgments that no contributing list explains stay."
    ),
    findings="irassay.studies.pools.findings:findings",
    cites=("zobel1998reliable",),
    details=("pools", "left_out"),
    view="irassay.studies.pools.view:view",
    data="runs",
    part=True,
)
