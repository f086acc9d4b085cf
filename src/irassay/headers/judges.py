"""Headers of numbers of several judges: `judges`, `estimate` and `design --cheap`."""

from irassay.headers.record import Header

JUDGES = {
    "ac1": Header("AC1", meaning="Gwet's agreement beyond chance, also where one grade is common: 1 is perfect"),
    "ac2": Header("AC2", meaning="AC1 with quadratic weights: a grade next to it is half right"),
    "agreement": Header("same grade", meaning="Share of documents to which both give the same grade"),
    "alpha_ordinal": Header("alpha", meaning="Krippendorff's ordinal alpha: 1 is agreement, 0 is chance"),
    "chance": Header(
        "difference of chances", "chance", "Chance of being judged relevant: the group's documents less the others'"
    ),
    "common_labels": Header("labels in common", "common", "Documents that the reference labelled too"),
    "common_topics": Header("topics in common", "in topics", "Topics that the reference judged too"),
    "coverage_effect": Header(
        "effect of further documents", "coverage", "Change of the score by documents that only one of the two labelled"
    ),
    "documents": Header("documents", meaning="Documents that the group alone, or only others, rank high"),
    "judge_difference": Header("difference (judge)", "judge", "Difference by the judge's labels, A - B"),
    "judge_topics": Header("topics of the judge", "judge's topics", "Topics that the judge judged"),
    "kappa": Header("kappa", meaning="Cohen's agreement beyond chance: 1 is perfect, 0 is chance"),
    "kappa_linear": Header("linear kappa", "linear", "Kappa that counts how many grades two labels differ by"),
    "kappa_quadratic": Header(
        "quadratic kappa", "quadratic", "Kappa that counts the squared number of grades two labels differ by"
    ),
    "label_effect": Header(
        "effect of labels", "labels", "Change of the score by other grades of the documents that both labelled"
    ),
    "mean_grade_bias": Header("bias in grades", "bias", "Mean grade of the judge less that of the reference"),
    "n": Header("n", meaning="How many documents"),
    "needed_alone": Header(
        "trusted topics without it", "alone", "Trusted topics that are needed without the cheap judge"
    ),
    "number": Header("number", meaning="How many of them"),
    "odds_ratio": Header(
        "odds ratio", "odds", "Odds of being judged relevant: the group's documents over the others'; 1 is no favour"
    ),
    "only_judge": Header("by the judge only", "judge only", "Pairs of systems that only the judge's labels tell apart"),
    "only_reference": Header(
        "by the reference only", "reference only", "Pairs of systems that only the reference's labels tell apart"
    ),
    "p_judge": Header("p (judge)", meaning="p-value by the judge's labels, not corrected"),
    "p_reference": Header("p (reference)", meaning="p-value by the reference's labels, not corrected"),
    "p_teams": Header("p (teams)", meaning="p-value over teams, for judging systems that are not here"),
    "precision": Header("precision", meaning="Of documents with the judge's grade the share with the reference's"),
    "rd_median": Header("required difference (median)", "median", "What the median pair needs to be told apart"),
    "rd_p95": Header(
        "required difference (95% of pairs)", "95%", "What is enough for 95% of the pairs to be told apart"
    ),
    "recall": Header("recall", meaning="Of documents with the reference's grade the share with the judge's"),
    "reference_difference": Header(
        "difference (reference)", "reference", "Difference by the reference's labels, A - B"
    ),
    "reference_score": Header("score (reference)", "reference", "Score by the reference's labels"),
    "relevant": Header("relevant", meaning="Relevant documents, or their share"),
    "shift": Header("shift", meaning="How far the judge moves the group's mean score against the others'"),
    "tau_b_cost": Header(
        "cost in tau b",
        "cost",
        "How far the judge's order is below the ceiling on samples of the topics, mean of judges",
    ),
    "tau_top": Header("tau of the best", "tau top", "Kendall's tau among the reference's best systems"),
    "teams": Header("teams", meaning="How many teams the group has"),
    "total_topics": Header("cheap topics", "cheap", "Topics that the cheap judge has judged"),
    "trusted_needed": Header("trusted topics needed", "needed", "Topics that the trusted judge must judge"),
    "unadjusted": Header("unadjusted shift", "unadjusted", "The shift without regard to reference scores"),
    "verdicts_kept": Header("verdicts kept", "kept", "Share of pairs whose verdict is the same by the judge"),
    "width": Header("width", meaning="Width of an interval: upper less lower end"),
}
