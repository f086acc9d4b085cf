"""Variations on a GPU."""
