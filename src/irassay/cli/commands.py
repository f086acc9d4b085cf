"""The commands. Each reads its options into a study, runs it and writes what it found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from irassay.cli.options import Sectioned, build, command_line, execution, from_settings, help_of
from irassay.cli.whole import paper as paper
from irassay.cli.whole import study as study
from irassay.settings import Execution, Saved, Threads
from irassay.studies.agreement import Agreement
from irassay.studies.check.settings import Check
from irassay.studies.compare.settings import Compare
from irassay.studies.corpus.settings import Corpus
from irassay.studies.demo_data import DemoData
from irassay.studies.design.settings import Design
from irassay.studies.gains import Gains
from irassay.studies.incomplete.settings import Incomplete
from irassay.studies.pools.settings import Pools
from irassay.studies.power.settings import Power
from irassay.studies.preferred_ranks import PreferredRanks
from irassay.studies.score import Score
from irassay.studies.shape import Shape
from irassay.studies.stability import Stability
from irassay.studies.swap import Swap
from irassay.studies.variance.settings import Variance

QRELS = click.argument("qrels", type=str)
RUNS = click.argument("runs", nargs=-1, required=True, metavar="RUN...")
OUTPUT = click.option("-o", "--output", type=str, metavar="FILE", help="Write to this file instead of to the screen.")


def formats(*names: str, help: str) -> Any:
    return click.option("--format", "form", type=click.Choice(names), default=names[0], show_default=True, help=help)


def study_command(study: type) -> Any:
    return click.command(cls=Sectioned, help=help_of(study))


@study_command(Score)
@QRELS
@RUNS
@from_settings(Score, Threads)
@formats(
    "table", "csv", "json", "parquet", "trec",
    help="A table to look at; csv, json or parquet with all digits; or trec_eval's output.",
)  # fmt: skip
@OUTPUT
def score(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **given: Any) -> None:
    study = build(Score, given)
    if study.wide and form == "trec":
        raise click.UsageError("trec has no wide form; leave out --wide")
    if form == "parquet":
        from irassay.report.parquet import available

        available()  # before any work
        if output is None:
            raise click.UsageError("parquet is not for screens; give a file with -o")
    result = study.run(qrels, list(runs), execution=execution(given))
    _write(_payload(result, form, study.wide, output), output)


def _payload(result: Any, form: str, wide: bool, output: str | None) -> bytes | str:
    from irassay import report

    if form == "csv":
        return report.to_csv(result["scores"])
    if form == "json":
        # the overview only lays the scores out for a screen
        return report.to_json(replace(result, tables=tuple(t for t in result.tables if t.name != "overview")))
    if form == "parquet":
        return report.to_parquet(result["scores"])
    if form == "trec":
        from irassay.studies.score import trec_rows

        return report.to_trec(trec_rows(result))
    return report.to_terminal([result["scores" if wide else "overview"]], tty=False if output else None)


def _write(payload: bytes | str, output: str | None) -> None:
    from irassay import report

    report.write(payload, Path(output) if output else None)


@study_command(Check)
@QRELS
@RUNS
@from_settings(Check, Threads)
@formats("table", "json", help="Tables to look at, or json with all digits.")
@OUTPUT
def check(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **given: Any) -> None:
    from irassay import report

    result = build(Check, given).run(qrels, list(runs), execution=execution(given))
    if form == "json":
        _write(report.to_json(result), output)
    else:
        from irassay.studies.check.describe import visible_ties

        tables = [visible_ties(table) if table.name == "ties" else table for table in result.tables]
        shown = [
            # nothing to say is a sentence, not a table without rows
            report.to_terminal([table], tty=False if output else None) if len(table) else f"{table.caption}\n"
            for table in tables
        ]
        _write("\n".join(shown), output)


@click.command()
@click.argument("name", required=False)
def measures(name: str | None) -> None:
    """List the measures, or explain one by NAME: its formula, parameters, citation and peers.

    \b
    irassay measures
    irassay measures nDCG
    """
    from irassay import report
    from irassay.studies import measures as study

    if name is None:
        _write(report.to_terminal(study.listing()), None)
    else:
        _write(study.explain(name), None)


ANY_QRELS = click.argument("qrels", type=str, required=False)
ANY_RUNS = click.argument("runs", nargs=-1, metavar="RUN...")


def _study(
    study: Any,
    hidden: tuple[str, ...] = (),
    *,
    needs_runs: bool = False,
    data: bool = True,
    runs_as: type = Execution,
    paper: str = "",
) -> click.Command:
    """The command of a study: its tables on the screen (long ones only in a folder), its result with --out.

    `paper` is a table that can also be had alone, to paste it somewhere.
    """

    def inputs(command: Any) -> Any:
        if not data:
            return command
        return (QRELS if needs_runs else ANY_QRELS)((RUNS if needs_runs else ANY_RUNS)(command))

    def outputs(command: Any) -> Any:
        if not paper:
            return formats("table", "json", help="Tables to look at, or json with all digits.")(command)
        for name, what in reversed(PASTED.items()):
            command = click.option(f"--{name}", "form", flag_value=name, help=what)(command)
        help = "Tables to look at, json with all digits, or only the main table to paste it somewhere."
        return formats("table", "json", *PASTED, help=help)(command)

    @study_command(study)
    @inputs
    @from_settings(study, runs_as)
    @outputs
    def command(form: str, **given: Any) -> None:
        from irassay import report
        from irassay.cli import say
        from irassay.report.bounds import show_bounds
        from irassay.report.folder import check_place

        out = given["out"]
        if out:
            check_place(out)  # before any work
        sources = {"qrels": given.pop("qrels"), "runs": list(given.pop("runs"))} if data else {}
        asked = build(study, given)
        result = asked.run(**sources, execution=execution(given))
        if out:
            result = replace(result, provenance={**result.provenance, "command": command_line()})
            report.save_result(result, Path(out), readable=True)
        if form == "json":
            _write(report.to_json(result), None)
            return
        if form in PASTED:
            _write(report.to_csv(result[paper]) if form == "csv" else _pasted(result, paper, form), None)
            return
        unseen = tuple(name for name in hidden if not _short(name, result))
        tables = asked.brief(result) if hasattr(asked, "brief") else result.tables
        seen = [table for table in tables if table.name not in unseen]
        shown = [show_bounds(_for_screen(table, result), result) for table in seen]
        _write("\n".join(report.to_terminal([table]) if len(table) else f"{table.caption}\n" for table in shown), None)
        kept = [table.name for table in result.tables if table.name in unseen]
        kept += [f"more of {table.name}" for table in seen if _is_part(table, result[table.name])]
        if out:
            from irassay.report.artifacts import missing_extras

            say("\n".join([f"The whole result is in {out}.", *(f"Left out: {error}" for error in missing_extras())]))
        elif kept:
            say(f"Not shown: {', '.join(kept)} (saved with --out DIR, printed with --format json)")

    return command  # type: ignore[no-any-return]


def _is_part(table: Any, whole: Any) -> bool:
    return len(table) < len(whole) or len(table.columns) < len(whole.columns)


PASTED = {
    "latex": "Only the main table, in LaTeX (--format latex).",
    "markdown": "Only the main table, in Markdown (--format markdown).",
    "csv": "Only the main table, as CSV with all digits (--format csv).",
}


def _pasted(result: Any, name: str, form: str) -> str:
    from irassay import report

    made: str = getattr(report, f"to_{form}")(_for_screen(result[name], result))
    return made


def _for_screen(table: Any, result: Any) -> Any:
    """A comparison as people read it: numbers with their intervals in one cell, the first topics only."""
    if result.study != "compare":
        return table
    from irassay.studies.compare.view import for_readers

    return for_readers(table, result)


def _short(name: str, result: Any) -> bool:
    """Whether a table that is mostly too long for a screen is short this time."""
    if result.study != "compare":
        return False
    from irassay.studies.compare.view import few

    return few(name, result)


compare = _study(Compare, ("pairs", "topic_differences"), paper="comparison")
design = _study(Design, ("design_curve", "d_study"), paper="design", runs_as=Saved)
power = _study(Power, ("pairs", "asl_curves", "system_means", "power_bars", "histogram"))
swap = _study(Swap, ("swap_bins",))
stability = _study(Stability)
agreement = _study(Agreement)
gains = _study(Gains)
preferred_ranks = _study(PreferredRanks, needs_runs=True, runs_as=Saved)
incomplete = _study(Incomplete, ("agreement", "statistics", "systems", "groups"), needs_runs=True)
pools = _study(Pools, ("pools", "left_out"), needs_runs=True)
corpus = _study(
    Corpus,
    ("ranks", "topic_sd", "topics", "pools", "pool_topics", "pool_spread"),
    needs_runs=True,
)
variance = _study(
    Variance, ("stability", "ranks", "spread", "topics", "error_bars", "pairs", "short_lists"), needs_runs=True
)
shape = _study(Shape, data=False, runs_as=Saved)


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option(
    "-o", "--output", type=str, default="report.html", show_default=True, metavar="FILE", help="The page to write."
)
def report(folders: tuple[str, ...], output: str) -> None:
    """One page from saved results: what was found, figures, tables, and how far to trust them.

    DIR is a folder made with --out, or one that has such folders below it. The page is one file that needs no network:
    open it in a browser, send it, print it.

    \b
    irassay power qrels.txt runs/ --out results/power
    irassay swap qrels.txt runs/ --out results/swap
    irassay report results -o report.html
    """
    from irassay.cli import say
    from irassay.report.collect import gather
    from irassay.report.html import to_html
    from irassay.report.render import available

    available()  # before any work
    _write(to_html(gather(folders)), output)
    say(f"The report is in {output}.")


@study_command(DemoData)
@click.option("--out", type=str, required=True, metavar="DIR", help="The new folder to write.")
@from_settings(DemoData)
def demo_data(out: str, **given: Any) -> None:
    from irassay.cli import say

    build(DemoData, given).write(Path(out))
    say(f"The collection is in {out}.")


DEMO = DemoData(topics=20, systems=8, null_pairs=1, depth=200, documents=20_000, pool_depth=20)


@click.command()
@click.option("--out", type=str, metavar="DIR", help="Keep the collection, results and report in this new folder.")
def demo(out: str | None) -> None:
    """Make a small seeded collection and run irassay on it, showing each command; with --out the whole assay."""
    import contextlib
    import shutil
    import tempfile

    from irassay.cli import cli, say

    with contextlib.ExitStack() as stack:
        folder = Path(out or "collection")
        if out is None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="irassay-"))
            stack.enter_context(contextlib.chdir(scratch))  # so that the commands read as a user would write them
        DEMO.write(folder)
        qrels, runs, groups = (str(folder / name) for name in ("qrels.txt", "runs", "groups.txt"))
        about = ["--groups", groups, "--corpus-size", str(DEMO.documents), "--pool-depth", str(DEMO.pool_depth)]
        looks = [
            ["check", qrels, runs, *about],
            ["score", qrels, runs, "-m", "AP nDCG@10 Q RBP(p=0.95) AP' GM(AP)"],
        ]
        if out:
            looks.append(["study", qrels, runs, *about, "--out", str(folder / "results")])
        else:  # nothing is kept: what can be seen on a screen
            looks.append(["compare", qrels, runs, "-m", "AP", "--baseline", "sys1"])
            looks.append(["power", qrels, runs, "-m", "AP nDCG@10 RR", "--alpha", "0.05"])
            looks.append(["incomplete", qrels, runs, "-m", "AP AP'", "--rates", "50,10"])
        for arguments in looks:
            shown = " ".join(f'"{word}"' if set(word) & set(" '()") else word for word in arguments)
            say(f"\n$ irassay {shown}\n")
            cli.main(args=arguments, standalone_mode=False)
        page = folder / "results" / "report.html"
        if out and page.exists():
            shutil.copyfile(page, folder / "report.html")  # where somebody who looks around finds it
            say(f"\nOpen {folder / 'report.html'} in a browser.")
        say(f"\nThe collection is in {out}." if out else "\nThe whole assay, with a report: irassay demo --out DIR")
