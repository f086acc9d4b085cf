"""`irassay swap`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="swap",
    order=70,
    help="How large a difference must be so that samples of these topics rarely reverse the order.",
    settings="irassay.studies.swap.settings:Swap",
    run="irassay.studies.swap.run:run",
    question="How large must a difference be so that samples of these topics rarely reverse the order of two systems?",
    how=(
        "Two independent sets of topic samples; a swap is a pair of systems in the opposite order. Comparisons are "
        "put into bins by their difference in the first set; the required difference is the lower edge of the "
        "smallest bin from which on no bin has a higher swap rate than allowed."
    ),
    distrust=(
        "Samples with replacement from the same topics overlap and so swap less than truly new topics would. With "
        "disjoint halves the answer holds for half as many topics. A bin with few comparisons can decide the answer; "
        "look at the counts."
    ),
    findings="irassay.studies.swap.run:findings",
    cites=("sakai2007bootstrap", "voorhees2002error"),
    details=("swap_bins",),
    part=True,
)
