"""`irassay judges`: which conclusions survive other judgments."""

from collections.abc import Sequence
from dataclasses import dataclass

from irassay.errors import InputError
from irassay.settings import SAMPLES, Selection, depths, option


@dataclass(frozen=True, kw_only=True)
class Judges(Selection):
    """Compare judges: their labels, the orders of systems they lead to, verdicts, and whether they favour a group.

    The first QRELS is the reference. Of the other files those that hold judgments are judges, those that hold runs are
    systems, in any format; --judge says so of a file that could be either. Without runs only labels are compared.
    With three judges or more their majority is a further one. Judges without a common topic are compared by their
    systems alone.

    \b
    irassay judges human.qrels gpt.qrels llama.qrels
    irassay judges human.qrels gpt.qrels runs/ -m "AP nDCG@10" --groups groups.txt
    irassay judges human.qrels gpt.qrels --map 2=1,3=1 --coefficients all
    """

    groups_only_select = False  # groups are also those that a judge may favour
    measures: tuple[str, ...] = option(
        ("AP nDCG@10 RBP(p=0.8)",), 'measures, such as "AP nDCG@10 RBP(p=0.95)"', flag="-m", many=True, metavar="LIST"
    )
    # in Python also judgments in memory, in a sequence or by name
    judges: Sequence[str] = option(
        (), "judgments of one more judge; may be repeated", flag="--judge", many=True, metavar="QRELS", path=True
    )
    map: tuple[str, ...] = option(
        (),
        "other grades, as 2=1,3=1 for all judges, or gpt.qrels:5=3 for one; a negative grade leaves labels out; may be "
        "repeated",
        many=True,
        metavar="[JUDGE:]G=G,…",
    )
    highest: int | None = option(
        None, "highest grade of the scale [default: the reference's highest]", low=1, metavar="GRADE"
    )
    coefficients: str = option(
        "usual", "coefficients of agreement: 'all' adds linear kappa, AC1 and AC2", choices=("usual", "all")
    )
    ranks: str = option(
        "10,30,100", "labels are also compared by the best rank of a document, up to these", metavar="LIST"
    )
    resamples: int = option(1000, "samples of topics", low=1, metavar="B", **SAMPLES)
    alpha: float = option(0.05, "significance level", low=0, metavar="A")
    top_k: int = option(10, "tau_top: the reference's K best systems", low=2, metavar="K")
    rbo_p: float = option(0.9, "persistence of rank-biased overlap", low=0, metavar="P")
    human: str | None = option(
        None,
        "the judge whose agreement with the reference is a second ceiling, such as a second person",
        metavar="JUDGE",
    )
    teams: str | None = option(
        None,
        "the team of each system, lines of 'system team': what --groups says is permuted over teams [default: each "
        "system is its own team]",
        metavar="FILE",
        path=True,
    )
    permutations: int = option(9999, "random permutations of groups over teams", low=99, metavar="N", **SAMPLES)
    group_depth: int = option(20, "--groups: documents that only one group ranks down to this", low=1, metavar="K")
    relevant: int = option(
        1, "lowest grade that is relevant, where a chance of relevance is compared", low=1, metavar="GRADE"
    )

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is {self.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
        if not 0 < self.rbo_p < 1:
            raise InputError(f"p of RBO is {self.rbo_p:g}", hint="p lies between 0 and 1, such as 0.9")
        if self.teams and not self.groups:
            raise InputError("--teams needs groups", hint="give the groups that a judge may favour with --groups")
        _ = self.levels

    @property
    def levels(self) -> tuple[int, ...]:
        """The last ranks of strata."""
        return tuple(sorted(depths(self.ranks, "ranks", "write 10,30,100: whole numbers from 1")))


def parse_maps(maps: str | Sequence[str], judges: Sequence[str]) -> dict[str, dict[int, int]]:
    """By judge what becomes of each grade."""
    tables: dict[str, dict[int, int]] = {name: {} for name in judges}
    for text in (maps,) if isinstance(maps, str) else maps:
        name, _, pairs = text.rpartition(":")
        if name and name not in tables:
            raise InputError(f"there is no judge {name!r}", f"map {text!r}", f"they are {', '.join(judges)}")
        for item in pairs.split(","):
            try:
                old, new = map(int, item.split("="))
            except ValueError:
                hint = "write 2=1,3=1, or gpt.qrels:5=3 for one judge"
                raise InputError(f"{item!r} maps no grade to another", f"map {text!r}", hint) from None
            for judge in (name,) if name else judges:
                tables[judge][old] = new
    return tables
