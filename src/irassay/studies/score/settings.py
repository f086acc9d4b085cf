"""`irassay score`: what every system scores."""

from dataclasses import dataclass

from irassay.settings import DIGITS_HELP, Inputs, option


@dataclass(frozen=True, kw_only=True)
class Score(Inputs):
    """Score runs: a number for every system and measure, or for every topic as well.

    QRELS are relevance judgments; RUN is a run file, a directory of them, or a glob. `irassay measures` lists what
    can be measured.

    \b
    Examples:
      irassay score qrels.txt runs/ -m "AP nDCG@10 RBP(p=0.95)"
      irassay score qrels.txt 'runs/*.gz' -m AP --per-topic --format csv -o scores.csv
    """

    measures: tuple[str, ...] = option(
        ("AP nDCG@10 P@10 RR",),
        "measures, separated by spaces; may be repeated",
        flag="-m",
        many=True,
        metavar="LIST",
    )
    per_topic: bool = option(False, "a row for every topic, instead of one over all topics")
    wide: bool = option(False, "a row for every topic and a column for every system")
    digits: int | None = option(None, DIGITS_HELP, low=0, metavar="N")
