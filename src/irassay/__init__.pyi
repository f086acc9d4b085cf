"""The public names of irassay. Made by `make docs` from the settings of the studies."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from irassay._version import __version__ as __version__
from irassay.measures import Record
from irassay.ask.replicates import Replicates as Replicates
from irassay.errors import InputError as InputError, IrassayWarning as IrassayWarning, MissingExtraError as MissingExtraError
from irassay.measures import Measure as Measure, measure as measure, parse as parse
from irassay.panel.alignment import align as align
from irassay.panel.panel import Panel as Panel
from irassay.read import Qrels as Qrels, Run as Run, Runs as Runs, read_qrels as read_qrels, read_runs as read_runs
from irassay.report.folder import save_result as save_result
from irassay.report.load import load_result as load_result
from irassay.result import Figure as Figure, Result as Result, Table as Table
from irassay.scoring.score_tables import read_scores as read_scores
from irassay.scoring.scores import Scores as Scores
from irassay.studies.collections import Collection as Collection, read_collections as read_collections
from irassay.studies.study.run import FullStudyResults as FullStudyResults
from irassay.vary.replicates import replicates as replicates
from irassay.vary.variation import Observed as Observed

__all__: list[str]

Measures = str | Measure | Record | Iterable[str | Measure | Record]
ScoreTables = str | os.PathLike[str] | Scores | Sequence[str | os.PathLike[str] | Scores]

def report(
    results: Result | str | os.PathLike[str] | Mapping[str, Result] | Iterable[Result | str | os.PathLike[str]],
    path: str | os.PathLike[str] = "report.html",
    title: str | None = None,
) -> None:
    """One page from results, or from folders that hold them: what `irassay report` writes."""

def score(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'zero',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    measures: Measures = ('AP nDCG@10 P@10 RR',),
    per_topic: bool = False,
    wide: bool = False,
    digits: int | None = None,
    jobs: int | None = None,
) -> Result:
    """Score runs: a number for every system and measure, or for every topic as well.

    qrels are relevance judgments; runs is a run file, a directory of them, or a glob. `irassay
    measures` lists what can be measured.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: zero.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    measures
        Measures, separated by spaces; one or several. Default: AP nDCG@10 P@10 RR.
    per_topic
        A row for every topic, instead of one over all topics.
    wide
        A row for every topic and a column for every system.
    digits
        Decimals shown of scores and differences. Default: two significant digits of the smallest
        standard error in the column, 2 to 5 decimals.
    jobs
        Threads to use. Default: the cores this process may use.

    Returns
    -------
    Result
        Tables: `scores`, long or wide; `overview`, systems by measures for the screen; `measures`,
        their names.
    """

def check(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'zero',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    measures: Measures = ('AP P@10',),
    corpus_size: int | None = None,
    pool_depth: int | None = None,
    groups: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
) -> Result:
    """Describe judgments and runs, and list potential problems.

    qrels are relevance judgments; runs is a run file, a directory of them, or a glob. Five tables: the
    collection, the judgments, the systems, how far ties move the scores, and the problems, each with
    its file and line.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: zero.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    measures
        Show with these measures how far the order of tied documents moves the scores. Default: AP P@10.
    corpus_size
        Documents in the corpus: can it hold all that are retrieved or judged?
    pool_depth
        Depth of the pool: look for unjudged documents in the first K ranks. Default: as the judgments
        show it.
    groups
        Which group each system is from: lines of 'system group'.
    jobs
        Threads to use. Default: the cores this process may use.

    Returns
    -------
    Result
        Tables: `collection`, `judgments`, `systems`, `ties` and `problems`.
    """

def compare(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP nDCG@10',),
    scores: ScoreTables = (),
    resamples: int = 10000,
    baseline: str | Sequence[str] | None = None,
    test: Literal['t', 'paired-bootstrap', 'randomization', 'wilcoxon', 'sign', 'tukey', 'wild-cluster'] = 't',
    correction: Literal['holm', 'bonferroni', 'bh', 'stepdown', 'none'] | None = None,
    interval: Literal['t', 'bootstrap-t', 'bca', 'percentile'] | None = None,
    alpha: float = 0.05,
    confidence: float | None = None,
    equivalence: float | None = None,
    digits: int | None = None,
    topic_groups: str | os.PathLike[str] | None = None,
    topic_families: str | os.PathLike[str] | None = None,
    losses: float | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Compare systems on the same topics: differences with their intervals, p-values, effect sizes.

    With baseline every other system is compared with it (or with each of several); without, all pairs
    of systems are compared, and systems that share a letter are not significantly different (which does
    not say that they are equal).

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP nDCG@10.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics, sign flips or permutations. Default: 10000.
    baseline
        The system that all others are compared with; top keeps it; one or several: others are then
        compared with each, and all comparisons of a measure are corrected together.
    test
        't' Student's paired t; 'paired-bootstrap' its bootstrap; 'randomization' flips signs;
        'wilcoxon' signed ranks, not the mean; 'sign' topics won and lost, not the mean; 'tukey'
        randomised Tukey HSD, for all pairs at once; 'wild-cluster' flips signs of families, with
        topic_families. Default: t.
    correction
        For the number of comparisons: Holm, Bonferroni, Benjamini and Hochberg, 'stepdown' the largest
        |t| of all pairs (Romano and Wolf; for many systems, with test t), none. Default: holm; tukey
        takes none.
    interval
        Intervals by Student's t, or from samples of the topics: 'bootstrap-t', 'bca', 'percentile'.
        Default: t; of differences under tukey and stepdown their own.
    alpha
        Significance level. Default: 0.05.
    confidence
        Confidence of intervals. Default: 1 - alpha.
    equivalence
        Also test whether differences lie within ± MARGIN (two one-sided t tests).
    digits
        Decimals shown of scores and differences. Default: two significant digits of the smallest
        standard error in the column, 2 to 5 decimals.
    topic_groups
        Groups of topics: lines of 'topic group'; scores and differences in each, and if differences
        depend on it.
    topic_families
        Topics that depend on each other, such as rewordings: lines of 'topic family'; t tests and
        intervals are then cluster-robust.
    losses
        Also list the topics lost to the baseline by more than D.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `comparison`, one row a measure and system; `pairs`, one row a comparison; `topics`;
        `anova`.

        With a baseline also `topic_differences`, with losses also `losses`, with topic_groups also
        `groups`, `group_differences` and `group_interaction`. `irassay.studies.compare.view.paper` lays
        the comparison out for a paper.
    """

