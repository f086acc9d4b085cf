"""ir_measures' output by query (`ir_measures QRELS RUN AP -q`): lines of topic, measure, value, of one run."""

import re

from irassay.read.files import stem
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import CellCollector, ScoreFile, parse_number
from irassay.read.table_shapes import is_measure

_MEASURE = re.compile(r"[A-Za-z][\w+-]*(\(.*\))?(@\S+)?")
HINT = "run ir_measures with -q; its lines are topic, measure, value"


def _recognise(line: str) -> bool:
    fields = line.rstrip("\n").split("\t")
    if len(fields) != 3 or parse_number(fields[2]) is None or not _MEASURE.fullmatch(fields[1]):
        return False
    # trec_eval's lines are measure, topic, value
    return not is_measure(fields[0]) and (is_measure(fields[1]) or "@" in fields[1])


def _read(file: ScoreFile, cells: CellCollector) -> None:
    system = stem(file.path)
    for number, line in enumerate(file.lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        where = f"{file.path}:{number}"
        if len(fields) != 3 or not all(fields):
            cells.problem("not a line of ir_measures' output (topic, measure, value)", where, HINT)
        elif fields[0] != "all":
            cells.add(system, fields[0], fields[1], fields[2], where)


IR_MEASURES = ScoreFormat(_read, recognise=_recognise)
