"""A Dask cluster: parts are tasks, and the plan they share is sent to each worker once.

Merging stays here, in the order of the parts. A worker that dies costs the tasks it was on: the scheduler gives them to
another. The shared plan is itself a task, not data scattered to workers: the scheduler can then make it again when the
workers that had it are gone, and nothing waits for a worker that has just died.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import pkgutil
import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from itertools import islice, takewhile
from typing import Any

from irassay.compute.executor import State, Task
from irassay.errors import InputError, UnavailableError, import_extra

MOST_PROCESSES = 1024  # of a local cluster
CONNECT = 10.0  # seconds for the scheduler to answer
ARRIVE = 60.0  # for workers to be there, at the start and after all have died
TASK = 0.2  # that a task should take: far more than it costs to submit one
AHEAD = 3  # tasks in flight for each thread of the cluster
FETCHED = 1 << 26  # bytes of states that are fetched together
POLL = 2.0  # between looks at how large the cluster is
SAME = "start its scheduler and workers in the environment that this runs in"
HOW = "docs/cluster.md says how to start one"


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at an address, or of `local:N` processes on this machine, for as long as it is needed."""
    processes = _local_processes(address)
    distributed = import_extra("distributed", "dask", "--cluster")
    with ExitStack() as stack:
        scheduler = address
        if processes:
            scheduler = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=logging.CRITICAL,
                )
            )
        try:
            # states come from the workers themselves, or where they cannot be reached, by way of the scheduler
            client = distributed.Client(scheduler, timeout=CONNECT, set_as_default=False, direct_to_workers=True)
        except (OSError, ValueError) as problem:
            raise InputError(
                f"no Dask scheduler answers at {address}", hint=f"start one there, or correct --cluster; {HOW}"
            ) from problem
        yield Cluster(stack.enter_context(client), address)


def _local_processes(address: str) -> int:
    """How many processes `local:N` asks for; 0 for the address of a scheduler."""
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and 0 < int(rest[:5]) <= MOST_PROCESSES:
        return int(rest)
    if "://" not in address:
        raise InputError(
            f"the cluster is {address!r}",
            hint="write tcp://HOST:PORT, where a Dask scheduler is, or local:N for N processes on this machine, "
            f"up to {MOST_PROCESSES:,}",
        )
    return 0


@cache
def versions() -> dict[str, str]:
    """What must be the same on every machine for the same numbers."""
    from irassay._version import __version__
    from irassay.compute.kernel import PACKAGE

    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return {
        "Python": "{}.{}".format(*sys.version_info),
        "irassay": f"{__version__} (sources {sources.hexdigest()[:8]})",
        **{name: import_module(name).__version__ for name in ("numpy", "scipy", "numba")},
    }


VERSIONS = "irassay.compute.dask_cluster:versions"


def run_parts(task: Task, parts: Sequence[range]) -> tuple[float, list[State]]:
    """A Dask task: the states of some parts, and how long they took."""
    begun = time.perf_counter()
    states = [task(part) for part in parts]
    return time.perf_counter() - begun, states


