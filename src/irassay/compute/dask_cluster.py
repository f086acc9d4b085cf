"""The door to a Dask cluster: parts are tasks, the work they share is shipped to each worker once.

Merging stays here, in the order of the parts. A worker that dies costs the tasks it was on: the scheduler gives them to
another. The shared work is itself a task, not data scattered to workers: the scheduler can then make it again when the
workers that had it are gone, and nothing waits for a worker that has just died.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from irassay.errors import InputError, MissingExtraError

CONNECT = 10.0  # seconds for the scheduler to answer
ARRIVE = 60.0  # for workers to be there, at the start and after all have died
TASK = 0.2  # that a task should take: far more than it costs to hand one out
AHEAD = 3  # tasks in flight for each thread of the cluster
ASK = 2.0  # between looks at how large the cluster is
SAME = "start its scheduler and workers in the environment that this runs in"
HOW = "docs/cluster.md says how to start one"


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at an address, or of `local:N` processes on this machine, for as long as it is needed."""
    processes = _parsed(address)
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("dask", "--cluster") from None
    local = None
    try:
        if processes:
            local = distributed.LocalCluster(
                n_workers=processes, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
                memory_limit=None, silence_logs=logging.CRITICAL,
            )  # fmt: skip
        try:
            client = distributed.Client(local or address, timeout=CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as problem:
            what = f"no Dask scheduler answers at {address}"
            raise InputError(what, hint=f"start one there, or correct --cluster; {HOW}") from problem
        with client:
            yield Cluster(client, address)
    finally:
        if local is not None:
            local.close()


def _parsed(address: str) -> int:
    """How many processes `local:N` asks for; 0 for the address of a scheduler."""
    kind, _, rest = address.partition(":")
    if kind == "local" and rest.isdecimal() and int(rest) > 0:
        return int(rest)
    if "://" not in address:
        hint = "write tcp://HOST:PORT, where a Dask scheduler is, or local:N for N processes on this machine"
        raise InputError(f"the cluster is {address!r}", hint=hint)
    return 0


@cache
def versions() -> dict[str, str]:
    """What must be the same on every machine for the same numbers."""
    import numba
    import numpy
    import scipy

    from irassay._version import __version__
    from irassay.compute.kernel import PACKAGE

    sources = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        sources.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return {
        "Python": "{}.{}".format(*sys.version_info),
        "irassay": f"{__version__} (sources {sources.hexdigest()[:8]})",
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
    }


# by text: a worker without irassay could not even take a function of ours
_ASKED = "__import__('irassay.compute.dask_cluster', fromlist=['versions']).versions()"


def apply(work: Callable[[Any], Any], parts: Sequence[Any]) -> tuple[float, list[Any]]:
    """A task: the values of some parts, and how long they took."""
    begun = time.perf_counter()
    values = [work(part) for part in parts]
    return time.perf_counter() - begun, values


def held(pickled: bytes) -> Any:
    """A task: the work that other tasks share, unpacked once on each worker."""
    return pickle.loads(pickled)


class Cluster:
    """Workers that are known to compute as this machine does."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._threads, self._asked = 0, 0.0
        self._wait()
        self._compare()

    def _wait(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=ARRIVE)
        except TimeoutError:
            hint = f"start workers for it: dask worker {self._address}; {HOW}"
            raise InputError(f"the Dask scheduler at {self._address} has no workers", hint=hint) from None

    def _compare(self) -> None:
        """Every worker there is has the versions that are here."""
        try:
            found: dict[str, dict[str, str]] = self._client.run(eval, _ASKED)
            found[f"the scheduler at {self._address}"] = self._client.run_on_scheduler(eval, _ASKED)
        except ImportError as problem:
            what = f"the cluster at {self._address} cannot load irassay: {problem}"
            raise InputError(what, hint=SAME) from None
        except AttributeError:
            found = {"a worker": {"irassay": "an older one"}}
        for worker, theirs in found.items():
            for name, here in versions().items():
                if theirs.get(name) != here:
                    what = f"{worker} has {name} {theirs.get(name)}, and here it is {here}: numbers could differ"
                    raise InputError(what, hint=SAME)

    def _size(self) -> int:
        """Threads of all workers, looked up now and then: workers come and go."""
        if time.monotonic() - self._asked > ASK:
            self._threads = self._count()
            self._asked = time.monotonic()
        return max(1, self._threads)

    def _count(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except OSError as problem:
            raise self._gone() from problem

    def _gone(self) -> InputError:
        hint = "with --out the same command goes on from what was saved once it is there again"
        return InputError(f"the Dask cluster at {self._address} is gone", hint=hint)

    def work(
        self,
        work: Callable[[Any], Any],
        parts: Sequence[Any],
        todo: range,
        take: Callable[[int, Any], None],
    ) -> None:
        """Hand out the parts `todo` and take their values in order; so many are under way that no worker idles."""
        from distributed import CancelledError, KilledWorker
        from distributed.comm.core import CommClosedError

        run = _Run(self._client, work, parts, todo)
        try:
            while run.left:
                run.hand_out(AHEAD * self._size())
                for index, value in self._first(run):
                    take(index, value)
        except KilledWorker as problem:
            what = f"a part of the work has ended several workers of {self._address}"
            raise InputError(what, hint="they may need more memory: see their logs") from problem
        except (CancelledError, CommClosedError) as problem:
            raise self._gone() from problem
        finally:
            run.drop()

    def _first(self, run: _Run) -> Iterator[tuple[int, Any]]:
        from distributed import TimeoutError as NotYet

        alone = None
        while True:
            try:
                return run.first(timeout=ASK)
            except NotYet:
                # a scheduler waits for ever for workers to come back
                if self._count():
                    alone = None
                    continue
                alone = alone or time.monotonic()
                if time.monotonic() - alone > ARRIVE:
                    raise self._gone() from None


class _Run:
    """The tasks of one accumulation, first come first."""

    def __init__(self, client: Any, work: Any, parts: Sequence[Any], todo: range) -> None:
        import cloudpickle

        self._client, self._parts = client, parts
        self._next, self._end = todo.start, todo.stop
        self._size = 1  # parts of a task
        self._out: deque[tuple[range, Any]] = deque()
        # whoever knows Dask's advice: this is sent once all the same, and lives as long as the scheduler
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            self._held = client.submit(held, cloudpickle.dumps(work), key=f"irassay-{uuid.uuid4().hex}")

    @property
    def left(self) -> bool:
        return bool(self._out) or self._next < self._end

    def hand_out(self, most: int) -> None:
        while self._next < self._end and len(self._out) < most:
            # the last tasks are smaller, so that all workers end together
            size = max(1, min(self._size, (self._end - self._next) // most))
            taken = range(self._next, min(self._next + size, self._end))
            self._out.append((taken, self._submitted(taken)))
            self._next = taken.stop

    def _submitted(self, taken: range) -> Any:
        parts = [self._parts[index] for index in taken]
        return self._client.submit(apply, self._held, parts, key=f"irassay-{uuid.uuid4().hex}")

    def first(self, timeout: float) -> Iterator[tuple[int, Any]]:
        """The values of the first task that is out, with the numbers of their parts."""
        taken, future = self._out[0]
        seconds, values = future.result(timeout=timeout)
        self._out.popleft()
        self._size = max(1, min(2 * self._size, round(TASK * len(taken) / max(seconds, 1e-6))))
        return zip(taken, values, strict=True)

    def drop(self) -> None:
        """Forget it all; what is still under way is not needed."""
        if self._out:
            self._client.cancel([future for _, future in self._out])
        self._out.clear()
