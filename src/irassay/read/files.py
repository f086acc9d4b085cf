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

from irassay.errors import InputError, MissingExtraError

Bytes = NDArray[np.uint8]

PACKED = (".gz", ".xz", ".zst")
MAGIC = (b"\x1f\x8b", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"BZh", b"PK\x03\x04")
PADDING = 32
PIECE = 1 << 20
# Real runs shrink about five- to tenfold. Past this much and this ratio it is a decompression bomb.
BOMB_SIZE, BOMB_RATIO = 256 << 20, 200


def expand(sources: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Files, directories (their files by bytes of the name, no dotfiles) and globs, in the order given."""
    found: list[Path] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            inside = [p for p in path.iterdir() if p.is_file() and not p.name.startswith(".")]
            if not inside:
                raise InputError("the directory holds no files", str(path))
            found += sorted(inside, key=os.fsencode)
        elif path.exists() or not globbing.has_magic(os.fspath(source)):
            found.append(path)  # a missing file is told when it is read, together with why
        else:
            matches = [Path(p) for p in globbing.glob(os.fspath(source), recursive=True)]
            files = [p for p in matches if p.is_file() and not p.name.startswith(".")]
            if not files:
                raise InputError("no file matches this pattern", os.fspath(source))
            found += sorted(files, key=os.fsencode)
    seen: set[str] = set()
    for path in found:
        real = os.path.realpath(path)
        if real in seen:
            raise InputError("the same file is given twice", str(path))
        seen.add(real)
    return found


def load(path: Path) -> Bytes:
    """The file's bytes, decompressed, ending in a newline, in a padded array."""
    try:
        with path.open("rb") as file:
            head = file.read(8)
            if not head.startswith(MAGIC) and (size := os.fstat(file.fileno()).st_size) > len(head):
                out = _room(size)
                out[: len(head)] = np.frombuffer(head, dtype=np.uint8)
                held = len(head) + file.readinto(out[len(head) : size].data)
                return _checked(out, held, path)
            raw = head + file.read()
    except OSError as error:
        raise InputError(_reason(error), str(path)) from None
    data = _unpack(raw, path)
    out = _room(len(data))
    out[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return _checked(out, len(data), path)


def padded(data: bytes) -> Bytes:
    """Bytes as an array that kernels may read a little past the end of."""
    out = _room(len(data))
    out[: len(data)] = np.frombuffer(data, dtype=np.uint8)
    return out[: len(data)]


def _room(size: int) -> Bytes:
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


def _unpack(raw: bytes, path: Path) -> bytes:
    if raw[:2] == b"\x1f\x8b":
        return _stream(raw, path, "gzip", lambda: zlib.decompressobj(31))
    if raw[:6] == b"\xfd7zXZ\0":
        return _stream(raw, path, "xz", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ))
    if raw[:4] == b"\x28\xb5\x2f\xfd":
        return _stream(raw, path, "zstd", _zstd().ZstdDecompressor)
    if raw[:3] == b"BZh" or raw[:4] == b"PK\x03\x04":
        kind = "bzip2" if raw[:1] == b"B" else "zip"
        raise InputError(f"this is a {kind} file", str(path), "unpack it, or pack it with gzip, xz or zstd")
    return raw


def _zstd() -> Any:
    try:
        from compression import zstd  # Python 3.14
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            raise MissingExtraError("zstd", "reading a .zst file") from None
    return zstd


def _stream(raw: bytes, path: Path, kind: str, fresh: Callable[[], Any]) -> bytes:
    """Unpack one or several concatenated members, watching the size as it grows."""
    pieces: list[bytes] = []
    size = 0
    rest = raw
    while rest:
        if pieces and not rest.strip(b"\0"):
            break  # padding after the last member
        member = fresh()
        source = memoryview(rest)
        position = 0
        try:
            while not member.eof and position < len(source):
                # Each call gets little input and gives bounded output, so a bomb is seen before it fills memory.
                piece = member.decompress(source[position : position + PIECE], PIECE * 16)
                position += PIECE
                while True:
                    pieces.append(piece)
                    size += len(piece)
                    if size > BOMB_SIZE and size > BOMB_RATIO * len(raw):
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
            raise InputError(f"damaged {kind} data ({error})", str(path), "fetch or pack the file again") from None
        if not member.eof:
            raise InputError(f"truncated {kind} file", str(path), "fetch or pack the file again")
        rest = member.unused_data + bytes(source[position:])
    return b"".join(pieces)


def stem(path: Path) -> str:
    """The file's name as a system's name: only the endings of compression are removed."""
    name = os.fsdecode(path.name)
    for ending in PACKED:
        if name.endswith(ending) and name != ending:
            return name[: -len(ending)]
    return name
