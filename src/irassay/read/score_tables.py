"""Ready-made scores: trec_eval's output, long and wide CSV, Parquet; so topic-level studies need no runs."""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from irassay.errors import InputError, IrassayWarning, MissingExtraError, Problem
from irassay.read.files import expand, load, stem

# What a column may be called that holds the system, the topic, the measure, the score.
KINDS = (
    ("system", "run", "name", "runid", "run_id"),
    ("topic", "query", "query_id", "qid", "q_id", "topic_id"),
    ("measure", "metric"),
    ("score", "value"),
)
INDEX = "__index_level_0__"  # how Parquet keeps an index of pandas that has no name
HINT = "a long table has the columns system, topic, measure, score; a wide one topic and then one per system"
MOST_PROBLEMS = 20
# How the CSV report keeps a name from running as a formula; exactly one apostrophe goes.
_APOSTROPHE = re.compile(r"^'(?='*[=+\-@\t\r])")
# Measures whose `all` row is neither the mean nor the sum of the per-topic rows.
_OTHER_SUMMARIES = ("gm_", "AREA(")


class Cells(NamedTuple):
    """Scores by (system, topic, measure), None where a file leaves one out; the measures in order; warnings."""

    values: dict[tuple[str, str, str], float | None]
    measures: tuple[str, ...]
    warnings: tuple[IrassayWarning, ...]


def read_cells(paths: Sequence[str | os.PathLike[str]], measures: str | Sequence[str] | None) -> Cells:
    """What the files say of systems, topics and measures; formats are told by content (`irassay.read_scores`)."""
    cells = _Cells((measures,) if isinstance(measures, str) else tuple(measures or ()))
    files = expand(paths)
    if not files:
        raise InputError("no score table given")
    for path in files:
        _read_file(path, cells)
    return cells.checked()


class _Cells:
    """What the files say so far, and what is wrong with it."""

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self.wanted = wanted
        self.values: dict[tuple[str, str, str], float | None] = {}
        self.origins: dict[tuple[str, str, str], str] = {}
        self.refused: dict[str, None] = {}  # an ordered set
        self.unnamed, self.hint = 0, ""
        self.problems: list[Problem] = []
        self.warnings: list[IrassayWarning] = []

    def problem(self, what: str, where: str, hint: str = "") -> None:
        self.hint = self.hint or hint
        self.problems.append(Problem(what, where))
        if len(self.problems) == MOST_PROBLEMS:
            raise InputError.of(self.problems, self.hint)

    def warn(self, code: str, what: str, where: str = "") -> None:
        self.warnings.append(IrassayWarning(code, what, where))

    def add(self, system: str, topic: str, measure: str, cell: object, where: str) -> None:
        if self.wanted and measure not in self.wanted:
            self.refused[measure] = None
            return
        key = (system, topic, measure)
        if key in self.origins:
            what = f"{measure} of {system} on topic {topic} appears twice (first at {self.origins[key]})"
            self.problem(what, where, "keep one of them, or give the runs different names")
            return
        self.values[key], self.origins[key] = None, where
        if cell is None or cell == "":
            return
        value = _number(cell)
        if value is None:
            self.problem(f"{cell!r} is not a number", where, f"leave a missing score empty; {HINT}")
        elif not math.isfinite(value):
            self.problem(f"the score {cell} is not finite", where, "leave a missing score empty")
        self.values[key] = value

    def label(self, kind: str, cell: object, where: str) -> str:
        """The cell as a name; empty where it is none."""
        if isinstance(cell, bytes):
            cell = cell.decode("utf-8", "surrogateescape")
        name = str(cell) if isinstance(cell, (str, int)) and not isinstance(cell, bool) else ""
        if not name:
            what = f"no {kind}" if cell in (None, "") else f"{cell!r} is not the name of a {kind}"
            self.problem(what, where, f"names are text or whole numbers; {HINT}")
        return name

    def name(self, default: str, path: Path) -> str:
        """What to call the measure of a table that does not say."""
        self.unnamed += 1
        if len(self.wanted) < 2:
            return self.wanted[0] if self.wanted else default
        if self.unnamed > len(self.wanted):
            raise InputError("no name left in measures=", str(path), "give one, or one for each such table")
        return self.wanted[self.unnamed - 1]

    def checked(self) -> Cells:
        if self.problems:
            raise InputError.of(self.problems, self.hint)
        there = dict.fromkeys(measure for _, _, measure in self.values)
        for measure in self.wanted:
            if measure not in there:
                held = ", ".join({**there, **self.refused})
                raise InputError(f"no scores of {measure!r}", hint=f"the tables hold {held}")
        return Cells(self.values, tuple(dict.fromkeys(self.wanted)) or tuple(there), tuple(self.warnings))


