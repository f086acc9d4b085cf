"""Bytes from files: plain, .gz, .xz or .zst by content, never trusting a name; and which files a user meant."""

from __future__ import annotations

import glob as globbing
import lzma
import os
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, import_extra

Bytes = NDArray[np.uint8]

PACKED = (".gz", ".xz", ".zst")
HEAD = 10  # bytes by which packed files are recognised
PADDING = 32
PIECE = 1 << 18
# Real runs shrink about five- to tenfold. Past this much and this ratio it is a decompression bomb.
BOMB_SIZE, BOMB_RATIO = 256 << 20, 200
AGAIN = "fetch or pack the file again"


def expand(sources: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Files, directories (their files by bytes of the name, no dotfiles) and globs, in the order given."""
    paths: list[Path] = []
    for source in sources:
        name = os.fspath(source)
        _refuse_impossible(name)
        try:
            paths += _matching(name)
        except OSError as error:
            raise InputError(_reason(error), name) from None
    seen: dict[str, Path] = {}
    for path in paths:
        first = seen.setdefault(os.path.realpath(path), path)
        if first is not path:
            what = "the same file is given twice" + (f", first as {first}" if str(first) != str(path) else "")
            raise InputError(what, str(path), "give it once, in a directory, by a pattern or by its name")
    return paths


def _refuse_impossible(name: str) -> None:
    if not name or "\0" in name:
        raise InputError("no file can have this name", repr(name))


def _matching(name: str) -> list[Path]:
    """The files of a directory or a pattern, or the file itself."""
    if os.path.isdir(name):
        matches = list(Path(name).iterdir())
        problem = ("the directory holds no files", name, "dotfiles and directories in it are ignored")
    elif os.path.lexists(name) or not globbing.has_magic(name):
        return [Path(name)]  # reading says whether it is missing
    else:
        matches = [Path(match) for match in globbing.glob(name, recursive=True)]
        problem = ("no file matches this pattern", name, "a pattern matches files, not directories")
    files = [path for path in matches if path.is_file() and not path.name.startswith(".")]
    if not files:
        raise InputError(*problem)
    return sorted(files, key=os.fsencode)


def load(path: Path) -> Bytes:
    """The file's bytes, decompressed, ending in a newline, in a padded array."""
    _refuse_impossible(str(path))
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
            kind = packing(head)
            if not kind and (size := os.fstat(file.fileno()).st_size) > len(head):
                out = _allocate(size)
                out[: len(head)] = np.frombuffer(head, dtype=np.uint8)
                size = len(head) + file.readinto(out[len(head) : size].data)
                return _checked(out, size, path)
            raw = head + file.read()
    except OSError as error:
        raise InputError(_reason(error), str(path)) from None
    pieces = _unpack(raw, kind, path) if kind else [raw]
    del raw
    out = _allocate(sum(map(len, pieces)))
    end = 0
    for piece in pieces:
        out[end : end + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
        end += len(piece)
    return _checked(out, end, path)


def padded(data: bytes) -> Bytes:
    """Bytes as an array that kernels may read a little past the end of."""
    out = _allocate(len(data))
    out[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return out[: len(data)]


def _allocate(size: int) -> Bytes:
    """An array for `size` bytes, a last newline, and the padding."""
    out = np.empty(size + 1 + PADDING, dtype=np.uint8)
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
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a directory"
    return f"cannot be read ({error.strerror or error})"


def packing(head: bytes) -> str:
    """What a file that begins like this was packed with; empty for text, whatever the file is called."""
    if head[:2] == b"\x1f\x8b":
        return "gzip"
    if head[:6] == b"\xfd7zXZ\0":
        return "xz"
    # frames of data, and the skippable ones that parallel packers begin with
    if head[:4] == b"\x28\xb5\x2f\xfd" or (head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F):
        return "zstd"
    if head[:3] == b"BZh" and head[4:10] == b"1AY&SY":
        return "bzip2"
    return "zip" if head[:4] == b"PK\x03\x04" else ""


def _unpack(raw: bytes, kind: str, path: Path) -> list[bytes]:
    if kind == "gzip":
        return _stream(raw, path, kind, lambda: zlib.decompressobj(31))
    if kind == "xz":
        return _stream(raw, path, kind, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    if kind == "zstd":
        return _stream(raw, path, kind, _zstd().ZstdDecompressor)
    raise InputError(f"this is a {kind} file", str(path), "unpack it, or pack it with gzip, xz or zstd")


def _zstd() -> Any:
    try:
        from compression import zstd  # Python 3.14
    except ImportError:
        return import_extra("backports.zstd", "zstd", "reading a .zst file")
    return zstd


def _stream(raw: bytes, path: Path, kind: str, decompressor: Callable[[], Any]) -> list[bytes]:
    """Unpack one or several concatenated members, watching the size as it grows."""
    pieces: list[bytes] = []
    size = position = 0
    source = memoryview(raw)
    while True:
        if pieces and raw[position : position + 1] == b"\0":
            position = len(raw) - len(raw[position:].lstrip(b"\0"))  # padding after a member
        if position == len(raw):
            return pieces
        if pieces and packing(raw[position : position + HEAD]) != kind:
            raise InputError(f"the {kind} data is followed by something else", str(path), AGAIN)
        member = decompressor()
        try:
            while not member.eof and position < len(raw):
                # Each call gets little input and gives bounded output, so a bomb is seen before it fills memory.
                piece = member.decompress(source[position : position + PIECE], PIECE * 16)
                position = min(position + PIECE, len(raw))
                while True:
                    pieces.append(piece)
                    size += len(piece)
                    if size > BOMB_SIZE and size > BOMB_RATIO * position:
                        raise InputError(
                            f"{kind} data grows more than {BOMB_RATIO}-fold (a decompression bomb?)",
                            str(path),
                            "unpack it yourself if you trust it",
                        )
                    tail = getattr(member, "unconsumed_tail", b"")
                    if tail:
                        piece = member.decompress(tail, PIECE * 16)
                    elif not member.eof and not getattr(member, "needs_input", True):
                        piece = member.decompress(b"", PIECE * 16)
                    else:
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
    for ending in PACKED:
        if name.endswith(ending) and name != ending:
            return name[: -len(ending)]
    return name
