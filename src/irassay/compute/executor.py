"""Work in parts: a plan makes blocks, an accumulator keeps what is needed of them, an executor runs both.

Accumulators run where a block is made (a thread, a worker of a cluster, a GPU); only their states travel, and they are
merged here in the order of the parts. Numbers cannot depend on where that is: the state of a part depends on the part
alone, and merging has one order. What a GPU has added up stays there until all is merged, or a checkpoint is saved.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from irassay.compute.gpu import to_host
from irassay.compute.memory import empty
from irassay.compute.threads import parallel_for
from irassay.progress import listener

if TYPE_CHECKING:
    from irassay.compute.checkpoint import Checkpoint, Entry
    from irassay.compute.dask_cluster import Cluster

CHUNK = 256  # replicates whose sums are made together: fixed, because the grouping of sums decides their last bits
AHEAD = 4  # small parts for each thread: a slow one holds up no other
State = dict[str, NDArray[Any]]  # of parts that a GPU works on, arrays may be CuPy's


class Plan(ABC):
    """What to compute: blocks for ranges of units (replicates, pairs, scenarios).

    A frozen dataclass of plain values and arrays: it is sent to other machines once, and its contents name a
    checkpoint.
    """

    chunk = 1  # the units of a part
    threads_inside = False  # whether parts are few and large, so that threads share the inside of each as well

    @property
    @abstractmethod
    def units(self) -> int:
        """How many there are; progress is counted in them."""

    @abstractmethod
    def block(self, part: range, jobs: int) -> Any:
        """What the accumulator takes; depends on the part alone."""

    def under_way(self, jobs: int) -> int:
        """How many parts are begun before the first of them is merged: what they hold is in memory together."""
        return 2 if self.threads_inside else AHEAD * jobs

    @property
    def gpu(self) -> bool:
        """Whether a GPU can make the blocks."""
        return False

    @property
    def gpu_chunk(self) -> int:
        """The units of a part on a GPU: all at once."""
        return max(1, self.units)

    def gpu_block(self, part: range, jobs: int) -> Any:
        """The same block from a GPU; by default from the CPU."""
        return self.block(part, jobs)


class Accumulator(ABC):
    """What is kept of the blocks; its states are all that ever changes, and belong to the executor."""

    def start(self) -> State:
        return {}

    def add(self, part: range, block: Any, jobs: int) -> State:
        """The state of one block, made where the block is; by default the block itself."""
        return block

    def on_gpu(self, state: State) -> State:
        """The state to go on from where a GPU makes the blocks: what parts are added to may be there."""
        return state

    @abstractmethod
    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        """Add the state of the next part to `state`."""

    def finish(self, state: State, jobs: int) -> State:
        """What is needed of the merged state, which is all that is returned."""
        return state


@dataclass(frozen=True)
class Rows(Accumulator):
    """Blocks are arrays with a row for each of their units: all rows, in order."""

    units: int

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        for name, rows in other.items():
            if name not in state:
                state[name] = empty((self.units, *rows.shape[1:]), rows.dtype, of="replicates")
            state[name][part.start : part.stop] = rows


@dataclass(frozen=True)
class Sums(Accumulator):
    """Blocks are arrays of one shape: their sums."""

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        for name, array in other.items():
            state[name] = state[name] + array if name in state else array


@dataclass(frozen=True)
class Task:
    """From a part to its state."""

    plan: Plan
    accumulator: Accumulator
    gpu: bool = False

    def __call__(self, part: range, jobs: int = 1) -> State:
        block = self.plan.gpu_block(part, jobs) if self.gpu else self.plan.block(part, jobs)
        return self.accumulator.add(part, block, jobs)

    def parts(self, first: int) -> list[range]:
        """From this unit on."""
        units, chunk = self.plan.units, self.plan.gpu_chunk if self.gpu else self.plan.chunk
        return [range(low, min(low + chunk, units)) for low in range(first, units, chunk)]


@dataclass(frozen=True)
class Executor:
    """Where parts are worked on, and where the merged state is saved; without either, threads do the work."""

    device: str = "cpu"
    cluster: Cluster | None = None
    checkpoint: Checkpoint | None = None

    def run(self, name: str, plan: Plan, accumulator: Accumulator, *, jobs: int = 1) -> State:
        """The finished state of all parts, its arrays read-only; `name` is for progress and messages."""
        entry = None if self.checkpoint is None else self.checkpoint.begin(name, (plan, accumulator))
        if entry is not None and entry.finished:
            return _read_only(entry.state)
        # work on a part is not shared out again, but may use the GPU
        with using(replace(self, cluster=None, checkpoint=None)):
            task = Task(plan, accumulator, gpu=self.device == "cuda" and plan.gpu)
            inside = jobs if plan.threads_inside or task.gpu else 1
            merge = _Merge(name, task, entry, inside)
            parts = task.parts(merge.done)
            if self.cluster is not None:
                self.cluster.run(task, parts, merge)
            else:
                threads = 1 if task.gpu else jobs
                ahead = plan.chunk * plan.under_way(jobs)
                parallel_for(
                    lambda part: merge(part, task(part, inside)),
                    parts,
                    threads,
                    ready=lambda part: part.start < merge.done + ahead,
                )
            final = _read_only(accumulator.finish(merge.state_on_host(), jobs))
        if entry is not None:
            entry.finish(final)
        return final


_executor: ContextVar[Executor] = ContextVar("executor", default=Executor())  # noqa: B039 (it is frozen)


def execute(name: str, plan: Plan, accumulator: Accumulator, *, jobs: int = 1) -> State:
    """`Executor.run` of the executor that a study was started with."""
    return _executor.get().run(name, plan, accumulator, jobs=jobs)


@contextmanager
def using(executor: Executor) -> Iterator[Executor]:
    token = _executor.set(executor)
    try:
        yield executor
    finally:
        _executor.reset(token)


_cluster: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


@contextmanager
def open_cluster(address: str | None) -> Iterator[Cluster | None]:
    """The cluster at an address, for all executors that are opened inside: starting one takes seconds."""
    present = _cluster.get()
    if address is None or (present is not None and present.address == address):
        yield present if address else None
        return
    from irassay.compute.dask_cluster import connected

    with connected(address) as cluster:
        token = _cluster.set(cluster)
        try:
            yield cluster
        finally:
            _cluster.reset(token)


@contextmanager
def open_executor(
    device: str = "cpu", cluster: str | None = None, checkpoint: Checkpoint | None = None
) -> Iterator[Executor]:
    """Everything inside runs there; a device, cluster or folder that cannot be used is an error before any work."""
    if device == "cuda":
        from irassay.compute.gpu import cupy

        cupy()
    if checkpoint is not None:
        checkpoint.open()
    with open_cluster(cluster) as workers, using(Executor(device, workers, checkpoint)) as executor:
        yield executor


def _read_only(state: State) -> State:
    for array in state.values():
        array.setflags(write=False)  # it may still have to be saved
    return state


class _Merge:
    """Takes the states of parts in any order, and merges them in the order of the parts.

    One thread at a time merges, and none waits for it: others leave their states here and go on.
    """

    def __init__(self, name: str, task: Task, entry: Entry | None, jobs: int) -> None:
        self.name, self.task, self.entry, self.jobs = name, task, entry, jobs
        self.done, self.state = 0, task.accumulator.start()
        if entry is not None:
            self.state, self.done = entry.state or self.state, entry.done  # what was saved
        if task.gpu:
            self.state = task.accumulator.on_gpu(self.state)
        self.progress = listener.get()  # threads have no context of their own
        self._waiting: dict[int, tuple[range, State]] = {}
        self._lock, self._merging = threading.Lock(), False
        self._report()

    def __call__(self, part: range, state: State) -> None:
        with self._lock:
            self._waiting[part.start] = part, state
            if self._merging:
                return
            self._merging = True  # for ever after an error: nothing is merged behind it
        while (following := self._next()) is not None:
            part, state = following
            self.task.accumulator.merge(self.state, part, state, self.jobs)
            self.done = part.stop
            self._report()
            if self.entry is not None:
                self.entry.reached(self.done, self.state_on_host)

    def _next(self) -> tuple[range, State] | None:
        with self._lock:
            following = self._waiting.pop(self.done, None)
            self._merging = following is not None
            return following

    def state_on_host(self) -> State:
        """The merged state with all its arrays here."""
        return {name: to_host(array) for name, array in self.state.items()}

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self.name, self.done, self.task.plan.units)
