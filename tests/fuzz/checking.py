"""Runs a case in a folder of its own, and says what is wrong with how it ended."""

from __future__ import annotations

import contextlib
import csv
import faulthandler
import io
import logging
import math
import os
import re
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import irassay
from irassay.cli import run
from irassay.measures import parse
from tests.fuzz.cases import Case
from tests.fuzz.mutation import MARKUP
from tests.helpers import plain_reader

TOLERANCE = 1e-12
OUTPUTS = {"page.html", "irassay.toml"}  # what a command may write
LOG = re.compile(r"report it with (\S+)")


class Hang(BaseException):
    """Raised when a case takes too long; no `Exception`, so that nothing takes it for a bug of its own."""


class Ended(NamedTuple):
    """The exit status of a command and what it wrote."""

    status: int
    out: str
    err: str


@cache
def _prepare() -> None:
    """Vega's code is put together once, and nothing logs to a stream that is gone."""
    import vl_convert

    vl_convert.javascript_bundle = cache(vl_convert.javascript_bundle)
    logging.getLogger().addHandler(logging.NullHandler())


def problem(case: Case, seconds: int) -> str:
    """What is wrong with how a case ended; empty if nothing is."""
    _prepare()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, contextlib.chdir(folder):
        for name, content in case.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        try:
            ended = _run(case.arguments, seconds)
            return _wrong_end(ended) or _wrong_files(case, ended, Path(folder)) or _wrong_output(case, ended)
        except Hang:
            return f"it took more than {seconds} seconds"


def _run(arguments: Sequence[str], seconds: int) -> Ended:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))
    unraised: list[Any] = []  # numba's folds can only print their exceptions
    hook, sys.unraisablehook = sys.unraisablehook, unraised.append
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _limited(seconds),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error", RuntimeWarning)  # of numpy: a number that nobody should see
            status = run(arguments)
    finally:
        sys.unraisablehook = hook
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8", "surrogateescape"))
    lost = "".join(f"\nTraceback: {one.exc_value!r}" for one in unraised)
    return Ended(status, texts[0], texts[1] + lost)


@contextlib.contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """An error after so many seconds; the process ends with all its stacks where not even that can be raised."""

    def late(number: int, frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(2 * seconds, exit=True, file=2)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def _wrong_end(ended: Ended) -> str:
    if log := LOG.search(ended.err):
        place = Path(log[1])
        traceback = place.read_text(errors="replace")
        place.unlink()
        return f"{ended.err}\n{traceback}"
    if ended.status not in (0, 2):
        return f"exit status {ended.status}\n{ended.err}"
    if "Traceback" in ended.err:
        return ended.err
    if ended.status == 2 and not ended.err.startswith(("error: ", "warning: ", "Usage: ")):
        return f"no error is named:\n{ended.err}"
    if ended.status == 2 and ended.out:
        return f"half an output:\n{ended.out[:500]}"
    return ""


def _wrong_files(case: Case, ended: Ended, folder: Path) -> str:
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    new = present - case.files.keys()
    if left := new - OUTPUTS:
        return f"left behind: {', '.join(sorted(left))}"
    if new and ended.status:
        return f"an error, and yet it wrote {', '.join(sorted(new))}"
    if case.files.keys() - present:
        return f"removed: {', '.join(sorted(case.files.keys() - present))}"
    if any((folder / name).read_bytes() != content for name, content in case.files.items()):
        return "an input was changed"
    page = folder / "page.html"
    if page.is_file() and MARKUP in page.read_text("utf-8", "surrogateescape"):
        return "a name of the input is markup in the page"
    return ""


def _wrong_output(case: Case, ended: Ended) -> str:
    if ended.status:
        return f"refused though it is valid:\n{ended.err}" if case.collection else ""
    if "csv" not in case.arguments:
        return ""
    values = [float(row[-1]) for row in list(csv.reader(io.StringIO(ended.out)))[1:] if row[-1]]
    if not all(map(math.isfinite, values)):
        return "a score is not finite"
    expected = _expected(case)
    if expected is None:
        return ""
    if len(values) != len(expected):
        return f"{len(values)} scores instead of {len(expected)}"
    wrong = [(one, two) for one, two in zip(values, expected, strict=True) if not _same(one, two)]
    return f"{len(wrong)} scores are wrong, first {wrong[0][0]!r} instead of {wrong[0][1]!r}" if wrong else ""


def _same(one: float, two: float) -> bool:
    return abs(one - two) <= TOLERANCE * max(1.0, abs(two))


def _expected(case: Case) -> list[float] | None:
    """What the plain reader makes of the files, where they were read as TREC's; or of what was written into them."""
    if case.target not in ("trec", "formats"):
        return None
    measures = parse(case.arguments[-1])
    if case.collection is not None:
        qrels = _as_bytes(case.collection.qrels)
        return plain_reader.scores(qrels, [_as_bytes(lists) for lists in case.collection.runs], measures)
    runs = [name for name in case.files if name != "qrels"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        formats = {irassay.read_qrels("qrels").format, *(run.format for run in irassay.read_runs(*runs))}
    if formats != {"TREC"}:
        return None
    unpacked = {name: _unpacked(Path(name)) for name in case.files}
    judgments = plain_reader.read_qrels(unpacked["qrels"])
    return plain_reader.scores(judgments, [plain_reader.read_run(unpacked[name]) for name in runs], measures)


def _as_bytes(lists: dict[str, dict[str, Any]]) -> dict[bytes, dict[bytes, Any]]:
    return {os.fsencode(t): {os.fsencode(d): value for d, value in values.items()} for t, values in lists.items()}


def _unpacked(path: Path) -> bytes:
    """The bytes in a file, by Python's own unpackers."""
    import gzip
    import lzma

    from backports import zstd

    data = path.read_bytes()
    for magic, unpack in (
        (b"\x1f\x8b", gzip.decompress),
        (b"\xfd7zXZ", lzma.decompress),
        (b"(\xb5/\xfd", zstd.decompress),
    ):
        if data.startswith(magic):
            return bytes(unpack(data))
    return data
