"""What of `irassay corpus` fits a screen: the best systems for each measure, and those that were named."""

from collections.abc import Sequence
from dataclasses import replace

from irassay.result import Result, Table
from irassay.studies.corpus.settings import Corpus
from irassay.studies.phrases import add_sentences

BEST = 10
FEW = 20  # systems that are all shown
SHORT = {"systems_given": "given", "corpus_size": "corpus", "active_documents": "active", "judged_documents": "judged"}


def view(result: Result, settings: Corpus) -> list[Table]:
    """The tables, narrow enough for a line; those of systems by rank, and the best alone where there are many.

    Systems that the options name are always among them.
    """
    named = [*_named(result, "show"), *_named(result, "pair")]
    systems = result["systems"]
    place = {
        (measure, system): rank
        for measure, system, rank in zip(systems["measure"], systems["system"], systems["rank_root"], strict=True)
    }
    best: dict[object, list[object]] = {}
    for measure, system in sorted(place, key=lambda key: float(str(place[key]))):
        best.setdefault(measure, []).append(system)
    return [_brief(table, best, named) for table in result.tables if table.name not in result.details]


def _named(result: Result, option: str) -> list[str]:
    names = result.provenance[option]
    assert isinstance(names, list)
    return names


def _brief(table: Table, best: dict[object, list[object]], named: Sequence[str]) -> Table:
    if table.name == "data":
        columns = {SHORT.get(name, name): column for name, column in table.columns.items()}
        return replace(table, columns=columns)
    if table.name == "unanswered":
        counts = list(table["images"])
        most = sorted(range(len(table)), key=lambda row: -int(str(counts[row])))[:BEST]
        part = [f"Shown are the {BEST} of {len(counts):,} topics with the most."] if len(counts) > BEST else []
        return _rows(table, most, part)
    if table.name not in ("systems", "variation"):
        return table
    row = {key: n for n, key in enumerate(zip(table["measure"], table["system"], strict=True))}
    several = any(len(systems) > FEW for systems in best.values())
    kept = [
        row[measure, system]
        for measure, systems in best.items()
        for n, system in enumerate(systems)
        if not several or n < BEST or system in named
    ]
    part = []
    if several:
        others = ", and those named" if named else ""
        part = [f"Shown are the {BEST} best of {max(map(len, best.values())):,} systems for each measure{others}."]
    chosen = _rows(table, kept, part)
    return _intervals(chosen) if table.name == "systems" else chosen


def _rows(table: Table, rows: Sequence[int], part: Sequence[str]) -> Table:
    columns = {name: [column[n] for n in rows] for name, column in table.columns.items()}
    return replace(table, columns=columns, caption=add_sentences(table.caption, part))


def _intervals(table: Table) -> Table:
    """Both ends of an interval in one cell."""
    digits = table.digits["root_score"]
    columns = {name: table[name] for name in ("measure", "system", "root_score", "bias", "sd")}
    columns["scores_95%"] = [
        f"{low:.{digits}f}..{high:.{digits}f}" for low, high in zip(table["q2.5"], table["q97.5"], strict=True)
    ]
    columns["rank"] = [f"{rank:g}" for rank in table["rank_root"]]
    columns["ranks_95%"] = [
        f"{round(float(str(low)), 1):g}..{round(float(str(high)), 1):g}"
        for low, high in zip(table["rank_q2.5"], table["rank_q97.5"], strict=True)
    ]
    kept = {name: places for name, places in table.digits.items() if name in columns}
    return replace(
        table,
        columns=columns,
        digits=kept,
        headers={name: header for name, header in table.headers.items() if name in columns},
        caption=add_sentences(table.caption, ["95% are those between the quantiles 2.5% and 97.5%."]),
    )
