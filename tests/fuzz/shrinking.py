"""A smaller case with the same kind of problem: files and arguments lose what they do not need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.fuzz.cases import Case

Problem = Callable[[Case], str]


def shrunk(case: Case, problem: Problem, tries: int = 2000) -> Case:
    """The case with every stretch of bytes left out that can be; what the files hold must stay where it is known."""
    if case.collection is not None:
        return case
    kind = kind_of(problem(case))
    improved = True
    while improved and tries > 0:
        improved = False
        for smaller in _smaller(case):
            tries -= 1
            if tries <= 0:
                break
            if kind_of(problem(smaller)) == kind:
                case, improved = smaller, True
                break
    return case


def kind_of(message: str) -> str:
    """What kind of problem it is: the last line of a traceback, without the numbers."""
    line = message.strip().rpartition("\n")[2]
    return "".join(letter for letter in line if not letter.isdigit())[:60]


def _smaller(case: Case) -> Iterator[Case]:
    for name, content in case.files.items():
        size = max(1, len(content) // 2)
        while size:
            for start in range(0, len(content), size):
                without = content[:start] + content[start + size :]
                yield replace(case, files={**case.files, name: without})
            size //= 2
    for place in range(1, len(case.arguments)):
        argument = case.arguments[place]
        for shorter in (argument[: len(argument) // 2], argument[1:], argument[:-1]):
            if shorter != argument:
                words = (*case.arguments[:place], shorter, *case.arguments[place + 1 :])
                yield replace(case, arguments=words)
