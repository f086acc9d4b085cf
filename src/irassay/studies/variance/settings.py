"""`irassay variance`: how much a topic's own variance moves a comparison (yang2018variance)."""

from dataclasses import dataclass

from irassay.choices import MODELS, RELEVANT
from irassay.errors import InputError
from irassay.settings import SAMPLES, Selection, option


@dataclass(frozen=True, kw_only=True)
class Variance(Selection):
    """Score simulation: other documents with like scores, and what they do to the comparison of systems.

    Every list is drawn again many times: Poisson(r) relevant documents and nonrelevant ones up to its length, each kind
    from its own scores, sorted. `bst` resamples the raw scores, `kde` samples Gaussian kernels fitted to them. Systems
    and topics are drawn independently. Resampling uses only the order of scores, so every run takes part in `bst`; runs
    whose scores say no more than the rank are left out of `kde`.

    \b
    irassay variance qrels.txt runs/ --samples 1000
    irassay variance qrels.txt runs/ --model bst --length 1000 --samples 10000
    """

    measures: tuple[str, ...] = option(("AP",), "measures", flag="-m", many=True, metavar="LIST")
    model: str = option("bst,kde", "how scores are drawn: bst, kde or both", metavar="LIST")
    samples: int = option(1000, "simulated lists of each system and topic", low=1, metavar="B", **SAMPLES)
    length: str = option("run", "length of a simulated list: 'run', the run's own, or a number for all", metavar="N")
    relevant: str = option(
        "adjusted",
        "relevant documents of a simulated topic: 'adjusted', the unretrieved and the drawn ones; 'fixed', as many as "
        "there are; 'max', as many as there are, or the drawn ones where these are more",
        choices=RELEVANT,
    )
    bandwidth: str | float = option(
        "scott", "width of the kernels: scott, silverman, or a number of standard deviations", metavar="RULE"
    )
    exact: bool = option(False, "draw kde without its table of nonrelevant scores (error 1e-6): much slower")
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    keep_unusable: bool = option(False, "also simulate by kde the runs whose scores say no more than the rank")
    show: tuple[str, ...] = option(
        (),
        "draw the topics of this system; may be repeated [default: the best one of those with the fewest lists that "
        "are shorter than --length]",
        many=True,
        metavar="SYSTEM",
    )

    @property
    def models(self) -> tuple[str, ...]:
        models = tuple(dict.fromkeys(text.strip() for text in self.model.split(",")))
        if not set(models) <= set(MODELS):
            raise InputError(f"model is {self.model!r}", hint="write bst, kde or bst,kde")
        return models

    @property
    def documents(self) -> int | None:
        """The length of every simulated list; None for the run's own."""
        text = str(self.length)
        if text == "run":
            return None
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100_000:
            raise InputError(f"length is {self.length!r}", hint="write run, or a number of documents from 1 to 100000")
        return int(text)

    @property
    def width(self) -> str | float:
        """The rule for the bandwidth, or a number of standard deviations."""
        if self.bandwidth in ("scott", "silverman"):
            return self.bandwidth
        try:
            width = float(self.bandwidth)
        except ValueError:
            width = 0.0
        if not 0.0 < width < float("inf"):
            raise InputError(
                f"bandwidth is {self.bandwidth!r}", hint="write scott, silverman, or a number above 0 such as 0.3"
            )
        return width
