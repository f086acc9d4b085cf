"""`irassay leaderboard`."""

from irassay.studies.registry import Study

STUDY = Study(
    name="leaderboard",
    order=35,
    help="Rank systems on several collections, and say which ranks the data leave open.",
    settings="irassay.studies.leaderboard.settings:Leaderboard",
    run="irassay.studies.leaderboard.run:run",
    question="Who leads on these collections, and who cannot be told apart from the first place?",
    how=(
        "Scores are averaged over collections. What the intervals, ranks and tests hold for is the user's choice: "
        "fixed takes these collections as they are and samples topics within them; random takes them for a sample of "
        "collections and does not sample topics again; weights tries all weightings of them and infers nothing. "
        "Ranks are those that one-sided tests of all pairs, for all at once, do not exclude; the best set holds the "
        "systems that no other one beats in comparisons with the best."
    ),
    distrust=(
        "Collections of a leaderboard are hardly ever a random sample, and systems were often chosen and tuned on "
        "them. Mean ranks and Borda counts depend on which systems take part. A mean over collections with different "
        "measures has no unit."
    ),
    findings="irassay.studies.leaderboard.findings:findings",
    headline="irassay.studies.leaderboard.headline:headline",
    cites=(
        "mogstad2024inference",
        "hsu1984constrained",
        "romano2005exact",
        "welch1947generalization",
        "demsar2006statistical",
        "muennighoff2023mteb",
        "thakur2021beir",
    ),
    details=(
        "pairs",
        "ranks",
        "without",
        "groups",
        "win_matrix",
        "redundancy",
        "weighted_pairs",
        "critical_difference",
    ),
    view="irassay.studies.leaderboard.view:view",
    paste="leaderboard",
    execution="Saved",
    section=7,
    together=True,
)
