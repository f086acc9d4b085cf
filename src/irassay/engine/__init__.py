"""How it is computed: kernels, random streams, hits, folds. Knows arrays, never names of documents or files."""
