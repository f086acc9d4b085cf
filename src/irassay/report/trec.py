"""trec_eval's output: `measure<TAB>topic<TAB>value`, for programs that read it."""

from collections.abc import Iterable
from itertools import chain

from irassay.errors import InputError
from irassay.report.text import encode, one_line, undefined

ALL = "all"  # stands in place of a topic
Row = tuple[str, str | None, str, float]


def to_trec(rows: Iterable[Row]) -> bytes:
    """One block per system from rows (system, topic or None for `all`, trec_eval's measure name, value).

    A block begins with its `runid` line; the `all` rows come last. Undefined values are left out: the format
    has none. Integers are printed as trec_eval prints its counts.
    """
    blocks: dict[str, dict[str | None, list[str]]] = {}
    for system, topic, measure, value in rows:
        if topic == ALL:
            what = f"a topic is called {ALL!r}, as trec_eval's output calls the mean over topics"
            raise InputError(what, hint="write another format, such as --format csv")
        lines = blocks.setdefault(system, {}).setdefault(topic, [])
        if not undefined(value):
            number = f"{value:d}" if isinstance(value, int) else f"{value:6.4f}"
            lines.append(line(measure, ALL if topic is None else topic, number))
    output: list[str] = []
    for system, topics in blocks.items():
        summary = topics.pop(None, [])
        output += [line("runid", ALL, one_line(system)), *chain.from_iterable(topics.values()), *summary]
    return encode("".join(output))


def line(measure: str, topic: str, value: str) -> str:
    """One line of the output."""
    return f"{one_line(measure):<22}\t{one_line(topic)}\t{value}\n"
