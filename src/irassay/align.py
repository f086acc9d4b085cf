"""Judgments and runs into a `Panel`: topics, order and ties, duplicates, depth, each by a named policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irassay.engine import order as ordering
from irassay.engine.hits import POOLED, UNPOOLED
from irassay.engine.pool import number_pool
from irassay.errors import InputError, IrassayWarning, Problem, emit
from irassay.matrix import sorted_topics
from irassay.panel import Panel, parse_gains
from irassay.read.qrels import Qrels, read_qrels
from irassay.read.runs import Run, Runs, cores, read_runs
from irassay.read.vocabulary import Vocabulary, raw, text
from irassay.settings import NEGATIVE, ORDERS
from irassay.topics import select

WHOLE = 2**62
TIES = {"name": ordering.BY_NAME, "best": ordering.BY_KEY, "worst": ordering.BY_KEY}


def align(
    qrels: Any,
    runs: Any,
    *,
    order: str | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: str = "error",
    negative: str = "unjudged",
    unanswerable: str = "zero",
    gains: str | Mapping[int, float] | None = None,
    residual: Any = None,
    ties: str = "name",
    keep_scores: bool = False,
    jobs: int | None = None,
) -> Panel:
    """Bring judgments and runs together; both may also be what `read_qrels` and `read_runs` take.

    The policies are those of the command line (`irassay.settings.Alignment`). `ties` other than 'name' order tied
    documents by grade: the 'best' and 'worst' a list could have scored where gains rise with grades. `keep_scores`
    keeps the retrieval scores beside the lists.
    """
    qrels = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, duplicates=duplicates)
    runs = runs if isinstance(runs, Runs) else read_runs(runs)
    if residual is not None and not isinstance(residual, Qrels):
        residual = read_qrels(residual, duplicates=duplicates)
    order = order or ("file" if qrels.form == "ntcir" else "trec")
    for name, value, choices in (
        ("order", order, ORDERS),
        ("duplicates", duplicates, ("error", "first")),
        ("negative", negative, NEGATIVE),
        ("unanswerable", unanswerable, ("zero", "drop")),
        ("ties", ties, tuple(TIES)),
    ):
        if value not in choices:
            raise InputError(f"{name} is {value!r}", hint=f"{name} is one of {', '.join(choices)}")
    if depth is not None and depth < 1:
        raise InputError(f"depth is {depth}", hint="depth counts ranks from 1")
    grades = tuple(int(g) for g in np.unique(qrels.grade[qrels.grade > 0]))
    valued = parse_gains(gains, grades)
    warnings = list(_repeated(runs, duplicates))
    _refuse_bad_ranks(runs, order)

    graded = np.where(qrels.grade < 0, 0 if negative == "nonrelevant" else POOLED, qrels.grade).astype(np.int8)
    dropped = np.zeros(len(runs.vocabulary), dtype=np.bool_)
    kept = np.ones(len(qrels), dtype=np.bool_)
    if residual is not None:
        seen = residual.grade >= 0
        for vocabulary, mark, drop in ((runs.vocabulary, dropped, True), (qrels.vocabulary, kept, False)):
            found = vocabulary.find(residual.vocabulary)[seen]
            mark[found[found >= 0]] = drop

    chosen = _topics(qrels, runs, graded, kept, topics, unanswerable, warnings)
    number = {name: t for t, name in enumerate(chosen)}
    of_qrels = _numbers(number, qrels.vocabulary.topics)
    of_runs = _numbers(number, runs.vocabulary.topics)

    # Judged documents take the first codes, in byte order of their ids.
    judged = qrels.order[kept[qrels.order]]
    judged_topic = of_qrels[qrels.vocabulary.topic[judged]]
    judged, judged_topic = judged[judged_topic >= 0], judged_topic[judged_topic >= 0]
    judged = judged[np.argsort(judged_topic, kind="stable")]
    judged_topic = np.sort(judged_topic, kind="stable")
    counts = np.bincount(judged_topic, minlength=len(chosen))
    starts = np.cumsum(counts) - counts
    position = np.arange(len(judged)) - starts[judged_topic]
    code = np.full(len(runs.vocabulary), -1, dtype=np.int32)
    place = runs.vocabulary.find(qrels.vocabulary)[judged]
    code[place[place >= 0]] = position[place >= 0]
    following = counts.astype(np.int64)
    number_pool(runs.vocabulary.topic, of_runs, dropped, following, code)
    pool = np.concatenate([[0], np.cumsum(following)])
    grade = np.full(int(pool[-1]), UNPOOLED, dtype=np.int8)
    judged_place = pool[judged_topic] + position
    grade[judged_place] = graded[judged]

    key = np.zeros(0, dtype=np.int8)
    if ties != "name":
        key = _tie_key(runs, of_runs, pool, code, grade, worst=ties == "worst")
    width = np.uint16 if following.max(initial=0) <= 65535 else np.uint32
    sources = [_Source(run, of_runs) for run in runs]
    with ThreadPoolExecutor(max_workers=jobs or cores()) as workers:
        entire = residual is None
        lengths = list(workers.map(lambda source: source.count(code, len(chosen), entire), sources))
        offsets = _offsets(np.minimum(np.stack(lengths, axis=1), depth or WHOLE))
        codes = np.empty(int(offsets[-1, -1]), dtype=width)
        scores = np.empty(len(codes)) if keep_scores else None
        parts = [(source, system) for system, source in enumerate(sources)]
        settle = _Order(order, TIES[ties], key, code, depth or WHOLE, runs.vocabulary, offsets, codes, scores)
        for _ in workers.map(settle, parts):
            pass

    policy = {
        "order": order, "depth": depth, "duplicates": duplicates, "negative": negative,
        "unanswerable": unanswerable, "residual": residual.path if residual else None,
    }  # fmt: skip
    emit(warnings)
    return Panel(
        systems=runs.names,
        topics=tuple(map(text, chosen)),
        offsets=offsets,
        codes=codes,
        pool=pool,
        grade=grade,
        grades=grades,
        gains=valued,
        scores=scores,
        warnings=tuple(warnings),
        policy=policy,
        _naming=(code, of_runs, runs.vocabulary, (judged_place, judged), qrels.vocabulary),
    )


def _numbers(number: dict[bytes, int], topics: dict[bytes, int]) -> NDArray[np.int32]:
    """A vocabulary's topic numbers to the panel's, -1 for topics that are not evaluated."""
    return np.array([number.get(name, -1) for name in topics], dtype=np.int32)


def _repeated(runs: Runs, duplicates: str) -> Iterator[IrassayWarning]:
    """Documents that a list names twice are an error, or the worse-ranked ones are dropped and counted."""
    repeated = [run for run in runs if len(run.repeats)]
    total = sum(len(run.repeats) for run in repeated)
    if not repeated:
        return
    if duplicates == "first":
        where = repeated[0].path + (f" and {_count(len(repeated) - 1, 'more run')}" if len(repeated) > 1 else "")
        what = f"dropped {_count(total, 'repeated document')}, keeping the better-ranked"
        yield IrassayWarning("duplicates", what, where)
        return
    topics = list(runs.vocabulary.topics)
    problems = []
    for run in repeated[:10]:
        row = int(run.repeats[0])
        entry = int(run.entry[row])
        name, topic = text(runs.vocabulary.name(entry)), text(topics[int(runs.vocabulary.topic[entry])])
        first = run.first_row(row)
        at = f"line {run.line(first)}" if run.unit == "line" else f"row {first + 1}"
        problems.append(Problem(f"document {name} appears twice for topic {topic} (first at {at})", run.where(row)))
    if total > len(problems):
        more = _count(total - len(problems), "more repeated document")
        problems.append(Problem(f"{more} in {_count(len(repeated), 'run')}"))
    raise InputError.of(problems, "keep the better-ranked one with --duplicates first")


def _refuse_bad_ranks(runs: Runs, order: str) -> None:
    for run in runs if order == "rank" else ():
        if run.bad_rank:
            raise InputError(
                "the rank is not a whole number", f"{run.path}:{run.bad_rank}", "use another --order, or mend the ranks"
            )
        if run.rank is None and run.unit != "line":
            # in a file it would mean that ranks just count down the lines; a dict or frame has none
            raise InputError("the run has no ranks", run.path, "use another order, or add a column 'rank'")


def _topics(
    qrels: Qrels,
    runs: Runs,
    graded: NDArray[np.int8],
    kept: NDArray[np.bool_],
    wanted: str | Sequence[str] | None,
    unanswerable: str,
    warnings: list[IrassayWarning],
) -> tuple[bytes, ...]:
    """The topics to evaluate, in order; what is left out or missing is told."""
    judged = sorted_topics(qrels.topics)
    known = {raw(name) for name in judged}
    names = list(runs.vocabulary.topics)
    answered_by = {run.name: {names[t] for t in np.unique(run.segment_topic).tolist()} for run in runs}
    for run in runs:
        if not answered_by[run.name] & known:
            raise InputError(
                f"shares no topic with the judgments (here {_few(sorted_topics(map(text, answered_by[run.name])), 5)}; "
                f"judged {_few(judged, 5)})",
                run.path,
                "topic ids must be equal as text: 1 is not 001",
            )
    answered = set().union(*answered_by.values())
    chosen = [raw(name) for name in select(judged, wanted)]
    idle = [name for name in chosen if name not in answered]
    if idle:
        what = f"{_count(len(idle), 'judged topic')} answered by no run, and left out: {_few(map(text, idle))}"
        warnings.append(IrassayWarning("unanswered-topics", what, qrels.path))
    chosen = [name for name in chosen if name in answered]
    if not chosen:
        raise InputError("no run answers any of the selected topics", hint="check --topics")
    foreign = answered - known
    if foreign:
        what = f"{_count(len(foreign), 'topic')} of the runs without judgments, ignored: "
        what += _few(sorted_topics(map(text, foreign)))
        warnings.append(IrassayWarning("unjudged-topics", what, _first_place(runs, foreign)))
    relevant = np.zeros(len(qrels.vocabulary.topics), dtype=np.bool_)
    relevant[qrels.vocabulary.topic[(graded >= 1) & kept]] = True
    hopeless = [name for name in chosen if not relevant[qrels.vocabulary.topics[name]]]
    if hopeless:
        done = "dropped" if unanswerable == "drop" else "kept with score 0"
        what = f"{_count(len(hopeless), 'topic')} without relevant documents, {done}: {_few(map(text, hopeless))}"
        warnings.append(IrassayWarning("no-relevant", what, qrels.path))
        if unanswerable == "drop":
            chosen = [name for name in chosen if name not in set(hopeless)]
            if not chosen:
                raise InputError("no topic has a relevant document", qrels.path, "keep them with --unanswerable zero")
    missing = {name: len(chosen) - len(answers & set(chosen)) for name, answers in answered_by.items()}
    lacking = {name: n for name, n in missing.items() if n}
    if lacking:
        listed = _few(f"{name} ({n})" for name, n in lacking.items())
        what = f"{_count(len(lacking), 'run')} without some of the {len(chosen)} topics, scoring 0 there: {listed}"
        warnings.append(IrassayWarning("missing-topics", what))
    return tuple(chosen)


def _first_place(runs: Runs, topics: set[bytes]) -> str:
    """Where one of these topics is first answered."""
    wanted = np.array([name in topics for name in runs.vocabulary.topics])
    for run in runs:
        segments = np.flatnonzero(wanted[run.segment_topic])
        if len(segments):
            return run.where(int(run.segment_row[segments[0]]))
    return ""


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _few(names: Iterable[str], most: int = 10) -> str:
    found = list(names)
    return ", ".join(found[:most]) + (f", … ({len(found)} in all)" if len(found) > most else "")


def _tie_key(
    runs: Runs,
    evaluated: NDArray[np.int32],
    pool: NDArray[Any],
    code: NDArray[np.int32],
    grade: NDArray[np.int8],
    *,
    worst: bool,
) -> NDArray[np.int8]:
    """The grade of each entry, negated for the worst order; unjudged ones below 0, for measures that count them."""
    key = np.zeros(len(code), dtype=np.int8)
    topic = evaluated[runs.vocabulary.topic]
    known = np.flatnonzero((topic >= 0) & (code >= 0))
    key[known] = np.maximum(grade[pool[topic[known]] + code[known]], POOLED)
    return -key if worst else key


def _offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where list (topic, system) starts, with one more column for where the topic ends."""
    ends = np.cumsum(counts.ravel()).reshape(counts.shape)
    offsets = np.empty((counts.shape[0], counts.shape[1] + 1), dtype=np.int64)
    offsets[:, 1:] = ends
    offsets[:, 0] = np.concatenate([[0], ends[:-1, -1]])
    return offsets


