"""Progress: bars on a terminal, nothing anywhere else, and a clean terminal at the end."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from irassay.compute.threads import parallel_for
from irassay.progress import listener, track
from tests.helpers.pseudo_terminal import on_terminal

# The command `measures` with work in it: two bars, a message between, and perhaps an interruption.
CODE = """
import sys, time
import irassay.studies.measures as measures
from irassay.cli import bars, run
from irassay.cli.talk import say
from irassay.progress import track
bars.DELAY = 0.05

def work(name):
    for part in track("[red]study", ["first", "second"], str):
        for item in track("inner work", range(10)):
            time.sleep(0.05)
        say("a message")
        if name == "interrupt":
            raise KeyboardInterrupt
    return "done\\n"

measures.explain = work
sys.exit(run(sys.argv[1:]))
"""
HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
on_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@on_a_terminal
def test_bars_show_the_work_and_what_is_inside_it_and_are_erased(tmp_path: Path) -> None:
    shown = on_terminal(["-c", CODE, "measures", "x"], tmp_path, 80)
    assert shown.status == 0
    assert "[red]study: first" in shown.text
    assert "[red]study: second" in shown.text
    assert "  inner work" in shown.text
    assert " of 10" in shown.text
    assert "/s" in shown.text  # the rate
    assert shown.text.count("a message\n") == 2
    assert shown.raw.rfind(SHOW) > shown.raw.rfind(HIDE)
    after_the_bars = shown.raw[shown.raw.rfind("\x1b[2K") :]  # where a line was erased last
    assert "inner work" not in after_the_bars
    assert after_the_bars.endswith("done\n")


@on_a_terminal
@pytest.mark.parametrize(
    ("arguments", "more", "streams"),
    [
        (["-q"], {}, ["stdout", "stderr"]),
        ([], {"TERM": "dumb"}, ["stdout", "stderr"]),
        ([], {}, ["stdout"]),
    ],
)
def test_no_bars_where_nobody_wants_or_could_see_them(
    arguments: list[str], more: dict[str, str], streams: list[str], tmp_path: Path
) -> None:
    shown = on_terminal(["-c", CODE, "measures", "x", *arguments], tmp_path, 80, streams=streams, **more)
    assert shown.status == 0
    assert shown.raw == "a message\n" * (2 if "stderr" in streams else 0) + "done\n"


@on_a_terminal
def test_work_that_nothing_reports_has_a_bar_until_there_is_output(tmp_path: Path) -> None:
    silent = CODE.replace('for part in track("[red]study", ["first", "second"], str):', "for part in [1]:")
    silent = silent.replace('for item in track("inner work", range(10)):', "for item in range(10):")
    after = silent.replace("sys.exit(run(sys.argv[1:]))", "") + (
        "import irassay.report as report\n"
        "write = report.write\n"
        "def slow(*arguments):\n"
        "    write(*arguments)\n"
        "    time.sleep(0.4)\n"
        "report.write = slow\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    shown = on_terminal(["-c", after, "measures", "x"], tmp_path, 80)
    assert shown.status == 0
    assert "working" in shown.text
    assert " of " not in shown.text
    assert shown.text.endswith("done\n")


@on_a_terminal
def test_bars_have_no_colour_under_no_color(tmp_path: Path) -> None:
    shown = on_terminal(["-c", CODE, "measures", "x"], tmp_path, 80, NO_COLOR="1")
    assert "inner work" in shown.text
    assert "\x1b[3" not in shown.raw


@on_a_terminal
def test_an_interruption_leaves_a_clean_terminal(tmp_path: Path) -> None:
    shown = on_terminal(["-c", CODE, "measures", "interrupt"], tmp_path, 80)
    assert shown.status == 130
    assert "inner work" in shown.text
    assert shown.raw.rfind(SHOW) > shown.raw.rfind(HIDE)
    assert shown.raw.endswith("a message\n\ninterrupted\n")


def test_a_pipe_gets_messages_only(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, "measures", "x"], capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout == b"done\n"
    assert done.stderr == b"a message\n" * 2


def reports_of(work: object) -> list[tuple[str, int, int, str]]:
    """What a listener hears while `work` is done."""
    reports: list[tuple[str, int, int, str]] = []
    lock = threading.Lock()

    def listen(what: str, done: int, total: int, item: str = "") -> None:
        with lock:
            reports.append((what, done, total, item))

    token = listener.set(listen)
    try:
        assert callable(work)
        work()
    finally:
        listener.reset(token)
    return reports


def test_work_that_is_left_early_is_reported_as_over() -> None:
    def leave() -> None:
        items = track("work", ["a", "b", "c"], str.upper)
        next(items)
        items.close()  # type: ignore[attr-defined]

    assert reports_of(leave) == [("work", 0, 3, ""), ("work", 0, 3, "A"), ("work", 3, 3, "")]


def test_items_that_are_made_one_by_one_are_not_made_ahead() -> None:
    made: list[int] = []

    def items() -> object:
        for number in range(3):
            made.append(number)
            yield number

    def work() -> None:
        for number in track("work", items(), total=3):  # type: ignore[arg-type, var-annotated]
            assert made == list(range(number + 1))

    assert [done for _, done, _, _ in reports_of(work)] == [0, 0, 1, 2, 3]


@pytest.mark.parametrize("jobs", [1, 3])
def test_work_by_threads_reports_every_part_once(jobs: int) -> None:
    worked: list[int] = []
    reports = reports_of(lambda: parallel_for(worked.append, range(20), jobs, "parts"))
    assert sorted(worked) == list(range(20))
    assert [done for _, done, _, _ in reports] == list(range(21))
    assert {(what, total) for what, _, total, _ in reports} == {("parts", 20)}
