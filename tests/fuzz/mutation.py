"""Small damage to bytes, JSON and words, drawn from a seeded generator."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from backports import zstd

MARKUP = "<img src=x onerror=alert(1)>"  # must never stand in a page as it is here
NUMBERS = (
    *("0", "-0", "1", "-1", "2", "127", "128", "-128", "1e3", "0.5", "1.", ".5", "+1", "1e-320", "1e308", "1e309"),
    *("-1e309", "nan", "-NaN", "inf", "-Infinity", "0x10", "1_000", "1e", "e1", "--1", "1,5", "2147483648"),
    *("9223372036854775807", "-9223372036854775808", "18446744073709551616", "9" * 400, "0." + "3" * 400, "1e99999"),
    *("１２", "٣", "½", "true", "null", "None"),
)
NAMES = (
    *(
        "",
        " ",
        "#",
        "all",
        "Q0",
        "topic",
        "system",
        "score",
        "a b",
        "é",
        "e\u0301",
        "\u2028",
        "\u202e",
        "🦜",
        "x" * 5000,
    ),
    *(
        "../../etc/passwd",
        "/dev/null",
        "=1+1",
        "＝1+1",
        "@x",
        "'",
        '"',
        '""',
        "'''",
        "{}",
        "{1:",
        "$",
        r"\input{x}",
        "%s%n",
    ),
    *(MARKUP, "\x1b[31m", "\x7f", "\x01", "constructor", "__proto__", "datum['x']", "<U900000000", "checkpoint"),
)
BYTES = (
    *(b"\0", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf0\x9f", b"\x85"),
    *(b"\r", b"\r\n", b"\n", b"\n\n", b"\x0b", b"\x0c", b"\x1c", b"\x1f", b"\t", b"  ", b",", b";", b"'", b'"', b"\\"),
    *(
        b"[" * 3000,
        b'{"a":' * 3000,
        b"[",
        b"{",
        b"}",
        b"]",
        b":",
        b"#",
        b"PAR1",
        b"\x1f\x8b",
        b"BZh91AY&SY",
        b"PK\x03\x04",
    ),
    *(b"<SYSDESC>", b"</SYSDESC>", b"<html>", b"runid all x\n", b"x" * 70_000, b"1 " * 3000),
)
WORD = re.compile(rb"[^\s,;:\"\[\]{}]+")
PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: gzip.compress(data, mtime=0),
    lzma.compress,
    zstd.compress,
    lambda data: b"".join(gzip.compress(data[i : i + 20], mtime=0) for i in range(0, len(data), 20)),
)


def token(rng: random.Random) -> bytes:
    """A word, a number or a few bytes that some reader may stumble over."""
    kind = rng.randrange(3)
    return rng.choice(BYTES) if kind == 0 else rng.choice((NUMBERS, NAMES)[kind - 1]).encode()


def place(rng: random.Random, data: bytes) -> tuple[int, int]:
    """A stretch of the data, most often a short one."""
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((0, 1, 2, 4, 8, 16, 64, 256)))


def _flip(rng: random.Random, data: bytes, other: bytes) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _remove(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, stop = place(rng, data)
    return data[:start] + data[stop:]


def _repeat(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, stop = place(rng, data)
    return data[:stop] + data[start:stop] * rng.choice((1, 2, 50)) + data[stop:]


def _splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    start, stop = place(rng, other)
    at = rng.randrange(len(data) + 1)
    return data[:at] + other[start:stop] + data[at:]


def _insert(rng: random.Random, data: bytes, other: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + token(rng) + data[at:]


def _truncate(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _word(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """A word becomes another one, or any token."""
    words = list(WORD.finditer(data))
    if not words:
        return data + token(rng)
    one, two = rng.choice(words), rng.choice(words)
    return data[: one.start()] + (token(rng) if rng.random() < 0.7 else two[0]) + data[one.end() :]


def _lines(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Two lines change places, or one is repeated or goes."""
    lines = data.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == 1:
        lines.insert(two, lines[one])
    else:
        del lines[one]
    return b"\n".join(lines)


def _line_ends(rng: random.Random, data: bytes, other: bytes) -> bytes:
    ends = rng.choice(((b"\r\n",), (b"\r",), (b"\n", b"\r\n"), (b"\n", b"\r"), (b"\n\r",)))
    first, *lines = data.split(b"\n")
    return first + b"".join(rng.choice(ends) + line for line in lines)


def _pack(rng: random.Random, data: bytes, other: bytes) -> bytes:
    return rng.choice(PACKERS)(data)


DAMAGES = (_flip, _remove, _repeat, _splice, _insert, _truncate, _word, _word, _word, _lines, _lines, _line_ends, _pack)


def damaged(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The data after one to four small damages; `others` are what pieces may come from."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        data = rng.choice(DAMAGES)(rng, data, rng.choice(others))
    return data


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, -5, 7, 2**31, 2**63, 2**64, 10**40, 0.5, -0.0, 1e308, float("nan"), float("inf")),
    *(
        "",
        [],
        {},
        [[]],
        [None],
        [1, 2, 3],
        {"$": "nan"},
        {"$": "x"},
        {"$": [[1, 2]]},
        {"$": [[[], 2]]},
        *NAMES,
        *NUMBERS,
    ),
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a JSON value, with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _another(rng: random.Random, value: str | float, words: Sequence[str]) -> str | float:
    """Another value of the same type: what gets further than one of another type."""
    if isinstance(value, str):
        return rng.choice((*words, *words, *NAMES))
    return rng.choice((0, 1, 2, -1, 17, 10**6) if isinstance(value, int) else (0.0, -0.0, 1e308, -1e308, 0.5, 5e-324))


def damaged_json(rng: random.Random, text: bytes, words: Sequence[str]) -> bytes:
    """JSON with another value, one value less, or two values exchanged; `words` have a meaning in it."""
    content = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = _places(content)
        (container, key), (second, other) = rng.choice(places), rng.choice(places)
        kind = rng.randrange(12)
        if kind == 0:
            del container[key]
        elif kind == 1:
            container[key] = json.loads(json.dumps(second[other]))
        elif kind < 9 and isinstance(container[key], str | float | int):
            container[key] = _another(rng, container[key], words)
        elif kind == 10 and isinstance(container, list):
            container.insert(key, json.loads(json.dumps(container[key])))
        else:
            container[key] = rng.choice(VALUES)
        if not content:
            break
    return json.dumps(content).encode()
