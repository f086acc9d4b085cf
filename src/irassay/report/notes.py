"""What a page says about each study beside its numbers: the question, how it was computed, when to distrust it."""

from __future__ import annotations

from typing import NamedTuple

REFERENCES = {
    "buckley2000evaluating": "C. Buckley, E. M. Voorhees. Evaluating evaluation measure stability. SIGIR 2000.",
    "sakai2007bootstrap": "T. Sakai. Evaluating IR metrics based on bootstrap hypothesis tests. 2007.",
    "sakai2007one": (
        "T. Sakai. On the properties of evaluation metrics for finding one highly relevant document. IPSJ TOD "
        "48(SIG 9), 2007."
    ),
    "sakai2008incomplete": (
        "T. Sakai, N. Kando. On information retrieval metrics designed for evaluation with incomplete relevance "
        "assessments. Information Retrieval 11(5), 2008."
    ),
    "voorhees2002error": (
        "E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error. SIGIR 2002."
    ),
    "webber2010rbo": (
        "W. Webber, A. Moffat, J. Zobel. A similarity measure for indefinite rankings. ACM TOIS 28(4), 2010."
    ),
    "yang2018variance": "Yang, Zhang, Song. A study of per-topic variance on system comparison. 2018.",
    "yilmaz2008tauap": (
        "E. Yilmaz, J. A. Aslam, S. Robertson. A new rank correlation coefficient for information retrieval. SIGIR "
        "2008."
    ),
    "zobel1998reliable": (
        "J. Zobel. How reliable are the results of large-scale information retrieval experiments? SIGIR 1998."
    ),
    "zobel2020corpus": (
        "J. Zobel, L. Rashidi. Corpus bootstrapping for assessment of the properties of effectiveness measures. 2020."
    ),
}


class Note(NamedTuple):
    """The texts of one study; the keys of `cites` are those of `REFERENCES`."""

    question: str
    how: str
    distrust: str
    cites: tuple[str, ...] = ()


