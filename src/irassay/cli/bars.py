"""Progress on a terminal: a bar for each piece of work, those inside others below them.

Where nothing reports how far it is, as imports or the layout of a table, a bar that only moves shows that work goes on.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task, TaskID

DELAY = 1.0  # seconds; shorter work shows nothing
BETWEEN = 0.05  # seconds between two reports of the same work that are taken
PER_SECOND = 8  # how often bars are drawn


@dataclass
class _Work:
    name: str
    done: int = 0
    total: int = 0
    item: str = ""
    task: TaskID | None = None  # where it is drawn


class Bars:
    """A listener to progress that draws it on stderr, once work takes longer than a moment.

    Reports may come from any thread. What is reported while other work is not done is inside that.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._stack: list[_Work] = []
        self._between: _Work | None = None
        self._drawn: Progress | None = None
        self._timer: threading.Timer | None = None
        self._last = ("", 0.0)

    def begin(self, name: str) -> None:
        """From now on there is work, whether something reports it or not."""
        with self._lock:
            if self._between is None:
                self._between = _Work(name)
            if self._timer is None:
                self._later()

    def __call__(self, what: str, done: int, total: int, item: str = "") -> None:
        now, (name, before) = time.monotonic(), self._last
        if name == what and 0 < done < total and now - before < BETWEEN:
            return
        with self._lock:
            self._last = (what, now)
            self._leave(what)
            if done < total:
                work = self._stack[-1]
                work.done, work.total, work.item = done, total, item
                self._show(work)
            else:
                self._remove()
            self._show_between()
            if not self._stack and self._between is None:
                self.clear()
            elif self._timer is None:
                self._later()

    def clear(self) -> None:
        """Erase what is drawn; work that goes on is drawn again after a moment."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._drawn is not None:
                self._drawn.stop()
                self._drawn = None
                for work in self._works():
                    work.task = None
            if self._works():
                self._later()

    def close(self) -> None:
        """Leave a clean terminal."""
        with self._lock:
            self._stack.clear()
            self._between = None
            self.clear()

    def _works(self) -> list[_Work]:
        return self._stack if self._between is None else [self._between, *self._stack]

    def _show_between(self) -> None:
        """The bar of work that nothing reports, only while nothing else does."""
        work = self._between
        if self._drawn is None or work is None:
            return
        if work.task is None:
            work.task = self._drawn.add_task(work.name, total=None)
        self._drawn.update(work.task, visible=not self._stack)

    def _leave(self, what: str) -> None:
        """Make this work the innermost one: what was inside it is over."""
        if what not in (work.name for work in self._stack):
            self._stack.append(_Work(what))
        while self._stack[-1].name != what:
            self._remove()

    def _remove(self) -> None:
        work = self._stack.pop()
        if self._drawn is not None and work.task is not None:
            self._drawn.remove_task(work.task)

    def _show(self, work: _Work) -> None:
        if self._drawn is None:
            return
        text = "  " * self._stack.index(work) + (f"{work.name}: {work.item}" if work.item else work.name)
        if work.task is None:
            work.task = self._drawn.add_task(text, total=work.total, completed=work.done)
        else:
            self._drawn.update(work.task, description=text, total=work.total, completed=work.done)

    def _later(self) -> None:
        self._timer = threading.Timer(DELAY, self._draw)
        self._timer.daemon = True
        self._timer.start()

    def _draw(self) -> None:
        with self._lock:
            # a timer that was cancelled too late draws nothing
            if not self._works() or self._drawn is not None or self._timer is not threading.current_thread():
                return
            self._drawn = _progress()
            self._show_between()
            for work in self._stack:
                self._show(work)
            self._drawn.start()


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many in a second, or how long one takes."""

        def render(self, task: Task) -> Text:
            if not task.speed:
                return Text("")
            slow = task.speed < 1
            return Text(f"{1 / task.speed:.3g} s each" if slow else f"{task.speed:.3g}/s", style="progress.data.speed")

    class Count(ProgressColumn):
        """How much of all is done, where that is known."""

        def render(self, task: Task) -> Text:
            return Text("" if task.total is None else f"{task.completed:.0f} of {task.total:.0f}")

    columns: tuple[ProgressColumn, ...] = (
        TextColumn("{task.description}", markup=False),  # a name like [red] is no markup
        BarColumn(bar_width=20),
        Count(),
        Rate(),
        TimeRemainingColumn(compact=True),
    )
    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=PER_SECOND,
        redirect_stdout=False,
        redirect_stderr=False,
    )
