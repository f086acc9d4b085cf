"""The work of `irassay check`: the papers' Tables 1 and 2 for a user's own data, how much ties leave open, problems."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from irassay.errors import IrassayWarning
from irassay.measures import Measure, parse
from irassay.panel.alignment import align
from irassay.panel.grades import POOLED
from irassay.panel.ordering import tied_share
from irassay.panel.panel import Panel
from irassay.panel.pool_depth import PoolDepth, pool_depth
from irassay.read.groups import groups_by_system, read_members
from irassay.result import Result, Table
from irassay.settings import Execution
from irassay.studies.check.figures import figures
from irassay.studies.check.problems import ProblemSearch, first_tie
from irassay.studies.check.settings import Check
from irassay.studies.inputs import PanelInput, load_panel
from irassay.studies.phrases import few

SHOWN_DIGITS = 4


def run(study: Check, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `collection`, `judgments`, `systems`, `ties` and `problems`."""
    measures = parse(study.measures)
    members = read_members(Path(study.groups), "system") if study.groups else None
    with warnings.catch_warnings(record=True) as caught:
        # warnings become rows of the table `problems`
        warnings.simplefilter("always", IrassayWarning)
        data = load_panel(study, qrels, runs, execution, keep_scores=True, files=True)
        groups = None
        if members is not None:
            groups = groups_by_system(members, Path(str(study.groups)), data.panel.aliases)
        messages = [each for w in caught if isinstance(w.message, IrassayWarning) for each in w.message.messages]
        ties = tied_scores(data, measures, study.alignment())
    depth = pool_depth(data.panel, study.pool_depth)
    if study.pool_depth is not None:
        messages += depth.warnings  # beside a depth that is given; that none shows is no problem of the data
    listed = systems(data, groups, depth.known)
    tables = (
        collection(data, groups, study.corpus_size, depth),
        judgments(data.panel),
        listed,
        ties,
        ProblemSearch(study, data, groups, depth.known).problems(messages),
    )
    provenance = {**data.provenance, "pool_depth": depth.known, "pool_depth_origin": depth.origin}
    if groups is not None:
        provenance["groups"] = len(_groups_of(groups, data.panel))
    return Result("check", tables, (), provenance, figures(listed, ties, [str(one) for one in measures]))


def _groups_of(groups: Mapping[str, str], panel: Panel) -> set[str]:
    """The groups that systems here are from."""
    return {groups[name] for name in panel.systems if name in groups}


def collection(data: PanelInput, groups: Mapping[str, str] | None, corpus_size: int | None, depth: PoolDepth) -> Table:
    """What the collection is made of."""
    panel = data.panel
    lengths = np.diff(panel.offsets, axis=1)
    answered = lengths[lengths > 0]
    run_formats = Counter(run.format for run in data.runs)
    rows: dict[str, object] = {
        "topics with judgments": len(data.qrels.topics),
        "topics evaluated": len(panel.topics),
        "runs": len(panel.systems),
    }
    if groups is not None:
        rows["groups"] = len(_groups_of(groups, panel))
    rows["format of QRELS"] = data.qrels.format
    rows["formats of the runs"] = few([f"{name} ({count})" for name, count in run_formats.most_common()])
    rows |= {
        "documents in the corpus": corpus_size or "not given (--corpus-size)",
        "documents retrieved or judged": int(panel.document.max(initial=-1)) + 1,
        "judgments": int(np.count_nonzero(panel.grade >= 0)),
        "pooled but not judged": int(np.count_nonzero(panel.grade == POOLED)),
        "lists (a run's answer to a topic)": len(answered),
        "documents per list, mean": float(answered.mean()) if len(answered) else None,
        "documents per list, least": int(answered.min()) if len(answered) else None,
        "documents per list, most": int(answered.max()) if len(answered) else None,
        "pool depth": f"{depth.known} ({depth.origin})" if depth.known else "the judgments show none (--pool-depth)",
        "order of lists": panel.policy["order"],
    }
    columns: dict[str, Sequence[object]] = {"what": list(rows), "value": list(rows.values())}
    return Table("collection", columns, "The collection", {"value": 1})