# In the order in which a page shows the studies.
NOTES = {
    "check": Note(
        "What is in the data, and what could bite?",
        "Judgments and runs were read, aligned and counted; nothing was estimated.",
        "Nothing here says whether the judgments are right, only what they are.",
    ),
    "power": Note(
        "Which measures can tell systems apart, and from what difference on?",
        "For every pair of systems and every measure a bootstrap test: the per-topic differences are centred, "
        "topics are drawn with replacement, and the achieved significance level (ASL) is the share of samples whose "
        "|t*| is at least the observed |t|. Discriminative power is the share of pairs with ASL below alpha. The "
        "estimated difference of a pair is the mean difference of the sample at rank ceil(B · alpha); the largest "
        "over pairs was enough for every pair.",
        "Levels are per comparison and not corrected for how many comparisons there are. A powerful measure is not "
        "therefore a valid one: it may tell systems apart by the wrong thing. The topics are taken for a sample of "
        "those that matter; with fewer than about 20 the test is rough. Pairs share systems, so their verdicts are "
        "not independent. The estimated difference is a maximum and grows with the number of pairs.",
        ("sakai2007bootstrap",),
    ),
    "swap": Note(
        "How large must a difference be so that other topics rarely turn it round?",
        "Two independent sets of topic samples; a swap is a pair of systems in the opposite order. Comparisons are "
        "put into bins by their difference in the first set; the required difference is the lower edge of the "
        "smallest bin from which on no bin has a higher swap rate than allowed.",
        "Samples with replacement from the same topics overlap and so swap less than truly new topics would. With "
        "disjoint halves the answer holds for half as many topics. A bin with few comparisons can decide the "
        "answer; look at the counts.",
        ("sakai2007bootstrap", "voorhees2002error"),
    ),
    "stability": Note(
        "How often would other topics put two systems in the other order?",
        "For every pair of systems, sample of topics and fuzziness f: one leads, the other does, or they are within "
        "f times the better score. The minority rate counts samples against the majority, the proportion of ties "
        "the undecided.",
        "Both rates must be read together: a large fuzziness lowers the minority rate by leaving more undecided. "
        "The rates are over all pairs, easy ones included; more bad systems make any measure look stable.",
        ("buckley2000evaluating", "sakai2007bootstrap"),
    ),
    "agreement": Note(
        "Do measures rank systems alike, and do their verdicts agree?",
        "Kendall's tau (tied pairs count neither way) with its test, tau_b, tau_AP with measure_a as reference, and "
        "rank-biased overlap; a 95% interval on tau over samples of the topics, the same ones for both measures; "
        "and the verdicts of the paired bootstrap test.",
        "That tau differs from 0 says little: related measures always agree somewhat. A high tau over many bad "
        "systems can hide disagreement at the top; tau_AP and rank-biased overlap look there. Verdicts are not "
        "corrected for how many comparisons there are.",
        ("sakai2007bootstrap", "yilmaz2008tauap", "webber2010rbo"),
    ),
    "gains": Note(
        "Does the choice of gains matter?",
        "Every measure was computed with every gain scheme; tau compares the ranking of systems with that of the "
        "first scheme, and the paired bootstrap test gives the discriminative power.",
        "Schemes that differ by a factor only change nothing in measures that normalise. Where few documents have "
        "the higher grades, no scheme can matter much.",
        ("sakai2007one",),
    ),
    "preferred-ranks": Note(
        "How far down the list must a user go who wants one document of the highest level?",
        "For each topic the largest preferred rank over runs, which is the rank of the first document of the "
        "highest level that a run retrieves, and how many documents of each level stand at or above it.",
        "It is a maximum over runs: one bad run sets it.",
        ("sakai2007one",),
    ),
    "incomplete": Note(
        "What do fewer judgments do to measures?",
        "At each rate a random part of every topic's judgments remains, relevant and nonrelevant ones apart, "
        "smaller sets inside larger ones. Scores, discriminative power and the ranking of systems are then compared "
        "with those on all judgments.",
        "Judgments are removed at random, which pooling never does: shallow pools lose the documents that few "
        "systems found. One reduction says little; use several trials. All judgments stand for the truth here, "
        "though they are incomplete themselves.",
        ("sakai2008incomplete",),
    ),
    "pools": Note(
        "What do shallow pools do, and would a system that never contributed be treated fairly?",
        "Judgments are restricted to the first k documents of the contributing runs; and for each system (or group) "
        "the documents that it alone put into the pool become unjudged. Scores, ranks and verdicts are compared "
        "before and after.",
        "A system that is left out still has relatives in the pool: a truly new kind of system can lose more. "
        "Judgments that no contributing list explains stay.",
        ("zobel1998reliable",),
    ),
    "shape": Note(
        "What does a measure reward?",
        "No data: the score of a list with a single relevant document at each rank, for a given number R of "
        "relevant documents, and of lists that begin with all of them. Relevance is binary.",
        "The steepness of a curve is a property of the definition, not of what users want.",
        ("sakai2008incomplete",),
    ),
    "corpus": Note(
        "How much of a score is due to the particular documents in the corpus?",
        "Each image of the corpus draws as many documents as it has, with replacement, one image for all systems "
        "and topics. Documents of a run are repeated as often as they were drawn or drop out; relevant ones are "
        "counted anew. Differences between systems are paired over images.",
        "Copies of a document are no new documents: images show the sensitivity to single documents, not what "
        "another crawl would hold. Documents below the depth of a run cannot rise into it. Adding a run changes the "
        "images.",
        ("zobel2020corpus",),
    ),
    "variance": Note(
        "Would the comparison survive other scores of the same retrieval functions?",
        "For every system and topic new lists are simulated from the scores of its relevant and nonrelevant "
        "documents, resampled (BST) or from a kernel density (KDE). Every system and topic is simulated "
        "independently, so these replicates are not paired across systems.",
        "Independent simulation makes differences noisier than in life, where systems share topics and documents. "
        "The ASL of this method counts rejections: large means different. Its estimated difference is not centred "
        "and follows the largest difference between systems. Scores made from ranks say nothing here.",
        ("yang2018variance",),
    ),
    "compare": Note(
        "Is the difference between these systems real?",
        "Paired tests on per-topic scores, corrected for how many comparisons there are where the tables say so.",
        "A test answers for topics like these. A significant difference can be too small to matter, and a missing "
        "one may only want more topics.",
    ),
    "design": Note(
        "How many topics would it take?",
        "From the spread of per-topic differences in the data at hand.",
        "It assumes that new topics vary like the old ones.",
    ),
}


def note_of(study: str) -> Note:
    """The texts of a study; one that is not known here is still told as what it is."""
    return NOTES.get(study) or Note("", "The tables say what was computed.", "There are no notes on this study.")