class Cluster:
    """Workers that are known to compute as this machine does."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self.address = client, address
        self._threads, self._counted = 0, 0.0
        self._wait()
        self._compare()

    def _wait(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=ARRIVE)
        except TimeoutError:
            raise InputError(
                f"the Dask scheduler at {self.address} has no workers",
                hint=f"start workers for it: dask worker {self.address}; {HOW}",
            ) from None

    def _compare(self) -> None:
        """Every worker there is has the versions that are here."""
        try:
            # by name first: a worker without irassay cannot even take a function of ours
            for ask in (self._client.run, self._client.run_on_scheduler):
                ask(pkgutil.resolve_name, VERSIONS)
            theirs: dict[str, dict[str, str]] = self._client.run(versions)
            theirs[f"the scheduler at {self.address}"] = self._client.run_on_scheduler(versions)
        except ImportError as problem:
            raise InputError(f"the cluster at {self.address} cannot load irassay: {problem}", hint=SAME) from None
        except AttributeError:
            theirs = {"a worker": {"irassay": "an older one"}}
        for worker, packages in theirs.items():
            for name, here in versions().items():
                if packages.get(name) != here:
                    raise InputError(
                        f"{worker} has {name} {packages.get(name)}, and here it is {here}: numbers could differ",
                        hint=SAME,
                    )

    def _size(self) -> int:
        """Threads of all workers, looked up now and then: workers come and go."""
        if time.monotonic() - self._counted > POLL:
            self._threads = self._count()
            self._counted = time.monotonic()
        return max(1, self._threads)

    def _count(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except OSError as problem:
            raise self._gone() from problem

    def _gone(self) -> UnavailableError:
        return UnavailableError(
            f"the Dask cluster at {self.address} is gone",
            hint="with --out the same command goes on from what was saved once it is there again",
        )

    def run(self, task: Task, parts: Sequence[range], merge: Callable[[range, State], None]) -> None:
        """Hand out the parts and take their states in order; so many are under way that no worker idles."""
        try:
            tasks = _Tasks(self._client, task, parts)
        except Exception as problem:
            if self._client.status == "running":
                raise
            raise self._gone() from problem  # since the work before this
        try:
            while tasks.left:
                for part, state in self._first(tasks):
                    merge(part, state)
        finally:
            with suppress(Exception):  # what has gone need not be told
                tasks.cancel()

    def _first(self, tasks: _Tasks) -> Iterator[tuple[range, State]]:
        from distributed import CancelledError, KilledWorker

        alone_since: float | None = None
        try:
            tasks.submit(AHEAD * self._size())
            while (states := tasks.first(timeout=POLL)) is None:
                # a scheduler waits for ever for workers to come back
                alone_since = None if self._count() else alone_since or time.monotonic()
                if alone_since is not None and time.monotonic() - alone_since > ARRIVE:
                    raise self._gone()
            return states
        except KilledWorker as problem:
            raise InputError(
                f"a part of the work has ended several workers of {self.address}",
                hint="they may need more memory: see their logs",
            ) from problem
        except Exception as problem:
            lost = isinstance(problem, (CancelledError, OSError)) or self._client.status != "running"
            if tasks.failed or not lost or isinstance(problem, InputError):  # an error of the work itself
                raise
            raise self._gone() from problem


class _Tasks:
    """The Dask tasks of one accumulation, in the order of their parts."""

    def __init__(self, client: Any, task: Task, parts: Sequence[range]) -> None:
        import cloudpickle

        self._client, self._parts = client, parts
        self._next = 0
        self._size = 1  # parts of a task
        self._submitted: deque[tuple[Sequence[range], Any]] = deque()
        # whoever knows Dask's advice: this is sent once all the same, and lives as long as the scheduler
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            self._task = self._submit(pickle.loads, cloudpickle.dumps(task))  # a task that the others share

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(function, *arguments, key=f"irassay-{uuid.uuid4().hex}")

    @property
    def left(self) -> bool:
        return self._next < len(self._parts) or bool(self._submitted)

    @property
    def failed(self) -> bool:
        return bool(self._submitted) and self._submitted[0][1].status == "error"

    def submit(self, most: int) -> None:
        """Tasks until so many are under way."""
        while self._next < len(self._parts) and len(self._submitted) < most:
            # the last tasks are smaller, so that all workers end together
            size = max(1, min(self._size, (len(self._parts) - self._next) // most))
            parts = self._parts[self._next : self._next + size]
            self._submitted.append((parts, self._submit(run_parts, self._task, parts)))
            self._next += len(parts)

    def first(self, timeout: float) -> Iterator[tuple[range, State]] | None:
        """The parts of the first task and their states, small ones with those of the tasks behind it that have ended
        too; None where it has not ended after so many seconds."""
        parts, future = self._submitted[0]
        try:
            results = [future.result(timeout=timeout)]
        except TimeoutError:
            if self.failed:  # the work's own error
                raise
            return None
        seconds, states = results[0]
        self._size = max(1, min(2 * self._size, round(TASK * len(parts) / max(seconds, 1e-6))))
        self._submitted.popleft()
        behind = FETCHED // max(1, sum(array.nbytes for state in states for array in state.values()))
        ended = list(takewhile(lambda one: one[1].status == "finished", islice(self._submitted, behind)))
        if ended:  # one journey for them all
            results += self._client.gather([other for _, other in ended])
        for _ in ended:
            self._submitted.popleft()
        several = [parts, *(more for more, _ in ended)]
        return (
            (part, state)
            for of, (_, made) in zip(several, results, strict=True)
            for part, state in zip(of, made, strict=True)
        )

    def cancel(self) -> None:
        """Whatever is still under way is not needed."""
        if self._submitted:
            self._client.cancel([future for _, future in self._submitted])
        self._submitted.clear()
