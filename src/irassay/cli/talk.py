"""Messages on stderr, and how far work is: below each other on a terminal, never on top of each other."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar

import click

from irassay.cli.bars import Bars
from irassay.progress import listener, tell

# What `--quiet` silences: progress, and all that is neither data nor a warning nor an error.
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)
_bars: ContextVar[Bars | None] = ContextVar("bars", default=None)


def start() -> None:
    """Before a command: it may talk, and shows its progress where somebody can see it."""
    _quiet.set(False)
    bars = Bars() if sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown") else None
    _bars.set(bars)
    if bars is not None:
        listener.set(bars)
    tell[:] = [talk] if sys.stderr.isatty() else []


def finish() -> None:
    """After a command, however it ends: leave a clean terminal."""
    tell.clear()
    bars = _bars.get()
    if bars is not None:
        listener.set(None)
        bars.close()


def say(message: str) -> None:
    """Show a message to the user on stderr; names in it may hold anything."""
    from irassay.report.terminal import paragraph

    clear()
    click.echo(
        paragraph(message, tty=sys.stderr.isatty(), indent="  ").encode("utf-8", "replace"), file=sys.stderr, nl=False
    )


def talk(message: str) -> None:
    """Say what is neither a warning nor an error, unless the user wants quiet."""
    if not _quiet.get():
        say(message)


def clear() -> None:
    """Leave a clean terminal: take the progress away, until there is more of it."""
    bars = _bars.get()
    if bars is not None:
        bars.clear()


def work_is_done() -> None:
    """Before output: whoever reads it may take their time, and nothing is drawn meanwhile."""
    bars = _bars.get()
    if bars is not None:
        bars.close()


def _hush(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    bars = _bars.get()
    if value:
        finish()
        _quiet.set(True)
    elif bars is not None:
        bars.begin("working")  # once it is known that somebody wants to see it


def with_quiet(command: click.Command) -> click.Command:
    """The command with `--quiet`, and `-q` where it does not mean something else."""
    taken = {flag for parameter in command.params for flag in parameter.opts}
    option = click.Option(
        [flag for flag in ("-q", "--quiet") if flag not in taken] or ["--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_hush,
        help="No progress and no remarks; warnings and errors stay.",
    )
    if "--quiet" not in taken:
        command.params.append(option)
    return command
