"""`irassay uncertainty`: how much of the result would change if something had been different."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.choices import JUDGED_VARIATIONS, LISTED_VARIATIONS, MODELS, QUESTIONS, VARIATIONS
from irassay.errors import InputError
from irassay.settings import SAMPLES, Measured, option

COMMON_QUESTIONS = QUESTIONS[:5]  # swap and stability need a second set of replicates: only on request


def names_in(
    value: str | Sequence[str] | None, what: str, known: tuple[str, ...], default: tuple[str, ...]
) -> tuple[str, ...]:
    """Names with commas between them, or in a sequence, without repetitions."""
    if value is None:
        return default
    text = value if isinstance(value, str) else ",".join(value)
    names = tuple(dict.fromkeys(text.replace(",", " ").split()))
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        wrong = f": there is no {unknown[0]!r}" if unknown else ""
        raise InputError(f"{what} is {text!r}{wrong}", hint=f"name some of {', '.join(known)}")
    return names


@dataclass(frozen=True, kw_only=True)
class Uncertainty(Measured):
    """The uncertainty budget: how far scores, differences, ranks and verdicts move under every source of variation.

    What varies: topics (samples of these topics), documents (bootstrap corpora), judgments (a part of them), unjudged
    (the missing judgments, drawn), pools (shallower ones), simulation (lists with scores like these), ties (the order
    of documents with equal scores), gains (other gain schemes), and with --judge also judges (the labels of another
    one) and labels (drawn again with a judge's errors). documents+topics, and so on, draws both in one replicate. What
    is asked: spread, ranks, order, reversals, verdicts; swap and stability with a second, independent set.

    \b
    irassay uncertainty qrels.txt runs/ -m "AP nDCG@10" --corpus-size 528155
    irassay uncertainty qrels.txt runs/ --vary topics,documents+topics --ask ranks,verdicts --out budget
    irassay uncertainty --scores scores.csv --size 25
    """

    groups_only_select = False  # groups are also left out of the pool
    vary: str | Sequence[str] | None = option(
        None,
        f"what varies: {', '.join(VARIATIONS)}, or one of them with topics, as documents+topics "
        "[default: all that the data allow]",
        metavar="LIST",
    )
    ask: str | Sequence[str] | None = option(
        None, f"what is asked: {', '.join(QUESTIONS)} [default: {', '.join(COMMON_QUESTIONS)}]", metavar="LIST"
    )
    replicates: int = option(1000, "replicates of each variation that is drawn", low=2, metavar="B", **SAMPLES)
    size: int | None = option(None, "topics: topics in a sample [default: as many as there are]", low=2, metavar="N")
    without_replacement: bool = option(False, "topics: draw without replacement; needs --size")
    halves: bool = option(False, "topics: half of the topics, without replacement")
    corpus_size: int | None = option(None, "documents: documents in the corpus", low=1, metavar="D")
    keep: int = option(50, "judgments: per cent of them that are kept", low=1, metavar="PERCENT")
    depths: str = option("5,10,20,50", "pools: depths of the pools", metavar="LIST")
    pool_depth: int | None = option(
        None,
        "pools: depth to which runs were pooled, to leave groups out [default: as the judgments show it, else 100]",
        low=1,
        metavar="K",
    )
    model: str = option("bst", "simulation: resample scores, or draw from fitted densities", choices=MODELS)
    schemes: str | None = option(
        None, "gains: gains of each grade, one {…} a scheme [default: binary, linear, exponential]", metavar="LIST"
    )
    judges: Sequence[str] = option(
        (),
        "judges, labels: judgments of one more judge; may be repeated",
        flag="--judge",
        many=True,
        metavar="QRELS",
        path=True,
    )
    probabilities: str | None = option(
        None,
        "unjudged: probabilities of relevance, lines of 'topic document probability' [default: learned from the "
        "judgments]",
        metavar="FILE",
        path=True,
    )
    judged_depth: int | None = option(
        None,
        "unjudged: rank down to which documents were judged because runs have them there [default: seen from the "
        "judgments]",
        low=1,
        metavar="K",
    )
    direction: str = option(
        "judge",
        "labels: draw what such a judge would say, given the reference, or what the reference would, given the judge",
        choices=("judge", "reference"),
    )
    errors: str = option(
        "topics",
        "labels: errors of whole topics, or of all labels as if they did not depend on each other",
        choices=("topics", "pooled"),
    )
    details: int = option(
        20,
        "keep the scores on each topic and the first 20 documents of the N best systems by the first measure, for a "
        "report to look into; 0: none",
        low=0,
        metavar="N",
    )
    export: str | None = option(
        None,
        "write every replicate's system means to this .csv or .parquet file",
        metavar="FILE",
        path=True,
        output=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.without_replacement and self.size is None and not self.halves:
            raise InputError("samples of all topics without replacement are all the same", hint="give --size N")
        if self.halves and self.size is not None:
            raise InputError(f"samples of {self.size} topics, and of half of them", hint="give --size or --halves")
        if self.export is not None and not self.export.endswith((".csv", ".parquet")):
            raise InputError(f"export is {self.export!r}", hint="name a file that ends in .csv or .parquet")

    @property
    def questions(self) -> tuple[str, ...]:
        return names_in(self.ask, "ask", QUESTIONS, COMMON_QUESTIONS)

    @property
    def variations(self) -> tuple[tuple[str, bool], ...]:
        """The names of the variations, and whether topics are drawn too."""
        listed = tuple(f"{name}+topics" for name in ("topics", *LISTED_VARIATIONS))
        both = tuple(f"{name}+topics" for name in VARIATIONS)
        usual = tuple(name for name in VARIATIONS if self.judges or name not in JUDGED_VARIATIONS)
        names = names_in(self.vary, "vary", (*VARIATIONS, *both), usual)
        if any("+" in name for name in names) and (self.size is not None or self.halves):
            raise InputError("--size and --halves are of topics alone", hint="leave out +topics, or take all topics")
        for name in names:
            if name in listed:
                raise InputError(
                    f"{name} cannot vary: only what is drawn, and is not topics, is drawn together with topics",
                    hint=f"take {', '.join(one for one in both if one not in listed)}",
                )
        return tuple((name.removesuffix("+topics"), "+" in name) for name in names)
