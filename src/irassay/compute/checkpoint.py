"""Long work that was killed is resumed where it was last saved.

A checkpoint is a folder: `study.json` says whose it is, and one file for each accumulation, numbered in the order in
which they come, has the merged state and how many units are done. Every file is replaced as a whole, so work can be
resumed whenever the process dies. It is resumed by the same work only: the study and its settings are compared before
any work, the plan of each accumulation by its digest.
"""

from __future__ import annotations

import json
import logging
import shutil
import time
import zipfile
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from irassay.compute.digest import digest
from irassay.errors import InputError
from irassay.files import atomic_write
from irassay.settings import UNFINISHED

log = logging.getLogger("irassay")

EVERY = 30.0  # seconds between two savings, at least
SHARE = 0.05  # of the time, at most, goes into saving
FORMAT = "irassay checkpoint"
SCHEMA = 2
_META = "irassay"  # beside the arrays of a state


class Checkpoint:
    """The unfinished work of one study, in `folder`.

    `identity` names the study and everything that could change its numbers but the inputs; `free` are settings that
    need not be the same, unless they lead to other work. With `force` what is of another study is thrown away.
    """

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], free: Mapping[str, Any], *, force: bool = False
    ) -> None:
        self.folder, self._force = folder, force
        self._identity, self._free = _texts(identity), _texts(free)
        self._earlier: dict[str, Any] = {}  # study.json, where there is one
        self._entries = 0
        self._unsaved: list[Entry] = []  # finished, and not saved yet
        self._due = time.monotonic() + EVERY

    def open(self) -> None:
        """Look for earlier work; an error if it is that of another study."""
        try:
            self._earlier = self._read()
        except InputError:
            if not self._force:
                raise
            shutil.rmtree(self.folder)

    def _read(self) -> dict[str, Any]:
        try:
            record = json.loads((self.folder / "study.json").read_bytes())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as problem:
            raise self._refusal(f"the unfinished work here cannot be read: {problem}") from None
        if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("schema") != SCHEMA:
            raise self._refusal("the unfinished work here is of another irassay")
        self._compare(record["identity"], self._identity)
        return record

    def begin(self, name: str, work: Any) -> Entry:
        """The next accumulation, with what was saved of it."""
        file = f"{self._entries:04d}.npz"
        self._entries += 1
        entry = Entry(self, file, name, work)
        saved = self._load(file)
        if saved is not None:
            if saved["digest"] != entry.digest and not self._force:
                # the work is another one, though the settings are the same: say what the reason may be
                self._compare(self._earlier.get("free", self._free), self._free)
                raise self._refusal(f"unfinished work is here, on other inputs: {name} is not what it was")
            if saved["digest"] == entry.digest:
                entry.state, entry.done, entry.finished = saved["state"], saved["done"], saved["finished"]
        return entry

    def save(self, *current: Entry) -> None:
        """Write what is finished and not yet saved, and what is under way."""
        begun = time.monotonic()
        try:
            self.mark()
            for entry in (*self._unsaved, *current):
                atomic_write(self.folder / entry.file, entry.write)
            self._unsaved.clear()
        except OSError as problem:
            # the study may well end before anybody needs this
            log.warning("the unfinished work is not saved in %s: %s", self.folder, problem.strerror or problem)
        self._wait(begun)

    def mark(self) -> None:
        """Say whose the folder is, before anything else is in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._earlier:
            return
        for stale in self.folder.iterdir():  # of a study whose name somebody has deleted
            if UNFINISHED.fullmatch(stale.name):
                stale.unlink()
        record = {"format": FORMAT, "schema": SCHEMA, "identity": self._identity, "free": self._free}
        atomic_write(self.folder / "study.json", lambda file: file.write(json.dumps(record, indent=1).encode()))
        self._earlier = record

    def _wait(self, begun: float) -> None:
        now = time.monotonic()
        self._due = now + max(EVERY, (now - begun) / SHARE)

    @property
    def due(self) -> bool:
        return time.monotonic() >= self._due

    def finished(self, entry: Entry) -> None:
        self._unsaved.append(entry)
        if self.due:
            self.save()

    def _load(self, file: str) -> dict[str, Any] | None:
        """The arrays of an accumulation and its record, or None where nothing of it was saved."""
        if not self._earlier:
            return None
        try:
            with np.load(self.folder / file, allow_pickle=False) as arrays:
                state = dict(arrays)
            return {**json.loads(state.pop(_META).tobytes()), "state": state}
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as problem:
            # nothing is lost but time
            log.warning("%s cannot be read and is made again: %s", self.folder / file, problem)
            return None

    def _compare(self, earlier: Mapping[str, str], present: Mapping[str, str]) -> None:
        """An error if a setting is not what it was."""
        for name in {**earlier, **present}:
            then, now = earlier.get(name, "unset"), present.get(name, "unset")
            if then != now:
                raise self._refusal(f"unfinished work is here, and {name} was {then} and is now {now}")

    def _refusal(self, what: str) -> InputError:
        return InputError(
            what,
            str(self.folder.parent),
            "go on with what it was, give another --out, or start over with --force",
        )


class Entry:
    """One accumulation of a checkpoint: how far it has come."""

    def __init__(self, checkpoint: Checkpoint, file: str, name: str, work: Any) -> None:
        self._checkpoint, self.file, self.name, self._work = checkpoint, file, name, work
        self.state: dict[str, Any] = {}  # what was saved, and what is left in the end
        self._current: Callable[[], dict[str, Any]] = dict
        self.done, self.finished = 0, False

    @cached_property
    def digest(self) -> str:
        return digest((self.name, self._work))

    def reached(self, done: int, state: Callable[[], dict[str, Any]]) -> None:
        """So many units are merged, into a state that is asked for when it is saved."""
        self.done, self._current = done, state
        if self._checkpoint.due:
            self._checkpoint.save(self)

    def finish(self, final: dict[str, Any]) -> None:
        """All units are merged, and this is what is kept of them."""
        _ = self.digest  # the work itself need not be kept
        self._work, self._current, self.state, self.finished = None, dict, final, True
        self._checkpoint.finished(self)

    def write(self, file: BinaryIO) -> None:
        record = {"name": self.name, "digest": self.digest, "done": self.done, "finished": self.finished}
        meta = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
        np.savez(file, **{_META: meta, **(self.state if self.finished else self._current())})


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
