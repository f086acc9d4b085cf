"""Alignment: topics, depth, duplicates, grades, gains and pools, each by its named policy."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irassay
from irassay import align, read_runs
from irassay.errors import InputError, IrassayWarning
from irassay.panel.panel import parse_gains
from irassay.panel.topics import select
from irassay.settings import Alignment
from tests.helpers.random_collections import random_collection

QRELS = {"1": {"a": 1, "b": 0, "c": 2, "d": -1}, "2": {"a": 1}, "3": {"a": 0, "b": 0}}
LIST = {"u": 6.0, "d": 5.0, "b": 4.0, "a": 3.0, "c": 2.0}
RUN = {"1": LIST, "2": LIST, "3": LIST}


def aligned(qrels: Any = QRELS, runs: Any = RUN, codes: str = "no-relevant", **policy: Any) -> Any:
    """A panel, and the warnings by code; exactly these codes must come."""
    expected = set(codes.split())
    if not expected:
        return align(qrels, runs, **policy)
    with pytest.warns(IrassayWarning) as caught:
        panel = align(qrels, runs, **policy)
    assert {w.message.code for w in caught if isinstance(w.message, IrassayWarning)} == expected
    assert {w.code for w in panel.warnings} == expected
    return panel


def one(panel: Any, measure: str, topic: str = "1", system: str = "run") -> float:
    matrix = panel.score(measure)[measure]
    return float(matrix.values[panel.systems.index(system), panel.topics.index(topic)])


def message(panel: Any, code: str) -> str:
    return next(str(w) for w in panel.warnings if w.code == code)


def test_align_takes_the_settings_of_the_command_line_with_their_defaults() -> None:
    parameters = inspect.signature(align).parameters
    fields = {f.name: f.default for f in dataclasses.fields(Alignment)}
    own = {"qrels", "runs", "ties", "keep_scores", "jobs"}
    assert {name: p.default for name, p in parameters.items() if name not in own} == fields
    assert all(p.kind is p.KEYWORD_ONLY for name, p in parameters.items() if name not in ("qrels", "runs"))


@pytest.mark.parametrize(
    ("policy", "hint"),
    [
        ({"order": "score"}, "trec, trec9, rank, file"),
        ({"duplicates": "last"}, "error"),
        ({"negative": "zero"}, "unjudged, nonrelevant"),
        ({"unanswerable": "keep"}, "zero, drop"),
        ({"ties": "random"}, "name, best, worst"),
        ({"depth": 0}, "from 1"),
    ],
)
def test_an_unknown_policy_names_the_known_ones(policy: dict[str, Any], hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        align(QRELS, RUN, **policy)


def test_depth_cuts_before_condensing_and_the_cutoff_counts_after_it() -> None:
    assert one(aligned(), "P'@2") == 0.5  # b a | c: both unjudged kinds are gone
    assert one(aligned(depth=3), "P'@2") == 0.0  # u d b | a c
    assert one(aligned(depth=4), "P'@2") == 0.5
    assert one(aligned(depth=4), "P@5") == 0.2
    assert aligned(depth=2).ranking("run", "1") == ("u", "d")


def test_a_negative_grade_is_unjudged_or_nonrelevant() -> None:
    unjudged, nonrelevant = aligned(), aligned(negative="nonrelevant")
    assert (one(unjudged, "Judged@2"), one(nonrelevant, "Judged@2")) == (0.0, 0.5)
    assert (one(unjudged, "P'@2"), one(nonrelevant, "P'@2")) == (0.5, 0.0)
    assert unjudged.judged_counts()[0].tolist() == [1, 1, 1]
    assert nonrelevant.judged_counts()[0].tolist() == [2, 1, 1]


def test_a_repeated_document_is_an_error_that_names_both_lines(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("401 0 FT911-3 1\n")
    run = tmp_path / "bm25.txt"
    run.write_text("# a comment\n401 Q0 FT911-3 1 3 t\n401 Q0 x 2 2 t\n\n401 Q0 FT911-3 3 1 t\n")
    with pytest.warns(IrassayWarning, match="ignored 1 comment"):
        runs = read_runs(run)
    with pytest.raises(InputError) as caught:
        align(tmp_path / "q", runs)
    assert str(caught.value) == (
        f"{run}:5: document FT911-3 appears twice for topic 401 (first at line 2)\n\n"
        "hint: keep the better-ranked one with --duplicates first"
    )


def test_many_repeated_documents_are_counted(tmp_path: Path) -> None:
    lists = {f"r{i:02}": "".join(f"1 Q0 {d} 1 1 t{i}\n" for d in "aab" * 2) for i in range(12)}
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        align({"1": {"a": 1}}, tmp_path)
    assert len(caught.value.problems) == 11
    assert str(caught.value.problems[-1]) == "38 more repeated documents in 12 runs"


TOPICS = ("1", "2", "10", "401", "601", "2020-1", "1-10", "b a")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (None, TOPICS),
        ("2-401", ("2", "10", "401")),
        ("002 - 0401", ("2", "10", "401")),
        ("401,1", ("1", "401")),
        (" 1 , 600-700,", ("1", "601")),
        ("1-10", ("1-10",)),  # an id that looks like a range
        ("2020-1", ("2020-1",)),
        (["b a", "2"], ("2", "b a")),
        ([401, 2], ("2", "401")),
        ("1-" + "9" * 5000, ("1", "2", "10", "401", "601")),
    ],
)
def test_topics_are_named_one_by_one_or_as_a_range(wanted: Any, expected: tuple[str, ...]) -> None:
    assert select(TOPICS, wanted) == expected


@pytest.mark.parametrize("wanted", ["999", "700-800", "10-2", "a-b", "1,x", "", ",", [], "-", "²-3"])
def test_a_topic_that_nobody_judged_is_an_error(wanted: Any) -> None:
    with pytest.raises(InputError, match=r"no judged topic (in|is called)|no topic was named"):
        select(TOPICS, wanted)


def test_topics_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "topics"
    file.write_bytes(b"# mine\r\n401\r\n\n  2020-1\t\n1-2\ncaf\xe9\xa0\nx\xc2\x85y")
    assert select((*TOPICS, "caf\udce9\udca0", "x\x85y"), f"@{file}") == (
        "1",
        "2",
        "401",
        "2020-1",
        "caf\udce9\udca0",
        "x\x85y",
    )
    with pytest.raises(InputError, match="no such file"):
        select(TOPICS, f"@{file}2")
    file.write_text("7\n")
    with pytest.raises(InputError, match=f"^{file}: no judged topic is called 7"):
        select(TOPICS, f"@{file}")


def test_topics_that_no_run_answers_are_left_out_and_listed() -> None:
    panel = aligned(runs={"2": LIST}, codes="unanswered-topics")
    assert panel.topics == ("2",)
    assert "2 judged topics answered by no run, and left out: 1, 3" in message(panel, "unanswered-topics")
    with pytest.raises(InputError, match="no run answers any of the selected topics"):
        align(QRELS, {"2": LIST}, topics="1")


def test_topics_missing_from_one_run_score_zero_there_with_a_warning() -> None:
    panel = aligned(runs={"whole": RUN, "part": {"2": LIST}}, topics="1-2", codes="missing-topics")
    assert one(panel, "RR", "1", "part") == 0.0
    assert one(panel, "RR", "1", "whole") == one(panel, "RR", "2", "part") == 0.25
    assert "1 run without some of the 2 topics, scoring 0 there: part (1)" in message(panel, "missing-topics")


def test_topics_without_judgments_are_ignored_with_a_warning_that_names_their_place(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("2 Q0 a 1 1 t\n9 Q0 a 1 1 t\n10 Q0 a 1 1 t\n")
    panel = aligned({"2": {"a": 1}}, tmp_path / "run", codes="unjudged-topics")
    assert panel.topics == ("2",)
    place = f"{tmp_path / 'run'}:2: 2 topics of the runs without judgments, ignored: 9, 10"
    assert message(panel, "unjudged-topics").startswith(place)


def test_topics_without_relevant_documents_score_zero_or_are_dropped() -> None:
    kept, dropped = aligned(), aligned(unanswerable="drop")
    assert one(kept, "AP", "3") == 0.0
    assert "1 topic without relevant documents, kept with score 0: 3" in message(kept, "no-relevant")
    assert dropped.topics == ("1", "2")
    assert "dropped: 3" in message(dropped, "no-relevant")
    with pytest.raises(InputError, match="no topic has a relevant document"):
        align(QRELS, RUN, topics="3", unanswerable="drop")


def test_a_run_that_shares_no_topic_with_the_judgments_is_an_error() -> None:
    with pytest.raises(InputError, match=r"run 'b': shares no topic .*here 001; judged 1, 2, 3.*\n\nhint: .*as text"):
        align(QRELS, {"a": RUN, "b": {"001": LIST}})


def test_topics_are_in_order_of_number_or_of_bytes() -> None:
    assert align({t: {"a": 1} for t in ("10", "9", "100")}, dict.fromkeys(("10", "9", "100"), LIST)).topics == (
        "9",
        "10",
        "100",
    )
    mixed = ("10", "9", "q1", "é", "Z")
    panel = align({t: {"a": 1} for t in mixed}, dict.fromkeys(mixed, LIST))
    assert panel.topics == ("10", "9", "Z", "q1", "é")


def test_documents_called_like_their_topic_leave_the_runs_only_when_asked() -> None:
    qrels = {"a": {"a": 1, "b": 1}, "b": {"a": 1}, "c": {"a": 1}}
    run = {"a": {"a": 3.0, "c": 2.0, "b": 1.0}, "b": {"a": 2.0, "b": 1.0}, "c": {"a": 1.0, "b": 0.5}}
    assert aligned(qrels, run, codes="").ranking("run", "a") == ("a", "c", "b")
    panel = aligned(qrels, run, codes="self-documents", drop_self=True)
    assert [panel.ranking("run", topic) for topic in "abc"] == [("c", "b"), ("a",), ("a", "b")]
    assert panel.judged_counts()[0].tolist() == [0, 2]  # a judged one stays judged, as in BEIR
    assert "from the lists of 2 topics" in message(panel, "self-documents")
    assert aligned(qrels, run, codes="self-documents", drop_self=True, depth=1).ranking("run", "a") == ("c",)
    assert panel.policy["drop_self"] is True


def test_scores_without_self_documents_are_those_of_runs_without_them(tmp_path: Path) -> None:
    lists = {f"{t}": {f"{(t * 7 + n * 3) % 20}": 20.0 - n for n in range(12)} for t in range(20)}
    qrels = {topic: {f"{d}": int((d + int(topic)) % 3 == 0) for d in range(20) if d != int(topic)} for topic in lists}
    path = tmp_path / "run"
    path.write_text("".join(f"{t} Q0 {d} 1 {s} x\n" for t, docs in lists.items() for d, s in docs.items()))
    without = {topic: {d: s for d, s in docs.items() if d != topic} for topic, docs in lists.items()}
    wanted = align(qrels, without).score("AP nDCG@10 P@5").values.tolist()
    assert align(qrels, lists).score("AP nDCG@10 P@5").values.tolist() != wanted
    for runs in (lists, path):
        panel = aligned(qrels, runs, codes="self-documents", drop_self=True)
        assert panel.score("AP nDCG@10 P@5").values.tolist() == wanted


def test_residual_documents_leave_the_runs_and_the_judgments() -> None:
    seen = {"1": {"a": 0, "d": -1, "u": 1}, "2": {"x": 1}}  # d was pooled there, but not judged
    panel = aligned(residual=seen, codes="no-relevant")
    assert panel.ranking("run", "1") == ("d", "b", "c")
    assert panel.judged_counts()[0].tolist() == [1, 0, 1]
    assert panel.ranking("run", "2") == ("u", "d", "b", "a", "c")
    assert aligned(residual=seen, depth=2, codes="no-relevant").ranking("run", "1") == ("d", "b")
    assert panel.policy["residual"] == "judgments"
    without = aligned(residual={"2": {"a": 1}}, codes="no-relevant")
    assert "2 topics without relevant documents, kept with score 0: 2, 3" in message(without, "no-relevant")


@pytest.mark.parametrize(
    ("gains", "expected"),
    [
        (None, None),
        ("1=1,2=3", {1: 1.0, 2: 3.0}),
        ({1: 0, 2: 0.5}, {1: 0.0, 2: 0.5}),
        (" 1 = 2 ,2=1,7=9", {1: 2, 2: 1, 7: 9}),
    ],
)
def test_gains_are_read_from_text_or_a_mapping(gains: Any, expected: Any) -> None:
    assert parse_gains(gains, (1, 2)) == expected


@pytest.mark.parametrize(
    ("gains", "why"),
    [
        ("1=1", "no gain for grade 2, which occurs"),
        ("1=1,2", "'2=' gives no grade a gain"),
        ("1=1,2=3,", "'=' gives"),
        ("0=1,1=1,2=3", "'0=1' gives"),
        ("1=1,2=-1", "the gain of grade 2 is -1"),
        ("1=nan,2=1", "the gain of grade 1 is nan"),
        ("1=1,2=inf", "the gain of grade 2 is inf"),
        ("1=1,1=2,2=3", "grade 1 has two gains"),
        ({1: 1, 1.5: 2, 2: 3}, "'1.5=2' gives"),
        ({1: "x", 2: 3}, "'1=x' gives"),
    ],
)
def test_gains_that_mean_nothing_are_errors(gains: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_gains(gains, (1, 2))


def test_the_largest_gain_comes_from_all_judgments_whatever_topics_are_selected() -> None:
    whole, part = aligned(), aligned(topics="2", codes="")
    rest = aligned(topics="2", residual={"1": {"c": 1}}, codes="")
    assert one(part, "RBP", "2") == one(whole, "RBP", "2") == one(rest, "RBP", "2") == pytest.approx(0.2 * 0.8**3 / 2)
    assert one(aligned(gains="1=1,2=4", topics="2", codes=""), "RBP", "2") == pytest.approx(0.2 * 0.8**3 / 4)


def test_a_pool_beyond_16_bits_gives_the_same_scores() -> None:
    judged = {f"d{n}": n % 3 for n in range(0, 300, 7)}
    scores = {f"d{n}": float(-n) for n in range(300)}
    small = align({"1": judged}, {"s": {"1": scores}})
    filler = {"1": {f"x{n}": float(-n) for n in range(70_000)}}
    large = align({"1": judged}, {"f": filler, "s": {"1": scores}})
    assert (small.codes.dtype.name, large.codes.dtype.name) == ("uint16", "uint32")
    measures = "AP nDCG@10 Bpref RBP AP' Judged@100"
    assert (large.score(measures).values[:, 1:] == small.score(measures).values).all()
    assert large.ranking("s", "1") == small.ranking("s", "1")


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_order_of_systems_changes_no_score_and_no_document_number(seed: int, shuffle: Any) -> None:
    collection = random_collection(seed)
    names = list(collection.runs)
    shuffle.shuffle(names)
    codes = "unanswered-topics unjudged-topics missing-topics no-relevant"
    one, other = (
        aligned(collection.qrels, {n: collection.runs[n] for n in order}, codes) for order in (collection.runs, names)
    )
    place = [names.index(name) for name in collection.runs]
    assert (one.score("AP Q Bpref").values == other.score("AP Q Bpref").values[:, place]).all()
    for t, topic in enumerate(one.topics):
        numbers = [
            dict(zip(p.documents(topic), p.document[p.pool[t] : p.pool[t + 1]], strict=True)) for p in (one, other)
        ]
        assert numbers[0] == numbers[1]


def test_a_panel_names_its_documents_judged_first_in_byte_order() -> None:
    panel = aligned()
    assert panel.documents("1") == ("a", "b", "c", "d", "u")
    assert panel.grade[: panel.pool[1]].tolist() == [1, 0, 2, -1, -2]
    assert panel.document[: panel.pool[1]].tolist() == [0, 1, 2, 3, 4]
    assert set(panel.documents("2")) == set("abcdu")
    assert panel.ranking("run", "2") == ("u", "d", "b", "a", "c")
    with pytest.raises(InputError, match="no topic '9'"):
        panel.documents("9")
    with pytest.raises(InputError, match="no system 'x'"):
        panel.ranking("x", "1")


def test_the_arrays_of_a_panel_are_read_only() -> None:
    panel = aligned(keep_scores=True)
    for array in (panel.offsets, panel.codes, panel.pool, panel.grade, panel.scores, panel.document):
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 0
    judged_counts = panel.judged_counts()
    judged_counts[:] = 9
    assert panel.judged_counts()[0].tolist() == [1, 1, 1]


def test_any_number_of_threads_gives_the_same_bits() -> None:
    collection = random_collection(5, systems=7, pool=120)
    codes = "unanswered-topics unjudged-topics missing-topics no-relevant"
    panels = {jobs: aligned(collection.qrels, collection.runs, codes, jobs=jobs) for jobs in (1, 2, 5)}
    for jobs, panel in panels.items():
        assert panel.codes.tobytes() == panels[1].codes.tobytes()
        scores = panel.score("AP nDCG@10 Q RBP Bpref", jobs=jobs)
        assert scores.values.tobytes() == panels[1].score("AP nDCG@10 Q RBP Bpref", jobs=1).values.tobytes()


def test_runs_that_went_through_a_pickle_align_to_the_same_panel() -> None:
    collection = random_collection(6, systems=3, pool=50)
    runs = read_runs(collection.runs)
    codes = "unanswered-topics unjudged-topics missing-topics no-relevant"
    again = pickle.loads(pickle.dumps(runs))
    assert (
        aligned(collection.qrels, again, codes).codes.tobytes()
        == aligned(collection.qrels, runs, codes).codes.tobytes()
    )


def test_public_functions_stay_functions_whatever_was_imported() -> None:
    import importlib
    import pkgutil

    import irassay

    for module in pkgutil.walk_packages(irassay.__path__, "irassay."):
        # importing the provider for ir_measures registers it, and the peers must stay themselves
        if not module.name.endswith(("__main__", "integrations.ir_measures")):
            importlib.import_module(module.name)
    assert all(callable(getattr(irassay, name)) for name in irassay.__all__ if name != "__version__")


@pytest.mark.parametrize("ending", ["", "-and-then-some-more-than-24-bytes"])
def test_documents_are_numbered_over_the_corpus_in_byte_order_of_their_names(ending: str) -> None:
    names = [f"{name}{ending}" for name in ("b", "a", "aa", "é", "Z", "a-b", "zz")]
    qrels = {"1": {names[0]: 1, names[5]: 0}, "2": {names[0]: 1, names[6]: 1}}
    run = {"1": dict.fromkeys(names[:4], 1.0), "2": dict.fromkeys(names[2:5], 1.0)}
    panel = irassay.align(qrels, {"s": run})
    of_entry = [name.encode() for topic in panel.topics for name in panel.documents(topic)]
    order = sorted(set(of_entry))
    assert panel.document.tolist() == [order.index(name) for name in of_entry]
