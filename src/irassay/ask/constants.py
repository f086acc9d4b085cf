"""Numbers that kernels and their callers share."""

LANES = 64  # pairs side by side
FEW = 8  # pairs of a narrow tile: a comparison of two systems need not carry 63 empty lanes
INFINITE = 1e300  # x of a replicate whose differences do not vary: |t*| is infinite
