"""The vector kernels of images give the integers of plain loops."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from irassay.scoring import _plain_rows as plain
from irassay.scoring import _row_intrinsics as intrinsics
from irassay.scoring._plain_rows import COLUMNS
from irassay.scoring.lanes import LANES, SHORT, Lists, Walker, count_hits, count_judged, of_topic, pool_of
from irassay.vary._image_draws import side_by_side
from tests.helpers.kernels import caller

COPIES = (0, 0, 0, 1, 1, 2, 3, SHORT, SHORT + 1, 17, 255)


both_ways = pytest.mark.parametrize("way", [plain, intrinsics], ids=["plain", "intrinsics"])


def rows_of(rng: np.random.Generator, entries: int) -> NDArray[np.uint8]:
    return rng.choice(COPIES, size=entries * LANES).astype(np.uint8)


@both_ways
@pytest.mark.parametrize("kind", [np.uint16, np.uint32])
@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 1), (5, 4), (3, 40), (0, 2000)])
def test_adding_rows_adds_the_copies_of_documents_in_every_lane(
    way: ModuleType, kind: type, first: int, last: int
) -> None:
    rng = np.random.default_rng(1)
    rows = np.maximum(rows_of(rng, 300), np.uint8(255 * (first == 0)))
    codes: NDArray[Any] = rng.integers(0, 300, size=2000).astype(kind)
    sums = rng.integers(0, 2**20, size=LANES).astype(np.int32)
    expected = sums.tolist()
    for code in codes[first : max(first, last)].tolist():
        for lane in range(LANES):
            expected[lane] += int(rows[code * LANES + lane])
    caller(way.add_rows)(sums, codes, first, last, rows)
    assert sums.tolist() == expected


@both_ways
def test_any_lane_with_more_copies_than_are_always_written_is_noticed(way: ModuleType) -> None:
    above = caller(way.any_count_above)
    rows = np.zeros(3 * LANES, dtype=np.uint8)
    rows[LANES : 2 * LANES] = SHORT
    for lane in range(LANES):
        assert [bool(above(rows, e * LANES)) for e in range(3)] == [False, False, False]
        for copies in (SHORT + 1, 127, 128, 255):
            rows[2 * LANES + lane] = copies
            assert [bool(above(rows, e * LANES)) for e in range(3)] == [False, False, True]
        rows[2 * LANES + lane] = 0


@both_ways
@pytest.mark.parametrize("place", [0, 1, 6])
@pytest.mark.parametrize("level", [0, 1, 3, 127])
def test_four_hits_are_written_at_the_ranks_that_follow(way: ModuleType, place: int, level: int) -> None:
    rank, grade = np.full(12, -7, dtype=np.int32), np.full(12, -7, dtype=np.int8)
    caller(way.put_four)(rank, grade, place, np.int32(100_000), np.int8(level))
    after = 12 - place - SHORT
    assert rank.tolist() == [-7] * place + [100_001, 100_002, 100_003, 100_004] + [-7] * after
    assert grade.tolist() == [-7] * place + [level] * SHORT + [-7] * after


@both_ways
def test_a_grade_below_zero_is_written_as_it_is(way: ModuleType) -> None:
    rank, grade = np.zeros(4, dtype=np.int32), np.zeros(4, dtype=np.int8)
    caller(way.put_four)(rank, grade, 0, np.int32(0), np.int8(-1))
    assert grade.tolist() == [-1] * 4


@both_ways
def test_a_row_is_copied_and_nothing_beside_it(way: ModuleType) -> None:
    rows, to = rows_of(np.random.default_rng(5), 3), np.full(3 * LANES, 9, dtype=np.uint8)
    caller(way.copy_row)(to, LANES, rows, 2 * LANES)
    assert to.tolist() == [9] * LANES + rows[2 * LANES :].tolist() + [9] * LANES


def hit_rows(rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Of one hit: where its copies stand in each lane, some behind the limits."""
    rows = {name: np.zeros(LANES, dtype=np.int32) for name in ("before", "after")}
    rows |= {"ranks": rng.integers(0, 50, size=LANES).astype(np.int32)}
    rows |= {name: rng.integers(low, 40, size=LANES).astype(np.int32) for name, low in (("hits", 0), ("limit", 20))}
    return rows | {"advance": rows_of(rng, 3), "hit": rows_of(rng, 3), "lead": np.zeros(LANES)}


def place(way: ModuleType, rows: dict[str, NDArray[Any]]) -> None:
    names = ("ranks", "hits", "advance", "hit")
    caller(way.place_row)(*(rows[k] for k in names), LANES, *(rows[k] for k in ("limit", "before", "after", "lead")))


