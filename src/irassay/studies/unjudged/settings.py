"""`irassay unjudged`: how much of a conclusion hangs on documents that nobody judged."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import Selection, option


@dataclass(frozen=True, kw_only=True)
class Unjudged(Selection):
    """Bounds, draws and priorities for the documents that runs retrieve and nobody judged.

    Scores and differences lie within bounds whatever these documents are. How likely each of them is relevant is
    learned from the judged documents, or given with --probabilities; draws by these probabilities say which verdicts
    depend on the missing judgments, and which document to judge next.

    \b
    irassay unjudged qrels.txt runs/ -m "P@10 RBP AP nDCG@10" --groups groups.txt
    irassay unjudged qrels.txt runs/ -m nDCG@10 --pair bm25 --pair mine --judge-next todo.txt
    """

    groups_only_select = False  # groups also share what is not known of their documents
    measures: tuple[str, ...] = option(
        ("P@10 RBP(p=0.8) AP nDCG@10",), 'measures, such as "P@10 RBP AP nDCG@10"', flag="-m", many=True, metavar="LIST"
    )
    replicates: int = option(1000, "draws of the missing judgments", low=2, metavar="B")
    probabilities: str | None = option(
        None,
        "probabilities of relevance, lines of 'topic document probability' [default: learned from the judgments]",
        metavar="FILE",
        path=True,
    )
    judged_depth: int | None = option(
        None,
        "rank down to which documents were judged because runs have them there; others teach nothing [default: seen "
        "from the judgments]",
        low=1,
        metavar="K",
    )
    pair: tuple[str, ...] = option(
        (), "the pair of systems whose judgments come first: give it twice", many=True, metavar="SYSTEM"
    )
    judge_next: str | None = option(
        None,
        "write the documents to judge next into this file, lines of 'topic document', the most valuable first",
        metavar="FILE",
        path=True,
        output=True,
    )
    judge_most: int = option(200, "documents to judge next, at most", low=1, metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.pairs) not in (0, 2) or len(set(self.pairs)) < len(self.pairs):
            raise InputError(f"--pair names {', '.join(self.pairs)}", hint="a pair is two systems: --pair X --pair Y")

    @property
    def pairs(self) -> Sequence[str]:
        return (self.pair,) if isinstance(self.pair, str) else self.pair
