"""What goes wrong, said so that a user can act on it.

Bad input raises `InputError` (exit status 2), a missing extra `MissingExtraError` (exit status 3). What is
survivable is an `IrassayWarning` with a code; nothing is dropped without one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong: what, and where (`file:line`, or empty)."""

    what: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class InputError(ValueError):
    """Something the user gave cannot be used: what, where, and what to do about it."""

    def __init__(self, what: str, where: str = "", hint: str = "", *, more: Iterable[Problem] = ()) -> None:
        self.problems: tuple[Problem, ...] = (Problem(what, where), *more)
        self.hint = hint
        super().__init__(what, where, hint)

    @property
    def what(self) -> str:
        return self.problems[0].what

    @property
    def where(self) -> str:
        return self.problems[0].where

    @classmethod
    def of(cls, problems: Iterable[Problem], hint: str = "") -> InputError:
        """One error for several problems, so that a user can mend them in one go."""
        first, *more = problems
        return cls(first.what, first.where, hint, more=more)

    def __str__(self) -> str:
        text = "\n".join(map(str, self.problems))
        return f"{text}\n\nhint: {self.hint}" if self.hint else text


class MissingExtraError(ImportError):
    """A feature needs a package that only an extra installs."""

    def __init__(self, extra: str, purpose: str) -> None:
        self.extra = extra
        super().__init__(f"{purpose} needs the extra [{extra}]\n\nhint: pip install 'irassay[{extra}]'")


class IrassayWarning(UserWarning):
    """Something survivable that a user must know: a code, what, and where."""

    def __init__(self, code: str, what: str, where: str = "") -> None:
        self.code, self.what, self.where = code, what, where
        super().__init__(f"{Problem(what, where)} [{code}]")


def check_seed(seed: int) -> None:
    """Seeds are 64-bit numbers."""
    if not 0 <= seed < 2**64:
        raise InputError(f"seed is {seed}", hint="a seed is a whole number from 0 to 2^64 - 1")


def emit(found: Iterable[IrassayWarning]) -> None:
    """Hand warnings to Python's own machinery, which users and the command line know how to steer."""
    for warning in found:
        warnings.warn(warning, stacklevel=3)