def leaderboard(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('nDCG@10',),
    scores: ScoreTables = (),
    resamples: int = 10000,
    tasks: Literal['fixed', 'random', 'weights'] = 'fixed',
    families: str | os.PathLike[str] | None = None,
    missing: Literal['error', 'drop-systems', 'drop-collections', 'bounds'] = 'error',
    standardise: bool = False,
    test: Literal['t', 'paired-bootstrap', 'randomization', 'wilcoxon', 'sign'] = 't',
    alpha: float = 0.05,
    digits: int | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """Rank systems by their mean over several collections, with the ranks and the first places that tests
    leave open.

    Give a collections file (irassay.toml), a folder of results as MTEB writes them (a folder for each
    system, with a file for each collection), or score tables: per topic where there are any, else one
    score for each collection.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        With top, the collection by which systems are best. Default: the mean.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        The measure; of tables and result folders it is chosen where they have several. Default:
        nDCG@10.
    scores
        Score tables or folders of results; one or several.
    resamples
        Random draws. Default: 10000.
    tasks
        What the collections are: 'fixed' just these, topics sampled within them; 'random' as if a
        random sample of collections (6 or more); 'weights' all ways to weigh them, which is sensitivity
        and no confidence. Default: fixed.
    families
        Collections that belong together: lines of 'collection family'; with tasks random families are
        the sample.
    missing
        Systems without a score somewhere: stop, leave out these systems, leave out these collections,
        or 'bounds': the ranks for the worst and the best score that any system has there. Default:
        error.
    standardise
        Subtract each collection's mean over systems and divide by their standard deviation, before
        averaging.
    test
        With tasks random, the test of pairs over collections: t, paired-bootstrap, randomization,
        wilcoxon, sign. Default: t.
    alpha
        Level of tests, rank sets and best set; intervals are at 1 - alpha. Default: 0.05.
    digits
        Decimals shown of scores and differences. Default: two significant digits of the smallest
        standard error in the column, 2 to 5 decimals.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `leaderboard`, one row a system; `pairs`; `collections`; `without`; `ranks`; `groups`;
        `win_matrix`; `redundancy`.

        With tasks random also `critical_difference`, with tasks weights `weightings` and
        `weighted_pairs`. In Python `data` is a collections file or `Collection` objects, a folder or
        table, a frame, or {collection: scores}, where scores are a `Panel`, `Scores`, or a number for
        each system.
    """

def design(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP nDCG@10',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    min_difference: float = 0.05,
    power: float = 0.8,
    alpha: float = 0.05,
    correction: Literal['none', 'bonferroni'] = 'none',
    width: float | None = None,
    systems: int | None = None,
    reliability: float = 0.95,
    by_size: bool = False,
    cheap: Any = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """How many topics are needed to find a difference that matters, and how well the scores at hand
    generalise.

    The variance comes from the scores (two-way residual), the difference from you: the one that would
    matter. The power for the topics at hand is for that difference; power for the difference that was
    observed says nothing new.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP nDCG@10.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    min_difference
        The smallest difference in score that matters. Default: 0.05.
    power
        The chance to find it. Default: 0.8.
    alpha
        Significance level; the intervals planned for have confidence 1 - alpha. Default: 0.05.
    correction
        Alpha of the t test and the interval: per comparison, or divided by the number of pairs of
        systems. Default: none.
    width
        The width that an interval of a difference may have. Default: 2·D.
    systems
        Systems of the analyses of variance and of the correction. Default: as many as there are.
    reliability
        The generalisability that is wanted. Default: 0.95.
    by_size
        Also the estimated difference and swap's required one by the number of topics.
    cheap
        Also how many topics a trusted judge needs beside these judgments of a cheap one, which has
        judged topics of qrels too (`irassay estimate`).
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `design`, `topics_needed` (intervals), `across_pairs`, `generalizability` and
        `coefficients` (intervals).

        With by_size also `by_size`, with cheap `trusted_needed`; `design_curve`, `d_study` and
        `trusted_curve` are for the figures.
    """

def uncertainty(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP Q nDCG@10 RR',),
    scores: ScoreTables = (),
    vary: str | Sequence[str] | None = None,
    ask: str | Sequence[str] | None = None,
    replicates: int = 1000,
    size: int | None = None,
    without_replacement: bool = False,
    halves: bool = False,
    corpus_size: int | None = None,
    keep: int = 50,
    depths: str = '5,10,20,50',
    pool_depth: int | None = None,
    model: Literal['bst', 'kde'] = 'bst',
    schemes: str | None = None,
    judges: Any = (),
    probabilities: str | os.PathLike[str] | None = None,
    judged_depth: int | None = None,
    direction: Literal['judge', 'reference'] = 'judge',
    errors: Literal['topics', 'pooled'] = 'topics',
    details: int = 20,
    export: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """The uncertainty budget: how far scores, differences, ranks and verdicts move under every source of
    variation.

    What varies: topics (samples of these topics), documents (bootstrap corpora), judgments (a part of
    them), unjudged (the missing judgments, drawn), pools (shallower ones), simulation (lists with
    scores like these), ties (the order of documents with equal scores), gains (other gain schemes), and
    with judge also judges (the labels of another one) and labels (drawn again with a judge's errors).
    documents+topics, and so on, draws both in one replicate. What is asked: spread, ranks, order,
    reversals, verdicts; swap and stability with a second, independent set.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG@10 RR.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    vary
        What varies: topics, documents, judgments, unjudged, pools, simulation, ties, gains, judges,
        labels, or one of them with topics, as documents+topics. Default: all that the data allow.
    ask
        What is asked: spread, ranks, order, reversals, verdicts, swap, stability. Default: spread,
        ranks, order, reversals, verdicts.
    replicates
        Replicates of each variation that is drawn. Default: 1000.
    size
        Topics: topics in a sample. Default: as many as there are.
    without_replacement
        Topics: draw without replacement; needs size.
    halves
        Topics: half of the topics, without replacement.
    corpus_size
        Documents: documents in the corpus.
    keep
        Judgments: per cent of them that are kept. Default: 50.
    depths
        Pools: depths of the pools. Default: 5,10,20,50.
    pool_depth
        Pools: depth to which runs were pooled, to leave groups out. Default: as the judgments show it,
        else 100.
    model
        Simulation: resample scores, or draw from fitted densities. Default: bst.
    schemes
        Gains: gains of each grade, one {…} a scheme. Default: binary, linear, exponential.
    judges
        Judges, labels: judgments of one more judge; one or several.
    probabilities
        Unjudged: probabilities of relevance, lines of 'topic document probability'. Default: learned
        from the judgments.
    judged_depth
        Unjudged: rank down to which documents were judged because runs have them there. Default: seen
        from the judgments.
    direction
        Labels: draw what such a judge would say, given the reference, or what the reference would,
        given the judge. Default: judge.
    errors
        Labels: errors of whole topics, or of all labels as if they did not depend on each other.
        Default: topics.
    details
        Keep the scores on each topic and the first 20 documents of the N best systems by the first
        measure, for a report to look into; 0: none. Default: 20.
    export
        Write every replicate's system means to this .csv or .parquet file.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `budget` and `scenarios`, and what answers the questions.

        spread: `pairs`. ranks: `systems`, `scenario_systems`. order: `order`, `between_measures`.
        reversals: `reversals`. verdicts: `verdicts`, `pairs`. `swap` and `stability` as named.
        `left_out` says what could not vary, and why. Beside them the `leaderboard` of all systems, and
        of the best ones `topic_scores` and `top_documents`. `budget_figure` is what the figure of the
        budget draws.
    """

def power(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP Q nDCG@10 RR',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    alpha: str | float | Sequence[float] = '0.05,0.01',
    paired: bool = False,
    unpaired: bool = False,
    one_tailed: bool = False,
    second_topics: str | Sequence[str] | None = None,
    other_tests: str = '',
    histogram: bool = False,
    pair: str | Sequence[str] = (),
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Discriminative power: the share of system pairs that each measure calls significantly different.

    A bootstrap test for every pair of systems and every measure (Sakai). The estimated difference is
    the largest over pairs. Levels are per comparison and not corrected for how many there are.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG@10 RR.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    alpha
        Significance levels, such as 0.05,0.01. Default: 0.05,0.01.
    paired
        The paired test (the default; together with unpaired both).
    unpaired
        The unpaired test, which every measure has, also GM and AREA.
    one_tailed
        Test whether the system given first is better, which must have been expected before seeing the
        scores.
    second_topics
        In unpaired tests the second system of each pair answers these topics, and the first one all
        others: 426-450, or 401,405, or @FILE.
    other_tests
        Also count what these tests decide, for comparison: t, wilcoxon, sign. Default: .
    histogram
        Also how the paired statistic of one pair is distributed under H0.
    pair
        The pair of the histogram: two systems. Default: the best and the median one.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `power`, `pairs`, `system_means`, `power_bars` and `asl_curves` for the figures.

        With a histogram also `histogram` and `pair`; with other tests `other_tests`; of more pairs than
        a table in memory holds also `best_pairs`.
    """

def swap(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP Q nDCG@10 RR',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    swap_rate: float = 0.05,
    bin_width: float = 0.01,
    bins: int = 21,
    disjoint: bool = False,
    independent_halves: bool = False,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Swap method: the difference from which on samples of the topics swap at most 5 of 100 pairs of
    systems.

    Two independent sets of topic samples; a swap is a pair that changes order between them. With
    disjoint the sets are halves of the topics without a common one (Voorhees & Buckley), with
    independent_halves two halves drawn independently (Sanderson & Zobel): the answer then holds for
    half as many topics.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG@10 RR.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    swap_rate
        The largest swap rate that is low enough. Default: 0.05.
    bin_width
        Width of the bins of differences. Default: 0.01.
    bins
        Number of bins, the last one open. Default: 21.
    disjoint
        Disjoint halves of the topics instead of samples with replacement.
    independent_halves
        Two halves of the topics, each drawn without replacement and without regard to the other.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `swap`, one row a measure, and `swap_bins`.
    """

def stability(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP Q nDCG@10 RR',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    fuzziness: str | float | Sequence[float] = '0.01-0.20',
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Stability method: minority rate and proportion of ties, for differences within a margin called ties.

    For every fuzziness f a difference below f times the better score is a tie. A measure is the better
    the lower both the minority rate (samples that contradict the majority) and the proportion of ties
    are.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG@10 RR.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    fuzziness
        Margins: 0.01,0.05,0.1 or a range in steps of 0.01. Default: 0.01-0.20.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Table: `stability`.
    """

def agreement(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP Q nDCG@10 RR',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    alpha: float = 0.05,
    rbo_p: float = 0.9,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Agreement between measures: Kendall's tau with its test, tau_b, tau_AP and RBO, and verdicts on
    pairs.

    The interval on tau is over samples of the topics, the same ones for both measures: the hull of the
    percentile interval and of its reflection at tau.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG@10 RR.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    alpha
        Significance level of the verdicts. Default: 0.05.
    rbo_p
        Persistence of rank-biased overlap. Default: 0.9.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `agreement` (every ordered pair of measures), `intervals` and `verdicts`.
    """

def judges(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP nDCG@10 RBP(p=0.8)',),
    judges: Any = (),
    map: str | Sequence[str] = (),
    highest: int | None = None,
    coefficients: Literal['usual', 'all'] = 'usual',
    ranks: str = '10,30,100',
    resamples: int = 1000,
    alpha: float = 0.05,
    top_k: int = 10,
    rbo_p: float = 0.9,
    human: str | None = None,
    teams: str | os.PathLike[str] | None = None,
    permutations: int = 9999,
    group_depth: int = 20,
    relevant: int = 1,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """Compare judges: their labels, the orders of systems they lead to, verdicts, and whether they favour
    a group.

    The first qrels is the reference. Of the other files those that hold judgments are judges, those
    that hold runs are systems, in any format; judge says so of a file that could be either. Without
    runs only labels are compared. With three judges or more their majority is a further one. Judges
    without a common topic are compared by their systems alone.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections.
    runs
        Judgments of other judges, and runs: paths, told apart by their columns, and what `read_qrels`
        and `read_runs` returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP nDCG@10 RBP(p=0.8).
    judges
        Judgments of one more judge; one or several.
    map
        Other grades, as 2=1,3=1 for all judges, or gpt.qrels:5=3 for one; a negative grade leaves
        labels out; one or several.
    highest
        Highest grade of the scale. Default: the reference's highest.
    coefficients
        Coefficients of agreement: 'all' adds linear kappa, AC1 and AC2. Default: usual.
    ranks
        Labels are also compared by the best rank of a document, up to these. Default: 10,30,100.
    resamples
        Samples of topics. Default: 1000.
    alpha
        Significance level. Default: 0.05.
    top_k
        Tau_top: the reference's K best systems. Default: 10.
    rbo_p
        Persistence of rank-biased overlap. Default: 0.9.
    human
        The judge whose agreement with the reference is a second ceiling, such as a second person.
    teams
        The team of each system, lines of 'system team': what groups says is permuted over teams.
        Default: each system is its own team.
    permutations
        Random permutations of groups over teams. Default: 9999.
    group_depth
        Groups: documents that only one group ranks down to this. Default: 20.
    relevant
        Lowest grade that is relevant, where a chance of relevance is compared. Default: 1.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `judges` (what was given), `labels`, `grades`, `confusion` and `together` (agreement of
        labels).

        With runs also `order` (of systems, beside its ceiling), `robustness` (of measures), `verdicts`,
        `power`, `pairs` (whose verdict changes), `systems` (scores) and `ranks`; with groups `groups`
        (favouritism) and `documents`. With three judges or more `labels`, `order`, `verdicts` and
        `systems` also hold each against the majority of the others, which is their `reference` then.
    """

def estimate(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'zero',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    cheap: Any = None,
    measures: Measures = ('AP nDCG@10',),
    baseline: str | Sequence[str] | None = None,
    probabilities: str | os.PathLike[str] | None = None,
    trusted_topics: str | Sequence[str] | None = None,
    map: str | Sequence[str] = (),
    highest: int | None = None,
    alpha: float = 0.05,
    digits: int | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """Estimate what the trusted judge of qrels would say of systems, from few topics of theirs and many of
    cheap.

    The topics that both judged show how the cheap judge errs, those that it judged alone tell how
    systems do there (prediction-powered inference). The trusted topics must be a random sample of all,
    or have known probabilities.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics in which the cheap judge calls nothing relevant: score them 0, or drop them from both
        kinds of topics; those in which the trusted one does so score 0 (nobody knows them among the
        others). Default: zero.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    cheap
        Judgments by the cheap judge, of the topics in qrels and of many more.
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP nDCG@10.
    baseline
        Differences to this system only, not of all pairs; top keeps it; one or several.
    probabilities
        The chance that each trusted topic had to be among them: lines of 'topic probability'. Default:
        equal.
    trusted_topics
        Take only these topics of qrels for judged there, as topics writes them.
    map
        Other grades, as 2=1,3=1 for both judges, or gpt.qrels:3=2 for one; a negative grade leaves
        labels out; one or several.
    highest
        Highest grade of the scale. Default: the highest in qrels.
    alpha
        Significance level; intervals have confidence 1 - alpha. Default: 0.05.
    digits
        Decimals shown of scores and differences. Default: two significant digits of the smallest
        standard error in the column, 2 to 5 decimals.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `gain`, what the cheap judge adds; `estimates`, one row a measure, system and method;
        `differences`; `cheap`, the bias of the cheap judge; `parts`, whether both kinds of topics look
        alike.
    """

def gains(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('O PMeasure PPlus Q nDCG@10',),
    scores: ScoreTables = (),
    resamples: int = 1000,
    schemes: str = '{1:1,2:2,3:3} {1:10,2:20,3:30} {1:0.1,2:0.2,3:0.3} {1:1,2:1,3:1} {1:1,2:5,3:10}',
    alpha: float = 0.05,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Other gains: for every scheme the agreement with the first one, and the discriminative power.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also a `Panel`, `Scores`, a frame of them, or collections.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Graded measures. Default: O PMeasure PPlus Q nDCG@10.
    scores
        Score tables instead of qrels and runs (trec_eval -q, CSV, Parquet); one or several.
    resamples
        Samples of topics. Default: 1000.
    schemes
        Gains of each grade, one {…} a scheme; the first is the one compared with. Default:
        {1:1,2:2,3:3} {1:10,2:20,3:30} {1:0.1,2:0.2,3:0.3} {1:1,2:1,3:1} {1:1,2:5,3:10}.
    alpha
        Significance level. Default: 0.05.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Table: `gains`.
    """

def preferred_ranks(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """Per topic the largest preferred rank over runs, and what stands at or above it, level by level.

    The preferred rank is that of the first document of the highest level that a run retrieves. A run
    that retrieves nothing relevant has none and is left out; of equal ranks the first run's is shown.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: keep them, with no rank, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `preferred_ranks`, one row per topic and level; `distribution`, the preferred ranks of
        all runs.
    """

def incomplete(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    measures: Measures = ("AP Q nDCG(dcg='jk')@1000 RBP(p=0.5) RBP(p=0.8) RBP(p=0.95) BprefR AP' Q' nDCG'(dcg='jk')@1000",),
    rates: str = '90,70,50,30,10',
    trials: int = 1,
    resamples: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    write_qrels: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Fewer judgments: scores, discriminative power and the order of systems as judgments are taken away
    at random.

    At each rate a random part of each topic's relevant and nonrelevant documents stays judged (at least
    1 and 10), the smaller sets inside the larger ones. Power can be measured on one system per group,
    and tau with the full ranking on a sample of systems; the two are drawn independently.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    measures
        Measures. Default: AP Q nDCG(dcg='jk')@1000 RBP(p=0.5) RBP(p=0.8) RBP(p=0.95) BprefR AP' Q'
        nDCG'(dcg='jk')@1000.
    rates
        Per cent of the judgments that remain. Default: 90,70,50,30,10.
    trials
        Independent reductions. Default: 1.
    resamples
        Samples of topics for the tests. Default: 1000.
    alpha
        Significance level. Default: 0.05.
    seed
        Seed of all random numbers. Default: 0.
    groups
        Groups of the systems: a file with 'system group' lines.
    one_per_group
        Measure power on one random system of each group.
    sample_systems
        Measure tau on so many random systems.
    write_qrels
        Write the reduced judgments into this new folder.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `incomplete`, `trials` (over several), `agreement`, `statistics`, `systems`, `groups`
        (if given).
    """

def pools(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    measures: Measures = ("AP P@10 RBP(p=0.95) AP'",),
    depths: str = '5,10,20,50,100',
    pool_depth: int | None = None,
    pooled: str | os.PathLike[str] | None = None,
    groups: str | os.PathLike[str] | None = None,
    teams: str = '',
    trials: int = 1,
    resamples: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Other pools: judgments restricted to shallow pools, and each system or group left out of the pool.

    What only the one left out contributed becomes unjudged: its score, rank and verdicts before and
    after show how fair the collection would be to a system that comes later. Without pooled all runs
    contributed. With teams also what fewer teams' pools would have left, the smaller sets of teams
    inside the larger ones.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    measures
        Measures. Default: AP P@10 RBP(p=0.95) AP'.
    depths
        Depths of shallower pools. Default: 5,10,20,50,100.
    pool_depth
        Depth to which runs were pooled. Default: as the judgments show it, else 100.
    pooled
        Which runs contributed: a file with lines 'system' or 'system depth'.
    groups
        Leave out whole groups: a file with 'system group' lines.
    teams
        Also pools of so many groups (systems, without groups), drawn at random: 1,2,4. Default: .
    trials
        Independent draws of the groups for teams. Default: 1.
    resamples
        Samples of topics for the tests. Default: 1000.
    alpha
        Significance level. Default: 0.05.
    seed
        Seed of all random numbers. Default: 0.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `pools` (shallow pools), `left_out` (before and after), `uniques`, `summary`.
    """

def unjudged(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('P@10 RBP(p=0.8) AP nDCG@10',),
    replicates: int = 1000,
    probabilities: str | os.PathLike[str] | None = None,
    judged_depth: int | None = None,
    pair: str | Sequence[str] = (),
    judge_next: str | os.PathLike[str] | None = None,
    judge_most: int = 200,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Bounds, draws and priorities for the documents that runs retrieve and nobody judged.

    Scores and differences lie within bounds whatever these documents are. How likely each of them is
    relevant is learned from the judged documents, or given with probabilities; draws by these
    probabilities say which verdicts depend on the missing judgments, and which document to judge next.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures, such as "P@10 RBP AP nDCG@10". Default: P@10 RBP(p=0.8) AP nDCG@10.
    replicates
        Draws of the missing judgments. Default: 1000.
    probabilities
        Probabilities of relevance, lines of 'topic document probability'. Default: learned from the
        judgments.
    judged_depth
        Rank down to which documents were judged because runs have them there; others teach nothing.
        Default: seen from the judgments.
    pair
        The pair of systems whose judgments come first: give it twice.
    judge_next
        Write the documents to judge next into this file, lines of 'topic document', the most valuable
        first.
    judge_most
        Documents to judge next, at most. Default: 200.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `summary` and `bounds`; `depths`, what is missing, by rank; `judge_next`; `pairs`, the
        differences.

        With learned probabilities also `checks` of them on judgments that were hidden, `calibration`,
        `coefficients`, and with groups `groups`, each left out.
    """

def corpus(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = 1000,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP INSQ(T=5,rel=1) nDCG(rel=1)@1000 P@10 RBP(p=0.95,rel=1)@1000 RR',),
    corpus_size: int | None = None,
    images: int = 1000,
    interval: str | Sequence[str] = ('normal',),
    also_topics: bool = False,
    pair: str | Sequence[str] = (),
    all_pairs: bool = False,
    pool_depths: str = '10,25',
    show: str | Sequence[str] = (),
    memory: str = '1G',
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Other corpora: the spread of scores and ranks over bootstrap corpora, drawn document by document.

    A bootstrap corpus, here also called image, has the size of the corpus and is drawn from it with
    replacement: in every list a document stands as often as the image holds it, or not at all. All
    systems, topics and measures see the same images. This is spread over images, not confidence: copies
    stand next to each other, and the mean over images differs from the score itself (bias). The images
    depend on the documents in all runs, so adding a run changes them.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut runs and their images at this rank, before condensed lists are made. Default: 1000.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures. Default: AP INSQ(T=5,rel=1) nDCG(rel=1)@1000 P@10 RBP(p=0.95,rel=1)@1000 RR.
    corpus_size
        Documents in the corpus. Default: those seen in runs and judgments, a lower bound with which
        images vary about as much.
    images
        Bootstrap corpora. Default: 1000.
    interval
        How the last image is predicted from the others, difference by difference: 'normal',
        'prediction' (Student's) or 'percentile'; one or several. Default: normal.
    also_topics
        Draw samples of these topics as well, and topics and corpora at once.
    pair
        Compare two systems on shallow pools of their own: pair X pair Y.
    all_pairs
        Compare all pairs of systems on shallow pools of their own, pair by pair.
    pool_depths
        Depths of a pair's own pools. Default: 10,25.
    show
        Systems that tables and figures of one system show. Default: the best.
    memory
        Memory for scores; past it quantiles come from fine histograms. Default: 1G.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `systems`, `ranks`, `topics`, `topic_sd`, `sd_skewness`, `triples`, `apart`, `shown`,
        `topic_scores`, `interval`, `data`; as asked for also `variation`, `pair`, `pools`,
        `pool_topics`, `pool_spread`, `all_pairs`, `all_pairs_summary`; `unanswered` where topics are
        left with nothing.
    """

def variance(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    top: int | None = None,
    by: str | Measure | None = None,
    groups: str | os.PathLike[str] | None = None,
    one_per_group: bool = False,
    sample_systems: int | None = None,
    measures: Measures = ('AP',),
    model: str = 'bst,kde',
    samples: int = 1000,
    length: str = 'run',
    relevant: Literal['adjusted', 'fixed', 'max'] = 'adjusted',
    bandwidth: str | float = 'scott',
    exact: bool = False,
    alpha: float = 0.05,
    keep_unusable: bool = False,
    show: str | Sequence[str] = (),
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Score simulation: other documents with like scores, and what they do to the comparison of systems.

    Every list is drawn again many times: Poisson(r) relevant documents and nonrelevant ones up to its
    length, each kind from its own scores, sorted. `bst` resamples the raw scores, `kde` samples
    Gaussian kernels fitted to them. Systems and topics are drawn independently. Resampling uses only
    the order of scores, so every run takes part in `bst`; runs whose scores say no more than the rank
    are left out of `kde`.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score them 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    top
        Only the N best systems.
    by
        The measure by which systems are best. Default: the first.
    groups
        The group of each system: lines of 'system group'.
    one_per_group
        Only one system of each group, chosen at random.
    sample_systems
        Only N systems, chosen at random; all if there are fewer.
    measures
        Measures. Default: AP.
    model
        How scores are drawn: bst, kde or both. Default: bst,kde.
    samples
        Simulated lists of each system and topic. Default: 1000.
    length
        Length of a simulated list: 'run', the run's own, or a number for all. Default: run.
    relevant
        Relevant documents of a simulated topic: 'adjusted', the unretrieved and the drawn ones;
        'fixed', as many as there are; 'max', as many as there are, or the drawn ones where these are
        more. Default: adjusted.
    bandwidth
        Width of the kernels: scott, silverman, or a number of standard deviations. Default: scott.
    exact
        Draw kde without its table of nonrelevant scores (error 1e-6): much slower.
    alpha
        Significance level. Default: 0.05.
    keep_unusable
        Also simulate by kde the runs whose scores say no more than the rank.
    show
        Draw the topics of this system; one or several. Default: the best one of those with the fewest
        lists that are shorter than length.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Tables: `variance`, `error_rate`, `topics`; `swap`, `stability`, `ranks`, `spread`; `pairs` and
        more.
    """

def shape(
    *,
    measures: Measures = ("AP Q nDCG(dcg='jk')@1000 RBP(p=0.5) RBP(p=0.8) RBP(p=0.95)",),
    relevant: str = '1,10,100,1000',
    ranks: int = 20,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Result:
    """What a measure rewards: the score of one relevant document at each rank, and of an ideal list.

    Binary relevance; R is the number of relevant documents that the judgments have. Needs no data.

    Parameters
    ----------
    measures
        Measures, such as "AP nDCG@10 RBP(p=0.95)". Default: AP Q nDCG(dcg='jk')@1000 RBP(p=0.5)
        RBP(p=0.8) RBP(p=0.95).
    relevant
        Numbers of relevant documents R. Default: 1,10,100,1000.
    ranks
        Ranks to show. Default: 20.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.

    Returns
    -------
    Result
        Tables: `shape`, a relevant document at each rank, and `ideal`, lists that begin with all
        relevant ones.
    """

def study(
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = None,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    measures: Measures = ('AP nDCG@10 Q RBP(p=0.95) RR',),
    only: str | None = None,
    title: str | None = None,
    details: int = 20,
    groups: str | os.PathLike[str] | None = None,
    corpus_size: int | None = None,
    pool_depth: int | None = None,
    resamples: int = 1000,
    rates: str = '50,10',
    images: int = 100,
    samples: int = 200,
    baseline: str | Sequence[str] | None = None,
    correction: Literal['holm', 'bonferroni', 'bh', 'stepdown', 'none'] | None = None,
    topic_groups: str | os.PathLike[str] | None = None,
    topic_families: str | os.PathLike[str] | None = None,
    seed: int = 0,
    digits: int | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> FullStudyResults:
    """Many studies at once, from what is in the data to which systems differ, and one report of them all.

    Sizes are such that a laptop has it in a minute or two; each study alone has all its options. A part
    that these data cannot give is reported, and the rest still delivered.

    Parameters
    ----------
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank, before lists are condensed.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    measures
        Measures; `variance` takes the first one. Default: AP nDCG@10 Q RBP(p=0.95) RR.
    only
        Only these parts, such as power,swap. Default: uncertainty, compare, check, power, design, swap,
        stability, agreement, pools, incomplete, corpus, variance.
    title
        What the report calls the data. Default: the name of the collection, or of its files.
    details
        A reader of the report can look into the topics and the first 20 documents of the N best
        systems; 0: of none. Default: 20.
    groups
        Which group each system is from, for one system per group: lines of 'system group'.
    corpus_size
        Documents in the corpus.
    pool_depth
        Depth to which runs were pooled. Default: as the judgments show it.
    resamples
        Samples of topics. Default: 1000.
    rates
        Per cent of the judgments that remain in `incomplete`. Default: 50,10.
    images
        Bootstrap corpora. Default: 100.
    samples
        Simulated lists of each system and topic in `variance`. Default: 200.
    baseline
        The system that `compare` compares all others with; one or several.
    correction
        For the number of comparisons in `compare`. Default: holm.
    topic_groups
        Groups of topics, for `compare`: lines of 'topic group'.
    topic_families
        Topics that depend on each other, for `compare`: lines of 'topic family'.
    seed
        Seed of all random numbers. Default: 0.
    digits
        Decimals shown of scores and differences. Default: two significant digits of the smallest
        standard error in the column, 2 to 5 decimals.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    FullStudyResults
        The results by part, `failures` and `overview`.

        With `out` there is a result folder of every part below it, and one page, report.html, of them
        all. They appear when all is done; until then what was there before stays, and finished parts
        are kept for the same work given again. A part that fails is in `failures`, and the rest is
        delivered. `on_done` is called with each part. Several inputs are collections, of which every
        part is one result.
    """

def paper(
    key: str,
    qrels: Any = None,
    runs: Any = None,
    *,
    order: Literal['trec', 'trec9', 'rank', 'file'] | None = None,
    depth: int | None = 1000,
    topics: str | Sequence[str] | None = None,
    duplicates: Literal['error', 'first'] = 'error',
    negative: Literal['unjudged', 'nonrelevant'] = 'unjudged',
    unanswerable: Literal['zero', 'drop'] = 'drop',
    gains: str | Mapping[int, float] | None = None,
    residual: str | os.PathLike[str] | None = None,
    drop_self: bool = False,
    names: Literal['tag', 'file', 'stem'] | None = None,
    exclude: str | Sequence[str] = (),
    skip_unreadable: bool = False,
    preset: Literal['ntcir'] | None = None,
    seed: int = 0,
    groups: str | os.PathLike[str] | None = None,
    corpus_size: int | None = None,
    pool_depth: int | None = None,
    top: int | None = None,
    resamples: int | None = None,
    images: int | None = None,
    trials: int = 1,
    pair: str | Sequence[str] = (),
    show: str | Sequence[str] = (),
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    force: bool = False,
    device: Literal['cpu', 'cuda'] = 'cpu',
    cluster: str | None = None,
) -> Result:
    """Everything that a paper shows, from your data: each table and figure under the paper's own number.

    KEY is one of those that `irassay paper --list` shows. Measures, gains, depth and sizes are the
    paper's. Tables and figures that the data cannot give are named with the reason; all others are
    made.

    Parameters
    ----------
    key
        Which paper, such as 'sakai2007bootstrap'.
    qrels
        Judgments: a path, {topic: {document: grade}}, a frame, or what `read_qrels` returned; in place
        of both qrels and runs also collections, or a `Panel` where that has all that is needed.
    runs
        Runs: a path, folder or glob, {name: {topic: {document: score}}}, frames, or what `read_runs`
        returned.
    order
        Order of a list: 'trec' by score, ties by document id, both descending, as trec_eval; 'trec9'
        the same with 32-bit scores; 'rank' by the rank column; 'file' in the order of the lines.
        Default: trec; file for NTCIR judgments.
    depth
        Cut lists at this rank. Default: 1000.
    topics
        Only these topics: 601-650, or 401,405, or @FILE with one per line.
    duplicates
        A document twice in a list, or judged twice: stop with an error, or keep the better rank (first
        judgment). Default: error.
    negative
        Meaning of a negative grade: unjudged (pooled only), or nonrelevant. Default: unjudged.
    unanswerable
        Topics without a relevant document: score 0, or drop them. Default: drop.
    gains
        Gain of each relevant grade in graded measures, as 1=1,2=3. Default: the grade.
    residual
        Residual collection: remove the documents judged in this file from the runs and from qrels.
    drop_self
        Remove from each list the document that is called like the topic, as BEIR does for ArguAna and
        Quora.
    names
        Name systems by the tag in the last column, by the file, or by its stem, its name without .trec,
        .run, .txt and the like. Default: tag if each file has one and all differ, else file.
    exclude
        Leave out files of directories and patterns whose name or path matches, such as '*.md'; one or
        several.
    skip_unreadable
        Skip files that are no runs at all, such as a README, and list them, instead of stopping.
    preset
        Order and -m of another program, where you give none; ntcir: lists in the order of the file, and
        NTCIREVAL's measures, AP Q nDCG@10 Q(norm='min')@10 nERR(stop='linear')@10.
    seed
        Seed of all random numbers. Default: 0.
    groups
        The team of each system, for one run per team: lines of 'system group'.
    corpus_size
        Documents in the corpus.
    pool_depth
        Depth of the pool, for the table of the data.
    top
        How many systems it takes. Default: the paper's.
    resamples
        Samples of topics or of lists. Default: the paper's.
    images
        Bootstrap corpora. Default: the paper's.
    trials
        Independent reductions of the judgments; several are averaged. Default: 1.
    pair
        The pair of systems that some figures show: two systems. Default: the paper's.
    show
        Systems that tables and figures of one system show. Default: the paper's.
    jobs
        Threads to use. Default: the cores this process may use.
    out
        Save the whole result in this folder; interrupted long work continues from there.
    force
        Replace what is in DIR, also a result or unfinished work of other settings.
    device
        Device for the long computations: the processor, or a GPU. Default: cpu.
    cluster
        Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes on this
        machine.

    Returns
    -------
    Result
        Table `contents`, and a table or figure for each item, named by its number.

        With `out` in `execution` finished studies are kept there, for the same paper of the same data
        given again; whoever calls this saves the result. Several inputs are collections: tables have a
        column `collection`, figures a panel for each, and items that the paper shows for its second
        collection are made for the second one.
    """
