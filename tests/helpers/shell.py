"""The command line in this process, in a folder with judgments and two runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, NamedTuple

from irassay.cli import run

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n"
FIRST = "1 Q0 b 1 3 first\n1 Q0 a 2 2 first\n1 Q0 u 3 1 first\n2 Q0 a 1 1 first\n"
SECOND = "1 Q0 c 1 9 second\n1 Q0 u 2 8 second\n2 Q0 u 1 2 second\n2 Q0 a 2 1 second\n"


class Done(NamedTuple):
    status: int
    out: bytes
    err: str

    @property
    def rows(self) -> list[list[str]]:
        return list(csv.reader(io.StringIO(self.out.decode("utf-8", "surrogateescape"))))


class Shell:
    """Runs commands in this process, in a folder with qrels.txt and runs/."""

    def __init__(self, folder: Path, capture: Any) -> None:
        self.folder, self.capture = folder, capture
        (folder / "qrels.txt").write_text(QRELS)
        (folder / "runs").mkdir()
        (folder / "runs" / "first.txt").write_text(FIRST)
        (folder / "runs" / "second.txt").write_text(SECOND)

    def __call__(self, *arguments: str) -> Done:
        self.capture.readouterr()
        status = run(arguments)
        out, err = self.capture.readouterr()
        assert b"Traceback" not in out + err
        return Done(status, out, err.decode("utf-8", "surrogateescape"))

    def score(self, *arguments: str) -> Done:
        return self("score", "qrels.txt", "runs", *arguments)

    def name(self, name: bytes) -> None:
        """Give the first run another name."""
        (self.folder / "runs" / "first.txt").write_bytes(FIRST.encode().replace(b"first", name))
