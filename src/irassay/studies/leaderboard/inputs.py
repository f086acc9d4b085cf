"""What a leaderboard is made of: collections with runs, result folders, score tables, or scores in memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from irassay.errors import InputError, IrassayWarning
from irassay.panel.panel import Panel
from irassay.read.score_cells import CellCollector, Cells, ScoreFile
from irassay.read.score_tables import read_cells
from irassay.scoring.scores import Scores
from irassay.settings import Execution, Measured
from irassay.studies.collection_settings import StudyInput, located
from irassay.studies.execution import collect_warnings
from irassay.studies.inputs import is_missing, load_scores
from irassay.studies.leaderboard.board import Board, board_of, check_topics
from irassay.studies.leaderboard.settings import MEASURES, Leaderboard
from irassay.studies.merge import merge_warnings
from irassay.studies.score_inputs import parse_name, table_paths

HINT = "give a collections file (irassay init writes one), a folder of results, or score tables with --scores"
OWN = ("tasks", "families", "missing", "standardise", "test", "alpha", "resamples", "seed")  # one for all collections

Parts = dict[str, tuple[str, Scores | dict[str, float]]]


def load_board(
    study: Leaderboard, data: Any, runs: Any, execution: Execution | None
) -> tuple[Board, list[IrassayWarning], dict[str, object]]:
    """The board, warnings, and where it came from."""
    _one_measure(study)
    if isinstance(data, list) and data and isinstance(data[0], StudyInput):
        return _from_collections(data, execution)
    if not is_missing(runs):
        raise InputError("QRELS and runs are one collection, and a leaderboard is of several", hint=HINT)
    if study.scores and data is not None:
        raise InputError("a folder and score tables were given", hint="give one or the other")
    if study.scores or isinstance(data, str | os.PathLike):
        paths = table_paths(study) if study.scores else (data,)
        cells = read_cells(paths, _names_in_files(study), several=True)
        return board_of(_parts(study, cells)), list(cells.warnings), {"scores": list(map(str, paths))}
    if isinstance(data, Mapping):
        return board_of({str(name): _in_memory(study, name, part) for name, part in data.items()}), [], {}
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return _from_frame(study, data)
    raise InputError("there is nothing to rank", hint=HINT)


def _one_measure(study: Leaderboard) -> None:
    measures = (study.measures,) if isinstance(study.measures, str) else study.measures
    if len(measures) != 1 or len(measures[0].split()) != 1:
        raise InputError(f"a leaderboard is of one measure, not of {' '.join(measures)}", hint="give one with -m")


def _measure(study: Leaderboard) -> str:
    return study.measures if isinstance(study.measures, str) else study.measures[0]


def _names_in_files(study: Leaderboard) -> tuple[str, ...]:
    """A measure that only the files know, such as MTEB's ndcg_at_10, is read by its name alone."""
    name = _measure(study)
    return () if parse_name(name) is not None else (name,)


def _from_collections(
    inputs: Sequence[StudyInput], execution: Execution | None
) -> tuple[Board, list[IrassayWarning], dict[str, object]]:
    """Runs of each collection, scored under its own options."""
    parts: Parts = {}
    warnings: dict[str, Sequence[IrassayWarning]] = {}
    own: dict[str, object] = {}
    first = inputs[0].settings
    selection = {f.name: f.default for f in fields(Measured) if f.name in ("top", "by", "sample_systems")}
    for one in inputs:
        for name in OWN:
            if getattr(one.settings, name) != getattr(first, name):
                raise InputError(
                    f"{name!r} is one option for all collections",
                    f"collection {one.collection}",
                    "write it above the first [[collection]]",
                )
        _one_measure(one.settings)
        try:
            with collect_warnings([]):  # told below, by collection
                data = load_scores(replace(one.settings, **selection), one.qrels, one.runs, execution)
        except InputError as problem:
            raise located(problem, f"collection {one.collection}") from None
        (name,) = data.scores.measures
        parts[one.collection] = name, data.scores[name]
        warnings[one.collection] = data.warnings
        own[one.collection] = {**data.provenance, "systems": len(data.systems), "topics": len(data.topics)}
    return board_of(parts), list(merge_warnings(warnings)), {"inputs": own}


def _in_memory(study: Leaderboard, name: object, part: Any) -> tuple[str, Scores | dict[str, float]]:
    """One collection: a panel, scores per topic, or a number for each system."""
    if isinstance(part, Panel):
        part = part.score(_measure(study))
    if isinstance(part, Scores):
        chosen = _choose(study, part.measures, str(name))
        return chosen, part[chosen]
    if isinstance(part, Mapping) and all(isinstance(value, int | float) for value in part.values()):
        return "score", {str(system): float(value) for system, value in part.items()}
    raise InputError(f"{type(part).__name__} is no collection's scores", f"collection {name}", "give Scores or a Panel")


def _from_frame(study: Leaderboard, frame: Any) -> tuple[Board, list[IrassayWarning], dict[str, object]]:
    header = [str(name) for name in frame.columns]
    columns = [list(frame[name]) for name in frame.columns]
    cells = CellCollector(_names_in_files(study), several=True)
    rows = [(f"row {n}", row) for n, row in enumerate(zip(*columns, strict=True), 1)]
    cells.add_table(ScoreFile(Path("frame"), [], 0), header, rows)
    checked = cells.checked()
    return board_of(_parts(study, checked)), list(checked.warnings), {}


def _parts(study: Leaderboard, cells: Cells) -> Parts:
    parts: Parts = {}
    for name, values in cells.collections.items():
        measure = _choose(study, tuple(dict.fromkeys(measure for _, _, measure in values)), name)
        chosen = {(system, topic): score for (system, topic, other), score in values.items() if other == measure}
        check_topics(name, chosen)
        shown = cells.main.get(name, measure)
        if any(topic for _, topic in chosen):
            scores, _ = Scores.from_cells({(*key, measure): score for key, score in chosen.items()}, (measure,))
            parts[name] = shown, replace(scores, known=(parse_name(measure),))[measure]
        else:
            parts[name] = shown, {s: score for (s, _), score in chosen.items() if score is not None}
    if not parts:
        raise InputError("the files hold no scores of a collection", hint=HINT)
    return parts


def _choose(study: Leaderboard, names: tuple[str, ...], collection: str) -> str:
    """The measure asked for, by the name that a collection has for it; where it has one only, that one."""
    wanted = _measure(study)
    measure = parse_name(wanted)
    same = [name for name in names if name == wanted or (measure is not None and parse_name(name) == measure)]
    if same:
        return same[0]
    if len(names) == 1 and wanted == MEASURES[0]:  # the default
        return names[0]
    raise InputError(
        f"no scores of {wanted}", f"collection {collection}", f"there are {', '.join(names)}; choose by -m"
    )
