"""The commands that run several studies at once: a paper's, or all of them."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from irassay.cli.options import Sectioned, build, command_line, execution, from_settings, help_of
from irassay.settings import Execution
from irassay.studies.papers.settings import PaperStudy
from irassay.studies.study.settings import Assay

DIR = click.option(
    "--out", type=str, metavar="DIR", help="Save everything in this folder: tables, figures, all digits."
)


@click.command(cls=Sectioned, help=help_of(PaperStudy))
@click.argument("key", required=False)
@click.argument("qrels", required=False)
@click.argument("runs", nargs=-1, metavar="RUN...")
@click.option("--list", "listed", is_flag=True, help="Show the papers with their tables and figures.")
@from_settings(PaperStudy, Execution, without=("out",))
@click.option(
    "--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True,
    help="Tables to look at, or json with all digits.",
)  # fmt: skip
@DIR
def paper(
    key: str | None, qrels: str | None, runs: tuple[str, ...], listed: bool, form: str, out: str | None, **given: Any
) -> None:
    from irassay import report
    from irassay.cli import say
    from irassay.report.artifacts import missing_extras
    from irassay.report.bounds import show_bounds
    from irassay.report.folder import check_place
    from irassay.studies.papers import paper_of
    from irassay.studies.papers.settings import listing

    if listed:
        report.write(report.to_terminal(listing()), None)
        return
    if key is None:
        raise click.UsageError("which paper? irassay paper --list shows them")
    known = paper_of(key)
    if qrels is None or not runs:
        raise click.UsageError(f"irassay paper {key} needs QRELS and RUN...")
    if out:
        check_place(out)  # before any work
    result = build(PaperStudy, given).run(key, qrels, list(runs), execution=execution(given))
    if out:
        result = replace(result, provenance={**result.provenance, "command": command_line()})
        report.save_result(result, Path(out), readable=True)
    if form == "json":
        report.write(report.to_json(result), None)
        return
    numbers = {item.number for item in known.items if item.number.startswith("T")}
    shown = [show_bounds(table, result) for table in result.tables if table.name in {"contents", *numbers}]
    report.write(report.to_terminal(shown), None)
    if out:
        left_out = [f"Left out: {error}" for error in missing_extras()]
        say("\n".join([f"All tables and figures are in {out}; irassay report {out} makes a page of them.", *left_out]))
    else:
        say("Figures and their numbers are saved with --out DIR, printed with --format json.")


@click.command(cls=Sectioned, help=help_of(Assay))
@click.argument("qrels")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@from_settings(Assay, Execution, without=("out",))
@click.option(
    "--out", type=str, required=True, metavar="DIR", help="The folder for a result of each part, and the report."
)
def study(qrels: str, runs: tuple[str, ...], out: str, **given: Any) -> None:
    from irassay import report
    from irassay.cli import say
    from irassay.report.artifacts import missing_extras
    from irassay.report.findings import findings
    from irassay.studies.study.run import assayed

    def tell(done: Any) -> None:
        what = f"{done.part}: done" if done.problem is None else f"{done.part}: failed: {done.problem}"
        say(what)

    settings = build(Assay, given)
    command = f"{command_line()} --out {shlex.quote(out)}"  # without one there is no assay
    made = assayed(settings, qrels, list(runs), out, execution(given), command=command, tell=tell)
    told = [f"{part}: {' '.join(findings(result))}" for part, result in made.items()]
    report.write("\n\n".join([report.to_terminal(made.overview.tables), *told]) + "\n", None)
    if made.report is not None:
        say(f"The report is {made.report}; a folder beside it has all tables and figures of each part.")
    else:
        say(f"The results are in {out}.")
    for error in missing_extras():
        say(f"Left out: {error}")
    failures = list(made.failures.values())
    bugs = [one.problem for one in made.done if one.bug and one.problem is not None]
    if bugs or len(failures) == len(made.done):
        raise (bugs or failures)[0]  # all else is delivered; the exit status tells
