"""The work of `irassay corpus`: the root scores, and their statistics over bootstrap corpora."""

from statistics import median
from typing import Any

import numpy as np

from irassay.errors import InputError, IrassayWarning, emit
from irassay.measures import parse
from irassay.panel.panel import Panel
from irassay.result import Result
from irassay.settings import Execution
from irassay.studies.corpus.accumulate import corpus_statistics
from irassay.studies.corpus.all_pairs import all_pairs_tables
from irassay.studies.corpus.figures import figures
from irassay.studies.corpus.settings import Corpus
from irassay.studies.corpus.shallow_pools import shallow_pools, shallow_tables
from irassay.studies.corpus.tables import Studied, tables
from irassay.studies.inputs import load_panel
from irassay.studies.phrases import extremes, rows_of, safe
from irassay.studies.selection import place_of, select_systems, with_names
from irassay.studies.tables import grouped
from irassay.vary.documents import ImagePlan
from irassay.vary.lane_scores import LaneScores
from irassay.vary.topics import TopicPlan


def run(study: Corpus, qrels: Any, runs: Any, execution: Execution | None) -> Result:
    """Tables: `systems`, `ranks`, `topics`, `topic_sd`, `sd_skewness`, `triples`, `apart`, `shown`, `topic_scores`,
    `interval`, `data`; as asked for also `variation`, `pair`, `pools`, `pool_topics`, `pool_spread`, `all_pairs`,
    `all_pairs_summary`; `unanswered` where topics are left with nothing.
    """
    memory_limit, intervals, depths = study.memory_limit, study.intervals, study.depths
    if study.images < 1:
        raise InputError(f"there are {study.images} images", hint="images is 1 or more, 1000 is usual")
    measures = list(parse(study.measures))
    data = load_panel(study, qrels, runs, execution)
    panel, jobs = data.panel, data.jobs
    study = with_names(study, panel)
    pair = _pair(study, panel)
    warnings = []
    active = int(panel.document.max(initial=-1)) + 1
    size = study.corpus_size
    if size is None:
        size = active
        warnings.append(
            IrassayWarning(
                "corpus-size", f"the corpus is taken to be the {active} documents seen; --corpus-size gives its size"
            )
        )
    plan = ImagePlan(study.seed, size, active, study.images)
    best = parse(study.by) if study.by else []
    root = panel.score(list(dict.fromkeys((*measures, *(m.base for m in measures), *best))), jobs=jobs)
    kept, fewer, restrictions = select_systems(
        study,
        panel.systems,
        {str(m): root[str(m)].means() for m in (*measures, *best)},
        aliases=panel.aliases,
    )
    warnings += fewer
    emit(warnings)
    bases = list(dict.fromkeys(measure.base for measure in measures))
    counts = TopicPlan(study.seed, len(panel.topics), study.images).counts() if study.also_topics else None
    statistics = corpus_statistics(
        LaneScores(panel.minimal, kept, bases, plan, study.depth),
        measures,
        {m: np.ascontiguousarray(root[str(m)].values[kept]) for m in bases},
        memory_limit=memory_limit,
        intervals=intervals,
        weights=counts,
        jobs=jobs,
    )
    shown = [place_of(name, tuple(panel.systems[s] for s in kept)) for name in study.systems_shown]
    means = root[str((best or measures)[0])].means()[kept]
    studied = Studied(study, panel, plan, kept, measures, root, statistics, counts, shown or [int(np.argmax(means))])
    all_tables, all_figures = tables(studied), figures(studied)
    if pair:
        pooled = shallow_pools(LaneScores(panel.minimal, pair, bases, plan, study.depth), depths, jobs)
        pair_tables, pair_figures = shallow_tables(pooled, [panel.systems[s] for s in pair], panel.topics)
        all_tables += pair_tables
        all_figures += pair_figures
    if study.all_pairs:
        all_tables += all_pairs_tables(panel, kept, bases, plan, depths=depths, depth=study.depth, jobs=jobs)
    source = data.provenance | {
        "systems": studied.names,
        "restrictions": [*data.restrictions, *restrictions],
        "measures": [str(m) for m in measures],
        "images": study.images,
        "seed": study.seed,
        "corpus_size": size,
        "active_documents": active,
        "depth": study.depth,
        "quartiles_of_topics": "exact" if statistics.exact else "from histograms",
        "pair": list(study.systems_paired),
        "show": list(study.systems_shown),
    }
    return Result("corpus", tuple(all_tables), (*panel.warnings, *warnings), source, tuple(all_figures))


def _pair(study: Corpus, panel: Panel) -> list[int]:
    names = study.systems_paired
    if not names:
        return []
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"--pair was given {len(set(names))} different systems", hint="write --pair X --pair Y")
    return [place_of(name, panel.systems) for name in names]


def findings(result: Result) -> list[str]:
    rows = rows_of(result["systems"], "sd")
    if not rows:
        return ["One bootstrap corpus shows no spread: draw more with --images."]
    spread = [
        {
            "measure": measure,
            "sd": median(row["sd"] for row in own),
            "places": median(row["rank_q97.5"] - row["rank_q2.5"] for row in own),
        }
        for (measure,), own in grouped(rows, "measure").items()
    ]
    sentences = [_spread("the mean score of the median system", spread, "sd", "systems")]
    if "triples" not in result:  # of one system there are no differences, and no ranks
        return sentences
    most, least, _ = ends = extremes(spread, lambda row: float(row["places"]))
    if least and f"{least['places']:.0f}" == f"{most['places']:.0f}":
        least, ends = None, ends._replace(worst=None)
    fewest = f"{least['places']:.0f} ({safe(least['measure'])}) to " if least else ""
    places = f"{fewest}{most['places']:.0f} place{'s' * (round(most['places']) != 1)}"
    sentences.append(f"In 95% of them its ranks lie within {places} ({ends.by}).")
    pairs = rows_of(result["triples"], "mean_sd")
    if pairs:
        sentences.append(_spread("the difference of two systems on a single topic", pairs, "mean_sd", "triples"))
    return sentences


def _spread(what: str, rows: list[dict[str, Any]], column: str, table: str) -> str:
    """How far something moves over bootstrap corpora, by the measures in which it moves least and most."""
    most, least, _ = ends = extremes(rows, lambda row: float(row[column]))
    low = f"{least[column]:.3f} ({safe(least['measure'])}) to " if least else ""
    return (
        f"Over bootstrap corpora {what} has a standard deviation of {low}{most[column]:.3f} ({ends.by})."
        f"{ends.table(table)}"
    )
