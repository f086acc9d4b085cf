"""Which of the given systems a study compares: one of each group, the best, a sample."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from irassay.errors import InputError, IrassayWarning, check_seed
from irassay.measures import parse
from irassay.panel.panel import Panel
from irassay.read.groups import NO_ALIASES, read_groups
from irassay.scoring.scores import Array
from irassay.settings import Inputs, Resampling, Selection, options
from irassay.streams import GROUP_SYSTEMS, SAMPLED_SYSTEMS
from irassay.studies.phrases import systems_compared
from irassay.studies.score_inputs import parse_name

SYSTEM = "SYSTEM"  # the metavar of options that name systems


class Selected(NamedTuple):
    """The places of the systems to compare, warnings, and sentences on what the result is restricted to."""

    places: list[int]
    warnings: list[IrassayWarning]
    restrictions: list[str]


Study = TypeVar("Study", bound=Inputs)


def check_selection(study: Selection) -> None:
    """Options that need each other or a range, before any work."""
    if study.one_per_group and not study.groups:
        raise InputError("--one-per-group needs groups", hint="give a file of 'system group' lines with --groups")
    if study.groups and not study.one_per_group and study.groups_only_select:
        raise InputError("--groups alone selects nothing", hint="add --one-per-group, or leave out --groups")
    if study.by and study.top is None:
        raise InputError("--by alone selects nothing", hint="add --top N, or leave out --by")
    for name, number in (("--top", study.top), ("--sample-systems", study.sample_systems)):
        if number is not None and number < 2:
            raise InputError(f"{name} is {number}", hint="a comparison needs at least two systems")
    if isinstance(study, Resampling) and study.resamples < 1:
        raise InputError(f"there are {study.resamples} samples", hint="resamples is 1 or more, 1000 is usual")
    check_seed(study.seed)
    if study.groups:
        read_groups(Path(study.groups))


def select_systems(
    study: Selection,
    systems: tuple[str, ...],
    means: Mapping[str, Array],
    *,
    aliases: Mapping[str, str] = NO_ALIASES,
    keep: Sequence[str] = (),
) -> Selected:
    """The systems to compare, in input order: one of each group, of these the top N, of these a sample, and `keep`.

    Best is by mean, ties by input order. The draws depend on the seed and on the names to choose from; a group's is
    random too (sakai2008incomplete).
    """
    kept = list(range(len(systems)))
    warnings = []
    steps: dict[str, Any] = {}  # that left systems out
    if study.one_per_group:
        kept = one_per_group(study.seed, systems, Path(str(study.groups)), aliases=aliases)
        steps |= {"groups": len(kept)} if len(kept) < len(systems) else {}
    if study.top is not None:
        by = _by(study, tuple(means))
        scores = means[by]
        if study.top > len(kept):
            warnings.append(_fewer("--top", study.top, len(kept)))
        elif study.top < len(kept):
            steps |= {"best": study.top, "by": by}
        # stable: ties stay in input order
        kept = sorted(sorted(kept, key=lambda i: -scores[i])[: study.top])
    if study.sample_systems is not None:
        places, fewer = sample_systems(study.sample_systems, [systems[i] for i in kept], study.seed)
        steps |= {"sampled": len(places)} if len(places) < len(kept) else {}
        kept = [kept[i] for i in places]
        warnings += fewer
    named = [name for name in keep if place_of(name, systems) not in kept]
    kept = sorted({*kept, *(systems.index(name) for name in named)})
    return Selected(kept, warnings, [systems_compared(len(systems), **steps, named=named)] if steps else [])


def sample_systems(wanted: int, systems: Sequence[str], seed: int) -> tuple[list[int], list[IrassayWarning]]:
    """So many of the systems at random, in input order; all of them, with a warning, where there are fewer."""
    warnings = [_fewer("--sample-systems", wanted, len(systems))] if wanted > len(systems) else []
    return sorted(_shuffled(systems, seed, SAMPLED_SYSTEMS)[:wanted]), warnings


def _shuffled(systems: Sequence[str], seed: int, stream: int) -> list[int]:
    """The places of the systems in random order. Words belong to names in their order: that of the input is nothing."""
    from irassay.compute.philox import words

    by_name = sorted(range(len(systems)), key=systems.__getitem__)
    order = np.argsort(words(len(systems), seed=seed, stream=stream), kind="stable")
    return [by_name[k] for k in order]


def _fewer(option: str, wanted: int, available: int) -> IrassayWarning:
    return IrassayWarning(
        "fewer-systems", f"{option} {wanted}: there are {available} systems, and all of them are taken"
    )


def _by(study: Selection, measures: tuple[str, ...]) -> str:
    """The name of the measure that says which systems are best."""
    if study.by is None or study.by in measures:
        return study.by or measures[0]
    best = parse(study.by)
    for name in measures:
        if [parse_name(name)] == list(best):
            return name
    raise InputError(f"--by {study.by} is not among the measures", hint=f"they are {', '.join(measures)}")


def groups_of(
    systems: Sequence[str], path: Path, kind: str = "group", *, aliases: Mapping[str, str] = NO_ALIASES
) -> dict[str, str]:
    """The group of each system, or its team; one that has none is an error."""
    groups = read_groups(path, aliases)
    strays = [name for name in systems if name not in groups]
    if strays:
        raise InputError(
            f"{len(strays)} of {len(systems)} systems are in no {kind}, the first is {strays[0]}",
            str(path),
            f"add a line 'system {kind}' for each",
        )
    return {name: groups[name] for name in systems}


def one_per_group(
    seed: int, systems: tuple[str, ...], path: Path, *, aliases: Mapping[str, str] = NO_ALIASES
) -> list[int]:
    """One random system of each group, in input order."""
    groups = groups_of(systems, path, aliases=aliases)
    chosen: dict[str, int] = {}
    for i in _shuffled(systems, seed, GROUP_SYSTEMS):
        chosen.setdefault(groups[systems[i]], i)
    return sorted(chosen.values())


def with_names(study: Study, panel: Panel | None) -> Study:
    """The settings with systems named as in the panel: a system answers to its tag, its file's name and its stem."""
    aliases = panel.aliases if panel is not None else {}
    changed: dict[str, Any] = {}
    for name, (_, option) in options(type(study)).items():
        value = getattr(study, name)
        if option.metavar == SYSTEM and value:
            one = isinstance(value, str)
            known = [aliases.get(system, system) for system in ([value] if one else value)]
            changed[name] = known[0] if one else tuple(known)
    return replace(study, **changed)


def place_of(name: str, systems: tuple[str, ...]) -> int:
    """Where a system stands that was asked for by name."""
    if name not in systems:
        near = difflib.get_close_matches(name, systems, n=1) or systems[:1]
        raise InputError(f"there is no system {name!r}", hint=f"one is called {near[0]}")
    return systems.index(name)
