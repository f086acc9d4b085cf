"""Zobel & Rashidi 2020, Corpus Bootstrapping for Assessment of the Properties of Effectiveness Measures."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from irassay.ask.spread import mean_and_sd
from irassay.errors import InputError
from irassay.result import Mark, Result
from irassay.studies.corpus.settings import PRESET, Corpus
from irassay.studies.papers.record import Item, Make, Paper, PaperContext, Part
from irassay.studies.papers.reshape import copied, figure_of, rows, select, table
from irassay.studies.tables import Row, Rows, grouped

IMAGES = 100  # 99 and the one that they predict
TOP, FEW = 50, 25  # systems, and those of Figures 3-5
BEST = "RBP(p=0.95,rel=1)@1000"  # by which systems are numbered
TYPICAL = (2, 5, 6, 7)  # Table 4's systems of four collections
ONE = 3  # Figure 2's
DEPTHS = "10,25"
NAMES = {
    "AP": "AP",
    "INSQ(T=5,rel=1)": "INSQ@5",
    "INSQ(T=5,first=1,rel=1)": "INSQ@5",
    "INSQ(T=5,first=0,rel=1)": "INSQ@5, ranks from 0",
    "nDCG(rel=1)@1000": "nDCG",
    "P@10": "P@10",
    BEST: "RBP@0.95",
    "RR": "RR",
}
INSQ, PRINTED_INSQ = "INSQ(T=5,rel=1)", "INSQ(T=5,first=0,rel=1)"


def _corpus(context: PaperContext, top: int, measures: tuple[str, ...] = (PRESET,), **settings: Any) -> Result:
    return context.run(
        Corpus,
        measures=measures,
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


def _all_pairs(context: PaperContext) -> Result:
    """Every pair of the systems of Figures 3-5 on shallow pools, in the measures of Figure 6."""
    return _corpus(context, FEW, (f"AP {BEST}",), all_pairs=True, pool_depths=DEPTHS)


def _numbers(context: PaperContext) -> dict[str, str]:
    """The systems as the paper calls them: #1 is the best by RBP."""
    return {name: f"#{number}" for number, (name, _) in enumerate(context.ranked(BEST), 1)}


def _systems(context: PaperContext, *numbers: int) -> list[str]:
    """The systems that the user wants to see, or the n-th best by RBP, as far as there are so many, or the best."""
    best = list(_numbers(context))[: context.top]
    return list(context.settings.show) or [best[n - 1] for n in numbers if n <= len(best)] or best[:1]


def _interval(context: PaperContext, number: str) -> Part:
    images = context.settings.images or IMAGES
    if images < 3:
        raise InputError(f"{images} images predict nothing", hint="the paper has 100: give --images 100")
    return copied(_many, "interval")(context, number)


def _deviations(context: PaperContext, number: str) -> Part:
    """95th percentiles, and the skewness of the deviations, of which the paper speaks without a table."""
    tables, figures = copied(
        _many,
        "topic_sd",
        "topic_sd",
        change=lambda topics: [row for row in topics if row["measure"] != "RR"],
        caption="RR is left out, as in the paper: its values are far larger",
        digits={"sd_p95": 3},
    )(context, number)
    skewness = _many(context)["sd_skewness"]
    return Part(
        (*tables, replace(skewness, name=f"{number}_skewness", caption=f"{number}: {skewness.caption}")), figures
    )


def _triples(context: PaperContext, number: str) -> Part:
    """With INSQ as printed, and whether corpus intervals that are apart imply a significant t-test."""
    (tables, _), result = copied(_many, "triples")(context, number), _many(context)
    insq = table(
        f"{number}_insq",
        rows(_corpus(context, TOP, (f"{INSQ} {PRINTED_INSQ}",))["triples"]),
        f"{number}: INSQ by its definition, and with ranks counted from 0 in the weights and from 1 in what they are "
        "divided by. The numbers that the paper prints are near the second; this is a conjecture, as the paper prints "
        "no formula",
        {"mean_sd": 3, "sd_sd": 3},
    )
    apart = [
        replace(one, name=f"{number}_apart", caption=f"{number}: {one.caption}")
        for one in result.tables
        if one.name == "apart"
    ]
    return Part((*tables, insq, *apart))


def _one_system(context: PaperContext, number: str) -> Part:
    system = _systems(context, ONE)[0]
    if system not in _many(context)["topics"]["system"]:
        raise InputError(f"{system} is not among the systems compared", hint="--show takes one of them")
    label = f"System {_numbers(context)[system]} ({system})"
    return copied(
        lambda context: _corpus(context, TOP, show=(system,)),
        "topic_scores",
        "topic_scores",
        caption=label,
        redraw={
            "where": {},
            "caption": f"{label}: quartiles over images, topic by topic, and 95% of them between the whiskers",
            "alt": f"Boxes of the scores of {system} on each topic, one small figure per measure",
        },
    )(context, number)


