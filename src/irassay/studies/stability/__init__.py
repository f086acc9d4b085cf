"""`irassay stability`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="stability",
    order=80,
    help="How often samples of these topics put two systems in the other order.",
    settings="irassay.studies.stability.settings:Stability",
    run="irassay.studies.stability.run:run",
    question="How often do samples of these topics put two systems in the other order?",
    how=(
        "For every pair of systems, sample of topics and fuzziness f: one leads, the other does, or they are within f "
        "times the better score. The minority rate counts samples against the majority, the proportion of ties the "
        "undecided."
    ),
    distrust=(
        "Both rates must be read together: a large fuzziness lowers the minority rate by leaving more undecided. The "
        "rates are over all pairs, easy ones included; more bad systems make any measure look stable."
    ),
    findings="irassay.studies.stability.run:findings",
    view="irassay.studies.stability.view:view",
    cites=("buckley2000evaluating", "sakai2007bootstrap"),
    part=True,
)
