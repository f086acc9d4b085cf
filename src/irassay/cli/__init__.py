"""The command line, generated from the registered studies and their settings; everything heavy is imported late.

Exit status: 0 done, 1 a bug, 2 input or usage, 3 a missing extra, 130 interrupted. Data on stdout, messages on stderr.
"""

import atexit
import contextlib
import gc
import os
import sys
import warnings
from collections.abc import Sequence

import click

from irassay._version import __version__
from irassay.cli.signals import interrupted_by_signals
from irassay.cli.talk import finish, say, start, with_quiet
from irassay.compute import compilation
from irassay.errors import InputError, IrassayWarning, MissingExtraError
from irassay.studies.registry import studies

# The commands that are no studies: place in `irassay --help`, and one line.
OTHERS = {
    "trec_eval": (15, "Print what trec_eval 9 prints, byte for byte."),
    "init": (25, "Write a file of collections, which all studies take."),
    "measures": (50, "List the measures, or explain one."),
    "report": (190, "One page to look at, from saved results."),
    "demo": (200, "Try irassay on a small collection that it makes itself."),
    "demo-data": (210, "Write a test collection whose truth is known."),
}


def known_commands() -> dict[str, str]:
    """Every command with its line in the help, in order."""
    lines = {name: (study.order, study.help) for name, study in studies().items()} | OTHERS
    return {name: help for name, (_, help) in sorted(lines.items(), key=lambda line: line[1][0])}


class LazyGroup(click.Group):
    """A group that imports a command only when it is used."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(known_commands())

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in known_commands():
            return None
        import logging  # here: `--help` pays for every import

        from irassay.cli.commands import COMMANDS
        from irassay.cli.study_command import study_command

        logging.basicConfig(format="%(levelname)s: %(message)s", stream=sys.stderr)
        return with_quiet(COMMANDS.get(name) or study_command(studies()[name]))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in known_commands() and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, known_commands(), n=1)
            hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(known_commands())}"
            raise click.UsageError(f"there is no command {name!r}; {hint}", context)
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(known_commands().items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="irassay")
def cli() -> None:
    """How far to trust an information-retrieval evaluation.

    Start with: irassay check QRELS RUN...
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit status. With `arguments` it is a program that goes on after it."""
    compilation.alone = True
    status: list[int] = []
    if arguments is None:
        atexit.register(_leave, status)  # before all others, so that it comes after them
    with interrupted_by_signals():
        status.append(run(arguments))
        gc.freeze()  # nothing that is left needs to be searched for garbage: a tenth of a second where numba is loaded
        sys.exit(status[0])


def _leave(status: list[int]) -> None:
    """End the process at once: to take all modules apart would take longer than to write the output."""
    with contextlib.suppress(OSError, ValueError):  # Python says what is wrong with the streams
        sys.stdout.flush()
        sys.stderr.flush()
        if status:
            os._exit(status[0])


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; every way to fail has its message and status, none is a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: nobody listens, which is no error
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # for the whole process
    start()
    with warnings.catch_warnings():
        warnings.simplefilter("always", IrassayWarning)
        warnings.showwarning = lambda message, *rest, **more: say(f"warning: {message}")
        try:
            cli.main(arguments, prog_name="irassay", standalone_mode=False)
        except (InputError, MissingExtraError) as error:
            say(f"error: {error}")
            return 3 if isinstance(error, MissingExtraError) else 2
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
        except MemoryError:
            say("error: there is not enough memory for this\n\nhint: give fewer systems, topics, samples or --jobs")
            return 2
        except Exception as error:  # a bug: keep the details, spare the user the traceback
            import tempfile
            import traceback

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
        finally:
            finish()
    return 0
