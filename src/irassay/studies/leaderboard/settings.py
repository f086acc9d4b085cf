"""`irassay leaderboard`: systems on several collections, their order, and how far to trust it."""

from dataclasses import dataclass

from irassay.ask.methods import TESTS
from irassay.choices import check_choice
from irassay.errors import InputError
from irassay.settings import DIGITS_HELP, SAMPLES, Resampling, check_digits, option

TASKS = ("fixed", "random", "weights")
MISSING = ("error", "drop-systems", "drop-collections", "bounds")
OVER_COLLECTIONS = tuple(name for name, test in TESTS.items() if not test.simultaneous)
MEASURES = ("nDCG@10",)


@dataclass(frozen=True, kw_only=True)
class Leaderboard(Resampling):
    """Rank systems by their mean over several collections, with the ranks and the first places that tests leave open.

    Give a collections file (irassay.toml), a folder of results as MTEB writes them (a folder for each system, with a
    file for each collection), or score tables: per topic where there are any, else one score for each collection.

    \b
    irassay leaderboard irassay.toml -m "nDCG@10"
    irassay leaderboard results/ --tasks random
    irassay leaderboard --scores leaderboard.csv --tasks weights
    """

    tasks: str = option(
        "fixed",
        "what the collections are: 'fixed' just these, topics sampled within them; 'random' as if a random sample of "
        "collections (6 or more); 'weights' all ways to weigh them, which is sensitivity and no confidence",
        choices=TASKS,
    )
    families: str | None = option(
        None,
        "collections that belong together: lines of 'collection family'; with --tasks random families are the sample",
        metavar="FILE",
        path=True,
    )
    missing: str = option(
        "error",
        "systems without a score somewhere: stop, leave out these systems, leave out these collections, or 'bounds': "
        "the ranks for the worst and the best score that any system has there",
        choices=MISSING,
    )
    standardise: bool = option(
        False, "subtract each collection's mean over systems and divide by their standard deviation, before averaging"
    )
    test: str = option(
        "t",
        "with --tasks random, the test of pairs over collections: " + ", ".join(OVER_COLLECTIONS),
        choices=OVER_COLLECTIONS,
    )
    alpha: float = option(
        0.05, "level of tests, rank sets and best set; intervals are at 1 - alpha", low=0, metavar="A"
    )
    by: str | None = option(
        None, "with --top, the collection by which systems are best [default: the mean]", metavar="COLLECTION"
    )
    scores: tuple[str, ...] = option(
        (), "score tables or folders of results; may be repeated", many=True, metavar="TABLE"
    )
    digits: int | None = option(None, DIGITS_HELP, low=0, metavar="N")
    resamples: int = option(10_000, "random draws", low=1, metavar="B", **SAMPLES)
    measures: tuple[str, ...] = option(
        MEASURES,
        "the measure; of tables and result folders it is chosen where they have several",
        flag="-m",
        many=True,
        metavar="MEASURE",
    )

    def check(self) -> None:
        """Options that cannot stand together, before any work."""
        check_choice("kind of tasks", self.tasks, TASKS)
        check_choice("way with missing results", self.missing, MISSING)
        check_choice("test over collections", self.test, OVER_COLLECTIONS)
        check_digits(self.digits)
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha is {self.alpha:g}", hint="alpha lies between 0 and 1, such as 0.05")
        if self.tasks != "random":
            for name, used in (("--families", self.families is not None), ("--test", self.test != "t")):
                if used:
                    raise InputError(
                        f"{name} is for collections taken as a random sample, and this is --tasks {self.tasks}",
                        hint=f"add --tasks random, or leave out {name}",
                    )
        if self.families is not None and self.test != "t":
            raise InputError(
                f"--test {self.test} takes collections for independent, and --families says that they are not",
                hint="leave out --test, or leave out --families",
            )
        if self.missing == "bounds" and self.tasks != "fixed":
            raise InputError(
                f"bounds for missing results are worked out for fixed collections, and this is --tasks {self.tasks}",
                hint="use --tasks fixed, or --missing drop-systems or drop-collections",
            )
