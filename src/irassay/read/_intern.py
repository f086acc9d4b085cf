"""Document names to numbers: one small hash table per topic, all in one slab.

A file names the documents of one topic together, so a table per topic stays in the cache where one for the whole
corpus would not. An entry is a (topic, document) pair, numbered by first appearance. A slot holds 32 bits of the
hash and the entry's number + 1. An entry's record is half a cache line, four words:

- words 0-2: the name, big-endian and padded with zeros; of a name longer than 24 bytes the first 16 bytes and where
  the whole name starts in the arena;
- word 3: the name's length (high half) and the last run that had it + 1 (low half).
"""

import numpy as np

from irassay.compute.instructions import prefetch
from irassay.compute.kernel import helper, kernel
from irassay.compute.words import hash_words, word_at
from irassay.read.constants import ARENA, DUPLICATES, ENTRIES, INLINE, SLAB

FAR, NEAR = 32, 12  # rows ahead
U0, U1, U32 = np.uint64(0), np.uint64(1), np.uint64(32)
LOW32 = np.uint64(0xFFFFFFFF)


@helper
def find(h, w0, w1, w2, data, start, size, base, mask, slots, record, arena):
    """The entry with these words (of a long name also bytes) or -1, and the slot where the search ended."""
    # Unsigned throughout: a signed index costs a look whether it counts from the end.
    tag = h >> U32
    first, last = np.uint64(base), np.uint64(mask)
    slot = h & last
    while True:
        word = slots[first + slot]
        if word == U0:
            return np.int64(-1), np.int64(slot)
        if word >> U32 == tag:
            entry = (word & LOW32) - U1
            if record[entry, 3] >> U32 == np.uint64(size) and record[entry, 0] == w0 and record[entry, 1] == w1:
                if size <= INLINE:
                    if record[entry, 2] == w2:
                        return np.int64(entry), np.int64(slot)
                else:
                    a = np.int64(record[entry, 2])
                    i = 16
                    while i < size and arena[a + i] == data[start + i]:
                        i += 1
                    if i == size:
                        return np.int64(entry), np.int64(slot)
        slot = (slot + U1) & last


@kernel
def intern(
    row, data, doc_start, doc_size, doc_hash, segment_topic, segment_row, run, slots, base, capacity, count, topic,
    hashes, record, arena, out, duplicate, state,
):  # fmt: skip
    """Number the documents of rows `row`...; stops early, and says where, when something must grow."""
    rows = doc_start.shape[0]
    segments = segment_topic.shape[0]
    segment = 0
    seen = np.uint64(run + 1)
    while row < rows:
        while segment + 1 < segments and segment_row[segment + 1] <= row:
            segment += 1
        t = segment_topic[segment]
        if 2 * count[t] >= capacity[t]:
            size = max(64, 2 * capacity[t])
            if state[SLAB] + size > slots.shape[0]:
                return row
            old, n = base[t], capacity[t]
            fresh = state[SLAB]
            state[SLAB] += size
            for i in range(n):
                word = slots[old + i]
                if word != U0:
                    slot = np.int64(hashes[np.int64(word & LOW32) - 1] & np.uint64(size - 1))
                    while slots[fresh + slot] != U0:
                        slot = (slot + 1) & (size - 1)
                    slots[fresh + slot] = word
            base[t] = fresh
            capacity[t] = size
        # Names come at random: ask for the slot of a row to come, and for the record of a nearer one, which its tag
        # gives away. Written out: a helper that takes arrays and has a loop counts references to them at every call.
        coming = row + FAR
        if coming < rows:
            prefetch(slots, base[t] + np.int64(doc_hash[coming] & np.uint64(capacity[t] - 1)))
            h, last = doc_hash[row + NEAR], np.uint64(capacity[t] - 1)
            place = h & last
            near = slots[np.uint64(base[t]) + place]
            while near != U0 and near >> U32 != h >> U32:
                place = (place + U1) & last
                near = slots[np.uint64(base[t]) + place]
            if near != U0:
                prefetch(record, 4 * np.int64((near & LOW32) - U1))
        start = doc_start[row]
        size = np.int64(doc_size[row])
        h = doc_hash[row]
        w0, w1, w2 = (
            word_at(data, start, size),
            word_at(data, start + 8, size - 8),
            word_at(data, start + 16, size - 16),
        )
        entry, slot = find(h, w0, w1, w2, data, start, size, base[t], capacity[t] - 1, slots, record, arena)
        if entry < 0:
            entry = state[ENTRIES]
            if entry == topic.shape[0] or state[ARENA] + size > arena.shape[0]:
                return row
            record[entry, 0], record[entry, 1], record[entry, 2] = w0, w1, w2
            if size > INLINE:
                a = state[ARENA]
                record[entry, 2] = np.uint64(a)
                for i in range(size):
                    arena[a + i] = data[start + i]
                state[ARENA] += size
            topic[entry] = t
            hashes[entry] = h
            slots[base[t] + slot] = ((h >> U32) << U32) | np.uint64(entry + 1)
            count[t] += 1
            state[ENTRIES] += 1
        elif record[entry, 3] & LOW32 == seen:
            duplicate[state[DUPLICATES]] = row
            state[DUPLICATES] += 1
        record[entry, 3] = (np.uint64(size) << U32) | seen
        out[row] = entry
        row += 1
    return row


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
def find_entries(topic, hashes, names, bytes_, slots, base, capacity, record, arena, out):
    """For each entry of another vocabulary (`names` its records, `bytes_` its arena) the same pair's entry, or -1."""
    n = topic.shape[0]
    t = np.int64(-1)
    for i in range(n):
        out[i] = -1
        if topic[i] != t:
            t = np.int64(topic[i])
            known = t >= 0 and capacity[t] > 0
            first = base[t] if known else np.int64(0)
            mask = capacity[t] - 1 if known else np.int64(0)
        if not known:
            continue
        # Names of one topic stand together, so what is to come is looked for in the same table.
        if i + FAR < n:
            prefetch(slots, first + np.int64(hashes[i + FAR] & np.uint64(mask)))
            near = np.int64(slots[first + np.int64(hashes[i + NEAR] & np.uint64(mask))] & LOW32)
            if near > 0:
                prefetch(record, 4 * (near - 1))
        size = np.int64(names[i, 3] >> U32)
        w0, w1, w2 = names[i, 0], names[i, 1], names[i, 2]
        out[i], _ = find(hashes[i], w0, w1, w2, bytes_, np.int64(w2), size, first, mask, slots, record, arena)


@kernel
def hash_names(data, start, size, out):
    """Hashes of names that did not come through the tokeniser (dicts and frames)."""
    for i in range(start.shape[0]):
        out[i] = hash_words(data, start[i], np.int64(size[i]))
