"""Lists put in order without kernels: what `_order` does, for small collections."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.compute.joined_arrays import many_arrays
from irassay.read.constants import BY_KEY, BY_ROW
from irassay.read.vocabulary import names_of, words

__all__ = ["many_arrays", "order_run", "place_lists", "survey"]
Ints = NDArray[np.int64]


def sorted_rows(rows: Ints, score: Any, entry: Any, ties: int, key: Any, record: Any, arena: Any) -> list[int]:
    """Rows by falling score; tied ones as they stand, or by falling name, or by falling key and then name."""
    out: list[int] = sorted(rows.tolist())
    if ties != BY_ROW:
        name = dict(zip(out, names_of(entry[out], record, arena), strict=True))
        out.sort(key=name.__getitem__, reverse=True)  # stable, also where it turns the order round
    if ties == BY_KEY:
        out.sort(key=lambda row: int(key[entry[row]]), reverse=True)
    values: Callable[[int], float] = dict(zip(rows.tolist(), score[rows].tolist(), strict=True)).__getitem__
    out.sort(key=values, reverse=True)
    return out


def survey(
    score: Any, segment_row: Ints, data: Any, start: Ints, size: Any, key: Any, record: Any, rows: Any, spare: Any,
    falls: NDArray[np.bool_], moves: Ints, moved: NDArray[np.int32],
) -> None:  # fmt: skip
    """Where scores only fall, and which tied rows names put elsewhere."""
    count = 0
    rises, equal = score[1:] > score[:-1], score[1:] == score[:-1]
    names = words(data, start, size) if equal.any() else []
    for s, (begin, end) in enumerate(zip(segment_row[:-1].tolist(), segment_row[1:].tolist(), strict=True)):
        falls[s], moves[s] = not rises[begin : end - 1].any(), 0
        if falls[s] and equal[begin : end - 1].any():
            keys = list(zip(score[begin:end].tolist(), names[begin:end], strict=True))
            # stable, also where it turns the order round
            placed = np.array(sorted(range(end - begin), key=keys.__getitem__, reverse=True))
            places = np.flatnonzero(placed != np.arange(end - begin))
            moves[s] = len(places)
            moved[count : count + len(places)] = np.stack([places, placed[places]], axis=1)
            count += len(places)


def place_lists(
    first: int, last: int, segment: Ints, start: Ints, moves: Ints, move: Ints, moved: Any, entry: Any, place: Ints,
    code: Any, offsets: Ints, codes: Any,
) -> None:  # fmt: skip
    """Lists that stand in order but for tied rows that move."""
    for t in range(first, last):
        for s in np.flatnonzero(segment[t] >= 0).tolist():
            k = segment[t, s]
            out = codes[offsets[t, s] : offsets[t, s + 1]]
            row = place[s] + start[k]
            out[:] = code[entry[row : row + len(out)]]
            if moves[k]:
                to, source = moved[move[k] : move[k] + moves[k]].T
                inside = to < len(out)
                out[to[inside]] = code[entry[row + source[inside]]]


def order_run(
    entry: Any, score: Any, topic: Any, start: Ints, stop: Ints, sort: bool, ties: int, key: Any, record: Any,
    arena: Any, code: Any, repeats: bool, seen: Any, rows: Any, spare: Any, offsets: Ints, system: int, codes: Any,
    keep: bool, rows_out: Any,
) -> None:  # fmt: skip
    """One run's lists in order, as codes of their topics' pools, written to their places in the panel."""
    for t in dict.fromkeys(topic.tolist()):
        listed = np.concatenate([np.arange(start[s], stop[s]) for s in np.flatnonzero(topic == t).tolist()])
        if sort:
            listed = np.array(sorted_rows(listed, score, entry, ties, key, record, arena), dtype=np.int64)
        listed = listed[code[entry[listed]] >= 0]
        if repeats:
            listed = listed[np.sort(np.unique(entry[listed], return_index=True)[1])]
        place, end = offsets[t, system], offsets[t, system + 1]
        listed = listed[: end - place]
        codes[place : place + len(listed)] = code[entry[listed]]
        if keep:
            rows_out[place : place + len(listed)] = listed
