"""Results of one system as JSON: what MTEB writes for a task, and the dicts of measures that BEIR's evaluation "
"gives."""

import json
import math
from typing import Any

from irassay.errors import InputError
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import CellCollector, ScoreFile

HINT = "MTEB's task results and BEIR's dicts of measures ({'ndcg': {'NDCG@10': 0.3}}) are known"
MAIN = "main_score"
# The measures that MTEB's tasks have as their main score; only those whose values agree with it are taken for it.
MAIN_MEASURES = (
    *("ndcg_at_10", "ndcg_at_5", "ndcg_at_1", "map_at_1000", "map", "mrr_at_10", "recall_at_10", "p-MRR", "accuracy"),
    *("f1", "cosine_spearman", "spearman", "v_measure", "max_ap", "ap", "cv_recall_at_1", "hit_rate_at_10"),
)


def _recognise(line: str) -> bool:
    return line.lstrip().startswith(("{", "[{"))


def _read(file: ScoreFile, cells: CellCollector) -> None:
    if not cells.several:
        what = "results of a system on a whole collection, without topics"
        raise InputError(what, str(file.path), "irassay leaderboard reads a folder of them")
    try:
        content = json.loads("".join(file.lines).rstrip())
    except (ValueError, RecursionError) as problem:
        where = f"{file.path}:{problem.lineno}" if isinstance(problem, json.JSONDecodeError) else str(file.path)
        cells.problem(f"damaged JSON ({getattr(problem, 'msg', problem)})", where, "write or fetch the file again")
        return
    if isinstance(content, dict) and isinstance(content.get("scores"), dict):
        _add_task(file, content, cells)
    else:
        _add_measures(file, content, cells)


def _system(file: ScoreFile) -> str:
    return file.system or file.path.resolve().parent.name


def _add_task(file: ScoreFile, content: dict[str, Any], cells: CellCollector) -> None:
    """One task: the mean over its subsets, such as languages, of the split `test` where there is one."""
    where, splits = str(file.path), content["scores"]
    task = content.get("task_name") or file.collection
    split = "test" if "test" in splits else next(iter(splits), "")
    if not isinstance(task, str) or not isinstance(splits.get(split), list) or not splits[split]:
        cells.problem("no scores of a task", where, HINT)
        return
    if split != "test" and len(splits) > 1:
        cells.problem(f"several splits, and none is 'test': {', '.join(splits)}", where, "keep one of them")
        return
    subsets = [subset if isinstance(subset, dict) else {} for subset in splits[split]]
    for measure in cells.wanted or (MAIN,):
        values: list[Any] = [subset.get(measure) for subset in subsets]
        if all(isinstance(value, int | float) and math.isfinite(value) for value in values):
            names = [str(subset.get("hf_subset", n)) for n, subset in enumerate(subsets)]
            parts = dict(zip(names, map(float, values), strict=True))
            cells.add_parts(_system(file), measure, parts, where, task, f"split {split}")
        elif cells.wanted:
            cells.add(_system(file), "", measure, None, where, task)
        else:
            cells.problem(f"no {MAIN}, or no number, in the split {split!r}", where, HINT)
    if not cells.wanted:
        first = subsets[0]
        cells.may_be(task, [name for name in MAIN_MEASURES if name in first and first[name] == first.get(MAIN)])


def _add_measures(file: ScoreFile, content: Any, cells: CellCollector) -> None:
    """Measures by name, in one dict or in several: each is of all topics."""
    parts = content if isinstance(content, list) else [content]
    named = [item for part in parts if isinstance(part, dict) for item in part.items()]
    inner = [item for _, value in named if isinstance(value, dict) for item in value.items()]
    scores = [(name, value) for name, value in (*named, *inner) if not isinstance(value, dict)]
    if not scores:
        cells.problem("no measures with their scores", str(file.path), HINT)
    for name, value in scores:
        if isinstance(value, bool) or not isinstance(value, int | float):
            cells.problem(f"{name} is {value!r}, which is no score", str(file.path), HINT)
            return
        cells.add(_system(file), "", name, value, str(file.path), file.collection)


JSON_RESULTS = ScoreFormat(_read, recognise=_recognise)
