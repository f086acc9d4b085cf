"""`irassay power`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="power",
    order=60,
    help="Which measures can tell systems apart: bootstrap tests of all pairs.",
    settings="irassay.studies.power.settings:Power",
    run="irassay.studies.power.run:run",
    question="Which measures can tell systems apart, and from what difference on?",
    how=(
        "For every pair of systems and every measure a bootstrap test: the per-topic differences are centred, topics "
        "are drawn with replacement, and the achieved significance level (ASL) is the share of samples whose |t*| is "
        "at least the observed |t|. Discriminative power is the share of pairs with ASL below alpha. The estimated "
        "difference of a pair is the mean difference of the sample at rank ceil(B · alpha); the table has the largest "
        "over pairs, the median and the 95th percentile."
    ),
    distrust=(
        "Levels are per comparison and not corrected for how many comparisons there are. A powerful measure is not "
        "therefore a valid one: it may tell systems apart by the wrong thing. The topics are taken for a sample of "
        "those that matter; with fewer than about 20 the test is rough. Pairs share systems, so their verdicts are "
        "not independent. The estimated difference is a maximum and grows with the number of pairs."
    ),
    findings="irassay.studies.power.run:findings",
    headline="irassay.studies.power.headline:headline",
    cites=("sakai2007bootstrap",),
    details=("pairs", "best_pairs", "asl_curves", "system_means", "power_bars", "histogram"),
    paste="power",
    part=True,
)