def judgments(panel: Panel) -> Table:
    """R, N and each grade per topic: mean and range."""
    judged_counts = panel.judged_counts(1)
    counts = {"R (relevant)": judged_counts[:, 1:].sum(axis=1), "N (judged nonrelevant)": judged_counts[:, 0]}
    counts |= {f"grade {grade}": judged_counts[:, grade] for grade in panel.grades if grade < judged_counts.shape[1]}
    return Table(
        "judgments",
        {
            "per_topic": list(counts),
            "mean": [float(c.mean()) for c in counts.values()],
            "min": [int(c.min()) for c in counts.values()],
            "max": [int(c.max()) for c in counts.values()],
            "total": [int(c.sum()) for c in counts.values()],
        },
        "Judged documents per topic, over the topics evaluated",
        {"mean": 1},
    )


def systems(data: PanelInput, groups: Mapping[str, str] | None, pool_depth: int | None) -> Table:
    """Each run: how long its lists are, how much of them is judged, how much is tied."""
    panel = data.panel
    lengths = np.diff(panel.offsets, axis=1)
    depths = [10, 100] + ([pool_depth] if pool_depth and pool_depth not in (10, 100) else [])
    judged = panel.score([f"Judged@{k}" for k in depths])
    columns: dict[str, Any] = {"system": panel.systems}
    if groups is not None:
        columns["group"] = [groups.get(name) for name in panel.systems]
    columns |= {
        "topics": (lengths > 0).sum(axis=0),
        "shortest": lengths.min(axis=0),
        "median": np.median(lengths, axis=0),
        "longest": lengths.max(axis=0),
    }
    columns |= {f"judged@{k}": judged[f"Judged@{k}"].means() for k in depths}
    columns |= {"tied": tied_share(panel), "file": [run.path for run in data.runs]}
    return Table(
        "systems",
        columns,
        "Systems: topics answered, documents per list, and the shares of judged and of tied documents",
        {"median": 0, "tied": 3} | {f"judged@{k}": 3 for k in depths},
    )


def tied_scores(data: PanelInput, measures: Sequence[Measure], policy: Mapping[str, Any]) -> Table:
    """Each system's score, and the least and most it could be over all orders of its tied documents."""
    panel, jobs = data.panel, data.jobs
    columns: dict[str, Any] = {"system": panel.systems}
    by_score = panel.policy["order"] in ("trec", "trec9")
    # an order that does not go by score has no ties
    worst, best = (
        align(data.qrels, data.runs, jobs=jobs, ties=side, **policy) if by_score else panel
        for side in ("worst", "best")
    )
    spread = np.zeros(len(panel.systems))
    for measure in measures:
        low, score, high = (p.score([measure], jobs=jobs)[str(measure)].means() for p in (worst, panel, best))
        columns |= {f"{measure} worst": low, str(measure): score, f"{measure} best": high}
        spread = np.maximum(spread, high - low)
    digits = dict.fromkeys(list(columns)[1:], SHOWN_DIGITS)
    columns["first_tie"] = [
        first_tie(run, panel) if moved > 0 else None for run, moved in zip(data.runs, spread, strict=True)
    ]
    kept = [i for i in np.argsort(-spread, kind="stable").tolist() if spread[i] > 0]
    caption = (
        f"Ties: the order of tied documents moves {len(kept)} of {len(panel.systems)} systems, the most moved first"
    )
    if not by_score:
        caption = f"Ties: none, because lists are in {panel.policy['order']} order"
    return Table("ties", {name: [column[i] for i in kept] for name, column in columns.items()}, caption, digits)


def view(result: Result, settings: object) -> list[Table]:
    """The tables for a screen, without ties that move no digit that is shown."""
    return [visible_ties(table) if table.name == "ties" else table for table in result.tables]


def visible_ties(ties: Table) -> Table:
    """For a screen: only the systems whose worst and best score differ in the decimals shown."""
    scores = list(ties.digits)
    seen = [
        i
        for i in range(len(ties))
        if any(
            f"{ties[low][i]:.{SHOWN_DIGITS}f}" != f"{ties[high][i]:.{SHOWN_DIGITS}f}"
            for low, high in zip(scores[::3], scores[2::3], strict=True)
        )
    ]
    hidden = len(ties) - len(seen)
    caption = ties.caption + (f" ({hidden} of them by less than is shown, and left out)" if hidden else "")
    return replace(ties, columns={name: [col[i] for i in seen] for name, col in ties.columns.items()}, caption=caption)
