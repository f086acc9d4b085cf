"""Instructions of LLVM give what their plain counterparts give, bit for bit."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.compute import instructions, intrinsics, plain
from irassay.read import files
from irassay.scoring import _folds, _plain_rows, _row_intrinsics
from tests.helpers.kernels import caller

KIND = type(intrinsics.load64)
both_ways = pytest.mark.parametrize("way", [plain, intrinsics], ids=["plain", "intrinsics"])


def intrinsics_of(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if isinstance(value, KIND)}


@pytest.mark.parametrize(("fast", "slow"), [(intrinsics, plain), (_row_intrinsics, _plain_rows)])
def test_every_intrinsic_has_a_plain_counterpart_with_its_arguments(fast: ModuleType, slow: ModuleType) -> None:
    assert intrinsics_of(fast)
    for name, value in intrinsics_of(fast).items():
        _, *arguments = inspect.signature(value).parameters  # the first is numba's
        counterpart = inspect.signature(getattr(slow, name).py_func).parameters
        assert len(arguments) == len(counterpart), name


def test_intrinsics_stand_only_where_they_have_counterparts() -> None:
    assert set(instructions.__all__) == {*intrinsics_of(intrinsics), "many_arrays"}
    assert set(intrinsics_of(_folds)) <= {"call_address", "call_fold"}


@both_ways
def test_a_word_is_eight_bytes_from_anywhere(way: ModuleType) -> None:
    data = np.random.default_rng(1).integers(0, 256, size=64).astype(np.uint8)
    for i in range(56):
        word = caller(way.load64)(data, i)
        assert int(word) == int.from_bytes(data[i : i + 8].tobytes(), "little")
        assert int(caller(way.byte_swapped)(np.uint64(word))) == int.from_bytes(data[i : i + 8].tobytes(), "big")


@both_ways
@pytest.mark.parametrize(("low", "high"), [(9, 13), (32, 32), (0, 255), (200, 255)])
def test_a_bit_says_of_each_of_64_bytes_whether_it_lies_between_two(way: ModuleType, low: int, high: int) -> None:
    data = np.random.default_rng(4).integers(0, 256, size=200).astype(np.uint8)
    data[::7] = low
    for i in range(200 - 64):
        bits = int(caller(way.between64)(data, i, low, high))
        assert [bits >> k & 1 for k in range(64)] == [low <= byte <= high for byte in data[i : i + 64].tolist()]


def test_a_word_may_be_read_as_far_past_an_array_as_files_are_padded() -> None:
    assert plain.PADDING == files.PADDING
    assert int(caller(plain.load64)(np.ones(3, dtype=np.uint8), 1)) == 0x0101
    assert int(caller(plain.load64)(np.ones(3, dtype=np.uint8), 3 + plain.PADDING - 8)) == 0
    with pytest.raises(IndexError):
        caller(plain.load64)(np.ones(3, dtype=np.uint8), 3 + plain.PADDING - 7)


@both_ways
def test_trailing_zeros_are_counted(way: ModuleType) -> None:
    rng = np.random.default_rng(2)
    for zeros in range(64):
        word = (int(rng.integers(0, 2**63)) << (zeros + 1) | 1 << zeros) % 2**64
        assert caller(way.trailing_zeros)(np.uint64(word)) == zeros


@both_ways
@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64, np.uint64])
def test_elements_of_many_arrays_are_loaded(way: ModuleType, kind: type) -> None:
    rng = np.random.default_rng(3)
    arrays: list[NDArray[Any]] = [rng.integers(0, 2**63, size=n).astype(kind) for n in (5, 0, 17, 40_000)]
    for listed in (arrays, arrays[::-1]):  # an array may stand before the first one in memory
        joined, places = way.many_arrays(listed)
        for place, array in zip(places.tolist(), listed, strict=True):
            some = range(min(len(array), 20))
            assert [caller(way.load_item)(joined, place + i) for i in some] == array[: len(some)].tolist()
            caller(way.prefetch)(joined, place + 10**6)


@both_ways
@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.uint64, np.float64])
def test_a_prefetch_changes_nothing(way: ModuleType, kind: type) -> None:
    array: NDArray[Any] = np.ones((4, 4), dtype=kind)
    caller(way.prefetch)(array, 7)
    assert (array == 1).all()


def test_reading_scoring_and_images_are_the_same_with_and_without_llvm() -> None:
    digests = {}
    for way in ("0", "1"):
        environment = {**os.environ, "IRASSAY_PLAIN": way}
        command = [sys.executable, "-m", "tests.helpers.digests"]
        output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        mode, digests[way] = output.split()
        assert mode == str(way == "1")
    assert digests["0"] == digests["1"]
