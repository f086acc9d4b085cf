"""The folder of a result: whose it is, and what killed processes have left there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import irassay
from irassay.errors import InputError
from irassay.files import temporary_neighbour
from irassay.report import load
from irassay.report.folder import save_result
from irassay.report.load import load_result
from irassay.report.place import _neighbour, claimed
from irassay.result import Result
from tests.helpers.saved_results import of


def number_of(result: Result) -> int:
    (number,) = {table["n"][0] for table in result.tables} | {result.provenance["n"]}  # else it is of two results
    return int(str(number))


SAVE = (
    "import sys; from tests.helpers.saved_results import of; from irassay.report.folder import save_result\n"
    "for k in range(40): save_result(of(int(sys.argv[2]) + k), sys.argv[1])\n"
)


def test_writers_do_not_fail_and_readers_see_one_whole_result_at_any_time(tmp_path: Path) -> None:
    save_result(of(0), tmp_path / "out")
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(irassay.__file__).parents[1]), str(root)])}
    writers = [
        subprocess.Popen([sys.executable, "-c", SAVE, str(tmp_path / "out"), str(start)], env=environment)
        for start in (100, 200)
    ]
    seen = {0}
    while any(writer.poll() is None for writer in writers):
        seen.add(number_of(load_result(tmp_path / "out")))
    assert [writer.returncode for writer in writers] == [0, 0]
    assert number_of(load_result(tmp_path / "out")) in (139, 239)
    assert len(seen) > 2
    assert [place.name for place in tmp_path.iterdir()] == ["out"]


def test_a_second_command_is_refused_while_the_first_works(tmp_path: Path) -> None:
    refused: list[InputError] = []

    def second() -> None:  # a thread has a context of its own, as another process has
        try:
            with claimed(tmp_path / "out"):
                pass
        except InputError as problem:
            refused.append(problem)

    with claimed(tmp_path / "out"):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
        save_result(of(1), tmp_path / "out")  # whoever claimed it saves there
    assert "writes here" in refused[0].what
    assert number_of(load_result(tmp_path / "out")) == 1


def test_folders_made_on_the_way_go_again_when_nothing_was_saved(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), claimed(tmp_path / "a" / "b" / "out"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_reader_whose_earlier_result_is_being_removed_reads_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = _neighbour((tmp_path / "out").resolve(), "old")
    save_result(of(1), earlier)
    save_result(of(2), tmp_path / "new")
    read = load._load

    def while_it_is_replaced(root: Path) -> Result:
        if root == earlier:
            os.replace(tmp_path / "new", tmp_path / "out")
            (earlier / "tables" / "t1.csv").unlink()
        return read(root)

    monkeypatch.setattr(load, "_load", while_it_is_replaced)
    assert number_of(load_result(tmp_path / "out")) == 2


def test_a_reader_sees_the_earlier_result_where_a_killed_process_left_none(tmp_path: Path) -> None:
    save_result(of(1), tmp_path / "out")
    os.replace(tmp_path / "out", _neighbour((tmp_path / "out").resolve(), "old"))
    assert number_of(load_result(tmp_path / "out")) == 1
    save_result(of(2), tmp_path / "out")
    assert number_of(load_result(tmp_path / "out")) == 2
    assert [place.name for place in tmp_path.iterdir()] == ["out"]


@pytest.mark.skipif(os.name == "nt", reason="process numbers")
def test_temporary_files_of_killed_processes_are_removed_and_those_of_others_kept(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with temporary_neighbour(tmp_path / "out") as own:
        pattern = own.name.replace(f"-{os.getpid()}-", "-{}-")
    names = [pattern.format(dead.pid), pattern.format(os.getppid()), ".irassay-0123456789abcdef-x-1-0.tmp"]
    for name in names:
        (tmp_path / name).write_text("left")
    with temporary_neighbour(tmp_path / "out"):
        assert {place.name for place in tmp_path.iterdir()} == set(names[1:])


def test_a_result_of_other_settings_is_replaced_by_force_alone(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("".join(f"{t} 0 d{d} {d % 2}\n" for t in range(4) for d in range(6)))
    for name in "ab":
        lines = (f"{t} Q0 d{(d * 5 + t) % 6 if name == 'a' else d} 0 {-d} {name}\n" for t in range(4) for d in range(6))
        (tmp_path / name).write_text("".join(lines))
    data, out = (str(tmp_path / "q"), [str(tmp_path / "a"), str(tmp_path / "b")]), str(tmp_path / "out")
    irassay.stability(*data, measures="AP", resamples=10, out=out)
    irassay.stability(*data, measures="AP", resamples=10, out=out)
    saved = (tmp_path / "out" / "result.json").read_bytes()
    with pytest.raises(InputError, match="a result is here, and its resamples was 10 and is now 20") as caught:
        irassay.stability(*data, measures="AP", resamples=20, out=out)
    assert "--force" in caught.value.hint
    with pytest.raises(InputError, match="its measures was AP and is now AP, P@2"):
        irassay.stability(*data, measures=("AP", "P@2"), resamples=10, out=out)
    with pytest.raises(InputError, match="its study was Stability and is now Swap"):
        irassay.swap("no such file", [], measures="AP", out=out)  # before any work
    assert (tmp_path / "out" / "result.json").read_bytes() == saved
    irassay.stability(*data, measures="AP", resamples=20, out=out, force=True)
    assert json.loads((tmp_path / "out" / "result.json").read_bytes())["provenance"]["settings"]["resamples"] == "20"
    save_result(of(1), out)
    with pytest.raises(InputError, match="of settings that nobody recorded"):
        irassay.stability(*data, measures="AP", resamples=20, out=out)
