"""`irassay study`: many studies at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.ask.methods import CORRECTIONS
from irassay.settings import DIGITS_HELP, SAMPLES, Inputs, check_digits, option
from irassay.studies import registry


@dataclass(frozen=True, kw_only=True)
class FullStudy(Inputs):
    """Many studies at once, from what is in the data to which systems differ, and one report of them all.

    Sizes are such that a laptop has it in a minute or two; each study alone has all its options. A part that these data
    cannot give is reported, and the rest still delivered.

    \b
    irassay study qrels.txt runs/ --out results --groups groups.txt --corpus-size 528155
    irassay study irassay.toml --out results
    """

    measures: tuple[str, ...] = option(
        ("AP nDCG@10 Q RBP(p=0.95) RR",),
        "measures; `variance` takes the first one",
        flag="-m",
        many=True,
        metavar="LIST",
    )
    only: str | None = option(
        None, f"only these parts, such as power,swap [default: {', '.join(registry.parts())}]", metavar="LIST"
    )
    title: str | None = option(
        None, "what the report calls the data [default: the name of the collection, or of its files]", metavar="TEXT"
    )
    details: int = option(
        20,
        "a reader of the report can look into the topics and the first 20 documents of the N best systems; 0: of none",
        low=0,
        metavar="N",
    )
    groups: str | None = option(
        None,
        "which group each system is from, for one system per group: lines of 'system group'",
        metavar="FILE",
        path=True,
    )
    corpus_size: int | None = option(None, "documents in the corpus", low=1, metavar="D")
    pool_depth: int | None = option(
        None, "depth to which runs were pooled [default: as the judgments show it]", low=1, metavar="K"
    )
    resamples: int = option(1000, "samples of topics", low=1, metavar="B", **SAMPLES)
    rates: str = option("50,10", "per cent of the judgments that remain in `incomplete`", metavar="LIST")
    images: int = option(100, "bootstrap corpora", low=1, metavar="N", **SAMPLES)
    samples: int = option(200, "simulated lists of each system and topic in `variance`", low=1, metavar="B", **SAMPLES)
    baseline: str | Sequence[str] | None = option(
        None, "the system that `compare` compares all others with; may be repeated", many=True, metavar="SYSTEM"
    )
    correction: str | None = option(
        None, "for the number of comparisons in `compare` [default: holm]", choices=tuple(CORRECTIONS)
    )
    topic_groups: str | None = option(
        None, "groups of topics, for `compare`: lines of 'topic group'", metavar="FILE", path=True
    )
    topic_families: str | None = option(
        None, "topics that depend on each other, for `compare`: lines of 'topic family'", metavar="FILE", path=True
    )
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")
    unanswerable: str = option(
        "drop", "topics without a relevant document: score 0, or drop them", choices=("zero", "drop")
    )
    digits: int | None = option(None, DIGITS_HELP, low=0, metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_digits(self.digits)
