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

# What the `state` of a vocabulary holds, and the longest name that is kept in the words of its record.
ENTRIES, ARENA, SLAB, DUPLICATES = range(4)
INLINE = 24

# How ties are broken: file order, names descending, a key descending.
BY_ROW, BY_NAME, BY_KEY = 0, 1, 2
NO_KEY = np.zeros(0, dtype=np.int8)
