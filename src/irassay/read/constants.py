"""Numbers that kernels, their plain counterparts and their callers share."""

import numpy as np

# What `stats` holds after lines were read.
ROWS, SEGMENTS, TOPICS, ERRORS, SLOW, SKIPPED, COMMENTS, EXTRA, RANK_FALLS, TAG_DIFFERS, LINES = range(11)
STATS = 11
NOT_WHOLE = -(2**31)  # stands where the column of whole numbers held none; below every rank, so ranks fall there
NEWLINE, HASH = 10, 35

# How lines are split into cells.
BLANKS = 0  # as a separator: any run of spaces and tabs
UNFINISHED = -1  # returned where a quoted cell holds quotes or line ends: Python's csv has to read it

# What the `state` of a table holds: how many entries, bytes in the arena, entries in slots, duplicates; which segment
# is worked on, how many of its rows are done, and how long the name is that found no room. What a segment is. The
# longest name that the words of a record hold.
ENTRIES, ARENA, FILLED, DUPLICATES, SEGMENT, DONE, SIZE = range(7)
BLOCK, ROW, STOP, TOPIC, RUN, PLACE = range(6)
INLINE = 24

# How ties are broken: file order, names descending, a key descending, names descending that stand in a file.
BY_ROW, BY_NAME, BY_KEY, BY_TEXT = 0, 1, 2, 3
NO_KEY = np.zeros(0, dtype=np.int8)
NO_RECORD = np.zeros((0, 4), dtype=np.uint64)