@both_ways
def test_copies_of_a_hit_stand_behind_one_rank_up_to_another_and_no_further_than_the_limit(way: ModuleType) -> None:
    rows = hit_rows(np.random.default_rng(11))
    old = {name: row.tolist() for name, row in rows.items()}
    place(way, rows)
    for lane in range(LANES):
        limit, rank = old["limit"][lane], old["ranks"][lane]
        before, after = min(rank, limit), min(rank + old["hit"][LANES + lane], limit)
        assert (rows["before"][lane], rows["after"][lane]) == (before, after)
        assert rows["lead"][lane] == old["hits"][lane] - before
        assert rows["hits"][lane] == old["hits"][lane] + after - before
        assert rows["ranks"][lane] == rank + old["advance"][LANES + lane]


@both_ways
def test_the_copies_of_a_hit_weigh_what_their_ranks_add_up_to(way: ModuleType) -> None:
    rng = np.random.default_rng(12)
    rows = hit_rows(rng)
    place(plain, rows)
    rest, gain = rng.random((60, COLUMNS)), rng.random((3, COLUMNS))
    counted = np.array([0.0, 1.0] * (COLUMNS // 2))
    sums = rng.random((LANES, COLUMNS))
    before, after = rest[rows["before"]], rest[rows["after"]]
    expected = sums + (before - after) * (gain[2] + rows["lead"][:, None] * counted)
    flat = sums.ravel()
    parts = (rows["before"], rows["after"], rows["lead"])
    caller(way.weigh_row)(*parts, 2, rest.ravel(), gain.ravel(), counted, flat)
    assert flat.tolist() == expected.ravel().tolist()


@both_ways
@pytest.mark.parametrize("counting", [True, False])
def test_the_first_hit_of_a_lane_is_kept_and_those_up_to_the_cut_are_counted(way: ModuleType, counting: bool) -> None:
    rng = np.random.default_rng(13)
    rank, grade = np.full((2, LANES), -5, dtype=np.int32)
    hits = rng.integers(0, 2, size=LANES).astype(np.int32)
    rows = hit_rows(rng)
    place(plain, rows)
    old = hits.tolist()
    caller(way.note_first)(rows["before"], rows["after"], np.int32(30), counting, np.int32(2), rank, grade, hits)
    for lane in range(LANES):
        within = max(0, min(int(rows["after"][lane]), 30) - int(rows["before"][lane]))
        first = old[lane] == 0 and within > 0
        assert hits[lane] == old[lane] + within
        assert rank[lane] == (rows["before"][lane] + 1 if first else -5)
        assert grade[lane] == (2 if first else -5)


@both_ways
@pytest.mark.parametrize(("before", "hits", "counting"), [(0, 0, False), (29, 0, True), (29, 7, True)])
def test_there_is_more_to_note_while_any_lane_is_above_the_cut(
    way: ModuleType, before: int, hits: int, counting: bool
) -> None:
    noted, rank, grade = (np.zeros(LANES, dtype=np.int32) for _ in range(3))
    for lane in range(LANES):
        place = np.full(LANES, 30, dtype=np.int32)
        place[lane], noted[:] = before, 1
        noted[lane] = hits
        assert caller(way.note_first)(place, place, np.int32(30), counting, np.int32(1), rank, grade, noted)
    done = np.full(LANES, 30, dtype=np.int32)
    assert not caller(way.note_first)(done, done, np.int32(30), True, np.int32(1), rank, grade, noted)
    early = np.zeros(LANES, dtype=np.int32)
    noted[:] = 1
    assert not caller(way.note_first)(early, early, np.int32(30), False, np.int32(1), rank, grade, noted)


@both_ways
@pytest.mark.parametrize("graded", [True, False])
def test_copies_below_the_depth_are_taken_off_and_the_judged_ones_counted(way: ModuleType, graded: bool) -> None:
    rng = np.random.default_rng(15)
    ranks, taken = rng.integers(0, 60, size=(2, LANES)).astype(np.int32)
    copies, judged = rows_of(rng, 3), rows_of(rng, 3)
    old, before = ranks.tolist(), taken.tolist()
    more = caller(way.take_off)(ranks, copies, judged, LANES, graded, np.int32(30), taken)
    for lane in range(LANES):
        off = max(0, min(old[lane] - 30, int(copies[LANES + lane])))
        assert ranks[lane] == old[lane] - off
        assert taken[lane] == before[lane] + (off if graded and judged[LANES + lane] > 0 else 0)
    assert more == bool((ranks > 30).any())


@both_ways
def test_the_bytes_of_documents_in_every_lane_become_their_rows(way: ModuleType) -> None:
    counts = np.random.default_rng(14).integers(0, 256, size=(LANES, 71)).astype(np.uint8)
    rows = np.full(71 * LANES, 9, dtype=np.uint8)
    caller(way.turn_rows)(counts, 33, rows)
    expected = np.full((71, LANES), 9, dtype=np.uint8)
    expected[33 : 33 + LANES] = counts.T[33 : 33 + LANES]
    assert np.array_equal(rows.reshape(71, LANES), expected)


@pytest.mark.parametrize("seed", range(6))
def test_walking_lists_in_lanes_finds_the_hits_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    entries, systems = 40, 3
    grades = rng.integers(-2, 3, size=entries).astype(np.int8)
    lists = [rng.permutation(entries)[: rng.integers(0, entries + 1)] for _ in range(systems)]
    advance = rows_of(rng, entries)
    hit = advance.reshape(entries, LANES) * rng.integers(0, 2, size=(entries, LANES), dtype=np.uint8)
    codes = np.concatenate(lists).astype(np.uint16)
    offsets = np.cumsum([0, *map(len, lists)])[None]
    at = np.flatnonzero(grades[codes] >= 1)
    start = np.searchsorted(at, offsets)
    walker = Walker(systems)
    topic_lists = Lists(codes, offsets, at, codes[at], start)
    for _ in range(2):  # the second time in scratch space that is not new
        hits = walker.hits(topic_lists, 0, advance, hit.ravel(), grades)
        for lane in range(LANES):
            for s, codes_of in enumerate(lists):
                expected, position = [], 0
                for code in codes_of.tolist():
                    if grades[code] >= 1:
                        expected += [(position + k + 1, int(grades[code])) for k in range(int(hit[code, lane]))]
                    position += int(advance[code * LANES + lane])
                i = lane * systems + s
                here = slice(hits.start[i], hits.stop[i])
                assert list(zip(hits.rank[here].tolist(), hits.grade[here].tolist(), strict=True)) == expected
                assert hits.size[i] == position


def test_hits_are_counted_in_every_lane() -> None:
    rng = np.random.default_rng(2)
    rows, codes = rows_of(rng, 20), rng.integers(0, 20, size=50).astype(np.uint16)
    sums = np.full(LANES, 9, dtype=np.int32)
    count_hits(codes, 3, 50, rows, sums)
    assert sums.tolist() == rows.reshape(20, LANES)[codes[3:]].astype(np.int64).sum(axis=0).tolist()


def test_rows_are_transposed_and_gathered_unchanged() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 256, size=(LANES, 77)).astype(np.uint8)
    rows = np.empty(77 * LANES, dtype=np.uint8)
    side_by_side(counts, rows)
    assert np.array_equal(rows.reshape(77, LANES), counts.T)
    document = rng.integers(0, 77, size=60).astype(np.int32)
    out = np.empty(60 * LANES, dtype=np.uint8)
    of_topic(rows, document, out)
    assert np.array_equal(out.reshape(60, LANES), counts.T[document])


def test_judged_counts_count_copies_by_grade_and_leaves_the_unjudged_out() -> None:
    rng = np.random.default_rng(4)
    grades, rows = rng.integers(-2, 4, size=50).astype(np.int8), rows_of(rng, 50)
    out = np.full((LANES, 4), -1, dtype=np.int64)
    count_judged(grades, rows, out)
    for g in range(4):
        assert out[:, g].tolist() == rows.reshape(50, LANES)[grades == g].astype(np.int64).sum(axis=0).tolist()


@pytest.mark.parametrize("depth", [1, 3, 50, 10_000])
def test_a_pool_holds_the_first_positions_of_each_image_with_all_copies(depth: int) -> None:
    rng = np.random.default_rng(depth)
    copies = rng.choice((0, 1, 2, 6), size=30 * LANES).astype(np.uint8)
    codes = rng.permutation(30)[:25].astype(np.uint16)
    judged = np.zeros_like(copies)
    pool_of(codes, copies, depth, np.empty(LANES, dtype=np.int32), judged)
    for lane in range(LANES):
        written = [code for code in codes.tolist() for _ in range(int(copies[code * LANES + lane]))]
        inside = set(written[:depth])
        expected = [int(copies[e * LANES + lane]) if e in inside else 0 for e in range(30)]
        assert judged.reshape(30, LANES)[:, lane].tolist() == expected
