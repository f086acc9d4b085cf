"""Cases: files and a command, each drawn from a seed; and which of them there are."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz import seeds
from tests.fuzz.generated import Collection, random_collection, written
from tests.fuzz.mutation import NAMES, NUMBERS, VALUES, damaged, damaged_json, token
from tests.fuzz.options import some_options

MEASURES = ("AP", "nDCG@10", "Q", "P@5", "RR", "Bpref", "RBP(p=0.8)", "ERR@10", "AP'", "Rprec", "R@3", "SetF", "PPlus")
DATA = ("score", "qrels", "run", "--per-topic", "--format", "csv")


@dataclass(frozen=True)
class Case:
    """A command in a folder with some files."""

    target: str
    seed: int
    files: dict[str, bytes]
    arguments: tuple[str, ...]
    collection: Collection | None = None  # what the files hold, where they are valid


def measures(rng: random.Random) -> str:
    return " ".join(rng.sample(MEASURES, 3))


def _other_files(rng: random.Random, of: dict[str, bytes]) -> list[bytes]:
    return [rng.choice(list(of.values())), rng.choice(list(seeds.RUNS.values()))]


def trec(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Damaged judgments or runs in TREC's columns, whose scores are checked where they are accepted."""
    collection = random_collection(rng, odd=False)
    qrels, runs = written(rng, collection, "TREC", packed=False)
    files = {"qrels": qrels} | {f"run{number}": run for number, run in enumerate(runs)}
    for name in rng.sample(list(files), rng.choice((1, 1, 2))) if len(files) > 1 else files:
        files[name] = damaged(rng, files[name], [*files.values()])
    return files, (*DATA[:2], *list(files)[1:], *DATA[3:], "-m", measures(rng))


def runs(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """A damaged run of any format."""
    run = damaged(rng, rng.choice(list(seeds.RUNS.values())), _other_files(rng, seeds.RUNS))
    command = rng.choice((DATA, ("check", "qrels", "run"), ("trec_eval", "-q", "-m", "all_trec", "qrels", "run")))
    return {"qrels": seeds.TREC_QRELS, "run": run}, (*command, *(("-m", measures(rng)) if command == DATA else ()))


def judgments(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Damaged judgments of any format."""
    qrels = damaged(rng, rng.choice(list(seeds.JUDGMENTS.values())), _other_files(rng, seeds.JUDGMENTS))
    command = rng.choice((DATA, ("check", "qrels", "run"), ("judges", "qrels", "qrels2")))
    files = {"qrels": qrels, "run": seeds.TREC_RUN, "qrels2": seeds.TREC_QRELS}
    return files, (*command, *(("-m", measures(rng)) if command == DATA else ()))


def score_tables(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    table = damaged(rng, rng.choice(list(seeds.SCORES.values())), _other_files(rng, seeds.SCORES))
    return {"scores": table}, ("power", "--scores", "scores", "--resamples", "20", "--alpha", "0.1", "--format", "json")


def groups(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    members = damaged(rng, seeds.GROUPS["groups"], [seeds.TREC_RUN])
    files = {"scores": seeds.SCORES["long"], "groups": members}
    return files, ("swap", "--scores", "scores", "--groups", "groups", "--one-per-group", "--resamples", "20")


def topics(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    listed = damaged(rng, rng.choice(list(seeds.TOPICS.values())), list(seeds.TOPICS.values()))
    given = "@topics" if rng.random() < 0.6 else listed[:2000].decode("utf-8", "replace")
    command = ("score", "qrels.txt", "runs", "-m", "AP", "--format", "csv", f"--topics={given}")
    return {**seeds.collection(), "topics": listed}, command


def measure_names(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    names = " ".join(rng.sample(seeds.MEASURES, rng.choice((1, 1, 2, 3)))).encode()
    text = damaged(rng, names, [name.encode() for name in (*seeds.MEASURES, *NAMES, *NUMBERS)])
    command = ("score", "qrels.txt", "runs", "--format", "csv", "-m", text[:3000].decode("utf-8", "surrogateescape"))
    return seeds.collection(), command


def result_folders(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """A saved result with other values in its record, or with a damaged table."""
    name = rng.choice(list(seeds.results()))
    files = dict(seeds.results()[name])
    record, words = files["result.json"], seeds.words_of(name)
    kind = rng.randrange(4)
    if kind < 3:
        files["result.json"] = damaged_json(rng, record, words)
    if kind == 2 or kind == 3:
        table = rng.choice([path for path in files if path.startswith("tables/") and path.endswith(".csv")])
        files[table] = damaged(
            rng, files[table], [record, *(word.encode("utf-8", "surrogateescape") for word in words)]
        )
    if rng.random() < 0.1:
        files["result.json"] = damaged(rng, files["result.json"], [record])
    return {f"result/{path}": content for path, content in files.items()}, ("report", "result", "-o", "page.html")


def collections_files(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    toml = damaged(rng, seeds.TOML, [seeds.TOML, token(rng)])
    if rng.random() < 0.3:
        value = rng.choice(("true", "[]", "{}", "1979-05-27", "[[1]]", "nan", "'x'", "-1", str(rng.choice(VALUES))))
        lines = toml.split(b"\n")
        at = rng.randrange(len(lines))
        lines[at] = lines[at].partition(b"=")[0] + b"= " + value.encode()
        toml = b"\n".join(lines)
    command = rng.choice((("score",), ("check",), ("swap", "--resamples", "20")))
    return {**seeds.collection(), "irassay.toml": toml}, (command[0], "irassay.toml", *command[1:])


def options(rng: random.Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Any study with any options on files that are fine."""
    return {**seeds.collection(), "topics": seeds.TOPICS["topics"]}, some_options(rng)


Draw = Callable[[random.Random], tuple[dict[str, bytes], tuple[str, ...]]]
DAMAGED: dict[str, Draw] = {
    "trec": trec,
    "runs": runs,
    "judgments": judgments,
    "score tables": score_tables,
    "groups": groups,
    "topics": topics,
    "measures": measure_names,
    "result folders": result_folders,
    "collections files": collections_files,
    "options": options,
}
TARGETS = (*DAMAGED, "formats")


def case(target: str, seed: int) -> Case:
    """The case of a seed."""
    rng = random.Random(f"{target} {seed}")
    if target != "formats":
        return Case(target, seed, *DAMAGED[target](rng))
    from tests.fuzz.generated import FORMATS

    collection = random_collection(rng, odd=True)
    qrels, runs = written(rng, collection, rng.choice(FORMATS), packed=True)
    files = {"qrels": qrels} | {f"run{number}": run for number, run in enumerate(runs)}
    return Case(target, seed, files, (*DATA[:2], *list(files)[1:], *DATA[3:], "-m", measures(rng)), collection)
