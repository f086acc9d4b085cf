"""The commands that make a test collection whose truth is known, and show irassay on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from irassay.cli import cli
from irassay.cli.options import Sectioned, build, from_settings
from irassay.cli.talk import talk
from irassay.studies.demo_data import DemoData


@click.command(cls=Sectioned, help=DemoData.__doc__)
@click.option("--out", type=str, required=True, metavar="DIR", help="The new folder to write.")
@from_settings(DemoData)
def demo_data(out: str, **options: Any) -> None:
    build(DemoData, options).write(Path(out))
    talk(f"The collection is in {out}.")


DEMO = DemoData(topics=20, systems=8, null_pairs=1, depth=200, documents=20_000, pool_depth=20)


@click.command()
@click.option("--out", type=str, metavar="DIR", help="Keep the collection, results and report in this new folder.")
def demo(out: str | None) -> None:
    """Make a small seeded collection and run irassay on it, showing each command; with --out the full study."""
    import contextlib
    import shutil
    import tempfile

    with contextlib.ExitStack() as stack:
        folder = Path(out or "collection")
        if out is None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="irassay-"))
            stack.enter_context(contextlib.chdir(scratch))  # so that the commands read as a user would write them
        DEMO.write(folder)
        qrels, runs, groups = (str(folder / name) for name in ("qrels.txt", "runs", "groups.txt"))
        about = ["--groups", groups, "--corpus-size", str(DEMO.documents), "--pool-depth", str(DEMO.pool_depth)]
        examples = [
            ["check", qrels, runs, *about],
            ["score", qrels, runs, "-m", "AP nDCG@10 Q RBP(p=0.95) AP' GM(AP)"],
        ]
        if out:
            examples.append(["study", qrels, runs, *about, "--out", str(folder / "results")])
        else:  # nothing is kept: what can be seen on a screen
            examples += [
                ["compare", qrels, runs, "-m", "AP", "--baseline", "sys1"],
                ["power", qrels, runs, "-m", "AP nDCG@10 RR", "--alpha", "0.05"],
                ["incomplete", qrels, runs, "-m", "AP AP'", "--rates", "50,10"],
            ]
        for arguments in examples:
            shown = " ".join(f'"{word}"' if set(word) & set(" '()") else word for word in arguments)
            talk(f"\n$ irassay {shown}\n")
            cli.main(args=arguments, standalone_mode=False)
        page = folder / "results" / "report.html"
        if out and page.exists():
            shutil.copyfile(page, folder / "report.html")  # where somebody who looks around finds it
            talk(f"\nOpen {folder / 'report.html'} in a browser.")
        talk(f"\nThe collection is in {out}." if out else "\nEvery study, with a report: irassay demo --out DIR")
