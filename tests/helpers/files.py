"""Files for the reading tests: how to write, pack and read them back, and the error a bad one gives."""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backports import zstd

from irassay import Qrels, Runs
from irassay.errors import InputError

Row = tuple[bytes, bytes, float, int]  # topic, document, score, line
RUN = b"401 Q0 FT911-3 1 2.5 bm25\n402 Q0 FT911-1 1 1.5 bm25\n402 Q0 FT911-3 2 0.5 bm25\n"


def refusal(read: Callable[..., Any], *given: Any, **more: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        read(*given, **more)
    return caught.value


def lines_of(error: InputError) -> list[int]:
    return [int(problem.where.rpartition(":")[2]) for problem in error.problems]


def file(folder: Path, content: bytes, name: str = "run.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def rows_of(runs: Runs, name: str | None = None) -> list[Row]:
    run = runs[name or runs.names[0]]
    topics = list(runs.vocabulary.topics)
    of_row = np.repeat(run.segment_topic, np.diff(run.segment_row)).tolist()
    assert of_row == runs.vocabulary.topic[run.entry].tolist()
    names = runs.vocabulary.names(run.entry)
    return [(topics[t], names[row], run.score[row], run.line(row)) for row, t in enumerate(of_row)]


def grades_of(qrels: Qrels) -> dict[tuple[bytes, bytes], int]:
    topics = list(qrels.vocabulary.topics)
    names = qrels.vocabulary.names(np.arange(len(qrels)))
    return {(topics[t], d): int(g) for t, d, g in zip(qrels.vocabulary.topic, names, qrels.grade, strict=True)}


SKIPPABLE = struct.pack("<II", 0x184D2A50, 4) + b"size"
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gz": gzip.compress,
    "gz in several members": lambda data: b"".join(
        gzip.compress(data[i : i + 7], mtime=0) for i in range(0, len(data), 7)
    ),
    "gz with padding": lambda data: gzip.compress(data, mtime=0) + b"\0" * 100,
    "gz with an empty member": lambda data: gzip.compress(b"", mtime=0) + gzip.compress(data, mtime=0),
    "xz": lzma.compress,
    "xz in two streams with padding": lambda d: lzma.compress(d[:9]) + b"\0" * 4 + lzma.compress(d[9:]) + b"\0" * 8,
    "zst": zstd.compress,
    "zst in several frames": lambda data: b"".join(zstd.compress(data[i : i + 7]) for i in range(0, len(data), 7)),
    "zst after a skippable frame": lambda data: SKIPPABLE + zstd.compress(data) + SKIPPABLE,
}
