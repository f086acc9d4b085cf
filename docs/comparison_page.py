"""The page docs/comparison.md: tables of rates, and what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from docs.error_rates import ALPHA, FAMILY_SAMPLES, PER_FAMILY, SAMPLES, Rate
from docs.populations import COPIES, DEMO_TOPICS, DIFFERENT, MODEL, SHAPES

ADVICE = [
    (
        "you have",
        "take",
        "because",
    ),
    (
        "one comparison, or several with a baseline",
        "t (with Holm), the default",
        "keeps its level from 50 topics on in every population",
    ),
    (
        "all pairs of up to 10 systems, 25 topics or more",
        "t with Holm, the default",
        "at most a few points above its level",
    ),
    (
        "all pairs of more systems, up to some hundred topics",
        "`--correction stepdown`",
        "t with Holm fails where a few topics have large differences, the worse the more systems",
    ),
    (
        "1,000 topics or more",
        "either",
        "they agree",
    ),
    (
        "10 topics",
        "`--correction stepdown`, and few systems",
        "no method keeps its level beside 129 systems",
    ),
    (
        "many equal scores (RR, P@10)",
        "the same tests, `--interval bootstrap-t`",
        "tests are conservative there, and it covers best",
    ),
    (
        "rewordings or other families of topics",
        "`--topic-families`",
        "t alone takes them for independent",
    ),
    (
        "an interval of one mean or difference",
        "t or bootstrap-t",
        "BCa and percentile are too short below 200 topics",
    ),
    (
        "a question about means",
        "not Wilcoxon, not the sign test",
        "they reject equal means of skewed differences, the more topics the surer",
    ),
    (
        "the number of topics that a study needs",
        "`design`, on 50 topics or more",
        "its intervals are too short with fewer, by either method",
    ),
    (
        "any family of pairs",
        "not `--test tukey`",
        "it takes all differences to vary alike, and they do not",
    ),
]
TESTS_TEXT = """\
**t, the paired bootstrap and randomisation keep their level from 50 topics on**, and reject a little too often
with 10 and 25 where differences are skewed; the bootstrap does so least. All are conservative where most scores
are equal (RR, near-copies). **Wilcoxon's test and the sign test answer another question**: where the means are
equal and the shapes are not, they reject more and more often as topics are added."""
FAMILIES_TEXT = """\
Without a correction (`none`) nearly every family has a false positive: that is what corrections are for. **t with
Holm** needs p-values far out in the tail of t, where skewed differences make them too small: it keeps its level on
symmetric differences and fails on TREC-8's, the worse the more systems and the fewer topics there are. **The
step-down test** takes the tail from the data and keeps its level everywhere but with 129 systems on 10 topics;
with 10 topics it hardly ever rejects elsewhere. **Randomised Tukey** takes all differences to vary alike. It does
well on exchangeable systems and fails on all others, however many topics there are."""
INTERVALS_TEXT = """\
**t and bootstrap-t cover differences as they should from 25 topics on**, in every population. BCa and percentile
intervals of differences are too short with up to 50 topics. Of means that lie near a bound, as RR's near 1, t
covers too seldom up to 50 topics and bootstrap-t is the safer choice. With 10 topics no interval of RR covers:
many samples hold ten equal scores."""
RANKS_TEXT = """\
**Ranks not excluded hold all true ranks**, and are conservative: a true rank is missed only if some pair is called
different in the wrong direction. The max-t intervals hold all differences at once as promised. Differences from
{wanted} with 5,000 topics rest on few experiments."""
CLUSTERS_TEXT = """\
Plain t takes the topics of a family for independent and rejects far too often. The cluster-robust t test keeps its
level with normal families, also with two of them (10 topics), and is a little liberal with skewed ones below 40
families. The wild cluster bootstrap agrees with it from 10 families on; with fewer it cannot reject at all."""
COEFFICIENTS_TEXT = """\
Feldt's and Arteaga's intervals are for random normal systems and cover there; those from samples of the topics are
for the systems at hand, and cover on real collections."""
NEEDED_TEXT = """\
The chi-square interval has Box's degrees of freedom, as differences between systems do not vary alike, and takes scores
for normal, which they are not: it stays too short however many topics there are. The topic bootstrap is the worse
one with 10 topics, still short with 25, nearly holds with 50 and holds with more. `design` takes for its findings the
one that does better."""
HALVES_TEXT = """\
What is promised for other topics is kept on real ones: intervals hold what they should, and almost no pair that a
corrected test resolves is ordered the other way by the other half. [uncertainty.md](uncertainty.md) has the same
for the reversals that `uncertainty` predicts."""


class Sizes(NamedTuple):
    """How many experiments there are, for the section on settings."""

    single: dict[int, int]
    family: dict[int, int]
    halves: int
    many: int
    parts: int


def share(rate: Rate) -> float:
    return rate.hits / rate.experiments


def error(rate: Rate, wanted: float) -> float:
    """The Monte-Carlo error that the rate has if the wanted one is true."""
    return math.sqrt(wanted * (1 - wanted) / rate.experiments)


def cell(rate: Rate | None, wanted: float) -> str:
    """The rate and its Monte-Carlo error; bold where it is on the wrong side by more than two errors."""
    if rate is None or rate.experiments == 0:
        return ""
    p = share(rate)
    if p in (0, 1):
        bound = 3 / rate.experiments
        text = f"0 (below {bound:.3f})" if p == 0 else f"1 (above {1 - bound:.3f})"
    else:
        text = f"{p:.3f} ± {math.sqrt(p * (1 - p) / rate.experiments):.3f}"
    wrong = p - wanted if wanted < 0.5 else wanted - p
    return f"**{text}**" if wrong > 2 * error(rate, wanted) else text


def table(results: list[Rate], kind: str, wanted: float, what: str) -> str:
    """A line for each population and method, a column for each number of topics."""
    chosen = {(r.population, r.method, r.topics): r for r in results if r.kind == kind}
    sizes = sorted({topics for *_, topics in chosen})
    rows = dict.fromkeys((population, method) for population, method, _ in chosen)
    order = list(dict.fromkeys(population for population, _ in rows))
    lines = [f"| population | {what} | {' | '.join(f'{n:,}' for n in sizes)} |", "|---|---|" + "---|" * len(sizes)]
    for population, method in sorted(rows, key=lambda row: order.index(row[0])):
        cells = (cell(chosen.get((population, method, n)), wanted) for n in sizes)
        lines.append(f"| {population} | {method} | {' | '.join(cells)} |")
    return "\n".join(lines)


def worst(results: list[Rate], kind: str, wanted: float) -> str:
    """By method and number of topics the rate furthest on the wrong side, of all populations."""
    chosen = [r for r in results if r.kind == kind]
    sizes = sorted({r.topics for r in chosen})
    furthest = max if wanted < 0.5 else min
    lines = [f"| | {' | '.join(f'{n:,}' for n in sizes)} |", "|---|" + "---|" * len(sizes)]
    for method in dict.fromkeys(r.method for r in chosen):
        cells = [furthest((r for r in chosen if r.method == method and r.topics == n), key=share) for n in sizes]
        lines.append(f"| {method} | {' | '.join(f'{share(r):.3f}' for r in cells)} |")
    return "\n".join(lines)


def halves(results: list[Rate]) -> str:
    """What one half of real topics says of the other."""
    lines = ["| population | topics of a half | predicted differences | reversed: t, holm | reversed: t, stepdown |"]
    lines.append("|---|---|---|---|---|")
    by_method = {(r.population, r.kind, r.method): r for r in results}
    for one in (r for r in results if r.kind == "predicted differences"):
        reversed_ = (
            by_method[one.population, "reversed on the other half", method] for method in ("t, holm", "t, stepdown")
        )
        shares = (f"{share(r):.2%}" if r.experiments else "none resolved" for r in reversed_)
        lines.append(f"| {one.population} | {one.topics} | {share(one):.1%} | {' | '.join(shares)} |")
    return "\n".join(lines)


def page(results: list[Rate], sizes: Sizes) -> str:
    wanted = 1 - ALPHA
    return f"""# Do the tests of `compare` keep their level, and do its intervals cover?

