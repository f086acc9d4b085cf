"""Bytes from files: plain, .gz, .xz or .zst by content, never trusting a name; and which files a user meant."""

import contextlib
import glob as globbing
import lzma
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.compilation import compiled
from irassay.errors import InputError, import_extra
from irassay.read.scratch import Scratch

Bytes = NDArray[np.uint8]

PACKED = (".gz", ".xz", ".zst")
ENDINGS = r"\.(trec|run|res|results|txt|tsv|csv|json|jsonl|ndjson|parquet|dat|eval)$"
HEAD = 10  # bytes by which packed files are recognised
MAGIC = {
    "gzip": rb"\x1f\x8b",
    "xz": rb"\xfd7zXZ\0",
    # frames of data, and the skippable ones that parallel packers begin with
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
    "bzip2": rb"BZh.1AY&SY",
    "zip": rb"PK\x03\x04",
}
PADDING = 64
LINE = 36  # bytes of a line of a run or of judgments, on average
GROWTH = 5  # how many bytes one of a packed file is
ZEROS = re.compile(rb"\0*")
PIECE = 1 << 18
# Real runs shrink about five- to tenfold. Past this much and this ratio it is a decompression bomb.
BOMB_SIZE, BOMB_RATIO = 256 << 20, 200
AGAIN = "fetch or pack the file again"
REASONS = {FileNotFoundError: "no such file", IsADirectoryError: "this is a directory"}


def expand(sources: Iterable[str | os.PathLike[str]], exclude: Iterable[str] = ()) -> list[Path]:
    """Files, directories (all files below them by bytes of the path, no dotfiles) and globs, in the order given.

    Files of directories and globs are left out where a pattern of `exclude` matches their name or their path.
    """
    patterns = (exclude,) if isinstance(exclude, str) else tuple(exclude)
    if not all(Path(pattern).parts for pattern in patterns):
        raise InputError("a pattern of files to exclude is empty", hint="give one such as '*.log'")
    paths: list[Path] = []
    for source in sources:
        name = os.fspath(source)
        _refuse_impossible(name)
        try:
            paths += _matching(name, patterns)
        except OSError as error:
            raise InputError(_reason(error), name) from None
    seen: dict[str, Path] = {}
    for path in paths:
        first = seen.setdefault(os.path.realpath(path), path)
        if first is not path:
            what = "the same file is given twice" + (f", first as {first}" if str(first) != str(path) else "")
            raise InputError(what, str(path), "give it once, in a directory, by a pattern or by its name")
    return paths


def expect(sources: Iterable[str | os.PathLike[str]], exclude: Iterable[str] = ()) -> None:
    """Have kernels compiled before any of these files is read, if all of them together are large."""
    with contextlib.suppress(InputError):  # reading says what is wrong
        compiled("expected", lines_of_files(expand(sources, exclude)))


def lines_of_files(paths: Iterable[Path]) -> int:
    """About how many lines of judgments or runs files hold, by their sizes."""
    total = 0
    for path in paths:
        with contextlib.suppress(OSError, ValueError):  # reading says what is wrong
            total += path.stat().st_size * (GROWTH if path.suffix in PACKED else 1)
    return total // LINE


def _refuse_impossible(name: str) -> None:
    if not name or "\0" in name:
        raise InputError("no file can have this name", repr(name))


def _matching(name: str, exclude: tuple[str, ...]) -> list[Path]:
    """The files of a directory or a pattern, or the file itself."""
    if os.path.isdir(name):
        matches = list(_below(Path(name), set()))
        problem = ("the directory holds no files", name, "dotfiles are ignored, and so are files below dot-folders")
    elif os.path.lexists(name) or not globbing.has_magic(name):
        return [Path(name)]  # reading says whether it is missing
    else:
        matches = [Path(match) for match in globbing.glob(name, recursive=True)]
        matches = [path for path in matches if path.is_file() and not path.name.startswith(".")]
        problem = ("no file matches this pattern", name, "a pattern matches files, not directories")
    files = [path for path in matches if not any(map(path.match, exclude))]
    if matches and not files:
        raise InputError("all files are excluded", name, f"leave out --exclude {exclude[0]}")
    if not files:
        raise InputError(*problem)
    return sorted(files, key=os.fsencode)


def _below(folder: Path, seen: set[str]) -> Iterator[Path]:
    """The files of a folder and of the folders in it, each folder once, whatever links lead to it."""
    real = os.path.realpath(folder)
    if real in seen:
        return
    seen.add(real)
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _below(path, seen)
        elif path.is_file():
            yield path


def open_regular(path: Path) -> BufferedReader:
    """The file, to read. A pipe is no input: its format is recognised by its beginning, which cannot be read twice."""
    _refuse_impossible(str(path))
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        what = "this is a pipe, not a file" if stat.S_ISFIFO(mode) else "this is not a regular file"
        raise InputError(what, str(path), "write what it gives to a file; .gz, .xz and .zst are read as they are")
    return path.open("rb")


def load(path: Path, scratch: Scratch | None = None) -> Bytes:
    """The file's bytes, decompressed, ending in a newline, in a padded array."""
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
            kind = packing(head)
            if not kind and (size := os.fstat(file.fileno()).st_size) > len(head):
                out = _allocate(size, scratch)
                out[: len(head)] = np.frombuffer(head, dtype=np.uint8)
                size = len(head) + file.readinto(out[len(head) : size].data)
                return _checked(out, size, path)
            raw = head + file.read()
    except OSError as error:
        raise InputError(_reason(error), str(path)) from None
    pieces = _unpack(raw, kind, path) if kind else [raw]
    del raw
    size = sum(map(len, pieces))
    out = _allocate(size, scratch)
    np.concatenate([np.frombuffer(piece, dtype=np.uint8) for piece in pieces], out=out[:size])
    return _checked(out, size, path)


