"""Reading and printing measures: what is accepted, and what it means."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irassay.errors import InputError
from irassay.measures import Measure, Record, parse, records
from irassay.measures.core.param import Param
from irassay.measures.core.record import Highest

# ---------------------------------------------------------------- what is accepted

PRINTED = [
    "AP",
    "AP@5",
    "AP'",
    "AP'(rel=2)@100",
    "AP(norm='min')@10",
    "P@10",
    "P'@5",
    "nDCG",
    "nDCG(dcg='jk',base=4)@1000",
    "nDCG(dcg='exp-log2')@10",
    "nDCG(dcg='jk',rel=1)@1000",
    "Q(beta=0.5,norm='min',gains={1:0.1,2:0.2,3:0.3})@5",
    "RBP(p=0.95,rel=1)@1000",
    "RBP(gains={1:1,3:10},max_gain=10)",
    "Judged@10",
    "GM(AP)",
    "GM(AP,variant='trec')",
    "AG(Q'(beta=2)@5)",
    "AREA(AP)",
    "AREA(nDCG'@10,k=5)",
    "IPrec@0.1",
    "IPrec@0",
    "IPrec@1",
    "IPrec'(rel=2)@0.25",
    "GM(IPrec@0.3)",
    "NWRR(penalties={1:4,2:2})",
    "WRR'(penalties={1:1.5},rel=2)@5",
    "ERR(stop='linear',max_gain=4)@20",
    "ERR(max_grade=4)@20",
    "INST(T=0.5,gains={1:1,2:3})",
    "NumRet'@10",
]


@pytest.mark.parametrize("text", PRINTED)
def test_the_printed_form_is_read_back_as_it_was(text: str) -> None:
    (measure,) = parse(text)
    assert str(measure) == text


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("AP(rel=1)", "AP"),
        ("AP()", "AP"),
        ("AP(judged_only=True)@5", "AP'@5"),
        ("AP(judged_only=False)", "AP"),
        ("AP'(judged_only=True)", "AP'"),
        ("Q(beta=1.0)", "Q"),
        ("Q( gains = { 3 : 3.0 , 1 : .5 } , beta = 2e0 )", "Q(beta=2,gains={1:0.5,3:3})"),
        ("RBP(rel=1,p=0.5)", "RBP(p=0.5,rel=1)"),
        ("Q(rel=1)", "Q(rel=1)"),
        ('nDCG(dcg="jk")@5', "nDCG(dcg='jk')@5"),
        ("nDCG(dcg='log2')@5", "nDCG@5"),
        ("GM( AP , variant = 'sakai' )", "GM(AP)"),
        ("GM(AP',variant='trec')", "GM(AP',variant='trec')"),
        ("Judged(judged_only=False)", "Judged"),
        ("AP@0010", "AP@10"),
        ("IPrec@0.10", "IPrec@0.1"),
        ("IPrec@.5", "IPrec@0.5"),
        ("IPrec@1.0", "IPrec@1"),
        ("IPrec(recall=0.2)", "IPrec@0.2"),
        ("NWRR(penalties={3:2,2:3,1:4})", "NWRR"),
        ("AREA( AP , k = 2 )", "AREA(AP,k=2)"),
    ],
)
def test_what_is_typed_loosely_is_printed_in_one_form(typed: str, printed: str) -> None:
    assert [str(m) for m in parse(typed)] == [printed]


@pytest.mark.parametrize(
    ("alias", "printed"),
    [
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("NDCG@10", "nDCG@10"),
        ("MSnDCG@10", "nDCG@10"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("mrr@10", "RR@10"),
        ("recall@100", "R@100"),
        ("precision@5", "P@5"),
        ("hit@3", "Success@3"),
        ("Hit@3", "Success@3"),
        ("map@10", "AP@10"),
        ("ndcg@10", "nDCG@10"),
        ("msndcg@10", "nDCG@10"),
        ("BPref", "Bpref"),
        ("Q-measure'(beta=2)@5", "Q'(beta=2)@5"),
        ("GM(MAP)", "GM(AP)"),
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P_10", "P@10"),
        ("P_10'", "P'@10"),
        ("recall_1000", "R@1000"),
        ("success_5", "Success@5"),
        ("recip_rank", "RR"),
        ("Rprec", "Rprec"),
        ("bpref", "Bpref"),
        ("gm_map", "GM(AP,variant='trec')"),
        ("gm_bpref", "GM(Bpref,variant='trec')"),
        ("O-measure", "O"),
        ("P-measure@10", "PMeasure@10"),
        ("P+", "PPlus"),
        ("P+'(beta=2)", "PPlus'(beta=2)"),
        ("P-plus", "PPlus"),
        ("R-measure", "RMeasure"),
        ("AREA(MAP)", "AREA(AP)"),
        ("set_P", "SetP"),
        ("set_recall", "SetR"),
        ("set_F", "SetF"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"),
        ("infAP", "infAP"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("iprec_at_recall_0.00", "IPrec@0"),
        ("iprec_at_recall_1.00'", "IPrec'@1"),
        ("iprec_at_recall_1", "IPrec@1"),
    ],
)
def test_aliases_and_trec_names_are_read(alias: str, printed: str) -> None:
    assert [str(m) for m in parse(alias)] == [printed]


@pytest.mark.parametrize(
    "name",
    [
        *("map", "map_cut_10", "ndcg", "ndcg_cut_10", "P_10", "recall_5", "success_1", "recip_rank", "Rprec"),
        *("set_P", "set_recall", "set_F", "num_ret", "num_rel", "num_rel_ret", "infAP", "bpref"),
        *("iprec_at_recall_0.00", "iprec_at_recall_0.10", "iprec_at_recall_0.25", "iprec_at_recall_1.00"),
    ],
)
def test_a_measure_knows_its_trec_name(name: str) -> None:
    assert parse(name)[0].trec_name == name
    assert parse("gm_map gm_bpref")[0].trec_name == "gm_map"


@pytest.mark.parametrize(
    "text",
    [
        *("AP'", "AP(rel=2)", "GM(AP)", "AG(AP)", "RR@10", "Q", "nDCG(dcg='jk')@10"),
        *("SetP@5", "IPrec@0.125", "IPrec'@0.1", "IPrec(rel=2)@0.1", "AREA(AP)"),
    ],
)
def test_what_trec_eval_cannot_express_has_no_trec_name(text: str) -> None:
    assert parse(text)[0].trec_name is None


def test_a_list_is_cut_at_spaces_outside_brackets_and_quotes() -> None:
    text = "AP nDCG@10\tGM(AP)\n Q'(beta=2)@5 nDCG(dcg='jk', base=4)@5 AP'"
    assert [str(m) for m in parse(text)] == [
        "AP",
        "nDCG@10",
        "GM(AP)",
        "Q'(beta=2)@5",
        "nDCG(dcg='jk',base=4)@5",
        "AP'",
    ]


def test_sequences_of_texts_and_measures_are_read_like_one_list() -> None:
    (ap,) = parse("AP")
    assert parse(["AP P@5", ap, "Q"]) == parse("AP P@5 Q")
    assert parse(ap) == (ap,)


def test_a_repeated_measure_counts_once_in_its_first_place() -> None:
    assert parse("Q AP map AP(rel=1) Q(beta=1) P@5") == parse("Q AP P@5")


def test_equal_measures_hash_alike_and_different_ones_differ() -> None:
    assert len({*parse("AP"), *parse("MAP"), *parse("AP(rel=2)"), *parse("GM(AP)")}) == 3
    assert parse("GM(AP@5)")[0].base == parse("AP@5")[0]


def test_a_measure_gives_its_parameters_with_defaults_filled() -> None:
    q, graded, binary, rbp = parse("Q(norm='min',gains={1:1,2:3})@9 nDCG AP(rel=2) RBP(max_gain=4)")
    assert q.values == {"beta": 1.0, "norm": "min"}
    assert q.par(4) == [1.0, 1.0]
    assert q.gains == {1: 1.0, 2: 3.0}
    assert (q.per, q.record.per, binary.per) == ("min", "R", "R")
    assert (q.rel, graded.rel, binary.rel, parse("AP")[0].rel) == (None, None, 2, 1)
    assert (rbp.max_gain, graded.max_gain) == (4.0, None)
    assert parse("IPrec@0.3")[0].par(4) == [0.3, 0.0]
    assert q.tables == {}
    assert (graded.binary, binary.binary, parse("nDCG(rel=1)")[0].binary) == (False, True, True)
    assert (parse("Bpref")[0].condensed, parse("AP'")[0].condensed, graded.condensed) == (True, True, False)


def test_a_table_reaches_a_fold_by_grade_behind_the_numbers() -> None:
    (nwrr,) = parse("NWRR(penalties={1:4,3:2})")
    assert nwrr.tables == {"penalties": {1: 4.0, 3: 2.0}}
    assert nwrr.par(5) == pytest.approx([math.nan, 4.0, math.nan, 2.0, math.nan], nan_ok=True)
    assert nwrr.par(2) == pytest.approx([math.nan, 4.0], nan_ok=True)


def test_the_exponential_gain_ignores_the_gains_and_other_forms_keep_them() -> None:
    linear, exponential = (m.gain_hook for m in parse("nDCG nDCG(dcg='exp-log2')"))
    assert linear is not None
    assert exponential is not None
    highest = Highest(3, 30.0)
    assert [linear(g, 10.0 * g, highest) for g in (1, 2, 3)] == [10, 20, 30]
    assert [exponential(g, 10.0 * g, highest) for g in (1, 2, 3)] == [1, 3, 7]
    assert parse("AP")[0].gain_hook is None


# ---------------------------------------------------------------- any measure is read back


def values_of(param: Param) -> st.SearchStrategy[object]:
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=64).filter(_fits(param))
    grades = st.integers(1, 127)
    by_kind: dict[str, st.SearchStrategy[object]] = {
        "integer": st.integers(1, 127),
        "number": numbers | st.floats(0.01, 0.99).filter(_fits(param)) | st.integers(2, 99).filter(_fits(param)),
        "text": st.sampled_from(param.choices or ("x",)),
        "truth": st.booleans(),
        "table": st.dictionaries(grades, st.floats(0, 1e300) | st.integers(2, 4), min_size=1, max_size=5),
    }
    return by_kind[param.kind]


def _fits(param: Param):  # type: ignore[no-untyped-def]
    def fits(number: float) -> bool:
        try:
            param.accept(number)
        except ValueError:
            return False
        return True

    return fits


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A measure as a user might type it; some combinations are refused."""
    record: Record = draw(st.sampled_from(list(records().values())))
    name = draw(st.sampled_from([record.name, *record.aliases]))
    keys = draw(st.lists(st.sampled_from(list(record.accepted)), unique=True) if record.accepted else st.just([]))
    written = ",".join(f"{key}={draw(values_of(record.accepted[key]))!r}" for key in keys)
    prime = "'" if record.condensed == "optional" and draw(st.booleans()) else ""
    cut = f"@{draw(st.integers(1, 10**6))}" if record.cut != "never" and draw(st.booleans()) else ""
    if record.at:
        cut = f"@{draw(st.floats(0, 1) | st.integers(0, 1))}"
    text = f"{name}{prime}({written}){cut}"
    around = ["{}", "GM({})", "AG({})", "GM({},variant='trec')", "AREA({})", "AREA({},k=3)"]
    return draw(st.sampled_from(around)).format(text)


@given(texts())
def test_whatever_is_accepted_prints_to_text_that_means_the_same(text: str) -> None:
    try:
        (measure,) = parse(text)
    except InputError:
        return
    assert parse(str(measure)) == (measure,)
    assert " " not in str(measure)
    assert str(parse(str(measure))[0]) == str(measure)
    assert hash(parse(str(measure))[0]) == hash(measure)


@given(st.text() | st.text(alphabet="APQGMnDC'(){}=,:@ 0159.\"rel"))
def test_any_text_is_read_or_refused_and_never_crashes(text: str) -> None:
    try:
        answer: object = parse(text)
    except InputError as error:
        answer = error
    if isinstance(answer, InputError):
        assert answer.what
        assert answer.hint
    else:
        assert isinstance(answer, tuple)
        assert all(isinstance(measure, Measure) for measure in answer)