class _Source:
    """A run's segments of evaluated topics, in the order of the topics."""

    def __init__(self, run: Run, evaluated: NDArray[np.int32]) -> None:
        topic = evaluated[run.segment_topic]
        segments = np.flatnonzero(topic >= 0)
        if (np.diff(topic[segments]) < 0).any():
            segments = segments[np.argsort(topic[segments], kind="stable")]
        self.run = run
        self.topic = topic[segments]
        self.start = run.segment_row[segments]
        self.stop = run.segment_row[segments + 1]
        self.repeats = bool(len(run.repeats))

    def seen(self, entries: int) -> NDArray[np.int32]:
        """Room to note the topic in which each entry was met last; none is needed where nothing repeats."""
        return np.full(entries if self.repeats else 0, -1, dtype=np.int32)

    def count(self, code: NDArray[np.int32], topics: int, entire: bool) -> NDArray[np.int64]:
        """How long each list is before it is cut; only what drops documents makes it necessary to look."""
        count = np.zeros(topics, dtype=np.int64)
        if entire and not self.repeats:
            np.add.at(count, self.topic, self.stop - self.start)
        else:
            ordering.count_run(
                self.run.entry,
                self.topic,
                self.start,
                self.stop,
                code,
                self.repeats,
                self.seen(len(code)),
                count,
            )
        return count


