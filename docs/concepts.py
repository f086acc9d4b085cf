"""Writes docs/concepts.md, with a picture and a number for every concept: `make docs`."""

from __future__ import annotations

from pathlib import Path

from docs.concept_pictures import EXAMPLES, best_system

DOCS = Path(__file__).parent
PAGE, PICTURES = DOCS / "concepts.md", DOCS / "img" / "concepts"

TOP = """# Concepts

Every picture and number here is of one collection, which `irassay demo-data --out demo` writes: 30 systems, 50
topics, judgments of pools of depth 100. `{best}` is its best system by AP.
"""
# title, the name of its example, text with that example's numbers
CONCEPTS = (
    (
        "Topic, run, judgments",
        "ranked_list",
        """\
A *topic* is one information need. A *run* is one system's ranked list for every topic. *Judgments* (qrels) say
which documents somebody looked at, and how relevant they are: the *grade*. A grade of 1 or more is relevant.
What a measure makes of a grade is its *gain*, unless told otherwise the grade itself.

For topic {topic}, {relevant} of the first 10 documents are relevant, so P@10 is {precision}. AP, which looks at
the whole list and at all {all_relevant} relevant documents, is {ap}.""",
    ),
    (
        "Pool, judged, unjudged",
        "pool",
        """\
Nobody can judge a whole corpus. People judge the top of some runs, the *pool*. A document without a judgment is
*unjudged*, which is not the same as nonrelevant; but most measures count it so. A system that did not
contribute to the pool has more unjudged documents, and may look worse than it is.

Here {judged_first} of the documents down to rank 100 are judged, and {judged_last} of the last hundred. A
*condensed list*, written with a prime as in `AP'`, leaves unjudged documents out.""",
    ),
    (
        "Score and mean",
        "topic_scores",
        """\
A measure gives a number for a list. A system's score is a summary over topics, mostly the mean: {mean}. Topics
differ far more than systems do, here from {lowest} to {highest}. That is why the number of topics decides how
much a mean is worth. `GM(AP)` is another summary, the geometric mean, which looks more at the topics that went
badly.""",
    ),
    (
        "Paired difference",
        "paired_differences",
        """\
Two systems are compared topic by topic, because a topic that is hard for one is mostly hard for the other. The
mean of the differences to `{second}` is {difference}, with {won} topics won and {lost} lost. Read the interval
of this difference, not the intervals of the two means.""",
    ),
    (
        "Replicate",
        "sampled_topics",
        """\
What if the topics had been others? Nobody has others at hand, so samples of the same topics, drawn with
replacement, stand in for them. Each sample is a *replicate* of the collection. The picture shows the difference
of the two systems on each: its standard deviation is {sd}, and in {reversed} of the samples the order of the
two is reversed.""",
    ),
    (
        "Significance: p and ASL",
        "no_difference",
        """\
If the two systems were equally good, how often would a difference as large as the observed one turn up by
chance? The picture shows samples drawn as if there were none. The observed |t| is {t}, and {extreme} of 1,000
samples are as extreme: the *achieved significance level* (ASL) is {asl}. A small p does not say that the
difference is large, and a large one does not say that there is none.""",
    ),
    (
        "Discriminative power",
        "pairs_told_apart",
        """\
A measure tells two systems apart if their p-value is below alpha. Of the {pairs} pairs AP tells {ap_share}
apart at 0.05 and RR {rr_share}, by t tests. Such a share is per comparison: of pairs without any difference 5%
would be told apart too. More power is not more truth; a measure can be consistent about something that nobody
cares about.""",
    ),
    (
        "Many comparisons, and ranks that are not excluded",
        "ranks",
        """\
Who compares many pairs finds some differences by chance. A *correction* makes up for it; Holm's is the default.
What the corrected tests leave open is shown as ranks: `{best}` is first in {share_first} of the samples, but
the tests exclude only the ranks outside {rank_low} to {rank_high}.""",
    ),
    (
        "Reversal, pairs resolved, surviving difference",
        "reversed_pairs",
        """\
A pair is *reversed* in a replicate if its order is the other one there. A pair is *resolved* if at most 5% of
the replicates reverse it: by AP {resolved} of all pairs. Larger differences are reversed less often. The
*surviving difference* is where a falling curve fitted to the dots reaches 5%: {surviving}. On a second set of
topics reversals are more frequent, because there both sets vary: 5% here are about 12% there
([measured](uncertainty.md)).""",
    ),
    (
        "Bootstrap corpus",
        "other_corpora",
        """\
Topics are not all that could have been different. A *bootstrap corpus*, or *image*, draws the documents with
replacement: some are there twice, some are missing. On 95% of {corpora} such corpora the mean AP of `{best}`
lies between {corpus_low} and {corpus_high}. This is a spread, not an interval of confidence: copies of a
document stand next to each other, which moves scores by themselves. The mean differs from the observed score by
{bias}, the *bias*.""",
    ),
    (
        "Fewer judgments",
        "fewer_judgments",
        """\
Judgments can be taken away at random. Mean AP over all systems falls from {line_100} to {line_50} with half of
the judgments, because what was relevant now counts as nonrelevant. AP' leaves these documents out and goes from
{other_100} to {other_50}. What matters more is whether the order of the systems stays the same:
`irassay incomplete` says.""",
    ),
)
BOTTOM = """## What varies, what is asked

Every study joins two choices: what could have been different (the *variation*), and what is asked about it (the
*question*). [The grid](grid.md) has all combinations. Variations are of three kinds, which do not compare with
each other:

| kind | what a replicate is | examples | what its spread means |
|---|---|---|---|
| sampling | a sample of the same kind | topics, documents | a standard error |
| model | a draw from an assumed mechanism | simulated scores, ties, unjudged documents | holds if the mechanism does |
| scenario | what if | half of the judgments, shallower pools, other gains | no spread: a shift |

All systems share samples of topics, bootstrap corpora and reduced judgments, so comparisons on them are paired.
Simulated lists are drawn for each system on its own.

## Seeds and policies

There is one seed, 0 unless given. Number i of replicate b is a function of the seed, so threads, clusters, GPUs
and resumed work draw the same numbers, and a measure that is added moves nothing.

Order and ties, depth, duplicates, negative grades, topics without relevant documents: each has a named policy
with one default, listed in [data](data.md) and kept in every result.

*Made by `make docs` from `docs/concepts.py`.*
"""


def page_and_pictures() -> tuple[str, dict[str, str]]:
    parts, pictures = [TOP.format(best=best_system())], {}
    for title, name, words in CONCEPTS:
        example = EXAMPLES[name]()
        pictures[name] = example.picture
        shown = f"![{example.shows[0].upper()}{example.shows[1:]}](img/concepts/{name}.svg)"
        parts += [f"## {title}\n", words.format(best=best_system(), **example.numbers) + "\n", shown + "\n"]
    return "\n".join([*parts, BOTTOM]), pictures


def main() -> None:
    page, pictures = page_and_pictures()
    PAGE.write_text(page, encoding="utf-8")
    PICTURES.mkdir(exist_ok=True)
    for name, picture in pictures.items():
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
