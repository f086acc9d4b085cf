"""trec_eval's output with -q: lines of measure, topic, value; of one run, or of several with runid lines."""

from irassay.read.files import stem
from irassay.read.registry import ScoreFormat
from irassay.read.score_cells import HINT, KINDS, CellCollector, ScoreFile, parse_number

# Measures whose `all` row is neither the mean nor the sum of the per-topic rows.
_OTHER_SUMMARIES = ("gm_", "AREA(")
PYSERINI = ("Results:", "Running command:", "Downloading ")  # with which its output begins


class _Block:
    """One run in trec_eval's output; rows are (measure, topic, value, where)."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.name: str | None = None
        self.rows: list[tuple[str, str, str, str]] = []
        self.summary: list[tuple[str, str, str, str]] = []


def _fields(line: str) -> list[str]:
    # names may hold blanks where tabs separate the columns, as trec_eval itself does
    return [cell.strip() for cell in line.split("\t" if line.count("\t") >= 2 else None, 2)]


def _recognise(line: str) -> bool:
    fields = _fields(line)
    if len(fields) != 3 or not all(fields) or any(cell.endswith((",", ";")) for cell in fields):
        return False
    header = any(fields[0].lower() in kind for kind in KINDS) and fields[1] != "all"
    return not header and (fields[0].startswith(("runid", "relstring")) or parse_number(fields[2]) is not None)


def _read(file: ScoreFile, cells: CellCollector) -> None:
    blocks: list[_Block] = []
    runid_first = False  # irassay's order; trec_eval itself prints runid first among the `all` rows
    for number, line in enumerate(file.lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{file.path}:{number}"
        fields = _fields(line)
        if cells.several and not blocks and not _recognise(line):
            continue  # what Pyserini prints before the scores
        if len(fields) != 3 or not all(fields) or parse_number(fields[0]) is not None:
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
            system = file.system or (stem(file.path) if block.name is None else block.name)
            _add_block(system, block, cells, file.collection)


def _add_block(system: str, block: _Block, cells: CellCollector, collection: str) -> None:
    if not block.rows and cells.several:
        for measure, _, value, where in block.summary:
            if parse_number(value) is not None and not measure.startswith("num_"):
                cells.add(system, "", measure, value, where, collection)
        return
    if not block.rows:
        cells.problem(f"the run {system} has no per-topic rows", block.where, "run trec_eval with -q")
    # relstring prints the list itself, not a score
    rows = [row for row in block.rows if not row[0].startswith("relstring")]
    if ignored := len(block.rows) - len(rows):
        cells.warn("ignored-rows", f"{ignored} relstring rows of {system} are not scores", block.where)
    scores: dict[str, list[float]] = {}
    for measure, topic, value, where in rows:
        cells.add(system, topic, measure, value, where, collection)
        scores.setdefault(measure, []).append(parse_number(value) or 0.0)
    # with -c trec_eval averages also over topics that the run did not answer and that have no row
    over = next((parse_number(value) or 0.0 for measure, _, value, _ in block.summary if measure == "num_q"), 0.0)
    for measure, _, value, where in block.summary:
        printed = parse_number(value)
        if printed is None or measure not in scores or measure.startswith(_OTHER_SUMMARIES):
            continue
        n, total = len(scores[measure]), sum(scores[measure])
        mean = total / max(over, n)
        # printed numbers are rounded to four decimals: half a unit each in the rows and in the summary
        if abs(mean - printed) > 1.01e-4 and abs(total - printed) > 0.51e-4 * (n + 1):
            what = f"{measure} of {system} is {printed:g} over all topics, but its {n} rows give {mean:.4f}"
            cells.warn("all-disagrees", what, where)
            break  # one is enough to look into the file


def _recognise_file(line: str) -> bool:
    return line.startswith(PYSERINI) or _recognise(line)


TREC_EVAL = ScoreFormat(_read, recognise=_recognise_file)
