"""Results that go to a folder: of the same settings as what is there, or `--force`, before any work."""

import ast
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from irassay.errors import InputError
from irassay.files import is_path
from irassay.report.folder import save_result
from irassay.report.place import check_replaceable, claimed, result_record
from irassay.result import Result
from irassay.studies.collection_settings import StudyInput
from irassay.studies.execution import plain_settings

SETTINGS = "settings"  # in the provenance of a saved result
REPLACE = "--force replaces it; or give another folder"


def settings_record(inputs: Sequence[StudyInput], **more: str) -> dict[str, str]:
    """What a result is of, as text: the study, its settings, and the names of its files."""
    record = dict(more)
    for one in inputs:
        own = plain_settings(one.settings) | {"qrels": _files(one.qrels), "runs": _files(one.runs)}
        record |= {f"{name} of {one.collection}" if one.collection else name: text for name, text in own.items()}
    return record


def _files(data: Any) -> str:
    if isinstance(data, (list, tuple)):
        return ", ".join(map(_files, data))
    if data is None:
        return ""
    return os.fspath(data) if is_path(data) else f"in memory ({type(data).__name__})"


def saved(
    out: str | None, settings: Mapping[str, str], run: Callable[[], Result], *, force: bool = False, command: str = ""
) -> Result:
    """The result, saved in the folder `out` if there is one, with what it is of and the command in its provenance."""
    if not out:
        return run()

    def check(target: Path, where: str) -> None:
        check_replaceable(target, where)
        check_settings(target, where, settings, force=force)

    with claimed(out, check):
        result = run()
        provenance = {**result.provenance, SETTINGS: dict(settings)} | ({"command": command} if command else {})
        result = replace(result, provenance=provenance)
        save_result(result, out, readable=True)
    return result


def check_settings(folder: Path, where: str, settings: Mapping[str, str], *, force: bool) -> None:
    """An error where a folder holds a result of other settings, unless it may be replaced."""
    record = result_record(folder)
    if not record or force:
        return
    provenance = record.get("provenance")
    earlier = provenance.get(SETTINGS) if isinstance(provenance, dict) else None
    if not isinstance(earlier, dict):
        raise InputError("a result is here, of settings that nobody recorded", where, REPLACE)
    for name in {**earlier, **settings}:
        then, now = earlier.get(name, "unset"), settings.get(name, "unset")
        if then != now:
            what = f"a result is here, and its {name} was {_in_words(then)} and is now {_in_words(now)}"
            raise InputError(what, where, REPLACE)


def _in_words(setting: str) -> str:
    """A recorded setting without Python's quotes and brackets."""
    try:
        value = ast.literal_eval(setting)
    except (SyntaxError, ValueError):  # names of files
        return setting
    if value is None or value in ("", ()):
        return "unset"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
