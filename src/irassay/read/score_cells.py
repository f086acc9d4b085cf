"""Cells of score tables: what the files say of systems, topics and measures, and what is wrong with it."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from irassay.errors import InputError, IrassayWarning, Problem
from irassay.read.files import stem
from irassay.read.tokens import SHOWN

# What a column may be called that holds the system, the topic, the measure, the score.
KINDS = (
    ("system", "run", "name", "runid", "run_id", "model", "model_name"),
    ("topic", "query", "query_id", "qid", "q_id", "topic_id"),
    ("measure", "metric"),
    ("score", "value"),
)
COLLECTION = ("collection", "task", "task_name", "dataset")  # of tables of several collections
SUMMARIES = ("average", "avg", "mean", "mean (task)", "mean (tasktype)", "overall", "rank", "rank (borda)", "borda")
LARGEST = 1e100  # the squares of scores, added up over topics and systems, stay finite
INDEX = "__index_level_0__"  # how Parquet keeps an index of pandas that has no name
SUFFIX = re.compile(r"\.(csv|tsv|txt|parquet|json|eval)$")
MISSING = "leave a missing score empty"
HINT = "a long table has the columns system, topic, measure, score; a wide one topic and then one per system"


Values = dict[tuple[str, str, str], float | None]


class Cells(NamedTuple):
    """Scores by (system, topic, measure), None where a file leaves one out; the measures in order; warnings.

    Of several collections `collections` has the scores of each; the topic of a score for a whole collection is "".
    """

    values: Values
    measures: tuple[str, ...]
    warnings: tuple[IrassayWarning, ...]
    collections: dict[str, Values]
    main: dict[str, str]  # the measure that a collection's main score is, where that is known


class ScoreFile(NamedTuple):
    """A file with scores. A binary one has no lines; `first` is the first line that is not blank and not a comment.

    `collection` is what its scores are of where it does not say so itself, and `system` likewise.
    """

    path: Path
    lines: list[str]
    first: int
    collection: str = ""
    system: str = ""


class CellCollector:
    """Adds up the cells of several files: of one collection, or of `several`, which may have one score each."""

    def __init__(self, wanted: tuple[str, ...], *, several: bool = False) -> None:
        self.wanted, self.several = wanted, several
        self.collections: dict[str, Values] = {"": {}}
        self.origins: dict[tuple[str, str, str, str], str] = {}
        self.refused: dict[str, None] = {}  # an ordered set
        self.parts: dict[tuple[str, str, str], tuple[dict[str, float], str, str]] = {}
        self.main: dict[str, list[str]] = {}  # of each collection: measures that could be its main score
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

    def add(self, system: str, topic: str, measure: str, cell: object, where: str, collection: str = "") -> None:
        if self.wanted and measure not in self.wanted:
            self.refused[measure] = None
            return
        key = (system, topic, measure)
        if (collection, *key) in self.origins:
            first = self.origins[collection, *key]
            on = " on topic " + topic if topic else ""
            on += " on collection " + collection if collection else ""
            what = f"{measure} of {system}{on} appears twice (first at {first})"
            self.problem(what, where, "keep one of them, or give the runs different names")
            return
        values = self.collections.setdefault(collection, {})
        values[key], self.origins[collection, *key] = None, where
        if cell is None or cell == "":
            return
        value = parse_number(cell)
        if value is None:
            self.problem(f"{cell!r} is not a number", where, f"{MISSING}; {HINT}")
        elif not math.isfinite(value):
            self.problem(f"the score {cell} is not finite", where, MISSING)
        elif abs(value) > LARGEST:
            self.problem(f"the score {cell} is too large", where, f"sums of squares need scores up to {LARGEST:g}")
        values[key] = value

    def add_parts(
        self, system: str, measure: str, parts: dict[str, float], where: str, collection: str, kind: str
    ) -> None:
        """A score of a collection that is the mean of parts; `kind` must be the same for all systems."""
        self.add(system, "", measure, sum(parts.values()) / len(parts), where, collection)
        self.parts.setdefault((collection, system, measure), (parts, kind, where))

    def may_be(self, collection: str, measures: list[str]) -> None:
        """The main score of a collection is one of these measures, says one system."""
        known = self.main.setdefault(collection, measures)
        self.main[collection] = [measure for measure in known if measure in measures]

    def _check_parts(self) -> None:
        """Means of other parts than other systems have are no scores of the same collection: they count as missing."""
        whole: dict[str, dict[str, None]] = {}
        kinds: dict[str, str] = {}
        for (collection, _, _), (parts, kind, where) in self.parts.items():
            whole.setdefault(collection, {}).update(dict.fromkeys(parts))
            if kinds.setdefault(collection, kind) != kind:
                what = f"{kind} of {collection}, and {kinds[collection]} of other systems"
                self.problem(what, where, "give results of one split")
        for (collection, system, measure), (parts, _, where) in self.parts.items():
            absent = [part for part in whole[collection] if part not in parts]
            if absent:
                self.collections[collection][system, "", measure] = None
                what = f"{system} has no scores of {len(absent)} of {len(whole[collection])} parts of {collection}"
                self.warn("missing-parts", f"{what}, such as {absent[0]}; its score there counts as missing", where)

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
        self._check_parts()
        if self.problems:
            raise InputError.of(self.problems, self.hint)
        present = dict.fromkeys(measure for values in self.collections.values() for _, _, measure in values)
        for measure in self.wanted:
            if measure not in present:
                hint = f"the tables hold {', '.join([*present, *self.refused])}"
                raise InputError(f"no scores of {measure!r}", hint=hint)
        named = {name: values for name, values in self.collections.items() if values}
        measures = tuple(dict.fromkeys(self.wanted)) or tuple(present)
        main = {name: known[0] for name, known in self.main.items() if known}
        return Cells(self.collections[""], measures, tuple(self.warnings), named, main)

    def add_table(self, file: ScoreFile, header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]) -> None:
        """The cells of a long or a wide table; each row comes with where it is."""
        path, names = file.path, [name.strip().lower() for name in header]
        system, topic, measure, score = (_column(names, kind) for kind in KINDS)
        collection = _column(names, COLLECTION) if self.several else -1
        if topic < 0 and collection < 0:  # a frame's index, saved without a name
            topic = _column(names, ("", "unnamed: 0", INDEX))
        if self.several and system >= 0 and max(topic, collection, score) < 0:
            self._add_by_system(file, header, rows, system)
            return
        long = min(system, score) >= 0
        if not long and measure != max(topic, collection) + 1:
            measure = -1  # a system of that name; in a wide table the measure stands beside the topic
        used = (system, topic, measure, score, collection) if long else (topic, measure, collection)
        rest = [n for n, name in enumerate(names) if n not in used and name != INDEX]
        if max(topic, collection) < 0 or not (long or rest):
            raise InputError(f"the columns {', '.join(header)} are no score table", str(path), HINT)
        if not rows:
            raise InputError("a header without rows", str(path), "give a table with scores")
        if long and rest:
            self.warn("ignored-columns", f"unused columns: {', '.join(header[n] for n in rest)}", str(path))
        elif len({header[n] for n in rest}) < len(rest):
            raise InputError("two columns have one name", str(path), "a wide table has one column per system")
        if measure < 0:
            unnamed = self.name("score" if long or self.several else SUFFIX.sub("", stem(path)), path)
        for where, row in self._complete(header, rows):
            of = unnamed if measure < 0 else self.label("measure", row[measure], where)
            on = "" if topic < 0 else self.label("topic", row[topic], where)
            about = file.collection if collection < 0 else self.label("collection", row[collection], where)
            for name, cell in [(row[system], row[score])] if long else [(header[n], row[n]) for n in rest]:
                by = self.label("system", name, where)
                if by and of and (on or topic < 0) and (about or collection < 0):
                    self.add(by, on, of, cell, where, about)

    def _add_by_system(
        self, file: ScoreFile, header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]], system: int
    ) -> None:
        """A row for each system, a column for each collection, as leaderboards print them."""
        columns = [n for n in range(len(header)) if n != system and header[n].strip().lower() not in SUMMARIES]
        left_out = [header[n] for n in range(len(header)) if n != system and n not in columns]
        if left_out:
            what = f"no collections, and not used: {', '.join(left_out)}"
            self.warn("ignored-columns", what, str(file.path))
        if not columns or not rows:
            raise InputError("a table without scores", str(file.path), "give a column for each collection")
        if len({header[n] for n in columns}) < len(columns):
            raise InputError("two columns have one name", str(file.path), "each collection has one column")
        measure = self.name("score", file.path)
        for where, row in self._complete(header, rows):
            by = self.label("system", row[system], where)
            for n in columns:
                about = self.label("collection", header[n], where)
                if by and about:
                    self.add(by, "", measure, row[n], where, about)

    def _complete(
        self, header: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]
    ) -> Iterator[tuple[str, Sequence[object]]]:
        """The rows that have a cell for every column."""
        for where, row in rows:
            if len(row) == len(header):
                yield where, row
            else:
                self.problem(f"{len(row)} cells under a header of {len(header)}", where, HINT)


def _column(names: Sequence[str], aliases: Sequence[str]) -> int:
    return next((names.index(alias) for alias in aliases if alias in names), -1)


def parse_number(cell: object) -> float | None:
    # float() would also take 1_000 and digits of other scripts, which no table means
    if isinstance(cell, bool) or (isinstance(cell, str) and (not cell.isascii() or "_" in cell)):
        return None
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
