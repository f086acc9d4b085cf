"""Numbers that kernels and their callers share."""

LANES = 64  # pairs side by side
INFINITE = 1e300  # x of a replicate whose differences do not vary: |t*| is infinite
