"""Groups: which team a system came from, one `system group` pair per line."""

from pathlib import Path

from irassay.errors import InputError, Problem
from irassay.read.files import load
from irassay.read.tokens import limited
from irassay.read.vocabulary import text


def read_groups(path: Path) -> dict[str, str]:
    """System to group; names may hold anything but white space."""
    groups: dict[str, str] = {}
    problems = []
    for number, line in enumerate(load(path).tobytes().split(b"\n"), start=1):
        words = [text(word) for word in line.split()]
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2:
            problems.append(Problem(f"expected 2 columns (system group), found {len(words)}", f"{path}:{number}"))
        elif groups.setdefault(words[0], words[1]) != words[1]:
            what = f"system {words[0]} is in group {groups[words[0]]} and in {words[1]}"
            problems.append(Problem(what, f"{path}:{number}"))
    if problems:
        raise InputError.of(limited(problems, path), "one line per system: system group")
    if not groups:
        raise InputError("the file names no group", str(path), "one line per system: system group")
    return groups
