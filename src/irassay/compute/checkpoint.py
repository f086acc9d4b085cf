"""Long work that was killed goes on where it was last saved.

A checkpoint is a folder: `study.json` says whose it is, and one file per accumulation, numbered in the order in which
they come, has what was merged and the next part. Every file is replaced as a whole, so whenever the process dies the
folder is one that can be gone on from. What was saved is taken up only by the same work: the study and its settings are
compared before any work, the arrays that go into each accumulation by their digest.
"""

from __future__ import annotations

import json
import logging
import time
import zipfile
from collections.abc import Mapping, Sequence
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
SCHEMA = 1
_META = "irassay"  # beside the arrays of a state


class Checkpoint:
    """The unfinished work of one study, in `folder`.

    `identity` names the study and everything that could change its numbers but the inputs; `free` are settings that
    need not be the same, unless they lead to other work.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any], free: Mapping[str, Any]) -> None:
        self.folder = folder
        self._identity, self._free = _texts(identity), _texts(free)
        self._earlier: dict[str, Any] | None = None  # study.json, where there is one
        self._calls = 0
        self._pending: list[Saving] = []  # finished, and not saved yet
        self._due = time.monotonic() + EVERY

    def open(self) -> None:
        """Look for earlier work; an error if it is that of another study."""
        place = self.folder / "study.json"
        try:
            found = json.loads(place.read_bytes())
        except FileNotFoundError:
            return
        except (OSError, ValueError) as problem:
            raise self._refusal(f"the unfinished work here cannot be read: {problem}") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT or found.get("schema") != SCHEMA:
            raise self._refusal("the unfinished work here is of another irassay")
        earlier = found["identity"]
        for name in {**earlier, **self._identity}:
            then, now = earlier.get(name, "unset"), self._identity.get(name, "unset")
            if then != now:
                raise self._refusal(f"unfinished work is here, and {name} was {then} and is now {now}")
        self._earlier = found

    def begin(self, what: str, work: Any, parts: Sequence[Any], state: dict[str, Any]) -> Saving:
        """The next accumulation; takes up what was saved of it."""
        number = self._calls
        self._calls += 1
        return Saving(self, number, what, work, parts, state)

    def save(self, current: Saving | None = None) -> None:
        """Write what is finished and not yet saved, and what is under way."""
        begun = time.monotonic()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._earlier is None:
                for stale in self.folder.iterdir():  # of a study whose name somebody has deleted
                    if UNFINISHED.fullmatch(stale.name):
                        stale.unlink()
                record = {"format": FORMAT, "schema": SCHEMA, "identity": self._identity, "free": self._free}
                text = json.dumps(record, indent=1).encode()
                atomic_write(self.folder / "study.json", lambda file: file.write(text))
                self._earlier = record
            for saving in (*self._pending, *([] if current is None else [current])):
                atomic_write(self.folder / saving.file, saving.write)
            self._pending.clear()
        except OSError as problem:
            # the study may well end before anybody needs this
            log.warning("the unfinished work is not saved in %s: %s", self.folder, problem.strerror or problem)
        now = time.monotonic()
        self._due = now + max(EVERY, (now - begun) / SHARE)

    @property
    def due(self) -> bool:
        return time.monotonic() >= self._due

    def finished(self, saving: Saving) -> None:
        self._pending.append(saving)
        if self.due:
            self.save()

    def load(self, file: str) -> dict[str, Any] | None:
        """The arrays of an accumulation and its record, or None where nothing of it was saved."""
        if self._earlier is None:
            return None
        try:
            with np.load(self.folder / file, allow_pickle=False) as arrays:
                found = dict(arrays)
            record = json.loads(found.pop(_META).tobytes())
            return {"state": found, **record}
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as problem:
            # nothing is lost but time
            log.warning("%s cannot be read and is made again: %s", self.folder / file, problem)
            return None

    def refuse(self, what: str) -> InputError:
        """The work is not what was saved, though the settings are: say what it may be."""
        assert self._earlier is not None
        free = self._earlier.get("free", {})
        for name, now in self._free.items():
            if free.get(name, now) != now:
                return self._refusal(f"unfinished work is here, and {name} was {free[name]} and is now {now}")
        return self._refusal(f"unfinished work is here, on other inputs: {what} is not what it was")

    def _refusal(self, what: str) -> InputError:
        where = str(self.folder.parent)
        return InputError(
            what, where, f"go on with what it was, give another --out, or start over: delete {self.folder}"
        )


class Saving:
    """One accumulation of a checkpoint: where it starts, and how far it has come."""

    def __init__(
        self, checkpoint: Checkpoint, number: int, what: str, work: Any, parts: Sequence[Any], state: dict[str, Any]
    ) -> None:
        self._checkpoint, self._state, self._parts = checkpoint, state, parts
        self._work: Any = work
        self._digest, self._finished = "", False
        self.what, self.file = what, f"{number:04d}.npz"
        self.next = 0
        self.final: dict[str, Any] | None = None  # where it had come to its end
        self._resume()

    def _resume(self) -> None:
        found = self._checkpoint.load(self.file)
        if found is None:
            return
        finished = found["finished"]
        same = finished or _form(found["state"]) == _form(self._state)
        if found["digest"] != self.digest or not same:
            raise self._checkpoint.refuse(self.what)
        self.next = found["next"]
        if finished:
            self.final = found["state"]
            return
        for name, array in found["state"].items():
            self._state[name][...] = array

    @property
    def digest(self) -> str:
        if not self._digest:
            self._digest = digest((self.what, self._work, self._parts))
        return self._digest

    def reached(self, part: int) -> None:
        """So many parts are merged."""
        self.next = part
        if self._checkpoint.due:
            self._checkpoint.save(self)

    def finish(self, final: dict[str, Any]) -> None:
        """All parts are merged, and this is what is kept of them."""
        _ = self.digest  # the work itself need not be kept
        self._work, self._state, self.next, self._finished = None, final, len(self._parts), True
        self._checkpoint.finished(self)

    def write(self, file: BinaryIO) -> None:
        record = {"what": self.what, "digest": self.digest, "next": self.next, "finished": self._finished}
        meta = np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)
        arrays: dict[str, Any] = {_META: meta, **self._state}
        np.savez(file, **arrays)


def _form(state: dict[str, Any]) -> dict[str, Any]:
    return {name: (array.shape, array.dtype) for name, array in state.items()}


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
