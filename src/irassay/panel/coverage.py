"""What judgments and runs have in common: the topics to evaluate, and what is left out, missing or doubled."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from irassay.errors import InputError, IrassayWarning, Problem
from irassay.panel.topics import select, sorted_topics
from irassay.read.qrels import Qrels
from irassay.read.runs import Runs
from irassay.read.tokens import position
from irassay.read.vocabulary import raw, text


def evaluated_topics(
    qrels: Qrels,
    runs: Runs,
    graded: NDArray[np.int8],
    kept: NDArray[np.bool_],
    wanted: str | Sequence[str] | None,
    unanswerable: str,
    warnings: list[IrassayWarning],
) -> tuple[bytes, ...]:
    """The topics to evaluate, in order; `warnings` get what is left out or missing."""
    judged = sorted_topics(qrels.topics)
    answers = _answers(runs, judged)
    answered = {name for name, t in runs.vocabulary.topics.items() if answers[:, t].any()}
    selected = [raw(name) for name in select(judged, wanted)]
    chosen = [name for name in selected if name in answered]
    left_out = [text(name) for name in selected if name not in answered]
    if left_out:
        what = f"{count(len(left_out), 'judged topic')} answered by no run, and left out: {first_few(left_out)}"
        warnings.append(IrassayWarning("unanswered-topics", what, qrels.path))
    if not chosen:
        raise InputError("no run answers any of the selected topics", hint="check --topics")
    unjudged = answered - set(map(raw, judged))
    if unjudged:
        listed = first_few(sorted_topics(map(text, unjudged)))
        what = f"{count(len(unjudged), 'topic')} of the runs without judgments, ignored: {listed}"
        warnings.append(IrassayWarning("unjudged-topics", what, _first_place(runs, unjudged)))
    relevant = np.zeros(len(qrels.vocabulary.topics), dtype=np.bool_)
    relevant[qrels.vocabulary.topic[np.flatnonzero((graded >= 1) & kept)]] = True
    no_relevant = [name for name in chosen if not relevant[qrels.vocabulary.topics[name]]]
    if no_relevant:
        done = "dropped" if unanswerable == "drop" else "kept with score 0"
        topics = first_few(map(text, no_relevant))
        what = f"{count(len(no_relevant), 'topic')} without relevant documents, {done}: {topics}"
        warnings.append(IrassayWarning("no-relevant", what, qrels.path))
        if unanswerable == "drop":
            chosen = [name for name in chosen if name not in set(no_relevant)]
            if not chosen:
                raise InputError("no topic has a relevant document", qrels.path, "keep them with --unanswerable zero")
    answered_topics = answers[:, [runs.vocabulary.topics[name] for name in chosen]].sum(axis=1).tolist()
    missing = {name: len(chosen) - n for name, n in zip(runs.names, answered_topics, strict=True) if n < len(chosen)}
    if missing:
        listed = first_few(f"{name} ({n})" for name, n in missing.items())
        what = f"{count(len(missing), 'run')} without some of the {len(chosen)} topics, scoring 0 there: {listed}"
        warnings.append(IrassayWarning("missing-topics", what))
    return tuple(chosen)


def _answers(runs: Runs, judged: Sequence[str]) -> NDArray[np.bool_]:
    """Which run answers which topic of the vocabulary; each must answer a judged one."""
    topics = [text(name) for name in runs.vocabulary.topics]
    known = set(judged)
    is_judged = np.array([name in known for name in topics])
    answers = np.zeros((len(runs), len(topics)), dtype=np.bool_)
    for run, answered in zip(runs, answers, strict=True):
        answered[run.segment_topic] = True
        if not (answered & is_judged).any():
            own = sorted_topics(topics[t] for t in np.flatnonzero(answered))
            raise InputError(
                f"shares no topic with the judgments (here {first_few(own, 5)}; judged {first_few(judged, 5)})",
                run.path,
                "topic ids must be equal as text: 1 is not 001",
            )
    return answers


def _first_place(runs: Runs, topics: set[bytes]) -> str:
    """Where one of these topics is first answered."""
    wanted = np.array([name in topics for name in runs.vocabulary.topics])
    run = next(run for run in runs if wanted[run.segment_topic].any())
    return run.where(int(run.segment_row[np.argmax(wanted[run.segment_topic])]))


def count(n: int, what: str) -> str:
    """1 topic, 2 topics."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def first_few(names: Iterable[str], most: int = 10) -> str:
    """The first names, and how many there are."""
    listed = list(names)
    return ", ".join(listed[:most]) + (f", … ({len(listed)} in all)" if len(listed) > most else "")


def repeated_documents(runs: Runs, duplicates: str) -> Iterator[IrassayWarning]:
    """Documents that a list names twice are an error, or the worse-ranked ones are dropped and counted."""
    repeated = [run for run in runs if len(run.repeats)]
    total = sum(len(run.repeats) for run in repeated)
    if not repeated:
        return
    if duplicates == "first":
        where = repeated[0].path + (f" and {count(len(repeated) - 1, 'more run')}" if len(repeated) > 1 else "")
        what = f"dropped {count(total, 'repeated document')}, keeping the better-ranked"
        yield IrassayWarning("duplicates", what, where)
        return
    problems = [runs.repeat(run, int(run.repeats[0])) for run in repeated[:10]]
    if total > len(problems):
        more = f"{count(total - len(problems), 'more repeated document')} in {count(len(repeated), 'run')}"
        problems.append(Problem(more))
    raise InputError.of(problems, "keep the better-ranked one with --duplicates first")


def refuse_bad_ranks(runs: Runs, order: str) -> None:
    for run in runs if order == "rank" else ():
        if run.bad_rank:
            where = position(run.path, run.bad_rank, run.unit)
            raise InputError("the rank is not a whole number", where, "use another --order, or correct the ranks")
        if not run.ranked:
            raise InputError("the run has no ranks", run.path, "use another order, or add a column 'rank'")
