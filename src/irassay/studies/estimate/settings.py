"""`irassay estimate`: few trusted judgments and many cheap ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import DIGITS_HELP, Selection, check_digits, option

CHEAP_HELP = "judgments by the cheap judge, of the topics in QRELS and of many more"


@dataclass(frozen=True, kw_only=True)
class Estimate(Selection):
    """Estimate what the trusted judge of QRELS would say of systems, from few topics of theirs and many of --cheap.

    The topics that both judged show how the cheap judge errs, those that it judged alone tell how systems do there
    (prediction-powered inference). The trusted topics must be a random sample of all, or have known probabilities.

    \b
    irassay estimate human.qrels --cheap gpt.qrels runs/ -m "AP nDCG@10"
    irassay estimate human.qrels --cheap gpt.qrels runs/ --baseline bm25 --probabilities sampled.txt
    irassay estimate qrels.txt --cheap gpt.qrels runs/ --trusted-topics 401-410    # what ten topics would have said
    """

    # in Python also judgments in memory
    cheap: str | None = option(None, CHEAP_HELP, metavar="QRELS", path=True)
    measures: tuple[str, ...] = option(
        ("AP nDCG@10",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )
    baseline: str | Sequence[str] | None = option(
        None,
        "differences to this system only, not of all pairs; --top keeps it; may be repeated",
        many=True,
        metavar="SYSTEM",
    )
    probabilities: str | None = option(
        None,
        "the chance that each trusted topic had to be among them: lines of 'topic probability' [default: equal]",
        metavar="FILE",
        path=True,
    )
    trusted_topics: str | Sequence[str] | None = option(
        None, "take only these topics of QRELS for judged there, as --topics writes them", metavar="LIST"
    )
    unanswerable: str = option(
        "zero",
        "topics in which the cheap judge calls nothing relevant: score them 0, or drop them from both kinds of topics; "
        "those in which the trusted one does so score 0 (nobody knows them among the others)",
        choices=("zero", "drop"),
    )
    map: tuple[str, ...] = option(
        (),
        "other grades, as 2=1,3=1 for both judges, or gpt.qrels:3=2 for one; a negative grade leaves labels out; may "
        "be repeated",
        many=True,
        metavar="[JUDGE:]G=G,…",
    )
    highest: int | None = option(
        None, "highest grade of the scale [default: the highest in QRELS]", low=1, metavar="GRADE"
    )
    alpha: float = option(0.05, "significance level; intervals have confidence 1 - alpha", low=0, metavar="A")
    digits: int | None = option(None, DIGITS_HELP, low=0, metavar="N")

    def check(self) -> None:
        """Options that mean nothing, before any work."""
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is {self.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
        check_digits(self.digits)
        if self.cheap is None:
            raise InputError("there are no cheap judgments", hint="give those of the cheap judge with --cheap QRELS")