Written by `make calibration` (`docs/comparison.py`); do not edit.

Rates from experiments on populations of topics whose truth is known, for {
        ", ".join(f"{n:,}" for n in sizes.single)
    } topics, with their Monte-Carlo error √(p(1-p)/experiments). **Bold** is on the wrong side by more
than two errors: a test that rejects too often, an interval that holds the truth too seldom. `compare` and `design`
warn from this page. [calibration.md](calibration.md) has the bootstrap tests of `power` and the interval of tau,
[coverage.md](coverage.md) the numbers of `uncertainty`.

## What to use when

{markdown(ADVICE)}

The worst population of each, for any false positive at {ALPHA:g} among systems of equal means:

{worst(results, "family", ALPHA)}

and for a {wanted:.0%} interval of a difference:

{worst(results, "difference", wanted)}

## Populations

- **exchangeable**: {MODEL.systems - 1} systems of the [demo collection](demo.md) with equal parameters, on
  {DEMO_TOPICS:,} topics with complete judgments. Topics are drawn with replacement, and the systems change
  places within each: all have one distribution, with the ties that real scores have (many by RR). In the
  intervals' tables (demo) the scores are as they are, and an eleventh system is worse; the means over all
  topics are the truth.
- **unequal shapes**: {SHAPES} systems whose expected scores are equal on every topic, from nearly constant to
  nearly 0 or 1 (beta distributions).
