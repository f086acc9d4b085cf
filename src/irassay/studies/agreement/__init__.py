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
        "rank-biased overlap; a conservative 95% interval on tau, the hull of the percentile interval over samples of "
        "the topics (the same ones for both measures) and of its reflection; and the verdicts of the paired bootstrap "
        "test, with the share of the pairs resolved under both measures on which they agree."
    ),
    distrust=(
        "That tau differs from 0 says little: related measures always agree somewhat. Noise of the topics lowers tau, "
        "so its interval lies too low where many systems are close, and most where the measures would order them alike "
        "on all topics (docs/calibration.md)."
        " A high tau over many bad "
        "systems can hide disagreement at the top; tau_AP and rank-biased overlap look there. Verdicts are not "
        "corrected for how many comparisons there are."
    ),
    findings="irassay.studies.agreement.run:findings",
    cites=("sakai2007bootstrap", "yilmaz2008tauap", "webber2010rbo"),
    part=True,
)
