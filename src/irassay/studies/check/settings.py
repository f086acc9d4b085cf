"""`irassay check`: describes the data, and potential problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from irassay.settings import Execution, Inputs, option
from irassay.studies.execution import described_run

if TYPE_CHECKING:
    from irassay.result import Result


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
        None, "depth of the pool: look for unjudged documents in the first K ranks", low=1, metavar="K"
    )
    groups: str | None = option(
        None, "which group each system is from: lines of 'system group'", metavar="FILE", path=True
    )

    @described_run
    def run(self, qrels: Any, runs: Any, *, execution: Execution | None = None) -> Result:
        """Tables: `collection`, `judgments`, `systems`, `ties` and `problems`."""
        import warnings
        from pathlib import Path

        from irassay.errors import IrassayWarning
        from irassay.measures import parse
        from irassay.read.groups import read_groups
        from irassay.result import Result
        from irassay.studies.check import describe
        from irassay.studies.check.problems import Survey
        from irassay.studies.inputs import load_panel

        measures = parse(self.measures)
        groups = read_groups(Path(self.groups)) if self.groups else None
        with warnings.catch_warnings(record=True) as caught:
            # warnings become rows of the table `problems`
            warnings.simplefilter("always", IrassayWarning)
            data = load_panel(self, qrels, runs, execution, keep_scores=True)
            messages = [w.message for w in caught if isinstance(w.message, IrassayWarning)]
            ties = describe.ties(data, measures, self.alignment())
        panel = data.panel
        survey = Survey(data.qrels, data.runs, panel, groups, self.groups, self.corpus_size, self.pool_depth)
        tables = (
            describe.collection(data.qrels, panel, groups, self.corpus_size),
            describe.judgments(panel),
            describe.systems(data.runs, panel, groups, self.pool_depth),
            ties,
            survey.problems(messages),
        )
        return Result("check", tables, (), data.provenance)
