"""Zobel & Rashidi 2020, Corpus Bootstrapping for Assessment of the Properties of Effectiveness Measures."""

from __future__ import annotations

from typing import Any

import numpy as np

from irassay.ask.spread import mean_and_sd
from irassay.errors import InputError
from irassay.result import Figure, Mark, Result
from irassay.studies.corpus.settings import PRESET, Corpus
from irassay.studies.papers.record import Item, Paper, Part, Step
from irassay.studies.papers.reshape import Rows, drawn, kept, redrawn, rows, table
from irassay.studies.papers.run import Workbench

IMAGES = 100  # 99 and the one that they predict
TOP, FEW = 50, 25  # systems, and those of Figures 3-5
BEST = "RBP(p=0.95,rel=1)@1000"  # by which systems are numbered
TYPICAL = (2, 5, 6, 7)  # Table 4's systems of four collections
ONE = 3  # Figure 2's
POOLED = ("AP", BEST)
DEPTHS = "10,25"


def _corpus(bench: Workbench, top: int, **more: Any) -> Result:
    return bench.run(
        Corpus, measures=(PRESET,), images=bench.settings.images or IMAGES, top=bench.settings.top or top, by=BEST,
        corpus_size=bench.settings.corpus_size, gains=None, **more,
    )  # fmt: skip


def _many(bench: Workbench) -> Result:
    return _corpus(bench, TOP)


def _few(bench: Workbench) -> Result:
    """The best systems again, ranked among themselves, and the best two on shallow pools; the same images."""
    pair = tuple(bench.settings.pair) or tuple(name for name, _ in bench.ranked(BEST)[:2])
    return _corpus(bench, FEW, pair=pair, pool_depths=DEPTHS)


def _numbered(bench: Workbench, number: int) -> str | None:
    """System #n: the n-th best by RBP; nothing where there are fewer."""
    best = bench.ranked(BEST)[: bench.settings.top or TOP]
    return best[number - 1][0] if number <= len(best) else None


def _copied(number: str, source: str) -> Step:
    def make(bench: Workbench) -> Part:
        found = _many(bench)[source]
        return Part((table(number, rows(found), found.caption, found.digits),))

    return Step((number,), "corpus", make)


def _interval(bench: Workbench) -> Part:
    images = bench.settings.images or IMAGES
    if images < 3:
        raise InputError(f"{images} images predict nothing", hint="the paper has 100: give --images 100")
    found = _many(bench)["interval"]
    return Part((table("T2", rows(found), found.caption, found.digits),))


def _topic_sd(bench: Workbench) -> Part:
    found = _many(bench)
    made = [row for row in rows(found["topic_sd"]) if row["measure"] != "RR"]
    figure = redrawn(drawn(found.figures, "topic_sd"), "F1", "F1")
    return Part(
        (table("F1", made, "RR is left out, as in the paper: its values are far larger", {"sd_p95": 3}),), (figure,)
    )


def _one_system(bench: Workbench) -> Part:
    found = _many(bench)
    shown = bench.settings.show[0] if bench.settings.show else _numbered(bench, ONE) or _numbered(bench, 1)
    made = rows(found["topics"], {"system": shown})
    if not made:
        raise InputError(f"{shown} is not among the systems compared", hint="--show takes one of them")
    figure = redrawn(
        drawn(found.figures, "topic_scores"), "F2", "F2", where={},
        caption=f"{shown}: median and quartiles over images, topic by topic",
        alt=f"Quartiles of the scores of {shown} on each topic, one small figure per measure",
    )  # fmt: skip
    digits = dict.fromkeys(("root_score", "mean", "sd", "q25", "q50", "q75"), 3)
    return Part((table("F2", made, f"System {shown}", digits),), (figure,))


