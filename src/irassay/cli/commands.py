"""The commands. Each reads its options into a study, runs it and writes what it found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from irassay.cli.options import build, execution, from_settings
from irassay.errors import InputError
from irassay.settings import Execution
from irassay.studies.check import Check
from irassay.studies.score import Score

QRELS = click.argument("qrels", type=str)
RUNS = click.argument("runs", nargs=-1, required=True, metavar="RUN...")
OUTPUT = click.option("-o", "--output", type=str, metavar="FILE", help="Write here instead of to the screen.")


def formats(*names: str) -> Any:
    return click.option("--format", "form", type=click.Choice(names), default=names[0], show_default=True)


def first_line(study: type) -> str:
    return (study.__doc__ or "").replace("\n    ", "\n")


@click.command(help=first_line(Score))
@QRELS
@RUNS
@from_settings(Score, Execution)
@formats("table", "csv", "json", "parquet", "trec")
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
        return report.to_json(result)
    if form == "parquet":
        return report.to_parquet(result["scores"])
    if form == "trec":
        from irassay.studies.score import trec_rows

        return report.to_trec(trec_rows(result))
    return report.to_terminal([result["scores" if wide else "overview"]], tty=False if output else None)


def _write(payload: bytes | str, output: str | None) -> None:
    from irassay import report

    report.write(payload, Path(output) if output else None)


@click.command(help=first_line(Check))
@QRELS
@RUNS
@from_settings(Check, Execution)
@formats("table", "json")
@OUTPUT
def check(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **given: Any) -> None:
    from irassay import report

    result = build(Check, given).run(qrels, list(runs), execution=execution(given))
    if form == "json":
        _write(report.to_json(result), output)
    else:
        _write(report.to_terminal(result.tables, tty=False if output else None), output)


@click.command()
@click.argument("name", required=False)
def measures(name: str | None) -> None:
    """List the measures, or explain one: its formula, parameters, citation and peers."""
    from irassay import report
    from irassay.studies import measures as study

    if name is None:
        _write(report.to_terminal(study.listing()), None)
    else:
        _write(study.explain(name), None)


@click.command()
@click.option("--out", type=str, metavar="DIR", help="Keep the collection here; otherwise it is thrown away.")
def demo(out: str | None) -> None:
    """Make a small seeded collection and run irassay on it, showing each command."""
    import tempfile

    from irassay.cli import cli, say
    from irassay.demo import write

    with tempfile.TemporaryDirectory(prefix="irassay-") as scratch:
        folder = Path(out) if out else Path(scratch) / "collection"
        if out and folder.exists() and any(folder.iterdir()):
            raise InputError("the folder is not empty", out, "name a new folder")
        write(folder)
        qrels, runs, groups = (str(folder / name) for name in ("qrels.txt", "runs", "groups.txt"))
        for arguments in (
            ["check", qrels, runs, "--groups", groups, "--pool-depth", "10"],
            ["score", qrels, runs, "-m", "AP nDCG@10 Q RBP(p=0.95) AP' GM(AP)"],
            ["score", qrels, runs, "-m", "AP", "--topics", "1-5", "--wide"],
        ):
            shown = " ".join(f'"{word}"' if " " in word or "'" in word else word for word in arguments)
            say(f"\n$ irassay {shown}\n")
            cli.main(args=arguments, standalone_mode=False)
        if out:
            say(f"\nThe collection is in {out}.")
