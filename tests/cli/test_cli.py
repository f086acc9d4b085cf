"""The command line as a user meets it: formats, exit statuses, and what goes where."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import irassay
from irassay import align, read_qrels, read_runs
from irassay.cli import run
from irassay.studies.score.settings import Score

SOURCES = Path(irassay.__file__).parents[1]
QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n"
FIRST = "1 Q0 b 1 3 first\n1 Q0 a 2 2 first\n1 Q0 u 3 1 first\n2 Q0 a 1 1 first\n"
SECOND = "1 Q0 c 1 9 second\n1 Q0 u 2 8 second\n2 Q0 u 1 2 second\n2 Q0 a 2 1 second\n"


class Done(NamedTuple):
    status: int
    out: bytes
    err: str

    @property
    def rows(self) -> list[list[str]]:
        return list(csv.reader(io.StringIO(self.out.decode("utf-8", "surrogateescape"))))


class Shell:
    """Runs commands in this process, in a folder with qrels.txt and runs/."""

    def __init__(self, folder: Path, capture: Any) -> None:
        self.folder, self.capture = folder, capture
        (folder / "qrels.txt").write_text(QRELS)
        (folder / "runs").mkdir()
        (folder / "runs" / "first.txt").write_text(FIRST)
        (folder / "runs" / "second.txt").write_text(SECOND)

    def __call__(self, *arguments: str) -> Done:
        self.capture.readouterr()
        status = run(arguments)
        out, err = self.capture.readouterr()
        assert b"Traceback" not in out + err
        return Done(status, out, err.decode("utf-8", "surrogateescape"))

    def score(self, *arguments: str) -> Done:
        return self("score", "qrels.txt", "runs", *arguments)

    def name(self, name: bytes) -> None:
        """Give the first run another name."""
        (self.folder / "runs" / "first.txt").write_bytes(FIRST.encode().replace(b"first", name))


@pytest.fixture
def shell(tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capfdbinary)


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


def scored(*, per_topic: bool = False, measures: str = "AP nDCG@10 P@10 RR") -> list[tuple[Any, ...]]:
    panel = align(read_qrels("qrels.txt"), read_runs("runs"))
    return list(panel.score(measures).long(per_topic=per_topic).rows())


def test_csv_is_unrounded_and_equal_to_the_scores_in_python(shell: Shell) -> None:
    done = shell.score("--format", "csv")
    assert (done.status, done.err) == (0, "")
    assert done.rows[0] == ["system", "measure", "score"]
    assert [(s, m, float(x)) for s, m, x in done.rows[1:]] == scored()
    topical = shell.score("--format", "csv", "--per-topic", "-m", "AP Q")
    assert topical.rows[0] == ["system", "topic", "measure", "score"]
    expected = scored(per_topic=True, measures="AP Q")
    assert [(s, t, m, float(x)) for s, t, m, x in topical.rows[1:]] == expected


def test_wide_has_a_row_per_topic_and_a_column_per_system(shell: Shell) -> None:
    done = shell.score("--format", "csv", "--wide", "-m", "RR")
    assert done.rows == [["topic", "first", "second"], ["1", "0.5", "1.0"], ["2", "1.0", "0.5"]]
    done = shell.score("--wide", "-m", "RR", "-m", "P@1")
    assert done.out.decode().split()[:4] == ["topic", "measure", "first", "second"]
    assert shell.score("--wide", "--format", "trec").status == 2


def test_measures_may_be_given_in_several_options(shell: Shell) -> None:
    several = shell.score("-m", "AP", "-m", "P@10 RR", "--format", "csv")
    assert [row[1] for row in several.rows[1:]] == ["AP", "P@10", "RR"] * 2
    assert several == shell.score("-m", "AP P@10 RR", "--format", "csv")


def test_json_holds_the_scores_and_how_they_came_about(shell: Shell) -> None:
    content = json.loads(shell.score("--format", "json", "--depth", "7").out)
    assert [tuple(row.values()) for row in content["scores"]] == scored()
    assert content["provenance"]["depth"] == 7
    assert content["provenance"]["qrels"] == "qrels.txt"
    assert set(content) == {"provenance", "scores", "measures"}


def test_parquet_holds_the_same_rows_and_needs_a_file(shell: Shell) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert shell.score("--format", "parquet").status == 2
    assert shell.score("--format", "parquet", "-o", "s.parquet") == Done(0, b"", "")
    rows = parquet.read_table("s.parquet").to_pylist()
    assert [tuple(row.values()) for row in rows] == scored()


def test_trec_format_is_one_block_per_system_in_trec_evals_words(shell: Shell) -> None:
    done = shell.score("--format", "trec", "-m", "AP P@10 nDCG@10 RBP(p=0.5)")
    lines = [line.split("\t") for line in done.out.decode().splitlines()]
    assert [name.strip() for name, _, _ in lines] == ["runid", "map", "P_10", "ndcg_cut_10", "RBP(p=0.5)"] * 2
    assert [topic for _, topic, _ in lines] == ["all"] * 10
    assert lines[0] == ["runid".ljust(22), "all", "first"]
    assert lines[1] == ["map".ljust(22), "all", "0.6250"]
    topical = shell.score("--format", "trec", "-m", "AP GM(AP)", "--per-topic").out.decode().splitlines()
    assert [line.split("\t")[1] for line in topical] == ["all", "1", "2", "all", "all"] * 2


def test_the_table_is_for_people(shell: Shell) -> None:
    lines = shell.score("-m", "AP RR").out.decode().splitlines()
    assert lines[0].startswith("2 systems, 2 topics")
    assert [line.split() for line in lines[4:]] == [["first", "0.6250", "0.75"], ["second", "0.5000", "0.75"]]
    topical = shell.score("-m", "AP RR", "--per-topic").out.decode().splitlines()
    assert [line.split()[:2] for line in topical[4:]] == [
        ["first", "1"],
        ["first", "2"],
        ["second", "1"],
        ["second", "2"],
    ]


def test_names_that_hold_anything_survive_in_csv_and_do_no_harm_on_a_screen(shell: Shell) -> None:
    for name, cell in {
        b'co,m"ma': 'co,m"ma',
        b"=1+1": "'=1+1",
        b"[red]x[/red]": "[red]x[/red]",
        "\u009b31mred".encode(): "\u009b31mred",
        b"caf\xe9": "caf\udce9",
        "naïve-文".encode(): "naïve-文",
    }.items():
        shell.name(name)
        assert shell.score("--format", "csv", "-m", "AP").rows[1][0] == cell
        assert shell.score("-m", "AP").out.decode("utf-8", "surrogateescape").replace("\n", "").isprintable()
        assert (
            json.loads(shell.score("--format", "json", "-m", "AP").out)["scores"][0]["system"].encode(
                "utf-8", "surrogateescape"
            )
            == name
        )
    shell.name(b"[red]x[/red]")
    assert "[red]x[/red]" in shell.score("-m", "AP").out.decode()


def test_a_file_name_with_spaces_and_escapes_names_its_system(shell: Shell) -> None:
    odd = shell.folder / "runs" / "a b \x1b[2J.txt"
    odd.write_text(FIRST)
    done = shell.score("--format", "csv", "-m", "RR")
    assert [row[0] for row in done.rows[1:]] == ["a b \x1b[2J.txt", "first.txt", "second.txt"]
    odd.write_text("1 Q0 a\n")
    done = shell.score()
    assert done.status == 2
    assert "\x1b" not in done.err
    assert r"a b \x1b[2J.txt:1: expected 6 columns" in done.err


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


def test_a_malformed_run_is_told_with_file_and_line(shell: Shell) -> None:
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

    monkeypatch.setattr(Score, "run", fail)
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

    monkeypatch.setattr(Score, "run", interrupt)
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
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    given = ("stability", "qrels.txt", "runs", "-m", "AP RR", "-m", "P@1", "--resamples", "40")
    done = shell(*given, "--out", "out", "--jobs", "1")
    assert done.status == 0
    assert "The whole result is in out." in done.err
    assert "Left out: drawing figures needs the extra [report]" in done.err
    assert "pip install 'irassay[report]'" in done.err
    assert (shell.folder / "out" / "tables" / "stability.tex").exists()
    assert not (shell.folder / "out" / "figures").exists()
    command = irassay.load_result("out").provenance["command"]
    assert command == "irassay stability qrels.txt runs --measures 'AP RR' --measures P@1 --resamples 40"
    again = shell(*shlex.split(str(command))[1:], "--format", "json")
    content = json.loads(again.out)["stability"]
    assert [tuple(row.values()) for row in content] == list(irassay.load_result("out")["stability"].rows())


def test_out_draws_the_figures(shell: Shell) -> None:
    pytest.importorskip("vl_convert")
    assert shell("stability", "qrels.txt", "runs", "-m", "AP", "--resamples", "40", "--out", "out").status == 0
    assert sorted(os.listdir(shell.folder / "out" / "figures")) == ["stability.pdf", "stability.png", "stability.svg"]
