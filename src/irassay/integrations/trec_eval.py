"""What trec_eval 9 prints, byte for byte: its measures by its names, its order of topics, its sums and its format."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from irassay.errors import InputError
from irassay.measures import parse
from irassay.panel.alignment import align
from irassay.panel.panel import Panel
from irassay.read import Qrels, Run, read_qrels, read_runs
from irassay.report.text import encode
from irassay.report.trec import line

RANKS = "5,10,15,20,30,100,200,500,1000"
LEVELS = "0.0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1.0"
MULTIPLES = "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"
FLOOR = 0.00001  # of trec_eval's geometric means


class Name(NamedTuple):
    """A name of trec_eval: our measure, with {rel} for the relevance level and {x} for one of its parameters.

    `defaults` are the parameters of a name that has a value for each. A count is summed over topics and a whole number.
    """

    ours: str
    defaults: str = ""
    kind: str = "mean"


# In the order in which trec_eval prints them.
NAMES = {
    "runid": Name("", kind="run"),
    "num_q": Name("", kind="topics"),
    "num_ret": Name("NumRet", kind="count"),
    "num_rel": Name("NumRel(rel={rel})", kind="relevant"),
    "num_rel_ret": Name("NumRelRet(rel={rel})", kind="count"),
    "map": Name("AP(rel={rel})"),
    "gm_map": Name("AP(rel={rel})", kind="geometric"),
    "Rprec": Name("Rprec(rel={rel})"),
    "bpref": Name("Bpref(rel={rel})"),
    "recip_rank": Name("RR(rel={rel})"),
    "iprec_at_recall": Name("IPrec(rel={rel},variant='trec')@{x}", LEVELS, "interpolated"),
    "P": Name("P(rel={rel})@{x}", RANKS),
    "relstring": Name("", kind="string"),
    "recall": Name("R(rel={rel})@{x}", RANKS),
    "infAP": Name("infAP(rel={rel})"),
    "gm_bpref": Name("Bpref(rel={rel})", kind="geometric"),
    "Rprec_mult": Name("RprecMult(rel={rel})@{x}", MULTIPLES),
    "utility": Name("Utility(rel={rel})"),
    "11pt_avg": Name("IAP(rel={rel})", kind="interpolated"),
    "binG": Name("BinG(rel={rel})"),
    "G": Name("G"),
    "ndcg": Name("nDCG"),
    "ndcg_rel": Name("nDCGRel"),
    "Rndcg": Name("RnDCG", kind="relevant topics"),
    "ndcg_cut": Name("nDCG@{x}", RANKS),
    "map_cut": Name("AP(rel={rel})@{x}", RANKS),
    "relative_P": Name("R(rel={rel},cap=True)@{x}", RANKS),
    "success": Name("Success(rel={rel})@{x}", "1,5,10"),
    "set_P": Name("SetP(rel={rel})"),
    "set_relative_P": Name("SetRelP(rel={rel})"),
    "set_recall": Name("SetR(rel={rel})"),
    "set_map": Name("SetAP(rel={rel})"),
    "set_F": Name("SetF(rel={rel})"),
    "num_nonrel_judged_ret": Name("NumNonrelRet(rel={rel})", kind="count"),
    "unj": Name("Unjudged@{x}", "5,10,20"),  # of version 10
}
OFFICIAL = list(NAMES)[: list(NAMES).index("P") + 1]
NICKNAMES = {
    "official": OFFICIAL,
    "set": [*OFFICIAL[:5], "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"],
    "all_trec": [name for name in NAMES if name != "unj"],
}
OFFERED = f"the names are {', '.join([*NICKNAMES, *NAMES])}, with parameters after a point: P.5,10"


@dataclass(frozen=True, kw_only=True)
class TrecEval:
    """The options of trec_eval that are offered."""

    per_topic: bool = False
    complete: bool = False
    level: int = 1
    judged_only: bool = False
    most: int | None = None
    summary: bool = True
    measures: Sequence[str] = ()


class Row(NamedTuple):
    """One line of the output: the printed name, what it is, and our measure."""

    name: str
    kind: str
    measure: str


def trec_eval(qrels: str | Path, run: str | Path, options: TrecEval) -> bytes:
    """What trec_eval prints for one run."""
    if options.level < 1:
        raise InputError(f"-l is {options.level}", hint="a relevant grade is 1 or more here")
    rows = requested_rows(options.measures or ["official"], options.level)
    judgments, runs = read_qrels(qrels), read_runs([run])
    if len(runs) > 1:
        raise InputError(f"{len(runs)} runs were given", hint="trec_eval takes one at a time; irassay score takes many")
    panel = align(judgments, runs, order="trec9", depth=options.most)
    if options.judged_only:
        panel = panel.condensed()
    evaluation = _Evaluation(panel, options, rows, judgments, runs.runs[0])
    return encode("".join(evaluation.lines()))


def requested_rows(names: Sequence[str], level: int) -> list[Row]:
    """The lines that -m asks for, in the order of trec_eval; parameters that are given twice count once."""
    parameters_of: dict[str, str] = {}
    wanted = set()
    for text in names:
        name, _, parameters = text.partition(".")
        if name not in NAMES and name not in NICKNAMES:
            raise InputError(f"trec_eval's measure {name!r} is not offered", "-m", OFFERED)
        wanted |= set(NICKNAMES.get(name, [name]))
        if parameters:
            parameters_of.setdefault(name, parameters)
    return [row for name in NAMES if name in wanted for row in _rows(name, parameters_of.get(name), level)]


def _rows(name: str, parameters: str | None, level: int) -> Iterator[Row]:
    kind, ours = NAMES[name].kind, NAMES[name].ours.replace("{rel}", str(level))
    if name == "set_F" and parameters:
        yield Row(f"{name}_{parameters}", kind, f"SetF(rel={level},beta={_numbers(name, parameters)[0]})")
        return
    if not NAMES[name].defaults:
        if parameters:
            raise InputError(f"parameters of trec_eval's measure {name!r} are not offered", "-m", f"write -m {name}")
        yield Row(name, kind, ours)
        return
    values = sorted(_numbers(name, parameters or NAMES[name].defaults))
    if len(set(values)) < len(values):
        raise InputError(f"a parameter of {name} is given twice", "-m", f"write each once: {name}.5,10")
    for value in values:
        whole = NAMES[name].defaults.find(".") < 0
        if whole and (value < 1 or value != int(value)):
            raise InputError(f"{value:g} is no cut-off of {name}", "-m", "cut-offs are whole numbers from 1")
        shown = f"{int(value)}" if whole else f"{value:3.2f}"
        yield Row(f"{name}_{shown}", kind, ours.replace("{x}", f"{int(value)}" if whole else repr(value)))


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{text!r} are no parameters of {name}", "-m", f"write numbers: {name}.5,10") from None


class _Evaluation:
    """The values of a run by topic, in trec_eval's order, and its lines."""

    def __init__(self, panel: Panel, options: TrecEval, rows: Sequence[Row], qrels: Qrels, run: Run) -> None:
        self.panel, self.options, self.rows, self.qrels, self.run = panel, options, rows, qrels, run
        self.topics = sorted(panel.topics, key=lambda topic: topic.encode("utf-8", "surrogateescape"))
        places = [panel.topics.index(topic) for topic in self.topics]
        texts = list(dict.fromkeys(row.measure for row in rows if row.measure)) or ["NumRet"]
        scores = panel.score(texts)
        names = dict(zip(texts, map(str, parse(texts)), strict=True))
        self.values: dict[str, list[float]] = {
            text: scores[name].values[0, places].tolist() for text, name in names.items()
        }
        self.relevant = panel.judged_counts()[places, options.level :].sum(axis=1).tolist()
        self.sizes = np.diff(panel.offsets[places, :2], axis=1).ravel().tolist()
        self.places = places

    def lines(self) -> Iterator[str]:
        if self.options.per_topic:
            for t, topic in enumerate(self.topics):
                yield from (line(row.name, topic, text) for row in self.rows if (text := self._single(row, t)))
        if self.options.summary:
            yield from (line(row.name, "all", text) for row in self.rows if (text := self._total(row)))

    def _single(self, row: Row, t: int) -> str | None:
        if row.kind == "string":
            return f"'{self._relevance(t)}'"
        if row.kind in ("run", "topics", "geometric"):
            return None
        return _written(row.kind, self._values(row)[t])

    def _values(self, row: Row) -> list[float]:
        """The values by topic, with what is trec_eval's own."""
        values = self.values[row.measure]
        if row.kind == "relevant topics":  # Rndcg goes by gains, and is 0 where nothing reaches the level
            return [value if relevant else 0.0 for value, relevant in zip(values, self.relevant, strict=True)]
        if row.kind == "interpolated":  # -J may leave nothing, whose precision there is 0/0
            level = float(row.measure.partition("@")[2] or 0.0)
            cells = zip(values, self.relevant, self.sizes, strict=True)
            return [value if size or int(level * relevant + 0.9) else math.nan for value, relevant, size in cells]
        return values

    def _total(self, row: Row) -> str | None:
        if row.kind == "string":
            return None
        if row.kind == "run":
            return self.run.tag or self.run.name
        count = len(self.qrels.topics) if self.options.complete else len(self.topics)
        if row.kind == "topics":
            return str(count)
        values = self._values(row)
        if row.kind == "geometric":
            # one after the other, as trec_eval adds: the last bit decides how a tie is rounded
            total = sum((math.log(max(value, FLOOR)) for value in values), 0.0)
            return _written("mean", math.exp((total + (count - len(values)) * math.log(FLOOR)) / count))
        if row.kind == "relevant" and self.options.complete:  # whatever the level
            return str(int(np.count_nonzero(self.qrels.grade >= 1)))
        total = 0.0
        for value in values:
            total += value
        return _written(row.kind, total if row.kind in ("count", "relevant") else total / count)

    def _relevance(self, t: int) -> str:
        """The grades of the first ten documents: - outside the pool, . in it without a judgment."""
        panel, place = self.panel, self.places[t]
        first, last = panel.offsets[place, :2].tolist()
        grades = panel.grade[panel.pool[place] + panel.codes[first : min(last, first + 10)].astype(np.int64)]
        return "".join({-2: "-", -1: "."}.get(g, str(g) if g < 10 else ">") for g in grades.tolist())


def _written(kind: str, value: float) -> str:
    if kind in ("count", "relevant"):
        return f"{int(value)}"
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"  # as C prints what 0/0 gives
