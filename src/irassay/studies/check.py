"""`irassay check`: describes the data, and what could bite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.settings import Execution, Inputs, option

if TYPE_CHECKING:
    from irassay.result import Result


@dataclass(frozen=True, kw_only=True)
class Check(Inputs):
    """Describe judgments and runs, and show what could bite: ties, orders that disagree, duplicates, gaps.

    QRELS are relevance judgments; RUN is a run file, a directory of them, or a glob.
    """

    measures: tuple[str, ...] = option(
        ("AP P@10",), "measures to show the best and worst order of tied documents with", flag="-m", many=True,
        metavar="LIST",
    )  # fmt: skip
    corpus_size: int | None = option(None, "number of documents in the corpus", low=1, metavar="D")
    pool_depth: int | None = option(None, "depth of the pool: look for unjudged documents above it", low=1, metavar="K")
    groups: str | None = option(
        None, "groups of the systems: a file with 'system group' lines", metavar="FILE", path=True
    )

    def run(self, qrels: Any, runs: Any, *, execution: Execution | None = None) -> Result:
        """Tables: `collection`, `judgments`, `systems`, `ties` and `problems`."""
        import warnings
        from pathlib import Path

        from irassay.align import align
        from irassay.errors import IrassayWarning
        from irassay.measures import parse
        from irassay.read import Qrels, Runs, read_qrels, read_runs
        from irassay.read.groups import read_groups
        from irassay.result import Result
        from irassay.studies import describe
        from irassay.studies.problems import find_problems
        from irassay.studies.provenance import provenance

        jobs = execution.jobs if execution else None
        asked = parse(self.measures)
        groups = read_groups(Path(self.groups)) if self.groups else None
        with warnings.catch_warnings(record=True) as caught:
            # warnings become rows of the table `problems`
            warnings.simplefilter("always", IrassayWarning)
            qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, duplicates="first")
            runs = runs if isinstance(runs, Runs) else read_runs(runs, names=self.names, jobs=jobs)
            policy = {**self.alignment(), "duplicates": "first"}
            panel = align(qrels, runs, jobs=jobs, keep_scores=True, **policy)
            found = [w.message for w in caught if isinstance(w.message, IrassayWarning)]
            ties = describe.ties(qrels, runs, panel, asked, policy, jobs)
        systems = describe.systems(runs, panel, groups, self.pool_depth)
        tables = (
            describe.collection(qrels, runs, panel, groups, self.corpus_size),
            describe.judgments(panel),
            systems,
            ties,
            find_problems(qrels, runs, panel, groups, self.corpus_size, self.pool_depth, found),
        )
        return Result("check", tables, (), provenance(qrels, runs, panel))
