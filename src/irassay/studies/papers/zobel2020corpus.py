"""Zobel & Rashidi 2020, Corpus Bootstrapping for Assessment of the Properties of Effectiveness Measures."""

from itertools import product
from typing import Any

import numpy as np

from irassay.ask.spread import mean_and_sd
from irassay.errors import InputError
from irassay.result import Mark, Result
from irassay.studies.corpus.settings import PRESET, Corpus
from irassay.studies.papers.record import Item, Make, Paper, PaperContext, Part
from irassay.studies.papers.reshape import copied, figure_of, rows, select, table
from irassay.studies.tables import Rows, grouped

IMAGES = 100  # 99 and the one that they predict
TOP, FEW = 50, 25  # systems, and those of Figures 3-5
BEST = "RBP(p=0.95,rel=1)@1000"  # by which systems are numbered
TYPICAL = (2, 5, 6, 7)  # Table 4's systems of four collections
ONE = 3  # Figure 2's
DEPTHS = "10,25"


def _corpus(context: PaperContext, top: int, **settings: Any) -> Result:
    return context.run(
        Corpus,
        measures=(PRESET,),
        images=context.settings.images or IMAGES,
        top=context.settings.top or top,
        by=BEST,
        corpus_size=context.settings.corpus_size,
        gains=None,
        **settings,
    )


def _many(context: PaperContext) -> Result:
    return _corpus(context, TOP)


def _few(context: PaperContext) -> Result:
    """The same bootstrap corpora with fewer systems, ranked among themselves, and the best two on shallow pools."""
    pair = tuple(context.settings.pair) or tuple(name for name, _ in context.ranked(BEST)[:2])
    return _corpus(context, FEW, pair=pair, pool_depths=DEPTHS)


def _systems(context: PaperContext, *numbers: int) -> list[str]:
    """The systems that the user wants to see, or the n-th best by RBP, as far as there are so many, or the best."""
    best = [name for name, _ in context.ranked(BEST)[: context.top]]
    return list(context.settings.show) or [best[n - 1] for n in numbers if n <= len(best)] or best[:1]


def _interval(context: PaperContext, number: str) -> Part:
    images = context.settings.images or IMAGES
    if images < 3:
        raise InputError(f"{images} images predict nothing", hint="the paper has 100: give --images 100")
    return copied(_many, "interval")(context, number)


def _one_system(context: PaperContext, number: str) -> Part:
    system = _systems(context, ONE)[0]
    if system not in _many(context)["topics"]["system"]:
        raise InputError(f"{system} is not among the systems compared", hint="--show takes one of them")
    return copied(
        _many,
        "topics",
        "topic_scores",
        where={"system": system},
        caption=f"System {system}",
        digits=dict.fromkeys(("root_score", "mean", "sd", "q25", "q50", "q75"), 3),
        redraw={
            "where": {},
            "caption": f"{system}: median and quartiles over images, topic by topic",
            "alt": f"Quartiles of the scores of {system} on each topic, one small figure per measure",
        },
    )(context, number)


def _typical(context: PaperContext, number: str) -> Part:
    """Typical systems as the paper numbers them, or those that the user wants to see."""
    topics = _many(context)["topics"]
    sds = grouped(rows(topics), "measure", "system")
    spreads: Rows = []
    for measure, name in product(dict.fromkeys(topics["measure"]), _systems(context, *TYPICAL)):
        if (measure, name) not in sds:
            raise InputError(f"{name} is not among the systems compared", hint="--show takes some of them")
        mean, sd = mean_and_sd(np.array([row["sd"] for row in sds[measure, name]]))
        spreads.append({"measure": measure, "system": name, "mean_sd": mean, "sd_sd": sd})
    caption = "Deviation over images of a system's score on a topic: mean and sd over topics"
    return Part((table(number, spreads, caption, {"mean_sd": 3, "sd_sd": 3}),))


def _by_system(source: str, figure: str) -> Make:
    """A figure of all systems, and the columns of its table that it draws."""

    def make(context: PaperContext, number: str) -> Part:
        result = _few(context)
        if figure not in {drawing.name for drawing in result.figures}:
            raise InputError("there is one system only", hint="ranks need at least two")
        names = ["measure", "system", *figure_of(result, figure).columns()]
        columns = dict.fromkeys(name for name in names if name in result[source].columns)
        return copied(_few, source, figure, change=lambda all_rows: select(all_rows, *columns))(context, number)

    return make


def _pooled(pools: Rows) -> Rows:
    """The measures that the paper shows on shallow pools."""
    return [row for row in pools if row["measure"] in ("AP", BEST)]


def _pools(context: PaperContext, number: str) -> Part:
    corpus = _pooled(rows(_few(context)["pools"], {"image": 0, "depth": "full"}))
    marks = tuple(
        mark
        for row in corpus
        for mark in (
            Mark("x", row["mean_difference"], "the corpus itself", row["measure"]),
            Mark("y", row["p_value"], "", row["measure"]),
        )
    )
    return copied(_few, "pools", "pools", change=_pooled, redraw={"marks": marks})(context, number)


PAPER = Paper(
    "zobel2020corpus",
    "J. Zobel, L. Rashidi. Corpus bootstrapping for assessment of the properties of effectiveness measures. CIKM 2020.",
    "100 images, the top 50 systems by RBP (25 in F3-F5), which are numbered by it: T4 shows #2, #5, #6 and "
    "#7, F2 #3 (`--show`), F6 and F7 the best two (`--pair`), on AP and RBP. Give `--corpus-size`.",
    (
        Item("T1", "the data", "corpus", copied(_many, "data")),
        Item(
            "T2",
            "triples whose last image falls below, in and above the 95% interval of the others",
            "corpus",
            _interval,
        ),
        Item(
            "F1",
            "95th percentile over systems of the deviation on each topic",
            "corpus",
            copied(
                _many,
                "topic_sd",
                "topic_sd",
                change=lambda topics: [row for row in topics if row["measure"] != "RR"],
                caption="RR is left out, as in the paper: its values are far larger",
                digits={"sd_p95": 3},
            ),
        ),
        Item("T3", "deviation of differences between systems on a topic", "corpus", copied(_many, "triples")),
        Item("F2", "distribution of scores on each topic for one system", "corpus", _one_system),
        Item("T4", "deviation of scores on a topic for typical systems", "corpus", _typical),
        Item("F3", "quartiles of mean scores", "corpus", _by_system("systems", "system_scores")),
        Item("F4", "deviation of mean scores", "corpus", _by_system("systems", "system_sd")),
        Item("F5", "variation in ranks", "corpus", _by_system("ranks", "system_ranks")),
        Item("F6", "p-value against mean difference of two systems, by pool depth", "corpus", _pools),
        Item(
            "F7",
            "differences of two systems on each topic, by pool depth",
            "corpus",
            copied(_few, "pool_spread", "pool_topics", change=_pooled),
        ),
    ),
    top=TOP,
)