def _typical(bench: Workbench) -> Part:
    """Typical systems as the paper numbers them, or those that the user wants to see."""
    found = _many(bench)
    asked = list(bench.settings.show) or [name for n in TYPICAL if (name := _numbered(bench, n))]
    asked = asked or [str(_numbered(bench, 1))]
    sds: dict[tuple[str, str], list[float]] = {}
    for row in rows(found["topics"]):
        sds.setdefault((row["measure"], row["system"]), []).append(row["sd"])
    made: Rows = []
    for measure in dict.fromkeys(measure for measure, _ in sds):
        for name in asked:
            if (measure, name) not in sds:
                raise InputError(f"{name} is not among the systems compared", hint="--show takes some of them")
            mean, sd = mean_and_sd(np.array(sds[measure, name]))
            made.append({"measure": measure, "system": name, "mean_sd": mean, "sd_sd": sd})
    caption = "Deviation over images of a system's score on a topic: mean and sd over topics"
    return Part((table("T4", made, caption, {"mean_sd": 3, "sd_sd": 3}),))


def _systems(number: str, figure: str, source: str) -> Step:
    def make(bench: Workbench) -> Part:
        found = _few(bench)
        shown = next((one for one in found.figures if one.name == figure), None)
        if shown is None:
            raise InputError("there is one system only", hint="ranks need at least two")
        columns = [column for column in shown.columns() if column in found[source].columns]
        names = dict.fromkeys(("measure", "system", *columns))
        made = table(number, kept(rows(found[source]), *names), found[source].caption, found[source].digits)
        return Part((made,), (redrawn(shown, number, number),))

    return Step((number,), "corpus", make)


def _pools(bench: Workbench) -> Part:
    found = _few(bench)
    made = [row for row in rows(found["pools"]) if row["measure"] in POOLED]
    marks = []
    for row in made:
        if row["image"] == 0 and row["depth"] == "full":
            marks.append(Mark("x", row["mean_difference"], "the corpus itself", row["measure"]))
            marks.append(Mark("y", row["p_value"], "", row["measure"]))
    figure = redrawn(drawn(found.figures, "pools"), "F6", "F6", marks=tuple(marks))
    source = found["pools"]
    return Part((table("F6", made, source.caption, source.digits),), (figure,))


def _pool_topics(bench: Workbench) -> Part:
    found = _few(bench)
    made = [row for row in rows(found["pool_spread"]) if row["measure"] in POOLED]
    figure: Figure = redrawn(drawn(found.figures, "pool_topics"), "F7", "F7")
    return Part((table("F7", made, found["pool_spread"].caption),), (figure,))


PAPER = Paper(
    "zobel2020corpus",
    "J. Zobel, L. Rashidi. Corpus bootstrapping for assessment of the properties of effectiveness measures. CIKM 2020.",
    (
        Item("T1", "the data"),
        Item("T2", "triples whose last image falls below, in and above the 95% interval of the others"),
        Item("F1", "95th percentile over systems of the deviation on each topic"),
        Item("T3", "deviation of differences between systems on a topic"),
        Item("F2", "distribution of scores on each topic for one system"),
        Item("T4", "deviation of scores on a topic for typical systems"),
        Item("F3", "quartiles of mean scores"),
        Item("F4", "deviation of mean scores"),
        Item("F5", "variation in ranks"),
        Item("F6", "p-value against mean difference of two systems, by pool depth"),
        Item("F7", "differences of two systems on each topic, by pool depth"),
    ),
    (
        _copied("T1", "data"),
        Step(("T2",), "corpus", _interval),
        Step(("F1",), "corpus", _topic_sd),
        _copied("T3", "triples"),
        Step(("F2",), "corpus", _one_system),
        Step(("T4",), "corpus", _typical),
        _systems("F3", "system_scores", "systems"),
        _systems("F4", "system_sd", "systems"),
        _systems("F5", "system_ranks", "ranks"),
        Step(("F6",), "corpus", _pools),
        Step(("F7",), "corpus", _pool_topics),
    ),
)
