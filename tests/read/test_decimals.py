"""Scores are the doubles nearest to what is written, and kernels see only bytes that were put there."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay import read_qrels, read_runs
from irassay.compute.kernel import PLAIN
from irassay.read import _intern as intern
from irassay.read import _tokens as scan
from irassay.read import constants, tokens
from tests.helpers.files import file, grades_of, rows_of


def read(folder: Path, words: list[str]) -> list[float]:
    content = "".join(f"1 Q0 d{n} 1 {word} t\n" for n, word in enumerate(words))
    scores: list[float] = read_runs(file(folder, content.encode()), jobs=1)["t"].score.tolist()
    return scores


def same(numbers: list[float], words: list[str]) -> bool:
    """Equal to the last bit, zeros' signs included, to Python's own reading."""
    return [struct.pack("d", x) for x in numbers] == [struct.pack("d", float(word)) for word in words]


FINITE = st.floats(allow_nan=False, allow_infinity=False)
DIGITS = st.text("0123456789", min_size=1, max_size=30)
EXPONENTS = st.one_of(st.just(""), st.integers(-400, 400).map("e{}".format), st.integers(0, 30).map("E+{:03}".format))


def halfway(x: float) -> str:
    """The number half way between a double and the next, written out."""
    half = (Fraction(x) + Fraction(math.nextafter(x, math.inf))) / 2
    with localcontext(prec=400):  # more digits than any of them has, so that none is rounded
        return f"{Decimal(half.numerator) / Decimal(half.denominator)}"


WRITTEN = st.one_of(
    FINITE.map(repr),
    FINITE.filter(lambda x: abs(x) < 1e30).map("{:.20f}".format),
    st.builds("{:.{}e}".format, FINITE, st.integers(14, 25)),
    st.builds("{}{}.{}{}".format, st.sampled_from(["", "-", "+"]), DIGITS, DIGITS, EXPONENTS),
    st.builds("{}{}".format, DIGITS, EXPONENTS),
    st.builds(".{}{}".format, DIGITS, EXPONENTS),
    st.builds("{}.{}".format, DIGITS, EXPONENTS),
    st.floats(2.0**-60, 2.0**60).map(halfway),
    st.integers(2**53, 2**63).map(lambda n: str(2 * n + 1)),
)


@given(st.lists(WRITTEN, min_size=1, max_size=60))
@settings(max_examples=150, deadline=None)
def test_scores_are_read_as_the_nearest_double(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    assert same(read(tmp_path_factory.getbasetemp(), words), words)


def powers_and_neighbours() -> Iterator[str]:
    for q in range(-345, 312):
        for digits in ("1", "9007199254740993", "9999999999999999999", "18446744073709551615", "10000000000000000001"):
            yield f"{digits}e{q - len(digits) // 2}"
    for exponent in range(-1074, 1024, 3):
        x = math.ldexp(1.0, exponent)
        yield from (repr(x), repr(math.nextafter(x, 0)), f"{x:.16e}", f"{math.nextafter(x, math.inf):.18e}")
    for k in range(400):  # exactly half way between two doubles, and a hair beside it
        half = 2**53 + 2 * k + 1
        yield from (
            f"{half}",
            f"{half}.0",
            f"{half}e3",
            f"{half}.{'0' * 30}1",
            f"{half - 1}.{'9' * 30}",
            f"{half * 5}e-1",
        )


def test_powers_of_ten_and_two_and_halfway_cases_are_read_exactly(tmp_path: Path) -> None:
    words = list(powers_and_neighbours())
    numbers = read(tmp_path, words)
    wrong = [(word, x) for word, x in zip(words, numbers, strict=True) if not same([x], [word])]
    assert wrong == []


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("inf", math.inf), ("-inf", -math.inf), ("+Infinity", math.inf), ("-INFINITY", -math.inf),
        ("1e400", math.inf), ("-1e400", -math.inf), ("1e-400", 0.0), ("-1e-400", -0.0), ("1e99999999999", math.inf),
        ("5e-324", 5e-324), ("2.4703282292062327e-324", 0.0), ("2.4703282292062328e-324", 5e-324),
        ("2.2250738585072011e-308", 2.225073858507201e-308), ("1.7976931348623157e308", 1.7976931348623157e308),
        ("1.7976931348623159e308", math.inf), ("0e99999", 0.0), ("-0", -0.0), ("+5.", 5.0), (".5", 0.5),
        ("1E+2", 100.0), ("0" * 500 + "1", 1.0), ("0." + "0" * 500 + "1e501", 1.0), ("1" + "0" * 400 + "e-400", 1.0),
    ],
)  # fmt: skip
def test_infinities_denormals_and_odd_spellings_are_scores(tmp_path: Path, word: str, value: float) -> None:
    assert struct.pack("d", *read(tmp_path, [word])) == struct.pack("d", value)


@given(st.lists(st.integers(-127, 127), min_size=1, max_size=50))
@settings(max_examples=30, deadline=None)
def test_grades_are_whole_numbers_with_any_sign(tmp_path_factory: pytest.TempPathFactory, grades: list[int]) -> None:
    lines = "".join(f"1 0 d{n} {grade:+04}\n" for n, grade in enumerate(grades))
    qrels = read_qrels(file(tmp_path_factory.getbasetemp(), lines.encode(), "qrels"))
    assert list(grades_of(qrels).values()) == grades


def test_ranks_are_kept_where_they_do_not_just_rise_down_the_file(tmp_path: Path) -> None:
    def run(ranks: list[str]) -> Any:
        lines = "".join(f"{n // 2} Q0 d{n} {rank} 0 t\n" for n, rank in enumerate(ranks))
        return read_runs(file(tmp_path, lines.encode()))["t"]

    assert run(["0", "1", "0", "7"]).rank is None
    assert run(["1", "1", "0", "7"]).rank.tolist() == [1, 1, 0, 7]
    assert run(["-1", "+2", "999999999", "7"]).rank.tolist() == [-1, 2, 999_999_999, 7]
    odd = run(["1", "2", "1", "2.5"])
    assert (odd.bad_rank, odd.rank.tolist()) == (4, [1, 2, 1, constants.NOT_WHOLE])


def room_behind(data: Any, last: int) -> int:
    """Bytes between place `last` of an array and the end of the memory it lies in."""
    owner = data if data.base is None else data.base
    return int(owner.ctypes.data + owner.nbytes - data.ctypes.data - last)


def test_every_array_passed_to_a_kernel_has_padding_behind_the_last_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IRASSAY_COMPILE", "always")
    rooms: dict[str, list[int]] = {}

    def watch(module: Any, name: str, data: int, ends: Any) -> None:
        kernel = getattr(module, name)
        rooms[name] = []

        def watched(*args: Any) -> Any:
            rooms[name].append(room_behind(args[data], int(ends(args))))
            return kernel(*args)

        monkeypatch.setattr(module, name, watched)

    watch(scan, "tokenise", 0, lambda args: args[2])
    if not PLAIN:  # else arrays are joined by copying, and nothing is read past them
        watch(intern, "intern", 2, lambda args: (args[3] + args[4]).max())
    watch(intern, "hash_names", 0, lambda args: (args[1] + args[2]).max())
    for end in (b"", b"\n", b"\r\n"):
        runs = read_runs(file(tmp_path, b"1 Q0 %s 1 1 t%s" % (b"d" * 40, end)))
        runs.vocabulary.find(read_qrels(file(tmp_path, b"1 0 %s 1%s" % (b"d" * 40, end), "qrels")).vocabulary)
        runs.vocabulary.find(read_qrels(file(tmp_path, b"1 d L1" + end, "ntcir")).vocabulary)
    read_runs({"1": {"d" * 40: 1.0}})
    assert all(rooms.values())
    assert min(map(min, rooms.values())) >= 63  # as far as kernels look at once


@pytest.mark.parametrize("block", [1, 200, 1 << 23])
@pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")
def test_what_lies_in_fresh_memory_changes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(tokens, "BLOCK", block)
    names = [b"d%d" % n + b"-" * (n % 50) for n in range(300)]
    lines = [b"%d Q0 %s %d %d.%020d tag%d x\n#\n" % (n % 7, d, n % 9, n, n, n) for n, d in enumerate(names)]
    path = file(tmp_path, b"".join(lines)[:-1])
    judged = file(tmp_path, b"".join(b"%d 0 %s %d\n" % (n % 5, d, n % 4) for n, d in enumerate(names))[:-1], "qrels")
    empty = np.empty

    def results(fill: int) -> Any:
        def filled(shape: Any, dtype: Any = np.float64) -> Any:
            out = empty(shape, dtype)
            out.view(np.uint8).fill(fill)
            return out

        monkeypatch.setattr(np, "empty", filled)
        runs, qrels = read_runs(path, jobs=1), read_qrels(judged)
        monkeypatch.setattr(np, "empty", empty)
        run = runs.runs[0]
        assert run.rank is not None
        entries = runs.vocabulary.find(qrels.vocabulary).tolist()
        return rows_of(runs), run.rank.tolist(), run.tag, grades_of(qrels), qrels.order.tolist(), entries

    first = results(0)
    assert results(255) == results(48) == first
    assert [row[1] for row in first[0]] == names
    assert constants.INLINE == 24  # names on both sides of it are in the file
