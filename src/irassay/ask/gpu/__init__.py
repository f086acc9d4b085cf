"""Questions on a GPU."""
