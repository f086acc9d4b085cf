"""What all commands have: --quiet, and completion in the shell."""

from __future__ import annotations

import click
import pytest

from irassay.cli import cli, known_commands, run
from tests.helpers.shell import Shell


@pytest.mark.parametrize("name", known_commands())
def test_every_command_can_be_quiet(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    flags = {flag: option for option in command.params for flag in option.opts}
    assert "No progress" in getattr(flags["--quiet"], "help", "")
    assert flags["-q"].name == ("per_topic" if name == "trec_eval" else "quiet")


def test_trec_eval_can_be_quiet_and_print_topics(shell: Shell) -> None:
    arguments = ("trec_eval", "-q", "qrels.txt", "runs/first.txt")
    assert shell(*arguments, "--quiet") == shell(*arguments)


@pytest.mark.parametrize("language", ["bash", "zsh", "fish"])
def test_the_completion_of_a_shell_is_printed(
    language: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_IRASSAY_COMPLETE", f"{language}_source")
    with pytest.raises(SystemExit) as done:
        run([])
    assert done.value.code == 0
    assert f"_IRASSAY_COMPLETE={language}_complete" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("line", "completed"),
    [("irassay sc", {"score"}), ("irassay trec", {"trec_eval"}), ("irassay power --alp", {"--alpha"})],
)
def test_commands_and_options_are_completed(
    line: str, completed: set[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_IRASSAY_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    with pytest.raises(SystemExit):
        run([])
    assert {found.split(",")[1] for found in capfd.readouterr().out.split()} == completed
