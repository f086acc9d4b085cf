"""`irassay paper`: every table and figure of the papers, with the studies' numbers, under the papers' numbers."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import irassay
from irassay import Result, demo
from irassay.cli import run
from irassay.errors import IrassayWarning
from irassay.studies import papers
from irassay.studies.papers import KEYS, paper_of
from irassay.studies.papers.reshape import rows

# The checklist of the readings (shared/papers/README.md, "Outputs"), number by number.
CHECKLIST = {
    "sakai2007bootstrap": "T1 F1 F4 F5 F10 F11 F12 F13 T2 T3 F14 F15 F17 F18 T4 F20 T5",
    "sakai2008incomplete": "T1 F1 T2 F2 F3 F4 T3 T4 F5 F6 T5 T6 F7 F8 T7",
    "yang2018variance": "F1 F2 T1",
    "zobel2020corpus": "T1 T2 F1 T3 F2 T4 F3 F4 F5 F6 F7",
    "sakai2007one": "T1 F8 T2 T3 F9 T4 F10 T5 T6 T7 T8 T9",
}
# What a paper shows for its second collection, and what it shows the same of for its first.
SECOND = {
    "sakai2007bootstrap": {"F12": "F10", "F13": "F11", "F18": "F17"},
    "sakai2008incomplete": {"F4": "F3", "F6": "F5", "F8": "F7"},
    "sakai2007one": {"T8": "T7", "T9": "T7"},
}
# CONTRACTS, "Paper presets", for judgments of two levels.
SMALL: dict[str, Any] = {"resamples": 100, "images": 12, "corpus_size": 3000, "seed": 5}
MODEL = demo.Model(systems=7, groups=3, null_pairs=1, depth=60, documents=3000, pool_depth=30, seed=1)
pytestmark = pytest.mark.filterwarnings("ignore::irassay.errors.IrassayWarning")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "c"
    demo.write(MODEL, folder, topics=range(12))
    return folder


@pytest.fixture(scope="module")
def results(files: Path) -> dict[str, Result]:
    """Every paper, small."""
    groups = str(files / "groups.txt")
    with pytest.warns(IrassayWarning):
        return {key: irassay.paper(key, files / "qrels.txt", files / "runs", groups=groups, **SMALL) for key in KEYS}


def test_the_list_is_the_checklist_of_the_readings() -> None:
    assert {key: [item.number for item in paper_of(key).items] for key in KEYS} == {
        key: numbers.split() for key, numbers in CHECKLIST.items()
    }


def test_a_paper_is_a_file_in_the_package_named_by_its_key() -> None:
    for module in pkgutil.iter_modules(papers.__path__):
        paper = getattr(import_module(f"{papers.__name__}.{module.name}"), "PAPER", None)
        assert (paper.key if paper else None) == (module.name if module.name in KEYS else None)


def test_the_command_lists_every_item(capfd: Any) -> None:
    assert run(["paper", "--list"]) == 0
    out = capfd.readouterr().out
    for key, numbers in CHECKLIST.items():
        part = out[out.index(f"{key}: ") :]
        assert [line.split()[0] for line in part.splitlines()[4:] if line][: len(numbers.split())] == numbers.split()


@pytest.mark.parametrize("key", CHECKLIST)
def test_every_item_is_delivered_under_its_number(key: str, results: dict[str, Result]) -> None:
    result = results[key]
    tables, figures = {t.name: t for t in result.tables}, {f.name: f for f in result.figures}
    for number in CHECKLIST[key].split():
        (row,) = rows(result["contents"], {"item": number})
        if number in SECOND.get(key, {}):
            assert (row["delivered"], row["note"]) == (False, "needs a second collection")
            continue
        assert (row["delivered"], row["as"]) == (True, number)
        item = (tables if number[0] == "T" else figures)[number]
        assert item.caption.startswith((f"Table {number[1:]}: ", f"Figure {number[1:]}: "))
    assert all(len(table) for table in result.tables)
    assert result.study == key


# CONTRACTS, "Paper presets", for judgments of two levels: what each paper's studies were run with.
PRESETS = {
    "sakai2007bootstrap": {"AP", "Q", "nDCG(dcg='jk')@1000", "nCG@1000", "P@1000", "GM(AP)", "GM(Q)"},
    "sakai2007one": {"RR", "NWRR(penalties={1:4,2:2})", "O", "PMeasure", "PPlus", "AP", "Q"},
    "sakai2008incomplete": {
        "AP", "Q", "nDCG(dcg='jk')@1000", "RBP(p=0.5)", "RBP", "RBP(p=0.95)", "BprefR", "AP'", "Q'",
        "nDCG'(dcg='jk')@1000",
    },
    "zobel2020corpus": {
        "AP", "INSQ(T=5,rel=1)", "nDCG(rel=1)@1000", "P@10", "RBP(p=0.95,rel=1)@1000", "RR",
    },
}  # fmt: skip
MEASURED = {
    "sakai2007bootstrap": "T4",
    "sakai2007one": "T4",
    "sakai2008incomplete": "T3",
    "zobel2020corpus": "T3",
}


@pytest.mark.parametrize("key", PRESETS)
def test_the_measures_are_those_of_the_contract(key: str, results: dict[str, Result]) -> None:
    assert set(results[key][MEASURED[key]]["measure"]) == PRESETS[key]


def test_paired_tests_compare_logarithms_and_unpaired_ones_geometric_means(results: dict[str, Result]) -> None:
    logarithms = PRESETS["sakai2007bootstrap"] - {"GM(AP)", "GM(Q)"} | {"AG(AP)", "AG(Q)"}
    assert set(results["sakai2007bootstrap"]["T2"]["measure"]) == logarithms
    assert set(results["sakai2007bootstrap"]["T3"]["measure"]) == PRESETS["sakai2007bootstrap"]


def test_the_gains_and_the_depth_are_the_papers(results: dict[str, Result]) -> None:
    for key in ("sakai2007bootstrap", "sakai2007one", "sakai2008incomplete"):
        assert results[key].provenance["gains"] == "1=1,2=3"
    assert all(result.provenance["depth"] == 1000 for result in results.values())


def test_the_sizes_are_the_papers_unless_the_user_says_otherwise(files: Path) -> None:
    data: Any = (files / "qrels.txt", files / "runs")
    bootstrap = irassay.paper("sakai2007bootstrap", *data)
    assert set(bootstrap["T2"]["alpha"]) == {0.05, 0.01}
    assert bootstrap.provenance["resamples"] == 1000
    assert len(set(bootstrap["F17"]["fuzziness"])) == 20
    used = "\n".join(bootstrap.provenance["studies"])  # type: ignore[arg-type]
    assert used.count("top=30, by='AP'") == 6  # two tests, the pair, stability, swap, agreement
    assert "depth=1000" in used
    assert paper_of("yang2018variance").resamples == 10_000
    incomplete = irassay.paper("sakai2008incomplete", *data)
    assert "sample_systems=30" in "".join(incomplete.provenance["studies"])  # type: ignore[arg-type]
    assert sorted(set(incomplete["F3"]["rate"])) == [10, 30, 50, 70, 90, 100]
    corpus = irassay.paper("zobel2020corpus", *data, corpus_size=3000)
    assert list(corpus["T1"]["images"]) == [100]
    tops = [f"top={n}, by='RBP(p=0.95,rel=1)@1000'" for n in (50, 25)]
    assert all(top in used for top, used in zip(tops, corpus.provenance["studies"], strict=True))  # type: ignore[call-overload]
    assert set(corpus["F6"]["depth"]) == {"10", "25", "full"}
    assert set(corpus["F6"]["measure"]) == {"AP", "RBP(p=0.95,rel=1)@1000"}


def test_the_numbers_are_those_of_the_studies(files: Path, results: dict[str, Result]) -> None:
    data: Any = (files / "qrels.txt", files / "runs")
    sakai: Any = {"depth": 1000, "gains": "1=1,2=3", "seed": 5}
    graded = "AP Q nDCG(dcg='jk')@1000 nCG@1000 P@1000 GM(AP) GM(Q)"
    sampled: Any = {**sakai, "measures": graded, "resamples": 100, "top": 30, "by": "AP"}
    bootstrap = results["sakai2007bootstrap"]
    power = irassay.power(*data, unpaired=True, **sampled)
    assert rows(bootstrap["T3"]) == [
        {name: row[name] for name in bootstrap["T3"].columns} for row in rows(power["power"])
    ]
    assert rows(bootstrap["F11"]) == rows(power["asl_curves"])
    assert rows(bootstrap["F17"]) == rows(irassay.stability(*data, **sampled)["stability"])
    swap = {row["measure"]: row for row in rows(irassay.swap(*data, **sampled)["swap"])}
    assert {row["measure"]: row for row in rows(bootstrap["T4"])} == swap
    shares = [row["share_satisfied"] for row in rows(bootstrap["T4"])]
    assert shares == sorted(shares, reverse=True)
    agreement = irassay.agreement(*data, **sampled)["agreement"]
    taus = {(row["measure_a"], row["measure_b"]): row["tau"] for row in rows(agreement)}
    triangle = rows(bootstrap["T5"])
    assert triangle[0]["P@1000"] == taus["AP", "P@1000"]
    assert triangle[-1]["GM(AP)"] is None
    assert bootstrap["T5"].is_bold("Q", 0.81)
    assert not bootstrap["T5"].is_bold("Q", 0.8)

    groups = str(files / "groups.txt")
    incomplete = irassay.incomplete(
        *data, groups=groups, one_per_group=True, sample_systems=30, resamples=100, rates="90,70,50,30,10", **sakai
    )
    tenth = {row["measure"]: row for row in rows(incomplete["incomplete"], {"rate": 10})}
    for number, column in (("T4", "discriminative_power"), ("T5", "inconsistent"), ("T7", "tau_with_full")):
        printed = {row["measure"]: row[column] for row in rows(results["sakai2008incomplete"][number])}
        assert printed == {measure: row[column] for measure, row in tenth.items()}

    corpus = irassay.corpus(*data, corpus_size=3000, images=12, seed=5, top=50, by="RBP(p=0.95,rel=1)@1000")
    assert rows(results["zobel2020corpus"]["T2"]) == rows(corpus["interval"])
    assert rows(results["zobel2020corpus"]["T3"]) == rows(corpus["triples"])
    assert rows(results["zobel2020corpus"]["T1"]) == rows(corpus["data"])

    variance = irassay.variance(*data, samples=100, length="1000", depth=1000, seed=5)
    yang = results["yang2018variance"]
    assert rows(yang["T1"]) == rows(variance["variance"])
    assert rows(yang["F1"]) == rows(variance["error_bars"])
    assert rows(yang["F2"]) == rows(variance["error_rate"])
    assert rows(yang["short_lists"]) == rows(variance["short_lists"])  # its lists are shorter than the paper's

    ranks = irassay.preferred_ranks(*data, depth=1000)["preferred_ranks"]
    largest = {row["topic"]: row["max_rank"] for row in rows(ranks)}
    one = results["sakai2007one"]
    assert {row["topic"]: row["max_rank"] for row in rows(one["T7"])} == largest
    schemes = "{1:1,2:3} {1:10,2:30} {1:0.1,2:0.3} {1:1,2:1} {1:1,2:10}"
    gains = irassay.gains(*data, measures="PPlus PMeasure O", schemes=schemes, depth=1000, seed=5, resamples=100)
    flat = {row["measure"]: row["tau_with_default"] for row in rows(gains["gains"], {"scheme": "{1:1,2:1}"})}
    assert {row["measure"]: row["1:1:1"] for row in rows(one["T5"])} == flat
    powers = sorted(row["discriminative_power"] for row in rows(gains["gains"]))
    assert sorted(row["discriminative_power"] for row in rows(one["T6"])) == powers


def test_the_histograms_show_one_pair_with_its_t(files: Path, results: dict[str, Result]) -> None:
    bootstrap = results["sakai2007bootstrap"]
    runs = [row["system"] for row in rows(bootstrap["F1"])]
    for number, measure in (("F4", "AP"), ("F5", "P@1000")):
        power = irassay.power(
            files / "qrels.txt", files / "runs", measures=measure, histogram=True, pair=(runs[0], runs[len(runs) // 2]),
            resamples=100, depth=1000, seed=5,
        )  # fmt: skip
        assert rows(bootstrap[number]) == rows(power["histogram"])
        (figure,) = (figure for figure in bootstrap.figures if figure.name == number)
        (t,) = power["pair"]["t"]
        assert [(mark.axis, mark.at) for mark in figure.marks] == [("x", t)]


def test_rbp_of_ideal_lists_is_as_printed(results: dict[str, Result]) -> None:
    printed = {1: (0.5, 0.2, 0.05), 10: (0.9990, 0.8926, 0.4013), 100: (1, 1, 0.9941), 1000: (1, 1, 1)}
    scores = {row[0]: row[1:] for row in results["sakai2008incomplete"]["T1"].rows()}
    assert {R: tuple(round(float(str(v)), 4) for v in values) for R, values in scores.items()} == printed


def test_typical_systems_have_the_deviations_that_the_study_shows(files: Path, results: dict[str, Result]) -> None:
    for row in rows(results["zobel2020corpus"]["T4"], {"measure": "AP"}):
        shown = irassay.corpus(
            files / "qrels.txt",
            files / "runs",
            corpus_size=3000,
            images=12,
            seed=5,
            show=(row["system"],),
            measures="AP",
        )
        assert rows(shown["shown"]) == [row]


@pytest.mark.parametrize("grades", [(1,), (1, 2, 3), (1, 2, 3, 4)])
def test_other_numbers_of_levels_are_reported_and_the_rest_is_delivered(
    grades: tuple[int, ...], tmp_path: Path
) -> None:
    """One level has nothing to grade, and the paper has no gains for more than three."""
    judged = {str(t): {f"d{d}": grades[(d + t) % len(grades)] if d % 3 else 0 for d in range(20)} for t in range(5)}
    lists = {
        f"s{s}": {str(t): {f"d{d}": float((d * (s + 3) + t) % 23) for d in range(20)} for t in range(5)}
        for s in range(4)
    }
    result = irassay.paper("sakai2007one", judged, lists, resamples=20)
    missing = {row["item"] for row in rows(result["contents"], {"delivered": False})}
    codes = {warning.code for warning in result.warnings}
    penalties = {1: "NWRR(penalties={1:4})", 3: "NWRR", 4: "NWRR(penalties={1:5,2:4,3:3,4:2})"}[len(grades)]
    assert penalties in result["T4"]["measure"]
    assert missing == {"T8", "T9", *(("T5", "T6") if len(grades) > 3 else ())}
    assert ("paper-item" in codes) == (len(grades) > 3)
    assert ("binary" in codes) == (len(grades) == 1)
    assert "fewer-systems" in codes


def test_without_groups_every_run_is_a_team_with_a_warning(files: Path) -> None:
    result = irassay.paper("sakai2008incomplete", files / "qrels.txt", files / "runs", resamples=20)
    assert "no-groups" in {warning.code for warning in result.warnings}
    assert {row["item"] for row in rows(result["contents"], {"delivered": False})} == {"F4", "F6", "F8"}
    assert set(result["F2"]["team"]) == set(MODEL.names)
    with_groups = irassay.paper(
        "sakai2008incomplete", files / "qrels.txt", files / "runs", resamples=20, groups=str(files / "groups.txt")
    )
    teams = {line.split()[1] for line in (files / "groups.txt").read_text().splitlines()}
    assert set(with_groups["F2"]["team"]) == teams
    assert with_groups["T3"]["pairs"][0] == len(teams) * (len(teams) - 1) / 2


def test_too_few_samples_for_a_level_leave_the_rest(files: Path) -> None:
    result = irassay.paper("sakai2007bootstrap", files / "qrels.txt", files / "runs", resamples=50)
    missing = {row["item"]: row["note"] for row in rows(result["contents"], {"delivered": False})}
    assert set(missing) == {"F4", "F5", "F10", "F11", "F12", "F13", "F18", "T2", "T3", "F14", "F15"}
    assert all(missing.values())
    assert {"T1", "F1", "F17", "T4", "T5"} <= {table.name for table in result.tables}


def test_several_reductions_are_averaged(files: Path) -> None:
    data: Any = (files / "qrels.txt", files / "runs")
    result = irassay.paper("sakai2008incomplete", *data, resamples=20, trials=3)
    study = irassay.incomplete(*data, gains="1=1,2=3", depth=1000, resamples=20, trials=3, rates="90,70,50,30,10")
    taus = [row["tau_with_full"] for row in rows(study["incomplete"], {"rate": 10, "measure": "AP"})]
    assert len(taus) == 3
    averages = {row["measure"]: row["tau_with_full"] for row in rows(result["T7"])}
    assert averages["AP"] == pytest.approx(sum(taus) / 3)


def test_the_command_saves_a_folder_that_loads_and_reports(files: Path, tmp_path: Path, capfd: Any) -> None:
    data = [str(files / "qrels.txt"), str(files / "runs")]
    out = str(tmp_path / "paper")
    assert run(["paper", "zobel2020corpus", *data, "--images", "5", "--out", out]) == 0
    shown, err = capfd.readouterr()
    assert "Table 3:" in shown
    assert "11 of the paper's 11 tables and figures" in shown
    assert err.count("[corpus-size]") == 1  # two studies met it
    saved = irassay.load_result(out)
    assert (tmp_path / "paper" / "tables" / "T3.csv").exists()
    assert (tmp_path / "paper" / "figures" / "F6.svg").exists()
    assert [figure.name for figure in saved.figures] == ["F1", "F2", "F3", "F4", "F5", "F6", "F7"]
    assert run(["report", out, "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "Figure 6: p-value against mean difference" in page
    assert "11 of the 11 tables and figures of zobel2020corpus" in page


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["sakai2007bootstrp"], "did you mean sakai2007bootstrap?"),
        (["zzz"], "there are sakai2007bootstrap, "),
        ([], "which paper?"),
        (["zobel2020corpus", "--pair", "sys1"], "two different systems"),
        (["zobel2020corpus", "--show", "nobody"], "nobody"),
        (["sakai2008incomplete", "--groups", "missing"], "no such file"),
    ],
)
def test_bad_settings_are_reported(arguments: list[str], what: str, files: Path, tmp_path: Path, capfd: Any) -> None:
    data = [str(files / "qrels.txt"), str(files / "runs")] if arguments else []
    status = run(["paper", *arguments[:1], *data, *arguments[1:], "--images", "3"])
    assert status == (0 if "nobody" in arguments else 2)  # the rest of the paper is delivered
    assert what in capfd.readouterr().err


def test_a_full_folder_is_refused_before_any_work(files: Path, tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run(["paper", "zobel2020corpus", "no-such-qrels", "no-such-run", "--out", str(tmp_path)]) == 2
    assert "not empty" in capfd.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"
