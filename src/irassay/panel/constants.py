"""Numbers that kernels, their plain counterparts and their callers share."""

FRESH, DROPPED = -1, -2  # instead of codes: for entries that have none yet, and that shall have none
