"""`irassay agreement`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="agreement",
    order=90,
    help="Whether measures rank systems alike, and whether their verdicts agree.",
    settings="irassay.studies.agreement.settings:Agreement",
    run="irassay.studies.agreement.run:run",
    question="Do measures rank systems alike, and do their verdicts agree?",
    how=(
        "Kendall's tau (tied pairs count neither way) with its test, tau_b, tau_AP with measure_a as reference, and "
        "rank-biased overlap; a 95% interval on tau over samples of the topics, the same ones for both measures; and "
        "the verdicts of the paired bootstrap test."
    ),
    distrust=(
        "That tau differs from 0 says little: related measures always agree somewhat. A high tau over many bad "
        "systems can hide disagreement at the top; tau_AP and rank-biased overlap look there. Verdicts are not "
        "corrected for how many comparisons there are."
    ),
    findings="irassay.studies.agreement.run:findings",
    cites=("sakai2007bootstrap", "yilmaz2008tauap", "webber2010rbo"),
    part=True,
)
