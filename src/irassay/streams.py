"""The registry of random streams: which part of Philox's counter every draw uses.

A draw is a function of (seed, position, replicate, stream), so two draws that share a stream are the same draw. Every
stream has its own number here; a new one takes the next free number, and a number never changes meaning.
"""

from __future__ import annotations

# The demo collection: a stream per purpose; systems and groups count on from the base of their kind.
DEMO_SIZE, DEMO_EASE, DEMO_GRADES, DEMO_SHARED, DEMO_NAMES, DEMO_STRENGTH, DEMO_FIT, DEMO_JUDGES = range(1, 9)
DEMO_SYSTEM, DEMO_GROUP, DEMO_TRUTH = 1 << 12, 1 << 24, 1 << 28

TOPICS, SECOND_TOPICS, UNPAIRED_TOPICS, TOPIC_HALVES = 100, 101, 102, 103
RELEVANT_JUDGMENTS, NONRELEVANT_JUDGMENTS = 110, 111
GROUP_SYSTEMS, SAMPLED_SYSTEMS = 112, 113
SIGNS, PERMUTATIONS = 120, 121
SIMULATED_LISTS = 130  # the key of each list
SIMULATED_COPIES, SIMULATED_CELLS, SIMULATED_REST, SIMULATED_CAP, SIMULATED_WITHIN = 131, 132, 133, 134, 135
DENSITY_JITTER, DENSITY_PLACES, DENSITY_PICKS, DENSITY_NOISE = 136, 137, 138, 139
CORPUS_TOTALS = 140
CORPUS_DRAWS = 141  # and, for words that are rejected, the streams after it: nothing may follow up to 199
CORPUS_DRAWS_END = 199
TIE_LISTS = 200  # the key of each list
TIE_ORDERS, SECOND_TIE_ORDERS = 201, 202
SECOND_SIMULATED_LISTS = 203
SECOND_RELEVANT_JUDGMENTS, SECOND_NONRELEVANT_JUDGMENTS = 204, 205
# 210 was taken by signs of the step-down test
POOL_TEAMS = 211
MEAN_DRAWS, TASK_WEIGHTS = 220, 221  # of leaderboards
TEAM_PERMUTATIONS = 222
LABEL_TOPICS, LABEL_GRADES, SECOND_LABEL_TOPICS, SECOND_LABEL_GRADES = 223, 224, 225, 226
UNJUDGED_GRADES, UNJUDGED_TOPICS, UNJUDGED_GROUPS = 230, 231, 232
SECOND_UNJUDGED_GRADES, SECOND_UNJUDGED_TOPICS, SECOND_UNJUDGED_GROUPS = 233, 234, 235
