"""How good the probabilities of `irassay unjudged` are, on judgments that were hidden: tables of what was learned."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.ask.logistic import brier, calibration
from irassay.ask.pairs import Array
from irassay.headers import Header
from irassay.result import Table
from irassay.studies.tables import columns
from irassay.vary.relevance import FEATURES, Evidence, Model

EDGES = np.array([0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
COARSE, FEW_DOCUMENTS = np.array([0.0, 0.05, 0.2, 0.5, 0.8, 1.0]), 1000  # bins of so few documents
TOPICS, DEEPER, LED = "topics left out", "deeper documents", "a group's own documents"


def learned(model: Model, groups: Sequence[str], *, with_groups: bool) -> list[Table]:
    """How good the learned probabilities are on judgments that were hidden, and what they are made of."""
    hidden = {TOPICS: (model.left_out, model.relevant), DEEPER: model.hidden_chances(model.deeper)}
    hidden[LED] = model.hidden_chances(model.led)
    hidden = {name: part for name, part in hidden.items() if len(part[0]) and len(np.unique(part[1])) == 2}
    deviation = {DEEPER: model.topic_deviation, LED: model.alone_deviation}
    rows = [_check(name, *part, deviation.get(name)) for name, part in hidden.items()]
    bins = [
        {
            "check": name,
            "low": bin.low,
            "high": bin.high,
            "documents": bin.rows,
            "probability": bin.chance,
            "relevant_share": bin.share,
        }
        for name, part in hidden.items()
        for bin in calibration(*part, EDGES if len(part[0]) >= FEW_DOCUMENTS else COARSE)
    ]
    upper = int(np.sqrt(model.pool_depth))
    caption = (
        f"Probabilities of judged documents whose judgments were hidden. {TOPICS}: learned on other topics; {DEEPER}: "
        f"those below rank {upper}, learned from the ones above it (documents down to rank {model.pool_depth} teach); "
        f"{LED}: those that one group alone ranks high, learned from the others. brier_of_share: had all had the "
        "share of relevant ones; deviation: of log odds, over topics or groups, which the draws have too"
    )
    listed = [
        Table("checks", columns(rows), caption, {"expected": 0, "brier": 4, "brier_of_share": 4, "deviation": 2}),
        Table(
            "calibration",
            columns(bins),
            "Calibration: documents by their probability, and how many of them are relevant",
            {"probability": 3, "relevant_share": 3},
            headers={
                "probability": Header(
                    "mean probability", "probability", "Mean probability of the documents of the bin"
                ),
                "relevant_share": Header("share relevant", "relevant", "Share of the documents that is relevant"),
            },
        ),
        Table(
            "coefficients",
            {"term": ("constant", *FEATURES), "coefficient": model.fit.raw},
            "Log odds of relevance. Relevant nearby: log odds of the share of relevant ones among the judged documents "
            "within 5 ranks, shrunk towards the topic's share",
            {"coefficient": 3},
        ),
    ]
    if with_groups and LED in hidden:
        listed.append(_groups(model.evidence, model.led, hidden[LED], groups))
    return listed


def _check(name: str, chance: Array, relevant: NDArray[np.bool_], deviation: float | None) -> dict[str, Any]:
    share = float(relevant.mean())
    return {
        "check": name,
        "documents": len(chance),
        "relevant": int(relevant.sum()),
        "expected": float(chance.sum()),
        "brier": brier(chance, relevant),
        "brier_of_share": share * (1 - share),
        "deviation": deviation,
    }


def _groups(
    evidence: Evidence, led: NDArray[np.bool_], part: tuple[Array, NDArray[np.bool_]], groups: Sequence[str]
) -> Table:
    """Each group's own documents: how many are relevant, and how many were expected."""
    leader = evidence.leader[led]
    chance, relevant = part
    rows = [
        {
            "group": name,
            "documents": int((leader == g).sum()),
            "relevant": int(relevant[leader == g].sum()),
            "expected": float(chance[leader == g].sum()),
        }
        for g, name in enumerate(groups)
        if (leader == g).any()
    ]
    caption = "Judged documents that one group alone ranks high: relevant ones, and how many the others lead to expect"
    return Table("groups", columns(rows), caption, {"expected": 1})
