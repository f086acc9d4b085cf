"""How work runs: compiled kernels, threads, executors, checkpoints, random numbers."""
