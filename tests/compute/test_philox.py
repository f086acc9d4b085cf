"""The random streams against Random123's published vectors, and their independence of how they are asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irassay.compute.philox import philox, words

# Random123's kat_vectors for philox4x32-10: counter, key, result.
VECTORS = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_philox_matches_the_vectors_of_random123_in_cpython(
    counter: list[int], key: list[int], expected: list[int]
) -> None:
    assert [int(w) for w in philox.py_func(*map(np.uint32, counter + key))] == expected


@pytest.mark.parametrize(("counter", "key", "expected"), VECTORS)
def test_the_compiled_stream_matches_the_vectors_of_random123(
    counter: list[int], key: list[int], expected: list[int]
) -> None:
    step, low, high, stream = counter
    seed, replicate = key[0] | key[1] << 32, low | high << 32
    result = words(4, seed=seed, stream=stream, replicate=replicate, position=4 * step)
    assert result.tolist() == expected


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 50), st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(0, 2**64 - 1))
def test_words_are_the_same_in_any_pieces(start: int, pieces: list[int], seed: int) -> None:
    whole = words(sum(pieces), seed=seed, stream=3, replicate=5, position=start)
    parts, at = [], start
    for size in pieces:
        parts += words(size, seed=seed, stream=3, replicate=5, position=at).tolist()
        at += size
    assert parts == whole.tolist()


def test_other_seeds_streams_and_replicates_give_other_words() -> None:
    asked = [(s, t, r) for s in (0, 1, 2**32) for t in (0, 1) for r in (0, 1, 2**32)]
    drawn = {tuple(words(4, seed=s, stream=t, replicate=r).tolist()) for s, t, r in asked}
    assert len(drawn) == len(asked)


def test_words_are_spread_evenly() -> None:
    # 2**16 words in 256 cells: chi-squared with 255 degrees of freedom, mean 255, sd 22.6; 6 sd either way.
    cells = np.bincount(words(2**16, seed=0, stream=0) >> np.uint32(24), minlength=256)
    chi = float(((cells - 256.0) ** 2 / 256.0).sum())
    assert abs(chi - 255) < 136


@pytest.mark.parametrize("bad", [{"seed": -1}, {"seed": 2**64}, {"stream": 2**32}, {"position": 2**34}])
def test_numbers_beyond_the_counter_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"64-bit|2\*\*34"):
        words(1, **{"seed": 0, "stream": 0, **bad})
