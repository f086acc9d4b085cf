"""Headers of numbers that several studies have."""

from irassay.headers.record import Header

NUMBERS = {
    "active_documents": Header("documents seen", "seen", "Documents of the corpus that are retrieved or judged"),
    "alpha": Header("alpha", meaning="Significance level"),
    "asl": Header(
        "ASL", meaning="Achieved significance level: the share of bootstrap samples with a statistic as large"
    ),
    "best_system": Header("best system", "best", "The system with the highest score on the topic"),
    "bias": Header("bias", meaning="Mean over replicates less the observed value"),
    "bin_high": Header("to", meaning="Upper edge of the bin"),
    "bin_low": Header("from", meaning="Lower edge of the bin"),
    "both": Header("told apart by both", "both", "Pairs of systems that both tell apart"),
    "cheap_mean": Header("cheap judge's mean", "cheap", "Mean score by the cheap judge, over all its topics"),
    "cheap_only": Header("cheap judge alone", "cheap only", "On the topics that only the cheap judge judged"),
    "cheap_topics": Header("cheap topics", "cheap", "Topics that only the cheap judge judged"),
    "collections": Header("collections", meaning="Collections that both systems have results for"),
    "comparisons": Header("comparisons", "comp.", "How many comparisons of two systems"),
    "corpus_size": Header("documents in the corpus", "corpus", "How many documents the corpus has"),
    "deviations": Header("standard deviations", "sds", "How many: systems times topics"),
    "df": Header("degrees of freedom", "df", "Independent pieces of information in the mean square"),
    "difference": Header("difference", "diff.", "Difference of two systems in their mean scores"),
    "difference_error": Header("± difference", "± diff.", "Standard error of the mean difference"),
    "discriminative_power": Header(
        "discriminative power", "disc. power", "Share of pairs of systems that the test calls different at this level"
    ),
    "e_rho2": Header(
        "E-rho²", meaning="How well differences between systems generalise to topics like these: 1 is perfect"
    ),
    "ed_median": Header(
        "estimated difference (median)", "ED median", "What a pair needs to be called different, in the median pair"
    ),
    "ed_p95": Header(
        "estimated difference (95% of pairs)", "ED 95%", "What is enough for 95% of the pairs to be called different"
    ),
    "effect_size": Header("effect size", "effect", "Mean difference over a standard deviation"),
    "equivalence_high": Header(
        "equivalence to", meaning="Upper end of the interval that goes with the test of equivalence"
    ),
    "equivalence_low": Header(
        "equivalence from", meaning="Lower end of the interval that goes with the test of equivalence"
    ),
    "error_rate": Header("error rate", "errors", "Share of samples that order two systems against the observed scores"),
    "errors": Header("errors", meaning="Samples that order two systems against the observed scores"),
    "estimated_difference": Header(
        "estimated difference", "ED", "What a pair needs to be called different: the largest over pairs"
    ),
    "f": Header("F", meaning="Ratio of mean squares"),
    "first_tie": Header("first tie", meaning="File and line of the first tied documents"),
    "found": Header("at or above it", "above", "Documents of the level that stand at or above that rank"),
    "fuzziness": Header("margin (fuzziness)", "margin", "Share of the better score within which a pair counts as tied"),
    "high": Header("to", meaning="Upper end of the interval"),
    "image": Header("bootstrap corpus", "corpus", "Number of the bootstrap corpus; 0 is the corpus itself"),
    "images": Header("bootstrap corpora", "corpora", "How many corpora were drawn from the documents"),
    "images_significant": Header(
        "corpora that tell them apart", "significant", "Share of bootstrap corpora with a significant difference"
    ),
    "in_power": Header("tested for power", "power", "Whether pairs of the system are tested"),
    "in_tau": Header("ranked for tau", "tau", "Whether the system is in the rankings that tau compares"),
    "inconsistent": Header(
        "told apart here only", "here only", "Pairs that are told apart here and not with all judgments"
    ),
    "judged": Header("judged documents", "judged", "Judgments that are left"),
    "judged_at_10": Header("judged@10", meaning="Share of the first 10 documents that have a judgment"),
    "judged_by_both": Header("judged by both", "both", "On the topics that both judged"),
    "judged_documents": Header("judged documents", "judged", "Documents of the corpus that are judged"),
    "judged_share": Header("share judged", "share", "Share of the corpus that is judged"),
    "krcc": Header(
        "tau with the observed ranking",
        "tau",
        "Mean over samples of Kendall's tau between the simulated and the observed ranking (KRCC)",
    ),
    "lambda": Header("λ", meaning="Weight of the cheap judge: 0 leaves the trusted topics alone, 1 is PPI"),
    "left_out": Header("left out", meaning="The system, or group, whose contributions to the pool are not judged"),
    "letters": Header(
        "tier", meaning="Systems that share a letter are not told apart by the tests; c-f is c, d, e and f"
    ),
    "longest": Header("longest", meaning="Documents of the longest list"),
    "lost": Header("topics lost", "lost", "Topics on which the first system scores less"),
    "low": Header("from", meaning="Lower end of the interval"),
    "marker": Header("significant", "sig.", "An arrow where the difference from the baseline is significant"),
    "max": Header("largest", "max", "The largest value"),
    "max_rank": Header(
        "largest preferred rank",
        "rank",
        "Rank of the first document of the highest level that a run retrieves, largest over runs",
    ),
    "max_score": Header("largest score", "max", "The largest score in any sample of the topics"),
    "mean": Header("mean", meaning="Mean score over topics"),
    "mean_difference": Header("mean difference", "diff.", "Mean difference of the two systems over topics, A - B"),
    "mean_error": Header("± mean", meaning="Standard error of the mean over topics"),
    "mean_rejection_rate": Header(
        "told apart in samples", "in samples", "Share of samples that tell a pair apart, mean over pairs"
    ),
    "mean_score": Header("mean score", "mean", "Mean over systems of their scores"),
    "mean_sd": Header("mean standard deviation", "mean sd", "Mean of the standard deviations over bootstrap corpora"),
    "mean_square": Header("mean square", meaning="Sum of squares over its degrees of freedom"),
    "measure_a": Header("measure A", "A", "The first measure of the pair"),
    "measure_b": Header("measure B", "B", "The second measure of the pair"),
    "median": Header("median", meaning="The median value"),
    "median_ratio": Header(
        "median ratio", "ratio", "Size of the difference relative to that with all judgments, in the median pair"
    ),
    "min": Header("smallest", "min", "The smallest value"),
    "min_difference": Header("difference that matters", "difference", "The true difference that is to be found"),
    "minority_rate": Header(
        "minority rate", "MR", "Share of samples of the topics that contradict the usual order of a pair (MR)"
    ),
    "narrower": Header(
        "narrower in", meaning="Share of intervals that are narrower than from the trusted topics alone"
    ),
    "neither": Header("by neither", "neither", "Pairs of systems that neither tells apart"),
    "none": Header("runs without", "without", "Runs that retrieve no relevant document for the topic"),
    "only_a": Header("by A only", "A only", "Pairs of systems that only the first measure tells apart"),
    "only_b": Header("by B only", "B only", "Pairs of systems that only the second measure tells apart"),
    "opposite": Header("opposite", meaning="Pairs of systems that both tell apart, in opposite directions"),
    "p_corrected": Header("p (corrected)", meaning="p-value, corrected for the number of comparisons"),
    "p_equivalence": Header(
        "p (equivalence)", meaning="p-value of the two one-sided tests: small where the difference is within the margin"
    ),
    "p_equivalence_corrected": Header(
        "p (equivalence, corrected)", meaning="The same p-value, corrected for the number of comparisons"
    ),
    "p_value": Header("p", meaning="p-value, not corrected"),
    "pair": Header("pair", meaning="Number of the pair, sorted by ASL"),
    "pairs": Header("pairs", meaning="Pairs of systems"),
    "pairs_resolved": Header(
        "pairs resolved", "resolved", "Share of pairs of systems that at most 5% of replicates reverse"
    ),
    "phi": Header("Phi", meaning="How well the scores themselves generalise to topics like these: 1 is perfect"),
    "power": Header("power", meaning="Chance to find the difference that matters"),
    "power_at_hand": Header(
        "power with the topics at hand", "power now", "Chance that the topics at hand show the difference that matters"
    ),
    "proportion_of_ties": Header(
        "proportion of ties", "PT", "Share of samples of the topics in which a pair counts as tied (PT)"
    ),
    "q2.5": Header("2.5% quantile", "2.5%", "2.5% of the values are below it"),
    "q25": Header("lower quartile", "25%", "A quarter of the values are below it"),
    "q50": Header("median", "50%", "Half of the values are below it"),
    "q75": Header("upper quartile", "75%", "A quarter of the values are above it"),
    "q97.5": Header("97.5% quantile", "97.5%", "2.5% of the values are above it"),
    "R": Header("R", meaning="Relevant documents of the topic"),
    "range": Header("range", meaning="Best less worst score on the topic"),
    "rank": Header("rank", meaning="Rank 1 is the best, or the top of a list"),
    "rank_after": Header("rank after", meaning="Rank without the contributions of the one left out"),
    "rank_before": Header("rank before", meaning="Rank with all judgments"),
    "rank_full": Header("rank with all judgments", "rank (all)", "Rank of the system with all judgments"),
    "rank_high": Header("rank to", meaning="The worst rank that the tests do not exclude"),
    "rank_low": Header("rank from", meaning="The best rank that the tests do not exclude"),
    "rank_q2.5": Header("rank, 2.5% quantile", "rank 2.5%", "In 2.5% of the samples the rank is better"),
    "rank_q50": Header("rank, median", "rank 50%", "The median rank over samples"),
    "rank_q97.5": Header("rank, 97.5% quantile", "rank 97.5%", "In 2.5% of the samples the rank is worse"),
    "rank_raw": Header("observed rank", "rank", "Rank by the observed scores"),
    "rank_root": Header("observed rank", "rank", "Rank on the corpus itself"),
    "rate": Header("% of judgments", "%", "Per cent of the judgments that remain"),
    "ratio": Header("ratio to the largest score", "ratio", "Required difference over the largest score"),
    "raw": Header("observed score", "observed", "Score by the list as it was retrieved"),
    "raw_difference": Header("observed difference", "observed", "Difference of the observed scores, A - B"),
    "raw_significant_share": Header(
        "told apart by observed scores", "observed", "Share of pairs that the observed scores tell apart"
    ),
    "rbo": Header(
        "rank-biased overlap", "RBO", "Agreement of two rankings that counts the top most: 1 is the same order"
    ),
    "rejection_rate": Header("told apart in samples", "in samples", "Share of samples that tell the pair apart"),
    "required_difference": Header(
        "required difference", "required", "Difference from which on comparisons rarely swap"
    ),
    "resamples": Header("samples of topics", "samples", "How many samples of the topics were drawn"),
    "retrieved": Header("documents retrieved", "retrieved", "Documents in the list"),
    "reversed": Header("reversed", meaning="Share of replicates with the other order of the two systems"),
    "reversed_by_pool": Header("reversed by the pool", "by pool", "Pairs whose order their own shallow pool reverses"),
    "rho": Header("ρ", meaning="Correlation of the trusted and the cheap judge's scores over topics that both judged"),
    "root": Header("on the corpus itself", "observed", "Difference on the corpus as it is, A - B"),
    "root_score": Header("observed score", "observed", "Score on the corpus itself"),
    "same": Header("same direction", "same", "Pairs of systems that both measures tell apart, in the same direction"),
    "score": Header("score", meaning="Value of the measure"),
    "score_after": Header("score after", "after", "Score without the contributions of the one left out"),
    "score_before": Header("score before", "before", "Score with all judgments"),
    "sd": Header("standard deviation", "sd", "How far values lie from their mean, typically"),
    "sd_both": Header(
        "sd, both", "both", "Standard deviation over samples of the topics and bootstrap corpora at once"
    ),
    "sd_corpus": Header("sd, corpora", "corpora", "Standard deviation over bootstrap corpora"),
    "sd_p95": Header(
        "standard deviation (95% of systems)",
        "sd 95%",
        "The 95th percentile over systems of the standard deviation over bootstrap corpora",
    ),
    "sd_sd": Header("sd of standard deviations", "sd of sd", "Standard deviation of the standard deviations"),
    "sd_topics": Header("sd, topics", "topics", "Standard deviation over samples of the topics"),
    "share_agreed": Header(
        "share in the same direction",
        "agreed",
        "Of the pairs that both measures tell apart, the share in the same direction",
    ),
    "share_asl_below_alpha": Header(
        "hardly ever told apart",
        "hardly ever",
        "Share of pairs whose share of samples that tell them apart (the paper's ASL) is below alpha",
    ),
    "share_first": Header("first in", meaning="Share of replicates in which the system is first"),
    "share_nearly_always_rejected": Header(
        "nearly always told apart", "nearly always", "Share of pairs that nearly all samples tell apart"
    ),
    "share_of_pairs": Header("share of pairs", "pairs", "The share of pairs for which so much is enough"),
    "share_reversed": Header(
        "reversed in", "reversed", "Share of draws that reverse the pair; equal scores are half a reversal"
    ),
    "share_same_verdict": Header(
        "same verdict in", "same verdict", "Share of draws in which the paired t-test says the same as on the judgments"
    ),
    "share_satisfied": Header(
        "share that reaches it", "reach it", "Share of comparisons with at least the required difference"
    ),
    "shortest": Header("shortest", meaning="Documents of the shortest list"),
    "significant": Header("pairs told apart", "told apart", "Pairs of systems with a significant difference"),
    "significant_after": Header(
        "told apart after",
        "after",
        "Pairs of the system that are told apart without the contributions of the one left out",
    ),
    "significant_before": Header(
        "told apart before", "before", "Pairs of the system that are told apart with all judgments"
    ),
    "significant_full": Header(
        "told apart with all judgments", "with all", "Pairs that are told apart with all judgments"
    ),
    "significant_with_full": Header(
        "told apart in both", "in both", "Pairs that are told apart here and with all judgments"
    ),
    "skewness": Header("skewness", meaning="0 is symmetric; above it a few values are far larger than the others"),
    "smaller_p": Header("smaller p", meaning="Share of pairs with a smaller p-value than with all judgments"),
    "statistic": Header("statistic", meaning="Studentised mean difference (t)"),
    "sum_of_squares": Header("sum of squares", meaning="Squared deviations that the source explains"),
    "surviving_difference": Header(
        "difference that survives", "survives", "Smallest difference that replicates reverse at most 5% of the time"
    ),
    "swap_rate": Header("swap rate", meaning="Share of comparisons that are swaps"),
    "swaps": Header("swaps", meaning="Comparisons in which the two systems change their order"),
    "system_or_group": Header("system or group", meaning="Who contributed to the pool"),
    "system_x": Header("system A", "A", "The first system of the pair; differences are A - B"),
    "system_y": Header("system B", "B", "The second system of the pair; differences are A - B"),
    "systems": Header("systems", meaning="How many systems"),
    "systems_given": Header("systems given", "given", "Systems whose runs were given"),
    "t": Header("t", meaning="Studentised mean difference in a sample of the topics"),
    "tau": Header("tau", meaning="Kendall's tau: 1 is the same order of systems, 0 no relation, -1 the reverse"),
    "tau_ap": Header("tau AP", meaning="Kendall's tau that counts the top of the ranking most (AP correlation)"),
    "tau_b": Header("tau b", meaning="Kendall's tau with a correction for ties"),
    "tau_observed": Header(
        "agreement (tau)", "tau", "Mean agreement of the order of systems with the observed one, tau_b"
    ),
    "tau_with_default": Header(
        "tau with the first scheme", "tau", "Kendall's tau between the ranking and that by the first gain scheme"
    ),
    "tau_with_full": Header(
        "tau with all judgments", "tau", "Kendall's tau between the ranking and that by all judgments"
    ),
    "tied": Header("topics tied", "tied", "Topics on which both systems have the same score"),
    "topics": Header("topics", meaning="How many topics"),
    "topics_for": Header("topics for it", "topics", "Topics that give the reliability that is wanted"),
    "topics_for_e_rho2": Header("topics for E-rho²", meaning="Topics with which E-rho² is as high as wanted"),
    "topics_for_phi": Header("topics for Phi", meaning="Topics with which Phi is as high as wanted"),
    "topics_needed": Header("topics needed", "needed", "The fewest topics for the power, or the width, that is wanted"),
    "total": Header("in all", meaning="All of them together"),
    "trec_eval": Header("trec_eval's name", "trec_eval", "What trec_eval calls the measure"),
    "trial": Header("reduction", meaning="Number of the random reduction of the judgments"),
    "trials": Header("reductions", meaning="Independent random reductions of the judgments"),
    "trusted_difference": Header(
        "difference (trusted topics)", "trusted diff.", "Difference from the trusted topics alone"
    ),
    "trusted_mean": Header("trusted mean", "trusted", "Mean score by the trusted judge, over its topics"),
    "trusted_p_value": Header(
        "p (trusted topics)", "trusted p", "p-value from the trusted topics alone, not corrected"
    ),
    "trusted_topics": Header("trusted topics", "trusted", "Topics that both judges judged"),
    "unique_relevant": Header(
        "relevant documents of its own", "own", "Relevant documents that nobody else put into the pool"
    ),
    "variance": Header("variance", meaning="Estimate that the plan rests on"),
    "variance_residual": Header("variance, rest", "rest", "What systems and topics leave unexplained (V_E2)"),
    "variance_system": Header("variance, systems", "systems", "Variance between systems"),
    "variance_topic": Header("variance, topics", "topics", "Variance between topics"),
    "verdicts_changed": Header(
        "verdicts changed", "changed", "Pairs of the system whose verdict is another without the contributions"
    ),
    "what": Header("what"),
    "width_at_hand": Header(
        "width with the topics at hand", "width now", "Width to expect of an interval of a difference"
    ),
    "width_ratio": Header(
        "relative width", "width", "Width of the interval over that from the trusted topics alone; 1 is no gain"
    ),
    "won": Header("topics won", "won", "Topics on which the first system scores more"),
    "worst_system": Header("worst system", "worst", "The system with the lowest score on the topic"),
    "worth": Header("worth", meaning="So many trusted topics alone would give intervals of this width"),
    "z0": Header("z", meaning="tau in standard errors of a tau of 0"),
}
