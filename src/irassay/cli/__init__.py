"""The command line: thin, its options generated from the studies' settings, everything heavy imported late.

Exit status: 0 done, 1 a bug, 2 input or usage, 3 a missing extra, 130 interrupted. Data on stdout, talk on stderr.
"""

from __future__ import annotations

import difflib
import logging
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TextIO

import click

from irassay._version import __version__
from irassay.compute.progress import listener
from irassay.errors import InputError, IrassayWarning, MissingExtraError

# Each command's line in `irassay --help`, which must import nothing heavy.
COMMANDS = {
    "score": "Score runs with any measures.",
    "check": "Describe judgments and runs, and show what could bite.",
    "compare": "Compare systems: differences with intervals, tests, effect sizes; a table for a paper.",
    "design": "How many topics a difference needs, and how well scores generalise.",
    "measures": "List the measures, or explain one.",
    "power": "Which measures can tell systems apart: bootstrap tests of all pairs.",
    "swap": "How large a difference must be so that other topics rarely turn it round.",
    "stability": "How often other topics put two systems in the other order.",
    "agreement": "Whether measures rank systems alike, and whether their verdicts agree.",
    "gains": "What other gains do to graded measures.",
    "preferred-ranks": "How far down the first document of the highest level stands.",
    "incomplete": "What fewer judgments do to measures.",
    "pools": "What shallow pools do, and pools that a system did not contribute to.",
    "corpus": "How sure scores and ranks are when the corpus could have been another.",
    "variance": "How much a topic's own variance moves a comparison: score simulation.",
    "shape": "What a measure rewards, without any data.",
    "study": "The whole assay at once: every study, and one report.",
    "paper": "Everything a paper shows, from your data, under its own numbers.",
    "report": "One page to look at, from saved results.",
    "demo": "Try irassay on a small collection that it makes itself.",
    "demo-data": "Write a test collection whose truth is known.",
}


class Lazy(click.Group):
    """A group that imports a command only when it is used."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = getattr(import_module("irassay.cli.commands"), name.replace("-", "_"))
        return found

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            near = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command {name!r}; {hint}", context)
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="irassay")
def cli() -> None:
    """How far to trust an information-retrieval evaluation.

    Start with: irassay check QRELS RUN...
    """


def say(message: str, stream: TextIO | None = None) -> None:
    """Talk to the user on stderr; names in it may hold anything."""
    from irassay.report.text import visible

    lines = (visible(line) for line in message.split("\n"))
    click.echo("\n".join(lines).encode("utf-8", "replace"), file=stream or sys.stderr)


class Ticker:
    """A line on the terminal that says how far a study is, once it takes more than two seconds."""

    def __init__(self) -> None:
        self.started = self.said = time.monotonic()
        self.what, self.done = "", 0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if what != self.what or done < self.done:
            self.what, self.started = what, now
        elif now - self.started > 2 and total > 1 and now - self.said > 1:
            self.said = now
            say(f"{what}: {done} of {total} done, {done / (now - self.started):.3g} per second")
        self.done = done


def _show_warning(message: Any, category: type[Warning], *rest: Any, **more: Any) -> None:
    say(f"warning: {message}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; every way to fail has its message and status, none is a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: nobody listens, which is no error
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # for the whole process
    logging.basicConfig(format="%(levelname)s: %(message)s", stream=sys.stderr)
    if sys.stderr.isatty():
        listener.set(Ticker())
    with warnings.catch_warnings():
        warnings.simplefilter("always", IrassayWarning)
        warnings.showwarning = _show_warning
        try:
            cli.main(
                args=list(arguments) if arguments is not None else None,
                prog_name="irassay",
                standalone_mode=False,
            )
        except InputError as error:
            say(f"error: {error}")
            return 2
        except MissingExtraError as error:
            say(f"error: {error}")
            return 3
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            return 2
        except click.ClickException as error:
            context = error.ctx if isinstance(error, click.UsageError) else None
            hint = f"\n\nhint: {context.command_path} --help" if context else ""
            say(f"error: {error.format_message()}{hint}")
            return 2
        except (KeyboardInterrupt, click.Abort):
            say("interrupted")
            return 130
        except BrokenPipeError:
            # whoever read our output has gone; nobody is left to tell
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except Exception as error:  # a bug: keep the details, spare the user the traceback
            with tempfile.NamedTemporaryFile(
                "w",
                prefix="irassay-",
                suffix=".log",
                delete=False,
                encoding="utf-8",
                errors="backslashreplace",
            ) as log:
                log.write(f"irassay {__version__}, Python {sys.version}\n{sys.argv}\n{traceback.format_exc()}")
            say(f"bug: {type(error).__name__}: {error}\n\nhint: irassay's fault; please report it with {log.name}")
            return 1
    return 0
