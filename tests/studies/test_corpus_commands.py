"""`irassay corpus` as a user runs it: what the screen shows, what is refused, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import InputError, demo
from irassay.cli import run

MODEL = demo.Model(systems=5, groups=2, null_pairs=1, depth=40, documents=2000, pool_depth=20, seed=1)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(8))
    return folder


def command(files: Path, *more: str) -> list[str]:
    return ["corpus", str(files / "qrels.txt"), str(files / "runs"), "--corpus-size", "2000", "--images", "20", *more]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--corpus-size", "100"], "a corpus of 100 documents, and"),
        (["--corpus-size", "0"], "corpus-size"),
        (["--corpus-size", str(2**32)], "it is at most 2,147,483,647"),
        (["--images", "0"], "images"),
        (["--depth", "0"], "depth"),
        (["--memory", "much"], "memory is 'much'"),
        (["--memory", "0"], "memory is '0'"),
        (["--memory", "-1G"], "memory is '-1G'"),
        (["--memory", "10k"], "20 images of 5 systems need 1 MB at least"),
        (["--interval", "wide"], "there is no interval 'wide'"),
        (["--pair", "sys1"], "--pair was given 1 different systems"),
        (["--pair", "sys1", "--pair", "sys1"], "--pair was given 1 different systems"),
        (["--pair", "sys1", "--pair", "sys2", "--pair", "sys3"], "--pair was given 3 different systems"),
        (["--pair", "sys1", "--pair", "sis2"], "one is called sys2"),
        (["--pair", "sys1", "--pair", "qq"], "there is no system 'qq'"),
        (["--show", "sys11"], "one is called sys1"),
        (["--pool-depths", "ten"], "pool-depths is 'ten'"),
        (["--pool-depths", "0"], "pool-depths is '0'"),
        (["--pool-depths", "10,"], "pool-depths is '10,'"),
        (["--pair", "sys1", "--pair", "sys2", "--pool-depths", "-3"], "pool-depths is '-3'"),
        (["--seed", "-1"], "seed"),
        (["-m", "nDGC"], "nDGC"),
        (["--top", "1"], "top"),
        (["--by", "AP"], "--by alone"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(
    more: list[str], told: str, files: Path, tmp_path: Path, capsys: Any
) -> None:
    status = run(command(files, *more, "--out", str(tmp_path / "out")))
    out, err = capsys.readouterr()
    assert (status, out) == (2, ""), err
    assert err.startswith("error: ")
    assert told in err
    assert "\n\nhint: " in err
    assert list(tmp_path.iterdir()) == []


def test_a_pair_that_was_not_selected_is_compared_all_the_same(files: Path, capsys: Any) -> None:
    """--top says whose spread is told; --pair names its own systems."""
    status = run(command(files, "--top", "2", "--pair", "sys4", "--pair", "sys5", "-m", "AP", "--format", "json"))
    assert status == 0
    content = json.loads(capsys.readouterr().out)
    assert len({row["system"] for row in content["systems"]}) == 2
    assert len(content["pools"]) == 3 * 21


def test_python_refuses_what_the_command_line_refuses(files: Path) -> None:
    data = files / "qrels.txt", files / "runs"
    wrong: tuple[dict[str, Any], ...] = (
        {"images": 0}, {"corpus_size": 3}, {"memory": "x"}, {"interval": "x"}, {"pair": "sys1"}, {"pool_depths": "x"},
        {"pair": ("sys1", "sys9x")}, {"show": "nobody"}, {"depth": 0},
    )  # fmt: skip
    for settings in wrong:
        with pytest.raises(InputError) as caught:
            irassay.corpus(*data, **{"measures": "AP", "corpus_size": 2000, **settings})
        assert caught.value.hint


def test_the_result_is_saved_whole_and_loads_back(files: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out"
    assert run(command(files, "--pair", "sys1", "--pair", "sys2", "--also-topics", "--out", str(out))) == 0
    saved = irassay.load_result(out)
    assert {table.name for table in saved.tables} >= {
        "systems", "ranks", "topics", "topic_sd", "triples", "interval", "shown", "data", "variation", "pools",
        "pool_topics", "pool_spread",
    }  # fmt: skip
    assert saved.provenance["corpus_size"] == 2000
    assert "not confidence" in capsys.readouterr().out


def rows_of(screen: str, first: str) -> list[list[str]]:
    return [line.split() for line in screen.splitlines() if line.split()[:1] == [first]]


def test_a_screen_shows_the_best_of_many_systems_and_those_named_and_says_where_the_rest_is(
    tmp_path: Path, capsys: Any
) -> None:
    model = demo.Model(systems=24, groups=2, null_pairs=0, depth=20, documents=2000, pool_depth=10, seed=1)
    demo.write(model, tmp_path / "c", topics=range(4))
    arguments = command(tmp_path / "c", "-m", "AP RR", "--also-topics")
    assert run([*arguments, "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)["systems"]
    assert len(whole) == 48
    order = sorted((row for row in whole if row["measure"] == "RR"), key=lambda row: row["rank_root"])
    worst = order[-1]["system"]
    assert run([*arguments, "--show", worst]) == 0
    out, err = capsys.readouterr()
    assert "Shown are the 10 best of 24 systems for each measure, and those named." in out
    assert "more of systems, more of variation (saved with --out DIR" in err
    shown = [row[1] for row in rows_of(out.split("Standard deviation")[0], "RR")]
    assert shown == [row["system"] for row in order[:10]] + [worst]
    screen = [line for line in out.splitlines() if line.startswith(("measure", "AP", "RR", "systems"))]
    assert max(map(len, screen)) <= 80


def test_a_screen_shows_few_systems_all_in_order_of_rank(files: Path, capsys: Any) -> None:
    assert run(command(files, "-m", "AP", "--pair", "sys1", "--pair", "sys2")) == 0
    out = capsys.readouterr().out
    ranks = [float(row[6]) for row in rows_of(out, "AP") if len(row) == 8]
    assert ranks == sorted(ranks)
    assert len(ranks) == 5
    assert "best of" not in out
    assert [row[1] for row in rows_of(out.split("sys1 less sys2")[1], "AP")] == ["10", "25", "full"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("name", "pools"), [("SIGINT", False), ("SIGINT", True), ("SIGTERM", False), ("SIGHUP", True)])
def test_an_interruption_by_a_signal_leaves_nothing_behind(name: str, pools: bool, files: Path, tmp_path: Path) -> None:
    # far more images than there is time for; with a pair, few enough that its pools are reached
    many = ["--images", "4000", "-m", "AP"] if pools else ["--images", "3000000", "--memory", "2G", "-m", "AP"]
    pair = ["--pair", "sys1", "--pair", "sys2", "--pool-depths", ",".join(map(str, range(1, 200)))] if pools else []
    code = (
        "import signal, sys, irassay.progress as p, irassay.cli as c\n"
        # a shell that runs the tests in the background lets them ignore it
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "p.listener.set(lambda what, done, total, item='': done and print(what, file=sys.stderr, flush=True))\n"
        "c.main(sys.argv[1:])\n"
    )
    arguments = command(files, *many, *pair, "--out", str(tmp_path / "out"), "--jobs", "2")
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    wanted = "images of pools" if pools else "images"
    while (line := process.stderr.readline()) and line.strip() != wanted:
        pass
    process.send_signal(getattr(signal, name))
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert out == ""
    assert "interrupted" in err
    assert list(tmp_path.iterdir()) == []
