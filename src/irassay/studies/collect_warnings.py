"""Warnings of several studies on the same data, each said once."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Iterator

from irassay.errors import IrassayWarning


@contextlib.contextmanager
def listening(said: list[IrassayWarning]) -> Iterator[None]:
    """Irassay's warnings go to a list; others go on to whoever listens outside."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", IrassayWarning)
        yield
    for one in caught:
        if isinstance(one.message, IrassayWarning):
            said.append(one.message)
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def unique(said: Iterable[IrassayWarning]) -> tuple[IrassayWarning, ...]:
    """Each warning once, however many studies met it."""
    return tuple({str(warning): warning for warning in said}.values())
