"""The folder of a full study: a result folder for each part, an overview, and one report of them all."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from irassay.errors import InputError
from irassay.report.folder import save_result
from irassay.report.html import to_html
from irassay.report.load import collect_results
from irassay.report.place import CHECKPOINT, DESKTOP, check_replaceable, exchange, is_unfinished
from irassay.report.write import write
from irassay.result import Result
from irassay.studies import registry

OVERVIEW, REPORT = "overview", "report.html"


def check_place(target: Path, where: str) -> None:
    """An error where a folder holds anything but a full study, or unfinished work for one."""
    names = {entry.name for entry in target.iterdir()} - DESKTOP
    parts = names - {REPORT, CHECKPOINT}
    unfinished = CHECKPOINT not in names or is_unfinished(target / CHECKPOINT)
    if not unfinished or (names - {CHECKPOINT} and not (OVERVIEW in names and parts <= {*registry.parts(), OVERVIEW})):
        raise InputError("this folder is not empty and not a full study", where, "give a new or an empty folder")
    for name in parts:
        check_replaceable(target / name, f"{where}/{name}")  # nothing but results is ever replaced


def save_parts(fresh: Path, results: Mapping[str, Result]) -> dict[str, Exception]:
    """Save a result folder for each part, as readers want it; what irassay itself failed at, by part."""
    problems: dict[str, Exception] = {}
    for part, result in results.items():
        try:
            save_result(result, fresh / part, readable=True)
        except InputError:
            raise  # no space, no right: no other part could be saved either
        except Exception as problem:  # a bug in drawing must not cost the other parts
            problems[part] = problem
    return problems


def save_study(target: Path, fresh: Path, overview: Result) -> None:
    """Add overview and report to the saved parts, which then take the place of what was there."""
    save_result(overview, fresh / OVERVIEW)
    write(to_html(collect_results([fresh])), fresh / REPORT)
    if target.exists():
        shutil.copymode(target, fresh)
    exchange(fresh, target)
