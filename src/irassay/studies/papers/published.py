"""Numbers that the papers print of collections that a user may have too, each with its table and page.

They are shown beside ours where the data are the paper's, which is recognised by what they are: topics, number of runs
and size of the corpus. Pages are those of the journal or the proceedings, where the text that we have names them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from irassay.studies.papers.record import PaperContext

Key = tuple[str, ...]
MATRIX = ("measure", "measure")  # a row's measure against a column's


def _is_trec8(context: PaperContext) -> bool:
    return _has_topics(context, 401, 450) and len(context.panel.systems) == 129


def _is_trec8_with_corpus(context: PaperContext) -> bool:
    return _is_trec8(context) and context.settings.corpus_size == 528_155


def _has_new_topics_of_robust_2003(context: PaperContext) -> bool:
    return _has_topics(context, 601, 650)


def _has_topics(context: PaperContext, first: int, last: int) -> bool:
    return set(context.panel.topics) == {str(topic) for topic in range(first, last + 1)}


@dataclass(frozen=True)
class Collection:
    """What a paper's numbers are of: how to recognise it, and what a reader must know of the paper's own runs."""

    name: str
    matches: Callable[[PaperContext], bool]
    caution: str = ""


NO_DATA = Collection("no data", lambda context: True)
TREC8 = Collection("TREC-8 ad hoc", _is_trec8)
TREC8_CORPUS = Collection("TREC-8 ad hoc", _is_trec8_with_corpus)
ROBUST03_TOPICS = Collection("TREC 2003 robust, topics 601-650", _has_new_topics_of_robust_2003)
ROBUST03 = Collection(
    "TREC 2003 robust, topics 601-650",
    _has_new_topics_of_robust_2003,
    "The paper's numbers are of 16 and 30 runs drawn at random from 78, and of its own draws of judgments: other runs "
    "differ",
)


@dataclass(frozen=True)
class Printed:
    """The printed numbers of one of our tables: by column, and by what the row has in the columns `key`."""

    paper: str
    table: str
    collection: Collection
    source: str
    key: Key
    values: Mapping[str, Mapping[Any, float]]


def _columns(names: str, rows: Mapping[Any, tuple[float, ...]], scale: float = 1.0) -> dict[str, dict[Any, float]]:
    """Rows as a paper prints them, by column; per cent with a scale of 0.01."""
    return {
        name: {key: values[n] if scale == 1.0 else round(values[n] * scale, 6) for key, values in rows.items()}
        for n, name in enumerate(names.split())
    }


_YANG = _columns(
    "krcc share_asl_below_alpha estimated_difference",
    {"bst": (0.8509, 0.1783, 0.4135), "kde": (0.8121, 0.1756, 0.4111)},
)
_DEVIATIONS = {
    "AP": (0.046, 0.035),
    "INSQ@5": (0.078, 0.035),
    "nDCG": (0.045, 0.028),
    "P@10": (0.144, 0.056),
    "RBP@0.95": (0.057, 0.024),
    "RR": (0.201, 0.145),
}


def _power(pairs: int, rows: Mapping[str, tuple[int, float]]) -> dict[str, dict[Any, float]]:
    """Power and estimated difference; the paper prints significant pairs, and their share to a tenth of a per cent."""
    names = "discriminative_power estimated_difference"
    return _columns(names, {name: (round(significant / pairs, 3), d) for name, (significant, d) in rows.items()})


# Table 6 (a): each row's correlations with the measures after it
_TAU = {
    "AP": (0.931, 0.857, 0.706, 0.848, 0.922, 0.982, 0.931, 0.867),
    "Q": (0.844, 0.655, 0.807, 0.871, 0.949, 0.991, 0.853),
    "nDCG": (0.775, 0.853, 0.844, 0.857, 0.844, 0.991),
    "RBP.8": (0.821, 0.747, 0.697, 0.655, 0.775),
    "RBP.95": (0.899, 0.839, 0.798, 0.853),
    "bpref_R": (0.913, 0.862, 0.844),
    "AP'": (0.949, 0.867),
    "Q'": (0.853,),
}
_MEASURES = (*_TAU, "nDCG'")

PUBLISHED = (
    Printed("yang2018variance", "T1", TREC8, "Table 1, p. 1184", ("model",), _YANG),
    Printed("yang2018variance", "T1_readings", TREC8, "Table 1, p. 1184", ("model",), _YANG),
    Printed(
        "zobel2020corpus", "T1", TREC8_CORPUS, "Table 1", ("corpus_size",),
        _columns("systems_given topics judged_share", {"528155": (129, 50, 0.124)}),
    ),
    Printed(
        "zobel2020corpus", "T2", TREC8_CORPUS, "Table 2", ("measure",),
        _columns(
            "below inside above",
            {
                "AP": (1.8, 96.3, 1.9), "INSQ@5": (2.7, 94.4, 2.9), "nDCG": (2.4, 95.1, 2.5), "P@10": (2.1, 95.1, 2.7),
                "RBP@0.95": (1.4, 96.9, 1.7), "RR": (2.5, 94.3, 3.2),
            },
            scale=0.01,
        ),
    ),
    Printed("zobel2020corpus", "T3", TREC8_CORPUS, "Table 3", ("measure",), _columns("mean_sd sd_sd", _DEVIATIONS)),
    Printed(
        "zobel2020corpus", "T3_insq", TREC8_CORPUS, "Table 3", ("measure",),
        _columns("mean_sd sd_sd", dict.fromkeys(("INSQ@5", "INSQ@5, ranks from 0"), _DEVIATIONS["INSQ@5"])),
    ),
    Printed(
        "zobel2020corpus", "T4", TREC8_CORPUS, "Table 4", ("measure", "number"),
        _columns(
            "mean_sd sd_sd",
            {
                ("AP", "#2"): (0.06, 0.04), ("INSQ@5", "#2"): (0.08, 0.03), ("nDCG", "#2"): (0.06, 0.03),
                ("P@10", "#2"): (0.12, 0.06), ("RBP@0.95", "#2"): (0.07, 0.02), ("RR", "#2"): (0.10, 0.12),
            },
        ),
    ),
    Printed(
        "sakai2008incomplete", "T1", NO_DATA, "Table 1, p. 453", ("R",),
        _columns(
            "RBP.5 RBP.8 RBP.95",
            {
                "1": (0.5, 0.2, 0.05), "10": (0.9990, 0.8926, 0.4013), "100": (1.0, 1.0, 0.9941),
                "1000": (1.0, 1.0, 1.0),
            },
        ),
    ),
    Printed(
        "sakai2008incomplete", "T2", ROBUST03_TOPICS, "Table 2, p. 455", ("what",),
        {
            "value": {
                "topics": 50, "pool depth": 125, "documents in the corpus": 529_000,
                "N (judged nonrelevant), mean": 925.5, "N (judged nonrelevant), least": 292,
                "N (judged nonrelevant), most": 2050, "R (relevant), mean": 33.2, "R (relevant), least": 4,
                "R (relevant), most": 115, "grade 2 (S-relevant), mean": 8.1, "grade 1 (B-relevant), mean": 25.0,
                "teams": 16, "runs": 78, "runs used for discriminative power": 16,
                "runs used for rank correlation": 30,
            }
        },
    ),
    Printed(
        "sakai2008incomplete", "T3", ROBUST03, "Table 3 (a), p. 459", ("measure",),
        _power(
            120,
            {
                "Q": (80, 0.07), "Q'": (77, 0.07), "AP": (77, 0.07), "AP'": (77, 0.09), "nDCG": (71, 0.08),
                "nDCG'": (71, 0.08), "bpref_R": (69, 0.08), "RBP.8": (57, 0.08), "RBP.95": (55, 0.04),
                "RBP.5": (45, 0.12),
            },
        ),
    ),
    Printed(
        "sakai2008incomplete", "T4", ROBUST03, "Table 4 (a), p. 462", ("measure",),
        _power(
            120,
            {
                "AP'": (63, 0.14), "Q'": (61, 0.13), "nDCG'": (60, 0.14), "bpref_R": (47, 0.16), "Q": (32, 0.09),
                "nDCG": (29, 0.09), "RBP.95": (26, 0.01), "AP": (13, 0.08), "RBP.8": (6, 0.03),
            },
        ),
    ),
    Printed(
        "sakai2008incomplete", "T5", ROBUST03, "Table 5 (a), p. 463", ("measure",),
        _columns(
            "share",
            {
                "AP": (0.15,), "Q": (0.06,), "nDCG": (0.0,), "RBP.8": (0.0,), "RBP.95": (0.04,), "bpref_R": (0.15,),
                "AP'": (0.05,), "Q'": (0.08,), "nDCG'": (0.08,),
            },
        ),
    ),
    Printed(
        "sakai2008incomplete", "T6", ROBUST03, "Table 6 (a), p. 464", MATRIX,
        {
            column: {row: taus[_MEASURES.index(column) - k - 1] for k, (row, taus) in enumerate(_TAU.items())
                     if k < _MEASURES.index(column)}
            for column in _MEASURES[1:]
        },
    ),
)  # fmt: skip
