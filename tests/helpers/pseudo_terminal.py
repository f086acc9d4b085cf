"""Programs on a pseudo-terminal: what somebody sees who has a terminal of some width."""

from __future__ import annotations

import contextlib
import os
import re
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

# What a terminal does not show: colours, and how the cursor moves.
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Runs several commands, as one process would be slow to start for each; each output ends with a line.
COMMANDS = """
import json, sys
from irassay.cli import run
for arguments in json.loads(sys.argv[1]):
    status = run(arguments)
    print(f"<exit {status}>", flush=True)
"""


class Shown(NamedTuple):
    """The exit status, and what stood on the terminal with all control sequences."""

    status: int
    raw: str

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self.raw)


def on_terminal(
    arguments: Sequence[str], folder: Path, width: int, *, streams: Sequence[str] = ("stdout", "stderr"), **more: str
) -> Shown:
    """Run `python arguments` on a terminal of this width; a stream that is not named is thrown away."""
    import fcntl
    import pty
    import termios

    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    ends = {name: terminal if name in streams else subprocess.DEVNULL for name in ("stdout", "stderr")}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env={**kept, "TERM": "xterm-256color", **more},
        stdin=terminal,
        stdout=ends["stdout"],
        stderr=ends["stderr"],
    )
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # Linux's way to say that nobody writes any more
        while part := os.read(main, 65536):
            shown += part
    os.close(main)
    return Shown(process.wait(), shown.decode().replace("\r\n", "\n"))
