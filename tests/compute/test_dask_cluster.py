"""On a Dask cluster: the same bits for any number of workers, also when workers die, and clear words when it fails."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irassay
from irassay.cli import run
from irassay.compute import checkpoint, dask_cluster
from irassay.compute.checkpoint import Checkpoint
from irassay.compute.executor import Accumulator, Plan, State, execute, open_executor
from irassay.errors import InputError
from irassay.progress import listener
from irassay.studies.kept_results import KeptResults
from tests.helpers.long_work import STUDIES, bits, collection

distributed = pytest.importorskip("distributed")
Data = tuple[str, str]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return collection(tmp_path_factory.mktemp("collection") / "data")


def started(workers: int) -> Any:
    """Worker processes that come back when they die."""
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=":0",
        memory_limit=None,
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    with started(2) as result:
        yield result


@pytest.fixture
def address(workers: Any) -> str:
    workers.wait_for_workers(1, timeout=60)
    return str(workers.scheduler_address)


@pytest.fixture
def alone() -> Iterator[Any]:
    """One worker, for what is hard on them."""
    with started(1) as result:
        yield result


@pytest.mark.filterwarnings("ignore:.*unequal-variances")
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_the_same_bits_on_a_cluster(name: str, data: Data, address: str) -> None:
    study, settings = STUDIES[name]
    assert bits(study(*data, **settings, cluster=address)) == bits(study(*data, **settings, jobs=1))


def test_processes_on_this_machine_need_no_scheduler(data: Data, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["swap", *data, "-m", "AP GM(AP)", "--resamples", "600", "--format", "json"]
    assert run([*arguments, "--cluster", "local:2"]) == 0
    there = capfd.readouterr().out
    assert run(arguments) == 0
    assert there == capfd.readouterr().out


FULL: dict[str, Any] = {"measures": "AP RR", "resamples": 120, "only": "power,swap,agreement"}
MANY: dict[str, tuple[Any, dict[str, Any]]] = {
    "study": (irassay.study, FULL),
    "paper": (irassay.paper, {"resamples": 100, "top": 4}),
}


def bits_of_all(results: Any) -> Any:
    if isinstance(results, irassay.Result):
        return bits(results)
    assert not results.failures
    return {part: bits(result) for part, result in results.items()}


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", MANY)
def test_work_of_many_studies_has_the_same_bits_on_one_connection_to_a_cluster(
    name: str, data: Data, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections: list[str] = []
    connected = dask_cluster.connected

    def counted(at: str) -> Any:
        connections.append(at)
        return connected(at)

    monkeypatch.setattr(dask_cluster, "connected", counted)
    study, settings = MANY[name]
    inputs = ("sakai2007one", *data) if name == "paper" else data
    assert bits_of_all(study(*inputs, **settings, cluster=address)) == bits_of_all(study(*inputs, **settings, jobs=1))
    assert connections == [address]


@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
@pytest.mark.parametrize("name", MANY)
def test_work_of_many_studies_goes_on_elsewhere_when_the_cluster_has_gone(
    name: str, data: Data, alone: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[str] = []
    keep: Any = KeptResults.keep

    def noted(self: KeptResults, part: str, result: irassay.Result) -> None:
        keep(self, part, result)
        kept.append(part)

    def close(what: str, done: int, total: int, item: str = "") -> None:
        if kept and what.startswith(("pairs", "samples")):
            alone.close()

    monkeypatch.setattr(KeptResults, "keep", noted)
    study, settings = MANY[name]
    inputs = ("sakai2007one", *data) if name == "paper" else data
    out = str(tmp_path / "out")
    token = listener.set(close)
    try:
        with pytest.raises(InputError, match="is gone"):
            study(*inputs, **settings, cluster=alone.scheduler_address, out=out)
    finally:
        listener.reset(token)
    assert [place.name for place in (tmp_path / "out").iterdir()] == ["checkpoint"]
    assert bits_of_all(study(*inputs, **settings, out=out)) == bits_of_all(study(*inputs, **settings))


def test_a_full_study_without_the_extra_is_refused_before_any_work(
    data: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["study", *data, "--cluster", "local:2", "--out", str(tmp_path / "out")]) == 3
    assert "irassay[dask]" in capfd.readouterr().err


PARTS = range(60)


@dataclass
class Squares(Plan):
    """Squares its units and notes each in a file; the marked ones end their worker, once or always."""

    notes: str
    deadly: tuple[int, ...] = ()
    always: bool = False

    @property
    def units(self) -> int:
        return len(PARTS)

    def block(self, part: range, jobs: int) -> int:
        (unit,) = part
        folder = Path(self.notes)
        with (folder / "parts").open("a") as file:
            file.write(f"{unit}\n")
        if unit in self.deadly:
            mark = folder / f"died{unit}"
            if self.always or not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return unit * unit

    @property
    def worked_on(self) -> list[int]:
        return sorted(map(int, (Path(self.notes) / "parts").read_text().split()))


@dataclass
class InOrder(Accumulator):
    """Units and their values in the order in which they were merged."""

    def add(self, part: range, block: int, jobs: int) -> State:
        return {"merged": np.array([[part.start, block]])}

    def merge(self, state: State, part: range, other: State, jobs: int) -> None:
        state["merged"] = np.concatenate([state["merged"], other["merged"]]) if state else other["merged"]


def squares(plan: Squares, address: str) -> list[tuple[int, int]]:
    with open_executor(cluster=address):
        state = execute("squares", plan, InOrder())
    return [tuple(row) for row in state["merged"].tolist()]


EXPECTED = [(part, part * part) for part in PARTS]


def test_a_worker_that_is_killed_costs_its_parts_only(tmp_path: Path, address: str) -> None:
    plan = Squares(str(tmp_path), deadly=(20,))
    assert squares(plan, address) == EXPECTED
    assert (tmp_path / "died20").exists()
    again = len(plan.worked_on) - len(PARTS)
    assert 1 <= again < len(PARTS) / 2


def test_a_study_survives_a_killed_worker(data: Data, address: str, workers: Any) -> None:
    reports: list[int] = []

    def kill(what: str, done: int, total: int, item: str = "") -> None:
        reports.append(done)
        if len(reports) == 2:
            nanny = next(iter(workers.workers.values()))
            os.kill(nanny.pid, signal.SIGKILL)

    study, settings = STUDIES["incomplete"]
    token = listener.set(kill)
    try:
        result = study(*data, **settings, cluster=address)
    finally:
        listener.reset(token)
    assert len(reports) > 2
    assert bits(result) == bits(study(*data, **settings))


def test_what_was_shipped_is_shipped_again_when_all_workers_have_died(tmp_path: Path, alone: Any) -> None:
    assert squares(Squares(str(tmp_path), deadly=(20,)), alone.scheduler_address) == EXPECTED


def test_a_part_that_ends_every_worker_is_an_error_not_a_loop(
    tmp_path: Path, alone: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alone.scheduler, "allowed_failures", 1)
    with pytest.raises(InputError, match="has ended several workers") as caught:
        squares(Squares(str(tmp_path), deadly=(20,), always=True), alone.scheduler_address)
    assert "memory" in caught.value.hint


def test_a_cluster_that_goes_away_is_an_error(tmp_path: Path, alone: Any) -> None:
    token = listener.set(lambda what, done, total, item="": alone.close() if done == 5 else None)
    try:
        with pytest.raises(InputError, match="is gone") as caught:
            squares(Squares(str(tmp_path)), alone.scheduler_address)
    finally:
        listener.reset(token)
    assert "goes on from what was saved" in caught.value.hint


def test_an_error_in_a_part_comes_back_as_it_is(address: str) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        squares(Squares("/nowhere"), address)


@pytest.mark.parametrize("first", ["threads", "cluster"])
def test_unfinished_work_goes_on_elsewhere(
    first: str, data: Data, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, settings = STUDIES["power"]
    monkeypatch.setattr(checkpoint, "EVERY", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", float("inf"))
    where: dict[str, dict[str, Any]] = {"threads": {"jobs": 1}, "cluster": {"cluster": address}}
    save, left = Checkpoint.save, [6]

    def counted(self: Checkpoint, *arguments: Any) -> None:
        save(self, *arguments)
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "save", counted)
        with pytest.raises(KeyboardInterrupt):
            study(*data, **settings, out=str(tmp_path / "out"), **where.pop(first))
    (other,) = where.values()
    assert bits(study(*data, **settings, out=str(tmp_path / "out"), **other)) == bits(study(*data, **settings))


def test_a_scheduler_that_does_not_answer_is_an_error_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dask_cluster, "CONNECT", 0.3)
    assert run(["swap", "no such file", "nor this", "--cluster", "tcp://127.0.0.1:9"]) == 2
    said = capfd.readouterr().err
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in said
    assert "docs/cluster.md" in said
    assert "Traceback" not in said


def test_a_scheduler_without_workers_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "ARRIVE", 0.3)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", processes=False) as empty,
        pytest.raises(InputError, match="has no workers") as caught,
        open_executor(cluster=empty.scheduler_address),
    ):
        pass
    assert "dask worker" in caught.value.hint


@pytest.mark.parametrize("name", ["irassay", "numpy", "numba", "Python"])
def test_another_version_on_a_worker_is_an_error_that_names_it(
    name: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, process = dask_cluster.versions(), os.getpid()
    monkeypatch.setattr(dask_cluster, "versions", lambda: {**there, name: "0.0"} if os.getpid() == process else there)
    with (
        pytest.raises(InputError, match=rf"tcp://.* has {name} .* and here it is 0\.0") as caught,
        open_executor(cluster=address),
    ):
        pass
    assert "environment" in caught.value.hint


def test_a_worker_without_irassay_is_an_error(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "VERSIONS", "irassay_that_is_not_there:versions")
    with pytest.raises(InputError, match="cannot load irassay"), open_executor(cluster=address):
        pass


@pytest.mark.parametrize(
    "text", ["local", "local:0", "local:1025", "local:99999999999", "local:two", "somewhere:8786", "2"]
)
def test_what_is_no_cluster_is_an_error(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["swap", "no such file", "nor this", "--cluster", text]) == 2
    assert "write tcp://HOST:PORT" in capfd.readouterr().err


def test_without_the_extra_it_is_named_before_any_work(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["swap", "no such file", "nor this", "--cluster", "local:2"]) == 3
    assert "irassay[dask]" in capfd.readouterr().err


def test_a_gpu_and_a_cluster_exclude_each_other(data: Data) -> None:
    with pytest.raises(InputError, match="a cluster works with its processors"):
        irassay.swap(*data, cluster="local:2", device="cuda")
