"""`irassay paper`: everything a paper shows, from a user's own data, under the paper's numbers."""

from dataclasses import dataclass

from irassay.settings import ROWS, SAMPLES, Inputs, option

AS_PAPER = "[default: the paper's]"


@dataclass(frozen=True, kw_only=True)
class PaperStudy(Inputs):
    """Everything that a paper shows, from your data: each table and figure under the paper's own number.

    KEY is one of those that `irassay paper --list` shows. Measures, gains, depth and sizes are the paper's. Tables and
    figures that the data cannot give are named with the reason; all others are made.

    \b
    irassay paper --list
    irassay paper --check yang2018variance
    irassay paper sakai2007bootstrap qrels.txt runs/ --out bootstrap
    irassay paper zobel2020corpus qrels.txt runs/ --corpus-size 528155 --out corpus
    irassay paper sakai2007one irassay.toml --out one
    """

    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    groups: str | None = option(
        None, "the team of each system, for one run per team: lines of 'system group'", metavar="FILE", path=True
    )
    corpus_size: int | None = option(None, "documents in the corpus", low=1, metavar="D")
    pool_depth: int | None = option(None, "depth of the pool, for the table of the data", low=1, metavar="K")
    depth: int | None = option(1000, "cut lists at this rank", low=1, metavar="K")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )
    top: int | None = option(None, f"how many systems it takes {AS_PAPER}", low=2, metavar="N")
    resamples: int | None = option(None, f"samples of topics or of lists {AS_PAPER}", low=1, metavar="B", **SAMPLES)
    images: int | None = option(None, f"bootstrap corpora {AS_PAPER}", low=1, metavar="N", **SAMPLES)
    trials: int = option(1, "independent reductions of the judgments; several are averaged", low=1, metavar="N", **ROWS)
    pair: tuple[str, ...] = option(
        (),
        f"the pair of systems that some figures show: twice, one system each {AS_PAPER}",
        many=True,
        metavar="SYSTEM",
    )
    show: tuple[str, ...] = option(
        (), f"systems that tables and figures of one system show {AS_PAPER}", many=True, metavar="SYSTEM"
    )
