"""Options of any study, with values that fit, that do not, and that nobody can have meant."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import click

from irassay.cli.study_command import study_command
from irassay.studies.registry import studies
from tests.fuzz.mutation import NAMES, NUMBERS
from tests.fuzz.seeds import MEASURES

# other machines, and what writes files
LEFT_OUT = {"cluster", "device", "out", "force", "help", "output", "write_qrels", "export"}
# Between these the work may be more than a fuzzer has time for, and no error.
SMALL, HUGE = (-1, 0, 1, 2, 3, 5, 20, 30), (10**13, 2**63 - 1, 2**63, 2**64, 10**30)
TEXTS = (
    *("1", "1-3", "a", "b", "a,b", "scores.csv", "groups.txt", "topics", "@topics", "qrels.txt", "runs", "runs/a", "."),
    *("1=1,2=3", "{1:1,2:3}", "50,10", "3,5", "0.1,0.2", "t", "AP", "5%", "2G", "1K", "1e9G", "no such file", "none"),
)
SAMPLES = ("resamples", "images", "samples", "replicates", "trials")
STUDIES = tuple(name for name in studies() if name not in ("study", "paper", "score"))


@cache
def _parameters(name: str) -> dict[str, click.Option]:
    parameters = study_command(studies()[name]).params
    options = [one for one in parameters if isinstance(one, click.Option) and one.name not in LEFT_OUT]
    return {str(one.name): one for one in options}


def _value(rng: random.Random, option: click.Option) -> str:
    kind: Any = option.type
    if rng.random() < 0.15:
        return rng.choice((*NAMES, *NUMBERS)).replace("\0", "")
    if isinstance(kind, click.Choice):
        return str(rng.choice(list(kind.choices)))
    if isinstance(kind, click.types.IntParamType):
        return str(rng.choice(SMALL * 2 + HUGE))
    if isinstance(kind, click.types.FloatParamType):
        return rng.choice(("0.05", "0.5", "0.1", "0", "1", "-1", "1e-320", "1e308", "nan", "inf", "-inf", "0.999999"))
    return rng.choice((*TEXTS, *MEASURES))


def some_options(rng: random.Random) -> tuple[str, ...]:
    """A command on `tests.helpers.bad_input`'s files."""
    name = rng.choice(STUDIES)
    study, options = studies()[name], _parameters(name)
    chosen = rng.sample(sorted(options), min(len(options), rng.choice((1, 1, 2, 3))))
    data = {"none": [], "judgments": ["qrels.txt", "qrels.txt"]}.get(study.data, ["qrels.txt", "runs"])
    arguments = [name, *data]
    for key in [*chosen, *(key for key in SAMPLES if key in options and key not in chosen)]:
        option = options[key]
        flag = option.opts[-1]
        if option.is_flag:
            arguments.append(flag)
        else:
            arguments.append(f"{flag}={'20' if key not in chosen else _value(rng, option)}")
    return tuple(arguments)