def _typical(context: PaperContext, number: str) -> Part:
    """Typical systems as the paper numbers them, or those that the user wants to see."""
    topics, numbers = _many(context)["topics"], _numbers(context)
    sds = grouped(rows(topics), "measure", "system")
    spreads: Rows = []
    for measure, name in product(dict.fromkeys(topics["measure"]), _systems(context, *TYPICAL)):
        if (measure, name) not in sds:
            raise InputError(f"{name} is not among the systems compared", hint="--show takes some of them")
        mean, sd = mean_and_sd(np.array([row["sd"] for row in sds[measure, name]]))
        spreads.append({"measure": measure, "number": numbers[name], "system": name, "mean_sd": mean, "sd_sd": sd})
    caption = "Deviation over images of a system's score on a topic: mean and sd over topics; numbers are places by RBP"
    return Part((table(number, spreads, caption, {"mean_sd": 3, "sd_sd": 3}),))


def _by_system(source: str, figure: str) -> Make:
    """A figure of all systems in the order of their numbers, and the columns of its table that it draws."""

    def make(context: PaperContext, number: str) -> Part:
        result, numbers = _few(context), _numbers(context)
        if figure not in {drawing.name for drawing in result.figures}:
            raise InputError("there is one system only", hint="ranks need at least two")
        drawn = [name for name in figure_of(result, figure).columns() if name in result[source].columns]
        names = list(dict.fromkeys(["measure", "number", "system", *drawn]))

        def change(all_rows: Rows) -> Rows:
            place = list(numbers)
            measures = list(dict.fromkeys(row["measure"] for row in all_rows))
            ordered = sorted(all_rows, key=lambda row: (measures.index(row["measure"]), place.index(row["system"])))
            return select(({**row, "number": numbers[row["system"]]} for row in ordered), *names)

        labels = {**figure_of(result, figure).labels, "x": "system, by RBP"}
        return copied(_few, source, figure, change=change, redraw={"x": "number", "labels": labels})(context, number)

    return make


def _pooled(pools: Rows) -> Rows:
    """The measures that the paper shows on shallow pools."""
    return [row for row in pools if row["measure"] in ("AP", BEST)]


def _pools(context: PaperContext, number: str) -> Part:
    """A small figure for each measure and depth, and the same over all pairs of systems."""
    corpus = _pooled(rows(_few(context)["pools"], {"image": 0, "depth": "full"}))
    depths = list(dict.fromkeys(_few(context)["pools"]["depth"]))

    def panel(row: Row, depth: str) -> str:
        return f"{context.name(row['measure'])}, {'all judgments' if depth == 'full' else f'depth {depth}'}"

    def change(pools: Rows) -> Rows:
        panels = [{"panel": panel(row, row["depth"]), **row} for row in _pooled(pools)]
        return [row for same in grouped(panels, "panel").values() for row in same]

    marks = tuple(
        mark
        for row in corpus
        for depth in depths
        for mark in (
            Mark("x", row["mean_difference"], "", panel(row, depth)),
            Mark("y", row["p_value"], "", panel(row, depth)),
        )
    )
    redraw = {
        "marks": marks,
        "facet": "panel",
        "series": None,
        "where": {},
        "labels": {"x": "mean difference", "y": "p-value"},
        "caption": "A point for each image; lines: the corpus itself with all judgments",
        "alt": "Points of p-value and mean difference, a small figure for each measure and depth of the pool",
    }
    tables, figures = copied(_few, "pools", "pools", change=change, redraw=redraw)(context, number)
    pairs = [
        replace(one, name=f"{number}_all_pairs", caption=f"{number}, not only for the best two. {one.caption}")
        for one in _all_pairs(context).tables
        if one.name == "all_pairs_summary"
    ]
    return Part((*tables, *pairs), figures)


PAPER = Paper(
    "zobel2020corpus",
    "J. Zobel, L. Rashidi. Corpus bootstrapping for assessment of the properties of effectiveness measures. CIKM 2020.",
    "100 images, the top 50 systems by RBP (25 in F3-F5), which are numbered by it: T4 shows #2, #5, #6 and #7, F2 #3 "
    "(`--show`), F6 and F7 the best two (`--pair`), on AP and RBP. Give `--corpus-size`. Beyond the paper: "
    "`F1_skewness`, `T3_insq` (`INSQ(T=5,first=0,rel=1)` beside the definition), `T3_apart`, and `F6_all_pairs`: every "
    "pair of 25 systems, which takes a minute on TREC-8.",
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
            _deviations,
        ),
        Item(
            "T3",
            "deviation of differences between systems on a topic",
            "corpus",
            _triples,
            deviates="INSQ is that of its definition, and the printed numbers are near another form (T3_insq)",
        ),
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
    names=NAMES,
)
