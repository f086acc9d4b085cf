"""`irassay check`: describes the data, and potential problems."""

from dataclasses import dataclass

from irassay.settings import Inputs, option


@dataclass(frozen=True, kw_only=True)
class Check(Inputs):
    """Describe judgments and runs, and list potential problems.

    QRELS are relevance judgments; RUN is a run file, a directory of them, or a glob. Five tables: the collection,
    the judgments, the systems, how far ties move the scores, and the problems, each with its file and line.

    \b
    Examples:
      irassay check qrels.txt runs/ --pool-depth 100 --groups groups.txt
    """

    duplicates: str = "first"  # no option here: every repetition is listed among the problems
    measures: tuple[str, ...] = option(
        ("AP P@10",),
        "show with these measures how far the order of tied documents moves the scores",
        flag="-m",
        many=True,
        metavar="LIST",
    )
    corpus_size: int | None = option(
        None, "documents in the corpus: can it hold all that are retrieved or judged?", low=1, metavar="D"
    )
    pool_depth: int | None = option(
        None,
        "depth of the pool: look for unjudged documents in the first K ranks [default: as the judgments show it]",
        low=1,
        metavar="K",
    )
    groups: str | None = option(
        None, "which group each system is from: lines of 'system group'", metavar="FILE", path=True
    )