@dataclass(frozen=True)
class _Order:
    """Puts one run's lists in order and in their places."""

    order: str
    ties: int
    key: NDArray[np.int8]
    code: NDArray[np.int32]
    depth: int
    vocabulary: Vocabulary
    offsets: NDArray[np.int64]
    codes: NDArray[Any]
    scores: NDArray[np.float64] | None

    def __call__(self, part: tuple[_Source, int]) -> None:
        source, system = part
        run, score, ties = source.run, source.run.score, self.ties
        if self.order == "trec9":
            with np.errstate(over="ignore"):  # beyond a 32-bit float all is infinite, as in trec_eval
                score = score.astype(np.float32).astype(np.float64)
        elif self.order == "rank":
            # None: the rank column counts down the file already
            score = np.zeros(len(run)) if run.rank is None else -run.rank.astype(np.float64)
            ties = ordering.BY_ROW
        keep = self.scores is not None
        rows = np.empty(len(self.codes) if keep else 0, dtype=np.int64)
        lengths = np.bincount(source.topic, source.stop - source.start)
        scratch = np.empty((2, int(lengths.max(initial=0))), dtype=np.int64)
        ordering.order_run(
            run.entry, score, source.topic, source.start, source.stop, self.order != "file", ties, self.key,
            self.vocabulary.record, self.vocabulary.arena, self.code, self.depth, source.repeats,
            source.seen(len(self.code)), scratch[0], scratch[1], self.offsets, system, self.codes, keep, rows,
        )  # fmt: skip
        if self.scores is not None:
            for t in np.unique(source.topic).tolist():
                low, high = self.offsets[t, system], self.offsets[t, system + 1]
                self.scores[low:high] = run.score[rows[low:high]]
