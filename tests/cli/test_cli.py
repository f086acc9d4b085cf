"""The command line as a user meets it: exit statuses, and what goes where."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import irassay
from tests.helpers.shell import QRELS, SECOND, Shell

SOURCES = Path(irassay.__file__).parents[1]


def process(*arguments: str, code: str = "", **more: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", "irassay"]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), **more.pop("env", {})}
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run([*command, *arguments], env=environment, timeout=120, check=False, **more)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["score", "--help"],
        ["check", "-h"],
        ["report", "-h"],
        ["demo", "-h"],
        ["paper", "-h"],
        ["study", "-h"],
        ["power", "-h"],
        ["corpus", "-h"],
        ["compare", "-h"],
        ["design", "-h"],
        ["uncertainty", "-h"],
        ["trec_eval", "-h"],
        ["--version"],
    ],
)
def test_help_imports_neither_numpy_nor_numba(arguments: list[str]) -> None:
    code = (
        "import sys; from irassay.cli import run; status = run(sys.argv[1:])\n"
        "sys.exit(status or bool({'numpy', 'numba', 'rich', 'scipy', 'vl_convert', 'distributed'} & set(sys.modules)))"
    )
    done = process(*arguments, code=code)
    assert done.returncode == 0, done.stderr
    assert b"irassay" in done.stdout


def test_help_shows_a_commands_own_options_first_and_the_defaults(shell: Shell) -> None:
    text = shell("score", "--help").out.decode()
    words = " ".join(text.split())
    assert "[default: AP nDCG@10 P@10 RR]" in words
    assert (
        text.index("--per-topic")
        < text.index("--format")
        < text.index("How judgments and runs")
        < text.index("--order")
    )
    assert "from the runs and from QRELS" in words  # what --residual drops


def test_warnings_go_to_stderr_only(shell: Shell) -> None:
    clean = shell.score("--format", "csv", "--topics", "1")
    (shell.folder / "qrels.txt").write_text(QRELS + "3 0 a 1\n")
    done = shell.score("--format", "csv", "--topics", "1,3")
    assert done.out == clean.out
    assert done.err == "warning: qrels.txt: 1 judged topic answered by no run, and left out: 3 [unanswered-topics]\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", ""], "no measure given"),
        (["-m", "nDGC@10"], "nDCG"),
        (["-m", "P"], "P@k"),
        (["--topics", "9"], "no judged topic is called 9"),
        (["--topics", ""], "no topic was named"),
        (["--gains", "1=1"], "no gain for grade 2"),
        (["--residual", "nowhere"], "nowhere: "),
        (["--depth", "0"], "x>=1"),
        (["--jobs", "many"], "not a valid integer"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--formt", "csv"], "--format"),
        (["nowhere.txt"], "nowhere.txt: "),
    ],
)
def test_bad_input_and_usage_exit_with_2_and_write_nothing(shell: Shell, arguments: list[str], said: str) -> None:
    (shell.folder / "old.csv").write_text("old")
    for output in ("new.csv", "old.csv"):
        done = shell.score(*arguments, "-o", output)
        assert (done.status, done.out) == (2, b"")
        assert done.err.startswith("error: ")
        assert said in done.err
    assert sorted(os.listdir()) == ["old.csv", "qrels.txt", "runs"]
    assert (shell.folder / "old.csv").read_text() == "old"


def test_a_malformed_run_is_reported_with_file_and_line(shell: Shell) -> None:
    (shell.folder / "runs" / "second.txt").write_text(SECOND + "2 Q0 x 3 high second\n")
    done = shell.score()
    assert (done.status, done.out) == (2, b"")
    assert done.err.startswith("error: runs/second.txt:5: score 'high' is not a number\n\nhint: ")


def test_judgments_and_run_in_the_wrong_places_are_recognised(shell: Shell) -> None:
    done = shell("score", "runs/first.txt", "qrels.txt")
    assert done.status == 2
    assert "QRELS comes first" in done.err


def test_an_output_that_cannot_be_written_is_an_input_error(shell: Shell) -> None:
    done = shell.score("-o", "no/such/folder.csv")
    assert done.status == 2
    assert "no/such/folder.csv: cannot write" in done.err
    assert shell.score("-o", "runs").status == 2
    assert sorted(os.listdir("runs")) == ["first.txt", "second.txt"]


def test_an_unknown_command_gets_a_suggestion(shell: Shell) -> None:
    assert shell("scores").err == "error: there is no command 'scores'; did you mean score?\n\nhint: irassay --help\n"
    assert "\x1b" not in shell("\x1b[31m").err
    assert shell("score").err == "error: Missing argument 'QRELS'.\n\nhint: irassay score --help\n"
    nothing = shell()
    assert (nothing.status, nothing.out) == (2, b"")
    assert "Commands:" in nothing.err


def test_a_missing_extra_is_named_before_any_work(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = shell("score", "no judgments", "no runs", "--format", "parquet", "-o", "x.parquet")
    assert (done.status, done.out) == (3, b"")
    assert "pip install 'irassay[parquet]'" in done.err


def test_a_bug_is_short_for_the_user_and_kept_in_a_log(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("gremlins \x1b[31m")

    monkeypatch.setattr("irassay.studies.score.run.run", fail)
    monkeypatch.setattr("tempfile.tempdir", str(shell.folder))
    done = shell.score("-o", "new.csv")
    assert (done.status, done.out) == (1, b"")
    log = next(shell.folder.glob("irassay-*.log"))
    assert done.err == f"bug: RuntimeError: gremlins \\x1b[31m\n\nhint: irassay's fault; please report it with {log}\n"
    assert "Traceback" in log.read_text()
    assert not Path("new.csv").exists()


def test_an_interruption_exits_with_130(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("irassay.studies.score.run.run", interrupt)
    done = shell.score()
    assert (done.status, done.out, done.err.strip()) == (130, b"", "interrupted")


def test_measures_are_listed_and_explained(shell: Shell) -> None:
    listed = shell("measures").out.decode()
    assert all(name in listed for name in ("AP", "nDCG", "RBP(p=0.8)", "GM(m)"))
    explained = shell("measures", "nDCG").out.decode()
    assert all(part in explained for part in ("Parameters:", "dcg", "Citation:", "Agrees with:"))
    unknown = shell("measures", "nDGC")
    assert (unknown.status, unknown.out) == (2, b"")
    assert "nDCG" in unknown.err


def test_a_closed_pipe_is_no_error(shell: Shell) -> None:
    lines = "".join(f"1 Q0 d{n} {n} {-n} many\n" for n in range(1, 5)) + "1 Q0 a 5 -9 many\n"
    for n in range(2000):  # more than a pipe holds
        (shell.folder / "runs" / f"r{n}").write_text(lines.replace("many", f"a-rather-long-name-{n:060}"))
    read, write = os.pipe()
    os.close(read)
    done = process("score", "qrels.txt", "runs", "--format", "csv", "--topics", "1", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_stdout_or_stderr_is_no_error(shell: Shell) -> None:
    for closed in (1, 2):
        again = [sys.executable, "-m", "irassay", "measures"]
        done = process(code=f"import os; os.close({closed}); os.execv({sys.executable!r}, {again!r})")
        assert (done.returncode, done.stderr) == (0, b"")


def test_the_module_runs_as_a_program_with_its_status(shell: Shell) -> None:
    done = process("score", "qrels.txt", "runs", "-m", "RR", "--format", "csv", env={"NO_COLOR": "1"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"system,measure,score\nfirst,RR,0.75\nsecond,RR,0.75\n"
    assert process("score", "nowhere", "runs").returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("no_color", ["", "1"])
def test_no_color_leaves_no_escape_codes_on_a_terminal(shell: Shell, no_color: str) -> None:
    import pty

    main, terminal = pty.openpty()
    done = process("score", "qrels.txt", "runs", stdout=terminal, env={"NO_COLOR": no_color, "TERM": "xterm-256color"})
    os.close(terminal)
    shown = os.read(main, 65536)
    os.close(main)
    assert done.returncode == 0
    assert (b"\x1b[" in shown) == (not no_color)
    assert b"first" in shown


def test_out_keeps_the_command_and_says_what_to_install_for_what_is_left_out(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    given = ("stability", "qrels.txt", "runs", "-m", "AP RR", "-m", "P@1", "--resamples", "40")
    done = shell(*given, "--out", "out", "--jobs", "1")
    assert done.status == 0
    assert "The whole result is in out." in done.err
    assert "Left out: writing Parquet needs the extra [parquet]" in done.err
    assert "pip install 'irassay[parquet]'" in done.err
    assert (shell.folder / "out" / "tables" / "stability.tex").exists()
    assert not (shell.folder / "out" / "tables" / "stability.parquet").exists()
    command = irassay.load_result("out").provenance["command"]
    assert command == "irassay stability qrels.txt runs --measures 'AP RR' --measures P@1 --resamples 40"
    again = shell(*shlex.split(str(command))[1:], "--format", "json")
    content = json.loads(again.out)["stability"]
    assert [tuple(row.values()) for row in content] == list(irassay.load_result("out")["stability"].rows())


@pytest.mark.parametrize("quiet", ["-q", "--quiet"])
def test_a_quiet_command_keeps_its_command_without_that_option(shell: Shell, quiet: str) -> None:
    done = shell("stability", "qrels.txt", "runs", "-m", "AP", "--resamples", "40", "--out", "out", quiet)
    assert done.status == 0
    command = irassay.load_result("out").provenance["command"]
    assert command == "irassay stability qrels.txt runs --measures AP --resamples 40"


def test_out_draws_the_figures(shell: Shell) -> None:
    assert shell("stability", "qrels.txt", "runs", "-m", "AP", "--resamples", "40", "--out", "out").status == 0
    assert sorted(os.listdir(shell.folder / "out" / "figures")) == ["stability.pdf", "stability.png", "stability.svg"]


def test_quiet_is_no_part_of_the_command_that_a_result_keeps(shell: Shell) -> None:
    arguments = ["agreement", "qrels.txt", "runs", "-m", "AP RR", "--resamples", "20", "--out", "results"]
    assert shell(*arguments, "-q").status == 0
    record = json.loads((shell.folder / "results" / "result.json").read_text())
    assert record["provenance"]["command"] == "irassay agreement qrels.txt runs --measures 'AP RR' --resamples 20"
