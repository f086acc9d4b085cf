"""The tests of a module, collected once and run against each of its mutants in a forked child.

All is imported, compiled and collected before the first fork, so a mutant takes as long as the tests up to the first
that fails. Those that failed last come first, then the fastest. Kernels are compiled again in the child, where they
are called.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import hashlib
import importlib
import json
import os
import resource
import signal
import time
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from irassay.files import atomic_write
from tests.mutants.changes import mutants
from tests.mutants.swapping import swap_code

SLOW = 0.5  # seconds of CPU: a test that takes longer is left out
COMPILING = 15  # seconds of CPU: one that takes longer at first is slow when all is compiled, too
SPARE = 3.0, 20.0  # seconds of CPU beside ten times what a test takes; with kernels to compile
LONGEST = 900  # seconds of a mutant that waits for what never comes
MEMORY = 6 << 30  # bytes of a mutant
UNCHANGED = "unchanged"
LAST = 12  # tests that failed last come first

Mutant = tuple[str, int, ast.Module]  # a name that stays as long as the module does, the line


class Run:
    """A plugin of pytest that runs the mutants of one module in place of the tests."""

    def __init__(self, name: str, files: list[str], folder: Path, jobs: int) -> None:
        self.module = importlib.import_module(f"irassay.ask.{name}")
        self.source = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        self.files = {file: Path(file).read_text(encoding="utf-8") for file in files}
        self.jobs, self.memory = jobs, folder / f"{name}.json"
        # of each mutant the test that failed ("" where none did), and what that holds for
        self.results: dict[str, list[str]] = {}
        if self.memory.exists():
            self.results = json.loads(self.memory.read_text())
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.children: dict[int, tuple[str, int]] = {}  # by process: the mutant, and a pipe with the tests it came to
        self.killers: list[str] = []
        self.caches: list[Any] = []  # what was computed once for many tests

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """Examples are neither shrunk nor kept, and the same for each mutant."""
        quick = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings.get_profile("irassay"), phases=quick, derandomize=True)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        todo = [mutant for mutant in self.mutants() if not self.is_known(mutant[0])]
        if not todo or session.testsfailed:
            self.failed += ["collection"] * session.testsfailed
            return True
        items = session.items
        for _ in range(2):  # the second time all is compiled
            items = [item for item in items if self.seconds.get(item.nodeid, 0.0) <= COMPILING]
            self.clear_caches()
            for item, after in zip(items, [*items[1:], None], strict=True):
                before = time.process_time()
                item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
                self.seconds[item.nodeid] = time.process_time() - before
            caches = [held for held in gc.get_objects() if type(held) is _lru_cache_wrapper]
            self.caches = [held for held in caches if str(held.__module__).startswith(("irassay.", "tests."))]
        if not self.failed:
            gc.freeze()
            # the module itself, one line lower: all is compiled again, and no test may fail
            self.start((UNCHANGED, 0, ast.increment_lineno(ast.parse(self.source))), session)
            self.wait()
            if killer := self.results.pop(UNCHANGED)[0]:
                self.failed.append(killer)
                return True
            for mutant in todo:
                self.start(mutant, session)
            while self.children:
                self.wait()
        return True

    def clear_caches(self) -> None:
        for held in self.caches:
            held.cache_clear()

    def mutants(self) -> Iterator[Mutant]:
        seen: dict[str, int] = {}
        for line, what, tree in mutants(self.source):
            name = f"{line}: {what}"
            seen[name] = seen.get(name, 0) + 1
            yield (f"{name} ({seen[name]})" if seen[name] > 1 else name), line, tree

    def is_known(self, name: str) -> bool:
        result, known_for = self.results.get(name, ["", ""])
        return known_for == self.digest(result)

    def digest(self, killer: str) -> str:
        """A survivor is one for all tests as they are, a mutant is dead as long as the test that failed is there."""
        place = killer.split("::")[0]
        texts = [text for file, text in self.files.items() if not killer or file.endswith(place)]
        return hashlib.sha256("\0".join([self.source, *texts]).encode()).hexdigest()[:16]

    def order(self, session: pytest.Session, first: str) -> list[pytest.Item]:
        killers = [first, *reversed(self.killers)]
        places = {name: place for place, name in reversed(list(enumerate(killers)))}
        quick = [item for item in session.items if self.seconds[item.nodeid] <= SLOW]
        return sorted(quick, key=lambda item: (places.get(item.nodeid, len(killers)), self.seconds[item.nodeid]))

    def start(self, mutant: Mutant, session: pytest.Session) -> None:
        while len(self.children) >= self.jobs:
            self.wait()
        name, _, tree = mutant
        order = self.order(session, self.results.get(name, [""])[0])
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with contextlib.suppress(BaseException):
                self.run(tree, order, writing)
            os._exit(1)
        os.close(writing)
        self.children[child] = name, reading

    def run(self, tree: ast.Module, order: list[Any], writing: int) -> None:
        """In the child: exits with status 0 where all tests pass, else writes which one did not."""
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        for number in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)  # ends the process, also in a kernel
        signal.alarm(LONGEST)
        compiles = swap_code(self.module, ast.fix_missing_locations(tree))
        self.clear_caches()
        for item, after in zip(order, [*order[1:], None], strict=True):
            os.write(writing, f"{item.nodeid}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, SPARE[compiles] + 10 * self.seconds[item.nodeid])
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                return
        os._exit(0)

    def wait(self) -> None:
        child, status = os.wait()
        name, reading = self.children.pop(child)
        with open(reading) as pipe:
            begun = pipe.read().splitlines()
        killer = "" if status == 0 else (begun or ["it cannot be loaded"])[-1]
        self.results[name] = [killer, self.digest(killer)]
        if name != UNCHANGED:
            atomic_write(self.memory, lambda file: file.write(json.dumps(self.results, indent=1).encode()))
        if killer in self.killers:
            self.killers.remove(killer)
        self.killers = [*self.killers, killer][-LAST:]

    def survivors(self) -> list[str]:
        """What is known to survive, as lines to print."""
        lines = self.source.splitlines()
        names = [(name, line) for name, line, _ in self.mutants() if self.results[name][0] == ""]
        return [f"{self.module.__name__.split('.')[-1]}.py:{name}: {lines[line - 1].strip()}" for name, line in names]
