"""Where a result is saved: whose the folder is, that nothing else is lost, and what an ended process left there."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import Path

from irassay.errors import InputError
from irassay.files import short_hash
from irassay.locks import locked
from irassay.settings import UNFINISHED

FORMAT = "irassay result"
CHECKPOINT = "checkpoint"  # of unfinished work, in the folder of its result
DESKTOP = {".DS_Store", "Thumbs.db", "desktop.ini"}
SAVING = 10.0  # seconds that saving waits for another process

_OURS = {"result.json", "tables", "figures", CHECKPOINT}
_claimed: ContextVar[frozenset[Path]] = ContextVar("claimed", default=frozenset())


@contextmanager
def claimed(
    folder: str | os.PathLike[str], check: Callable[[Path, str], None] | None = None, *, wait: float = 0.0
) -> Iterator[Path]:
    """Where `folder` is, for this process alone meanwhile, or an error if a result cannot be saved there.

    Commands claim it before they start to work. `check` is called with a folder that is there, and what the user calls
    it. The folders on the way to it are made, and those that are still empty at the end removed.
    """
    where = os.fspath(folder)
    target = Path(os.path.realpath(folder))  # a link stays a link: what it points to is replaced
    if target in _claimed.get():
        yield target
        return
    with ExitStack() as stack:
        try:
            _check_way(target, where)
            stack.callback(_remove_empty, _make_parents(target))
            stack.enter_context(locked(_neighbour(target, "lock"), where, wait=wait))
            recover(target)
            if target.is_dir():
                (check or check_replaceable)(target, where)
        except OSError as problem:
            raise InputError(f"cannot save here: {problem.strerror or problem}", where) from problem
        token = _claimed.set(_claimed.get() | {target})
        stack.callback(_claimed.reset, token)
        yield target


def _check_way(target: Path, where: str) -> None:
    if target.exists() and not target.is_dir():
        raise InputError("this is a file, not a folder", where, "give a new folder")
    parent = next((place for place in target.parents if place.exists()), target)
    if not parent.is_dir():
        raise InputError(f"{parent} is a file, not a folder", where, "give another folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise InputError(f"{parent} cannot be written to", where, "give a folder in a place of yours")


def _make_parents(target: Path) -> list[Path]:
    """Those that were not there, the innermost first."""
    missing = [place for place in target.parents if not place.exists()]
    target.parent.mkdir(parents=True, exist_ok=True)
    return missing


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:  # it is in use
            return


def _neighbour(target: Path, ending: str) -> Path:
    """A path beside a folder that is always the same, so that the next process can look there."""
    return target.with_name(f".irassay-{short_hash(target.name)}.{ending}")


def recover(target: Path) -> None:
    """Undo what a process that was killed while it replaced the folder has left."""
    old = _neighbour(target, "old")
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)
    elif old.is_dir():
        os.replace(old, target)


def present(folder: Path) -> Path:
    """Where a folder is: the one it is about to replace, in the moment when it is not there."""
    real = Path(os.path.realpath(folder))
    for place in (real, *real.parents):
        if not place.exists() and (aside := _neighbour(place, "old")).is_dir():
            return aside / real.relative_to(place)
    return folder


def exchange(fresh: Path, target: Path) -> None:
    """A folder takes the place of another, if there is one.

    No system renames a folder over a full one, so the old one steps aside first. When the process is killed between
    the two renames, `recover` puts the old one back.
    """
    if not target.exists():
        os.replace(fresh, target)
        return
    old = _neighbour(target, "old")
    shutil.rmtree(old, ignore_errors=True)
    try:
        os.replace(target, old)
        os.replace(fresh, target)
    except BaseException:
        # decided by what is there, not by where it stopped: an interrupt can come between any two lines
        if old.exists() and not target.exists():
            try:
                os.replace(old, target)
            except OSError as problem:
                raise InputError(
                    f"cannot save: {problem.strerror or problem}",
                    str(target),
                    f"the earlier result is now {old}: rename it back",
                ) from problem
        raise
    finally:
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)


def check_replaceable(target: Path, where: str) -> None:
    """An error where a folder holds anything but a result, or unfinished work for one."""
    names = {entry.name for entry in target.iterdir()} - DESKTOP
    others = sorted(names - _OURS)
    if CHECKPOINT in names and not is_unfinished(target / CHECKPOINT):
        others = ["checkpoint is no unfinished study"]
    elif names - {CHECKPOINT} and not holds_result(target):
        raise InputError("this folder is not empty and not an irassay result", where, "give a new or an empty folder")
    if others:
        what = f"replacing this result would delete what else is in its folder: {', '.join(others[:5])}"
        raise InputError(what, where, "move that away, or give another folder")


def is_unfinished(checkpoint: Path) -> bool:
    """Whether a folder has nothing but what unfinished work saves: its own files, and its parts, finished or not."""
    return checkpoint.is_dir() and all(map(_is_own, checkpoint.iterdir()))


def _is_own(entry: Path) -> bool:
    if UNFINISHED.fullmatch(entry.name) or entry.name.startswith(".irassay-") or holds_result(entry):
        return True
    if not entry.is_dir():
        return False
    names = {one.name for one in entry.iterdir() if not one.name.startswith(".irassay-")}
    return not names or (names == {CHECKPOINT} and is_unfinished(entry / CHECKPOINT))


def holds_result(folder: Path) -> bool:
    return bool(result_record(folder))


def result_record(folder: Path) -> dict[str, object]:
    """The content of a folder's result.json; empty where there is no result."""
    try:
        content = json.loads((folder / "result.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) and content.get("format") == FORMAT else {}
