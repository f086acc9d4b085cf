"""Cells of score tables: what the files say of systems, topics and measures, and what is wrong with it."""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from irassay.errors import InputError, IrassayWarning, Problem
from irassay.read.files import stem
from irassay.read.tokens import SHOWN

# What a column may be called that holds the system, the topic, the measure, the score.
KINDS = (
    ("system", "run", "name", "runid", "run_id"),
    ("topic", "query", "query_id", "qid", "q_id", "topic_id"),
    ("measure", "metric"),
    ("score", "value"),
)
LARGEST = 1e100  # the squares of scores, added up over topics and systems, stay finite
INDEX = "__index_level_0__"  # how Parquet keeps an index of pandas that has no name
HINT = "a long table has the columns system, topic, measure, score; a wide one topic and then one per system"


class Cells(NamedTuple):
    """Scores by (system, topic, measure), None where a file leaves one out; the measures in order; warnings."""

    values: dict[tuple[str, str, str], float | None]
    measures: tuple[str, ...]
    warnings: tuple[IrassayWarning, ...]


class ScoreFile(NamedTuple):
    """A file with scores. A binary one has no lines; `first` is the first line that is not blank and not a comment."""

    path: Path
    lines: list[str]
    first: int


class CellCollector:
    """Adds up the cells of several files."""

    several = False  # whether they are of several collections

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
        if len(self.problems) == SHOWN:
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
        value = parse_number(cell)
        if value is None:
            self.problem(f"{cell!r} is not a number", where, f"leave a missing score empty; {HINT}")
        elif not math.isfinite(value):
            self.problem(f"the score {cell} is not finite", where, "leave a missing score empty")
        elif abs(value) > LARGEST:
            self.problem(f"the score {cell} is too large", where, f"sums of squares need scores up to {LARGEST:g}")
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
        present = dict.fromkeys(measure for _, _, measure in self.values)
        for measure in self.wanted:
            if measure not in present:
                hint = f"the tables hold {', '.join([*present, *self.refused])}"
                raise InputError(f"no scores of {measure!r}", hint=hint)
        return Cells(self.values, tuple(dict.fromkeys(self.wanted)) or tuple(present), tuple(self.warnings))

    def add_table(self, path: Path, header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]) -> None:
        """The cells of a long or a wide table; each row comes with where it is."""
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
            self.warn("ignored-columns", f"unused columns: {', '.join(header[n] for n in rest)}", str(path))
        elif len({header[n] for n in rest}) < len(rest):
            raise InputError("two columns have one name", str(path), "a wide table has one column per system")
        if measure < 0:
            unnamed = self.name("score" if long else re.sub(r"\.(csv|tsv|txt|parquet)$", "", stem(path)), path)
        for where, row in rows:
            if len(row) != len(header):
                self.problem(f"{len(row)} cells under a header of {len(header)}", where, HINT)
                continue
            of = unnamed if measure < 0 else self.label("measure", row[measure], where)
            on = self.label("topic", row[topic], where)
            for name, cell in [(row[system], row[score])] if long else [(header[n], row[n]) for n in rest]:
                by = self.label("system", name, where)
                if by and on and of:
                    self.add(by, on, of, cell, where)


def parse_number(cell: object) -> float | None:
    # float() would also take 1_000 and digits of other scripts, which no table means
    if isinstance(cell, bool) or (isinstance(cell, str) and (not cell.isascii() or "_" in cell)):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
