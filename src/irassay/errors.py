"""Errors and warnings that tell a user what to do.

Bad input raises `InputError` (exit status 2), a missing extra `MissingExtraError` (exit status 3). Work that can go on
emits an `IrassayWarning` with a code, its kind; nothing is left out without one. Those of a kind are issued as one, the
worst kind first.
"""

import sys
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, Self


class Problem(NamedTuple):
    """One thing that is wrong: what, and where (`file:line`, or empty)."""

    what: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class InputError(ValueError):
    """Input that cannot be used: what is wrong, where, and what to do about it."""

    def __init__(self, what: str, where: str = "", hint: str = "", *, more: Iterable[Problem] = ()) -> None:
        self.problems: tuple[Problem, ...] = (Problem(what, where), *more)
        self.what = what
        self.where = where
        self.hint = hint
        super().__init__(what, where, hint)

    @classmethod
    def of(cls, problems: Iterable[Problem], hint: str = "") -> Self:
        """One error for several problems, so that a user can correct them all at once."""
        first, *more = problems
        return cls(first.what, first.where, hint, more=more)

    def __str__(self) -> str:
        text = "\n".join(_collapsed(self.problems))
        return f"{text}\n\nhint: {self.hint}" if self.hint else text


class UnavailableError(InputError):
    """What was there has gone away in the middle of the work, which can go on once it is back: no part has failed."""


def _collapsed(problems: Iterable[Problem]) -> Iterator[str]:
    """One line for each different problem: the first place, and how many more places have it."""
    places: dict[str, list[str]] = {}
    for problem in problems:
        places.setdefault(problem.what, []).append(problem.where)
    for what, (where, *more) in places.items():
        more_places = f" (and in {len(more)} more places, the next at {more[0]})" if len(more) > 1 else ""
        yield str(Problem(what + more_places, where))
        if len(more) == 1:
            yield str(Problem(what, more[0]))


class MissingExtraError(ImportError):
    """A feature needs a package that only an extra installs."""

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        self.purpose = purpose
        super().__init__(f"{purpose} needs the extra [{extra}]\n\nhint: pip install 'irassay[{extra}]'")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.extra, self.purpose)


def import_extra(module: str, extra: str, purpose: str) -> Any:
    """A module that only an extra installs, or an error that names the extra."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(extra, purpose) from None


# How bad a kind of warning is, by its code: 3 where a conclusion may be wrong, 2 where something is left out or less
# sure than it looks, 1 where something was only done in a way that a user may not expect. Other codes are 2.
SEVERITY = {
    # a conclusion may be wrong
    "constant-scores": 3,
    "different-measures": 3,
    "duplicates": 3,
    "file-order": 3,
    "infinite-interval": 3,
    "judged-less": 3,
    "missing-topics": 3,
    "mixed-scales": 3,
    "outside-pool": 3,
    "part": 3,
    "rank-derived-scores": 3,
    "rank-order": 3,
    "score-order": 3,
    "scores-from-ranks": 3,
    "short-intervals": 3,
    "skewed-labels": 3,
    "tied-topics": 3,
    "unequal-variances": 3,
    # how something was done
    "fewer-systems": 1,
    "figure": 1,
    "ignored": 1,
    "not-on-gpu": 1,
    "ntcir-defaults": 1,
    "random-tasks": 1,
    "repeated-judgments": 1,
    "self-documents": 1,
    "skipped-files": 1,
    "tags": 1,
    "tested-as": 1,
    "unjudged-topics": 1,
}


class IrassayWarning(UserWarning):
    """Something that a user must know, but that stops no work: a code, what, and where."""

    def __init__(self, code: str, what: str, where: str = "") -> None:
        self.code, self.what, self.where = code, what, where
        super().__init__(f"{Problem(what, where)} [{code}]")

    def __reduce__(self) -> tuple[object, ...]:
        # studies may run in other processes; an exception's own way keeps its text only
        return type(self), (self.code, self.what, self.where)

    @property
    def severity(self) -> int:
        """How bad such a warning is: from 1 to 3, the worst."""
        return SEVERITY.get(self.code, 2)

    @property
    def messages(self) -> "tuple[IrassayWarning, ...]":
        """The warning, or all that it stands for."""
        return (self,)


class WarningsOfAKind(IrassayWarning):
    """Several warnings with one code as one: the first, and how many more there are."""

    def __init__(self, messages: Iterable[IrassayWarning]) -> None:
        self._messages = first, *others = tuple(messages)
        what = f"{first.what}; {len(others)} more of this kind, which the result lists"
        super().__init__(first.code, what, first.where)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._messages,)

    @property
    def messages(self) -> tuple[IrassayWarning, ...]:
        return self._messages


def by_kind(messages: Iterable[IrassayWarning]) -> list[IrassayWarning]:
    """One warning for each kind, the worst kind first and then the most frequent."""
    kinds: dict[str, dict[str, IrassayWarning]] = {}
    for one in messages:
        kinds.setdefault(one.code, {}).update({str(each): each for each in one.messages})
    listed = [WarningsOfAKind(kind.values()) if len(kind) > 1 else next(iter(kind.values())) for kind in kinds.values()]
    return sorted(listed, key=lambda kind: (-kind.severity, -len(kind.messages)))


def check_seed(seed: int) -> None:
    """Seeds are 64-bit numbers."""
    if not 0 <= seed < 2**64:
        raise InputError(f"seed is {seed}", hint="a seed is a whole number from 0 to 2^64 - 1")


def emit(messages: Iterable[IrassayWarning]) -> None:
    """Issue the warnings by kind through Python's `warnings`, whose filters apply to them."""
    for message in by_kind(messages):
        warnings.warn(message, stacklevel=_level_of_the_user())


def _level_of_the_user() -> int:
    """Which caller of `emit` is the first outside this package: its line is the one to show."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "irassay":
        level, frame = level + 1, frame.f_back
    return level
