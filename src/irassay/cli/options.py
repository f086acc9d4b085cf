"""Command-line options from the fields of settings classes."""

import dataclasses
import shlex
import typing
from collections.abc import Callable
from typing import Any, TypeVar

import click

from irassay.settings import Execution, Inputs, Option, options

Command = TypeVar("Command", bound=Callable[..., Any])
Settings = TypeVar("Settings")
INPUTS = options(Inputs)


class Sectioned(click.Command):
    """A command whose help shows its own options first, and then those on judgments and runs."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "How judgments and runs are aligned": []}
        own, inputs = sections.values()
        for parameter in self.get_params(context):
            record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
            if record is not None:
                (inputs if parameter.name in INPUTS else own).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=24)


def from_settings(*classes: type, without: tuple[str, ...] = ()) -> Callable[[Command], Command]:
    """Add an option for every field of these classes, `without` some."""

    def decorate(command: Command) -> Command:
        for settings in reversed(classes):
            hints = typing.get_type_hints(settings)
            for name, (field, option) in reversed(options(settings).items()):
                if name not in without:
                    command = _option(name, field, option, hints[name])(command)
        return command

    return decorate


def _option(name: str, field: dataclasses.Field[Any], option: Option, hint: Any) -> Callable[[Command], Command]:
    flags = [flag for flag in (option.flag, f"--{name.replace('_', '-')}") if flag]
    more: dict[str, Any] = {
        "help": sentence(option),
        "default": field.default,
        "metavar": option.metavar or None,
        "show_default": field.default is not None and field.default is not False and not option.many,
    }
    if hint is bool:
        more |= {"is_flag": True, "metavar": None}
    elif option.choices:
        more |= {"type": click.Choice(option.choices), "metavar": None}
    elif hint is int or int in typing.get_args(hint):
        more |= {"type": click.IntRange(min=None if option.low is None else int(option.low))}
    elif hint is float or set(typing.get_args(hint)) == {float, type(None)}:
        more |= {"type": click.FloatRange(min=option.low)}
    elif option.many:
        more |= {"multiple": True, "default": None}
        if field.default:
            more["help"] += f"  [default: {' '.join(typing.cast(tuple[str, ...], field.default))}]"
    return click.option(*flags, name, **more)


def sentence(option: Option) -> str:
    """A help text with a capital and a full stop, its [default: …] after it."""
    text, bracket, default = option.help.partition(" [default")
    stop = "" if text.endswith("?") else "."
    return f"{text[0].upper()}{text[1:]}{stop}" + (f"  {bracket.strip()}{default}" if bracket else "")


def build(settings: type[Settings], values: dict[str, Any]) -> Settings:
    """A settings object from what click parsed; an option that is not there keeps its default."""
    known = options(settings)
    return settings(**{name: value for name, value in values.items() if name in known and value not in (None, ())})


def explicit(settings: type, values: dict[str, Any]) -> dict[str, Any]:
    """What the command line sets of these settings; a collections file may set the rest."""
    default = click.core.ParameterSource.DEFAULT
    source = click.get_current_context().get_parameter_source
    known = options(settings)
    return {name: value for name, value in values.items() if name in known and source(name) is not default}


# What changes where and how a command works, never its numbers.
_NOT_NUMBERS = {"out", "form", "quiet", *options(Execution)}


def command_line() -> str:
    """The running command as a shell would take it, without options that cannot change a number."""
    context = click.get_current_context()
    words = ["irassay", str(context.info_name)]
    for parameter in context.command.params:
        name = str(parameter.name)
        unset = context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT
        if unset or name in _NOT_NUMBERS or name not in context.params:  # `--quiet` and `--help` are no parameters
            continue
        value = context.params[name]
        values = value if isinstance(value, (tuple, list)) else (value,)
        if isinstance(parameter, click.Argument):
            words += [str(one) for one in values if one is not None]
        elif value is True:
            words.append(parameter.opts[-1])
        else:
            words += [word for one in values for word in (parameter.opts[-1], str(one))]
    return shlex.join(words)