- **near-copies beside others**: {COPIES} systems that differ by .02 (normal) on every other topic and are equal
  on the rest, and {DIFFERENT} that differ on all.
- **TREC-8, Robust 2003**: real scores. The collection's topics are the population, drawn with replacement. For
  tests every system is shifted to one mean; for intervals the scores are as they are and the collection's means
  the truth. 10, 15 or 40 systems are drawn anew in each experiment. A few topics have large differences here,
  so that differences are skewed, and ties of near-copies become a constant difference by the shift: harder than
  scores as they are.

## Tests of one pair: false positives at {ALPHA:g}

{table(results, "level", ALPHA, "test")}

{TESTS_TEXT}

## Families: any false positive among all pairs at {ALPHA:g}

{table(results, "family", ALPHA, "test, correction")}

{FAMILIES_TEXT}

## Intervals: how often they hold the truth (wanted: {wanted:g})

Of the mean of a random system:

{table(results, "mean", wanted, "interval")}

Of the difference of a random pair:

{table(results, "difference", wanted, "interval")}

{INTERVALS_TEXT}

## Ranks not excluded, and all differences at once (wanted: {wanted:g})

Experiments in which the ranks not excluded hold the true rank of every system, and in which every testable
pair's max-t interval holds its true difference:

{table(results, "ranks", wanted, "by")}

{table(results, "all differences", wanted, "interval")}

{RANKS_TEXT.format(wanted=wanted)}

## Topics in families: false positives at {ALPHA:g}

Two equal systems, topics in families of {PER_FAMILY} that share half of the variance:

{table(results, "clusters", ALPHA, "test")}

{CLUSTERS_TEXT}

## Coefficients of generalisability (wanted: {wanted:g})

{table(results, "coefficients", wanted, "interval")}

{COEFFICIENTS_TEXT}

## Topics needed (wanted: {wanted:g})

Experiments in which the interval of the topics that `design` calls for, with its default options, holds the
number that the true variance gives:

{table(results, "topics needed", wanted, "design, interval")}

{NEEDED_TEXT}

## Held-out halves of real topics

The populations above share an assumption with the methods: topics are drawn independently. Here real topics are
split into random halves, {sizes.halves} times, and one half predicts the other. Predicted differences: the
share of pairs whose difference on the other half lies in mean ± t·sd·√(2/n), {wanted:.0%} were promised.
Reversed: of the pairs that one half calls different, the share that the other half orders the other way.

{halves(results)}

{HALVES_TEXT}

## Settings

Tests and intervals of one pair or mean have B = {SAMPLES:,} resamples, shared by the experiments of one of
{sizes.parts} parts; families and ranks have B = {FAMILY_SAMPLES}, each experiment its own. Experiments of a
cell: {experiments(sizes.single)} for one pair or mean and for random normal systems;
{experiments(sizes.family)} for families, ranks and whole collections. Cells are independent of each other.
Families of {sizes.many + 1} systems or more are tried with up to 200 topics."""


def markdown(rows: Sequence[tuple[str, ...]]) -> str:
    head, *rest = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest])


def experiments(sizes: dict[int, int]) -> str:
    return ", ".join(f"{count:,} of {topics:,} topics" for topics, count in sizes.items())
