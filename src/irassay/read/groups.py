"""Groups: which team a system came from, or which kind of topic one is; one `name group` pair per line."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from irassay.errors import InputError, Problem
from irassay.read.files import load
from irassay.read.tokens import limited
from irassay.read.vocabulary import text

NO_ALIASES: Mapping[str, str] = MappingProxyType({})


class Member(NamedTuple):
    """The group of one name, and the line that says so."""

    group: str
    line: int


def read_groups(path: Path, aliases: Mapping[str, str] = NO_ALIASES) -> dict[str, str]:
    """System to group; names may hold anything but white space. `aliases`: what else a system is called."""
    return groups_by_system(read_members(path, "system"), path, aliases)


def groups_by_system(
    members: Mapping[str, Member], path: Path, aliases: Mapping[str, str], kind: str = "group"
) -> dict[str, str]:
    """The group of each system, whichever of its names the file uses; it may use several, of one group."""
    systems: dict[str, Member] = {}
    problems = []
    for name, member in members.items():
        system = aliases.get(name, name)
        first = systems.setdefault(system, member)
        if first.group != member.group:
            called = system if name == system else f"{system} ({name})"
            what = f"system {called} is in {kind} {first.group} (line {first.line}) and in {member.group}"
            problems.append(Problem(what, f"{path}:{member.line}"))
    if problems:
        raise InputError.of(limited(problems, path), f"give each system one {kind}, under one of its names")
    return {system: member.group for system, member in systems.items()}


def read_members(path: Path, what: str, kind: str = "group") -> dict[str, Member]:
    """Name to group and line; `what` the names are, such as "topic", and of what `kind` the groups."""
    members: dict[str, Member] = {}
    problems = []
    hint = f"one line per {what}: {what} {kind}"
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        words = [text(word) for word in line.split()]
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2:
            problems.append(Problem(f"expected 2 columns ({what} {kind}), found {len(words)}", f"{path}:{number}"))
        elif (group := members.setdefault(words[0], Member(words[1], number)).group) != words[1]:
            problems.append(Problem(f"{what} {words[0]} is in {kind} {group} and in {words[1]}", f"{path}:{number}"))
    if problems:
        raise InputError.of(limited(problems, path), hint)
    if not members:
        raise InputError(f"the file names no {kind}", str(path), hint)
    return members
