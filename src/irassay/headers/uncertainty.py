"""Headers of numbers of replicates and of several collections: `uncertainty`, `corpus` and `leaderboard`."""

from irassay.headers.record import Header

UNCERTAINTY = {
    "above": Header("above", meaning="Share of scores over bootstrap corpora that are above the interval"),
    "below": Header("below", meaning="Share of scores over bootstrap corpora that are below the interval"),
    "best_set": Header("in the best set", "best set", "Whether no other system is shown to be better"),
    "better": Header("A better", "better", "Share of replicates whose test calls system A better"),
    "bias_difference": Header(
        "bias of a difference", "bias", "How far the mean over replicates is from the observed difference: median pair"
    ),
    "borda": Header("Borda's count", "Borda", "Systems beaten, summed over collections; it depends on who takes part"),
    "change": Header("change of score", "change", "Score without the contributions, less that with all judgments"),
    "correlation": Header(
        "correlation", "corr.", "Spearman's rank correlation of two collections, or of one with the mean of the others"
    ),
    "first": Header("first", meaning="The system that is first"),
    "first_changes": Header("first place changes", "changes", "Whether another system is first without the collection"),
    "fitted": Header("fitted rate", "fitted", "Rate of reversals from the curve that falls with the difference"),
    "gained": Header("gained", meaning="Verdicts that only replicates give"),
    "inside": Header("inside", meaning="Share of scores over bootstrap corpora that are inside the interval"),
    "largest_shift": Header("largest shift", "largest", "The largest change of a system's score"),
    "losses": Header("lost", meaning="Collections on which the first system scores less"),
    "mean_rank": Header("mean rank", meaning="Mean over collections; it depends on which systems take part"),
    "mean_shift": Header("mean shift", "shift", "Mean over systems of the change of their scores"),
    "median_shift": Header("median shift", "shift", "Median over systems of the change of their scores"),
    "observed": Header("observed score", "observed", "Score of the data as they are"),
    "observed_difference": Header("observed difference", "observed", "Difference in the data as they are, A - B"),
    "rank_here": Header("rank in the scenario", "rank here", "Rank of the system in the scenario"),
    "rank_high_one": Header("rank to, alone", "to, alone", "The worst rank, for a system chosen before looking"),
    "rank_low_one": Header("rank from, alone", "from, alone", "The best rank, for a system chosen before looking"),
    "rank_width_best": Header(
        "ranks of the best", "best ranks", "How many ranks the tests leave open for the system that is first"
    ),
    "rank_width_median": Header(
        "ranks of the median system", "median ranks", "How many ranks the tests leave open for the median system"
    ),
    "ranks_lost_median": Header("ranks lost, median", "median lost", "Ranks that the median system loses"),
    "ranks_lost_most": Header("ranks lost, most", "most lost", "The most ranks that a system loses"),
    "replicates": Header("replicates", meaning="How many times the data were drawn again, or scenarios"),
    "reversal_rate": Header("rate of reversals", "rate", "Share of replicates that reverse the order of two systems"),
    "rms_difference": Header(
        "bias and sd of a difference", "rms", "Root of the squared bias and squared sd of a difference: median pair"
    ),
    "sd_difference": Header(
        "sd of a difference", "sd", "Standard deviation over replicates of a difference: median pair"
    ),
    "sd_mean": Header("sd of a mean", "sd mean", "Standard deviation over replicates of a mean score: median system"),
    "share_better": Header("share of weightings", "share", "Share of weightings by which the first system is better"),
    "significant_observed": Header(
        "told apart as observed", "observed", "Pairs that the test tells apart in the data as they are"
    ),
    "smallest_tau": Header("smallest tau b", "tau b", "The lowest agreement with the observed order of systems"),
    "tau_without": Header(
        "tau without it", "tau", "Agreement (tau b) of the order without the collection with that of all"
    ),
    "ties": Header("tied", meaning="Collections on which both systems score the same"),
    "undecided": Header("undecided", meaning="Share of replicates whose test does not tell the two systems apart"),
    "verdicts_gained": Header(
        "verdicts gained", "gained", "Share of pairs told apart in a replicate and not as observed"
    ),
    "verdicts_lost": Header("verdicts lost", "lost", "Share of pairs told apart as observed and not in a replicate"),
    "verdicts_opposite": Header("verdicts reversed", "reversed", "Share of pairs whose verdict is the opposite one"),
    "win_rate": Header(
        "win rate", "wins", "Share of collections on which the first system scores more; ties count half"
    ),
    "wins": Header("won", meaning="Collections on which the first system scores more"),
    "worse": Header("A worse", "worse", "Share of replicates whose test calls system A worse"),
}