def _read_file(path: Path, cells: _Cells) -> None:
    with contextlib.suppress(OSError), path.open("rb") as stream:  # load() says what is wrong
        if stream.read(4) == b"PAR1":
            return _read_parquet(path, cells)
    # surrogateescape: names are bytes in and the same bytes out; load() blanks a byte-order mark
    text = load(path).tobytes().decode("utf-8", "surrogateescape").removeprefix("   ")
    lines = list(io.StringIO(text, newline=""))
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if first is None:
        raise InputError("the file holds no scores", str(path), HINT)
    if _is_trec(lines[first]):
        return _read_trec(path, lines, cells)
    return _read_csv(path, lines, first, cells)


class _Block:
    """One run in trec_eval's output; rows are (measure, topic, value, where)."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.name: str | None = None
        self.rows: list[tuple[str, str, str, str]] = []
        self.summary: list[tuple[str, str, str, str]] = []


def _trec_fields(line: str) -> list[str]:
    # names may hold blanks where tabs separate the columns, as trec_eval itself does
    return [cell.strip() for cell in line.split("\t" if line.count("\t") >= 2 else None, 2)]


def _is_trec(line: str) -> bool:
    fields = _trec_fields(line)
    if len(fields) != 3 or not all(fields) or any(cell.endswith((",", ";")) for cell in fields):
        return False
    header = any(fields[0].lower() in kind for kind in KINDS) and fields[1] != "all"
    return not header and (fields[0].startswith(("runid", "relstring")) or _number(fields[2]) is not None)


def _read_trec(path: Path, lines: list[str], cells: _Cells) -> None:
    blocks: list[_Block] = []
    runid_first = False  # irassay's order; trec_eval itself prints runid first among the `all` rows
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path}:{number}"
        fields = _trec_fields(line)
        if len(fields) != 3 or not all(fields) or _number(fields[0]) is not None:
            cells.problem("not a line of trec_eval's output (measure, topic, value)", where, HINT)
            continue
        measure, topic, value = fields
        is_runid = measure == "runid" and topic == "all"
        if not blocks:
            runid_first = is_runid
            blocks.append(_Block(where))
        named, summed = blocks[-1].name is not None, bool(blocks[-1].summary)
        if (is_runid and named) or (topic != "all" and (summed or (named and not runid_first))):
            blocks.append(_Block(where))
        if is_runid:
            blocks[-1].name = value
        else:
            (blocks[-1].summary if topic == "all" else blocks[-1].rows).append((measure, topic, value, where))
    for block in blocks:
        if block.name is None and len(blocks) > 1:
            cells.problem("these rows follow another run's but name no run", block.where, "add a runid line")
        else:
            _add_block(stem(path) if block.name is None else block.name, block, cells)


def _add_block(system: str, block: _Block, cells: _Cells) -> None:
    if not block.rows:
        cells.problem(f"the run {system} has no per-topic rows", block.where, "run trec_eval with -q")
    # relstring prints the list itself, not a score
    rows = [row for row in block.rows if not row[0].startswith("relstring")]
    if ignored := len(block.rows) - len(rows):
        cells.warn("ignored-rows", f"{ignored} relstring rows of {system} are not scores", block.where)
    scores: dict[str, list[float]] = {}
    for measure, topic, value, where in rows:
        cells.add(system, topic, measure, value, where)
        scores.setdefault(measure, []).append(_number(value) or 0.0)
    # with -c trec_eval averages also over topics that the run did not answer and that have no row
    over = next((_number(value) or 0.0 for measure, _, value, _ in block.summary if measure == "num_q"), 0.0)
    for measure, _, value, where in block.summary:
        said = _number(value)
        if said is None or measure not in scores or measure.startswith(_OTHER_SUMMARIES):
            continue
        n, total = len(scores[measure]), sum(scores[measure])
        mean = total / max(over, n)
        # printed numbers are rounded to four decimals: half a unit each in the rows and in the summary
        if abs(mean - said) > 1.01e-4 and abs(total - said) > 0.51e-4 * (n + 1):
            what = f"{measure} of {system} is {said:g} over all topics, but its {n} rows give {mean:.4f}"
            cells.warn("all-disagrees", what, where)
            break  # one is enough to look into the file


def _read_csv(path: Path, lines: list[str], first: int, cells: _Cells) -> None:
    # the separator that finds the most columns in the header
    mark = max(",;\t", key=lambda mark: len(next(csv.reader(lines[first : first + 1], delimiter=mark))))
    reader = csv.reader(lines[first:], delimiter=mark, strict=True)
    rows: list[tuple[str, list[str]]] = []
    try:
        for row in reader:
            if "".join(row).strip():
                where = f"{path}:{first + reader.line_num}"
                rows.append((where, [_APOSTROPHE.sub("", cell) for cell in row]))
    except csv.Error as problem:
        where = f"{path}:{first + reader.line_num}"
        raise InputError(f"not CSV ({problem})", where, "check the quotes") from None
    if len(rows[0][1]) == 1:
        raise InputError("not a score table", str(path), f"give trec_eval -q output, Parquet or CSV; {HINT}")
    _add_table(path, rows[0][1], rows[1:], cells)


def _read_parquet(path: Path, cells: _Cells) -> None:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise MissingExtraError("parquet", "reading Parquet") from None
    try:
        table = parquet.ParquetFile(path).read()
        header, columns = list(table.column_names), [column.to_pylist() for column in table.columns]
        for index in (table.schema.pandas_metadata or {}).get("index_columns", ()):
            if isinstance(index, dict) and index.get("name"):  # consecutive topics: pandas keeps their range
                header.append(index["name"])
                columns.append(list(range(index["start"], index["stop"], index["step"])))
    except (ArrowException, OSError) as problem:
        raise InputError(f"damaged Parquet ({problem})", str(path), "write the file again") from None
    rows = enumerate(zip(*columns, strict=True), 1)
    _add_table(path, header, [(f"{path} row {n}", row) for n, row in rows], cells)


def _add_table(path: Path, header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]], cells: _Cells) -> None:
    names = [name.strip().lower() for name in header]
    system, topic, measure, score = (
        next((names.index(alias) for alias in kind if alias in names), -1) for kind in KINDS
    )
    if topic < 0:  # a frame's index, saved without a name
        topic = next((names.index(name) for name in ("", "unnamed: 0", INDEX) if name in names), -1)
    long = min(system, score) >= 0
    if not long and measure != topic + 1:
        measure = -1  # a system of that name; in a wide table the measure stands beside the topic
    used = (system, topic, measure, score) if long else (topic, measure)
    rest = [n for n, name in enumerate(names) if n not in used and name != INDEX]
    if topic < 0 or not (long or rest):
        raise InputError(f"the columns {', '.join(header)} are no score table", str(path), HINT)
    if not rows:
        raise InputError("a header without rows", str(path), "give a table with scores")
    if long and rest:
        cells.warn("ignored-columns", f"unused columns: {', '.join(header[n] for n in rest)}", str(path))
    elif len({header[n] for n in rest}) < len(rest):
        raise InputError("two columns have one name", str(path), "a wide table has one column per system")
    if measure < 0:
        unnamed = cells.name("score" if long else re.sub(r"\.(csv|tsv|txt|parquet)$", "", stem(path)), path)
    for where, row in rows:
        if len(row) != len(header):
            cells.problem(f"{len(row)} cells under a header of {len(header)}", where, HINT)
            continue
        of = unnamed if measure < 0 else cells.label("measure", row[measure], where)
        on = cells.label("topic", row[topic], where)
        for name, cell in [(row[system], row[score])] if long else [(header[n], row[n]) for n in rest]:
            by = cells.label("system", name, where)
            if by and on and of:
                cells.add(by, on, of, cell, where)


def _number(cell: object) -> float | None:
    # float() would also take 1_000 and digits of other scripts, which no table means
    if isinstance(cell, bool) or (isinstance(cell, str) and (not cell.isascii() or "_" in cell)):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
