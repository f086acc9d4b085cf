"""Record every table of every command, and compare two recordings byte for byte.

    python tests/record_tables.py record FOLDER [ROBUST03]
    python tests/record_tables.py compare BEFORE AFTER

It uses the command line only, so that it also runs on an earlier version: put that one's `src` on PYTHONPATH. ROBUST03
is a folder with `qrels.txt.gz` and `runs`. Run it before and after a change that must not change numbers.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DEMO = ["--topics", "20", "--systems", "8", "--null-pairs", "1", "--depth", "200", "--documents", "20000"]
PAPERS = ("sakai2007bootstrap", "sakai2007one", "sakai2008incomplete", "zobel2020corpus", "yang2018variance")


def commands(qrels: str, runs: str, groups: str | None, first: str, second: str) -> dict[str, list[str]]:
    """Every command that leaves a result folder, by the name of that folder."""
    data = [qrels, runs]
    grouped = ["--groups", groups] if groups else []
    one_each = [*grouped, "--one-per-group"] if groups else []
    many = ["-m", "AP nDCG@10 RR P@10 GM(AP) AREA(AP)"]
    few = ["-m", "AP nDCG@10 RR"]
    pair = ["--pair", first, "--pair", second]
    small = ["--resamples", "300"]
    table = {
        "compare": ["compare", *data, "-m", "AP P@10 GM(AP)"],
        "compare-top": ["compare", *data, *few, "--top", "4", "--by", "AP", "--equivalence", "0.05"],
        "compare-holm": ["compare", *data, *few, "--test", "t", "--correction", "holm", "--interval", "bca"],
        "compare-tukey": ["compare", *data, "-m", "AP", "--test", "tukey", "--interval", "bootstrap-t"],
        "design": ["design", *data, *few],
        "power": ["power", *data, "-m", "AP nDCG@10 RR P@10 GM(AP)", *small, "--histogram"],
        "power-unpaired": ["power", *data, *many, *small, "--unpaired"],
        "power-one-each": ["power", *data, *few, *small, *one_each, "--alpha", "0.1"],
        "swap": ["swap", *data, *many, *small],
        "swap-disjoint": ["swap", *data, *few, *small, "--disjoint"],
        "stability": ["stability", *data, *many, *small],
        "agreement": ["agreement", *data, *many, *small],
        "gains": ["gains", *data, *small],
        "preferred-ranks": ["preferred-ranks", *data],
        "incomplete": ["incomplete", *data, *small, "--rates", "50,10", "--trials", "2", *one_each],
        "pools": ["pools", *data, *small, "--depths", "5,10", *grouped],
        "corpus": ["corpus", *data, "--images", "300", "--corpus-size", "600000", *pair, "--also-topics"],
        "corpus-tight": ["corpus", *data, *many, "--images", "300", "--corpus-size", "600000", "--memory", "30M"],
        "corpus-intervals": [
            *["corpus", *data, *few, "--images", "100", "--corpus-size", "600000"],
            *["--interval", "prediction", "--interval", "percentile", "--sample-systems", "5"],
        ],
        "variance": ["variance", *data, "-m", "AP P@10 GM(AP)", "--samples", "100"],
        "variance-kde": ["variance", *data, "--samples", "40", "--model", "kde", "--exact", "--relevant", "fixed"],
        "shape": ["shape"],
    }
    for name in ("baseline", "wilcoxon", "sign", "randomization", "paired-bootstrap"):
        test = [] if name == "baseline" else ["--test", name, "--correction", "bh"]
        table[f"compare-{name}"] = ["compare", *data, *few, "--baseline", first, *test, "--losses", "0.1"]
    for key in PAPERS:
        size = {"zobel2020corpus": ["--images", "200"]}.get(key, small)
        table[f"paper-{key}"] = ["paper", key, *data, *size, "--corpus-size", "600000", *grouped]
    table["study"] = ["study", *data, "--corpus-size", "600000", *grouped]
    return table


def printed(qrels: str, runs: str, groups: str | None) -> dict[str, list[str]]:
    """Commands without a result folder, by the file that keeps what they print."""
    measures = ["-m", "AP nDCG@10 RR P@10 GM(AP) AREA(AP) Q' bpref infAP ERR@20 RBP(p=0.95) RBPRes Judged@10"]
    check = ["check", qrels, runs, "--corpus-size", "600000", "--pool-depth", "20"]
    return {
        "score.csv": ["score", qrels, runs, *measures, "--format", "csv"],
        "score-topics.csv": ["score", qrels, runs, *measures, "--per-topic", "--format", "csv"],
        "score-wide.csv": ["score", qrels, runs, *measures, "--wide", "--format", "csv"],
        "score.trec": ["score", qrels, runs, "-m", "map ndcg_cut_10 P_10", "--format", "trec", "--per-topic"],
        "check.json": [*check, *(["--groups", groups] if groups else []), "--format", "json"],
    }


def irassay(arguments: list[str]) -> bytes:
    done = subprocess.run([sys.executable, "-m", "irassay", *arguments], capture_output=True, check=False)
    if done.returncode:
        sys.stderr.write(f"irassay {' '.join(arguments)}\n{done.stderr.decode()}\n")
    return done.stdout


def record(folder: Path, qrels: str, runs: str, groups: str | None) -> None:
    folder.mkdir(parents=True)
    names = sorted(path.name for path in Path(runs).iterdir() if not path.name.startswith("."))
    tags = irassay(["score", qrels, runs, "-m", "AP", "--format", "csv"]).decode().split("\n")[1:]
    first, second = (line.split(",")[0] for line in tags[: min(2, len(names))])
    for name, arguments in commands(qrels, runs, groups, first, second).items():
        irassay([*arguments, "--out", str(folder / name)])
    for name, arguments in printed(qrels, runs, groups).items():
        (folder / name).write_bytes(irassay(arguments))


def tables(folder: Path) -> dict[str, bytes]:
    """Every table; of results only `tables/*.csv`, because pages and texts may be reworded."""
    csv = sorted((*folder.rglob("tables/*.csv"), *folder.glob("*/score*"), *folder.glob("*/check.json")))
    return {str(path.relative_to(folder)): path.read_bytes() for path in csv}


def compare(before: Path, after: Path) -> int:
    old, new = tables(before), tables(after)
    differing = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    for name in differing:
        state = "only before" if name not in new else "only after" if name not in old else "differs"
        print(f"{state}: {name}")  # noqa: T201
    print(f"{len(old)} tables before, {len(new)} after, {len(differing)} differ")  # noqa: T201
    return 1 if differing else 0


def main(arguments: list[str]) -> int:
    match arguments:
        case ["compare", before, after]:
            return compare(Path(before), Path(after))
        case ["record", folder, *robust]:
            places = [Path(place).resolve() for place in robust]
            Path(folder).mkdir(parents=True)
            os.chdir(folder)  # tables name files: relative to here they are the same in every recording
            irassay(["demo-data", "--out", "collection", *DEMO, "--pool-depth", "20"])
            record(Path("demo"), "collection/qrels.txt", "collection/runs", "collection/groups.txt")
            for place in places:
                record(Path("robust03"), f"{place}/qrels.txt.gz", f"{place}/runs", None)
            return 0
        case _:
            sys.stderr.write(str(__doc__))
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
