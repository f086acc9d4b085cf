"""The commands that are more, or less, than one study; `study_command` has the rest."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irassay.cli.demo_commands import demo, demo_data
from irassay.cli.options import Sectioned, build, command_line, explicit, from_settings
from irassay.cli.screen import full_study_text, screen
from irassay.cli.study_command import (
    COLLECTION,
    DIGITS,
    OPTIONAL_QRELS,
    OPTIONAL_RUNS,
    OUTPUT,
    QRELS,
    RUNS,
    formats,
    outcomes_of,
    paper_layout,
    paper_options,
    run_and_save,
    tell_saved,
    write,
)
from irassay.cli.talk import say, talk
from irassay.settings import Execution, Threads
from irassay.studies.collection_settings import study_inputs
from irassay.studies.collections import is_collections_file
from irassay.studies.papers.settings import PaperStudy
from irassay.studies.registry import studies
from irassay.studies.score.settings import Score
from irassay.studies.study.settings import FullStudy

if TYPE_CHECKING:
    from irassay.result import Result
    from irassay.studies.study.run import Done


@click.command(cls=Sectioned, help=Score.__doc__)
@QRELS
@RUNS
@COLLECTION
@from_settings(Score, Threads)
@formats(
    *("table", "csv", "json", "parquet", "trec", "latex", "markdown"),
    help="A table to look at; csv, json or parquet with all digits; trec_eval's output; or a table for a paper.",
)
@click.option("--latex", "form", flag_value="latex", help="Systems by measures in LaTeX (--format latex).")
@click.option("--markdown", "form", flag_value="markdown", help="Systems by measures in Markdown (--format markdown).")
@paper_layout
@OUTPUT
def score(form: str, output: str | None, **options: Any) -> None:
    from irassay.studies.merge import merge_results

    paper = paper_options(form, options)
    if options["wide"] and form in ("trec", "latex", "markdown"):
        raise click.UsageError(f"{form} has no such form; leave out --wide")
    if form == "parquet":
        from irassay.report.parquet import available

        available()  # before any work
        if output is None:
            raise click.UsageError("parquet is not for screens; give a file with -o")
    outcomes = outcomes_of(studies()["score"], options)
    if form == "trec" and len(outcomes) > 1:
        raise click.UsageError("trec has no place for several collections; choose one with --collection")
    wide = any(outcome.settings.wide for outcome in outcomes.values())
    result = merge_results({name: outcome.result for name, outcome in outcomes.items()})
    if form in ("latex", "markdown"):
        write(getattr(result, f"to_{form}")(**paper), output)
        return
    write(_scores(result, form, wide, output), output)


def _scores(result: Result, form: str, wide: bool, output: str | None) -> bytes | str:
    import irassay.report as report

    if form == "json":
        # the overview only lays the scores out for a screen
        return report.to_json(replace(result, tables=tuple(t for t in result.tables if t.name != "overview")))
    if form == "trec":
        from irassay.studies.score.run import trec_rows

        return report.to_trec(trec_rows(result))
    if form == "table":
        if wide:  # to be looked up in
            return report.to_terminal([result["scores"]], tty=False if output else None)
        return screen([result["overview"]], result, output)
    return (report.to_csv if form == "csv" else report.to_parquet)(result["scores"])


@click.command()
@click.argument("name", required=False)
def measures(name: str | None) -> None:
    """List the measures, or explain one by NAME: its formula, parameters, citation and peers.

    \b
    irassay measures
    irassay measures nDCG
    """
    import irassay.report as report
    from irassay.studies.measures import explain, listing

    write(report.to_terminal(listing()) if name is None else explain(name))


@click.command("trec_eval")
@click.argument("qrels", type=str)
@click.argument("run", type=str)
@click.option("-q", "per_topic", is_flag=True, help="Also the values of every topic.")
@click.option("-c", "complete", is_flag=True, help="Average over all topics of QRELS; those missing from RUN are 0.")
@click.option("-l", "level", type=int, default=1, show_default=True, metavar="N", help="Lowest relevant grade.")
@click.option("-J", "judged_only", is_flag=True, help="Drop documents without a judgment first.")
@click.option("-M", "most", type=click.IntRange(1), metavar="N", help="Cut lists at this rank.")
@click.option("-n", "no_summary", is_flag=True, help="No summary over topics.")
@click.option("-m", "measures", multiple=True, metavar="NAME", help="map, P.5,10, all_trec, …; may be repeated.")
def trec_eval(qrels: str, run: str, no_summary: bool, **options: Any) -> None:
    """Print what trec_eval 9 prints, byte for byte. What is not offered is an error.

    \b
    irassay trec_eval qrels.txt run.txt
    irassay trec_eval -q -c -l 2 -m all_trec qrels.txt run.gz
    """
    from irassay.integrations.trec_eval import TrecEval
    from irassay.integrations.trec_eval import trec_eval as printed

    write(printed(qrels, run, TrecEval(summary=not no_summary, **options)))


@click.command(cls=Sectioned, help=PaperStudy.__doc__)
@click.argument("key", required=False)
@OPTIONAL_QRELS
@OPTIONAL_RUNS
@COLLECTION
@click.option("--list", "listed", is_flag=True, help="Show the papers with their tables and figures.")
@click.option("--check", is_flag=True, help="Show of each item of the paper KEY whether it is delivered, and why not.")
@from_settings(PaperStudy, Execution, without=("out",))
@formats("table", "json")
@click.option("--out", type=str, metavar="DIR", help="Save everything in this folder: tables, figures, all digits.")
@DIGITS
def paper(
    key: str | None,
    qrels: str | None,
    runs: tuple[str, ...],
    collection: tuple[str, ...],
    listed: bool,
    check: bool,
    form: str,
    out: str | None,
    decimals: int | None,
    **options: Any,
) -> None:
    import irassay.report as report
    from irassay.report.cells import show_bounds
    from irassay.report.place import CHECKPOINT, is_unfinished
    from irassay.studies.papers import paper_of
    from irassay.studies.papers.beside_printed import for_screen
    from irassay.studies.papers.run import checklist, listing, run_paper

    if listed:
        write(report.to_terminal(listing()))
        return
    if key is None:
        raise click.UsageError("which paper? irassay paper --list shows them")
    items = paper_of(key).items
    if check:
        write(report.to_terminal([checklist(key)]))
        return
    if qrels is None or not (runs or is_collections_file(qrels)):
        raise click.UsageError(f"irassay paper {key} needs QRELS and RUN...")
    inputs = study_inputs(PaperStudy, explicit(PaperStudy, options), qrels, list(runs), collection)
    options["out"] = out
    if out and is_unfinished(Path(out, CHECKPOINT)):
        talk("Finished studies of the interrupted run are kept.")

    def run() -> Result:
        made = run_paper(inputs, key, build(Execution, options))
        return replace(made, tables=tuple(report.with_digits(table, decimals) for table in made.tables))

    result = run_and_save(run, options, lambda: inputs, paper=key)
    if form == "json":
        write(report.to_json(result))
        return
    numbers = {item.number for item in items if item.number.startswith("T")}
    main = [
        t
        for t in result.tables
        if t.name in {"contents", "names", *numbers} or (t.name.split("_")[0] in numbers and len(t) <= 20)
    ]
    shown = [one for table in main for one in for_screen(show_bounds(table, result))]
    write(report.to_terminal(shown))
    if out:
        tell_saved(f"All tables and figures are in {out}; irassay report {out} makes a page of them.")
    else:
        talk("Figures and their numbers are saved with --out DIR, printed with --format json.")


@click.command(cls=Sectioned, help=FullStudy.__doc__)
@QRELS
@RUNS
@COLLECTION
@from_settings(FullStudy, Execution, without=("out",))
@click.option(
    "--out", type=str, required=True, metavar="DIR", help="The folder for a result of each part, and the report."
)
def study(qrels: str, runs: tuple[str, ...], collection: tuple[str, ...], out: str, **options: Any) -> None:
    from irassay.studies.study.run import run_full_study

    def tell(done: Done) -> None:
        if done.problem is None:
            talk(f"{done.title}: {'kept from the interrupted run' if done.kept else 'done'}")
        else:
            say(f"{done.title}: failed: {done.problem}")

    inputs = study_inputs(FullStudy, explicit(FullStudy, options), qrels, list(runs), collection)
    results = run_full_study(
        inputs,
        out,
        build(Execution, options),
        command=f"{command_line()} --out {shlex.quote(out)}",  # without one there is no full study
        on_done=tell,
    )
    write(full_study_text(results, collections=len(inputs)))
    tell_saved(f"The report is {results.report}; a folder beside it has all tables and figures of each part.")
    failures = list(results.failures.values())
    bugs = [one.problem for one in results.done if one.bug and one.problem is not None]
    if bugs or len(failures) == len(results.done):
        raise (bugs or failures)[0]  # all else is delivered; the exit status tells


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...")
@click.option(
    "-o", "--output", type=str, default="report.html", show_default=True, metavar="FILE", help="The page to write."
)
@click.option("--title", metavar="TEXT", help="The title of the page  [default: what the results call their data]")
def report(folders: tuple[str, ...], output: str, title: str | None) -> None:
    """One page from saved results: findings, figures, tables, and how far to trust them.

    DIR is a folder made with --out, or one that has such folders below it. The page is one file that needs no network:
    open it in a browser, send it, print it.

    \b
    irassay power qrels.txt runs/ --out results/power
    irassay swap qrels.txt runs/ --out results/swap
    irassay report results -o report.html
    """
    from irassay.report.page_file import write_page

    write_page(folders, output, title)
    talk(f"The report is in {output}.")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=".")
def init(folder: Path) -> None:
    """Write a collections file, irassay.toml, for the runs and judgments in FOLDER (else this one) and below it.

    Every study takes the file in place of QRELS and RUN. It says what can be added, and is never overwritten.

    \b
    irassay init
    irassay study irassay.toml --out results
    """
    from irassay.studies.collections_template import write_template

    place, number = write_template(folder)
    count = f"{number} collection{'s' * (number != 1)}"
    talk(f"{place} has {count}: look at it, then irassay check {shlex.quote(str(place))}")


COMMANDS: dict[str, click.Command] = {
    "score": score,
    "trec_eval": trec_eval,
    "measures": measures,
    "init": init,
    "study": study,
    "paper": paper,
    "report": report,
    "demo": demo,
    "demo-data": demo_data,
}
