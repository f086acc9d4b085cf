"""Chunked work: parts go out, and what comes back is merged in the order of the parts.

Where parts are worked on is not the business of who asks: by threads, or by the workers of a cluster; and whether what
is merged is saved now and then, so that a killed study goes on where it was. Whoever starts a study opens these doors
around it (`opened`). Numbers cannot depend on them: a part's value depends on the part alone, merging has one order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from irassay.compute.device import on_gpu
from irassay.compute.progress import listener
from irassay.compute.threads import parallel_for

if TYPE_CHECKING:
    from irassay.compute.checkpoint import Checkpoint, Saving
    from irassay.compute.dask_cluster import Cluster

Part = TypeVar("Part")
Value = TypeVar("Value")
State = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Doors:
    """Where the work of a study goes, and where what is merged is saved."""

    cluster: Cluster | None = None
    checkpoint: Checkpoint | None = None


CLOSED = Doors()
_doors: ContextVar[Doors] = ContextVar("doors", default=CLOSED)
_threads: ContextVar[int] = ContextVar("threads", default=1)


@contextmanager
def opened(cluster: str | None, checkpoint: Checkpoint | None) -> Iterator[None]:
    """Everything accumulated inside goes through these doors; what cannot be opened is an error before any work."""
    with ExitStack() as stack:
        if checkpoint is not None:
            checkpoint.open()
        found = None
        if cluster is not None:
            from irassay.compute.dask_cluster import connected

            found = stack.enter_context(connected(cluster))
        token = _doors.set(Doors(found, checkpoint))
        stack.callback(_doors.reset, token)
        yield


def threads() -> int:
    """How many threads the work on a coarse part may use itself."""
    return _threads.get()


def accumulate(
    what: str,
    work: Callable[[Part], Value],
    parts: Sequence[Part],
    state: State,
    add: Callable[[State, Part, Value], None],
    *,
    jobs: int = 1,
    coarse: bool = False,
    gpu: Callable[[], State] | None = None,
    finish: Callable[[State], State] | None = None,
    units: int | None = None,
) -> State:
    """Merge the work on all parts into `state`, part after part; afterwards its arrays are read-only.

    `work` is a dataclass of plain values and arrays with a `__call__`: it is sent to other machines once, and its
    contents say whether saved work is the same. `add` runs here, one part at a time. `coarse`: parts are few and large,
    so threads are not for different parts but for the inside of each (`threads`). `gpu` makes the state at once where
    a GPU is used. `finish` brings a large state down to what is needed of it, which is then all that is kept and
    returned. Progress is told in so many `units`, else in parts.
    """
    doors = _doors.get()
    saving = None if doors.checkpoint is None else doors.checkpoint.begin(what, work, parts, state)
    if saving is not None and saving.final is not None:
        if finish is not None:
            return _frozen(saving.final)
        for name, array in saving.final.items():
            state[name][...] = array
        return _frozen(state)
    merging = _Merging(what, parts, state, add, saving, units or len(parts))
    # whatever works on a part does not share that out again
    token, inside = _doors.set(CLOSED), _threads.set(jobs if coarse else 1)
    try:
        todo = range(merging.next, len(parts))
        if gpu is not None and on_gpu():
            for name, array in gpu().items():
                state[name][...] = array
        elif doors.cluster is not None:
            doors.cluster.work(work, parts, todo, merging)
        else:
            parallel_for(lambda index: merging(index, work(parts[index])), todo, 1 if coarse else jobs)
    finally:
        _doors.reset(token)
        _threads.reset(inside)
    final = _frozen(state if finish is None else finish(state))
    if saving is not None:
        saving.finish(final)
    return final


def _frozen(state: State) -> State:
    for array in state.values():
        array.setflags(write=False)  # it may still have to be saved
    return state


def add_counts(state: State, _: object, counts: NDArray[Any]) -> None:
    """For `accumulate`: sums of what the parts counted."""
    state["counts"] += counts


class _Merging:
    """Takes the values of parts in any order, and adds them in the order of the parts."""

    def __init__(
        self,
        what: str,
        parts: Sequence[Any],
        state: State,
        add: Callable[[State, Any, Any], None],
        saving: Saving | None,
        units: int,
    ) -> None:
        self.what, self.parts, self.state, self.add, self.saving, self.units = what, parts, state, add, saving, units
        self.next = 0 if saving is None else saving.next
        self.tell = listener.get()  # threads have no context of their own
        self._waiting: dict[int, Any] = {}
        self._lock = threading.Lock()

    def __call__(self, index: int, value: Any) -> None:
        with self._lock:
            self._waiting[index] = value
            while self.next in self._waiting:
                self.add(self.state, self.parts[self.next], self._waiting.pop(self.next))
                self.next += 1
                if self.tell is not None:
                    self.tell(self.what, self.units * self.next // len(self.parts), self.units)
                if self.saving is not None:
                    self.saving.reached(self.next)
