"""Document names to numbers: a hash table for each share of the topics (`table.Table`).

A file names the documents of one topic together, so a table of few topics stays in the cache where one for the whole
corpus would not, and threads can fill several at once. An entry is a (topic, document) pair, numbered by first
appearance in its table. A slot holds 32 bits of the hash and the entry's number + 1. An entry's record is half a cache
line, four words:

- words 0-2: the name, big-endian and padded with zeros; of a name longer than 24 bytes the first 16 bytes and where
  the whole name starts in the arena;
- word 3: the name's length (high half).
"""

import numpy as np

from irassay.compute.instructions import load_item, many_arrays, prefetch
from irassay.compute.kernel import helper, kernel
from irassay.compute.words import K0, hash_words, word_at
from irassay.read.constants import (
    ARENA,
    BLOCK,
    DONE,
    DUPLICATES,
    ENTRIES,
    FILLED,
    INLINE,
    PLACE,
    ROW,
    RUN,
    SEGMENT,
    SIZE,
    STOP,
    TOPIC,
)

__all__ = ["find_entries", "hash_names", "intern", "many_arrays", "name_order"]

FAR, NEAR = 32, 12  # rows ahead
U0, U1, U32 = np.uint64(0), np.uint64(1), np.uint64(32)
LOW32 = np.uint64(0xFFFFFFFF)
WORD = 8


@helper
def of_topic(name_hash, topic):
    """The hash of a pair, from that of its document."""
    return name_hash ^ (np.uint64(topic) * K0)


@helper
def same_end(a, arena, b, data, size):
    """Whether two names of one size, longer than two words, are equal from their third word on."""
    i = np.int64(2 * WORD)
    while i < size and word_at(arena, a + i, size - i) == word_at(data, b + i, size - i):
        i += WORD
    return i >= size


@helper
def fill(slots, topic, hashes, state):
    """Put entries that are not in them yet into the slots."""
    last = np.uint64(slots.shape[0] - 1)
    for entry in range(state[FILLED], state[ENTRIES]):
        h = of_topic(hashes[entry], topic[entry])
        slot = h & last
        while slots[slot] != U0:
            slot = (slot + U1) & last
        slots[slot] = ((h >> U32) << U32) | np.uint64(entry + 1)
    state[FILLED] = state[ENTRIES]


@kernel
def intern(
    segments, places, data, starts, sizes, name_hashes, slots, topic, hashes, last_run, record, arena, out, duplicate,
    state,
):  # fmt: skip
    """Number the documents of some segments; stops early, and says so, when something must grow.

    A segment is rows of one topic in a block whose columns begin at `places[block]` of the four joined arrays; `out`
    and `duplicate` count rows from its PLACE on.
    """
    fill(slots, topic, hashes, state)
    # Unsigned throughout: a signed index costs a look whether it counts from the end.
    last = np.uint64(slots.shape[0] - 1)
    while state[SEGMENT] < segments.shape[0]:
        s = state[SEGMENT]
        b = segments[s, BLOCK]
        rows, t, place = segments[s, STOP] - segments[s, ROW], segments[s, TOPIC], segments[s, PLACE]
        seen = np.int32(segments[s, RUN] + 1)
        text = places[b, 0]
        first_start, first_size = places[b, 1] + segments[s, ROW], places[b, 2] + segments[s, ROW]
        first_hash = places[b, 3] + segments[s, ROW]
        for row in range(state[DONE], rows):
            # Names come at random: ask for the slot of a row to come, and for the record of a nearer one, which its
            # tag gives away.
            if row + FAR < rows:
                prefetch(slots, np.int64(of_topic(load_item(name_hashes, first_hash + row + FAR), t) & last))
                h = of_topic(load_item(name_hashes, first_hash + row + NEAR), t)
                slot = h & last
                near = slots[slot]
                while near != U0 and near >> U32 != h >> U32:
                    slot = (slot + U1) & last
                    near = slots[slot]
                if near != U0:
                    prefetch(record, 4 * np.int64((near & LOW32) - U1))
            start = text + load_item(starts, first_start + row)
            size = np.int64(load_item(sizes, first_size + row))
            name_hash = load_item(name_hashes, first_hash + row)
            w0, w1, w2 = (
                word_at(data, start, size),
                word_at(data, start + 8, size - 8),
                word_at(data, start + 16, size - 16),
            )
            # Written out, as in `find_entries`: a call passes seven words for each array.
            h = of_topic(name_hash, t)
            slot = h & last
            entry = np.int64(-1)
            near = slots[slot]
            while near != U0:
                if near >> U32 == h >> U32:
                    e = (near & LOW32) - U1
                    if record[e, 0] == w0 and record[e, 1] == w1 and record[e, 3] >> U32 == np.uint64(size):
                        if size <= INLINE:
                            same = record[e, 2] == w2
                        else:
                            same = same_end(np.int64(record[e, 2]), arena, start, data, size)
                        if same and topic[e] == t:
                            entry = np.int64(e)
                            break
                slot = (slot + U1) & last
                near = slots[slot]
            if entry < 0:
                entry = state[ENTRIES]
                if entry == topic.shape[0] or state[ARENA] + size + WORD > arena.shape[0]:
                    state[DONE], state[SIZE] = row, size
                    return False
                if size > INLINE:
                    w2 = np.uint64(state[ARENA])
                    for i in range(size):
                        arena[state[ARENA] + i] = load_item(data, start + i)
                    state[ARENA] += size
                record[entry, 0], record[entry, 1], record[entry, 2] = w0, w1, w2
                record[entry, 3] = np.uint64(size) << U32
                topic[entry] = t
                hashes[entry] = name_hash
                slots[slot] = ((h >> U32) << U32) | np.uint64(entry + 1)
                state[ENTRIES] += 1
                state[FILLED] += 1
            elif last_run[entry] == seen:
                duplicate[state[DUPLICATES]] = place + row
                state[DUPLICATES] += 1
            last_run[entry] = seen
            out[place + row] = entry
        state[DONE] = 0
        state[SEGMENT] += 1
    return True


