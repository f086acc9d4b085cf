"""`irassay demo-data`: a test collection whose truth is known, as ordinary files."""

from dataclasses import dataclass
from pathlib import Path

from irassay.settings import check_bounds, option

FILES = {"high": 100_000, "why": "lists of so many take more space than a disk has"}


@dataclass(frozen=True, kw_only=True)
class DemoData:
    """Write a seeded test collection whose truth is known: runs, judgments, groups and null pairs.

    Topics, documents, graded judgments by pooling and systems come from one model, so that topics can be drawn afresh
    and the true mean of every system is known (in Python: irassay.demo). The same seed writes the same files.
    """

    topics: int = option(50, "number of topics", low=1, metavar="N", **FILES)
    first_topic: int = option(1, "the first topic; others of the same population come after it", low=1, metavar="N")
    systems: int = option(30, "number of systems", low=1, metavar="N", **FILES)
    groups: int | None = option(None, "number of groups (default: a third of the systems)", low=1, metavar="N")
    null_pairs: int = option(2, "pairs of systems without a true difference", low=0, metavar="N")
    depth: int = option(1000, "documents per list", low=1, metavar="K")
    documents: int = option(528_155, "documents in the corpus", low=1, metavar="D")
    candidates: int | None = option(None, "documents competing for a list (default: 16 per rank)", low=1, metavar="N")
    pool_depth: int = option(100, "depth of the pool that is judged", low=1, metavar="K")
    judgments: str = option("pool", "judge the pool, or also every relevant document", choices=("pool", "complete"))
    judges: bool = option(
        False, "also write labels of judges of known error: noisy, lenient, and partial, which favours group1"
    )
    seed: int = option(0, "seed of all random numbers", low=0, metavar="N")

    def write(self, folder: Path) -> None:
        """Write `qrels.txt`, `groups.txt`, `null-pairs.txt`, `runs/` and `judges/` in a new folder; all or nothing."""
        check_bounds(self)
        from irassay import demo
        from irassay.files import check_new, new_folder

        check_new(folder)
        model = demo.Model(
            systems=self.systems,
            groups=self.groups,
            null_pairs=min(self.null_pairs, self.systems // 2),
            depth=self.depth,
            documents=self.documents,
            candidates=self.candidates,
            pool_depth=self.pool_depth,
            seed=self.seed,
        )
        numbers = range(self.first_topic - 1, self.first_topic - 1 + self.topics)
        judges = demo.JUDGES if self.judges else ()
        with new_folder(folder) as temporary:
            demo.write(model, temporary, topics=numbers, judgments=self.judgments, judges=judges)
