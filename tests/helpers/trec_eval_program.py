"""trec_eval 9 as a program: the functions of the copy inside pytrec-eval-terrier, called in the order of its `main`.

`python -m tests.helpers.trec_eval_program [-q] [-c] [-n] [-J] [-l N] [-M N] [-m NAME]... QRELS RUN` prints what
trec_eval prints.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_long, c_void_p, cast
from pathlib import Path
from typing import Any

REQUESTED, ABSENT = -2, -1  # of a measure's index


class Argument(Structure):
    _fields_ = [("name", c_char_p), ("parameters", c_void_p)]


class Session(Structure):
    _fields_ = [
        *((name, c_long) for name in ("query", "summary", "debug")),
        ("debug_query", c_char_p),
        *((name, c_long) for name in ("relation", "complete", "judged_only", "documents", "level", "most")),
        *((name, c_char_p) for name in ("judgments_format", "results_format")),
        ("zscores", c_long),
        ("arguments", POINTER(Argument)),
    ]


class Value(Structure):
    _fields_ = [("name", c_char_p), ("value", c_double)]


class Values(Structure):
    _fields_ = [
        ("topic", c_char_p),
        ("topics", c_long),
        ("values", POINTER(Value)),
        ("size", c_long),
        ("reserved", c_long),
    ]


class Measure(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("explanation", c_char_p),
        *((name, c_void_p) for name in ("init", "calc", "add", "average", "print_single", "print_final")),
        ("parameters", c_void_p),
        ("index", c_long),
    ]


class Results(Structure):
    _fields_ = [("topic", c_char_p), ("run", c_char_p), ("format", c_char_p), ("lists", c_void_p)]


class Judgments(Structure):
    _fields_ = [("topic", c_char_p), ("format", c_char_p), ("documents", c_void_p)]


class AllResults(Structure):
    _fields_ = [("size", c_long), ("reserved", c_long), ("items", POINTER(Results))]


class AllJudgments(Structure):
    _fields_ = [("size", c_long), ("reserved", c_long), ("items", POINTER(Judgments))]


class Nickname(Structure):
    _fields_ = [("name", c_char_p), ("measures", POINTER(c_char_p))]


def library() -> Any:
    import pytrec_eval_ext

    return ctypes.CDLL(pytrec_eval_ext.__file__, mode=os.RTLD_GLOBAL | os.RTLD_LAZY)


def call(address: int, *arguments: Any) -> int:
    return int(ctypes.CFUNCTYPE(ctypes.c_int, *([c_void_p] * len(arguments)))(address)(*map(pointer, arguments)))


def pointer(value: Any) -> c_void_p:
    return cast(byref(value), c_void_p)


def measures(lib: Any) -> list[Measure]:
    count = ctypes.c_int.in_dll(lib, "te_num_trec_measures").value
    table = (POINTER(Measure) * count).in_dll(lib, "te_trec_measures")
    return [one.contents for one in table]


def nicknames(lib: Any) -> dict[str, list[str]]:
    count = ctypes.c_int.in_dll(lib, "te_num_trec_measure_nicknames").value
    named: dict[str, list[str]] = {}
    for nickname in (Nickname * count).in_dll(lib, "te_trec_measure_nicknames"):
        place, names = 0, []
        while (name := nickname.measures[place]) is not None:
            names.append(name.decode())
            place += 1
        named[nickname.name.decode()] = names
    return named


def main() -> None:
    parser = argparse.ArgumentParser()
    for flag in "qcnJ":
        parser.add_argument(f"-{flag}", action="store_true")
    parser.add_argument("-l", type=int, default=1)
    parser.add_argument("-M", type=int, default=2**63 - 1)
    parser.add_argument("-m", action="append", default=[])
    parser.add_argument("qrels")
    parser.add_argument("run")
    chosen = parser.parse_args()
    lib = library()
    known, arguments, kept = nicknames(lib), [], []
    for text in chosen.m or ["official"]:
        name, _, parameters = text.partition(".")
        if parameters:
            kept.append(ctypes.create_string_buffer(parameters.encode()))
            arguments.append(Argument(name.encode(), cast(kept[-1], c_void_p)))
        for one in measures(lib):
            if one.name.decode() in known.get(name, [name]):
                one.index = REQUESTED
    listed = (Argument * (len(arguments) + 1))(*arguments)
    session = Session(
        query=chosen.q,
        summary=not chosen.n,
        relation=1,
        complete=chosen.c,
        judged_only=chosen.J,
        level=chosen.l,
        most=chosen.M,
        judgments_format=b"qrels",
        results_format=b"trec_results",
        arguments=listed,
    )
    judgments, results = AllJudgments(), AllResults()
    if lib.te_get_qrels(byref(session), os.fsencode(chosen.qrels), byref(judgments)) != 1:
        sys.exit(2)
    if lib.te_get_trec_results(byref(session), os.fsencode(chosen.run), byref(results)) != 1:
        sys.exit(2)
    total = Values(b"all", 0, None, 0, 0)
    wanted = [one for one in measures(lib) if one.index == REQUESTED]
    for one in wanted:
        call(one.init, session, one, total)
    of_topic = {judgments.items[k].topic: judgments.items[k] for k in range(judgments.size)}
    single = Values(None, 0, (Value * max(total.size, 1))(), total.size, total.size)
    for k in range(results.size):
        lists = results.items[k]
        if lists.topic not in of_topic:
            continue
        for place in range(total.size):
            single.values[place].name, single.values[place].value = total.values[place].name, 0.0
        single.topic, single.topics = lists.topic, 1
        for one in wanted:
            call(one.calc, session, of_topic[lists.topic], lists, one, single)
        if chosen.q:
            for one in wanted:
                call(one.print_single, session, one, single)
        for one in wanted:
            call(one.add, session, one, single, total)
        total.topics += 1
    for one in wanted:
        call(one.average, session, one, judgments, total)
    for one in wanted:
        call(one.print_final, session, one, total)
    ctypes.CDLL(None).fflush(None)
    os._exit(0)


def printed(*arguments: str | Path) -> bytes:
    """What trec_eval prints, in a process of its own: it keeps what it read in static memory."""
    command = [sys.executable, "-m", "tests.helpers.trec_eval_program", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[2]).stdout


if __name__ == "__main__":
    main()
