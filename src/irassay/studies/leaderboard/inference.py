"""What may be inferred from a leaderboard: intervals, tests of pairs, rank sets and the best set, by kind of tasks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtr, stdtrit

from irassay.ask import leaderboard as ask
from irassay.ask.corrections import check_reachable, holm
from irassay.ask.intervals import Bounds
from irassay.ask.methods import FAMILY_INTERVALS, FAMILY_TESTS, INTERVALS, TESTS, Comparisons
from irassay.ask.pairs import Pairs, all_pairs
from irassay.ask.rank_sets import (
    TOPICS_PER_SYSTEM,
    RankSets,
    covariance_factor,
    drawn_rank_sets,
    mean_draws,
    rank_sets,
    simultaneous_critical,
)
from irassay.errors import InputError
from irassay.read.groups import read_members
from irassay.scoring.scores import Array
from irassay.studies.leaderboard.board import Board
from irassay.studies.leaderboard.settings import Leaderboard
from irassay.vary.labels import LabelPlan
from irassay.vary.topics import TopicPlan

LEAST = 6  # collections, or families of them, that a random sample needs
AS_IF = "as if these tasks were a random sample; leaderboards rarely are"


@dataclass(frozen=True, eq=False)
class Inference:
    """What holds of means and pairs; what cannot be said is None.

    `label` is short; `how` says in a sentence what the tests and intervals are. Arrays of pairs are as `all_pairs`.
    Where nothing is `sampled`, bounds and ranks are for missing results only.
    """

    label: str
    how: str
    mean_bounds: Bounds | None = None
    bounds: Bounds | None = None
    p: Array | None = None
    corrected: Array | None = None
    ranks: RankSets | None = None
    sampled: bool = True

    @property
    def tested(self) -> bool:
        return self.p is not None


def infer(study: Leaderboard, board: Board, jobs: int) -> Inference:
    if study.tasks == "weights":
        return Inference(
            "all weightings of the collections",
            "Nothing is inferred: weights of the collections vary evenly over all weightings (Dirichlet(1)). "
            "That is sensitivity, not confidence.",
        )
    if study.tasks == "random":
        return _random(study, board, jobs)
    topics = board.per_topic
    if np.isnan(board.scores).any():
        return _bounds(study, board, topics)
    if topics is None:
        return Inference(
            "these collections, no interval",
            "Without scores per topic on every collection there is no interval, no test and no rank set.",
        )
    return _fixed(study, board, topics, jobs)


def _fixed(study: Leaderboard, board: Board, topics: list[Array], jobs: int) -> Inference:
    errors = ask.topic_errors(board.scores, topics)
    variance, freedom = ask.mean_errors(topics)
    t = ask.t_statistics(errors.difference, errors)
    pairs = all_pairs(len(board.systems))
    total = sum(values.shape[1] for values in topics)
    if total >= TOPICS_PER_SYSTEM * len(board.systems):
        check_reachable(study.alpha, 1, study.resamples, "rank sets")
        factor = covariance_factor(ask.covariance(topics))
        draws = mean_draws(factor, study.resamples, seed=study.seed, jobs=jobs)
        ranks = drawn_rank_sets(t, errors.freedom, errors.variance, draws, study.alpha, jobs)
        tail = 1.0 - float(ndtr(simultaneous_critical(errors.variance, draws, study.alpha, jobs)))
        how = f"Ranks by the largest t of {draws.shape[0] * draws.shape[2]:,} draws (step-down)"
    else:
        ranks = rank_sets(stdtr(errors.freedom, -t), study.alpha)
        tail = study.alpha / 2.0 / len(pairs[0])
        how = f"Ranks by Holm, because {total} topics are too few for draws of {len(board.systems)} systems"
    p = ask.two_sided(errors)[pairs]
    return Inference(
        "these collections, topics sampled",
        f"Topics are a sample within each of these collections (Welch's t). {how}.",
        _around(board.scores.mean(axis=1), variance, freedom, study.alpha / 2.0),
        _around(errors.difference[pairs], errors.variance[pairs], errors.freedom[pairs], tail),
        p,
        holm(p),
        ranks,
    )


def _bounds(study: Leaderboard, board: Board, topics: list[Array] | None) -> Inference:
    """Ranks that neither fill-in nor, where there are topics, sampling excludes; pairs on what both have."""
    low, high = ask.fill_in(board.scores)
    systems, pairs = len(board.systems), all_pairs(len(board.systems))
    worst = low.mean(axis=1)[:, None] - high.mean(axis=1)[None, :]  # of i against j
    np.fill_diagonal(worst, 0.0)
    label = "these collections, missing results bounded"
    how = "Missing results lie between the worst and the best score that any system has on the collection."
    if topics is None:
        nothing = np.zeros((systems, systems))
        filled = ask.PairErrors(worst, nothing, np.full_like(nothing, np.inf), nothing.astype(np.int64))
        sets = rank_sets(stdtr(np.inf, -ask.t_statistics(worst, filled)), study.alpha)
        hull = low.mean(axis=1), high.mean(axis=1)
        return Inference(label, f"{how} Sampling is not in it.", hull, ranks=sets, sampled=False)
    constant = [np.nan_to_num(values) for values in topics]  # what is filled in does not vary
    filled = ask.topic_errors(low, constant)
    sets = rank_sets(stdtr(filled.freedom, -ask.t_statistics(worst, filled)), study.alpha)
    variance, freedom = ask.mean_errors(constant)
    lowest = _around(low.mean(axis=1), variance, freedom, study.alpha / 2.0)[0]
    highest = _around(high.mean(axis=1), variance, freedom, study.alpha / 2.0)[1]
    errors = ask.topic_errors(board.scores, topics)
    p = ask.two_sided(errors)[pairs]
    known = ~np.isnan(p)
    corrected = np.full_like(p, np.nan)
    corrected[known] = holm(p[known])
    tail = study.alpha / 2.0 / max(1, int(known.sum()))
    bounds = _around(errors.difference[pairs], errors.variance[pairs], errors.freedom[pairs], tail)
    how += " Topics are a sample within each collection (Welch's t, Holm); pairs are compared where both have results."
    return Inference(label, how, (lowest, highest), bounds, p, corrected, sets)


def _around(middle: Array, variance: Array, freedom: Array, tail: float) -> Bounds:
    # where a difference does not vary its degrees of freedom do not matter
    half = -stdtrit(freedom, tail) * np.sqrt(variance)
    return middle - half, middle + half


def _random(study: Leaderboard, board: Board, jobs: int) -> Inference:
    scores, names = board.scores, board.collections
    families = None if study.families is None else read_families(study.families, names)
    units = len(names) if families is None else int(families.max()) + 1
    what = "collections" if families is None else "families of collections"
    if units < LEAST:
        raise InputError(
            f"there are {units} {what}, and a random sample of them needs {LEAST}",
            hint="use --tasks fixed, which takes these collections as they are, or --tasks weights",
        )
    pairs = all_pairs(len(scores))
    test = TESTS[study.test] if families is None else FAMILY_TESTS["cluster-t"]
    _check_reachable(study, len(pairs[0]), units, what)
    interval = (FAMILY_INTERVALS if families is not None else INTERVALS)[test.interval or "t"]
    data = _comparisons(study, scores, pairs, families, jobs)
    p = test.p_values(data)
    beside = np.vstack([scores, np.zeros(len(names))])  # a mean is the difference to a system that scores 0
    alone = np.arange(len(scores)), np.full(len(scores), len(scores))
    one_sided = _one_sided(data.differences.mean(axis=1), p, pairs, len(scores))
    how = f"{test.label} over {units} {what}, p-values corrected by Holm. {test.note}".strip()
    return Inference(
        f"as if {what} were a random sample",
        f"{how} Topics are not sampled again. All of it holds {AS_IF}.",
        interval.bounds(_comparisons(study, beside, alone, families, jobs), study.alpha),
        interval.bounds(data, study.alpha / len(pairs[0])),
        p,
        holm(p),
        rank_sets(one_sided, study.alpha),
    )


def _one_sided(difference: Array, p: Array, pairs: Pairs, systems: int) -> Array:
    """p-values of "i is not better than j" [systems, systems] from two-sided ones."""
    one = np.full((systems, systems), 0.5)
    above = np.where(difference > 0, p / 2, 1 - p / 2)
    above[difference == 0] = 0.5
    first, second = pairs
    one[first, second], one[second, first] = above, 1 - above
    return one


def _comparisons(
    study: Leaderboard, scores: Array, pairs: Pairs, families: NDArray[np.int64] | None, jobs: int
) -> Comparisons:
    collections = scores.shape[1]
    labels = LabelPlan(study.seed, collections, study.resamples)
    return Comparisons(
        scores=np.ascontiguousarray(scores),
        pairs=pairs,
        topic_samples=TopicPlan(study.seed, collections, study.resamples),
        sample_sums=_not_offered,
        sign_flips=labels.signs,
        all_flips=labels.exact,
        permuted_ranges=_not_offered,
        max_t=_not_offered,
        families=families,
        jobs=jobs,
    )


def _not_offered() -> Any:
    raise AssertionError("the settings offer no such test or interval over collections")


def _check_reachable(study: Leaderboard, comparisons: int, units: int, what: str) -> None:
    """Whether any p-value could survive the correction, before any work."""
    test = TESTS[study.test]
    if test.resampling and study.test == "paired-bootstrap":
        check_reachable(study.alpha, comparisons, study.resamples, f"{study.test}, holm")
    smallest = 0.0 if test.floor is None else float(test.floor(np.array([units]), units)[0])
    if smallest * comparisons >= study.alpha:
        needed = study.alpha / comparisons
        raise InputError(
            f"{test.label} over {units} {what} has no p-value below {smallest:.2g}, and Holm over {comparisons:,} "
            f"pairs needs one below {needed:.2g}: nothing could be significant",
            hint="use --test t, fewer systems (--top N), or more collections",
        )


def read_families(path: str, names: tuple[str, ...]) -> NDArray[np.int64]:
    """The place of each collection's family among the families."""
    members = read_members(Path(path), "collection", "family")
    strays = [name for name in names if name not in members]
    if strays:
        raise InputError(
            f"{len(strays)} of {len(names)} collections are in no family, the first is {strays[0]}",
            path,
            "add a line 'collection family' for each; one that belongs to no other has a family of its own",
        )
    of_name = [members[name].group for name in names]
    place = {family: n for n, family in enumerate(dict.fromkeys(of_name))}
    return np.array([place[family] for family in of_name], dtype=np.int64)
