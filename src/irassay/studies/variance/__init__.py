"""Score simulation."""