@helper
def name_order(a, b, record, arena):
    """Byte order of two entries' names: negative, 0 or positive, as strcmp."""
    for k in range(2):
        if record[a, k] != record[b, k]:
            return -1 if record[a, k] < record[b, k] else 1
    n, m = np.int64(record[a, 3] >> U32), np.int64(record[b, 3] >> U32)
    if n <= INLINE and m <= INLINE:
        if record[a, 2] != record[b, 2]:
            return -1 if record[a, 2] < record[b, 2] else 1
        return n - m  # names that differ in NULs at their ends, which only dicts and frames can hold
    i = np.int64(16)
    while i < n and i < m:
        x, y = byte_of(a, i, n, record, arena), byte_of(b, i, m, record, arena)
        if x != y:
            return -1 if x < y else 1
        i += 1
    return n - m


@helper
def byte_of(entry, i, size, record, arena):
    """Byte i of a name, 16 <= i < size."""
    if size > INLINE:
        return np.int64(arena[np.int64(record[entry, 2]) + i])
    return np.int64((record[entry, 2] >> np.uint64(8 * (23 - i))) & np.uint64(255))


@kernel
def find_entries(wanted, name_hashes, names, bytes_, slots, topic, hashes, record, arena, state, out):
    """For entries of another vocabulary (`names` its records, `bytes_` its arena), of the topics `wanted` here, the
    same pair's entry in this table, or -1."""
    fill(slots, topic, hashes, state)
    last = np.uint64(slots.shape[0] - 1)
    n = wanted.shape[0]
    for i in range(n):
        if i + FAR < n:
            prefetch(slots, np.int64(of_topic(name_hashes[i + FAR], wanted[i + FAR]) & last))
            near = slots[of_topic(name_hashes[i + NEAR], wanted[i + NEAR]) & last]
            if near != U0:
                prefetch(record, 4 * np.int64((near & LOW32) - U1))
        size = np.int64(names[i, 3] >> U32)
        w0, w1, w2 = names[i, 0], names[i, 1], names[i, 2]
        h = of_topic(name_hashes[i], wanted[i])
        slot = h & last
        out[i] = -1
        while slots[slot] != U0:
            if slots[slot] >> U32 == h >> U32:
                e = (slots[slot] & LOW32) - U1
                if record[e, 0] == w0 and record[e, 1] == w1 and record[e, 3] >> U32 == np.uint64(size):
                    if size <= INLINE:
                        same = record[e, 2] == w2
                    else:
                        same = same_end(np.int64(record[e, 2]), arena, np.int64(w2), bytes_, size)
                    if same and topic[e] == wanted[i]:
                        out[i] = e
                        break
            slot = (slot + U1) & last


@kernel
def hash_names(data, start, size, out):
    """Hashes of names that did not come through the tokeniser (dicts and frames)."""
    for i in range(start.shape[0]):
        out[i] = hash_words(data, start[i], np.int64(size[i]))
