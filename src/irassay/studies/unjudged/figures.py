"""Figures of `irassay unjudged`."""

from irassay.result import Figure, Mark

FIGURES = (
    Figure(
        "draws",
        "intervals",
        "bounds",
        x="system",
        y="expected",
        low="expected_low",
        high="expected_high",
        facet="measure",
        labels={"y": "score"},
        caption="Scores had the unjudged documents been judged: mean and 95% of the draws",
        alt="An interval of scores over draws of the missing judgments for each system, by measure",
    ),
    Figure(
        "calibration",
        "curve",
        "calibration",
        x="probability",
        y="relevant_share",
        series="check",
        labels={"x": "probability of relevance", "y": "share that is relevant"},
        caption="Probabilities of judged documents whose judgments were hidden, and what became of them",
        alt="Curves of the share of relevant documents over their probability, near the diagonal",
        marks=(Mark("diagonal", 0.0, "as predicted"),),
    ),
)
