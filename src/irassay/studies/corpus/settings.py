"""`irassay corpus`: how sure a score is when the corpus could have been another (zobel2020corpus)."""

import re
from dataclasses import dataclass

from irassay.choices import PREDICTION_INTERVALS, check_choice
from irassay.errors import InputError
from irassay.settings import SAMPLES, Selection, depths, option

PRESET = "AP INSQ(T=5,rel=1) nDCG(rel=1)@1000 P@10 RBP(p=0.95,rel=1)@1000 RR"  # of the paper


@dataclass(frozen=True, kw_only=True)
class Corpus(Selection):
    """Other corpora: the spread of scores and ranks over bootstrap corpora, drawn document by document.

    A bootstrap corpus, here also called image, has the size of the corpus and is drawn from it with replacement: in
    every list a document stands as often as the image holds it, or not at all. All systems, topics and measures see the
    same images. This is spread over images, not confidence: copies stand next to each other, and the mean over images
    differs from the score itself (bias). The images depend on the documents in all runs, so adding a run changes them.

    \b
    irassay corpus qrels.txt runs/ --corpus-size 528155 --images 1000 --out corpus
    irassay corpus qrels.txt runs/ --corpus-size 528155 --pair A --pair B --pool-depths 10,25
    """

    measures: tuple[str, ...] = option((PRESET,), "measures", flag="-m", many=True, metavar="LIST")
    corpus_size: int | None = option(
        None,
        "documents in the corpus [default: those seen in runs and judgments, a lower bound with which images vary "
        "about as much]",
        low=1,
        metavar="D",
    )
    images: int = option(1000, "bootstrap corpora", low=1, metavar="N", **SAMPLES)
    depth: int | None = option(
        1000, "cut runs and their images at this rank, before condensed lists are made", low=1, metavar="K"
    )
    interval: tuple[str, ...] = option(
        ("normal",),
        "how the last image is predicted from the others, difference by difference: 'normal', 'prediction' (Student's) "
        "or 'percentile'; may be repeated",
        many=True,
        metavar="KIND",
    )
    also_topics: bool = option(False, "draw samples of these topics as well, and topics and corpora at once")
    pair: tuple[str, ...] = option(
        (), "compare two systems on shallow pools of their own: --pair X --pair Y", many=True, metavar="SYSTEM"
    )
    all_pairs: bool = option(False, "compare all pairs of systems on shallow pools of their own, pair by pair")
    pool_depths: str = option("10,25", "depths of a pair's own pools", metavar="LIST")
    show: tuple[str, ...] = option(
        (), "systems that tables and figures of one system show [default: the best]", many=True, metavar="SYSTEM"
    )
    memory: str = option("1G", "memory for scores; past it quantiles come from fine histograms", metavar="SIZE")

    @property
    def memory_limit(self) -> int:
        """The memory in bytes."""
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) *([kmgt]?)(?:i?b)?", str(self.memory).strip().lower())
        size = int(float(match[1]) * 1024 ** " kmgt".index(match[2] or " ")) if match else 0
        if size < 1:
            raise InputError(f"memory is {self.memory!r}", hint="write 500M or 4G")
        return size

    @property
    def depths(self) -> tuple[int, ...]:
        return depths(self.pool_depths, "pool-depths", "write 10,25: whole numbers from 1")

    @property
    def intervals(self) -> tuple[str, ...]:
        kinds = (self.interval,) if isinstance(self.interval, str) else tuple(self.interval)
        for kind in kinds:
            check_choice("interval", kind, PREDICTION_INTERVALS)
        return kinds

    @property
    def systems_shown(self) -> tuple[str, ...]:
        return (self.show,) if isinstance(self.show, str) else tuple(self.show)

    @property
    def systems_paired(self) -> tuple[str, ...]:
        return (self.pair,) if isinstance(self.pair, str) else tuple(self.pair)
