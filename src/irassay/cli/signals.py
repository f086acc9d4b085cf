"""What ends a command from outside: every such signal is an interruption, after which files are whole and tidied."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

# Of a shell's or a scheduler's kill, of a terminal that closes. Windows has no SIGHUP.
ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    for other in ENDING:  # schedulers send several: what tidies up must not be interrupted again
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP do what Ctrl-C does; one that is ignored, as under nohup, stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
