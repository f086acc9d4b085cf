"""The work of `irassay check`."""

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from irassay.errors import IrassayWarning
from irassay.measures import parse
from irassay.read.groups import read_groups
from irassay.result import Result
from irassay.settings import Execution
from irassay.studies.check import describe
from irassay.studies.check.problems import ProblemSearch
from irassay.studies.check.settings import Check
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import few, rows_of, safe


def run(study: Check, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `collection`, `judgments`, `systems`, `ties` and `problems`."""
    measures = parse(study.measures)
    groups = read_groups(Path(study.groups)) if study.groups else None
    with warnings.catch_warnings(record=True) as caught:
        # warnings become rows of the table `problems`
        warnings.simplefilter("always", IrassayWarning)
        data = load_panel(study, qrels, runs, execution, keep_scores=True)
        messages = [w.message for w in caught if isinstance(w.message, IrassayWarning)]
        ties = describe.ties(data, measures, study.alignment())
    panel = data.panel
    survey = ProblemSearch(data.qrels, data.runs, panel, groups, study.groups, study.corpus_size, study.pool_depth)
    tables = (
        describe.collection(data.qrels, panel, groups, study.corpus_size),
        describe.judgments(panel),
        describe.systems(data.runs, panel, groups, study.pool_depth),
        ties,
        survey.problems(messages),
    )
    return Result("check", tables, (), data.provenance)


def findings(result: Result) -> list[str]:
    counts = {row["what"]: row["value"] for row in rows_of(result["collection"])}
    relevant = next(row for row in rows_of(result["judgments"]) if str(row["per_topic"]).startswith("R "))
    problems = Counter(safe(row["code"]) for row in rows_of(result["problems"]))
    listed = [f"{code} ({count:,})" for code, count in problems.most_common()]
    return [
        f"{counts['runs']:,} runs on {counts['topics evaluated']:,} topics, with {relevant['mean']:.1f} relevant "
        f"documents a topic ({relevant['min']:,} to {relevant['max']:,}).",
        f"Potential problems: {few(listed)}." if listed else "No problem was found.",
    ]