def beginning(path: Path, size: int = 1 << 16) -> Bytes:
    """The first lines of a file, decompressed, by which its format is recognised without reading all of it."""
    try:
        with open_regular(path) as file:
            raw = file.read(size)
    except OSError as error:
        raise InputError(_reason(error), str(path)) from None
    kind = packing(raw)
    if kind in DECOMPRESSORS:
        try:
            raw = DECOMPRESSORS[kind]().decompress(raw, size)
        except Exception:  # zlib.error, LZMAError and ZstdError share no base class
            raw = b""
    if b"\n" not in raw and b"\0" not in raw:
        return load(path)  # says what is wrong with it, if anything is
    whole = raw[: raw.rfind(b"\n") + 1] or raw
    return _checked(padded(whole), len(whole), path)


def padded(data: bytes) -> Bytes:
    """Bytes as an array that kernels may read a little past the end of."""
    out = _allocate(len(data))
    out[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return out[: len(data)]


def _allocate(size: int, scratch: Scratch | None = None) -> Bytes:
    """An array for `size` bytes, a last newline, and the padding."""
    room = size + 1 + PADDING
    out = scratch.empty(room, np.uint8) if scratch else np.empty(room, dtype=np.uint8)
    out[size:] = 10
    return out


def _checked(out: Bytes, size: int, path: Path) -> Bytes:
    if not size:
        raise InputError("the file is empty", str(path), "remove it, or give the file that was meant")
    data = out[:size]
    if not data.all():
        utf16 = data[:2].tobytes() in (b"\xff\xfe", b"\xfe\xff")
        raise InputError(
            "this is UTF-16 text" if utf16 else "this is a binary file, not text",
            str(path),
            "convert it to UTF-8" if utf16 else "give a plain, .gz, .xz or .zst text file",
        )
    if data[:3].tobytes() == b"\xef\xbb\xbf":
        data[:3] = 32  # a byte-order mark
    if data[-1] != 10:
        out[size] = 10
        data = out[: size + 1]
    if (data[: 1 << 16] == 13).any() and not (data[:-1] == 10).any():
        data[data == 13] = 10  # line ends of old Macintoshes
    return data


def _reason(error: OSError) -> str:
    return REASONS.get(type(error)) or f"cannot be read ({error.strerror or error})"


def packing(head: bytes) -> str:
    """What a file that begins like this was packed with; empty for text, whatever the file is called."""
    return next((kind for kind, start in MAGIC.items() if re.match(start, head, re.DOTALL)), "")


def _zstd() -> Any:
    try:
        return import_module("compression.zstd")  # Python 3.14
    except ImportError:
        return import_extra("backports.zstd", "zstd", "reading a .zst file")


DECOMPRESSORS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(31),
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ),
    "zstd": lambda: _zstd().ZstdDecompressor(),
}


def _unpack(raw: bytes, kind: str, path: Path) -> list[bytes]:
    """Unpack one or several concatenated members, watching the size as it grows."""
    if kind not in DECOMPRESSORS:
        raise InputError(f"this is a {kind} file", str(path), "unpack it, or pack it with gzip, xz or zstd")
    pieces: list[bytes] = []
    size = position = 0
    source = memoryview(raw)
    while True:
        if pieces and raw[position : position + 1] == b"\0":
            position = ZEROS.match(raw, position).end()  # type: ignore[union-attr]  # padding after a member
        if position == len(raw):
            return pieces
        if pieces and packing(raw[position : position + HEAD]) != kind:
            raise InputError(f"the {kind} data is followed by something else", str(path), AGAIN)
        member = DECOMPRESSORS[kind]()
        try:
            while not member.eof and position < len(raw):
                # Each call gets little input and gives bounded output, so a bomb is seen before it fills memory.
                tail: bytes | memoryview = source[position : position + PIECE]
                position += len(tail)
                while True:
                    pieces.append(member.decompress(tail, PIECE * 16))
                    size += len(pieces[-1])
                    if size > BOMB_SIZE and size > BOMB_RATIO * position:
                        raise InputError(
                            f"{kind} data grows more than {BOMB_RATIO}-fold (a decompression bomb?)",
                            str(path),
                            "unpack it yourself if you trust it",
                        )
                    tail = getattr(member, "unconsumed_tail", b"")
                    if not tail and (member.eof or getattr(member, "needs_input", True)):
                        break
        except InputError:
            raise
        except Exception as error:  # zlib.error, LZMAError and ZstdError share no base class
            raise InputError(f"damaged {kind} data ({error})", str(path), AGAIN) from None
        if not member.eof:
            raise InputError(f"truncated {kind} file", str(path), AGAIN)
        position -= len(member.unused_data)


def stem(path: Path) -> str:
    """The file's name as a system's name: only the endings of compression are removed."""
    name = os.fsdecode(path.name)
    return name if name in PACKED else name.removesuffix(next(filter(name.endswith, PACKED), ""))


def short_name(path: Path) -> str:
    """The file's name without the endings that say what a file of runs is: bm25.trec.gz is bm25."""
    name = stem(path)
    while (shorter := re.sub(ENDINGS, "", name, flags=re.IGNORECASE)) != name and shorter:
        name = shorter
    return name
